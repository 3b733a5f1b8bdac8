"""Tukey's test of shards under each population, by the definition and scipy."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray
from scipy.stats import studentized_range

Values = NDArray[np.float64]  # topic, system, shard
Error = tuple[float, float]  # a mean square and its degrees of freedom


def differing(values: Values, population: str) -> tuple[list[int], NDArray[np.bool_]]:
    """The order of systems, and which pairs of them differ by Tukey's test, by the definition and scipy."""
    topics, systems, shards = values.shape
    square, nu = _error(values, population)
    width = studentized_range.ppf(0.95, systems, nu) * math.sqrt(square / (topics * shards))
    means = values.mean(axis=(0, 2))
    order = np.argsort(-means, kind="stable")
    return order.tolist(), np.abs(means[order][:, None] - means[order]) > width


def _error(values: Values, population: str) -> Error:
    """What the means are tested against: topics, shards, or both of them as a sample; else the residual."""
    topics, systems, shards = values.shape
    mean = values.mean()
    t, s, k = values.mean(axis=(1, 2)), values.mean(axis=(0, 2)), values.mean(axis=(0, 1))
    e_ts = values.mean(axis=2) - t[:, None] - s + mean
    df_ts = (topics - 1) * (systems - 1)
    ts = shards * float((e_ts**2).sum()) / df_ts, float(df_ts)
    if population == "topics":
        return ts
    e_sk = values.mean(axis=0) - s[:, None] - k + mean
    e_tk = values.mean(axis=1) - t[:, None] - k + mean
    df_sk = (systems - 1) * (shards - 1)
    sk = topics * float((e_sk**2).sum()) / df_sk, float(df_sk)
    if population == "shards":
        return sk
    left = values - mean - (t - mean)[:, None, None] - (s - mean)[:, None] - (k - mean)
    left = left - e_ts[:, :, None] - e_sk - e_tk[:, None, :]
    df_cell = df_ts * (shards - 1)
    cell = float((left**2).sum()) / df_cell, float(df_cell)
    return cell if population in ("documents", "sources") else _together(ts, sk, cell)


def _together(ts: Error, sk: Error, cell: Error) -> Error:
    """The sum of two mean squares less that of the cells, by Satterthwaite; never less than the larger."""
    both = ts[0] + sk[0] - cell[0]
    if both <= max(ts[0], sk[0]):
        return max(ts, sk)
    return both, both**2 / sum(ms**2 / df for ms, df in (ts, sk, cell))
