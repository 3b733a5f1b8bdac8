"""What irgauge knows of a measure: its record, its parameters, those that several take, and the gains of grades."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np

from irgauge.compute.arrays import Floats, Ints
from irgauge.errors import DesignError
from irgauge.scoring.catalogue.unjudged import Unjudged
from irgauge.scoring.direction import HIGHER, Direction
from irgauge.scoring.kernels import MeasureKernel

QRELS = "qrels"  # as `max_rel`: the highest grade of the qrels
Summary = Literal["mean", "geometric mean", "sum"]
Values = Mapping[str, Any]  # of all parameters of a measure, defaults included
_LARGEST = 1e100  # of a parameter
_LARGEST_WHOLE = 2**53  # all whole numbers up to here are exact


@dataclass(frozen=True)
class Parameter:
    """A parameter of a measure: its default, what is allowed, and what it means."""

    default: Any
    allowed: str
    accepts: Callable[[Any], bool]
    explanation: str


def lowest_relevant(values: Values) -> int:
    """The lowest grade that counts as relevant."""
    return int(values.get("rel") or 1)


def binary_gains(grades: Ints, values: Values) -> Floats:
    """1 for a relevant document."""
    return (grades >= lowest_relevant(values)).astype(np.float64)


def grade_gains(grades: Ints, values: Values) -> Floats:  # noqa: ARG001  # one signature for all
    """The grade itself."""
    return np.maximum(grades, 0).astype(np.float64)


def highest_grade(grades: Ints, values: Values) -> int:
    """The highest grade: as given, or that of the qrels."""
    return max(int(grades.max()), 1) if values["max_rel"] == QRELS else int(values["max_rel"])


def scaled_gains(grades: Ints, values: Values) -> Floats:
    """The grade's place between `min_rel`, which gains 0, and `max_rel`, which gains 1."""
    least, largest = values["min_rel"], highest_grade(grades, values)
    if least >= largest:
        raise DesignError(f"min_rel={least} is not below the highest grade, {largest}; lower min_rel")
    return np.asarray((np.clip(grades, least, largest) - least) / (largest - least), np.float64)


def own_gains(gains: Floats, grades: Ints, values: Values) -> Floats:
    """The gains, but of the grades for which others were given."""
    own = values["gains"] or {}
    return np.array([own.get(int(grade), gain) for grade, gain in zip(grades, gains, strict=True)], np.float64)


def no_discount(ranks: Floats, values: Values) -> Floats:  # noqa: ARG001  # one signature for all
    """1 at every rank."""
    return np.ones_like(ranks)


def as_is(discounts: Floats, cutoff: int) -> Floats:  # noqa: ARG001  # one signature for all
    """The weights of gains where a score is their sum, each times its discount; rank, from the first on."""
    return discounts


def no_constants(values: Values) -> tuple[float, ...]:  # noqa: ARG001  # one signature for all
    """A kernel that needs no numbers of its own."""
    return ()


def unbounded(values: Values, cutoff: int) -> float:  # noqa: ARG001  # one signature for all
    """Where gains are not compared with the most that is possible."""
    return math.inf


@dataclass(frozen=True)
class Diversity:
    """What a measure of diversity makes of subtopics."""

    best: Callable[[Values, int], float] = unbounded  # what one subtopic can gain at most, given the cut-off
    is_relative: bool = False  # to the gain of the topic's ideal list


@dataclass(frozen=True)
class Record:
    """All that irgauge knows of a measure."""

    name: str
    title: str
    explanation: str
    kernel: MeasureKernel
    cutoff: Literal["none", "optional", "required"] = "optional"
    at: str | None = None  # the parameter that @ sets, where it is not the cut-off; required if it has no default
    parameters: Mapping[str, Parameter] = field(default_factory=dict)
    aliases: tuple[str, ...] = ()  # trec_eval's name first; `{k}` stands for the cut-off
    judged: bool = False  # needs the judged documents that are not relevant too
    length: bool = False  # needs the length of lists too, and so what comes below their last hit
    needs_relevant: bool = True  # undefined where the topic has no relevant document
    range: tuple[float, float] | None = (0.0, 1.0)  # the least and the largest score; None where there is none
    range_with: tuple[str, ...] = ()  # parameters without which scores reach the highest gain, if that is above 1
    gains: Callable[[Ints, Values], Floats] = binary_gains
    discounts: Callable[[Floats, Values], Floats] = no_discount
    weights: Callable[[Floats, int], Floats] | None = None  # of gains by rank, where scores are their sums: see `as_is`
    constants: Callable[[Values], tuple[float, ...]] = no_constants  # other numbers that the kernel takes
    depth: int = 0  # the rank down to which the kernel needs discounts at least, however short lists are
    over_topics: Summary = "mean"  # how trec_eval sums up topics; "geometric mean": the scores are logarithms
    diversity: Diversity | None = None  # needs judgments by subtopic
    unjudged: Unjudged | None = None  # by which rule scores have bounds whatever unjudged documents are; None: by none
    direction: Direction | None = HIGHER  # which scores are better; None: neither
    direction_with: Mapping[str, Direction | None] = field(default_factory=dict)  # parameter, if set -> another
    formula: str = ""  # of a topic's score, in LaTeX; the page of measures says what its letters mean

    def direction_of(self, values: Values) -> Direction | None:
        """Which scores are better with these parameters; None: neither."""
        others = [other for name, other in self.direction_with.items() if values[name] not in (None, False)]
        return others[0] if others else self.direction


def is_whole(value: object) -> bool:
    """Whether a value is a whole number that can be computed with."""
    return isinstance(value, int) and not isinstance(value, bool) and abs(value) <= _LARGEST_WHOLE


def is_number(value: object) -> bool:
    """Whether a value is a finite number."""
    return isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < _LARGEST


def _is_gain_mapping(value: object) -> bool:
    return (
        isinstance(value, dict)
        and bool(value)
        and all(is_whole(g) and is_number(v) and v >= 0 for g, v in value.items())
    )


def switch(explanation: str) -> Parameter:
    """A parameter that is off unless it is set."""
    return Parameter(default=False, allowed="True or False", accepts=_is_bool, explanation=explanation)


def _is_bool(value: object) -> bool:
    return isinstance(value, bool)


REL = Parameter(1, "a whole number from 1", lambda v: is_whole(v) and v >= 1, "lowest grade that counts as relevant")
MAX_REL = Parameter(
    QRELS,
    "a whole number from 1, or 'qrels'",
    lambda v: v == QRELS or (is_whole(v) and v >= 1),
    "highest grade; 'qrels': that of the qrels",
)
MIN_REL = Parameter(0, "a whole number from 0", lambda v: is_whole(v) and v >= 0, "highest grade that gains nothing")
JUDGED_ONLY = switch("leave documents that are not judged out of the lists")
GOAL = Parameter(1, "a number from 0.01 to 1e6", lambda v: is_number(v) and 0.01 <= v <= 1e6, "gain looked for")
PERSISTENCE = Parameter(0.8, "a number between 0 and 1", lambda v: is_number(v) and 0 < v < 1, "persistence")
GAINS = Parameter(
    None,
    "a mapping from grades to gains of at least 0, such as {1: 1, 2: 5}",
    _is_gain_mapping,
    "gains of grades, in place of those that they have",
)
RELEVANCE = {"rel": REL, "judged_only": JUDGED_ONLY}
GRADES = {"min_rel": MIN_REL, "max_rel": MAX_REL, "judged_only": JUDGED_ONLY}
