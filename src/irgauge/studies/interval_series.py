"""How wide are the intervals of means, by model and number of shards? (Ferro and Sanderson 2019, Fig. 4 and 5)."""

from __future__ import annotations

from collections.abc import Sequence

from irgauge.inference.intervals import MeanInterval, tukey_interval
from irgauge.models.anova import Model, Population, decompose
from irgauge.reading.collection import Collection
from irgauge.replicates.shards import sharding
from irgauge.scoring.measures import Measure
from irgauge.scoring.scores import Fill
from irgauge.studies.measurement import measure_shards, measure_whole

Series = dict[str, tuple[tuple[str, ...], MeanInterval]]  # name -> systems, and their intervals in the same order


def intervals_by_model(
    collection: Collection,
    measure: str | Measure,
    shards: str,
    *,
    models: Sequence[str] = ("MD2", "MD3", "MD6"),
    population: Population = "documents",
    alpha: float = 0.05,
    fill: Fill | str = "zero",
    keep: str = "all",
    seed: int = 0,
    workers: int | None = None,
) -> Series:
    """Tukey's intervals by MD1 on the whole corpus (which covers topics) and by models on one split."""
    series = {"MD1": _classic(collection, measure, alpha, keep, workers)}
    data = measure_shards(
        collection, [measure], sharding(collection, shards), fill=fill, keep=keep, seed=seed, workers=workers
    )
    sums = decompose(data.values())
    for model in models:
        interval = tukey_interval(sums.fit(Model.parse(model)), population=population, alpha=alpha)
        series[model] = (data.scores.systems, interval)
    return series


def intervals_by_shards(
    collection: Collection,
    measure: str | Measure,
    counts: Sequence[int],
    *,
    model: str = "MD6",
    population: Population = "documents",
    alpha: float = 0.05,
    fill: Fill | str = "zero",
    keep: str = "all",
    seed: int = 0,
    workers: int | None = None,
) -> Series:
    """Tukey's intervals by MD1 on the whole corpus (which covers topics) and by a model on random even shards."""
    series = {"MD1": _classic(collection, measure, alpha, keep, workers)}
    for count in counts:
        scheme = sharding(collection, f"even:{count}")
        data = measure_shards(collection, [measure], scheme, fill=fill, keep=keep, seed=seed, workers=workers)
        fit = decompose(data.values()).fit(Model.parse(model))
        interval = tukey_interval(fit, population=population, alpha=alpha)
        series[f"{model}, {count} shards"] = (data.scores.systems, interval)
    return series


def _classic(
    collection: Collection, measure: str | Measure, alpha: float, keep: str, workers: int | None
) -> tuple[tuple[str, ...], MeanInterval]:
    data = measure_whole(collection, [measure], keep=keep, workers=workers)
    fit = decompose(data.values()).fit("MD1")
    return data.scores.systems, tukey_interval(fit, population="topics", alpha=alpha)
