"""Tables of robustness: outcomes by number of shards and model, their intervals over splits, changes between models."""

from __future__ import annotations

from irgauge.show.table import Column, Table
from irgauge.studies.robustness.records import change_records, outcome_records
from irgauge.studies.robustness.study import Robustness

_WHOLE = "With 1 shard: MD1 on the whole corpus, which covers other topics."


def tables(result: Robustness) -> list[Table]:
    """Outcomes, their intervals over splits, and changes against simpler models."""
    several = [split_table(result)] if result.resamples > 1 else []
    return [outcome_table(result), *several, change_table(result)]


def outcome_table(result: Robustness) -> Table:
    """What each model says at each number of shards."""
    return Table.of(
        "outcomes",
        f"{result.measure} by number of shards and model, means over splits",
        outcome_records(result.whole, result.outcomes, result.stability),
        [
            Column("shards"),
            Column("model"),
            Column("omega2", "ω² of system", "the size of the effect of systems"),
            Column("significant", explained="pairs that differ significantly", decimals=1),
            Column("not_significant", decimals=1),
            Column("top_group", "top group", "the best system and those that do not differ from it", decimals=1),
            Column("width", explained="of the Tukey interval"),
            Column("tau", "τ", "Kendall's, of the order of systems against that on the whole corpus"),
            Column("common", "in every split", "share of all pairs that differ significantly in every split"),
            Column("undefined", explained="share of scores that are undefined", is_minor=True),
        ],
        [_WHOLE],
        group_by="shards",
        is_main=True,
    )


def split_table(result: Robustness) -> Table:
    """How much depends on the split."""
    shown = (("tau", "τ", 3), ("width", "width", 4), ("significant", "pairs", 1))
    return Table.of(
        "splits",
        "Means over splits with their 95 % intervals",
        outcome_records(result.whole, result.outcomes, result.stability)[1:],
        [
            Column("shards"),
            Column("model"),
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
    """How much a model differs from simpler ones."""
    return Table.of(
        "changes",
        "Changes from simpler models, in per cent",
        change_records(result.outcomes),
        [
            Column("shards"),
            Column("model"),
            Column("against", explained="the simpler model; MD1 is of the whole corpus"),
            Column("omega2", "ω² of system"),
            Column("significant"),
            Column("not_significant"),
            Column("top_group"),
            Column("width"),
        ],
        decimals=2,
        is_long=True,
    )
