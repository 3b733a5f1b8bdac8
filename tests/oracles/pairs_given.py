"""Scores, the tests of pairs and ways to look at their answers, for all that test them."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np
import pytest
from numpy.typing import NDArray

from irgauge.inference.comparison import Comparison
from irgauge.inference.tests.bootstrap_t import bootstrap_t
from irgauge.inference.tests.flips import max_t, randomization
from irgauge.inference.tests.paired_t import paired_t
from irgauge.inference.tests.randomised_tukey import randomised_tukey
from irgauge.inference.tests.skewed_t import skewed_t
from irgauge.inference.tests.tukey import tukey
from irgauge.inference.tests.unpaired_t import unpaired_t
from irgauge.inference.tests.wilcoxon import wilcoxon
from irgauge.models.anova import fit

Values = NDArray[np.float64]
Test = Callable[..., Comparison]
Options = dict[str, object]
_RNG = np.random.default_rng(11)
NAMES = ["a", "b", "c", "d", "e"]
VALUES = 0.2 * _RNG.random((20, 5)) + 0.5 * _RNG.random((20, 1)) + np.array([0.0, 0.2, 0.03, 0.05, 0.1])
TENTHS = np.round(VALUES * 10) / 10  # as of a measure with few values: ties, and differences of 0
DRAWN: Options = {"draws": 499, "seed": 3}
CORRECTED = [
    pytest.param(paired_t, {}, id="t"),
    pytest.param(skewed_t, {}, id="skewed-t"),
    pytest.param(unpaired_t, {}, id="unpaired-t"),
    pytest.param(wilcoxon, {}, id="wilcoxon"),
    pytest.param(randomization, DRAWN, id="randomization"),
    pytest.param(randomization, {**DRAWN, "sides": 1}, id="one-sided"),
]
ON_VALUES = [
    *CORRECTED,
    pytest.param(bootstrap_t, DRAWN, id="bootstrap-t"),
    pytest.param(randomised_tukey, DRAWN, id="randomised-tukey"),
    pytest.param(max_t, DRAWN, id="max-t"),
]


def tukey_of(values: Values, systems: list[str], **options: object) -> Comparison:
    return tukey(fit(values[:, :, None], "MD1"), systems, population="topics", **options)  # type: ignore[arg-type]  # options of several types


ALL = [pytest.param(tukey_of, {}, id="tukey"), *ON_VALUES]


def each_pair(comparison: Comparison, values: Values, systems: list[str]) -> Iterator[tuple[int, Values, Values]]:
    """The pairs, with the scores of the first and of the second system."""
    for pair, (first, second) in enumerate(zip(comparison.first, comparison.second, strict=True)):
        columns = (systems.index(comparison.systems[system]) for system in (first, second))
        one, other = (values[:, column] for column in columns)
        yield pair, one, other


def by_name(comparison: Comparison, field: str) -> dict[frozenset[str], float]:
    """What is said of a pair, whatever the order of systems and pairs."""
    return {
        frozenset((comparison.systems[first], comparison.systems[second])): float(value)
        for first, second, value in zip(comparison.first, comparison.second, getattr(comparison, field), strict=True)
    }
