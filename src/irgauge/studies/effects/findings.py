"""What effect sizes say, in sentences that can be quoted and in tables."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from typing import NamedTuple

from irgauge.show.finding import Finding, sentence
from irgauge.show.style import SIZES as KINDS
from irgauge.show.table import LEAST_P, Column, Record, Table
from irgauge.show.verdicts import FOR
from irgauge.show.words import SIZES, capital, counted, listed, omega2_text
from irgauge.studies.effects.study import Effect, EffectSizes
from irgauge.studies.survival_told import survival_tables, survival_told


class Sized(NamedTuple):
    """The least and the largest ω² of a factor or an interaction, and the sizes that it has."""

    least: float
    most: float
    kinds: Sequence[str]


def findings(result: EffectSizes) -> Iterator[Finding]:
    """Which effect is the largest, then the sizes of all."""
    yield _largest(result).about(population=result.population)
    yield sizes(effects=_sizes(result)).about(population=result.population)
    if terms := _by_residual_alone(result):
        yield two_errors(terms=terms, population=result.population).about(population=result.population)
    yield from survival_told(result.survivals)


def _by_residual_alone(result: EffectSizes) -> dict[str, str]:
    """The terms that are significant against the residual, and not for the population; the error of the latter."""
    return {
        effect.source: effect.against
        for effect in result.effects
        if not effect.significant and effect.p_residual is not None and effect.p_residual <= result.alpha
    }


@sentence("two-errors", "note")
def two_errors(*, terms: Mapping[str, str], population: str) -> str:
    """That size and significance are against different errors."""
    each = listed([f"{source} (tested against {against})" for source, against in terms.items()])
    return (
        f"ω² and its size are against the residual, as in the papers; significance is {FOR[population]}, against "
        f"another error: {each} can be large and not significant."
    )


def _sizes(result: EffectSizes) -> dict[str, Sized]:
    values: dict[str, list[float]] = {}
    for effect in result.effects:
        values.setdefault(effect.source, []).append(effect.omega2)
    kinds = result.counts()
    return {source: Sized(min(omegas), max(omegas), tuple(kinds[source])) for source, omegas in values.items()}


def _largest(result: EffectSizes) -> Finding:
    groups: dict[tuple[str, str], list[Effect]] = {}
    for effect in result.effects:
        groups.setdefault((effect.shards, effect.measure), []).append(effect)
    first = Counter(max(group, key=lambda effect: effect.omega2).source for group in groups.values())
    return largest(
        counts=dict(first.most_common()), measures=result.distinct("measure"), shards=result.distinct("shards")
    )


def described(result: EffectSizes) -> Finding:
    """ω² of factors and interactions, as a description of these scores."""
    return omega2(effects=_sizes(result), analyses=len({(effect.shards, effect.measure) for effect in result.effects}))


@sentence("omega2", claims=())
def omega2(*, effects: Mapping[str, Sized], analyses: int) -> str:
    """From the least to the most of all analyses."""
    values = [f"{source} {_between(size)}" for source, size in effects.items()]
    over = f", from the least to the most of {analyses} analyses" if analyses > 1 else ""
    return f"ω² in these scores{over}: {listed(values)}."


@sentence("largest-effect", claims=())
def largest(*, counts: Mapping[str, int], measures: Sequence[str], shards: Sequence[str]) -> str:
    """Which factor or interaction matters most."""
    (first, most), *others = counts.items()
    total = sum(counts.values())
    if total == 1:
        return f"{capital(first)} has the largest effect on {measures[0]}."
    where = f"{counted(len(measures), 'measure')} × {counted(len(shards), 'way')} to split"
    if not others:
        return f"{capital(first)} matters most in {'both' if total == 2 else f'all {total}'} analyses ({where})."
    texts = [f"{first} has the largest effect in {most}", *(f"{source} in {count}" for source, count in others)]
    return f"Of {total} analyses ({where}), {listed(texts)}."


@sentence("effect-sizes", claims=())
def sizes(*, effects: Mapping[str, Sized]) -> str:
    """How large the effects of factors and interactions are, from the least to the most of all analyses."""
    return f"ω² of each effect: {listed([_sized(source, size) for source, size in effects.items()])}."


def _sized(source: str, effect: Sized) -> str:
    return f"{source} {_between(effect)} ({' or '.join(kind for kind in KINDS if kind in effect.kinds)})"


def _between(effect: Sized) -> str:
    least, most = omega2_text(effect.least), omega2_text(effect.most)
    return least if least == most else f"{least} to {most}"


def tables(result: EffectSizes) -> list[Table]:
    """ω² at a glance, the counts of sizes, then every effect."""
    return [omega2_table(result), size_table(result), effect_table(result), *survival_tables(result.survivals)]


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
    weak = Column("not_significant", explained=f"p > {result.alpha:g} {errors(result)}", is_minor=True)
    columns = [Column("shards"), Column("measure"), *sources, weak]
    return Table.of("omega2", f"Effect sizes ω², {result.model}", records, columns, group_by="shards")


def errors(result: EffectSizes) -> str:
    """For which population p is, and that ω² may be against another error."""
    own = FOR[result.population]
    is_one = all(effect.against == "residual" for effect in result.effects)
    return own if is_one else f"{own}, each term against its own error; ω² is against the residual"


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
        f"{errors(result)}."
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
            Column("size", explained="of ω²"),
            Column("p_residual", "p (residual)", "of the F test that ω² is of", below=LEAST_P),
            Column("against", "tested against", "the error of the test, which p is of"),
            Column("p", below=LEAST_P),
            Column("significant", explained=f"p ≤ {result.alpha:g} {FOR[result.population]}"),
        ],
        is_long=True,
        is_main=True,
    )
