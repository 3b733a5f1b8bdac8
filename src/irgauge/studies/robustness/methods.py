"""How a split is judged: by Tukey's test of a model, or by a t-test of each pair."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import cast

from irgauge.choices import known
from irgauge.compute.arrays import Floats
from irgauge.errors import DesignError
from irgauge.inference.corrections import DEFAULT
from irgauge.inference.tests.record import Experiment, Test
from irgauge.inference.tests.registry import TESTS, default_test
from irgauge.inference.tests.tukey import TUKEY
from irgauge.models.anova import Fit, Model, Population, Sums, decompose
from irgauge.replicates.measured import Measured
from irgauge.studies.robustness.options import MODELS, POPULATIONS, RobustnessOptions, tests
from irgauge.studies.robustness.outcomes import SplitOutcome, compared_outcome, split_outcome

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
