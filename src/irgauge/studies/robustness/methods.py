"""How a split is judged: by Tukey's test of a model, or by a t-test of each pair."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import cast

from irgauge.arrays import Floats
from irgauge.choices import known
from irgauge.errors import DesignError
from irgauge.inference import pairwise
from irgauge.inference.corrections import DEFAULT
from irgauge.models.anova import Fit, Model, Population, Sums, decompose
from irgauge.replicates.measured import Measured
from irgauge.studies.robustness.options import MODELS, TESTS, USUAL, Asked
from irgauge.studies.robustness.outcomes import SplitOutcome, compared_outcome, split_outcome

Methods = Mapping[str, Model | None]  # the name of a model -> that model by Tukey's test; of another test -> None
CORRECTION = DEFAULT  # of t-tests
_WHOLE = "t"  # the test on the whole corpus, unless the paper's is asked for


def chosen_test(asked: Asked) -> str:
    """The test of the splits."""
    population = known(asked.population, tuple(USUAL), "population")
    name = USUAL[population] if asked.test is None else known(asked.test, TESTS, "test")
    if population not in pairwise.TESTS[name].covers:
        raise DesignError(f"the test {name} says nothing of '{population}'; use {USUAL[population]} or tukey")
    return name


def methods_of(asked: Asked) -> Methods:
    """The methods that splits are judged by, each once."""
    name = chosen_test(asked)
    if name != "tukey":
        if asked.models is not None:
            raise DesignError(f"models are for Tukey's test: ask for the test tukey, or leave {list(asked.models)} out")
        return {name: None}
    usual = MODELS if asked.population == "documents" else MODELS[-1:]
    models = {str(model): model for model in map(Model.parse, usual if asked.models is None else asked.models)}
    if not models:
        raise DesignError("there is no model; name at least one, such as MD6")
    return models


def judged(
    split: Measured, methods: Methods, order: Floats, asked: Asked, undefined: float
) -> Iterator[tuple[str, SplitOutcome]]:
    """What each method says on one split."""
    sums, population = decompose(split.values()), cast("Population", asked.population)
    for name, model in methods.items():
        if model is None:
            yield name, _by_t(split, sums, name, order, asked, undefined)
        else:
            fit = sums.fit(model)
            yield name, split_outcome(fit, order, population=population, alpha=asked.alpha, undefined=undefined)


def judged_whole(corpus: Measured, classic: Fit, asked: Asked) -> tuple[str, list[SplitOutcome]]:
    """What is said of the whole corpus, for other topics: by which method, and what."""
    order = classic.means("system")
    if asked.test == "tukey":
        return str(classic.model), [split_outcome(classic, order, population="topics", alpha=asked.alpha)]
    return _WHOLE, [_by_t(corpus, classic.sums, _WHOLE, order, asked)]


def _by_t(split: Measured, sums: Sums, test: str, order: Floats, asked: Asked, undefined: float = 0.0) -> SplitOutcome:
    """By a t-test of each pair with Holm's correction; ω² of systems is that of MD6, on the whole corpus of MD1."""
    takes, systems = pairwise.TESTS[test].takes, split.scores.systems
    values = split.values() if "shards" in takes else split.values().mean(axis=2)
    covers = {"population": asked.population} if "population" in takes else {}
    found = pairwise.run_test(test, values, systems, alpha=asked.alpha, correction=CORRECTION.name, **covers)
    omega2 = sums.fit("MD1" if split.shards == 1 else "MD6").row("system").omega2
    return compared_outcome(found, systems, order, omega2=omega2, undefined=undefined)
