"""Do conclusions hold whatever the model, the shards and the split? (Ferro and Sanderson 2019, section 9)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray
from scipy.special import stdtrit

from irgauge.errors import DesignError
from irgauge.inference.studentized import ppf
from irgauge.models.anova import Fit, Model, Population, decompose
from irgauge.reading.collection import Collection, Progress
from irgauge.replicates.shards import sharding
from irgauge.scoring.measures import Measure
from irgauge.scoring.scores import Fill
from irgauge.studies.measurement import measure_shards, measure_whole

MODELS = ("MD2", "MD3", "MD4", "MD5", "MD6")


@dataclass(frozen=True)
class Spread:
    """The mean over resamples, with its 95 % t interval; the bounds are NaN for one resample."""

    mean: float
    low: float
    high: float


@dataclass(frozen=True)
class Outcome:
    """What a model says of the systems at one number of shards: means over resamples."""

    shards: int
    model: str
    omega2: float  # of the system factor
    significant: float  # pairs
    not_significant: float
    top_group: float  # systems that cannot be told from the best one
    width: float  # of the Tukey interval, eq. 3
    changes: dict[str, dict[str, float]]  # simpler model -> change of omega2, significant, ... in percent


@dataclass(frozen=True)
class Stability:
    """How much the outcome depends on the split, for one model at one number of shards."""

    shards: int
    model: str
    tau: Spread  # Kendall's τ of the order of systems against the whole corpus
    width: Spread
    significant: Spread
    common: float  # share of all pairs that are significant in every resample
    undefined: float  # share of cells without a score, mean over resamples


@dataclass(frozen=True)
class Robustness:
    """Outcomes by number of shards and model, and their stability over resamples."""

    measure: str
    topics: int
    systems: int
    pairs: int
    resamples: int
    seed: int
    alpha: float
    fill: str
    population: Population
    kept: str
    whole: Outcome  # MD1 on the whole corpus
    outcomes: tuple[Outcome, ...]
    stability: tuple[Stability, ...]


@dataclass(frozen=True)
class _Split:
    """What one model says on one split."""

    omega2: float
    width: float
    top_group: int
    tau: float
    undefined: float
    is_significant: NDArray[np.bool_]  # pair


def robustness(
    collection: Collection,
    measure: str | Measure,
    *,
    shards: Sequence[int] = (2, 3, 4, 5, 10, 25, 50),
    resamples: int = 10,
    models: Sequence[str] = MODELS,
    population: Population = "documents",
    alpha: float = 0.05,
    fill: Fill | str = "zero",
    keep: str = "all",
    seed: int = 0,
    workers: int | None = None,
    progress: Progress | None = None,
) -> Robustness:
    """Fit every model on `resamples` random even splits into each number of shards."""
    if resamples < 1:
        raise DesignError(f"{resamples} resamples are not possible; ask for at least 1")
    whole = measure_whole(collection, [measure], fill="zero", keep=keep, workers=workers)
    reference = decompose(whole.values()).fit("MD1")
    order = reference.means("system").ravel()
    classic = _split(reference, "topics", alpha, order, 0.0)
    outcomes: list[Outcome] = [_outcome(1, "MD1", [classic])]
    stability = []
    for n, count in enumerate(shards):
        splits: dict[str, list[_Split]] = {model: [] for model in models}
        scheme = sharding(collection, f"even:{count}")
        for number in range(resamples):
            measured = measure_shards(
                collection, [measure], scheme, fill=fill, keep=keep, seed=seed, number=number, workers=workers
            )
            sums = decompose(measured.values())
            undefined = measured.undefined_cells / (len(collection.topics) * len(collection.systems) * count)
            for model in models:
                splits[model].append(_split(sums.fit(Model.parse(model)), population, alpha, order, undefined))
            if progress is not None:
                progress(n * resamples + number + 1, len(shards) * resamples)
        simpler = [outcomes[0]]
        for model in models:
            simpler.append(_outcome(count, model, splits[model], simpler))
            stability.append(_stability(count, model, splits[model]))
        outcomes += simpler[1:]
    systems = len(order)
    return Robustness(
        measure=str(whole.scores.measures[0]),
        topics=len(whole.scores.topics),
        systems=systems,
        pairs=systems * (systems - 1) // 2,
        resamples=resamples,
        seed=seed,
        alpha=alpha,
        fill=str(fill),
        population=population,
        kept=keep,
        whole=outcomes[0],
        outcomes=tuple(outcomes[1:]),
        stability=tuple(stability),
    )


@cache  # few pairs of systems and degrees of freedom recur in all resamples
def _critical(alpha: float, systems: int, df: float) -> float:
    return float(ppf(1 - alpha, systems, df))


def _split(fit: Fit, population: Population, alpha: float, order: NDArray[np.float64], undefined: float) -> _Split:
    """Pairs differ whose means are further apart than the width Q·√(MS/n) of eq. 3."""
    means = fit.means("system").ravel()
    error = fit.error_term(population)
    width = _critical(alpha, len(means), error.df) * float(np.sqrt(error.ms / error.n))
    first, second = np.triu_indices(len(means), 1)
    return _Split(
        omega2=fit.row("system").omega2,
        width=width,
        top_group=int((means.max() - means <= width).sum()),
        tau=kendall_tau(means, order),
        undefined=undefined,
        is_significant=np.abs(means[first] - means[second]) > width,
    )


def kendall_tau(x: NDArray[np.float64], y: NDArray[np.float64]) -> float:
    """Kendall's τ-b: concordant less discordant pairs over √(pairs untied in x · pairs untied in y).

    >>> kendall_tau(np.array([1.0, 2.0, 3.0]), np.array([1.0, 3.0, 2.0]))
    0.3333333333333333
    """
    first, second = np.triu_indices(len(x), 1)
    signs_x, signs_y = np.sign(x[first] - x[second]), np.sign(y[first] - y[second])
    untied = np.count_nonzero(signs_x) * np.count_nonzero(signs_y)
    return float((signs_x * signs_y).sum() / np.sqrt(untied)) if untied else float("nan")


def _outcome(shards: int, model: str, splits: Sequence[_Split], simpler: Sequence[Outcome] = ()) -> Outcome:
    counts = [int(split.is_significant.sum()) for split in splits]
    values = {
        "omega2": float(np.mean([split.omega2 for split in splits])),
        "significant": float(np.mean(counts)),
        "not_significant": float(len(splits[0].is_significant) - np.mean(counts)),
        "top_group": float(np.mean([split.top_group for split in splits])),
        "width": float(np.mean([split.width for split in splits])),
    }
    changes = {other.model: dict(_changes(values, other)) for other in simpler}
    return Outcome(shards=shards, model=model, **values, changes=changes)


def _changes(values: dict[str, float], other: Outcome) -> Iterator[tuple[str, float]]:
    """Changes against a simpler model, in percent."""
    for name, value in values.items():
        before = getattr(other, name)
        yield name, 100 * (value - before) / before if before else float("nan")


def _stability(shards: int, model: str, splits: Sequence[_Split]) -> Stability:
    significant = np.array([split.is_significant for split in splits])  # resample, pair
    return Stability(
        shards=shards,
        model=model,
        tau=_spread([split.tau for split in splits]),
        width=_spread([split.width for split in splits]),
        significant=_spread(significant.sum(axis=1).astype(float).tolist()),
        common=float(significant.all(axis=0).mean()),
        undefined=float(np.mean([split.undefined for split in splits])),
    )


def _spread(values: Sequence[float]) -> Spread:
    mean, n = float(np.mean(values)), len(values)
    if n == 1:
        return Spread(mean, float("nan"), float("nan"))
    half = float(stdtrit(n - 1, 0.975) * np.std(values, ddof=1) / np.sqrt(n))
    return Spread(mean, mean - half, mean + half)
