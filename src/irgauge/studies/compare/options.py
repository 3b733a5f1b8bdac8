"""The options of `compare`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Annotated, ClassVar

from irgauge.errors import DesignError
from irgauge.inference.margins import GivenMargin, margins_in
from irgauge.options import Told
from irgauge.studies.asked import MARGIN, Covering, Levelled, Sharded, corrections

if TYPE_CHECKING:
    from irgauge.scoring.measures import Measure


def _tests() -> Iterable[str]:
    from irgauge.inference.pairwise import TESTS

    return TESTS


@dataclass(frozen=True, kw_only=True)
class Asked(Sharded, Covering, Levelled):
    """What is asked of a comparison."""

    usual: ClassVar[tuple[str, ...]] = ("AP",)  # measures of runs, where none is named

    measures: Annotated[
        Sequence[str | Measure] | str | Measure | None,
        Told(
            "A measure, such as AP or nDCG@10; repeatable. AP, or all of a table of scores, if not given.",
            short="-m",
            flag="measure",
        ),
    ] = field(default=None, kw_only=False)
    baseline: Annotated[
        str | None,
        Told("Compare all systems with this one only, by its name or its file; differences are system − baseline."),
    ] = None
    margin: Annotated[GivenMargin | Mapping[str, GivenMargin] | None, MARGIN] = None
    test: Annotated[
        str | None,
        Told(
            "The test of pairs; if not given, t for topics, crossed-t for documents and both, tukey for shards.",
            names=_tests,
        ),
    ] = None
    correction: Annotated[
        str | None,
        Told(
            "Correction of p-values over the pairs; if not given holm, bh with randomization (tukey, max-t, dunnett: "
            "none).",
            names=corrections,
        ),
    ] = None
    measures_family: Annotated[bool, Told("Correct over the measures too: all claims by all measures together.")] = (
        False
    )
    sides: Annotated[
        int, Told("2; or 1 with the tests dunnett and randomization: is the system better, and only that?", least=1)
    ] = 2
    worst: Annotated[int, Told("How many topics with the largest gains and losses to show.", least=0)] = 5
    model: Annotated[
        str | None,
        Told("The model of Tukey's test, MD1 to MD6 or a formula; MD6 with shards, MD1 without, if not given."),
    ] = None
    draws: Annotated[
        int, Told("Number of draws of max-t, randomization and randomised-tukey.", least=1, most=10_000_000)
    ] = 10_000

    def __post_init__(self) -> None:
        if self.worst < 0:
            raise DesignError(f"worst is {self.worst}; it is a number of topics, 0 or more")
        if self.sides == 1 and self.margin is not None:
            raise DesignError("verdicts against a margin have two sides; leave the margin out, or take 2 sides")
        margins_in(self.margin)
