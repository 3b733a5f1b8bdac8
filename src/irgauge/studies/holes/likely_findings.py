"""What likely grades of unjudged documents say, in sentences and in tables."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from irgauge.inference.assertions import of_verdicts
from irgauge.inference.verdicts import Verdict
from irgauge.show.finding import Finding, sentence
from irgauge.show.table import Column, Table
from irgauge.show.verdicts import FOR
from irgauge.show.words import interval_text, listed, p_text, signed
from irgauge.studies.holes.likely import HiddenCheck, Likely, LikelyPair
from irgauge.studies.holes.reuse import POPULATION
from irgauge.studies.holes.study import Bounded

WAYS: Mapping[str, str] = {
    "depth": "deeper documents",
    "runs": "documents of half of the runs",
    "groups": "documents of half of the groups",
}
_VERDICTS: Mapping[Verdict, str] = {
    "better": "{system} is better",
    "worse": "{system} is worse",
    "equivalent": "both are as good",
    "not worse": "{system} is not worse by the margin",
    "not better": "{system} is not better by the margin",
    "inconclusive": "neither is significantly better",
}
_WIDER = 1.05  # times as wide: worth telling
_OFF = 1.5  # times as many relevant documents, or as few: the model does not hold


class Interval(NamedTuple):
    """A difference, or a mean, with its interval for these topics."""

    estimate: float
    low: float
    high: float
    confidence: float

    @property
    def text(self) -> str:
        """In a sentence."""
        return f"{signed(self.estimate)} ({interval_text(self.confidence, self.low, self.high)})"


def likely_findings(result: Bounded) -> Iterator[Finding]:
    """By each measure what is likely; then whether the model holds."""
    likely = result.likely
    if likely is None or not likely.holes:
        return
    if not likely.is_learned:
        yield nothing_learned(holes=likely.holes)
        return
    for measure in result.measures:
        if any(system.least < system.most for system in result[measure].systems):
            yield _of_measure(measure, likely, result).about(measure=measure)
    if not likely.checks:
        yield unchecked()
    for check in likely.checks:
        if check.measure == result.measures[0]:
            yield _of_check(check)
    if factors := _widened(likely.checks):
        yield widened(factors=factors)


def _widened(checks: Sequence[HiddenCheck]) -> dict[str, float]:
    """Measure -> how many times as wide intervals of differences were made, where they were."""
    return {check.measure: check.widened_pairs for check in checks if check.widened_pairs >= _WIDER}


def _of_measure(measure: str, likely: Likely, result: Bounded) -> Finding:
    pairs = [pair for pair in likely.pairs if pair.measure == measure]
    if not pairs:
        own = next(row for row in likely.systems if row.measure == measure)
        interval = Interval(own.mean, own.likely_low, own.likely_high, 1 - result.alpha)
        return likely_system(measure=measure, system=own.system, interval=interval, likely=_count(likely))
    claims = of_verdicts(
        [((pair.system, pair.against), pair.verdict) for pair in pairs],
        measure=measure,
        population=POPULATION,
        margin=result.margins.get(measure),
    )
    finding = _of_pair(pairs[0], likely, result.alpha) if len(pairs) == 1 else _of_pairs(measure, pairs, likely, result)
    return finding.about(population=POPULATION).claiming(claims)


def _count(likely: Likely) -> tuple[int, float]:
    return likely.holes, likely.expected


def _of_pair(pair: LikelyPair, likely: Likely, alpha: float) -> Finding:
    return likely_pair(
        measure=pair.measure,
        system=pair.system,
        against=pair.against,
        interval=Interval(pair.difference, pair.likely_low, pair.likely_high, 1 - alpha),
        verdict=pair.verdict,
        p=pair.p_adjusted,
        likely=_count(likely),
    )


def _of_pairs(measure: str, pairs: Sequence[LikelyPair], likely: Likely, result: Bounded) -> Finding:
    return likely_pairs(
        measure=measure,
        ordered=sum(pair.likely_low > 0 or pair.likely_high < 0 for pair in pairs),
        different=sum(pair.verdict in ("better", "worse") for pair in pairs),
        pairs=len(pairs),
        baseline=result.baseline,
        likely=_count(likely),
        confidence=1 - result.alpha,
    )


def _of_check(check: HiddenCheck) -> Finding:
    names = ("way", "rank", "documents", "expected", "relevant")
    return hidden(**{name: getattr(check, name) for name in names})


@sentence("likely-pair", claims=("difference", "equivalence"))
def likely_pair(
    *,
    measure: str,
    system: str,
    against: str,
    interval: Interval,
    verdict: Verdict,
    p: float,
    likely: tuple[int, float],
) -> str:
    """A pair with likely grades of unjudged documents."""
    tested = f"; {FOR[POPULATION]} {_VERDICTS[verdict].format(system=system)} ({p_text(p)})" if p == p else ""
    head = f"By {measure}, {_with(likely)} the difference of {system} and {against} on these topics is"
    return f"{head} {interval.text}{tested}."


@sentence("likely-pairs", claims=("difference", "equivalence"))
def likely_pairs(
    *,
    measure: str,
    ordered: int,
    different: int,
    pairs: int,
    baseline: str | None,
    likely: tuple[int, float],
    confidence: float,
) -> str:
    """How many pairs likely keep their order, and how many differ for other topics too."""
    noun = f"pairs with {baseline}" if baseline else "pairs"
    sure = f"the {100 * confidence:g} % interval of the difference on these topics is on one side of 0"
    return (
        f"By {measure}, {_with(likely)} {sure} for {ordered:,} of {pairs:,} {noun}; {FOR[POPULATION]} {different:,} "
        f"{'differs' if different == 1 else 'differ'} significantly."
    )


@sentence("likely-system", claims=())
def likely_system(*, measure: str, system: str, interval: Interval, likely: tuple[int, float]) -> str:
    """A system alone."""
    return f"By {measure}, {_with(likely)} the mean of {system} on these topics is {interval.text}."


@sentence("hidden", tone="note")
def hidden(*, way: str, rank: int | None, documents: int, expected: float, relevant: float) -> str:
    """Whether the model holds where judgments are hidden."""
    which = f"below rank {rank:,} of all lists" if rank is not None else f"that half of the {way} alone brought"
    ratio = (expected + 0.5) / (relevant + 0.5)
    off = "" if 1 / _OFF <= ratio <= _OFF else ": they are not like the others"
    counts = f"likely grades lead to expect {expected:,.0f} relevant ones, and there are {relevant:,.0f}{off}"
    return f"Where judgments of {documents:,} documents {which} are hidden, {counts}."


@sentence("widened", tone="note")
def widened(*, factors: Mapping[str, float]) -> str:
    """What was done about it."""
    each = listed([f"{measure} ({factor:.1f} times)" for measure, factor in factors.items()])
    return f"Intervals of differences are wider than draws make them, to hold what hidden judgments give: by {each}."


@sentence("unchecked", tone="note")
def unchecked() -> str:
    """Too few judgments to hide some."""
    return (
        "Likely grades could not be checked, as too few judgments can be hidden; that unjudged documents are unlike "
        "the judged ones is allowed for by a guess."
    )


@sentence("nothing-learned", tone="note")
def nothing_learned(*, holes: int) -> str:
    """Judgments of one kind of documents alone."""
    return (
        f"How likely the {holes:,} unjudged documents are to be relevant cannot be learned: the retrieved documents "
        "that were judged are all relevant, or none is. What is certain stands above."
    )


def _with(likely: tuple[int, float]) -> str:
    holes, expected = likely
    return f"with likely grades of {holes:,} unjudged documents, about {expected:,.0f} of them relevant,"


def likely_tables(result: Bounded) -> list[Table]:
    """Pairs, systems, checks and the calibration curve, as far as there are some."""
    if result.likely is None or not result.likely.is_learned:
        return []
    shown = [pair_table(result)] if result.likely.pairs else []
    checked = [check_table(result), curve_table(result)] if result.likely.checks else []
    return [*shown, system_table(result), *checked]


_OF_THESE = Column(
    "likely_low",
    title="from",
    explained="interval of what all judgments would give on these topics",
    explained_as="from, to",
)
_TO = Column("likely_high", title="to")


def pair_table(result: Bounded) -> Table:
    """Every pair by every measure."""
    columns = [
        Column("measure"),
        Column("system", role="system"),
        Column("against", role="system"),
        Column("difference", explained="with likely grades, mean over draws"),
        _OF_THESE,
        _TO,
        Column("p_adjusted", title="p", below=0.001, explained="for other topics, adjusted for all pairs and measures"),
        Column("verdict", explained=FOR[POPULATION]),
    ]
    rows = result.frame_rows("likely")
    return Table.of("likely", "Differences by likely grades", rows, columns, group_by="measure", is_long=True)


def system_table(result: Bounded) -> Table:
    """Every system by every measure."""
    columns = [
        Column("measure"),
        Column("system", role="system"),
        Column("mean", explained="with likely grades, mean over draws"),
        _OF_THESE,
        _TO,
    ]
    rows = result.frame_rows("likely-systems")
    return Table.of("likely-systems", "Means by likely grades", rows, columns, group_by="measure", is_long=True)


def check_table(result: Bounded) -> Table:
    """Every way of hiding by every measure."""
    columns = [
        Column("measure"),
        Column("way", title="hidden", explained="depth: deeper documents; runs, groups: those that half alone brought"),
        Column("documents"),
        Column("expected", decimals=0, explained="relevant ones by likely grades, rarely judged kinds counting less"),
        Column("relevant", decimals=0, explained="those that are, counted alike"),
        Column("held_systems", title="means", decimals=2, explained="share that intervals hold as they come"),
        Column("held_pairs", title="differences", decimals=2, explained="the same of differences"),
        Column("widened_pairs", title="widened", decimals=1, explained="how many times, of differences"),
    ]
    rows = result.frame_rows("checks")
    return Table.of("checks", "Likely grades where judgments are hidden", rows, columns, group_by="measure")


def curve_table(result: Bounded) -> Table:
    """The bins of every way of hiding."""
    columns = [
        Column("way", title="hidden"),
        Column("documents"),
        Column("chance", decimals=3, explained="to be relevant, by the model, mean"),
        Column("share", decimals=3, explained="that is relevant"),
    ]
    rows = result.frame_rows("calibration")
    return Table.of("calibration", "Chances and shares of hidden documents", rows, columns, group_by="way")
