"""Tables of a comparison: systems with their intervals and groups, what each population says, the pairs."""

from __future__ import annotations

from irgauge.inference.comparison import Comparison
from irgauge.show.populations import SHORT
from irgauge.show.table import LEAST_P, Column, Record, Table
from irgauge.show.words import capital, differing, percent
from irgauge.studies.compare.claims import neighbours
from irgauge.studies.compare.needed import MOST, TopicsNeeded
from irgauge.studies.compare.records import of_population, population_record, system_records
from irgauge.studies.compare.study import Compared

_INTERVALS = {
    "mean": "of the mean, for other topics",
    "Tukey": "for comparing systems: two differ where theirs do not overlap",
    "SEM": "for comparing systems, by the standard error of each mean",
    "ANOVA": "for comparing systems, by the error of the model",
}


def tables(result: Compared) -> list[Table]:
    """Systems, what each population says, then the pairs."""
    several = [population_table(result)] if len(result.comparisons) > 1 else []
    return [system_table(result, result.comparison), *several, pair_table(result.comparison)]


def system_table(result: Compared, one: Comparison) -> Table:
    """Every system with its mean, its intervals and its group."""
    intervals = result.intervals[one.population]
    shown = [
        Column(
            f"{interval.name.lower()}_{end}",
            f"{interval.name} {end}",
            _INTERVALS[interval.name] * (end == "low"),
            f"{interval.name} low, high",
            is_minor=interval.name not in ("mean", "Tukey"),
        )
        for interval in of_population(one, intervals)
        for end in ("low", "high")
    ]
    records = system_records(one, intervals)
    group = "best" if one.baseline is None else str(one.baseline)
    letters = [Column("letters", explained="systems that share one do not differ significantly")]
    return Table.of(
        "systems",
        f"Systems by {result.measure}",
        records,
        [
            Column("rank"),
            Column("system", role="system"),
            Column("mean"),
            *shown,
            Column(
                "is_top",
                "top" if one.baseline is None else "not different",
                f"not significantly different from {group}",
            ),
            *(letters if one.baseline is None else []),
        ],
        is_long=True,
    )


def population_table(result: Compared) -> Table:
    """How many pairs differ under each population, and how large the top group is."""
    records: list[Record] = [
        {**_plain(population_record(one)), "covers": SHORT[one.population]} for one in result.comparisons
    ]
    top = [Column("top_group", explained="the best system and those that do not differ significantly from it")]
    return Table.of(
        "populations",
        "What the claim covers",
        records,
        [
            Column("population"),
            Column("test"),
            Column("significant", explained="pairs that differ significantly"),
            Column("not_significant"),
            *(top if result.comparison.baseline is None else []),
            Column("covers"),
        ],
    )


def _plain(record: dict[str, object]) -> Record:
    return {name: cell for name, cell in record.items() if isinstance(cell, str | int | float | None)}


def pair_table(one: Comparison, best: int | None = None) -> Table:
    """The pairs; of the best systems only, with the p-values that they have among all."""
    shown = one if best is None else one.best(best)
    of = "" if best is None or best >= len(one.systems) else f" of the best {best} systems"
    whom = "all pairs together" if one.is_simultaneous else "each pair by itself"
    by = " (Bonferroni's, a little wider than Holm's test)" if one.correction == "holm" else ""
    return Table.of(
        "pairs",
        capital(differing(shown.significant_count, len(shown.first), "pair", of)),
        shown.frame().to_dicts(),
        [
            Column("first", role="system"),
            Column("second", role="system"),
            Column("difference", explained="of the means, first minus second"),
            Column("low", "", f"the {percent(one.confidence)} interval of the difference, for {whom}{by}", "low, high"),
            Column("high"),
            Column("statistic", is_minor=True),
            Column("p", explained="adjusted for the family", below=LEAST_P),
            Column("effect", explained="the difference in standard deviations", is_minor=True),
            Column("significant"),
        ],
        is_long=True,
        is_main=True,
    )


def neighbour_table(result: Compared) -> Table:
    """Systems next to each other in the ranking, and p under each population."""
    names = [one.population for one in result.comparisons]
    records: list[Record] = [
        {
            "rank": one.rank,
            "upper": one.upper,
            "lower": one.lower,
            "difference": one.difference,
            **{f"p_{name}": one.p[name] for name in names},
            "differ": ", ".join(name for name in names if one.differs[name]) or "no",
        }
        for one in neighbours(result.comparisons)
    ]
    return Table.of(
        "neighbours",
        f"Neighbours in the ranking by {result.measure}",
        records,
        [
            Column("rank"),
            Column("upper", role="system"),
            Column("lower", role="system"),
            Column("difference"),
            *(Column(f"p_{name}", f"p, {name}", below=LEAST_P) for name in names),
            Column("differ", explained=f"the populations with p ≤ {result.alpha:g}, adjusted for the family"),
        ],
    )


def needed_table(needed: TopicsNeeded, measure: str) -> Table:
    """The topics that would separate the best system from each other one of its top group."""
    records: list[Record] = [
        {
            "best": one.better,
            "other": one.worse,
            "difference": one.difference,
            "needed": f"> {MOST:,}" if one.topics is None else one.topics,
            "topics": needed.topics,
        }
        for one in needed.pairs
    ]
    return Table.of(
        "topics-needed",
        f"Topics needed to separate {needed.best} from the others of its top group by {measure}",
        records,
        [
            Column("best", role="system"),
            Column("other", role="system"),
            Column("difference"),
            Column(
                "needed",
                "topics needed",
                f"the fewest that show it with a power of {percent(needed.power)}, by the test {needed.test}",
            ),
            Column("topics", "topics there are"),
        ],
        ["The best of many systems is in part best by chance, so that the true difference may be smaller."],
    )
