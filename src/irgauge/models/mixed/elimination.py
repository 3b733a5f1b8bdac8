"""Solves the normal equations of a mixed model for given θ_k = σ_k/σ, and draws their solution with its noise.

With u_k = θ_k b_k and b ~ N(0, σ²), the equations of (b, β) are

    | ΛZ'ZΛ + I   ΛZ'X |  | b |     | ΛZ'y |
    |  X'ZΛ        X'X |  | β |  =  |  X'y |

Cholesky's factor is taken bundle by bundle, then of the core less what the bundles explain (Schur's complement); see
`crossproducts`. Loops run along rows and skip zeros, of which a bundle has many: its factors are nested.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from irgauge.compute.arrays import Floats, Ints
from irgauge.compute.jit import kernel
from irgauge.models.mixed.crossproducts import Equations


class Triangle(NamedTuple):
    """Cholesky's factor U, with U'U the matrix of the equations, and U'⁻¹ times their right-hand side."""

    gram: Floats  # U of bundle after bundle, as Equations.gram
    rhs: Floats  # of bundle after bundle, as Equations.rhs
    cross: Floats  # coordinate of a coupled bundle, core
    core: Floats  # core, core: its upper triangle
    core_rhs: Floats  # core
    scale: Floats  # core: θ of its factor, or 1 for a fixed effect
    at: Ints  # room for numbers of rows


class Solved(NamedTuple):
    """What the REML criterion is made of."""

    log_det: float  # log |ΛZ'ZΛ + I|
    log_det_fixed: float  # log |X'V⁻¹X|, V the covariance of the values over σ²
    r2: float  # the least of ‖y − Xβ − ZΛb‖² + ‖b‖²


class Products(NamedTuple):
    """Of a draw of the effects: what draws of the variances need."""

    b2: Floats  # factor: ‖b_k‖²
    zz: Floats  # factor, factor: u_k'Z_k'Z_l u_l
    zx: Floats  # factor, fixed effect: u_k'Z_k'X
    zy: Floats  # factor: u_k'Z_k'y
    reach: Floats  # factor, core: u_k'Z_k' times the columns of the core, for factors of the bundles
    effect: Floats  # coordinate of the longest bundle: room for a column


def allocate(system: Equations) -> Triangle:
    """Room for the factor."""
    return Triangle(
        np.empty_like(system.gram),
        np.empty_like(system.rhs),
        np.empty_like(system.cross),
        np.empty_like(system.core),
        np.empty_like(system.core_rhs),
        np.ones(len(system.core)),
        np.empty(max(len(system.cross), len(system.core)), np.int64),
    )


@kernel(from_python=False)
def _subtract(target: Floats, rows: Floats, j: int, count: int, at: Ints) -> None:
    """target −= Σ rows[i, j] rows[i, j:] over the first `count` rows but for those with a 0 there, four at a time."""
    nonzeros = 0
    for i in range(count):
        if rows[i, j] != 0.0:
            at[nonzeros] = i
            nonzeros += 1
    four = nonzeros - nonzeros % 4
    for q in range(0, four, 4):
        w, x, y, z = rows[at[q], j:], rows[at[q + 1], j:], rows[at[q + 2], j:], rows[at[q + 3], j:]
        a, b, c, d = w[0], x[0], y[0], z[0]
        for k in range(len(target)):
            target[k] -= a * w[k] + b * x[k] + c * y[k] + d * z[k]
    for q in range(four, nonzeros):
        w = rows[at[q], j:]
        a = w[0]
        for k in range(len(target)):
            target[k] -= a * w[k]


@kernel(from_python=False)
def _load_core(system: Equations, theta: Floats, to: Triangle) -> None:
    random, size = len(system.core_of), len(system.core)
    for i in range(random):
        to.scale[i] = theta[system.core_of[i]]
    for i in range(size):
        to.core_rhs[i] = to.scale[i] * system.core_rhs[i]
        for j in range(i, size):
            to.core[i, j] = to.scale[i] * system.core[i, j] * to.scale[j]
        if i < random:
            to.core[i, i] += 1.0


@kernel(from_python=False)
def _factorise(upper: Floats, at: Ints) -> float:
    """Cholesky's factor in place, in the upper triangle, and log |U|."""
    log_root = 0.0
    for i in range(len(upper)):
        row = upper[i, i:]
        _subtract(row, upper, i, i, at)
        pivot = math.sqrt(row[0])
        log_root += math.log(pivot)
        for j in range(len(row)):
            row[j] /= pivot
    return log_root


@kernel(from_python=False)
def _forward(upper: Floats, rows: Floats) -> None:
    """U'⁻¹ rows in place."""
    for i in range(len(upper)):
        for column in range(rows.shape[1]):
            rows[i, column] /= upper[i, i]
        for k in range(i + 1, len(upper)):
            factor = upper[i, k]
            if factor != 0.0:
                for column in range(rows.shape[1]):
                    rows[k, column] -= factor * rows[i, column]


