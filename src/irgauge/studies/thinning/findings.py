"""What is said of thinned judgments, in sentences and in tables."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict

from irgauge.show.finding import Finding, sentence
from irgauge.show.table import Column, Table
from irgauge.show.words import counted, percent, signed
from irgauge.studies.thinning.study import ALL, ThinnedMeasure, Thinning

_POOL = Column("pool", "kept", "per cent of judgments, or the depth of the pool; all judgments")


def findings(result: Thinning) -> Iterator[Finding]:
    """Each measure with the fewest judgments; the one that keeps its order best."""
    fewest = result.pools[-1]
    rows = [result.parts[measure, fewest] for measure in result.measures]
    for row in rows:
        whole = result.parts[row.measure, ALL]
        yield with_fewest(row=row, power=whole.power, systems=result.systems, alpha=result.alpha).about(
            measure=row.measure
        )
    known = sorted((row for row in rows if row.tau is not None), key=lambda row: -(row.tau or 0.0))
    if len(known) > 1 and known[0].tau != known[-1].tau:
        yield keeps_best(best=known[0], worst=known[-1])


@sentence("order-with-fewest", claims=())
def with_fewest(*, row: ThinnedMeasure, power: float, systems: int, alpha: float) -> str:
    """What becomes of a measure with the fewest judgments."""
    if row.tau is None:
        order = f"{row.measure} no longer orders {counted(systems, 'system')}"
        return f"With {kept(row.pool)}, {order}: all means are the same."
    spread = "" if row.tau_low == row.tau_high else f" (from {_tau(row.tau_low)} to {_tau(row.tau_high)})"
    return (
        f"With {kept(row.pool)} ({row.judged:.1f} documents per topic), the order of {counted(systems, 'system')} by "
        f"{row.measure} agrees with that by all judgments with Kendall's τ = {_tau(row.tau)}{spread}; "
        f"{percent(row.power)} of pairs have p ≤ {alpha:g}, with all judgments {percent(power)}."
    )


@sentence("order-kept-best", claims=())
def keeps_best(*, best: ThinnedMeasure, worst: ThinnedMeasure) -> str:
    """Which measure keeps its order best."""
    return (
        f"With {kept(best.pool)}, {best.measure} keeps its order best (τ = {_tau(best.tau)}), {worst.measure} least "
        f"({_tau(worst.tau)})."
    )


def kept(pool: str) -> str:
    """How much is judged."""
    return f"{pool} of the judgments" if pool.endswith("%") else f"a pool of depth {pool}"


def _tau(tau: float | None) -> str:
    return "–" if tau is None else signed(tau)


def tables(result: Thinning) -> list[Table]:
    """Measures by what is judged; then pairs of measures."""
    return [pool_table(result), *([pair_table(result)] if result.pairs else [])]


def pool_table(result: Thinning) -> Table:
    """Every measure with each set of judgments."""
    return Table.of(
        "pools",
        f"{counted(result.systems, 'system')} with fewer judgments",
        [asdict(row) for row in result.rows],
        [
            Column("measure"),
            _POOL,
            Column("judged", explained="documents judged for a topic, mean", decimals=1),
            Column("relevant", explained="those that are relevant", decimals=1),
            Column("mean", explained="over systems and topics"),
            Column("tau", "τ", "Kendall's τ-b with the order by all judgments, mean over repeats", decimals=3),
            Column("tau_low", "τ low", "its range over repeats", "τ low, high", decimals=3, is_minor=True),
            Column("tau_high", "τ high", decimals=3, is_minor=True),
            Column("tau_ap", "τ_AP", "the same, where the top counts more, the mean of both ways", decimals=3),
            Column("rmse", "RMSE", "root mean square difference of systems' effects from those with all judgments"),
            Column("power", explained=f"share of pairs with p ≤ {result.alpha:g}", decimals=3),
        ],
        group_by="measure",
        is_main=True,
    )


def pair_table(result: Thinning) -> Table:
    """How well measures agree with each set of judgments."""
    return Table.of(
        "measures",
        "Agreement of measures with fewer judgments",
        [asdict(pair) for pair in result.pairs],
        [
            Column("measure"),
            Column("against"),
            _POOL,
            Column("tau", "τ", "Kendall's τ-b of the orders by both measures, mean over repeats", decimals=3),
        ],
    )
