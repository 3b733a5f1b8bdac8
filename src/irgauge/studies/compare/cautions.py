"""What a reader of a comparison should be careful with: few topics, constant differences, many systems, the test."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

import numpy as np

from irgauge.inference.by_topic import FEW_EFFECTIVE
from irgauge.inference.comparison import Comparison
from irgauge.inference.tests.crossed_t import TOPICS
from irgauge.inference.tests.registry import TESTS
from irgauge.show.finding import Finding, sentence
from irgauge.show.verdicts import FOR
from irgauge.show.words import counted, p_text
from irgauge.show.words import sentence as as_sentence
from irgauge.studies.cautions import ENOUGH, constant, direction_guessed, few_topics, holes_told
from irgauge.studies.compare.claims import is_guessed
from irgauge.studies.compare.study import MeasureCompared
from irgauge.studies.sampling_findings import ignored_clusters, sampling_told, unit_of

_UNEQUAL = 0.05  # the level of the check of equal spread


def cautions(result: MeasureCompared) -> Iterator[Finding]:
    """Of one measure."""
    if is_guessed(result):
        yield direction_guessed(measure=result.measure).about(measure=result.measure)
    topics = [comparison.topics for comparison in result.comparisons if comparison.population in ("topics", *TOPICS)]
    if topics and min(topics) < ENOUGH:
        yield few_topics(topics=min(topics)).about(measure=result.measure)
    if result.measured.shards > 1 and "source" in result.measured.source:
        yield replicates_shared()
    yield from sampling_told(result.scored.sampling)
    yield from _ignored_clusters(result)
    yield from holes_told(result.measure, result.holes)
    most = TESTS[result.comparison.test].most_systems
    if most is not None and len(result.comparison.first) > math.comb(most, 2) and result.comparison.is_simultaneous:
        yield many_systems(systems=len(result.comparison.systems), most=most).about(measure=result.measure)
    for comparison in result.comparisons:
        if comparison.is_constant.any():
            pair = int(np.argmax(comparison.is_constant))
            yield constant(
                measure=result.measure,
                pair=comparison.names[pair],
                difference=float(comparison.difference[pair]),
                pairs=int(comparison.is_constant.sum()),
                topics=comparison.topics,
            ).about(measure=result.measure)
        yield from _untested(result, comparison)
        if comparison.population in ("topics", *TOPICS):
            yield from _rests_on_few(result, comparison)
    unequal = [spread for spread in result.scored.spreads(result.comparisons) if spread.p <= _UNEQUAL]
    warned = {result.under(check.population).test for check in unequal}
    for name in dict.fromkeys(comparison.test for comparison in result.comparisons if comparison.test not in warned):
        caution = TESTS[name].caution
        if caution is not None:
            yield of_the_test(caution=caution).about(measure=result.measure)
    caution = result.comparison.corrected_by.caution
    if caution is not None and len(result.comparison.first) > 1:
        yield of_the_test(caution=caution).about(measure=result.measure)
    for check in unequal:
        finding = unequal_spread(
            measure=result.measure,
            test=TESTS[result.under(check.population).test].title,
            least=check.least,
            most=check.most,
            p=check.p,
            population=check.population,
        )
        yield finding.about(population=check.population, measure=result.measure)


def _ignored_clusters(result: MeasureCompared) -> Iterator[Finding]:
    """Columns that look like clusters, where verdicts would be others."""
    for ignored in result.ignored:
        change = ignored.changes[0]
        yield ignored_clusters(
            measure=result.measure,
            column=ignored.column,
            clusters=ignored.clusters,
            changes=len(ignored.changes),
            first=(change.system, change.against, change.verdict, change.on_common),
        ).about(measure=result.measure)


def _untested(result: MeasureCompared, comparison: Comparison) -> Iterator[Finding]:
    """Pairs that vary on too few topics, or clusters, for the test to say anything of them."""
    fewest, pairs = TESTS[comparison.test].fewest_varying, np.isinf(comparison.low) & (comparison.se > 0)
    if fewest is not None and pairs.any():
        title = TESTS[comparison.test].the
        few = f"{fewest} {unit_of(result.scored.sampling)}"
        finding = untested(measure=result.measure, test=title, pairs=int(pairs.sum()), of=len(pairs), fewest=few)
        yield finding.about(measure=result.measure, population=comparison.population)


def _rests_on_few(result: MeasureCompared, comparison: Comparison) -> Iterator[Finding]:
    """Where differences that are claimed rest on few topics."""
    verdicts, effective = result.verdicts[comparison.population].verdicts, result.effective_topics(comparison)
    few = [
        pair
        for pair, verdict in enumerate(verdicts)
        if verdict in ("better", "worse") and effective[pair] < FEW_EFFECTIVE
    ]
    if few:
        finding = rests_on_few(
            measure=result.measure,
            pairs=[comparison.names[pair] for pair in few],
            effective=float(effective[few].min()),
            population=result.scored.drawn(comparison.population),
        )
        yield finding.about(measure=result.measure, population=comparison.population)


@sentence("replicates-shared", tone="note")
def replicates_shared() -> str:
    """What the replicates of a table are taken as."""
    return (
        "Replicates are taken as shared by all systems, such as judges or parts of the data; if each system has its "
        "own, such as seeds, `irgauge instances` (or `irgauge gate`, of two systems) takes them so, and may decide "
        "otherwise."
    )


@sentence("many-systems", tone="note")
def many_systems(*, systems: int, most: int) -> str:
    """That intervals of very many pairs miss more often than they say."""
    return (
        f"Intervals for all pairs together were found to hold for up to about {most} real systems: with {systems:,} "
        "some interval misses the truth more often than α says, where differences have long tails. Directions hold."
        f"{_held_by(most)}"
    )


def _held_by(most: int) -> str:
    """Which test has intervals that hold for more systems, if any has."""
    wider = [(test.most_systems, name) for name, test in TESTS.items() if (test.most_systems or 0) > most]
    return f" The test {max(wider)[1]} has wider ones, which held for up to about {max(wider)[0]}." if wider else ""


@sentence("untested-pairs", tone="note")
def untested(*, measure: str, test: str, pairs: int, of: int, fewest: str) -> str:
    """That a test says nothing of some pairs."""
    return (
        f"By {measure}, {test} says nothing of {pairs:,} of {counted(of, 'pair')}: their differences vary on the "
        f"equivalent of fewer than {fewest}."
    )


@sentence("few-effective-topics", tone="warning")
def rests_on_few(*, measure: str, pairs: Sequence[tuple[str, str]], effective: float, population: str) -> str:
    """That differences rest on few topics."""
    (first, second), *others = pairs
    which = f"the difference of {first} and {second}" if not others else f"{len(pairs):,} significant differences"
    rest = "rests" if not others else "rest"
    few = f"the equivalent of {effective:.1f} topics" if not others else f"the equivalent of {effective:.1f} or more"
    return (
        f"By {measure}, {FOR[population]}, {which} {rest} on few topics ({few}, fewer than {FEW_EFFECTIVE}): look at "
        "the largest gains and losses, and take more topics."
    )


@sentence("test-caution", tone="warning")
def of_the_test(*, caution: str) -> str:
    """What a user of the test should know."""
    return as_sentence(caution)


@sentence("unequal-spread", tone="warning", claims=("trust",))
def unequal_spread(*, measure: str, test: str, least: float, most: float, p: float, population: str) -> str:
    """A test that takes equal spread for granted, of systems that do not have it."""
    others = [name for name, other in TESTS.items() if other.is_for_unequal_spread and population in other.covers]
    return (
        f"By {measure}, {FOR[population]}, {test} takes for granted that systems vary alike, and here they do not "
        f"(standard deviations {least:.3f} to {most:.3f}; Brown and Forsythe's test: {p_text(p)}): it errs too often "
        f"in pairs that vary much; use the test {' or '.join(others)}."
    )
