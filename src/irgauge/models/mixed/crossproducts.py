"""The normal equations of a mixed model, from counts of factor levels, taken apart as far as the design allows.

    y = Xβ + Σ Z_k u_k + ε,  u_k ~ N(0, σ_k²),  ε ~ N(0, σ²)

All that estimates need of n values is Z'Z, Z'X, X'X, Z'y, X'y and y'y. They are brought into this form:

* A *bundle* is a level of a factor with the levels nested in it, such as a topic with its topic:algorithm effects. Two
  bundles have no value in common, so that each is eliminated by itself, whatever their number.
* The *core* is what is left: the levels of the other factors (instances), and the fixed effects.
* Levels that meet all others equally often are *copies*: rotated to their mean and their contrasts, only the mean has
  to do with the rest; the contrasts are independent of all else and of each other, and share one small matrix. In
  balanced data everything is a copy, and a few numbers are left of thousands of effects.

Bates, Mächler, Bolker and Walker, "Fitting linear mixed-effects models using lme4", J. Statist. Softw. 67, 2015.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise
from typing import NamedTuple

import numpy as np

from irgauge.compute.arrays import Floats, Ints
from irgauge.models.mixed.factors import Factor, FactorData, is_nested


class Equations(NamedTuple):
    """The normal equations. Bundle b has its coordinates start[b] to start[b + 1]; the coupled bundles come first."""

    n: int  # values
    yy: float  # y'y
    levels: Ints  # factor
    start: Ints  # bundle, and one more
    of: Ints  # coordinate: its factor
    gram_at: Ints  # bundle: where its Z'Z starts in gram
    gram: Floats  # Z'Z of bundle after bundle, each coordinate × coordinate
    copies: Ints  # bundle: how many independent vectors of effects share its Z'Z
    width: Ints  # bundle: columns of its Z'y; the Z'y of its other copies are 0
    rhs_at: Ints  # bundle: where its Z'y starts in rhs
    rhs: Floats  # Z'y of bundle after bundle, each coordinate × column
    coupled: int  # bundles that share values with the core
    cross: Floats  # coordinate of a coupled bundle, core: Z'Z and Z'X
    core_of: Ints  # random effect of the core: its factor
    core: Floats  # core, core: Z'Z, Z'X and X'X; the fixed effects come last
    core_rhs: Floats  # core: Z'y and X'y


@dataclass(frozen=True, eq=False)
class Copies:
    """Bundles, or levels of a factor of the core, that meet all others equally often."""

    members: Ints  # coordinate, copy: its place among all coordinates of bundles, or among those of the core
    level: Ints  # coordinate, copy: the level of its factor
    of: Ints  # coordinate: its factor
    gram: Floats  # coordinate, coordinate
    rhs: Floats  # coordinate, copy

    @property
    def number(self) -> int:
        """How many copies there are."""
        return self.rhs.shape[1]


@dataclass(frozen=True, eq=False)
class CrossProducts:
    """The normal equations of the values, centred and scaled, and the levels behind their coordinates."""

    data: FactorData
    mean: float
    scale: float  # y = mean + scale · what the system is of
    system: Equations
    bundles: tuple[Copies, ...]
    core: tuple[Copies, ...]

    @classmethod
    def of(cls, data: FactorData) -> CrossProducts:
        """Count levels, once for all estimates.

        >>> codes = np.indices((5, 2, 3)).reshape(3, -1)  # topic, algorithm, run
        >>> random = {"topic": codes[0], "instance": codes[1] * 3 + codes[2]}
        >>> cross = CrossProducts.of(FactorData.of(np.random.default_rng(1).random(30), codes[1], random))
        >>> [len(copies.rhs[0]) for copies in cross.bundles], [len(copies.rhs[0]) for copies in cross.core]
        ([3, 3], [5])
        """
        mean, scale = float(data.y.mean()), float(data.y.std())
        y = (data.y - mean) / scale
        counts = _count(data, y)
        bundles, core = _bundle_copies(data, counts), _core_copies(counts)
        return cls(data, mean, scale, _system(data, y, counts, bundles, core), bundles, core)


def _division(random: Sequence[Factor]) -> tuple[list[int], list[int]]:
    """The factors of the bundles, each nested in the next, with as many levels as possible; and those of the core."""
    order = sorted(range(len(random)), key=lambda k: -random[k].size)
    best: list[int] = []
    for length in range(1, len(order) + 1):
        for chain in combinations(order, length):
            pairs = [(random[a], random[b]) for a, b in pairwise(chain)]
            if all(is_nested(a.codes, b.codes, a.size) and _is_within(a, b) for a, b in pairs):
                best = max(best, list(chain), key=lambda chain: sum(random[k].size for k in chain))
    return best, [k for k in order if k not in best]


def _is_within(inner: Factor, outer: Factor) -> bool:
    return not bool(((inner.codes >= 0) & (outer.codes < 0)).any())


class _Counts(NamedTuple):
    """How often levels meet, before copies are looked for."""

    inner: list[int]  # the factors of the bundles, each nested in the next
    of: Ints  # coordinate of the bundles: its factor
    level: Ints  # coordinate of the bundles: its level
    cross: Floats  # coordinate of the bundles, core
    rhs: Floats  # coordinate of the bundles
    core_of: Ints  # random effect of the core: its factor
    core_level: Ints  # random effect of the core: its level
    core: Floats  # core, core
    core_rhs: Floats  # core


def _count(data: FactorData, y: Floats) -> _Counts:
    inner, outer = _division(data.random)
    bundles = [data.random[k].codes for k in inner]
    core = [*(data.random[k].codes for k in outer), data.fixed]
    inner_sizes = [data.random[k].size for k in inner]
    core_sizes = [*(data.random[k].size for k in outer), data.levels]
    return _Counts(
        inner,
        np.repeat(inner, inner_sizes),
        np.concatenate([np.arange(size) for size in inner_sizes]),
        _met(bundles, inner_sizes, core, core_sizes),
        _totals(bundles, inner_sizes, y),
        np.repeat(np.array(outer, np.int64), core_sizes[:-1]),
        np.concatenate([np.arange(size) for size in core_sizes[:-1]] or [np.empty(0, np.int64)]),
        _met(core, core_sizes, core, core_sizes),
        _totals(core, core_sizes, y),
    )


def _met(rows: Sequence[Ints], heights: Sequence[int], columns: Sequence[Ints], widths: Sequence[int]) -> Floats:
    """How many values each level of some factors shares with each level of others."""
    counts = np.zeros((sum(heights), sum(widths)))
    for row, top, height in zip(rows, _starts(heights), heights, strict=True):
        for column, left, width in zip(columns, _starts(widths), widths, strict=True):
            known = (row >= 0) & (column >= 0)
            met = np.bincount(row[known] * width + column[known], minlength=height * width)
            counts[top : top + height, left : left + width] = met.reshape(height, width)
    return counts


def _totals(rows: Sequence[Ints], heights: Sequence[int], y: Floats) -> Floats:
    """The sum of the values of each level."""
    parts = [np.bincount(row + 1, y, height + 1)[1:] for row, height in zip(rows, heights, strict=True)]
    return np.concatenate(parts)


def _starts(sizes: Sequence[int]) -> list[int]:
    return [sum(sizes[:i]) for i in range(len(sizes))]


def _bundle_copies(data: FactorData, counts: _Counts) -> tuple[Copies, ...]:
    """The bundles, equal ones together: those whose levels, in some order, meet the core equally often."""
    parents = _parents(data, counts.inner)
    row = _numbered([level.tobytes() for level in counts.cross])
    place = np.searchsorted(np.flatnonzero(np.diff(counts.of)), np.arange(len(row)))  # of its factor, the finest first
    order = np.lexsort((row, place, parents[:, -1]))  # bundle after bundle
    start = np.searchsorted(parents[order, -1], np.unique(parents[:, -1]))
    position = np.empty(len(order), np.int64)
    position[order] = np.arange(len(order)) - np.repeat(start, np.diff(start, append=len(order)))  # in its bundle
    key = np.column_stack([counts.of, row, position[parents]])[order]  # coordinate, what it is like
    groups = _grouped([block.tobytes() for block in np.split(key, start[1:])])
    stop = np.append(start, len(order))[1:]
    return tuple(
        _bundle(counts, np.array([order[start[b] : stop[b]] for b in group]).T, position[parents]) for group in groups
    )


def _bundle(counts: _Counts, members: Ints, parents: Ints) -> Copies:
    """Equal bundles with the coordinates members[coordinate, copy]; a level shares all its values with its parents."""
    first = members[:, 0]
    size = counts.cross[first, -(len(counts.core) - len(counts.core_of)) :].sum(axis=1)
    gram = np.zeros((len(first), len(first)))
    for i, own in enumerate(first):
        gram[i, parents[own]] = gram[parents[own], i] = size[i]
    return Copies(members, counts.level[members], counts.of[first], gram, counts.rhs[members])


def _parents(data: FactorData, inner: Sequence[int]) -> Ints:
    """parents[coordinate, c]: the coordinate of the c-th factor that it is nested in; itself where c is not coarser."""
    codes, sizes = [data.random[k].codes for k in inner], [data.random[k].size for k in inner]
    starts, total = _starts(sizes), sum(sizes)
    parents = np.repeat(np.arange(total)[:, None], len(inner), axis=1)
    for a in range(len(inner)):
        for b in range(a + 1, len(inner)):
            has = codes[a] >= 0
            parents[starts[a] + codes[a][has], b] = starts[b] + codes[b][has]
    return parents


def _core_copies(counts: _Counts) -> tuple[Copies, ...]:
    """The random effects of the core, equal ones together."""
    cross = np.ascontiguousarray(counts.cross.T)  # core, coordinate of the bundles
    fixed = np.ones(len(counts.core) - len(counts.core_of), bool)
    others = {int(k): counts.core[:, np.append(counts.core_of != k, fixed)] for k in np.unique(counts.core_of)}
    keys = [
        k.to_bytes(8, "big") + cross[i].tobytes() + others[k][i].tobytes()
        for i, k in enumerate(counts.core_of.tolist())
    ]
    return tuple(
        Copies(
            members := np.array([group]),
            counts.core_level[members],
            counts.core_of[group[:1]],
            counts.core[group[:1], group[:1]][:, None],
            counts.core_rhs[members],
        )
        for group in _grouped(keys)
    )


def _numbered(keys: Sequence[bytes]) -> Ints:
    """Equal keys get equal numbers."""
    seen: dict[bytes, int] = {}
    return np.array([seen.setdefault(key, len(seen)) for key in keys], np.int64)


def _grouped(keys: Sequence[bytes]) -> list[list[int]]:
    """The places of equal keys, together."""
    groups: dict[bytes, list[int]] = {}
    for place, key in enumerate(keys):
        groups.setdefault(key, []).append(place)
    return list(groups.values())


def _system(
    data: FactorData, y: Floats, counts: _Counts, bundles: Sequence[Copies], core: Sequence[Copies]
) -> Equations:
    """Means of copies, which are coupled, then their contrasts, which are not."""
    coupled = [(bundle.of, bundle.gram, 1, _mean(bundle.rhs)) for bundle in bundles]
    apart = [
        (group.of, group.gram, group.number - 1, _contrasts(group.rhs))
        for group in (*bundles, *core)
        if group.number > 1
    ]
    of, gram, copies, rhs = zip(*coupled, *apart, strict=True)
    cross, between = _coupling(counts, bundles, core)
    fixed = counts.core_rhs[len(counts.core_of) :]
    return Equations(
        n=len(y),
        yy=float(np.square(y).sum()),
        levels=np.array([factor.size for factor in data.random]),
        start=_offsets([len(block) for block in of]),
        of=np.concatenate(of),
        gram_at=_offsets([block.size for block in gram]),
        gram=np.concatenate([block.ravel() for block in gram]),
        copies=np.array(copies),
        width=np.array([block.shape[1] for block in rhs]),
        rhs_at=_offsets([block.size for block in rhs]),
        rhs=np.concatenate([block.ravel() for block in rhs]),
        coupled=len(coupled),
        cross=cross,
        core_of=np.array([group.of[0] for group in core], np.int64),
        core=between,
        core_rhs=np.concatenate([*(_mean(group.rhs)[0] for group in core), fixed]),
    )


def _coupling(counts: _Counts, bundles: Sequence[Copies], core: Sequence[Copies]) -> tuple[Floats, Floats]:
    """Z'Z and Z'X of the means of m copies: with all others √m times that of one copy."""
    fixed = np.arange(len(counts.core_of), len(counts.core))
    columns = np.concatenate([*(group.members[0, :1] for group in core), fixed])
    rows = np.concatenate([bundle.members[:, 0] for bundle in bundles])
    by_column = np.sqrt(np.concatenate([[group.number for group in core], np.ones(len(fixed))]))
    by_row = np.sqrt(np.repeat([bundle.number for bundle in bundles], [len(bundle.of) for bundle in bundles]))
    cross = counts.cross[np.ix_(rows, columns)] * by_row[:, None] * by_column
    between = counts.core[np.ix_(columns, columns)] * by_column[:, None] * by_column
    np.fill_diagonal(between, np.diag(counts.core)[columns])
    return np.ascontiguousarray(cross), np.ascontiguousarray(between)


def _offsets(sizes: Sequence[int]) -> Ints:
    return np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)


def _mean(rhs: Floats) -> Floats:
    return np.asarray(rhs.sum(axis=1, keepdims=True) / math.sqrt(rhs.shape[1]))


def _contrasts(rhs: Floats) -> Floats:
    """Z'y of the contrasts of copies, rotated among these so that no more columns than coordinates are not 0.

    The reflection that takes (1, …, 1)/√m to the first axis takes the copies to their mean and m − 1 contrasts.

    >>> round(float(_contrasts(np.array([[1.0, 2.0, 6.0]]))[0, 0] ** 2), 9)  # Σ(x − 3)²
    14.0
    """
    m = rhs.shape[1]
    v = np.full(m, 1 / math.sqrt(m))
    v[0] += 1.0
    rotated = rhs - np.outer(rhs @ v, v) * (2 / (v @ v))
    contrasts = rotated[:, 1:]  # coordinate, contrast
    if contrasts.shape[1] > len(rhs):
        contrasts = np.asarray(np.linalg.qr(contrasts.T, mode="r")).T  # has the same products of rows
    return np.ascontiguousarray(contrasts)
