"""How a split is judged, and what each method says of the systems, at a number of shards and over splits."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import cast

import numpy as np

from irgauge.choices import known
from irgauge.compute.arrays import Bools, Floats
from irgauge.errors import DesignError
from irgauge.inference.comparison import Comparison
from irgauge.inference.corrections import DEFAULT
from irgauge.inference.intervals import critical_t, standard_error
from irgauge.inference.orders import kendall_tau
from irgauge.inference.studentized import ppf
from irgauge.inference.tests.record import Experiment, Test
from irgauge.inference.tests.registry import TESTS, default_test
from irgauge.inference.tests.tukey import TUKEY
from irgauge.models.anova import Fit, Model, Population, Sums, decompose
from irgauge.replicates.measured import Measured
from irgauge.studies.robustness.options import MODELS, POPULATIONS, RobustnessOptions, tests

Methods = Mapping[str, Model | None]  # the name of a model -> that model by Tukey's test; of another test -> None
CORRECTION = DEFAULT  # of t-tests


def chosen_test(options: RobustnessOptions) -> str:
    """The test of the splits."""
    population = known(options.population, POPULATIONS, "population")
    usual = default_test(population).name
    name = usual if options.test is None else known(options.test, tests(), "test")
    if population not in TESTS[name].covers:
        raise DesignError(f"the test {name} says nothing of '{population}'; use {usual} or {TUKEY.name}")
    return name


def methods_of(options: RobustnessOptions) -> Methods:
    """The methods that splits are judged by, each once."""
    name = chosen_test(options)
    if name != TUKEY.name:
        if options.models is not None:
            ask = f"ask for the test {TUKEY.name}, or leave {list(options.models)} out"
            raise DesignError(f"models are for Tukey's test: {ask}")
        return {name: None}
    usual = MODELS if options.population == "documents" else MODELS[-1:]
    models = {str(model): model for model in map(Model.parse, usual if options.models is None else options.models)}
    if not models:
        raise DesignError("there is no model; name at least one, such as MD6")
    return models


def judged(
    split: Measured, methods: Methods, order: Floats, options: RobustnessOptions, undefined: float
) -> Iterator[tuple[str, SplitOutcome]]:
    """What each method says on one split."""
    sums, population = decompose(split.values()), cast("Population", options.population)
    for name, model in methods.items():
        if model is None:
            yield name, _of_pairs(split, sums, TESTS[name], order, options, undefined)
        else:
            fit = sums.fit(model)
            yield name, split_outcome(fit, order, population=population, alpha=options.alpha, undefined=undefined)


def judged_whole(corpus: Measured, classic: Fit, options: RobustnessOptions) -> tuple[str, list[SplitOutcome]]:
    """What is said of the whole corpus, for other topics: by which method, and what."""
    order = classic.means("system")
    if options.test == TUKEY.name:
        return str(classic.model), [split_outcome(classic, order, population="topics", alpha=options.alpha)]
    chosen = TESTS[chosen_test(options)]
    test = chosen if "topics" in chosen.covers else default_test("topics")
    return test.name, [_of_pairs(corpus, classic.sums, test, order, options)]


def _of_pairs(
    split: Measured, sums: Sums, test: Test, order: Floats, options: RobustnessOptions, undefined: float = 0.0
) -> SplitOutcome:
    """By a test of each pair; ω² of systems is that of MD6, on the whole corpus of MD1."""
    systems, population = split.scores.systems, cast("Population", options.population)
    comparison = test.compare(Experiment(split.values(), systems, population, options.alpha, CORRECTION.name))
    omega2 = sums.fit("MD1" if split.shards == 1 else "MD6").row("system").omega2
    return compared_outcome(comparison, systems, order, omega2=omega2, undefined=undefined)


_ALPHA = 0.05  # of the intervals of means over splits


@dataclass(frozen=True)
class MeanOverSplits:
    """The mean over splits, with its 95 % t interval; the bounds are NaN for one split."""

    mean: float
    low: float
    high: float

    def within(self, least: float, most: float) -> MeanOverSplits:
        """The same, its interval cut to what is possible."""
        if math.isnan(self.low):
            return self
        return MeanOverSplits(self.mean, max(self.low, least), min(self.high, most))


@dataclass(frozen=True)
class MethodOutcome:
    """What a method says of the systems at one number of shards: means over splits."""

    shards: int
    method: str  # a model by Tukey's test, or another test
    omega2: float  # of the system factor
    significant: float  # pairs
    not_significant: float
    top_group: float  # the best system and those that do not differ significantly from it
    width: float  # how far apart two means must be: that of the Tukey interval, eq. 3, or the median over pairs
    changes: Mapping[str, Mapping[str, float]]  # simpler method -> change of omega2, significant, ... in per cent


@dataclass(frozen=True)
class Stability:
    """How much the outcome depends on the split, for one method at one number of shards."""

    shards: int
    method: str
    tau: MeanOverSplits  # Kendall's τ of the order of systems against the whole corpus
    width: MeanOverSplits
    significant: MeanOverSplits
    common: float  # share of all pairs that are significant in every split
    undefined: float  # share of cells without a score, mean over splits


@dataclass(frozen=True, eq=False)
class SplitOutcome:
    """What one method says on one split."""

    omega2: float
    width: float
    top_group: int
    tau: float
    undefined: float
    is_significant: Bools  # pair


def split_outcome(
    fit: Fit, order: Floats, *, population: Population, alpha: float, undefined: float = 0.0
) -> SplitOutcome:
    """Pairs differ whose means are further apart than the width Q·√(MS/n) of eq. 3; `order` is that of systems."""
    means = fit.means("system")
    error = fit.error_term(population)
    width = float(ppf(1 - alpha, len(means), error.df)) * standard_error(error)
    first, second = np.triu_indices(len(means), 1)
    return SplitOutcome(
        omega2=fit.row("system").omega2,
        width=width,
        top_group=int((means.max() - means <= width).sum()),
        tau=kendall_tau(means, order),
        undefined=undefined,
        is_significant=np.abs(means[first] - means[second]) > width,
    )


def compared_outcome(
    comparison: Comparison, systems: Sequence[str], order: Floats, *, omega2: float, undefined: float = 0.0
) -> SplitOutcome:
    """What a comparison of all pairs says; its pairs are put into the order of the systems."""
    places = np.array([systems.index(system) for system in comparison.systems])  # best first
    matrix = np.zeros((len(systems), len(systems)), np.bool_)
    matrix[places[comparison.first], places[comparison.second]] = comparison.significant
    means = np.empty(len(systems))
    means[places] = comparison.means
    return SplitOutcome(
        omega2=omega2,
        width=float(np.median(comparison.high - comparison.low)) / 2,
        top_group=int(1 + np.count_nonzero(~comparison.significant[comparison.first == 0])),
        tau=kendall_tau(means, order),
        undefined=undefined,
        is_significant=(matrix | matrix.T)[np.triu_indices(len(systems), 1)],
    )


def method_outcome(
    shards: int, method: str, splits: Sequence[SplitOutcome], simpler: Sequence[MethodOutcome] = ()
) -> MethodOutcome:
    """Means over splits, and their changes against simpler methods."""
    counts = [int(split.is_significant.sum()) for split in splits]
    values = {
        "omega2": float(np.mean([split.omega2 for split in splits])),
        "significant": float(np.mean(counts)),
        "not_significant": float(len(splits[0].is_significant) - np.mean(counts)),
        "top_group": float(np.mean([split.top_group for split in splits])),
        "width": float(np.mean([split.width for split in splits])),
    }
    changes = {other.method: dict(_changes(values, other)) for other in simpler}
    return MethodOutcome(shards=shards, method=method, **values, changes=changes)


def _changes(values: Mapping[str, float], other: MethodOutcome) -> Iterator[tuple[str, float]]:
    """Changes against a simpler method, in per cent."""
    for name, value in values.items():
        before = getattr(other, name)
        yield name, 100 * (value - before) / before if before else float("nan")


def stability(shards: int, method: str, splits: Sequence[SplitOutcome]) -> Stability:
    """Means over splits with their intervals, and the pairs that differ in every split."""
    significant = np.array([split.is_significant for split in splits])  # split, pair
    return Stability(
        shards=shards,
        method=method,
        tau=mean_over_splits([split.tau for split in splits]),
        width=mean_over_splits([split.width for split in splits]),
        significant=mean_over_splits(significant.sum(axis=1).astype(float).tolist()),
        common=float(significant.all(axis=0).mean()),
        undefined=float(np.mean([split.undefined for split in splits])),
    )


def mean_over_splits(values: Sequence[float]) -> MeanOverSplits:
    """The mean ± t(n − 1) s/√n."""
    mean, n = float(np.mean(values)), len(values)
    if n == 1:
        return MeanOverSplits(mean, float("nan"), float("nan"))
    half = float(critical_t(_ALPHA, n - 1) * np.std(values, ddof=1) / np.sqrt(n))
    return MeanOverSplits(mean, mean - half, mean + half)
