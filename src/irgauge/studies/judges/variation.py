"""Judges as a sample of judges: how much of a score is which judge was asked, and what holds for others like these."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from irgauge.brief import OneLine
from irgauge.compute.arrays import Floats
from irgauge.errors import DesignError
from irgauge.inference.comparison import Comparison
from irgauge.inference.tests.crossed_t import CROSSED_T
from irgauge.inference.tests.record import Experiment
from irgauge.models.generalizability import Components, MeanSquares
from irgauge.studies.judge_sides import Sides

LEAST_JUDGES = 3  # fewer do not show how much such judges differ
POPULATION = "topics+judges"


@dataclass(frozen=True)
class JudgeComponent:
    """A term of a score by a judge, and the variance that comes from it."""

    component: str
    variance: float
    share: float  # of the variance of a score


@dataclass(frozen=True, eq=False, repr=False)
class JudgeVariation(OneLine):
    """Systems by several judges, each a sample of judges like these."""

    in_line: ClassVar[tuple[str, ...]] = ("judges", "topics")

    judges: tuple[str, ...]
    topics: int  # that all of them judged
    components: tuple[JudgeComponent, ...]
    comparison: Comparison  # of pairs, for other topics and other judges like these
    families: int  # that share α with it

    @property
    def of_judges(self) -> float:
        """The share of the variance that depends on which judge was asked, but for what nothing explains."""
        return sum(own.share for own in self.components if "judge" in own.component and own.component.count(":") < 2)

    @property
    def better(self) -> tuple[tuple[str, str], ...]:
        """The pairs that differ, the better system first."""
        ahead = zip(self.comparison.names, self.comparison.difference > 0, self.comparison.significant, strict=True)
        return tuple(names if up else names[::-1] for names, up, found in ahead if found)

    def component_rows(self) -> Iterator[dict[str, Any]]:
        """For frames and JSON."""
        yield from (vars(own) for own in self.components)


def variation_of(
    sides: Sequence[Sides], systems: tuple[str, ...], alpha: float, baseline: str | None, families: int
) -> JudgeVariation | None:
    """The variation over judges on the topics that all judged; None for few judges, topics, or nothing that varies."""
    common = [topic for topic in sides[0].topics if all(topic in side.topics for side in sides)] if sides else []
    if len(sides) < LEAST_JUDGES or len(common) < LEAST_JUDGES or len(systems) < 2:
        return None
    values = np.stack([_on(side, common) for side in sides], axis=2)  # topic, system, judge
    try:
        components = Components.of(MeanSquares.from_values(values))
    except DesignError:  # all judges say the same of every system everywhere
        return None
    correction = CROSSED_T.corrected_by.name
    experiment = Experiment(values, systems, "topics+shards", alpha / families, correction, baseline)
    each = tuple(
        JudgeComponent(_named(term), variance, components.share(term)) for term, variance in components.variance.items()
    )
    return JudgeVariation(
        tuple(side.judge for side in sides), len(common), each, CROSSED_T.compare(experiment), families
    )


def _on(side: Sides, topics: Sequence[str]) -> Floats:
    places = {topic: i for i, topic in enumerate(side.topics)}
    return side.judged[[places[topic] for topic in topics]]


def _named(term: str) -> str:
    return term.replace("shard", "judge")
