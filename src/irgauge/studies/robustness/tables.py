"""Tables of robustness: outcomes by number of shards and method, their intervals over splits, and changes."""

from __future__ import annotations

from irgauge.inference.tests.registry import TESTS
from irgauge.inference.tests.tukey import TUKEY
from irgauge.replicates.undefined import MANY_UNDEFINED
from irgauge.show.table import Column, Table
from irgauge.show.verdicts import FOR
from irgauge.studies.robustness.findings import the
from irgauge.studies.robustness.methods import CORRECTION
from irgauge.studies.robustness.study import Robustness, change_records, outcome_records

_OMEGA2 = "the size of the effect of systems, with t-tests by MD6, on the whole corpus by MD1"


def tables(result: Robustness) -> list[Table]:
    """Outcomes, their intervals over splits, and changes against simpler methods."""
    several = [split_table(result)] if result.resamples > 1 else []
    changes = [change_table(result)] if len(result.methods) > 1 else []
    return [outcome_table(result), *several, *changes]


def outcome_table(result: Robustness) -> Table:
    """What each method says at each number of shards."""
    is_sparse = max(one.undefined for one in result.stability) > MANY_UNDEFINED
    return Table.of(
        "outcomes",
        f"{result.measure} by number of shards and method, means over splits",
        outcome_records(result.whole, result.outcomes, result.stability),
        [
            Column("shards"),
            Column("method", explained=_methods(result)),
            Column("omega2", "ω² of system", _OMEGA2),
            Column("significant", explained="pairs that differ significantly", decimals=1),
            Column("not_significant", decimals=1),
            Column("top_group", "top group", "the best system and those that do not differ from it", decimals=1),
            Column("width", explained="how far apart means must be to differ: of Tukey's interval, or the median pair"),
            Column("tau", "τ", "Kendall's, of the order of systems against that on the whole corpus"),
            Column("common", "in every split", "share of all pairs that differ significantly in every split"),
            Column("undefined", explained="share of scores that are undefined", is_minor=not is_sparse),
        ],
        [
            f"With 1 shard: {the(result.whole.method)} on the whole corpus, {FOR['topics']}. With more: "
            f"{FOR[result.population]}."
        ],
        group_by="shards",
        is_main=True,
    )


def _methods(result: Robustness) -> str:
    tests = [name for name in dict.fromkeys((result.whole.method, *result.methods)) if name in TESTS]
    told = [f"{test}: {TESTS[test].title}, {CORRECTION.title}" for test in tests]
    return "; ".join([*told, *([f"models: {TUKEY.title}"] if result.test == TUKEY.name else [])])


def split_table(result: Robustness) -> Table:
    """How much depends on the split."""
    shown = (("tau", "τ", 3), ("width", "width", 4), ("significant", "pairs", 1))
    return Table.of(
        "splits",
        "Means over splits with their 95 % intervals",
        outcome_records(result.whole, result.outcomes, result.stability)[1:],
        [
            Column("shards"),
            Column("method"),
            *(
                Column(f"{name}{end}", f"{title} {end[1:]}".strip(), decimals=decimals)
                for name, title, decimals in shown
                for end in ("", "_low", "_high")
            ),
        ],
        ["Intervals of means over splits, by Student's t, cut to what is possible; pairs: those that differ."],
        group_by="shards",
    )


def change_table(result: Robustness) -> Table:
    """How much a method differs from simpler ones."""
    return Table.of(
        "changes",
        "Changes from simpler methods, in per cent",
        change_records(result.outcomes),
        [
            Column("shards"),
            Column("method"),
            Column(
                "against", explained=f"the simpler method; the first is {the(result.whole.method)} on the whole corpus"
            ),
            Column("omega2", "ω² of system"),
            Column("significant"),
            Column("not_significant"),
            Column("top_group"),
            Column("width"),
        ],
        decimals=2,
        is_long=True,
    )
