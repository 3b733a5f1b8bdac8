"""What a gate says besides its verdict: of kinds of topics, other scales, the error budget, and many looks."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from irgauge.inference.by_topic import PairOnTopics
from irgauge.inference.confidence_sequences import START
from irgauge.inference.slices import Sliced
from irgauge.scoring.measures import Measure
from irgauge.show.finding import Finding, sentence
from irgauge.show.ratios import interval_columns, is_ratio, least_told, of_ratios, plain_name
from irgauge.show.table import LEAST_P, Column, Table
from irgauge.show.words import counted, listed, percent
from irgauge.studies.gate.evidence import Outcome
from irgauge.studies.gate.remembered import Budgeted
from irgauge.studies.gate.sequential import contradicts_itself
from irgauge.studies.gate.study import Gated
from irgauge.studies.sampling_findings import unit_of
from irgauge.studies.slices_told import could_find, no_kind, small_told
from irgauge.studies.tested import slice_records


def unclear(result: Gated) -> Iterator[Finding]:
    """Kinds of topics on which nothing is shown, and those that are too small for it."""
    for gated in result.each:
        silent = [own for own in gated.sliced.slices if own.verdicts.verdicts[0] == "inconclusive"]
        if silent:
            slices = [UnclearSlice(own.column, own.value, own.topics, own.verdicts.detectable[0]) for own in silent]
            yield unclear_slices(measure=gated.measure, slices=slices).about(measure=gated.measure)
    yield from small_told(result.each[0].sliced.small, result.each[0].measure, unit_of(result.sampling))
    yield from _of_no_kind(result)


def _of_no_kind(result: Gated) -> Iterator[Finding]:
    """Topics that are on no slice of a column, tested or small."""
    sliced, on_slices = result.each[0].sliced, Counter[str]()
    for own in sliced.slices:
        on_slices[own.column] += own.topics
    for part in sliced.small:
        on_slices[part.column] += part.topics
    for column, count in on_slices.items():
        if count < result.topics:
            yield no_kind(column=column, without=result.topics - count, topics=result.topics)


class UnclearSlice(NamedTuple):
    """A kind of topics on which nothing is shown."""

    column: str
    value: str
    topics: int
    detectable: float


def silent_kinds(sliced: Sliced) -> Iterator[str]:
    """On how many kinds of each column nothing is shown, small ones included; nothing where all show something."""
    columns = [*(own.column for own in sliced.slices), *(own.column for own in sliced.small)]
    for column in dict.fromkeys(columns):
        verdicts = [own.verdicts.verdicts[0] for own in sliced.slices if own.column == column]
        small = sum(own.column == column for own in sliced.small)
        if silent := verdicts.count("inconclusive") + small:
            yield f"{silent} of {counted(len(verdicts) + small, 'kind')} of {column}"


@sentence("unclear-slices", "note", claims=())
def unclear_slices(*, measure: str, slices: Sequence[UnclearSlice]) -> str:
    """What is not known of kinds of topics."""
    is_log = is_ratio(measure)
    named = [
        f"{own.column} {own.value} ({counted(own.topics, 'topic')}, {could_find(own.detectable, is_ratio=is_log)})"
        for own in slices
    ]
    return f"In {plain_name(measure)}, it is neither shown to be worse nor to be as good on {listed(named)}."


def slice_tables(result: Gated) -> list[Table]:
    """What is said on kinds of topics, where that was asked for."""
    records = [of_ratios(row) for gated in result.each for row in slice_records(gated.measure, gated.sliced.slices)]
    if not records:
        return []
    least = least_told(is_ratio=records[0]["ratio"] is not None)
    columns = [
        Column("measure"),
        Column("column"),
        Column("slice"),
        Column("n", "topics"),
        *interval_columns(records[0], f"the {percent(1 - result.alpha)} interval, for all slices together"),
        Column("p_adjusted", "adjusted p", "over all slices", below=LEAST_P),
        Column("margin", explained="the smallest difference that matters"),
        Column("verdict"),
        Column("detectable", "smallest detectable", f"{least} that is found with a power of 80 %"),
    ]
    return [Table.of("slices", "Kinds of topics", records, columns)]


_FACTOR = 10.0  # that no change is likely to bring


def other_scale(result: Gated) -> Iterator[Finding]:
    """Of measures whose range nobody knows; scores that leave a known range are refused."""
    for gated in result.each:
        measure = Measure.read(gated.measure)
        if measure.range is None and measure.logged is None and _differs(gated.topics):
            ratio = _median(gated.topics.score) / _median(gated.topics.other)
            finding = scale(measure=gated.measure, candidate=result.candidate, baseline=result.baseline, ratio=ratio)
            yield finding.about(measure=gated.measure)


def _median(scores: np.ndarray) -> float:
    """Of their sizes."""
    return float(np.median(np.abs(scores)))


def _differs(pair: PairOnTopics) -> bool:
    both = _median(pair.score), _median(pair.other)
    return min(both) > 0 and max(both) >= _FACTOR * min(both)


@sentence("other-scale", "warning", claims=())
def scale(*, measure: str, candidate: str, baseline: str, ratio: float) -> str:
    """By how much they differ."""
    times = f"{ratio:,.3g} times those of {baseline} (medians over topics)"
    return f"In {measure}, the scores of {candidate} are about {times}: are both on the same scale?"


def budget_told(result: Gated) -> Iterator[Finding]:
    """What the budget gave, and what is left; nothing without one."""
    if result.budget is not None:
        yield budget(budget=result.budget)


def stricter_told(budget: Budgeted) -> str:
    """By which measures it is worse without the budget."""
    return f"without the budget it is worse in {listed(list(map(plain_name, budget.weakened)))}"


@sentence("budget", "note")
def budget(*, budget: Budgeted) -> str:
    """The level of this gate, and what is left of the budget."""
    share = percent(budget.alpha)
    if budget.until is None:
        promise = f"of all regressions reported at most {share} are false on average"
        rest = f"a wealth of {budget.left:.2g} is left"
    else:
        most, period = budget.budget.split("/")
        alarms = counted(int(most), "false alarm")
        promise = f"at most {alarms} in a {period}, with a chance of {percent(1 - budget.alpha)}"
        rest = f"{budget.left:.2g} is left until {budget.until}"
    again = "; the same data were gated before, so that nothing more was taken" if budget.is_repeated else ""
    gates = f"{counted(budget.before, 'gate')} before it, {budget.failed_before:,} of which failed"
    before = gates if budget.before else "no gate before it"
    stricter = f" ({stricter_told(budget)})" if budget.weakened else ""
    return (
        f"By the budget {budget.budget} ({promise}), it fails only with p of {budget.level:.2g} or less, and p is "
        f"{budget.p:.2g}{stricter}; {before}; {rest}{again}."
    )


GO_ON = "go on, and look again with more topics"


def looks_told(result: Gated) -> Iterator[Finding]:
    """Which look it is, what an earlier one decided, and where sequences hold only nearly, or not at all."""
    looks = result.looks
    if looks is None:
        return
    yield looked(look=len(looks.looks), topics=len(looks.order), new=looks.new, seed=looks.seed)
    if looks.decided is not None:
        yield decided_before(**looks.decided._asdict(), now=result.verdict)
    for gated in result.each:
        if contradicts_itself(gated):
            yield contradicted(measure=gated.measure).about(measure=gated.measure)
    if looks.asymptotic:
        yield asymptotic(measures=looks.asymptotic)


@sentence("looks", "note")
def looked(*, look: int, topics: int, new: int, seed: int) -> str:
    """Which look it is, and what holds at all of them."""
    return (
        f"This is look {look}, at {counted(topics, 'topic')} in random order (seed {seed}), {new:,} of them new. "
        "Verdicts hold at every look, so that you may stop, or go on, whenever you like."
    )


@sentence("decided-before", "note")
def decided_before(*, topics: int, verdict: Outcome, now: Outcome) -> str:
    """That there was no need to go on."""
    after = f"It was decided before, after {counted(topics, 'topic')}: {verdict}"
    return f"{after}." if verdict == now else f"{after}; with more topics it is {now}."


@sentence("contradicted", "warning")
def contradicted(*, measure: str) -> str:
    """That topics did not come in random order."""
    return (
        f"In {plain_name(measure)}, topics that came late refute what those that came early showed: they hardly come "
        "in random order, and nothing is said by it. Put all topics together, and begin anew with another state file."
    )


@sentence("asymptotic", "warning")
def asymptotic(*, measures: Sequence[str]) -> str:
    """That a sequence holds only with many topics."""
    names = listed([plain_name(measure) for measure in measures])
    return (
        f"No range of scores is known of {names}: the confidence sequence is asymptotic. It says nothing before "
        f"{START} topics, nor while all differences are the same, and errs more often than α says where few topics "
        "have very large gains or losses."
    )
