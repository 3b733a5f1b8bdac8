"""The options of `plan`, among them components of variance that are given instead of data."""

from __future__ import annotations

import math
import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, ClassVar, Literal

from irgauge.choices import nearest
from irgauge.errors import DesignError, InputError
from irgauge.names import Correction, PlanReplicates
from irgauge.options.fields import Help, refuse
from irgauge.reading.judges import GivenJudges
from irgauge.reading.options import ReadsCorpus
from irgauge.studies.judge_options import OfJudgments, Pairs
from irgauge.studies.sampling_options import OfSampling
from irgauge.studies.scale_options import Scaled, scales
from irgauge.studies.shared_options import (
    MANIFEST,
    PATTERN,
    Covering,
    Levelled,
    OfSlices,
    OfTables,
    OfWordings,
    OneMeasure,
    Sharded,
    corrections,
)

NAMES = (
    "topic",
    "system",
    "shard",
    "topic:system",
    "topic:shard",
    "system:shard",
    "instance",
    "residual",
)


OF_DIFFERENCES = ("topic:system", "system:shard", "instance", "residual")  # the others cancel in a difference


def read_components(text: str) -> dict[str, float]:
    """Components as they are typed.

    >>> read_components("topic:system=0.01, residual=0.004")
    {'topic:system': 0.01, 'residual': 0.004}
    """
    components: dict[str, float] = {}
    for part in text.split(","):
        name, equals, value = (piece.strip() for piece in part.partition("="))
        if not equals:
            raise InputError(f"'{part.strip()}' is no component; write name=variance, such as topic:system=0.01")
        if name in components:
            raise InputError(f"'{name}' is there twice; write it once")
        try:
            components[name] = float(value)
        except ValueError:
            raise InputError(f"'{value}' of {name} is not a number; write it like 0.01") from None
    return components


def checked_components(components: Mapping[str, float]) -> dict[str, float]:
    """Components that an experiment can have; names have their factors in one order."""
    variances = {_name(name): float(variance) for name, variance in components.items()}
    for name, variance in variances.items():
        if not 0 <= variance < math.inf:
            raise DesignError(f"the variance {variance} of {name} is not possible; it is 0 or more, such as 0.01")
    if "instance" in variances and any("shard" in name for name in variances):
        raise DesignError("shards and instances were both given; plan for one of them, and leave the other out")
    if sum(variances.get(name, 0.0) for name in OF_DIFFERENCES) == 0:
        raise DesignError(f"no variance of differences was given; name one of {', '.join(OF_DIFFERENCES)}")
    return variances


def _name(text: str) -> str:
    order = {"topic": 0, "system": 1, "shard": 2}
    name = ":".join(sorted(text.strip().lower().split(":"), key=lambda factor: order.get(factor, 3)))
    if name not in NAMES:
        message = f"there is no component '{text}'; did you mean '{nearest(text, NAMES)}'?"
        raise DesignError(f"{message} There are {', '.join(NAMES)}")
    return name


REPLICATES = ("shards", "instances")


def _replicates() -> Iterable[str]:
    return REPLICATES


def _amount(text: str) -> float:
    """A margin that is typed.

    >>> _amount("2%")
    Traceback (most recent call last):
    irgauge.errors.DesignError: a plan takes a margin as a number: of a mean of 0.5, 2% is 0.01; '2%' was given
    """
    try:
        return float(text)
    except ValueError:
        how = "a plan takes a margin as a number: of a mean of 0.5, 2% is 0.01"
        raise DesignError(f"{how}; '{text}' was given") from None


