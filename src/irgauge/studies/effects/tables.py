"""Tables of effect sizes: ω² by measure and way to split, how many are of each size, and every effect."""

from __future__ import annotations

from dataclasses import asdict

from irgauge.show.style import SIZES as KINDS
from irgauge.show.table import LEAST_P, Column, Record, Table
from irgauge.show.verdicts import FOR
from irgauge.show.words import SIZES
from irgauge.studies.effects.study import Effect, EffectSizes


def tables(result: EffectSizes) -> list[Table]:
    """ω² at a glance, the counts of sizes, then every effect."""
    return [omega2_table(result), size_table(result), effect_table(result)]


def omega2_table(result: EffectSizes) -> Table:
    """A row for each way to split and measure, a column for each factor and interaction."""
    cells: dict[tuple[str, str], list[Effect]] = {}
    for effect in result.effects:
        cells.setdefault((effect.shards, effect.measure), []).append(effect)
    records: list[Record] = [
        {
            "shards": shards,
            "measure": measure,
            **{_name(effect.source): effect.omega2 for effect in effects},
            "not_significant": ", ".join(effect.source for effect in effects if not effect.significant),
        }
        for (shards, measure), effects in cells.items()
    ]
    sources = [Column(_name(source), source.replace(":", ": ")) for source in result.distinct("source")]
    weak = Column("not_significant", explained=f"p > {result.alpha:g} {FOR[result.population]}", is_minor=True)
    columns = [Column("shards"), Column("measure"), *sources, weak]
    return Table.of("omega2", f"Effect sizes ω², {result.model}", records, columns, group_by="shards")


def _name(source: str) -> str:
    """A term as the name of a column."""
    return source.replace(":", "_by_")


def size_table(result: EffectSizes) -> Table:
    """How many measures and ways to split give an effect of each size."""
    names = {kind: kind.replace(" ", "_") for kind in KINDS}
    records: list[Record] = [
        {"source": source, **{name: counts.get(kind, 0) for kind, name in names.items()}}
        for source, counts in result.counts().items()
    ]
    columns = [Column("source"), *(Column(name, kind) for kind, name in names.items())]
    note = (
        f"How many measures and ways to split give an effect of that size; ω² is {SIZES}; significant: "
        f"{FOR[result.population]}."
    )
    return Table.of("sizes", "Sizes of effects", records, columns, [note])


def effect_table(result: EffectSizes) -> Table:
    """Every effect."""
    return Table.of(
        "effects",
        "Every effect",
        map(asdict, result.effects),
        [
            Column("shards"),
            Column("measure"),
            Column("cutoff", is_minor=True),
            Column("topics", is_minor=True),
            Column("source"),
            Column(
                "omega2", "ω²", "df(F − 1) / (df(F − 1) + N), F against the residual; below 0 it is to be read as 0"
            ),
            Column("size"),
            Column("against", "tested against", "the error of the test, which p is of", is_minor=True),
            Column("p", below=LEAST_P),
            Column("significant", explained=f"p ≤ {result.alpha:g} {FOR[result.population]}"),
        ],
        is_long=True,
        is_main=True,
    )
