"""The headline of a report with a baseline, and that of two systems: verdicts in one sentence."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from irgauge.inference.by_topic import wins_of
from irgauge.inference.comparison import Comparison
from irgauge.inference.verdicts import BY_MARGIN
from irgauge.reporting.front.means import is_other_order, over_shards, whole_means
from irgauge.show.finding import Finding, sentence
from irgauge.show.populations import FOR
from irgauge.show.table import LEAST_P
from irgauge.show.verdicts import AGAINST, COLOURS, claim
from irgauge.show.words import counted, listed, p_text
from irgauge.studies.compare.study import MeasureCompared


class OnTopics(NamedTuple):
    """On how many topics of the whole corpus the first system of two is better, and on how many both are the same."""

    wins: int
    ties: int
    topics: int


def against_told(result: MeasureCompared) -> Iterator[Finding]:
    """The verdicts against the baseline under each population: how many of each, or the only one."""
    for one in result.comparisons:
        told = _pair(result, one) if len(one.first) == 1 else _counts(result, one)
        yield told.about(population=one.population, measure=result.measure)


def two_told(result: MeasureCompared) -> Iterator[Finding]:
    """What is shown of the only pair under each population."""
    for one in result.comparisons:
        yield _pair(result, one).about(population=one.population, measure=result.measure)


def _counts(result: MeasureCompared, one: Comparison) -> Finding:
    found = result.verdicts[one.population]
    counts: Counter[str] = Counter(found.verdicts)
    return counts_told(
        measure=result.measure,
        baseline=str(one.baseline),
        counts={verdict: counts[verdict] for verdict in COLOURS if counts[verdict]},
        margin=found.margin,
        population=one.population,
    )


@sentence("front-verdicts")
def counts_told(
    *, measure: str, baseline: str, counts: Mapping[str, int], margin: float | None, population: str
) -> str:
    """How many systems have each verdict against the baseline."""
    total = sum(counts.values())
    where = f"{baseline} by {measure} {FOR[population]}" + ("" if margin is None else f" at a margin of {margin:.3g}")
    if len(counts) == 1:
        (only,) = counts
        said = "inconclusive against" if only == "inconclusive" else AGAINST[only]
        return f"All {counted(total, 'system')} are {said} {where}."
    better = counts.get("better", 0)
    rest = [f"{count:,} {_are(count)} {verdict}" for verdict, count in counts.items() if verdict != "better"]
    others = f"and {rest[0]}" if len(rest) == 1 else listed(rest)
    return f"Of {counted(total, 'system')}, {better or 'none'} {_are(better or 1)} better than {where}, {others}."


def _are(count: int) -> str:
    return "is" if count == 1 else "are"


def _pair(result: MeasureCompared, one: Comparison) -> Finding:
    found, means = result.verdicts[one.population], whole_means(result)
    (first, second), verdict = one.names[0], found.verdicts[0]
    ahead = (first, second) if one.difference[0] >= 0 else (second, first)
    return pair_told(
        measure=result.measure,
        by_shards=is_other_order(result, *ahead),
        systems=(first, second),
        means=(means[first], means[second]),
        verdict=verdict,
        margin=found.margin,
        p=float(one.p[0]),
        on_topics=_on_topics(result, first),
        population=one.population,
    )


def _on_topics(result: MeasureCompared, first: str) -> OnTopics:
    """On the whole corpus, whatever the population."""
    one = result.comparisons[0]
    wins, ties, losses = (int(each[0]) for each in wins_of(result.scored.of(one.population), one))
    return OnTopics(wins if one.names[0][0] == first else losses, ties, wins + ties + losses)


@sentence("front-pair")
def pair_told(
    *,
    measure: str,
    by_shards: bool,
    systems: tuple[str, str],
    means: tuple[float, float],
    verdict: str,
    margin: float | None,
    p: float,
    on_topics: OnTopics,
    population: str,
) -> str:
    """What is shown of two systems, with their means and the topics on which the first is better."""
    first, second = systems
    if verdict == "equivalent" and margin is None:
        by_shards |= on_topics.ties < on_topics.topics
        same = f"{first} and {second} have the same {over_shards(measure, by_shards=by_shards)}"
        return f"{same} on all {counted(on_topics.topics, 'topic')}."
    numbers = f"{means[0]:.3f} against {means[1]:.3f}" + " on the whole corpus" * by_shards
    measure = over_shards(measure, by_shards=by_shards)
    if verdict in BY_MARGIN:
        return f"{claim(verdict, first, second, f'{margin:.3g}', measure=measure)} {FOR[population]} ({numbers})."
    how = f"on {on_topics.wins:,} of {counted(on_topics.topics, 'topic')} ({p_text(p, least=LEAST_P)})"
    if verdict == "inconclusive":
        at = "" if margin is None else f", nor are they equivalent at a margin of {margin:.3g}"
        differ = f"{first} and {second} do not differ significantly by {measure} {FOR[population]}{at}"
        return f"{differ}: {numbers}, {first} better {how}."
    return f"{first} is {AGAINST[verdict]} {second} by {measure} {FOR[population]}: {numbers}, better {how}."
