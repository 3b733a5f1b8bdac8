"""Tables of a comparison: systems with their intervals and groups, what each population says, the pairs."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from irgauge.inference.by_topic import largest_records
from irgauge.inference.comparison import Comparison
from irgauge.inference.intervals import NO_POPULATION, MeanInterval
from irgauge.inference.sampling import Sampling
from irgauge.inference.verdicts import POWER
from irgauge.scoring.direction import HIGHER
from irgauge.show import gaps
from irgauge.show.queries import query_column
from irgauge.show.ratios import (
    difference_column,
    geometric,
    is_ratio,
    least_told,
    of_logs,
    plain_name,
    titled,
)
from irgauge.show.table import LEAST_P, Column, Record, Table
from irgauge.show.verdicts import FOR, SHORT
from irgauge.show.words import capital, differing, listed, lower_told, over_shards, percent
from irgauge.studies.compare.claims import is_guessed
from irgauge.studies.compare.records import (
    interval_end,
    neighbours,
    pair_columns,
    population_record,
    shown_intervals,
    system_records,
)
from irgauge.studies.compare.slice_tables import slice_table
from irgauge.studies.compare.study import Compared, MeasureCompared
from irgauge.studies.compare.verdict_captions import verdict_said
from irgauge.studies.sampling_findings import unit_of
from irgauge.studies.survival_told import survival_tables
from irgauge.studies.wordings_told import wording_tables

_INTERVALS = {
    "mean": "the interval of the mean, {covers}",
    "Tukey": "for comparing systems: two differ where theirs do not overlap",
    "SEM": "for comparing systems, by the standard error of each mean",
    "ANOVA": "for comparing systems, by the error of the model",
}


def tables(result: Compared) -> list[Table]:
    """With a baseline the pairs, else systems; what each population says; topics with the largest differences."""
    systems, pairs = system_table(result.each), pair_table(result.each)
    several = [population_table(result.each)] if len(result.first.comparisons) > 1 else []
    topics = [*topic_tables(result), *survival_tables([own for each in result.each for own in each.survivals])]
    topics += wording_tables([each.whole.scores for each in result.each])
    if result.comparison.baseline is None:
        return [systems, *several, pairs, *slice_table(result.each), *topics]
    return [pairs, *several, *slice_table(result.each), *topics, systems]


def _measures(each: Sequence[MeasureCompared]) -> list[Column]:
    """The column of measures, where there are several."""
    return [Column("measure")] if len(each) > 1 else []


def _by(each: Sequence[MeasureCompared], compared: Comparison) -> str:
    """By which measures: ` by AP`."""
    measures = listed([titled(result.measure) for result in each])
    return f" by {over_shards(measures, each[0].shards_of(compared.population))}"


def system_table(each: Sequence[MeasureCompared], population: str | None = None) -> Table:
    """Every system with its mean, its intervals and its group."""
    compared = [result.under(population) for result in each]
    records = [
        geometric(record) for result, of in zip(each, compared, strict=True) for record in system_records(result, of)
    ]
    first = compared[0]
    letters = [Column("letters", explained="systems that share one do not differ significantly")]
    group_of = Column("is_top", "top", "not significantly different from the best")
    if first.baseline is not None:
        group_of = Column("differs", explained=f"significantly from {first.baseline}")
        records = [record | {"differs": _differs(record, first.baseline)} for record in records]
    return Table.of(
        "systems",
        f"Systems{_by(each, first)}",
        records,
        [
            *_measures(each),
            Column("rank"),
            Column("system", role="system"),
            *_mean_columns(each[0], first),
            *_interval_columns(shown_intervals(each[0], first), FOR[each[0].scored.drawn("topics")]),
            group_of,
            *(letters if first.baseline is None else []),
        ],
        group_by="measure" if len(each) > 1 else None,
        is_long=True,
    )


def _differs(record: Mapping[str, Any], baseline: str) -> bool | None:
    """Whether a system differs from the baseline, of which that is not asked."""
    return None if record["system"] == baseline else not record["is_top"]


def _mean_columns(result: MeasureCompared, comparison: Comparison) -> list[Column]:
    """The mean; over shards it is not the measure's own, which stands beside it where it is known."""
    if result.shards_of(comparison.population) == 1:
        return [Column("mean")]
    whole = [Column("whole_mean", "whole corpus", "the mean on the whole corpus")] if result.scored.whole_means else []
    return [Column("mean", "over shards", "the mean over topics and shards"), *whole]


def _interval_columns(intervals: Sequence[MeanInterval], covers: str) -> list[Column]:
    return [
        Column(
            interval_end(interval, end),
            f"{interval.name} {end}",
            _explained(interval, covers) * (end == "low"),
            f"{interval.name} low, high",
            is_minor=interval.name not in ("mean", "Tukey"),
        )
        for interval in intervals
        for end in ("low", "high")
    ]


