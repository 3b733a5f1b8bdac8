"""A measure as a function of a ranked list: of the grades in it, and of all grades that the topic has.

What is a Python function is called for each list, which is slow; what numba compiled is compiled into a loop over them.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from irgauge.compute.arrays import Floats, Ints
from irgauge.compute.jit import for_others, kernel
from irgauge.errors import DesignError
from irgauge.scoring.catalogue.record import Record, Values
from irgauge.scoring.direction import Direction, checked
from irgauge.scoring.kernels import Base, Bases, HitLists, Hits, Scale
from irgauge.scoring.measures import ROUNDING

F = TypeVar("F", bound=Callable[..., Any])
_ARGUMENTS = "it is called with the grades of a list by rank, and with all grades of the topic, the highest first"


@dataclass(frozen=True)
class ListFunction:
    """A function of a list's grades in the place of a kernel, and what its scores may be."""

    name: str
    function: Callable[..., float]
    has_cutoff: bool
    range: tuple[float, float] | None

    def __call__(self, hits: Hits, base: Base, scale: Scale) -> float:
        """The score of one hit list."""
        raise NotImplementedError  # lists are scored by the loop

    def loop(self) -> Callable[[HitLists, Bases, Ints, Scale, Floats], None]:
        """What scores every list: values[system, replicate], NaN where a topic lacks the relevant document it needs."""
        score_lists = _loop_over(self.function, has_cutoff=self.has_cutoff)

        def scored(lists: HitLists, topic: Bases, relevant: Ints, scale: Scale, values: Floats) -> None:
            try:
                score_lists(lists, topic.counts, relevant, scale, values)
            except MemoryError:
                raise
            except Exception as error:
                first = (str(error) or "no message").splitlines()[0]
                called = f"{_ARGUMENTS}{', and with k' if self.has_cutoff else ''}"
                raise DesignError(
                    f"the measure {self.name} failed ({type(error).__name__}: {first}); {called}, and gives a number"
                ) from error
            self._check(values[:, relevant > 0] if scale.needs_relevant else values)

        return scored

    def _check(self, scores: Floats) -> None:
        """Refuse what is no score, or not one that the measure can have."""
        wrong = scores[~np.isfinite(scores)]
        if wrong.size:
            raise DesignError(f"the measure {self.name} gave {wrong[0]}; a score is a finite number")
        least, largest = self.range or (-math.inf, math.inf)
        wrong = scores[(scores < least - ROUNDING) | (scores > largest + ROUNDING)]
        if wrong.size:
            raise DesignError(
                f"the measure {self.name} gave {wrong[0]}, outside of its range from {least:g} to {largest:g}; mend "
                "the function or the range (None: there is none)"
            )


def _loop_over(function: Callable[..., float], *, has_cutoff: bool) -> Callable[..., None]:
    """The loop over lists around a function; compiled if the function is."""

    def without_cutoff(grades: Floats, judged: Floats, _: int) -> float:
        return function(grades, judged)

    compiled = for_others if hasattr(function, "py_func") else _as_it_is
    score = function if has_cutoff else compiled(without_cutoff)

    def score_lists(lists: HitLists, counts: NDArray[np.int32], relevant: Ints, scale: Scale, values: Floats) -> None:
        for system in range(values.shape[0]):
            for replicate in range(values.shape[1]):
                if scale.needs_relevant and relevant[replicate] == 0:
                    values[system, replicate] = np.nan
                    continue
                i = system * values.shape[1] + replicate
                judged = _judged_grades(counts, replicate, scale)
                values[system, replicate] = score(_list_grades(lists, i, scale), judged, scale.cutoff)

    return compiled(score_lists)


@kernel(makes_arrays=True)
def _list_grades(lists: HitLists, i: int, scale: Scale) -> Floats:
    """The grades of one list, by rank."""
    grades = np.empty(lists.lengths[i])
    for place in range(len(grades)):
        grades[place] = scale.constants[0]  # that of the unjudged
    for hit in range(lists.bounds[i], lists.bounds[i + 1]):
        grades[lists.ranks[hit] - 1] = scale.gains[lists.levels[hit]]
    return grades


