"""Tables that only a report has: systems under one population, pairs of the best, neighbours, and topics needed."""

from __future__ import annotations

from collections.abc import Sequence

from irgauge.inference.comparison import Comparison
from irgauge.present import style
from irgauge.present.comparisons import pair_records
from irgauge.present.precision_findings import percent
from irgauge.present.report_findings import needed_method
from irgauge.present.tables import Cell, Table
from irgauge.studies.claims import neighbours
from irgauge.studies.ranked_subsets import best_pairs
from irgauge.studies.significance import COVERS, Significance
from irgauge.studies.topics_needed import MOST, TopicsNeeded

_ENDS = ("low", "high")


def system_table(result: Significance) -> Table:
    """Every system with its mean, its intervals, and the letters of those it cannot be told from."""
    comparison, letters = result.comparison, result.letters()
    place, top = {system: i for i, system in enumerate(result.systems)}, set(comparison.top_group)
    rows: list[tuple[Cell, ...]] = []
    for rank, (system, mean) in enumerate(zip(comparison.systems, comparison.means.tolist(), strict=True), 1):
        ends = [float(getattr(one, end)[place[system]]) for one in result.intervals for end in _ENDS]
        rows.append((rank, system, mean, *ends, "top" if system in top else "", letters[system]))
    names = [f"{interval.name} {end}" for interval in result.intervals for end in _ENDS]
    return Table(
        title=f"Systems by {result.measure}, population {comparison.population}",
        columns=("rank", "system", "mean", *names, "group", "letters"),
        rows=tuple(rows),
        caption=" ".join(
            (
                f"{len(top)} of {len(rows)} systems are in the top group.",
                "Systems that share a letter cannot be told apart.",
                *style.significance_caption(result),
            )
        ),
    )


def pair_table(comparison: Comparison, count: int, note: str) -> Table:
    """The pairs of the best systems, with the p-values that they have among all."""
    shown = best_pairs(comparison, count)
    records = [{name: cell for name, cell in record.items() if name != "p_single"} for record in pair_records(shown)]
    of = "" if count >= len(comparison.systems) else f" of the best {count} systems"
    bounds = f"Low and high bound the difference, {comparison.interval}; statistic: q; effect: difference / √MS."
    return Table(
        title=f"{shown.significant_count:,} of {len(records):,} pairs{of} differ",
        columns=tuple(records[0]),
        rows=tuple(tuple(record.values()) for record in records),
        caption=" ".join((*style.comparison_caption(comparison), bounds, note)),
    )


def population_table(comparisons: Sequence[Comparison], note: str) -> Table:
    """How many pairs differ under each population, and how large the top group is."""
    rows: list[tuple[Cell, ...]] = [
        (
            one.population,
            one.significant_count,
            one.not_significant_count,
            len(one.top_group),
            one.error_ms,
            one.df,
            COVERS[one.population],
        )
        for one in comparisons
    ]
    return Table(
        title="What the claim covers",
        columns=("population", "significant", "not significant", "top group", "error MS", "df", "covers"),
        rows=tuple(rows),
        caption="The same test with the error term of each population. Documents: the residual; topics: the mean "
        "square of topic:system; both: that and system:shard less the residual, with Satterthwaite's df. "
        + f"{style.tested(comparisons[0])} {note}",
        decimals=5,
    )


def neighbour_table(result: Significance) -> Table:
    """Systems next to each other in the ranking, and p under each population."""
    pairs, names = neighbours(result.comparisons), [one.population for one in result.comparisons]
    rows: list[tuple[Cell, ...]] = [
        (one.rank, one.upper, one.lower, one.difference, *(one.p[name] for name in names), _told(one.told_apart))
        for one in pairs
    ]
    return Table(
        title=f"Neighbours in the ranking by {result.measure}",
        columns=("rank", "upper", "lower", "difference", *(f"p, {name}" for name in names), "told apart"),
        rows=tuple(rows),
        caption=f"p is adjusted for {style.family(result.comparison)} by Tukey's HSD test; told apart: the populations "
        f"with p ≤ {result.alpha:g}; {style.size(result.comparison)}. {style.setting(result)}",
    )


def _told(apart: dict[str, bool]) -> str:
    return ", ".join(name for name, is_apart in apart.items() if is_apart) or "no"


def needed_table(needed: TopicsNeeded, measure: str) -> Table:
    """The topics that would tell the best system from each other one of its top group."""
    rows: list[tuple[Cell, ...]] = [
        (one.better, one.worse, one.difference, f"> {MOST}" if one.topics is None else one.topics, needed.topics)
        for one in needed.pairs
    ]
    return Table(
        title=f"Topics needed to tell {needed.best} from the others of its top group by {measure}",
        columns=("best", "other", "difference", "topics needed", "topics there are"),
        rows=tuple(rows),
        caption=f"Population: topics. By {needed_method(needed)}: the fewest topics T with P(t'(df, δ√(T/2v)) > "
        f"Q(1 − α; R, df)/√2) ≥ {percent(needed.power)}, df = (R − 1)(T − 1), R = {needed.systems}, "
        f"v = MS(topic:system)/{needed.shards} = {needed.variance:.5f}. The best of many systems is in part best by "
        "chance, so that the true difference may be smaller.",
    )
