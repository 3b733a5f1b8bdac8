"""Which systems differ, and what does the claim cover? All pairs, or those with a baseline, under each population."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from irgauge.errors import DesignError
from irgauge.inference import pairwise
from irgauge.inference.comparison import Comparison
from irgauge.inference.intervals import MeanInterval, anova_interval, sem_interval, tukey_interval
from irgauge.models.anova import Fit, Model, Population, decompose
from irgauge.reading.collection import Collection
from irgauge.scoring.measures import Measure
from irgauge.scoring.scores import Fill
from irgauge.studies.variance import Shape, measured

COVERS = {
    "documents": "These differences hold for other documents on these same topics; they say nothing of other topics.",
    "topics": "These differences hold for other topics on these documents.",
    "both": "These differences hold for other topics and other documents.",
}


@dataclass(frozen=True, eq=False)
class Significance:
    """Comparisons of systems under one or more populations, the one asked for first."""

    measure: str
    model: str
    shape: Shape
    shards: str
    seed: int
    fill: str
    undefined: int  # cells that had no score
    kept: str
    alpha: float
    comparisons: tuple[Comparison, ...]
    intervals: tuple[MeanInterval, ...]  # Tukey, SEM, ANOVA; systems in the order of `systems`
    systems: tuple[str, ...]  # as given, for the intervals

    @property
    def comparison(self) -> Comparison:
        """The comparison under the population asked for."""
        return self.comparisons[0]

    def letters(self) -> dict[str, str]:
        """The compact letters of each system; systems that share one cannot be told apart."""
        return dict(zip(self.comparison.systems, self.comparison.groups.texts, strict=True))


def compare_systems(
    collection: Collection,
    measure: str | Measure,
    *,
    shards: str | None = None,
    model: str | None = None,
    test: str = "tukey",
    correction: str | None = None,
    baseline: str | None = None,
    population: Population | None = None,
    alpha: float = 0.05,
    fill: Fill | str = "zero",
    keep: str = "all",
    seed: int = 0,
    draws: int = 10_000,
    workers: int | None = None,
) -> Significance:
    """Compare systems by a test; without shards this is MD1, the classic analysis.

    The tests on scores of topics (all but tukey) use the means of a topic's scores over shards, and cover other
    topics. Their correction is Holm's by default, and Benjamini and Hochberg's for sign flips, whose p-values are
    seldom fine enough for Holm's. Tukey's test is of the family itself.
    """
    chosen = Model.parse(model or ("MD1" if shards is None else "MD6"))
    if model not in (None, "MD1") and shards is None:
        raise DesignError(f"{chosen} needs shards; name a way to split, such as --shards even:5, or use MD1")
    data = measured(collection, measure, shards=shards, fill=fill, keep=keep, seed=seed, workers=workers)
    systems = data.scores.systems
    fit = decompose(data.values()).fit(chosen)
    asked: Population = population or fit.populations[0]
    if test == "tukey":
        comparisons = _tukey(fit, systems, asked, alpha, baseline, correction)
    else:
        values = data.values().mean(axis=2)  # topic, system
        comparisons = (_by_topics(values, systems, test, correction, baseline, population, alpha, seed, draws),)
    return Significance(
        measure=str(data.scores.measures[0]),
        model=str(chosen),
        shape=Shape(*fit.shape),
        shards=data.shards,
        seed=seed,
        fill=data.undefined,
        undefined=data.undefined_cells,
        kept=keep,
        alpha=alpha,
        comparisons=comparisons,
        intervals=_intervals(fit, data.values(), comparisons[0].population, alpha),
        systems=systems,
    )


def _tukey(
    fit: Fit, systems: tuple[str, ...], asked: Population, alpha: float, baseline: str | None, correction: str | None
) -> tuple[Comparison, ...]:
    """The comparison asked for, then, with shards, those under the other populations."""
    if correction not in (None, "none"):
        raise DesignError("tukey's test is of the whole family of pairs: leave the correction out")
    populations = [asked, *(one for one in fit.populations if one != asked)]
    return tuple(pairwise.tukey(fit, systems, population=one, alpha=alpha, baseline=baseline) for one in populations)


def _by_topics(
    values: NDArray[np.float64],
    systems: tuple[str, ...],
    test: str,
    correction: str | None,
    baseline: str | None,
    population: Population | None,
    alpha: float,
    seed: int,
    draws: int,
) -> Comparison:
    if population not in (None, "topics"):
        raise DesignError(f"the {test} test takes topics as a sample: it covers 'topics', not '{population}'")
    takes = pairwise.TESTS[test].takes if test in pairwise.TESTS else ()
    drawn = {"draws": draws, "seed": seed} if "draws" in takes else {}
    usual = "none" if "correction" not in takes else "bh" if "draws" in takes else "holm"
    corrected = correction or usual
    return pairwise.run_test(test, values, systems, alpha=alpha, baseline=baseline, correction=corrected, **drawn)


def _intervals(fit: Fit, values: NDArray[np.float64], population: Population, alpha: float) -> tuple[MeanInterval, ...]:
    """The three intervals of the paper: eq. 3, 4 and 5."""
    return (
        tukey_interval(fit, population=population, alpha=alpha),
        sem_interval(values, alpha=alpha),
        anova_interval(fit, population=population, alpha=alpha),
    )