@kernel(makes_arrays=True)
def _judged_grades(counts: NDArray[np.int32], replicate: int, scale: Scale) -> Floats:
    """The grades of all judged documents in a replicate, the highest first."""
    total = 0
    for level in range(len(scale.order)):
        total += counts[replicate, level]
    grades, place = np.empty(total), 0
    for level in scale.order:
        for _ in range(counts[replicate, level]):
            grades[place] = scale.gains[level]
            place += 1
    return grades


def _as_it_is(function: F) -> F:
    return function


def list_measure(
    name: str,
    function: Callable[..., float],
    *,
    title: str,
    explanation: str,
    range: tuple[float, float] | None,  # noqa: A002  # the word for it
    direction: Direction,
    has_cutoff: bool = False,
    needs_relevant: bool = True,
    unjudged: float = 0.0,
) -> Record:
    """A measure of your own, to be registered: a function of the grades of a ranked list.

    The function is given two arrays of numbers: the grades of the list's documents by rank, and the grades of all
    documents that are judged for the topic, the highest first; with `has_cutoff`, also k, as in `Mine@10`. It must give
    a finite number within the range, and depend on nothing else. In a shard or an image it is given what is there: a
    document that an image has twice is in both arrays twice.

    Parameters
    ----------
    name : a text
        How it is written, with a capital letter: such as `Mine`.
    function : a function
        Plain Python, or compiled by `numba.njit`, which is some hundred times faster.
    title : a text
        What it is called in a sentence, such as "average precision".
    explanation : a text
        What it means, for `irgauge measures`.
    range : two numbers or None
        The least and the largest score; None where there is none.
    direction : 'higher' or 'lower'
        Which scores are better.
    has_cutoff : True or False, default False
        Whether it is written with a cut-off.
    needs_relevant : True or False, default True
        Whether it is undefined where a topic has no document of grade 1 or higher: the function is not called there.
    unjudged : a number, default 0.0
        The grade in lists of documents that are not judged; `math.nan` tells them apart from those of grade 0.

    >>> import irgauge as ig
    >>> first = list_measure("First", lambda grades, judged: float(len(grades) > 0 and grades[0] >= 1), title="first",
    ...     explanation="1 if the first document is relevant.", range=(0, 1), direction="higher")
    >>> first.name, first.range
    ('First', (0.0, 1.0))
    """
    _check_parts(name, function, explanation, range, direction)
    return Record(
        name,
        title,
        explanation,
        ListFunction(
            name, function, has_cutoff, within := None if range is None else (float(range[0]), float(range[1]))
        ),
        cutoff="required" if has_cutoff else "none",
        judged=True,
        length=True,
        needs_relevant=needs_relevant,
        range=within,
        gains=_grades,
        constants=partial(_constants, float(unjudged)),
        direction=direction,
    )


def _grades(grades: Ints, values: Values) -> Floats:  # noqa: ARG001  # one signature for all
    return grades.astype(np.float64)


def _constants(unjudged: float, values: Values) -> tuple[float, ...]:  # noqa: ARG001  # one signature for all
    return (unjudged,)


def _check_parts(
    name: str, function: object, explanation: str, within: tuple[float, float] | None, direction: str
) -> None:
    if not callable(function):
        raise DesignError(f"the measure {name} needs a function; {_ARGUMENTS}")
    if not explanation.strip():
        raise DesignError(f"the measure {name} needs an explanation: a sentence on what it means")
    if within is not None and not (len(within) == 2 and math.isfinite(within[1] - within[0]) and within[0] < within[1]):
        raise DesignError(f"the range of {name} is {within}; it is two numbers, the lower first, or None")
    checked(direction, name)
