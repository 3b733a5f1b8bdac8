"""The copula of a pair of systems: the most likely of a grid of each family, and of these the one with the least AIC.

Families are those that VineCopula's BiCopSelect knows: normal, t, Clayton, Gumbel, Frank, Joe, BB1, BB6, BB7, BB8 and
both types of Tawn's, each of them also turned. As all collections have the same number of topics, ranks make a small
grid of places (u, v): the densities of all copulas are computed there once, and a likelihood is a sum of such numbers.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtri, stdtrit

from benchmarks.tests_of_means import archimedean, elliptical, tawn
from benchmarks.tests_of_means.archimedean import BB1, BB6, BB7, BB8, FRANK
from benchmarks.tests_of_means.stream import State
from irgauge.compute.arrays import Floats, Ints
from irgauge.compute.jit import kernel

NORMAL, STUDENT, TAWN = 5, 6, 7  # after the families of archimedean
NAMES = {BB1: "BB1", BB6: "BB6", BB7: "BB7", BB8: "BB8", FRANK: "Frank", NORMAL: "normal", STUDENT: "t", TAWN: "Tawn"}
_DEGREES = (2, 3, 4, 5, 6, 8, 10, 15, 20, 30)
_FINE, _COARSE = 60, 30  # values of the parameter of a family that has one; of each of two


class Grid(NamedTuple):
    """Copulas that a pair may have."""

    family: Ints
    a: Floats
    b: Floats
    parameters: Ints  # how many were fitted

    @classmethod
    def whole(cls) -> Grid:
        """All of them; dependence is positive."""
        family, a, b, parameters = np.array([row for part in _parts() for row in part]).T
        return cls(family.astype(np.int64), a.copy(), b.copy(), parameters.astype(np.int64))


def _parts() -> Iterator[list[tuple[float, ...]]]:
    """The families with the bounds that VineCopula sets, or nearly so."""
    rho = np.sin(np.linspace(0.01, 0.97, _FINE) * np.pi / 2)  # even in Kendall's τ
    yield [(NORMAL, r, 0.0, 1) for r in rho]
    yield [(STUDENT, r, df, 2) for r in rho for df in _DEGREES]
    yield [(FRANK, a, 0.0, 1) for a in np.geomspace(0.1, 35, _FINE)]
    yield [(BB1, a, 1.0, 1) for a in np.geomspace(0.02, 28, _FINE)]  # Clayton
    yield [(BB6, 1.0, b, 1) for b in _from_one(17, _FINE)]  # Gumbel
    yield [(BB6, a, 1.0, 1) for a in _from_one(30, _FINE)]  # Joe
    yield [(BB1, a, b, 2) for a in np.geomspace(0.05, 7, _COARSE) for b in _from_one(7, _COARSE)]
    yield [(BB6, a, b, 2) for a in _from_one(6, _COARSE) for b in _from_one(8, _COARSE)]
    yield [(BB7, a, b, 2) for a in _from_one(6, _COARSE) for b in np.geomspace(0.05, 28, _COARSE)]
    yield [(BB8, a, b, 2) for a in _from_one(8, _COARSE) for b in np.linspace(0.03, 0.99, _COARSE)]
    yield [(TAWN, a, b, 2) for a in _from_one(20, _COARSE) for b in np.linspace(0.03, 0.99, _COARSE)]


def _from_one(most: float, count: int) -> Floats:
    return 1 + np.geomspace(0.03, most - 1, count)


def densities(grid: Grid, topics: int) -> NDArray[np.float32]:
    """The logarithm of the density of each copula where the ranks of u and v meet; rank, rank, copula."""
    u = np.arange(1, topics + 1) / (topics + 1)
    quantiles = np.stack([stdtrit(df, u) for df in range(1, max(_DEGREES) + 1)])
    return _densities(grid.family, grid.a, grid.b, u, ndtri(u), quantiles)


@kernel(makes_arrays=True)
def _densities(
    family: Ints, a: Floats, b: Floats, u: Floats, x: Floats, quantiles: Floats
) -> NDArray[np.float32]:  # normal quantiles x[rank]; quantiles[df - 1, rank] of t
    found = np.empty((len(u), len(u), len(family)), np.float32)
    for i in range(len(u)):
        for j in range(len(u)):
            for k in range(len(family)):
                if family[k] == NORMAL:
                    found[i, j, k] = elliptical.normal_log_density(a[k], x[i], x[j])
                elif family[k] == STUDENT:
                    own = quantiles[int(b[k]) - 1]
                    found[i, j, k] = elliptical.t_log_density(a[k], b[k], own[i], own[j])
                elif family[k] == TAWN:
                    found[i, j, k] = tawn.log_density(a[k], b[k], u[i], u[j])
                else:
                    found[i, j, k] = archimedean.log_density(family[k], a[k], b[k], u[i], u[j])
    return found


@kernel(makes_arrays=True)
def fitted(ranks: Ints, first: Ints, second: Ints, table: NDArray[np.float32], parameters: Ints) -> Ints:
    """The copula of each pair, by ranks[system, topic] from 0 on; found[pair]: row, turn, whether swapped.

    A turn of 1 takes 1 − u for u, one of 2 takes 1 − v for v, and one of 3 does both.
    """
    found = np.zeros((len(first), 3), np.int64)
    sums, last = np.empty(table.shape[2], np.float32), table.shape[0] - 1
    for pair in range(len(first)):
        i, j, best = ranks[first[pair]], ranks[second[pair]], np.inf
        for kind in range(4):
            turn, swapped = 3 * (kind // 2), kind % 2
            if _goes_against(i, j):
                turn = 1 + kind // 2
            _add_up(i, j, last if turn & 1 else 0, last if turn & 2 else 0, swapped, table, sums)
            for row in range(len(sums)):
                aic = 2 * parameters[row] - 2 * sums[row]
                if aic < best:
                    best = aic
                    found[pair, 0], found[pair, 1], found[pair, 2] = row, turn, swapped
    return found


@kernel
def _goes_against(i: Ints, j: Ints) -> bool:
    """Whether one system's ranks fall where the other's rise; both have all ranks."""
    total, n = 0, len(i)
    for topic in range(n):
        total += i[topic] * j[topic]
    return 4 * total < n * (n - 1) ** 2


@kernel
def _add_up(
    i: Ints, j: Ints, last_u: int, last_v: int, swapped: int, table: NDArray[np.float32], sums: NDArray[np.float32]
) -> None:
    """The logarithm of the likelihood of each copula; ranks are turned that have a last one."""
    sums[:] = 0
    for topic in range(len(i)):
        u, v = abs(last_u - i[topic]), abs(last_v - j[topic])
        if swapped:
            u, v = v, u
        for row in range(len(sums)):
            sums[row] += table[u, v, row]


@kernel
def draw(family: int, a: float, b: float, turn: int, swapped: int, s: State) -> tuple[float, float]:
    """Two numbers from a copula."""
    if family == NORMAL:
        u, v = elliptical.draw_normal(a, s)
    elif family == STUDENT:
        u, v = elliptical.draw_t(a, int(b), s)
    elif family == TAWN:
        u, v = tawn.draw(a, b, s)
    else:
        u, v = archimedean.draw(family, a, b, s)
    if swapped:
        u, v = v, u
    return 1 - u if turn & 1 else u, 1 - v if turn & 2 else v
