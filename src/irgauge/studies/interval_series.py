"""How wide are the intervals of means, by model or by number of shards? (Ferro and Sanderson 2019, Fig. 4 and 5)."""

from __future__ import annotations

from collections.abc import Sequence

from irgauge.errors import DesignError
from irgauge.inference.intervals import MeanInterval, Series, tukey_interval
from irgauge.models.anova import Model, Population, decompose
from irgauge.replicates.measured import Measured

MODELS = ("MD2", "MD3", "MD6")


def intervals_by_model(
    whole: Measured | None,
    split: Measured,
    *,
    models: Sequence[str] = MODELS,
    population: Population = "topics",
    alpha: float = 0.05,
) -> Series:
    """Tukey's intervals by MD1 on the whole corpus (which covers topics) and by models on one split."""
    if whole is None or split.shards == 1:
        raise DesignError("intervals by model need runs and shards; name a way to split, such as even:5")
    sums = decompose(split.values())
    series = {"MD1": classic(whole, alpha)}
    for model in models:
        fit = sums.fit(Model.parse(model))
        series[model] = tukey_interval(fit, split.scores.systems, population=population, alpha=alpha)
    return series


def intervals_by_shards(
    whole: Measured,
    splits: Sequence[Measured],
    *,
    model: str = "MD6",
    population: Population = "topics",
    alpha: float = 0.05,
) -> Series:
    """Tukey's intervals by MD1 on the whole corpus (which covers topics) and by a model on several splits."""
    series = {"MD1": classic(whole, alpha)}
    for split in splits:
        fit = decompose(split.values()).fit(Model.parse(model))
        interval = tukey_interval(fit, split.scores.systems, population=population, alpha=alpha)
        series[f"{model} on {split.shards} shards"] = interval
    return series


def classic(whole: Measured, alpha: float) -> MeanInterval:
    """Tukey's intervals by MD1 on the whole corpus."""
    fit = decompose(whole.values()).fit("MD1")
    return tukey_interval(fit, whole.scores.systems, population="topics", alpha=alpha)
