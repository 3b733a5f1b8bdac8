"""Tables of the partition method: splits, levels of disagreement, systems, pairs, tests, lengths, related runs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from irgauge.inference.intervals import MeanInterval
from irgauge.present.partition_findings import Answer, model, setting
from irgauge.present.precision_findings import percent
from irgauge.present.tables import Cell, Table
from irgauge.studies.partition_tests import SideBySide
from irgauge.studies.partitions import Partitions
from irgauge.studies.related_runs import RelatedRuns
from irgauge.studies.splits import IntervalLengths, Length

LEVELS = (0.05, 0.01)  # that the paper prints
CORRECTIONS = {"bh": "Benjamini-Hochberg", "none": "none", "holm": "Holm", "bonferroni": "Bonferroni"}
Row = tuple[Cell, ...]


def levels(alpha: float) -> tuple[float, ...]:
    """The level asked for, then those of the paper.

    >>> levels(0.05), levels(0.1)
    ((0.05, 0.01), (0.1, 0.05, 0.01))
    """
    return tuple(dict.fromkeys((alpha, *LEVELS)))


def partition_tables(answers: Sequence[Answer]) -> list[Table]:
    """The splits, the levels of disagreement, what was asked for besides, then the systems."""
    asked = [
        *_tests_tables([answer.tests for answer in answers if answer.tests is not None]),
        *_length_tables([answer.lengths for answer in answers if answer.lengths is not None]),
        *_related_tables([answer.related for answer in answers if answer.related is not None]),
    ]
    found = [answer.found for answer in answers]
    return [_split_table(found), _level_table(found), *asked, _system_table(found)]


def _caption(found: Partitions, *explained: str) -> str:
    return f"{'; '.join(explained)}. {'; '.join(setting(found))}."


def _level_columns(alphas: Sequence[float]) -> list[str]:
    return [name for alpha in alphas for name in (f"α {alpha:g}", "share")]


def _split_table(results: Sequence[Partitions]) -> Table:
    alphas = levels(results[0].alpha)
    return Table(
        title="Pairs that differ, split by split",
        columns=("measure", "split", "attempts", "topics", "dropped", *_level_columns(alphas)),
        rows=tuple(row for found in results for row in _split_rows(found, alphas)),
        caption=_caption(
            results[0],
            "α: pairs that differ at that level, and their share of all pairs",
            "attempts: draws of the split, more than 1 where a topic lacked relevant documents in a part",
            "dropped: topics left out because they lacked them",
        ),
        group_by=0,
    )


def _split_rows(found: Partitions, alphas: Sequence[float]) -> Iterator[Row]:
    counts = [found.significant_counts(alpha).tolist() for alpha in alphas]
    pairs = len(found.first)
    for split, *own in zip(found.splits, *counts, strict=True):
        cells = [cell for count in own for cell in (count, count / pairs)]
        yield (found.measure, split.number + 1, split.attempts, len(split.topics), len(split.dropped), *cells)


def _level_table(results: Sequence[Partitions]) -> Table:
    alphas = levels(results[0].alpha)
    return Table(
        title="How far the splits disagree",
        columns=("measure", "splits", *_level_columns(alphas)),
        rows=tuple(row for found in results for row in _level_rows(found, alphas)),
        caption=_caption(
            results[0],
            "splits: so many decide otherwise than the others do (one system is better, the other is, or neither)",
            "α: pairs at that level of significance, and their share of all pairs",
            "all disagreements: every line but the first",
        ),
        group_by=0,
    )


def _level_rows(found: Partitions, alphas: Sequence[float]) -> Iterator[Row]:
    by_alpha = [{str(level): level for level in found.levels(alpha)} for alpha in alphas]
    names = dict.fromkeys(name for one in by_alpha for name in one)
    for name in names:
        found_levels = [one.get(name) for one in by_alpha]
        cells = [cell for one in found_levels for cell in ((one.pairs, one.share) if one else (0, 0.0))]
        yield (found.measure, name, *cells)
    totals = [found.disagreements(alpha) for alpha in alphas]
    yield (found.measure, "all disagreements", *(cell for n in totals for cell in (n, n / len(found.first))))


def _system_table(results: Sequence[Partitions]) -> Table:
    return Table(
        title="Systems by their means on the whole corpus, with intervals of their effects",
        columns=("measure", "rank", "system", "mean", "effect", *_INTERVALS, "group"),
        rows=tuple(row for found in results for row in _system_rows(found)),
        caption=_caption(
            results[0],
            "mean: on the whole corpus",
            f"effect: of the system in the first split, with {percent(1 - results[0].alpha)} percentile intervals: "
            "plain, and outside of it adjusted by k/N, with k of N pairs significant in that split",
            "top: the best system on the whole corpus, and those that it is not found to be better than by all splits "
            "together",
        ),
        group_by=0,
    )


_INTERVALS = ("plain low", "plain high", "adj. low", "adj. high")


def _system_rows(found: Partitions) -> Iterator[Row]:
    first, top = found.inferences[0], set(found.top_group)
    for i, system in enumerate(found.systems):
        ends = [*_ends(first.plain, i), *_ends(first.adjusted, i)]
        group = "top" if system in top else ""
        yield (found.measure, i + 1, system, float(found.means[i]), float(first.effects[i]), *ends, group)


def _ends(interval: MeanInterval, system: int) -> tuple[float, float]:
    return float(interval.low[system]), float(interval.high[system])


def pair_table(answers: Sequence[Answer]) -> Table:
    """Every pair: who is ahead, the combined p-value and decision, the agreement, and each split by itself."""
    found = answers[0].found
    splits = [split.number + 1 for split in found.splits]
    columns = ("measure", "first", "second", "ahead", "p", "decision", "agreement")
    of_splits = (*(f"p_{n}" for n in splits), *(f"decision_{n}" for n in splits))
    names = () if answers[0].tests is None else tuple(f"p of {test.name}" for test in answers[0].tests.tests)
    return Table(
        title="Pairs",
        columns=(*columns, *of_splits, *names),
        rows=tuple(row for answer in answers for row in _pair_rows(answer)),
        caption=_caption(
            found,
            "first: the better system on the whole corpus; ahead: in the mean of the splits; p: of all splits "
            "together; decision: which system is better, or neither",
            "agreement: splits that decide otherwise than the most do, and those",
            "p_j, decision_j: of split j; 1: the first system is better, -1: the second, 0: neither",
        ),
    )


def verdict(names: tuple[str, str], sign: int) -> str:
    """The system that is better, or neither."""
    return "neither" if sign == 0 else names[0] if sign > 0 else names[1]


def _pair_rows(answer: Answer) -> Iterator[Row]:
    found = answer.found
    columns = (found.direction, found.combined_p(), found.decided(), found.minority())
    ahead, p, decided, minority = (column.tolist() for column in columns)
    of_splits, decisions = found.p.T.tolist(), found.decisions().T.tolist()
    others = [] if answer.tests is None else [test.p.tolist() for test in answer.tests.tests]
    for i, (first, second) in enumerate(zip(found.first.tolist(), found.second.tolist(), strict=True)):
        names = found.systems[first], found.systems[second]
        agreement = f"{minority[i]}:{len(found.splits) - minority[i]}"
        own = (verdict(names, ahead[i]), p[i], verdict(names, decided[i]), agreement)
        yield (found.measure, *names, *own, *of_splits[i], *decisions[i], *(other[i] for other in others))


def _tests_tables(results: Sequence[SideBySide]) -> list[Table]:
    if not results:
        return []
    return [
        Table(
            title="Tests side by side",
            columns=("measure", "test", "correction", "population", *_level_columns(results[0].levels)),
            rows=tuple(row for tests in results for row in _test_rows(tests)),
            caption=_caption(
                results[0].many,
                "α: pairs that the test tells apart at that level, and their share of all pairs",
                "tests over topics are on the whole corpus, and cover other topics; the partition method covers "
                f"{results[0].many.population}",
                "N parts: one split into N parts, the first",
            ),
            group_by=0,
        )
    ]


def _test_rows(tests: SideBySide) -> Iterator[Row]:
    counts = {(count.test, count.alpha): (count.significant, count.share) for count in tests.counts()}
    for test in tests.tests:
        cells = [cell for alpha in tests.levels for cell in counts[test.name, alpha]]
        correction = CORRECTIONS.get(test.correction, test.correction)
        yield (tests.measure, test.name, correction, test.population, *cells)


def _length_tables(results: Sequence[IntervalLengths]) -> list[Table]:
    if not results:
        return []
    one = results[0]
    return [
        Table(
            title="Lengths of intervals of system effects",
            columns=("measure", "parts", "model", "attempts", "topics", "plain", "min", "max", "adj.", "min", "max"),
            rows=tuple(row for lengths in results for row in _length_rows(lengths)),
            caption=f"plain, adj.: mean length of {percent(1 - one.alpha)} percentile intervals, plain and adjusted by "
            f"k/N, over {len(one.systems)} systems (kept: {one.kept}), with the shortest and the longest; one split "
            f"into each number of parts, {one.draws:,} draws, seed {one.seed}, fill {one.fill}; population: "
            f"{one.population}.",
            group_by=1,
        )
    ]


def _length_rows(lengths: IntervalLengths) -> Iterator[Row]:
    for one in lengths.models:
        cells = [cell for length in one.lengths for cell in _extent(length)]
        name, split = model(interactions=one.interactions), one.split
        yield (lengths.measure, split.parts, name, split.attempts, len(split.topics), *cells)


def _extent(length: Length) -> tuple[float, float, float]:
    return length.mean, length.shortest, length.longest


def _related_tables(results: Sequence[RelatedRuns]) -> list[Table]:
    if not results:
        return []
    one = results[0]
    caption = (
        f"{sum(map(len, one.groups.values()))} systems in {len(one.groups)} groups, {len(one.pairs)} related pairs; "
        f"across: one model of all {one.systems} systems, corrected over all pairs; within: a model of each group, "
        f"corrected over its own pairs; one split into {one.split.parts} parts, {one.draws:,} draws, seed {one.seed}, "
        f"fill {one.fill}, α = {one.alpha:g}; population: {one.population}."
    )
    return [_related_lengths(results, caption), _outcome_table(results, caption)]


def _related_lengths(results: Sequence[RelatedRuns], caption: str) -> Table:
    rows: list[Row] = [
        (related.measure, one.model, model(interactions=one.interactions), one.plain, one.adjusted)
        for related in results
        for one in related.lengths
    ]
    return Table(
        title="Mean lengths of intervals of related runs, across all systems and within groups",
        columns=("measure", "runs", "model", "plain", "adjusted"),
        rows=tuple(rows),
        caption=f"plain, adjusted (by k/N): percentile intervals. {caption}",
        group_by=0,
    )


def _outcome_table(results: Sequence[RelatedRuns], caption: str) -> Table:
    columns = ("measure", "related pairs", "decided alike", *results[0].outcomes())
    rows: list[Row] = [
        (related.measure, len(related.pairs), related.agreeing, *related.outcomes().values()) for related in results
    ]
    return Table(
        title="Related pairs that are told apart, across all systems and within groups",
        columns=columns,
        rows=tuple(rows),
        caption=f"both: told apart by both, in one direction; opposite: by both, in two. {caption}",
    )
