"""Tukey's test of shards under each population, by the definition and scipy."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray
from scipy.stats import studentized_range


def differing(values: NDArray[np.float64], population: str) -> tuple[list[int], NDArray[np.bool_]]:
    """The order of systems, and which pairs of them differ by Tukey's test, by the definition and scipy."""
    topics, systems, shards = values.shape
    mean = values.mean()
    t, s, k = values.mean(axis=(1, 2)), values.mean(axis=(0, 2)), values.mean(axis=(0, 1))
    ts, sk, tk = values.mean(axis=2), values.mean(axis=0), values.mean(axis=1)
    e_ts = ts - t[:, None] - s + mean
    e_sk = sk - s[:, None] - k + mean
    e_tk = tk - t[:, None] - k + mean
    cell = values - mean - (t - mean)[:, None, None] - (s - mean)[:, None] - (k - mean)
    cell = cell - e_ts[:, :, None] - e_sk - e_tk[:, None, :]
    df = {"ts": (topics - 1) * (systems - 1), "sk": (systems - 1) * (shards - 1)}
    df["cell"] = df["ts"] * (shards - 1)
    ms = {"ts": shards * (e_ts**2).sum(), "sk": topics * (e_sk**2).sum(), "cell": (cell**2).sum()}
    ms = {name: value / df[name] for name, value in ms.items()}
    both = ms["ts"] + ms["sk"] - ms["cell"]
    freedom = both**2 / sum(ms[name] ** 2 / df[name] for name in ms)
    if both <= max(ms["ts"], ms["sk"]):
        larger = max(("ts", "sk"), key=ms.__getitem__)
        both, freedom = ms[larger], df[larger]
    error = {"documents": (ms["cell"], df["cell"]), "topics": (ms["ts"], df["ts"]), "both": (both, freedom)}
    square, nu = error[population]
    width = studentized_range.ppf(0.95, systems, nu) * math.sqrt(square / (topics * shards))
    order = np.argsort(-s, kind="stable")
    return order.tolist(), np.abs(s[order][:, None] - s[order]) > width
