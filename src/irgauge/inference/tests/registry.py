"""All tests by their names: every file beside this one has its records in `RECORDS`."""

from __future__ import annotations

import pkgutil
from collections.abc import Iterable
from importlib import import_module
from typing import get_args

import irgauge.inference.tests
from irgauge.compute.arrays import Floats
from irgauge.errors import DesignError
from irgauge.extensions.registry import Registry
from irgauge.inference.comparison import Comparison
from irgauge.inference.corrections import CORRECTIONS, DEFAULT, NONE
from irgauge.inference.outcomes import Names
from irgauge.inference.tests.record import Test
from irgauge.models.anova import Fit, Population
from irgauge.wording import listed


def _records() -> Iterable[Test]:
    package = irgauge.inference.tests
    names = sorted(one.name for one in pkgutil.iter_modules(package.__path__) if one.name != "registry")
    return (record for name in names for record in getattr(import_module(f"{package.__name__}.{name}"), "RECORDS", ()))


def _check_added(test: Test) -> None:
    """Refuse what would change answers without being named."""
    if test.default_for:
        raise DesignError(f"the test '{test.name}' cannot be a default; leave default_for out")


TESTS = Registry("tests", _records, check=_check_added, order=lambda test: (test.place, test.name))


def known_test(name: str) -> Test:
    """The test of that name.

    >>> known_test("T").title
    'paired t-test'
    """
    return TESTS.known(name)


def default_test(population: Population) -> Test:
    """The test of a population where none is named.

    >>> default_test("documents").name
    'crossed-t'
    """
    return next(test for test in TESTS.own.values() if population in test.default_for)


def run_test(name: str, data: Fit | Floats, systems: Names, **options: object) -> Comparison:
    """The test of that name, of a fit (tukey) or of values[topic, system] (all others), with its options.

    >>> import numpy as np
    >>> values = np.array([[0.2, 0.5], [0.3, 0.4], [0.1, 0.6], [0.2, 0.6]])
    >>> run_test("t", values, ["a", "b"], correction="holm").p_adjusted.round(4).tolist()
    [0.0319]
    """
    test = known_test(name)
    if isinstance(data, Fit) != (test.needs == "fit"):
        raise DesignError(f"the test {name} takes {'a fit' if test.needs == 'fit' else 'values of topics and systems'}")
    if not test.is_of_pairs:
        check_correction(test, options.pop("correction", None))
    return test.function(data, systems, **options)


def check_correction(test: Test, correction: object) -> None:
    """Refuse a correction of a test that is of all pairs together."""
    if not test.is_of_pairs and correction not in (None, NONE.name):
        raise DesignError(f"{test.name} is of all pairs together: leave the correction '{correction}' out")


def check_sides(test: Test, sides: int) -> None:
    """Refuse one side of a test that has two."""
    if sides != 2 and "sides" not in test.takes:
        raise DesignError(f"the test {test.name} has two sides; with one side there is {' or '.join(taking('sides'))}")


def taking(option: str) -> list[str]:
    """The tests that take an option.

    >>> taking("sides")
    ['dunnett', 'randomization']
    """
    return [name for name, test in TESTS.items() if option in test.takes]


# what help texts say of all tests


def defaults_told(populations: Iterable[Population] = get_args(Population)) -> str:
    """Which test is taken where none is named.

    >>> defaults_told(("topics", "documents", "both"))
    'skewed-t for topics, crossed-t for documents and both'
    """
    by_test: dict[str, list[str]] = {}
    for population in populations:
        by_test.setdefault(default_test(population).name, []).append(population)
    return ", ".join(f"{name} for {listed(covered)}" for name, covered in by_test.items())


def corrections_told() -> str:
    """Which correction is taken where none is named.

    >>> corrections_told()
    'holm, bh with randomization (max-t, bootstrap-t, dunnett, tukey and randomised-tukey correct by themselves)'
    """
    own = [test for test in TESTS.values() if test.is_of_pairs and test.corrected_by is not DEFAULT]
    others = [f"{test.corrected_by.name} with {test.name}" for test in own]
    themselves = [test.name for test in TESTS.values() if not test.is_of_pairs]
    return f"{', '.join([DEFAULT.name, *others])} ({listed(themselves)} correct by themselves)"


def advice_told() -> str:
    """Which test when, a line for each that has its case; then corrections."""
    by_case: dict[str, list[Test]] = {}
    for test in TESTS.values():
        by_case.setdefault(test.when, []).append(test)
    lines = [f"- {', '.join(map(_corrected, tests))}: {when}." for when, tests in by_case.items() if when]
    lines += [f"- correction {record.name}: {record.when}." for record in CORRECTIONS.values() if record.when]
    usual = default_test("topics")
    first = f"{usual.name} with {usual.corrected_by.title}, for other topics"
    return "\n\n".join([f"Which test? If none is named, it is the right one for most: {first}.", *lines])


def _corrected(test: Test) -> str:
    return f"{test.name}, {test.corrected_by.name}" if test.is_of_pairs else test.name
