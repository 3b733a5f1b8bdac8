"""The options of `compare`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Annotated, ClassVar

from irgauge.errors import DesignError
from irgauge.inference.hierarchy import FAMILIES, Families, Standing
from irgauge.inference.margins import GivenMargin, margins_in
from irgauge.names import Correction, Test
from irgauge.options.fields import Help, refuse
from irgauge.studies.compare.paper_options import ForPaper
from irgauge.studies.remembering import Remembered
from irgauge.studies.sampling_options import OfSampling
from irgauge.studies.scale_options import Scaled, Transforming
from irgauge.studies.shared_options import (
    MARGIN,
    Covering,
    Levelled,
    OfSlices,
    OfTables,
    OfWordings,
    Sharded,
    corrections,
)

if TYPE_CHECKING:
    from irgauge.scoring.measures import Measure


def _tests() -> Iterable[str]:
    from irgauge.inference.tests.registry import TESTS

    return TESTS


def _test_told() -> str:
    from irgauge.inference.tests.registry import defaults_told

    return f"The test of pairs; if not given, {defaults_told()}."


def _correction_told() -> str:
    from irgauge.inference.tests.registry import corrections_told

    return f"Correction of p-values over the pairs; if not given {corrections_told()}."


def _families() -> Iterable[str]:
    return FAMILIES


def _family_told() -> str:
    ways = "; ".join(f"{name}, {explained}" for name, explained in FAMILIES.items())
    return f"What α is for, where there are several measures or populations: {ways}."


def _sides_told() -> str:
    return f"2; or 1 with the tests {_taking('sides')}: is the system better, and only that?"


def _draws_told() -> str:
    return f"Number of draws of {_taking('draws')}."


def _model_told() -> str:
    from irgauge.inference.tests.tukey import TUKEY

    return f"The model of the test {TUKEY.name}, MD1 to MD6 or a formula; MD6 with shards, MD1 without, if not given."


def _taking(option: str) -> str:
    from irgauge.inference.tests.registry import taking
    from irgauge.wording import listed

    return listed(taking(option))


def more_about() -> str:
    """Which test when, for the help of the command."""
    from irgauge.inference.tests.registry import advice_told

    return advice_told()


@dataclass(frozen=True, kw_only=True)
class CompareOptions(
    Sharded, Covering, Scaled, Transforming, Levelled, OfTables, OfWordings, OfSampling, OfSlices, Remembered, ForPaper
):
    """What is asked of a comparison."""

    usual: ClassVar[tuple[str, ...]] = ("AP",)  # measures of runs, where none is named

    measures: Annotated[
        Sequence[str | Measure] | str | Measure | None,
        Help(
            "A measure, such as AP or nDCG@10; repeatable. AP, or all of a table of scores, if not given. A table that "
            "does not say its measure, as a wide one, has the one that is named.",
            short="-m",
            flag="measure",
        ),
    ] = field(default=None, kw_only=False)
    baseline: Annotated[
        str | None,
        Help("Compare all systems with this one only, by its name or its file; differences are system − baseline."),
    ] = None
    margin: Annotated[GivenMargin | Mapping[str, GivenMargin] | None, MARGIN] = None
    test: Annotated[
        Test | None,
        Help(_test_told, names=_tests),
    ] = None
    correction: Annotated[
        Correction | None,
        Help(_correction_told, names=corrections),
    ] = None
    family: Annotated[Families, Help(_family_told, names=_families)] = "order"
    sides: Annotated[int, Help(_sides_told, least=1)] = 2
    worst: Annotated[int, Help("How many topics with the largest gains and losses to show.", least=0)] = 5
    model: Annotated[
        str | None,
        Help(_model_told),
    ] = None
    draws: Annotated[int, Help(_draws_told, least=1, most=10_000_000)] = 10_000

    @property
    def own_transform(self) -> str | None:
        """The transform of scores: as asked for, or that of the scale."""
        return self.scale or self.transform

    def __post_init__(self) -> None:
        if self.scale is not None and self.transform is not None:
            raise DesignError(f"the scale {self.scale} and the transform {self.transform} are given; leave one out")
        if self.worst < 0:
            raise DesignError(f"worst is {self.worst}; it is a number of topics, 0 or more")
        if self.sides == 1 and self.margin is not None:
            raise DesignError("verdicts against a margin have two sides; leave the margin out, or take 2 sides")
        if self.own_transform not in (None, "log") and any(margin.is_share for margin in margins_in(self.margin)):
            raise DesignError(
                f"the margin {self.margin} is a share of the baseline's mean, and by the transform {self.transform} a "
                "share means nothing; give a difference on that scale, or leave the transform out"
            )
        margins_in(self.margin)
        if self.variants is not None:
            refuse(self, ("shards",), "runs, and means over wordings are scores without them; leave it out")

    @property
    def own_standing(self) -> Standing:
        """How its claims stand: by itself it has the primary one, and all of α for the others."""
        return Standing()


@dataclass(frozen=True, kw_only=True)
class PageCompareOptions(CompareOptions):
    """What is asked of a comparison on a page, which may have other claims before it."""

    standing: Standing = field(default_factory=Standing)

    @property
    def own_standing(self) -> Standing:
        """How its claims stand on the page."""
        return self.standing