def _explained(interval: MeanInterval, covers: str) -> str:
    text = _INTERVALS[interval.name].format(covers=covers)
    return text if interval.population else f"{text}; it {NO_POPULATION}"


def population_table(each: Sequence[MeasureCompared]) -> Table:
    """How many pairs differ under each population, and how large the top group is."""
    records: list[Record] = [
        {
            "measure": result.measure,
            **_plain(population_record(result, of)),
            "covers": SHORT[result.scored.drawn(of.population)],
        }
        for result in each
        for of in result.comparisons
    ]
    top = [Column("top_group", explained="the best system and those that do not differ significantly from it")]
    return Table.of(
        "populations",
        "What the claim covers",
        records,
        [
            *_measures(each),
            Column("population"),
            Column("test"),
            Column("significant", explained="pairs that differ significantly"),
            Column("not_significant"),
            *(top if each[0].comparison.baseline is None else []),
            Column("covers"),
        ],
        _sparse_notes(each),
        group_by="measure" if len(each) > 1 else None,
    )


def _sparse_notes(each: Sequence[MeasureCompared]) -> list[str]:
    """That many scores in shards are undefined, in a table that shows other populations beside the first."""
    return list(dict.fromkeys(note for result in each for note in gaps.sparse_notes_beside(result.provenance)))


def _plain(record: dict[str, object]) -> Record:
    return {name: cell for name, cell in record.items() if isinstance(cell, str | int | float | None)}


def pair_table(each: Sequence[MeasureCompared], population: str | None = None) -> Table:
    """The pairs with their verdicts."""
    cells = _joined([_pair_cells(result, population) for result in each])
    comparison = each[0].under(population)
    return Table.of_columns(
        "pairs",
        _pairs_title(each, comparison, cells["significant"]),
        cells,
        [
            *_measures(each),
            *_pair_columns(comparison),
            *_difference_columns(comparison, is_ratio=is_ratio(each[0].measure)),
            _wins(comparison, is_ratio=is_ratio(each[0].measure)),
            _EFFECTIVE,
            Column("verdict", explained=verdict_said(each)),
            *([_detectable(is_ratio=is_ratio(each[0].measure))] if "inconclusive" in cells["verdict"] else []),
        ],
        list(_without_value(cells, each[0].scored.sampling)),
        group_by="measure" if len(each) > 1 else None,
        is_long=True,
        is_main=True,
    )


def _joined(parts: Sequence[dict[str, list[Any]]]) -> dict[str, list[Any]]:
    """The cells of each column, of all parts."""
    return {name: [cell for part in parts for cell in part[name]] for name in parts[0]}


def _without_value(cells: Mapping[str, Sequence[object]], sampling: Sampling | None) -> Iterator[str]:
    """Why some cells are empty."""
    if _has_infinite(cells["low"]) or _has_infinite(cells["high"]):
        yield f"With so few {unit_of(sampling)} this test has no interval of that confidence."
    if _has_infinite(cells["effect"]):
        yield "Where a difference is the same on every topic there is no variation to measure it in."


def _has_infinite(cells: Sequence[object]) -> bool:
    return math.inf in cells or -math.inf in cells


_EFFECTIVE = Column(
    "effective_topics",
    "rests on",
    "topics that the difference rests on: all where each counts alike, few where a few differ much",
    decimals=1,
    is_minor=True,
)


def _detectable(*, is_ratio: bool) -> Column:
    """What a pair without a verdict could have shown."""
    said = f"{least_told(is_ratio=is_ratio)} that this test on so many topics finds with a power of {percent(POWER)}"
    return Column("could_find", "smallest detectable", said)


def _pair_cells(compared: MeasureCompared, population: str | None) -> dict[str, list[Any]]:
    """The cells of each column of pairs."""
    cells = pair_columns(compared, population)
    topics = zip(cells["wins"], cells["ties"], cells["losses"], strict=True)
    pairs = zip(cells["detectable"], cells["verdict"], strict=True)
    return cells | {
        "won": [f"{wins}/{ties}/{losses}" for wins, ties, losses in topics],
        "could_find": [
            _found(compared, detectable) if verdict == "inconclusive" else None for detectable, verdict in pairs
        ],
    }


def _found(compared: MeasureCompared, detectable: float | None) -> float | None:
    return detectable and (math.exp(detectable) if is_ratio(compared.measure) else detectable)


def _pairs_title(each: Sequence[MeasureCompared], comparison: Comparison, significant: Sequence[bool]) -> str:
    if comparison.baseline is not None:
        return f"Systems against {comparison.baseline}{_by(each, comparison)}"
    return capital(f"{differing(sum(significant), len(significant), 'pair')}{_by(each, comparison)}")


def _pair_columns(comparison: Comparison) -> list[Column]:
    if comparison.baseline is not None:
        return [Column("system", role="system")]
    return [Column("system", role="system"), Column("against", role="system")]


