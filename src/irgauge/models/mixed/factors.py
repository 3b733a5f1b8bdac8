"""Values and the factors they belong to: a fixed factor and random ones, as integer codes, checked once.

A code is the number of a level. In a random factor −1 says that the value has no such effect: a deterministic algorithm
has no effect of its instance. A model whose effects cannot be separated is refused, and another one is named.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from irgauge.compute.arrays import Floats, Ints
from irgauge.errors import DesignError
from irgauge.models.checks import check_range

NO_EFFECT = -1
_EXACT = 64 * np.finfo(np.float64).eps  # values that differ by less than this, relatively, are the same


@dataclass(frozen=True, eq=False)
class Factor:
    """A random factor: the level of each value, numbered without gaps."""

    name: str
    codes: Ints  # value: its level, or NO_EFFECT
    used: Ints  # level: the number that it was given
    given: int  # numbers that were given, levels without values among them

    @property
    def size(self) -> int:
        """How many levels have values."""
        return len(self.used)


@dataclass(frozen=True, eq=False)
class FactorData:
    """Values with a fixed and several random factors, fit for a mixed model."""

    y: Floats  # value
    fixed: Ints  # value: its level of the fixed factor
    levels: int  # of the fixed factor
    random: tuple[Factor, ...]

    @classmethod
    def of(cls, y: ArrayLike, fixed: ArrayLike, random: Mapping[str, ArrayLike]) -> FactorData:
        """Check values and codes; DesignError says what these data cannot answer, and what to do.

        >>> data = FactorData.of([0.1, 0.4, 0.3, 0.5], [0, 1, 0, 1], {"topic": [7, 7, 9, 9]})
        >>> data.levels, data.random[0].size, data.random[0].codes.tolist()
        (2, 2, [0, 0, 1, 1])
        """
        values = _values(y)
        if not random:
            raise DesignError("a mixed model needs at least one random factor, such as topic")
        codes = _codes("the fixed factor", fixed, len(values), least=0)
        levels = _fixed_levels(codes, len(values))
        factors = tuple(_factor(name, column, len(values)) for name, column in random.items())
        data = cls(values, codes, levels, factors)
        _check_confounded(data)
        return data


def is_nested(inner: Ints, outer: Ints, size: int) -> bool:
    """Does each level of the inner factor, of `size` levels, lie within one level of the outer?

    >>> is_nested(np.array([0, 0, 1, 2]), np.array([0, 0, 0, 1]), 3), is_nested(np.array([0, 0]), np.array([0, 1]), 1)
    (True, False)
    """
    known = inner >= 0
    parent = np.full(size, -2)
    parent[inner[known]] = outer[known]  # one of several
    return bool((parent[inner[known]] == outer[known]).all())


def _values(y: ArrayLike) -> Floats:
    values = np.ascontiguousarray(y, np.float64)
    if values.ndim != 1 or len(values) == 0:
        raise DesignError(f"values have the shape {values.shape}; a mixed model needs a list of at least one value")
    if not np.isfinite(values).all():
        first = int(np.argmin(np.isfinite(values)))
        raise DesignError(f"value {first} is {values[first]}; leave out undefined values: a missing cell is allowed")
    if float(np.ptp(values)) <= _EXACT * float(np.abs(values).max()):
        raise DesignError("all values are the same: there is no variation to explain")
    check_range(values)
    return values


def _codes(what: str, given: ArrayLike, n: int, *, least: int) -> Ints:
    codes = np.asarray(given)
    if codes.shape != (n,):
        raise DesignError(f"{what} has the shape {codes.shape}; it must have one code for each of the {n} values")
    if not np.issubdtype(codes.dtype, np.integer):
        raise DesignError(f"{what} has codes of type {codes.dtype}; they must be whole numbers from {least}")
    if int(codes.min()) < least:
        raise DesignError(f"{what} has the code {codes.min()}; codes must be whole numbers from {least}")
    return np.ascontiguousarray(codes, np.int64)


def _fixed_levels(codes: Ints, n: int) -> int:
    counts = np.bincount(codes)
    if not counts.all():
        empty = int(np.argmin(counts))
        raise DesignError(f"level {empty} of the fixed factor has no values; leave it out and renumber the others")
    if n <= len(counts):
        raise DesignError(f"{n} values are too few for {len(counts)} fixed effects and a residual; give more values")
    return len(counts)


def _factor(name: str, given: ArrayLike, n: int) -> Factor:
    codes = _codes(f"the random factor '{name}'", given, n, least=NO_EFFECT)
    numbers = int(codes.max()) + 1
    if numbers > 64 * n + 1024:  # far too sparse for a table of all numbers
        used, inverse = np.unique(codes, return_inverse=True)
        absent = int(used[0] == NO_EFFECT)
        return _checked(Factor(name, inverse - absent, used[absent:], numbers))
    counts = np.bincount(codes + 1, minlength=numbers + 1)[1:]
    used = np.flatnonzero(counts)
    if len(used) < numbers:
        new = np.full(numbers + 1, NO_EFFECT)  # the last is for NO_EFFECT itself
        new[used] = np.arange(len(used))
        codes = new[codes]
    return _checked(Factor(name, codes, used, numbers))


def _checked(factor: Factor) -> Factor:
    if factor.size < 2:
        raise DesignError(
            f"the random factor '{factor.name}' has {factor.size} level: its variance needs at least 2; "
            "leave the factor out, or give more levels"
        )
    return factor


def _check_confounded(data: FactorData) -> None:
    """Refuse factors that are the fixed factor, the residual or another random factor in disguise."""
    reasons: dict[str, str] = {}
    for factor in data.random:
        if is_nested(data.fixed, factor.codes, data.levels):
            reasons[factor.name] = "has one level in each level of the fixed factor, and cannot be separated from it"
        elif factor.size == np.count_nonzero(factor.codes >= 0):
            reasons[factor.name] = "has one value in each level, and cannot be separated from the residual"
    kept = [factor for factor in data.random if factor.name not in reasons]
    for i, factor in enumerate(kept):
        for other in kept[:i]:
            if is_nested(factor.codes, other.codes, factor.size) and is_nested(other.codes, factor.codes, other.size):
                reasons[factor.name] = f"groups the values just as '{other.name}' does, and cannot be separated from it"
    if reasons:
        why = "; ".join(f"'{name}' {reason}" for name, reason in reasons.items())
        model = " + ".join(["fixed", *(factor.name for factor in data.random if factor.name not in reasons)])
        raise DesignError(f"the random factor {why}. Leave it out: the model {model} can be fitted")
