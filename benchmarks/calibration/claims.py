"""Every sentence that claims something beyond the data, what was measured of it, and whether it keeps its promise."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from benchmarks.calibration.cells import Row
from irgauge.inference.assertions import KINDS, Kind
from irgauge.show.finding import Sentence
from irgauge.studies.registry import studies

Source = tuple[str, str]  # group of the table, beginning of the name of a method
MARGIN = ", margin"  # at the end of the name of a method: systems are worse by exactly the margin
_ERRORS = ("each claim", "any claim")
OWN = ("sentences", "forecasts", "sampling")  # groups in which a method has the name of a sentence
_DIFFERENCE = (("topics", "skewed-t, Holm"), ("shards", "crossed t, Holm"))
_MARGIN = (("verdicts", "skewed-t, Holm, margin"),)
_FORECAST = (("plans", "new topics"),)
OTHERS: Mapping[tuple[str, Kind], tuple[Source, ...]] = {  # the method that a study's claims rest on
    ("compare", "difference"): _DIFFERENCE,
    ("compare", "equivalence"): _MARGIN,
    ("compare", "forecast"): _FORECAST,
    ("gate", "difference"): (("verdicts", "gate, equal candidate fails"), ("slices", "gate")),
    ("gate", "equivalence"): (("verdicts", "gate, candidate worse by the margin passes"), ("shares", "gate")),
    ("gate", "forecast"): _FORECAST,
    ("suite", "difference"): (("suites", "stratified t"), ("suites", "t over collections")),
    ("suite", "forecast"): (("suites", "one more collection"),),
    ("instances", "difference"): (("instances", "own variances"),),
    ("partition", "difference"): (("runs", "partition, all of 11 splits"),),
    ("pools", "trust"): (("runs", "pools"),),
    ("score", "interval"): (("means", "interval of score"),),
    ("judges", "difference"): (("judges", "corrected claims"),),
    ("judges", "equivalence"): (("judges", "corrected claims, margin"),),
}
OTHERWISE: Mapping[tuple[str, str], tuple[Source, ...]] = {  # instead of these, of single sentences
    ("compare", "topics-few"): (),
    ("compare", "slices"): (("slices", "compare"),),
    ("bootstrap", "digits"): (("runs", "images"),),
    ("plan", "needed"): (("instances", "topics needed"),),
    ("judges", "other-judges"): (("judges", "other judges"),),
}
_OF_NEEDED = ("needed-on-kinds", "on-these-topics", "cheapest", "never", "ranking")
UNMEASURED: Mapping[tuple[str, str, Kind], str] = {  # said plainly; whatever else has no row fails
    ("history", "changed", "difference"): "its own table is in [its page](questions/history.md)",
    ("compare", "topics-few", "forecast"): "it is the power by the variance that was observed",
    ("plan", "guarded-reach", "forecast"): "it is the power by the variance that was observed",
    ("plan", "many-looks", "forecast"): "it is the mean number of topics by the differences that were observed",
    ("bootstrap", "ranking", "interval"): "intervals of means are, those of ranks are not",
    ("calibrate", "use", "trust"): "`--quick` advised a test as keeping its promise in 1 of 90 tries, which is too few",
    ("calibrate", "detects", "forecast"): "it is the power in the worlds that are drawn",
    ("calibrate", "margin", "trust"): "it is the rate in the worlds that are drawn",
    ("calibrate", "intervals", "trust"): "it is the rate in the worlds that are drawn",
    **{("plan", kind, "forecast"): "it goes with `needed`" for kind in _OF_NEEDED},
    ("instances", "series", "equivalence"): "it goes with `verdicts`",
    ("instances", "slices", "equivalence"): "it goes with `verdicts`",
    ("suite", "slices", "equivalence"): "it goes with `verdicts`",
    **{
        ("holes", kind, claim): "here; the page of `holes` has rates of TREC-8, DL 2021 and made collections"
        for kind in ("likely-pair", "likely-pairs")
        for claim in ("difference", "equivalence")
    },
}
_PAPER = "Only the paper's p (`--p paper`), of which the finding `paper-p` warns"
NOTES: Mapping[tuple[str, str], str] = {  # why a sentence does not keep a promise, where its method is not the reason
    ("partition", "pairs"): _PAPER,
    ("partition", "top"): _PAPER,
}


class Claimed(NamedTuple):
    """A sentence and one kind of what it claims."""

    study: str
    sentence: str
    claim: Kind


def claimed() -> list[Claimed]:
    """All that studies can claim."""
    every = ((study, sentence) for study, own in studies().items() for sentence in own.sentences())
    return list(dict.fromkeys(claim for study, sentence in every for claim in _claims(study, sentence)))


def _claims(study: str, sentence: Sentence) -> Iterator[Claimed]:
    yield from (Claimed(study, sentence.kind, kind) for kind in sentence.claims or ())


def rows_of(claim: Claimed, rows: Sequence[Row]) -> list[Row]:
    """What was measured of a claim: of the sentence itself, and of the method that it rests on."""
    name = f"{claim.study}: {claim.sentence}" + (MARGIN if claim.claim == "equivalence" else "")
    kinds = ("assurance",) if claim.claim == "forecast" else ("coverage",) if claim.claim == "interval" else _ERRORS
    own = [row for row in rows if row.group in OWN and row.method == name and row.what in kinds]
    sources = OTHERWISE.get((claim.study, claim.sentence), OTHERS.get((claim.study, claim.claim), ()))
    others = [row for row in rows if any(row.group == group and row.method.startswith(of) for group, of in sources)]
    return [row for row in dict.fromkeys((*own, *others)) if not math.isnan(row.observed) and row.what != "power"]


def lines(rows: Sequence[Row]) -> Iterator[tuple[str, ...]]:
    """A line a claim; fails where one was not measured, and is not known to be so."""
    for claim in claimed():
        yield f"`{claim.study}`", f"`{claim.sentence}`", claim.claim, *_measured(claim, rows_of(claim, rows))


def _measured(claim: Claimed, rows: Sequence[Row]) -> tuple[str, str]:
    if rows:
        return _rates(rows), said_of(claim, rows)
    if claim not in UNMEASURED:
        raise LookupError(f"nothing was measured of {claim}: add a method named '{claim.study}: {claim.sentence}'")
    return "", f"**not measured**: {UNMEASURED[claim]}"


def _rates(rows: Sequence[Row]) -> str:
    """From the least to the most that was observed, errors apart from what is to be held."""
    held = [row.observed for row in rows if row.what in ("coverage", "assurance")]
    wrong = [row.observed for row in rows if row.what not in ("coverage", "assurance")]
    parts = [(wrong, "wrong in"), (held, "holds in")]
    return "; ".join(f"{what} {100 * min(own):.0f} to {100 * max(own):.0f} %" for own, what in parts if own)


def said_of(claim: Claimed, rows: Sequence[Row]) -> str:
    """The verdict: never that a claim keeps its promise if it fails anywhere."""
    note = NOTES.get((claim.study, claim.sentence))
    why = "" if note is None else f". {note}"
    liberal = [row for row in rows if row.verdict == "liberal"]
    if liberal:
        worst = max(liberal, key=lambda row: abs(row.observed - row.nominal))
        return f"**does not keep it** in {len(liberal)} of {len(rows)}, most in: {worst.world}, {worst.design}{why}"
    verdicts = {row.verdict for row in rows}
    if "unclear" in verdicts and "kept" not in verdicts:
        return f"**may not keep it**: too few draws to tell{why}"
    if "unclear" in verdicts:
        return f"keeps its promise where that can be told{why}"
    return "cautious" if verdicts == {"conservative"} else "keeps its promise"


HEAD = ("study", "sentence", "claims", "measured", "verdict")
TITLE = "## Every sentence that claims something"
TEXT = (
    "The findings of every study by their kinds (`finding.kind`, in JSON `kind`), with what they claim beyond the "
    f"data: {'; '.join(f'*{kind}*, {text}' for kind, text in KINDS.items())}. What is not here describes the data at "
    "hand. Measured is the sentence itself, where systems are equal, and the method that it rests on, in all worlds "
    "and designs below: of an error from the least to the most, of an interval or a plan how often it holds."
)
