"""What a comparison says in one short sentence for each population: the first line of a report.

Means are those on the whole corpus, whatever the population.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple, TypedDict, Unpack

from irgauge.inference.by_topic import wins_of
from irgauge.inference.comparison import Comparison
from irgauge.inference.verdicts import BY_MARGIN
from irgauge.scoring.direction import HIGHER, sign_of
from irgauge.show.finding import Finding, sentence
from irgauge.show.table import LEAST_P
from irgauge.show.verdicts import AGAINST, COLOURS, FOR, best_of, claim
from irgauge.show.verdicts import alike as not_differing
from irgauge.show.words import counted, listed, lower_told, p_text
from irgauge.studies.compare.claims import is_guessed, judged, of_leaders
from irgauge.studies.compare.study import MeasureCompared


class OnTopics(NamedTuple):
    """On how many topics of the whole corpus the first system of two is better, and on how many both are the same."""

    wins: int
    ties: int
    topics: int


def answers(result: MeasureCompared) -> Iterator[Finding]:
    """Under each population the verdict on a single pair, the verdicts against the baseline, or the best system."""
    say = _pair if len(result.comparison.first) == 1 else _best if result.comparison.baseline is None else _counts
    for comparison in result.comparisons:
        finding = say(result, comparison).about(population=comparison.population, measure=result.measure)
        claims = of_leaders if say is _best else judged
        yield finding.claiming(claims(result, comparison), comparison.place)


def _measure(result: MeasureCompared) -> str:
    return result.measure + lower_told(HIGHER, is_guessed=is_guessed(result))


def _over_shards(measure: str, *, by_shards: bool) -> str:
    """`AP`, or `AP over shards`, where it orders systems otherwise than on the whole corpus."""
    return f"{measure} over shards" if by_shards else measure


# the best system


def _best(result: MeasureCompared, comparison: Comparison) -> Finding:
    leaders, means = result.leaders(comparison.population), result.whole_means
    first, sign = leaders.best[0], sign_of(result.direction)
    return best_system(
        measure=_measure(result),
        by_shards=result.is_other_order(first, max(means, key=lambda system: sign * means[system])),
        best=leaders.best,
        mean=means[first],
        systems=leaders.systems,
        alike=len(leaders.alike),
        population=result.scored.drawn(comparison.population),
    )


@sentence("answer-best", claims=("difference",))
def best_system(
    *, measure: str, by_shards: bool, best: Sequence[str], mean: float, systems: int, alike: int, population: str
) -> str:
    """The best system or those that share the first place, and how many others do not differ from it."""
    number = f"mean {mean:.3f}" + " on the whole corpus" * by_shards
    shown = "" if by_shards and 1 < len(best) < systems else number  # theirs may differ on the whole corpus
    head = f"By {_over_shards(measure, by_shards=by_shards)}, "
    head += best_of(best, systems, counted(systems, "system"), mean=shown)
    return f"{head}." if len(best) == systems else f"{head}; {FOR[population]} {not_differing(alike, best, systems)}."


# verdicts against the baseline


def _counts(result: MeasureCompared, comparison: Comparison) -> Finding:
    verdicts = result.verdicts[comparison.population]
    counts: Counter[str] = Counter(verdicts.verdicts)
    return verdict_numbers(
        measure=_measure(result),
        baseline=str(comparison.baseline),
        counts={verdict: counts[verdict] for verdict in COLOURS if counts[verdict]},
        margin=verdicts.margin,
        population=result.scored.drawn(comparison.population),
    )


@sentence("answer-verdicts", claims=("difference", "equivalence"))
def verdict_numbers(
    *, measure: str, baseline: str, counts: Mapping[str, int], margin: float | None, population: str
) -> str:
    """How many systems have each verdict against the baseline."""
    total = sum(counts.values())
    where = f"{baseline} by {measure} {FOR[population]}" + ("" if margin is None else f" at a margin of {margin:.3g}")
    if len(counts) == 1:
        (only,) = counts
        if only == "inconclusive":
            return f"{_none_of(total)} is shown to differ from {where}."
        return f"{_all_of(total)} {AGAINST[only]} {where}."
    better = counts.get("better", 0)
    rest = [f"{count:,} {_are(count)} {verdict}" for verdict, count in counts.items() if verdict != "better"]
    others = f"and {rest[0]}" if len(rest) == 1 else listed(rest)
    return f"Of {counted(total, 'system')}, {better or 'none'} {_are(better or 1)} better than {where}, {others}."


def _none_of(total: int) -> str:
    return {1: "The system is not", 2: "Neither system"}.get(total, f"None of {total:,} systems")


def _all_of(total: int) -> str:
    return {1: "The system is", 2: "Both systems are"}.get(total, f"All {total:,} systems are")


def _are(count: int) -> str:
    return "is" if count == 1 else "are"


# a single pair


def _pair(result: MeasureCompared, comparison: Comparison) -> Finding:
    verdicts, means = result.verdicts[comparison.population], result.whole_means
    first, second = comparison.names[0]
    ahead = (first, second) if comparison.gain[0] >= 0 else (second, first)
    return pair_answer(
        measure=_measure(result),
        by_shards=result.is_other_order(*ahead),
        systems=(first, second),
        means=(means[first], means[second]),
        verdict=verdicts.verdicts[0],
        margin=verdicts.margin,
        p_adjusted=float(comparison.p_adjusted[0]),
        on_topics=_on_topics(result, first),
        population=result.scored.drawn(comparison.population),
    )


def _on_topics(result: MeasureCompared, first: str) -> OnTopics:
    """On the whole corpus, whatever the population."""
    comparison = result.comparison
    wins, ties, losses = (int(counts[0]) for counts in wins_of(result.scored.of(comparison.population), comparison))
    return OnTopics(wins if comparison.names[0][0] == first else losses, ties, wins + ties + losses)


class TestedPair(TypedDict):
    """What a test said of two systems: the verdict, at which margin, and for which population."""

    verdict: str
    margin: float | None
    p_adjusted: float
    population: str


@sentence("answer-pair", claims=("difference", "equivalence"))
def pair_answer(
    *,
    measure: str,
    by_shards: bool,
    systems: tuple[str, str],
    means: tuple[float, float],
    on_topics: OnTopics,
    **tested: Unpack[TestedPair],
) -> str:
    """What is shown of two systems, with their means and the topics on which the first is better."""
    (first, second), verdict, margin, covers = systems, tested["verdict"], tested["margin"], FOR[tested["population"]]
    if verdict == "equivalent" and margin is None:
        by_shards |= on_topics.ties < on_topics.topics
        same = f"{first} and {second} have the same {_over_shards(measure, by_shards=by_shards)}"
        return f"{same} on all {counted(on_topics.topics, 'topic')}."
    numbers = f"{means[0]:.3f} against {means[1]:.3f}" + " on the whole corpus" * by_shards
    measure = _over_shards(measure, by_shards=by_shards)
    if verdict in BY_MARGIN:
        return f"{claim(verdict, first, second, f'{margin:.3g}', measure=measure)} {covers} ({numbers})."
    how = (
        f"on {on_topics.wins:,} of {counted(on_topics.topics, 'topic')} ({p_text(tested['p_adjusted'], least=LEAST_P)})"
    )
    if verdict == "inconclusive":
        at = "" if margin is None else f", nor are they equivalent at a margin of {margin:.3g}"
        differ = f"{first} and {second} do not differ significantly by {measure} {covers}{at}"
        return f"{differ}: {numbers}, {first} better {how}."
    return f"{first} is {AGAINST[verdict]} {second} by {measure} {covers}: {numbers}, better {how}."
