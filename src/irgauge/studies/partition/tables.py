"""Tables of the partition method: splits, disagreement, tests, lengths, related runs, systems, pairs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from irgauge.inference.corrections import any_correction
from irgauge.show.table import LEAST_P, Cell, Column, Record, Table
from irgauge.show.words import counted, percent
from irgauge.studies.partition.further_told import further_tables
from irgauge.studies.partition.inferring import Drawing
from irgauge.studies.partition.lengths import IntervalLengths, RelatedRuns
from irgauge.studies.partition.records import system_rows
from irgauge.studies.partition.side_by_side import SideBySide
from irgauge.studies.partition.splits import Splits, ahead_of, alphas
from irgauge.studies.partition.study import Partitioned

WITH, WITHOUT = "with interactions", "without interactions"
_MEASURE = Column("measure")


def model(*, interactions: bool, name: str | None = None) -> str:
    """The name of a model in tables and charts; with interactions it may have a name of its own."""
    return f"{WITH} ({name})" if interactions and name else WITH if interactions else WITHOUT


def _adjusted_told(drawing: Drawing) -> str:
    """How the adjusted intervals are."""
    is_share = drawing.corrected_by.promise == "false discoveries"
    return "adjusted by k/N, where k of N pairs differ" if is_share else f"by {drawing.corrected_by.title}"


def tables(result: Partitioned) -> list[Table]:
    """The splits, how far they disagree, what was asked for besides, the systems, then the pairs."""
    pairs = pair_table([measure.splits for measure in result.measures])
    return [*few_tables(result), pairs if len(result.measures) > 1 else of_one(pairs, result.first.measure)]


def few_tables(result: Partitioned) -> list[Table]:
    """All but the pairs, which are many."""
    splits = [measure.splits for measure in result.measures]
    tests = [measure.tests for measure in result.measures if measure.tests is not None]
    lengths = [measure.lengths for measure in result.measures if measure.lengths is not None]
    related = [measure.related for measure in result.measures if measure.related is not None]
    made = [
        split_table(splits),
        level_table(splits),
        *([side_by_side_table(tests)] if tests else []),
        *([length_table(lengths)] if lengths else []),
        *([related_length_table(related), outcome_table(related)] if related else []),
        *further_tables(result),
        system_table(splits),
    ]
    return made if len(splits) > 1 else [of_one(table, splits[0].measure) for table in made]


def of_one(table: Table, measure: str) -> Table:
    """A table of one measure, which the title names rather than a column."""
    return replace(table.without("measure"), title=f"{table.title} ({measure})")


def _level_columns(levels: Sequence[float], explained: str) -> Iterator[Column]:
    for place, alpha in enumerate(levels):
        yield Column(f"significant_{alpha:g}", f"α {alpha:g}", explained if place == 0 else "")
        yield Column(f"share_{alpha:g}", "share", "of all pairs" if place == 0 else "", is_minor=True)


def _level_cells(levels: Sequence[float], counts: Iterable[int], pairs: int) -> dict[str, float]:
    cells: dict[str, float] = {}
    for alpha, count in zip(levels, counts, strict=True):
        cells |= {f"significant_{alpha:g}": count, f"share_{alpha:g}": count / pairs}
    return cells


def split_table(results: Sequence[Splits]) -> Table:
    """Every split: how it was drawn, and how many pairs differ in it."""
    levels = alphas(results[0].alpha)
    return Table.of(
        "splits",
        "Pairs with p ≤ α, split by split",
        (record for result in results for record in _split_records(result, levels)),
        [
            _MEASURE,
            Column("split"),
            Column("attempts", explained="draws of it, more than 1 where a topic lacked relevant documents in a part"),
            Column("topics"),
            Column("dropped", explained="topics left out because they lacked them"),
            *_level_columns(levels, "pairs that differ at that level"),
        ],
        group_by="measure",
    )


def _split_records(splits: Splits, levels: Sequence[float]) -> Iterator[Record]:
    counts = [splits.significant_counts(alpha).tolist() for alpha in levels]
    for split, *own in zip(splits.splits, *counts, strict=True):
        how = {"split": split.number + 1, "attempts": split.attempts}
        topics = {"topics": len(split.topics), "dropped": len(split.dropped)}
        yield {"measure": splits.measure, **how, **topics, **_level_cells(levels, own, len(splits.first))}


def level_table(results: Sequence[Splits]) -> Table:
    """How many pairs the splits disagree on, by how many splits say otherwise."""
    levels = alphas(results[0].alpha)
    explanation = "how many disagree with the majority, and how many agree (on which system is better, if any)"
    return Table.of(
        "disagreement",
        "How far the splits disagree",
        (record for result in results for record in _level_records(result, levels)),
        [
            _MEASURE,
            Column("splits", explained=explanation),
            *_level_columns(levels, "pairs, at that level of significance"),
        ],
        group_by="measure",
    )


def _level_records(splits: Splits, levels: Sequence[float]) -> Iterator[Record]:
    by_alpha = [{str(level): level.pairs for level in splits.levels(alpha)} for alpha in levels]
    rows = {
        name: [pairs.get(name, 0) for pairs in by_alpha]
        for name in dict.fromkeys(name for pairs in by_alpha for name in pairs)
    }
    rows["all disagreements"] = [splits.disagreements(alpha) for alpha in levels]
    for name, counts in rows.items():
        yield {"measure": splits.measure, "splits": name, **_level_cells(levels, counts, len(splits.first))}


def system_table(results: Sequence[Splits]) -> Table:
    """Every system with its effect in the first split, and the intervals of it."""
    share = percent(1 - results[0].alpha)
    return Table.of(
        "systems",
        f"Systems by their means {where(results[0].drawing)}, with intervals of their effects",
        (record for result in results for record in system_rows(result)),
        [
            _MEASURE,
            Column("rank"),
            Column("system", role="system"),
            Column("mean", explained=where(results[0].drawing)),
            Column("effect", explained="in the first split"),
            Column("plain_low", "", f"the {share} interval of the effect", explained_as="plain low, high"),
            Column("plain_high"),
            Column(
                "adjusted_low",
                explained=f"the same {_adjusted_told(results[0].drawing)}",
                explained_as="adjusted low, high",
                is_minor=True,
            ),
            Column("adjusted_high", is_minor=True),
            Column("is_top", "top", "the best system, and those that it is not significantly better than"),
        ],
        group_by="measure",
        is_long=True,
    )


def pair_table(results: Sequence[Splits]) -> Table:
    """The decisions of all splits together."""
    parts = [_pair_cells(result) for result in results]
    return Table.of_columns(
        "pairs",
        _pairs_title(results),
        {name: [cell for part in parts for cell in part[name]] for name in parts[0]},
        [
            _MEASURE,
            Column("system", explained=f"the better system {where(results[0].drawing)}", role="system"),
            Column("against", role="system"),
            Column("ahead", explained="in the mean of the splits", role="system"),
            Column("p_adjusted", "adjusted p", "of all splits together", below=max(results[0].least_p, LEAST_P)),
            Column("better", explained="significantly, or neither", role="system"),
            Column("minority", explained="splits that disagree with the majority"),
        ],
        group_by="measure",
        is_long=True,
        is_main=True,
    )


def _pairs_title(results: Sequence[Splits]) -> str:
    if len(results) > 1:
        return "Pairs by all splits together"
    (splits,) = results
    pairs = counted(len(splits.first), "pair")
    return f"{splits.significant_count:,} of {pairs} with an adjusted p ≤ {splits.alpha:g} by all splits together"


def _pair_cells(splits: Splits) -> dict[str, list[Cell]]:
    """The cells of each column of pairs."""
    names = splits.names
    return {
        "measure": [splits.measure] * len(names),
        "system": [system for system, _ in names],
        "against": [against for _, against in names],
        "ahead": list(map(ahead_of, names, splits.direction.tolist())),
        "p_adjusted": splits.combined_p().tolist(),
        "better": list(map(ahead_of, names, splits.decided().tolist())),
        "minority": splits.minority().tolist(),
    }


# what is asked for besides


def side_by_side_table(results: Sequence[SideBySide]) -> Table:
    """How many pairs each test finds significantly different."""
    levels = results[0].levels
    return Table.of(
        "tests",
        "Tests side by side",
        (record for tests in results for record in _test_records(tests)),
        [
            _MEASURE,
            Column(
                "test",
                explained="over topics on the whole corpus; N parts: one split into N parts, the first; MD6: the model "
                "of shards on the same split, against its residual",
            ),
            Column("correction"),
            Column("population", explained="what its claims cover"),
            *_level_columns(levels, "pairs that differ significantly at that level"),
        ],
        group_by="measure",
    )


def _test_records(tests: SideBySide) -> Iterator[Record]:
    for test in tests.tests:
        counts = [int((test.decisions(alpha) != 0).sum()) for alpha in tests.levels]
        named = {"test": test.name, "correction": any_correction(test.correction).label, "population": test.population}
        yield {"measure": tests.measure, **named, **_level_cells(tests.levels, counts, len(tests.first))}


_PRINTED = (
    Column("printed", explained="as in the paper's tables: α k/N per cent of the draws left out on each side"),
    Column("printed_shortest", "min", is_minor=True),
    Column("printed_longest", "max", is_minor=True),
)


def length_table(results: Sequence[IntervalLengths]) -> Table:
    """How long intervals are, by number of parts and model."""
    share = percent(1 - results[0].drawing.alpha)
    return Table.of(
        "lengths",
        "Lengths of intervals of system effects",
        (record for lengths in results for record in _length_records(lengths)),
        [
            _MEASURE,
            Column("parts", explained="of one split, the first"),
            Column("model"),
            Column("attempts", explained="draws of the split", is_minor=True),
            Column("topics", is_minor=True),
            Column(
                "plain",
                explained=f"mean length of {share} intervals, with the shortest and the longest",
            ),
            Column("plain_shortest", "min", is_minor=True),
            Column("plain_longest", "max", is_minor=True),
            Column("adjusted", explained=f"the same {_adjusted_told(results[0].drawing)}"),
            Column("adjusted_shortest", "min", is_minor=True),
            Column("adjusted_longest", "max", is_minor=True),
            *(_PRINTED if results[0].drawing.is_paper else ()),
        ],
        group_by="parts",
    )


def _length_records(lengths: IntervalLengths) -> Iterator[Record]:
    for intervals in lengths.models:
        record: dict[str, Cell] = {
            "measure": lengths.measure,
            "parts": intervals.split.parts,
            "model": model(interactions=intervals.interactions, name=lengths.drawing.model),
            "attempts": intervals.split.attempts,
            "topics": len(intervals.split.topics),
        }
        for kind, own in zip(("plain", "adjusted", "printed"), intervals.lengths, strict=False):
            record |= {kind: own.mean, f"{kind}_shortest": own.shortest, f"{kind}_longest": own.longest}
        yield record


def _related_notes(related_runs: RelatedRuns) -> tuple[str, ...]:
    systems = sum(map(len, related_runs.groups.values()))
    return (
        f"{systems} systems in {len(related_runs.groups)} groups, {len(related_runs.pairs)} related pairs, one split "
        f"into {related_runs.split.parts} parts. Across: one model of all {related_runs.systems} systems, corrected "
        "over all pairs. Within: a model of each group, corrected over its own pairs.",
    )


def related_length_table(results: Sequence[RelatedRuns]) -> Table:
    """How long intervals of related runs are, by models of all systems and of a group."""
    return Table.of(
        "related-lengths",
        "Mean lengths of intervals of related runs, across all systems and within groups",
        (
            {
                "measure": related.measure,
                "runs": length.model,
                "model": model(interactions=length.interactions),
                "plain": length.plain,
                "adjusted": length.adjusted,
                "printed": length.printed,
            }
            for related in results
            for length in related.lengths
        ),
        [
            _MEASURE,
            "runs",
            "model",
            Column("plain", explained="intervals of each effect for itself"),
            Column("adjusted", explained="by k/N"),
            *(_PRINTED[:1] if results[0].lengths[0].printed is not None else ()),
        ],
        _related_notes(results[0]),
        group_by="measure",
    )


def outcome_table(results: Sequence[RelatedRuns]) -> Table:
    """How models of all systems and of a group decide related pairs."""
    explained = {"both": "they differ by both models, in one direction", "opposite": "by both, in two directions"}
    names = [(name, name.replace(" ", "_")) for name in results[0].outcomes()]
    return Table.of(
        "related-pairs",
        "Related pairs that differ significantly, across all systems and within groups",
        (
            {
                "measure": related.measure,
                "related_pairs": len(related.pairs),
                "decided_alike": related.agreeing,
                **{key: related.outcomes()[name] for name, key in names},
            }
            for related in results
        ),
        [
            _MEASURE,
            "related_pairs",
            "decided_alike",
            *(Column(key, explained=explained.get(key, "")) for _, key in names),
        ],
        _related_notes(results[0]),
    )


def where(drawing: Drawing) -> str:
    """On the whole corpus; of a table that is not known."""
    return "over the parts" if drawing.is_given else "on the whole corpus"
