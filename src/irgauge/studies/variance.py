"""What makes scores vary? The ANOVA table of a model, its checks, and its comparison with a smaller one."""

from __future__ import annotations

from dataclasses import dataclass

from irgauge.models.anova import Check, ErrorTerm, Fit, Model, Row, Variation, compare, decompose
from irgauge.reading.collection import Collection
from irgauge.replicates.shards import sharding
from irgauge.scoring.measures import Measure
from irgauge.scoring.scores import Fill
from irgauge.studies.measurement import Measured, measure_shards, measure_whole


@dataclass(frozen=True)
class Shape:
    """The size of the data."""

    topics: int
    systems: int
    shards: int


@dataclass(frozen=True)
class Checks:
    """The assumptions of the F tests: normal residuals that vary equally at all levels of each factor."""

    jarque_bera: Check
    levene: dict[str, Check]


@dataclass(frozen=True)
class Nested:
    """The comparison with a smaller model."""

    against: str
    f: float
    df: int
    df_error: int
    p: float
    critical: float


@dataclass(frozen=True, eq=False)
class Variance:
    """An ANOVA table, how it was computed, and the fit it is of."""

    model: str
    formula: str
    measure: str
    shape: Shape
    shards: str
    seed: int
    fill: str
    undefined: int  # cells that had no score
    kept: str
    alpha: float
    mean: float
    rows: tuple[Row, ...]
    error: Variation
    total: Variation
    populations: tuple[ErrorTerm, ...]  # the test of the system factor under each population
    checks: Checks
    comparison: Nested | None
    fit: Fit
    labels: dict[str, tuple[str, ...]]  # factor -> its levels


def measured(
    collection: Collection,
    measure: str | Measure,
    *,
    shards: str | None,
    fill: Fill | str,
    keep: str,
    seed: int,
    workers: int | None,
) -> Measured:
    """Scores on the whole corpus, or on the shards that a SPEC names."""
    if shards is None:
        return measure_whole(collection, [measure], fill=fill, keep=keep, workers=workers)
    scheme = sharding(collection, shards)
    return measure_shards(collection, [measure], scheme, fill=fill, keep=keep, seed=seed, workers=workers)


def analyse(
    collection: Collection,
    measure: str | Measure,
    *,
    shards: str | None = None,
    model: str | None = None,
    against: str | None = None,
    alpha: float = 0.05,
    fill: Fill | str = "zero",
    keep: str = "all",
    seed: int = 0,
    workers: int | None = None,
) -> Variance:
    """Fit a model, by default MD6 on shards and MD1 on the whole corpus."""
    chosen = Model.parse(model or ("MD1" if shards is None else "MD6"))
    data = measured(collection, measure, shards=shards, fill=fill, keep=keep, seed=seed, workers=workers)
    fit = decompose(data.values()).fit(chosen)
    return Variance(
        model=str(chosen),
        formula=chosen.formula,
        measure=str(data.scores.measures[0]),
        shape=Shape(*fit.shape),
        shards=data.shards,
        seed=seed,
        fill=data.undefined,
        undefined=data.undefined_cells,
        kept=keep,
        alpha=alpha,
        mean=fit.mean,
        rows=fit.rows,
        error=fit.error,
        total=fit.total,
        populations=tuple(fit.error_term(population) for population in fit.populations)
        if "system" in chosen.terms
        else (),
        checks=Checks(fit.jarque_bera(), fit.levene()),
        comparison=None if against is None else _nested(fit.sums.fit(Model.parse(against)), fit, alpha),
        fit=fit,
        labels={"topic": data.scores.topics, "system": data.scores.systems, "shard": data.scores.replicates},
    )


def _nested(other: Fit, fit: Fit, alpha: float) -> Nested:
    """The two models in their order: the smaller one first, whichever was asked for."""
    small, large = (other, fit) if len(other.model.terms) < len(fit.model.terms) else (fit, other)
    test = compare(small, large, alpha=alpha)
    return Nested(str(other.model), test.f, test.df, test.df_error, test.p, test.critical)
