"""What a comparison says, in sentences that can be quoted."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import TypedDict, Unpack

from irgauge.inference.by_topic import Loss, PairOnTopics, pairs_told
from irgauge.inference.comparison import Comparison
from irgauge.inference.verdicts import POWER
from irgauge.scoring.direction import HIGHER, Direction, opposite
from irgauge.show.finding import Finding, sentence
from irgauge.show.queries import topic_told
from irgauge.show.ratios import amount, is_ratio, plain_name
from irgauge.show.verdicts import FOR, alike, best_of
from irgauge.show.words import counted, lower_told, over_shards, percent
from irgauge.studies.compare.cautions import cautions
from irgauge.studies.compare.claims import found as found_pairs
from irgauge.studies.compare.claims import is_guessed, of_leaders, of_neighbours
from irgauge.studies.compare.list_findings import lists_told
from irgauge.studies.compare.records import coverage, neighbours
from irgauge.studies.compare.slice_findings import slices_told
from irgauge.studies.compare.study import Compared, MeasureCompared
from irgauge.studies.compare.verdict_findings import against, pair_verdicts, tells_new_topics, two_systems, zeros_decide
from irgauge.studies.grades_told import grades_told
from irgauge.studies.new_topics import add_and_look
from irgauge.studies.survival_told import survival_told
from irgauge.studies.wordings_told import wordings_told


def findings(result: Compared) -> Iterator[Finding]:
    """What each measure says, the verdicts against a baseline first; what happened on topics; cautions, each once."""
    if result.comparison.baseline is not None:
        verdicts = list(against(result))
        yield from verdicts
        yield from [add_and_look()] if any(map(tells_new_topics, verdicts)) else ()
        yield from _of_all_together(result)
    else:
        for compared in result.each:
            yield from _of_all_pairs(compared)
    yield from slices_told(result)
    yield from topics_told(result)
    for compared in result.each:
        yield from zeros_decide(compared)
        yield from survival_told(compared.survivals)
    yield from wordings_told([compared.whole.scores for compared in result.each])
    yield from grades_told(result.provenance, (compared.whole.scores.measures[0] for compared in result.each))
    yield from lists_told(result)
    yield from {caution.text: caution for compared in result.each for caution in cautions(compared)}.values()


def _of_all_together(result: Compared) -> Iterator[Finding]:
    """Why a gate of one system may decide what is inconclusive among many."""
    systems, verdicts = len(result.comparison.first), result.first.verdict.verdicts
    if result.margins is not None and systems > 1 and "inconclusive" in verdicts and result.comparison.is_simultaneous:
        yield all_together(systems=systems, alpha=result.alpha)


@sentence("all-together", tone="note")
def all_together(*, systems: int, alpha: float) -> str:
    """That verdicts on many systems hold together."""
    return (
        f"Here {percent(alpha)} is for all {systems} systems together, and for better, worse and both sides of the "
        f"margin. `irgauge gate` asks one side of one candidate and has {percent(alpha)} for that alone: it may pass a "
        "system that is inconclusive here."
    )


def _of_all_pairs(compared: MeasureCompared) -> Iterator[Finding]:
    """The verdict on two systems; or of more who is best, and which differences hold for which population."""
    if len(compared.comparison.first) == 1:
        yield from two_systems(compared)
        return
    for each in compared.comparisons:
        finding = _best(compared, each).about(population=each.population, measure=compared.measure)
        yield finding.claiming(of_leaders(compared, each), each.place)
    yield from pair_verdicts(compared)
    claims = (claim for each in compared.comparisons for claim in found_pairs(compared, each))
    yield _covered(compared).about(measure=compared.measure).claiming(claims, compared.comparison.place)
    if compared.comparison.place == "secondary" and len(compared.comparisons) > 1:
        yield shared_rate(measure=compared.measure, alpha=compared.alpha).about(measure=compared.measure)
    yield from _more_for_wider(compared)
    yield from neighbours_told(compared)
    yield from _separated(compared)


def _best(result: MeasureCompared, comparison: Comparison) -> Finding:
    leaders = result.leaders(comparison.population)
    first = leaders.best[0]
    return best(
        measure=result.measure + lower_told(HIGHER, is_guessed=is_guessed(result) and not is_ratio(result.measure)),
        system=first,
        tied=leaders.tied,
        mean=leaders.mean,
        systems=leaders.systems,
        shards=result.shards_of(comparison.population),
        whole_mean=result.whole_means[first] if result.scored.whole_means else None,
        others=comparison.top_group[1:],
        population=result.scored.drawn(comparison.population),
    )


class Mean(TypedDict):
    """The mean of the best system: of which measure, over how many shards, and on the whole corpus."""

    measure: str
    mean: float
    shards: int
    whole_mean: float | None


@sentence("best", claims=("difference",))
def best(
    *, system: str, tied: Sequence[str], systems: int, others: Sequence[str], population: str, **of: Unpack[Mean]
) -> str:
    """The best system, or those that share the first place, and the top group; with the mean on the whole corpus."""
    whole, shards = of["whole_mean"], of["shards"]
    beside = "" if shards == 1 or whole is None else f"; on the whole corpus {whole:.3f}"
    first = (system, *tied)
    kind = "geometric mean" if is_ratio(of["measure"]) else "mean"
    leader = best_of(first, systems, counted(systems, "system"), mean=f"{kind} {of['mean']:.3f}{beside}")
    head = f"By {over_shards(plain_name(of['measure']), shards)}, {leader}"
    if len(first) == systems > 1:
        return f"{head}."
    names = [other for other in others if other not in tied]
    return f"{head}; {FOR[population]} {alike(len(names), first, systems, names=names)}."


def _covered(result: MeasureCompared) -> Finding:
    counts = coverage(result.comparisons)
    if counts is None:
        comparison = result.comparison
        finding = pairs_differ(
            measure=result.measure,
            found=comparison.significant_count,
            pairs=len(comparison.first),
            population=result.scored.drawn(comparison.population),
            without_shards=result.measured.shards == 1,
            is_table="source" in result.measured.source,
        )
        return finding.about(population=comparison.population)
    finding = covered(
        measure=result.measure,
        pairs=counts.pairs,
        found=counts.found,
        shared=counts.shared,
        opposite=counts.opposite,
        other_only=counts.other_only,
    )
    return finding.about(population=", ".join(counts.found))


@sentence("pairs", claims=("difference",))
def pairs_differ(
    *, measure: str, found: int, pairs: int, population: str, without_shards: bool, is_table: bool = False
) -> str:
    """How many pairs differ."""
    by = f"{_differ(found)} significantly in {plain_name(measure)}"
    text = f"Of {counted(pairs, 'pair')} of systems, {by} {FOR[population]}"
    how = "" if is_table else " (add --shards)"
    return f"{text}; this says nothing about other documents{how}." if without_shards else f"{text}."


@sentence("coverage", claims=("difference",))
def covered(*, measure: str, pairs: int, found: Mapping[str, int], shared: int, opposite: int, other_only: int) -> str:
    """Which differences hold for other topics, and which for other documents or shards too."""
    topics, other, *together = found
    turned = f" ({opposite:,} more in the opposite direction)" if opposite else ""
    text = (
        f"Of {counted(pairs, 'pair')} of systems, {_differ(found[topics])} significantly in {plain_name(measure)} "
        f"{FOR[topics]}; "
        f"{_differ(shared, ' of these')} {FOR[other]} too{turned}, and {_differ(other_only, ' more')} {FOR[other]} only"
    )
    return text + "".join(f"; {_differ(found[name])} {FOR[name]} together" for name in together) + "."


@sentence("shared-rate", tone="note", claims=())
def shared_rate(*, measure: str, alpha: float) -> str:
    """Why a comparison for one population may find more pairs by a measure that is not the first."""
    return (
        f"By {plain_name(measure)}, which is not the first measure, {percent(alpha)} is for the claims for all "
        f"populations together: a comparison {FOR['topics']} alone (without shards) may find more pairs."
    )


def _more_for_wider(result: MeasureCompared) -> Iterator[Finding]:
    """Where more pairs differ for a wider population than for other topics alone, why that can be."""
    found = {comparison.population: comparison.significant_count for comparison in result.comparisons}
    for population in ("both", "topics+shards"):
        if found.get(population, 0) > found.get("topics", len(result.comparison.first)):
            yield more_for_wider(
                measure=result.measure, found=(found["topics"], found[population]), population=population
            ).about(population=population, measure=result.measure)


@sentence("more-for-wider", tone="note")
def more_for_wider(*, measure: str, found: tuple[int, int], population: str) -> str:
    """That two populations are asked of other scores."""
    return (
        f"That more pairs differ {FOR[population]} ({found[1]:,}) than {FOR['topics']} ({found[0]:,}) is no "
        f"contradiction: the first rests on {measure} over shards, the second on {measure} on the whole corpus, which "
        "are other numbers."
    )


def _differ(count: int, of: str = "") -> str:
    """`1 of these differs`."""
    return f"{count:,}{of} {'differs' if count == 1 else 'differ'}"


def neighbours_told(result: MeasureCompared) -> Iterator[Finding]:
    """Which neighbours in the ranking do not differ, for the first population and for the widest."""
    near = neighbours(result.comparisons)
    comparisons = result.comparisons if len(result.comparisons) < 3 else (result.comparisons[0], result.comparisons[-1])
    for comparison in comparisons:
        same = [(pair.upper, pair.lower) for pair in near if not pair.differs[comparison.population]]
        where = result.scored.drawn(comparison.population)
        finding = unresolved(measure=result.measure, neighbours=len(near), alike=same, population=where).about(
            population=comparison.population, measure=result.measure
        )
        yield finding.claiming(of_neighbours(result, comparison), comparison.place)


@sentence("neighbours", claims=("difference",))
def unresolved(*, measure: str, neighbours: int, alike: Sequence[tuple[str, str]], population: str) -> str:
    """Neighbours in the ranking that do not differ."""
    of, where = f"pairs of neighbours in the ranking by {plain_name(measure)}", FOR[population]
    if not alike:
        return f"All {neighbours} {of} differ significantly {where}."
    if len(alike) == neighbours:
        return f"None of {neighbours} {of} differs significantly {where}."
    named = [f"{upper} and {lower}" for upper, lower in alike]
    which = "the highest are " if len(named) > 5 else ""
    return f"{len(alike)} of {neighbours} {of} do not differ significantly {where}: {which}{'; '.join(named[:5])}."


def _separated(result: MeasureCompared) -> Iterator[Finding]:
    """Whether the topics separate the best system from the others; with a baseline others are compared."""
    if "topics" not in result.populations or result.comparison.baseline is not None:
        return
    comparison = result.under("topics")
    alike = ((comparison.first == 0) & ~comparison.significant).nonzero()[0].tolist()
    best, topics, where = comparison.systems[0], comparison.topics, result.scored.drawn("topics")
    if not alike:
        finding = enough_topics(measure=result.measure, best=best, topics=topics, population=where)
    else:
        finding = not_separated(
            measure=result.measure,
            best=best,
            topics=topics,
            population=where,
            other=comparison.systems[int(comparison.second[alike[0]])],
            difference=float(comparison.difference[alike[0]]),
            others=len(alike) - 1,
            detectable=float(result.verdicts["topics"].detectable[alike[0]]),
        )
    claims = () if alike else of_leaders(result, comparison)
    yield finding.about(population="topics", measure=result.measure).claiming(claims, comparison.place)


@sentence("topics-enough", claims=("difference",))
def enough_topics(*, measure: str, best: str, topics: int, population: str) -> str:
    """The topics separate the best system."""
    there = counted(topics, "topic")
    return f"By {plain_name(measure)}, {there} are enough to separate {best} from every other system {FOR[population]}."


@sentence("topics-few", claims=("forecast",))
def not_separated(
    *,
    measure: str,
    best: str,
    topics: int,
    population: str,
    other: str,
    difference: float,
    others: int,
    detectable: float,
) -> str:
    """What the topics do not separate, and what they could."""
    more = f" and {counted(others, 'other')}" if others else ""
    is_log = is_ratio(measure)
    text = (
        f"By {plain_name(measure)}, {best} is not shown to be better than {other}{more} {FOR[population]}: the "
        f"difference from {other} ({amount(difference, is_ratio=is_log)}) may be nothing"
    )
    if not math.isfinite(detectable) or detectable <= 0:
        return f"{text}."
    return (
        f"{text}. {counted(topics, 'topic')} detect a true difference of {amount(detectable, is_ratio=is_log)} with "
        f"{percent(POWER)} power (see `irgauge plan`)."
    )


_FEW = 3  # sentences; where there would be more, of the best system by each measure only


def topics_told(result: Compared) -> Iterator[Finding]:
    """Wins, ties and losses against the baseline, or of the best system against the runner-up, unless all are ties."""
    by_measure = [pairs_told(compared.basis, compared.comparison) for compared in result.each]
    is_much = sum(map(len, by_measure)) > _FEW
    for pairs in by_measure:
        for pair in pairs[:1] if is_much else pairs:
            if pair.wins or pair.losses:
                yield _told(pair).about(measure=pair.measure)


def _told(pair: PairOnTopics) -> Finding:
    return on_topics_told(
        measure=over_shards(pair.measure, pair.shards),
        system=pair.system,
        against=pair.against,
        wins=pair.wins,
        ties=pair.ties,
        losses=pair.losses,
        worst=pair.worst,
        direction=pair.direction,
    )


@sentence("topics", claims=())
def on_topics_told(
    *,
    measure: str,
    system: str,
    against: str,
    wins: int,
    ties: int,
    losses: int,
    worst: Loss | None,
    direction: Direction = HIGHER,
) -> str:
    """On how many topics a system wins, and where it loses most."""
    text = (
        f"By {plain_name(measure)}, {system} scores {direction} than {against} on {wins:,} of "
        f"{counted(wins + ties + losses, 'topic')}"
        + (f", the same on {ties:,}" if ties else "")
        + (f" and {opposite(direction)} on {losses:,}" if losses else "")
    )
    if worst is None:
        return f"{text}."
    missing = ", which it does not answer" if worst.is_missing else ""
    topic = topic_told(worst.topic, worst.query)
    loss = amount(worst.difference, is_ratio=is_ratio(measure))
    return f"{text}; its largest loss is on topic {topic} ({loss}){missing}."
