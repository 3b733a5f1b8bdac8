"""The spread on all kinds where topics are in clusters or have weights: plain topics, and slow matrices."""

from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

import irgauge as ig
from irgauge.compute.arrays import Floats, Indices
from irgauge.inference.sampling import Sampling, SamplingColumns
from irgauge.inference.slices import Sliced, sliced
from irgauge.inference.tests.record import Experiment
from irgauge.inference.tests.skewed_t import SKEWED_T
from irgauge.reading.topic_slices import Slice
from oracles.slow_sampling import cr2


def on_kinds(values: Floats, kind: Indices, sampling: Sampling | None) -> Sliced:
    parts = [Slice("kind", str(k), np.flatnonzero(kind == k)) for k in range(int(kind.max()) + 1)]
    experiment = Experiment(values[:, :, None], ["a", "b", "c"], correction="holm", baseline="a", sampling=sampling)
    (claims,) = sliced([experiment], parts, SKEWED_T, [None])
    return claims


def drawn_as(weight: Floats, cluster: Indices) -> Sampling:
    columns = SamplingColumns(cluster="user", weights="hits")
    return Sampling(weight / weight.sum(), cluster, np.zeros(len(weight), np.intp), columns)


@settings(max_examples=15, deadline=None)
@given(sizes=st.lists(st.integers(1, 9), min_size=1, max_size=4), seed=st.integers(0, 10**6))
def test_equal_weights_and_clusters_of_one_topic_change_nothing(sizes: list[int], seed: int) -> None:
    rng = np.random.default_rng(seed)
    kind = rng.permutation(np.repeat(np.arange(len(sizes) + 1), [7, *sizes]))
    values = rng.normal(size=(len(kind), 3)) * rng.choice([0.05, 1.0], size=(len(kind), 1))
    plain = on_kinds(values, kind, None)
    same = on_kinds(values, kind, drawn_as(np.full(len(kind), 2.0), rng.permutation(len(kind))))
    for one_by_one, in_clusters in zip(plain.slices, same.slices, strict=True):
        for name in ("low", "high", "p", "p_adjusted", "se"):
            expected = getattr(one_by_one.comparison, name)
            np.testing.assert_allclose(getattr(in_clusters.comparison, name), expected, rtol=1e-7, atol=1e-12)
        assert one_by_one.verdicts.verdicts == in_clusters.verdicts.verdicts


@pytest.mark.parametrize("are_shared", [False, True])
def test_the_spread_on_all_kinds_is_that_of_full_matrices(*, are_shared: bool) -> None:
    """A calm kind beside wild ones, one of them of two clusters: the larger of the spread by topics and by clusters."""
    rng = np.random.default_rng(5)
    kind = np.repeat([0, 1, 2], [18, 20, 4])
    cluster = np.concatenate([np.arange(18) // 3, 6 + np.arange(20) // 2, 16 + np.arange(4) // 2])
    cluster = cluster % 7 if are_shared else cluster
    weight, gain = rng.gamma(2.0, size=42), 0.1 + np.where(kind == 0, 0.01, 1.0) * rng.normal(size=42)
    values = np.stack([np.zeros(42), gain, rng.random(42)], axis=1)
    comparison = on_kinds(values, kind, drawn_as(weight, cluster)).slices[0].comparison
    units: list[list[float]] = [[], []]
    freedoms, scales = [], []
    for k in range(3):
        own = kind == k
        mean, se, df = cr2(gain[own], cluster[own].tolist(), weight[own], [1.0], [0] * int(own.sum()))
        share = weight[own] / weight[own].sum()
        totals = [share[cluster[own] == c].sum() for c in set(cluster[own].tolist())]
        scales.append((float((share**2).sum()), float(np.square(totals).sum())))
        freedoms.append(df)
        for unit, scale in zip(units, scales[-1], strict=True):
            unit.append(se**2 / scale)
        if k == 0:
            calm = mean
    variance = max(
        scale * sum(f * u for f, u in zip(freedoms, unit, strict=True)) / sum(freedoms)
        for unit, scale in zip(units, scales[0], strict=True)
    )
    df = min(sum(freedoms), len(set(cluster.tolist())) - 1)
    pair = comparison.names.index(("b", "a"))
    assert comparison.se[pair] == pytest.approx(np.sqrt(variance))
    assert comparison.p[pair] == pytest.approx(2 * stats.t.sf(abs(calm) / np.sqrt(variance), df))


@pytest.mark.parametrize("column", ["weights", "cluster"])
def test_a_gate_does_not_fail_on_small_kinds_that_have_not_shown_rare_losses_yet(column: str) -> None:
    """The baseline loses much on few topics, or whole clusters, and gains a little on all others."""
    rng, failed = np.random.default_rng(12), 0
    of_one = 3 if column == "cluster" else 1
    kind, cluster = np.repeat([f"k{k}" for k in range(12)], 8 * of_one), np.repeat(np.arange(96), of_one)
    names = [f"q{t}" for t in range(len(kind))]
    for _ in range(15):
        loses = (rng.random(96) < 0.08)[cluster]
        base = 0.5 + np.where(loses, -0.46, 0.04) + 0.01 * rng.normal(size=len(kind))
        scores = pl.DataFrame({"topic": names, "old": base, "new": np.full(len(kind), 0.5)})
        weights = 0.5 + rng.gamma(2.0, size=len(kind))
        about = pl.DataFrame({"topic": names, "kind": kind, "cluster": cluster.astype(str), "weights": weights})
        rule: dict[str, Any] = {"by": "kind", column: column, "topics_table": about}
        gate = ig.gate(scores, "old", "new", margin=0.01, **rule)
        failed += bool(gate["score"].worse_slices)
    assert failed <= 2
