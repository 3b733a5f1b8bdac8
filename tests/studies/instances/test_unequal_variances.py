"""Do variances differ? The tests against scipy's, and what must not matter."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from irgauge.replicates.instances import InstanceScores
from irgauge.studies.instances.further_questions import unequal_variances
from oracles.simulated_scores import Effects, simulate_scores


def noisier(by_instance: float, by_topic: float, *, seed: int = 1, instances: int = 4) -> InstanceScores:
    """Two algorithms; the instances of b differ more, in all or from topic to topic."""
    base = simulate_scores(Effects(), topics=30, instances=instances, seed=seed)
    rng, is_b = np.random.default_rng(seed), base.algorithm == 1
    shift = by_instance * rng.normal(size=2 * instances)[base.instance] + by_topic * rng.normal(size=len(base.scores))
    return replace(base, scores=base.scores + np.where(is_b, shift, 0.0))


def test_means_of_instances_are_compared_by_f() -> None:
    scores = noisier(0.5, 0.0)
    found = unequal_variances(scores)
    a, b = (cells.mean(axis=1).var(ddof=1) for cells in (scores.cells()[:4], scores.cells()[4:]))
    assert found is not None
    assert (found.kind, found.larger, found.smaller) == ("instance", "b", "a")
    assert found.ratio == pytest.approx(b / a)
    assert found.p_adjusted == pytest.approx(2 * stats.f.sf(b / a, 3, 3))


def test_noise_on_topics_is_compared_by_a_paired_t_test() -> None:
    scores = noisier(0.0, 0.3)
    found = unequal_variances(scores)
    on_topics = []
    for cells in (scores.cells()[:4], scores.cells()[4:]):
        on_topics.append((cells - cells.mean(axis=1, keepdims=True)).var(axis=0, ddof=1))
    a, b = on_topics
    assert found is not None
    assert (found.kind, found.larger) == ("residual", "b")
    assert found.ratio == pytest.approx(b.mean() / a.mean())
    assert found.p_adjusted == pytest.approx(stats.ttest_rel(a, b).pvalue)


def test_equal_variances_and_single_instances_are_not_told() -> None:
    assert unequal_variances(simulate_scores(Effects(), topics=30, instances=5, seed=3)) is None
    assert unequal_variances(simulate_scores(Effects(), topics=30, instances=1, seed=3)) is None


def test_missing_cells_and_instances_that_never_differ_do_no_harm() -> None:
    scores = simulate_scores(Effects(("a", "b", "c"), (0.5,) * 3), topics=12, instances=3, missing=0.2, seed=4)
    unequal_variances(scores)
    full = simulate_scores(Effects(), topics=12, instances=3, seed=4)
    same = np.where(full.algorithm == 0, full.cells()[0][full.topic], full.scores)
    assert unequal_variances(replace(full, scores=same)) is None


@settings(max_examples=20, deadline=None)
@given(st.integers(0, 1000), st.floats(-1, 1), st.floats(0.1, 10))
def test_units_and_what_topics_share_do_not_matter(seed: int, shift: float, unit: float) -> None:
    scores = noisier(0.2, 0.1, seed=seed)
    other = replace(scores, scores=unit * (scores.scores + shift * scores.topic))
    here, there = unequal_variances(scores), unequal_variances(other)
    assert (here is None) == (there is None)
    if here is not None and there is not None:
        assert (there.kind, there.larger) == (here.kind, here.larger)
        assert (there.ratio, there.p_adjusted) == pytest.approx((here.ratio, here.p_adjusted), rel=1e-6)