@kernel(from_python=False)
def _backward(upper: Floats, x: Floats) -> None:
    """U⁻¹ x in place."""
    for i in range(len(upper) - 1, -1, -1):
        for k in range(i + 1, len(upper)):
            x[i] -= upper[i, k] * x[k]
        x[i] /= upper[i, i]


@kernel(from_python=False)
def _load_bundle(system: Equations, theta: Floats, b: int, upper: Floats, rhs: Floats) -> None:
    first, d = system.start[b], len(upper)
    for i in range(d):
        scale = theta[system.of[first + i]]
        for column in range(rhs.shape[1]):
            rhs[i, column] = scale * system.rhs[system.rhs_at[b] + i * rhs.shape[1] + column]
        for j in range(i, d):
            gram = system.gram[system.gram_at[b] + i * d + j]
            upper[i, j] = scale * gram * theta[system.of[first + j]]
        upper[i, i] += 1.0


@kernel(from_python=False)
def _couple(system: Equations, theta: Floats, b: int, upper: Floats, rhs: Floats, to: Triangle) -> None:
    """Take what a bundle explains off the right-hand side of the core."""
    first = system.start[b]
    rows = to.cross[first : first + len(upper)]
    for i in range(len(upper)):
        scale = theta[system.of[first + i]]
        for j in range(rows.shape[1]):
            rows[i, j] = scale * system.cross[first + i, j] * to.scale[j]
    _forward(upper, rows)
    for i in range(len(upper)):
        for j in range(rows.shape[1]):
            to.core_rhs[j] -= rows[i, j] * rhs[i, 0]


@kernel
def eliminate(system: Equations, theta: Floats, to: Triangle) -> Solved:
    """Cholesky's factor of the equations for θ, and what it says of the likelihood."""
    _load_core(system, theta, to)
    log_root, explained = 0.0, 0.0
    for b in range(len(system.copies)):
        d, width = system.start[b + 1] - system.start[b], system.width[b]
        upper = to.gram[system.gram_at[b] : system.gram_at[b + 1]].reshape(d, d)
        rhs = to.rhs[system.rhs_at[b] : system.rhs_at[b + 1]].reshape(d, width)
        _load_bundle(system, theta, b, upper, rhs)
        log_root += system.copies[b] * _factorise(upper, to.at)
        _forward(upper, rhs)
        for i in range(d):
            for column in range(width):
                explained += rhs[i, column] * rhs[i, column]
        if b < system.coupled:
            _couple(system, theta, b, upper, rhs, to)
    for j in range(len(to.core)):
        _subtract(to.core[j, j:], to.cross, j, len(to.cross), to.at)
    total = _factorise(to.core, to.at)
    _forward(to.core, to.core_rhs.reshape(-1, 1))
    log_fixed = 0.0
    for i in range(len(to.core)):
        explained += to.core_rhs[i] * to.core_rhs[i]
        if i >= len(system.core_of):
            log_fixed += math.log(to.core[i, i])
    return Solved(2.0 * (log_root + total - log_fixed), 2.0 * log_fixed, system.yy - explained)


def no_products(system: Equations) -> Products:
    """Room for the products of a draw."""
    k, size, longest = len(system.levels), len(system.core), int(np.max(np.diff(system.start)))
    fixed = size - len(system.core_of)
    return Products(
        np.empty(k), np.empty((k, k)), np.empty((k, fixed)), np.empty(k), np.empty((k, size)), np.empty(longest)
    )


@kernel(from_python=False)
def _add_core(system: Equations, scale: Floats, x: Floats, products: Products) -> None:
    """The products of the effects of the core with each other, with the data, and with those of the bundles."""
    random = len(system.core_of)
    for k in range(len(system.levels)):
        for j in range(random):
            product = products.reach[k, j] * scale[j] * x[j]
            products.zz[k, system.core_of[j]] += product
            products.zz[system.core_of[j], k] += product
        for j in range(random, len(x)):
            products.zx[k, j - random] = products.reach[k, j]
    for i in range(random):
        k, u = system.core_of[i], scale[i] * x[i]
        products.b2[k] += x[i] ** 2
        products.zy[k] += u * system.core_rhs[i]
        for j in range(random):
            if system.core[i, j] != 0.0:
                products.zz[k, system.core_of[j]] += u * system.core[i, j] * scale[j] * x[j]
        for j in range(random, len(x)):
            products.zx[k, j - random] += u * system.core[i, j]