@dataclass(frozen=True, kw_only=True)
class PlanOptions(
    OneMeasure,
    Sharded,
    Covering,
    Scaled,
    Levelled,
    OfTables,
    OfWordings,
    OfSampling,
    OfSlices,
    OfJudgments,
    ReadsCorpus,
):
    """What is asked of a plan."""

    sampled: ClassVar[bool] = False
    pairs: ClassVar[Pairs] = "all"  # each side's own judgments count, as in `judges` if nothing else is asked

    scale: Annotated[
        Literal["log"] | None,
        Help(
            "log: plan for ratios of scores above 0, such as latencies, by their logarithms; a width, a difference or "
            "a margin is then a ratio above 1, such as 1.05.",
            names=scales,
        ),
    ] = None
    by: Annotated[
        Sequence[str] | str | None,
        Help("A column of topics (repeatable): what is needed on every kind of topics, all of them tested together."),
    ] = None
    judge: Annotated[
        GivenJudges | None,
        Help(
            "Judgments by someone else, such as a language model: a file, or NAME=FILE. Plan for topics by people, and "
            "others by this judge alone."
        ),
    ] = None
    components: Annotated[
        Mapping[str, float] | str | None,
        Help(
            "Variance components of a score, instead of data: name=variance of topic:system, system:shard, instance, "
            "residual, and of system, topic, shard, topic:shard for the reliability of rankings.",
            read=read_components,
            metavar="NAME=VARIANCE,...",
        ),
    ] = None
    width: Annotated[float | None, Help("Goal: an interval of a pair's difference within ± this.")] = None
    difference: Annotated[float | None, Help("Goal: find a true difference of this size, with the power.")] = None
    margin: Annotated[
        float | None,
        Help(
            "Goal: show that two equal systems differ by less than this, with the power.",
            read=_amount,
            metavar="NUMBER",
        ),
    ] = None
    sequential: Annotated[
        bool,
        Help("With --margin: how many topics `gate --sequential` takes until it is decided, against one look."),
    ] = False
    power: Annotated[float, Help("The chance with which the next experiment finds or shows it.")] = 0.8
    assurance: Annotated[
        float,
        Help("The chance that the next experiment reaches the goal, as the pilot knows variances only so well."),
    ] = 0.8
    reliability: Annotated[
        float, Help("The reliability of the ranking, Eρ² and Φ, for which the topics needed are told.")
    ] = 0.95
    systems: Annotated[
        int | None,
        Help(
            "Systems of the next experiment, whose pairs the level is shared by; as in the data if not given.",
            least=2,
            most=1_000_000,
        ),
    ] = None
    baseline: Annotated[str | None, Help("Compare all systems with this one only.")] = None
    correction: Annotated[
        Correction,
        Help("Correction over the pairs of the next experiment: its first step is planned for.", names=corrections),
    ] = "holm"
    manifest: Annotated[str | os.PathLike[str] | None, MANIFEST] = None
    pattern: Annotated[Sequence[str] | str | None, PATTERN] = None
    replicates: Annotated[PlanReplicates, Help("What replicates of a table of scores are.", names=_replicates)] = (
        "shards"
    )
    cost_topic: Annotated[float, Help("What a topic costs, without its judgments.")] = 0.0
    cost_judgment: Annotated[float, Help("What a judgment costs.")] = 0.0
    judgments: Annotated[
        float | None,
        Help("Judgments of a topic, with shards in each of them; as many as in the qrels if not given."),
    ] = None
    cost_judged: Annotated[float, Help("What a topic costs by the judge.")] = 0.0
    cost_instance: Annotated[float, Help("What one more instance of one random system costs, on all topics.")] = 0.0
    cost_wording: Annotated[float, Help("What one more wording of one topic costs (with variants).")] = 0.0
    labels: Mapping[str, Sequence[str | None]] | None = None  # run -> algorithm, instance and group; from Python only

    def __post_init__(self) -> None:
        from irgauge.models.generalizability import check_target
        from irgauge.planning.sizes import check_chance

        check_chance("power", self.power)
        check_chance("assurance", self.assurance)
        check_target(self.reliability)
        if len(self.goals) > 1:
            raise DesignError(f"{' and '.join(self.goals)} were asked for; a plan has one goal at a time")
        if self.scale is not None:
            self._check_scale()
        self.check_judgments()
        if self.judge is None:
            refuse(self, ("grades", "duplicates", "cost_judged"), "a judge, and none is given; leave it out")
        if self.components is not None:
            checked_components(self.typed)

    @property
    def typed(self) -> Mapping[str, float]:
        """The components, read if they are a text."""
        components = self.components
        return read_components(components) if isinstance(components, str) else components or {}

    @property
    def goals(self) -> dict[str, float]:
        """The goals that are given, by their names."""
        by_name = {"width": self.width, "difference": self.difference, "margin": self.margin}
        return {name: value for name, value in by_name.items() if value is not None}

    def _check_scale(self) -> None:
        """Refuse goals that are no ratios, and what has no scores of topics."""
        for name, value in self.goals.items():
            if not 1 < value < math.inf:
                raise DesignError(f"on a log scale the {name} is a ratio above 1, such as 1.05; {value:g} was given")
        if self.components is not None or self.judge is not None or self.has_instances:
            raise DesignError("a log scale is of scores, not of components, judges or instances; leave it out")
        if self.sequential:
            raise DesignError("a plan of many looks (sequential) is for differences, not ratios; leave one out")

    def goal_value(self, name: str) -> float:
        """A goal on the scale of scores: of a ratio its logarithm."""
        return self.goals[name] if self.scale is None else math.log(self.goals[name])

    @property
    def has_instances(self) -> bool:
        """Whether replicates are instances of random systems."""
        return (self.manifest, self.pattern, self.labels) != (None,) * 3 or self.replicates == "instances"
