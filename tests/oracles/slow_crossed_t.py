"""The t-test of a pair on shards by its definition, number by number."""

from __future__ import annotations

import math
from statistics import fmean, variance

import numpy as np
from numpy.typing import NDArray
from scipy import optimize, stats

Values = NDArray[np.float64]  # topic, system, shard


def tested(y: Values, first: int, second: int, population: str) -> tuple[float, float, float]:
    """t of a pair, its degrees of freedom and its two-sided p, for other documents, or topics and documents."""
    d = y[:, first] - y[:, second]  # topic, shard
    error, df = _documents(y, d) if population in ("documents", "sources") else _both(y, d)
    t = float(d.mean()) / math.sqrt(error)
    return t, df, 2 * float(stats.t.sf(abs(t), df))


def of_a_kind(y: Values, first: int, second: int, population: str, level: float) -> tuple[float, float, float]:
    """t of a pair on shards that differ in kind, its p, and half the length of its interval at a level."""
    d = y[:, first] - y[:, second]  # topic, shard
    parts = _kinds(y, d, over_topics=population == "topics+shards")

    def reach(tail: float) -> float:
        return math.sqrt(sum(float(stats.t.isf(tail, df)) ** 2 * variance for variance, df in parts if variance > 0))

    size = abs(float(d.mean()))
    p = 2 * float(optimize.brentq(lambda tail: reach(tail) - size, 1e-14, 0.5, xtol=1e-16))
    return size / math.sqrt(sum(variance for variance, _ in parts)), p, reach(level / 2)


def _kinds(y: Values, d: Values, *, over_topics: bool) -> list[tuple[float, float]]:
    """The parts of the variance of the mean, of topics and of shards, with their degrees of freedom."""
    (topics, shards), systems = d.shape, y.shape[1]
    (ms_shard, _), (ms_cell, _) = _squares(y)
    own = topics * variance([float(d[:, k].mean()) for k in range(shards)])
    if over_topics:
        own = max(0.0, own - _left(d) / ((topics - 1) * (shards - 1)))
        shared = max(0.0, 2 * (ms_shard - ms_cell))
    else:
        shared = 2 * ms_shard
    means = y.mean(axis=0)  # system, shard
    squares = [
        sum((means[j, k] - means[j].mean() - means[:, k].mean() + means.mean()) ** 2 for k in range(shards))
        for j in range(systems)
    ]
    alike = sum(squares) ** 2 / sum(q * q for q in squares)
    df = shards - 1.0 if own > shared else (shards - 1) * max(1.0, alike - 1)
    over_shards = max(own, shared) / (topics * shards), df
    by_topic = variance([fmean(row) for row in d.tolist()]) / topics, topics - 1.0
    return [by_topic, over_shards] if over_topics else [over_shards]


def _documents(y: Values, d: Values) -> tuple[float, float]:
    """Each topic is a stratum: its shards are what varies, for the pair or for all pairs, whichever varies more."""
    topics, shards = d.shape
    systems = y.shape[1]
    own = [variance(row) for row in d.tolist()]
    freedom = (shards - 1) * (systems - 1)
    every = [2 * _left(y[i]) / freedom for i in range(topics)]
    mine = sum(own) > sum(every)
    parts, df = (own, shards - 1) if mine else (every, freedom)
    welch = (df + 2) * sum(parts) ** 2 / sum(v * v for v in parts) - 2
    return sum(parts) / (topics**2 * shards), max(float(df), min(welch, float(df * topics)))


def _left(topic: Values) -> float:
    """The squares of a topic's scores[system, shard] that neither its systems nor its shards explain."""
    systems, shards = topic.shape
    left = 0.0
    for j in range(systems):
        for k in range(shards):
            left += (topic[j, k] - topic[j].mean() - topic[:, k].mean() + topic.mean()) ** 2
    return left


def _both(y: Values, d: Values) -> tuple[float, float]:
    """Topics of the pair, shards of all systems."""
    topics, shards = d.shape
    own = shards * variance([fmean(row) for row in d.tolist()])
    (ms_shard, df_shard), (ms_cell, df_cell) = _squares(y)
    if ms_shard <= ms_cell:
        return own / (topics * shards), float(topics - 1)
    total = own + 2 * (ms_shard - ms_cell)
    parts = own**2 / (topics - 1) + (2 * ms_shard) ** 2 / df_shard + (2 * ms_cell) ** 2 / df_cell
    return total / (topics * shards), max(1.0, total**2 / parts)


def _squares(y: Values) -> tuple[tuple[float, int], tuple[float, int]]:
    """The mean squares of system:shard and of the residual, with their degrees of freedom."""
    topics, systems, shards = y.shape
    shard = cell = 0.0
    for j in range(systems):
        for k in range(shards):
            inter = y[:, j, k].mean() - y[:, j].mean() - y[:, :, k].mean() + y.mean()
            shard += topics * inter**2
            for i in range(topics):
                plain = y[i, j, k] - y[i, j].mean() - y[:, j, k].mean() - y[i, :, k].mean()
                cell += (plain + y[i].mean() + y[:, j].mean() + y[:, :, k].mean() - y.mean()) ** 2
    df = (systems - 1) * (shards - 1)
    return (shard / df, df), (cell / (df * (topics - 1)), df * (topics - 1))