def _difference_columns(comparison: Comparison, *, is_ratio: bool) -> list[Column]:
    by = (
        f" (Bonferroni's, a little wider than {comparison.corrected_by.label}'s test)"
        if is_wider_than_test(comparison)
        else ""
    )
    what = "system minus the other" if comparison.baseline is None else f"system minus {comparison.baseline}"
    ends = f"the {percent(comparison.confidence)} interval of it, for {held_for(comparison)}{by}"
    of_logs = [
        Column("ratio", explained="of the geometric means, system over the other", decimals=3),
        Column("ratio_low", "low", ends, "low, high", decimals=3),
        Column("ratio_high", "high", decimals=3),
    ]
    of_scores = [
        Column("difference", explained=f"of the means, {what}"),
        Column("low", "", ends.replace("interval of it", "interval of the difference"), "low, high"),
        Column("high"),
    ]
    return [
        *(of_logs if is_ratio else of_scores),
        Column("statistic", is_minor=True, decimals=2),
        Column("p_adjusted", "adjusted p", "for the family", below=LEAST_P),
        Column("effect", explained="the difference in standard deviations", is_minor=True, decimals=2),
    ]


def neighbour_table(result: MeasureCompared) -> Table:
    """Systems next to each other in the ranking, and p under each population."""
    names = [comparison.population for comparison in result.comparisons]
    records: list[Record] = [
        {
            "rank": neighbour.rank,
            "upper": neighbour.upper,
            "lower": neighbour.lower,
            "difference": neighbour.difference,
            **{f"p_adjusted_{name}": neighbour.p_adjusted[name] for name in names},
            "differ": ", ".join(name for name in names if neighbour.differs[name]) or "no",
        }
        for neighbour in neighbours(result.comparisons)
    ]
    return Table.of(
        "neighbours",
        f"Neighbours in the ranking by {titled(result.measure)}",
        records,
        [
            Column("rank"),
            Column("upper", role="system"),
            Column("lower", role="system"),
            Column("difference"),
            *(Column(f"p_adjusted_{name}", f"adjusted p, {name}", below=LEAST_P) for name in names),
            Column("differ", explained=f"the populations with adjusted p ≤ {result.alpha:g}"),
        ],
        _sparse_notes([result]),
    )


def _wins(comparison: Comparison, *, is_ratio: bool) -> Column:
    """Wins, ties and losses."""
    win, loss = ("above", "below") if comparison.direction == HIGHER else ("below", "above")
    what, same = ("ratio", 1) if is_ratio else ("difference", 0)
    topics = f"the topics with a {what} {win} {same}, of {same}, and {loss} {same}"
    return Column("won", "W/T/L", f"{topics} (wins, ties, losses)")


def topic_tables(result: Compared) -> list[Table]:
    """The table of the largest gains and losses, where there are some."""
    table = topic_table(result)
    return [table] if table.rows else []


def topic_table(result: Compared) -> Table:
    """The topics with the largest gains and losses: of systems against the baseline, or of the best system."""
    baseline, is_several = result.comparison.baseline, len(result.each) > 1
    whom = f"against {baseline}" if baseline else "of the best against the next"
    over = over_shards("", result.first.shards_of(result.comparison.population))
    records = [
        record
        for compared in result.each
        for record in map(of_logs, largest_records(compared.basis, compared.comparison, result.worst))
    ]
    return Table.of(
        "topics",
        f"Largest gains and losses by topic{over}, {whom}",
        records,
        [
            *([Column("measure")] if is_several else []),
            Column("system", role="system"),
            *([] if baseline else [Column("against", role="system")]),
            Column("topic"),
            *query_column(records),
            Column("score"),
            Column("other", baseline or "other", "" if baseline else "the score of the system that it is against"),
            difference_column(result.measures[0]),
            *([gaps.MISSING_COLUMN] if any(record["missing"] for record in records) else []),
        ],
        group_by="measure" if is_several else None,
        is_long=True,
    )


def held_for(comparison: Comparison) -> str:
    """Whether intervals hold for all pairs together."""
    if len(comparison.first) * comparison.families == 1:
        return "this pair"
    return "all pairs together" if comparison.is_simultaneous else "each pair by itself"


def held_with_width(comparison: Comparison) -> str:
    """The same, and that intervals are wider than the test where they are."""
    wider = f", wider than {comparison.corrected_by.label}'s test" if is_wider_than_test(comparison) else ""
    return f"{held_for(comparison)}{wider}"


def is_wider_than_test(comparison: Comparison) -> bool:
    """Whether intervals are wider than what the test decides: Bonferroni's, beside a test that goes step by step."""
    return comparison.corrected_by.is_stepwise and len(comparison.first) > 1


def directed(result: MeasureCompared, comparison: Comparison) -> str:
    """The same; where less is better, that it is, or that it is a guess."""
    return named(result, comparison) + lower_told(result.direction, is_guessed=is_guessed(result))


def named(result: MeasureCompared, comparison: Comparison) -> str:
    """`AP`, or `AP over 5 shards`."""
    return over_shards(plain_name(result.measure), result.shards_of(comparison.population))
