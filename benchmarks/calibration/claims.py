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
OWN = ("sentences", "forecasts")  # groups in which a method has the name of a sentence
_DIFFERENCE = (("topics", "skewed t, Holm"), ("shards", "crossed t, Holm"))
_MARGIN = (("verdicts", "skewed t, Holm, margin"),)
_FORECAST = (("forecasts", "plan: needed"),)
OTHERS: Mapping[
    tuple[str, Kind], tuple[Source, ...]
] = {  # of a study's claims, besides what is measured of each sentence
    ("compare", "difference"): _DIFFERENCE,
    ("compare", "equivalence"): _MARGIN,
    ("compare", "forecast"): _FORECAST,
    ("gate", "difference"): (("verdicts", "gate, equal candidate fails"),),
    ("gate", "equivalence"): (("verdicts", "gate, candidate worse by the margin passes"), ("shares", "gate")),
    ("gate", "forecast"): _FORECAST,
    ("suite", "equivalence"): _MARGIN,
    ("instances", "difference"): (("instances", "own variances"),),
    ("instances", "equivalence"): (("instances", "own variances"),),
    ("plan", "forecast"): (*_FORECAST, ("instances", "topics needed")),
    ("partition", "difference"): (("runs", "partition, all of 11 splits"),),
    ("pools", "trust"): (("runs", "pools"),),
    ("score", "interval"): (("means", "interval of score"),),
    ("bootstrap", "interval"): (("runs", "images"),),
    ("calibrate", "trust"): (("forecasts", "calibrate: use"), ("forecasts", "calibrate: doubt")),
    ("calibrate", "forecast"): (("forecasts", "plan: now"),),
}
OTHERWISE = {  # instead of these, of single sentences
    ("partition", "agreement"): (),
    ("partition", "opposed"): (),
    ("partition", "tests"): (),
}
_SPLITS = "It counts what single splits find, each at α by itself: how far splits agree, not which systems differ"
NOTES: Mapping[tuple[str, str], str] = {  # why a sentence does not keep a promise, where its method is not the reason
    ("anova", "assumptions"): "Levene's test takes residuals for independent, as in the papers: a caution, no claim",
    ("compare", "unequal-spread"): "Levene's test is rough where scores are skewed: a caution, no claim",
    ("partition", "agreement"): _SPLITS,
    ("partition", "tests"): "Tests side by side, some without a correction over pairs: it compares tests, not systems",
    ("pools", "pairs-by-pool"): "Each pair is tested by itself",
    ("robustness", "stability"): _SPLITS,
    ("robustness", "shards"): _SPLITS,
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
    name = f"{claim.study}: {claim.sentence}"
    own = [row for row in rows if row.group in OWN and row.method == name]
    sources = OTHERWISE.get((claim.study, claim.sentence), OTHERS.get((claim.study, claim.claim), ()))
    others = [row for row in rows if any(row.group == group and row.method.startswith(of) for group, of in sources)]
    if claim.claim in ("equivalence", "forecast") and others:
        own = [row for row in own if row.what == "assurance"]
    return [row for row in dict.fromkeys((*own, *others)) if not math.isnan(row.observed) and row.what != "power"]


def lines(rows: Sequence[Row]) -> Iterator[tuple[str, ...]]:
    """A line a claim; fails where nothing was measured of one."""
    for claim in claimed():
        own = rows_of(claim, rows)
        if not own:
            raise LookupError(f"nothing was measured of {claim}: add a method named '{claim.study}: {claim.sentence}'")
        yield f"`{claim.study}`", f"`{claim.sentence}`", claim.claim, _rates(own), said_of(claim, own)


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
    return "cautious" if verdicts == {"conservative"} else "keeps its promise"


HEAD = ("study", "sentence", "claims", "measured", "verdict")
TITLE = "## Every sentence that claims something"
TEXT = (
    "The findings of every study by their kinds (`finding.kind`, in JSON `kind`), with what they claim beyond the "
    f"data: {'; '.join(f'*{kind}*, {text}' for kind, text in KINDS.items())}. What is not here describes the data at "
    "hand. Measured is the sentence itself, where systems are equal, and the method that it rests on, in all worlds "
    "and designs below: of an error from the least to the most, of an interval or a plan how often it holds."
)
