"""The options of `robustness`."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

from irgauge.names import RobustnessPopulation, RobustnessTest
from irgauge.options.fields import Help
from irgauge.studies.shared_options import AllowsSparse, Filled, Levelled, OneMeasure, Scheduled, names, numbers

if TYPE_CHECKING:
    from irgauge.models.anova import Population

COUNTS = (2, 3, 4, 5, 10, 25, 50)
MODELS = ("MD2", "MD3", "MD4", "MD5", "MD6")
POPULATIONS: tuple[Population, ...] = ("topics", "documents", "both")


def _populations() -> Iterable[str]:
    return POPULATIONS


def tests() -> tuple[str, ...]:
    """The tests of splits: the usual ones, the paired t-test, and those of a model."""
    from irgauge.inference.tests.paired_t import PAIRED_T
    from irgauge.inference.tests.registry import TESTS, default_test

    of_models = (name for name, test in TESTS.items() if test.needs == "fit")
    return tuple(
        dict.fromkeys((*(default_test(population).name for population in POPULATIONS), PAIRED_T.name, *of_models))
    )


def _test_told() -> str:
    from irgauge.inference.tests.registry import defaults_told
    from irgauge.inference.tests.tukey import TUKEY

    papers = f"{TUKEY.name}, of models, is the paper's, also on the whole corpus"
    return f"The test of pairs; {defaults_told(POPULATIONS)}, if not given; {papers}."


@dataclass(frozen=True, kw_only=True)
class RobustnessOptions(OneMeasure, AllowsSparse, Scheduled, Filled, Levelled):
    """What is asked of the robustness of conclusions."""

    shards: Annotated[
        Sequence[int] | None,
        Help(
            "Numbers of random even shards; if not given 2, 3, 4, 5, 10, 25 and 50, but for those in which most scores "
            "are undefined.",
            read=numbers,
        ),
    ] = None
    resamples: Annotated[int, Help("Number of random splits into each number of shards.", least=1, most=100_000)] = 10
    population: Annotated[RobustnessPopulation, Help("What claims of splits cover.", names=_populations)] = "topics"
    test: Annotated[
        RobustnessTest | None,
        Help(_test_told, names=tests),
    ] = None
    models: Annotated[
        Sequence[str] | None,
        Help(
            "Models of the test tukey, simple ones first: MD2 to MD6 or formulas. If not given MD2 to MD6 for "
            "documents, and MD6 for topics and both, where all have the same error.",
            read=names,
        ),
    ] = None