@kernel(from_python=False)
def _add_column(system: Equations, theta: Floats, b: int, column: int, products: Products) -> None:
    """The products of a vector of effects of a bundle with each other, and with its column of Z'y."""
    first, d, width = system.start[b], system.start[b + 1] - system.start[b], system.width[b]
    effect = products.effect
    for i in range(d):
        k = system.of[first + i]
        u = theta[k] * effect[i]
        products.b2[k] += effect[i] ** 2
        if column < width:
            products.zy[k] += u * system.rhs[system.rhs_at[b] + i * width + column]
        for j in range(d):
            gram = system.gram[system.gram_at[b] + i * d + j]
            if gram != 0.0:
                products.zz[k, system.of[first + j]] += u * gram * theta[system.of[first + j]] * effect[j]


@kernel(from_python=False)
def _columns(copies: int, width: int, d: int) -> int:
    """How many vectors of effects represent all copies: those with data, and a root of the others' products."""
    return width + min(copies - width, d)


@kernel(makes_arrays=True, from_python=False)
def _noise(rng: np.random.Generator, i: int, column: int, rest: int, d: int) -> float:
    """Standard normal; of the `rest` copies without data only the products count, which are Wishart.

    Its root is triangular, with χ on the diagonal (Bartlett 1933), where there are more copies than coordinates.
    """
    if column < 0 or rest <= d:
        return rng.standard_normal()
    if i > column:
        return rng.standard_normal()
    if i == column:
        return math.sqrt(2.0 * rng.standard_gamma(0.5 * (rest - column)))
    return 0.0


@kernel(makes_arrays=True, from_python=False)
def draw(
    system: Equations,
    theta: Floats,
    of: Triangle,
    sigma: float,
    rng: np.random.Generator,
    x: Floats,
    products: Products,
) -> None:
    """Draw (b, β) from N(solution, σ² (U'U)⁻¹): the core into x, and the products of all effects.

    U(b, β)' = U'⁻¹ right-hand side + σ ζ, ζ ~ N(0, I), from the last row up.
    """
    for i in range(len(x)):
        x[i] = of.core_rhs[i] + sigma * rng.standard_normal()
    _backward(of.core, x)
    products.b2[:] = 0.0
    products.zz[:] = 0.0
    products.zy[:] = 0.0
    products.reach[:] = 0.0
    for b in range(len(system.copies)):
        first, width, copies = system.start[b], system.width[b], system.copies[b]
        d = system.start[b + 1] - first
        upper = of.gram[system.gram_at[b] : system.gram_at[b + 1]].reshape(d, d)
        effect = products.effect[:d]
        for column in range(_columns(copies, width, d)):
            for i in range(d):
                known = of.rhs[system.rhs_at[b] + i * width + column] if column < width else 0.0
                effect[i] = known + sigma * _noise(rng, i, column - width, copies - width, d)
                if b < system.coupled:
                    effect[i] -= _dot(of.cross, first + i, x)
            _backward(upper, effect)
            _add_column(system, theta, b, column, products)
        if b < system.coupled:
            for i in range(d):
                _reach(system, first + i, theta[system.of[first + i]] * effect[i], products)
    _add_core(system, of.scale, x, products)


@kernel(from_python=False)
def _dot(rows: Floats, i: int, x: Floats) -> float:
    """rows[i] · x, in four sums that do not wait for each other."""
    a = b = c = d = 0.0
    four = len(x) - len(x) % 4
    for j in range(0, four, 4):
        a += rows[i, j] * x[j]
        b += rows[i, j + 1] * x[j + 1]
        c += rows[i, j + 2] * x[j + 2]
        d += rows[i, j + 3] * x[j + 3]
    for j in range(four, len(x)):
        a += rows[i, j] * x[j]
    return a + b + c + d


@kernel(from_python=False)
def _reach(system: Equations, coordinate: int, u: float, products: Products) -> None:
    k = system.of[coordinate]
    for j in range(len(system.core)):
        products.reach[k, j] += u * system.cross[coordinate, j]


@kernel(makes_arrays=True, from_python=False)
def draw_normal(q: Floats, c: Floats, rng: np.random.Generator) -> None:
    """Put a draw of N(Q⁻¹c, Q⁻¹) in the place of c; Q is lost."""
    k = len(c)
    for i in range(k):  # Cholesky's factor, and the right-hand side with it
        for j in range(i):
            c[i] -= q[j, i] * c[j]
            for m in range(i, k):
                q[i, m] -= q[j, i] * q[j, m]
        pivot = math.sqrt(q[i, i])
        c[i] /= pivot
        for m in range(i, k):
            q[i, m] /= pivot
    for i in range(k - 1, -1, -1):
        c[i] += rng.standard_normal()
        for m in range(i + 1, k):
            c[i] -= q[i, m] * c[m]
        c[i] /= q[i, i]
