"""Is a measure said to gain confidence by shallow pools only beyond what exchangeable runs show?"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import numpy as np
import pytest
from scipy import stats

from calibration.rates import assert_at_most
from irgauge import load
from irgauge.studies.pools.pairs import PairPools, chances, swapped_t, swaps
from irgauge.studies.pools.study import pools

Run = Mapping[str, Mapping[str, float]]
DOCUMENTS, DEPTHS, TOPICS = 150, (5, 20), 20


def exchangeable(
    rng: np.random.Generator, quality: float, noise: float
) -> tuple[Mapping[str, dict[str, int]], Run, Run]:
    """Judgments, and two runs of one kind: on every topic each ranks with noise of its own, of a spread of its own."""
    qrels: dict[str, dict[str, int]] = {}
    first: dict[str, dict[str, float]] = {}
    second: dict[str, dict[str, float]] = {}
    for topic in map(str, range(TOPICS)):
        relevant = rng.random(DOCUMENTS) < rng.choice([0.03, 0.1, 0.25])
        relevant[int(rng.integers(DOCUMENTS))] = True
        shared = quality * relevant + rng.normal(0, 1, DOCUMENTS)
        qrels[topic] = {f"d{d}": int(relevant[d]) for d in range(DOCUMENTS)}
        for run in (first, second):
            own = shared + noise * rng.exponential() * rng.normal(0, 1, DOCUMENTS)
            run[topic] = {f"d{d}": float(own[d]) for d in np.argsort(-own)[:60]}
    return qrels, first, second


@pytest.mark.parametrize(("quality", "noise"), [(1.5, 0.5), (0.7, 2.0)])
def test_exchangeable_runs_are_seldom_said_to_gain_confidence(quality: float, noise: float) -> None:
    trials, said = 150, 0
    for seed in range(trials):
        qrels, first, second = exchangeable(np.random.default_rng([seed, int(10 * quality)]), quality, noise)
        found = pools(load(qrels, {"one": first, "two": second}, warn=False), "AP", depths=DEPTHS, images=10, seed=seed)
        said += bool(found.findings().of("gain"))
    assert_at_most(said, trials)


def test_runs_of_trec8_swapped_by_topic_are_seldom_said_to_gain_confidence(trec8: Path) -> None:
    runs = [trec8 / "runs" / f"input.{name}.gz" for name in ("READWARE", "CL99XT")]
    found = pools(load(trec8 / "qrels.txt.gz", runs), "AP", images=20)
    assert found.root_topic_differences is not None
    assert found.findings().of("gain")
    differences = np.concatenate([found.root_topic_differences[..., None], found.by_topic], axis=3)
    rng, trials, said, falls = np.random.default_rng(1), 200, 0, 0
    for seed in range(trials):
        d = differences * rng.choice([-1.0, 1.0], (50, 1))
        p = stats.ttest_1samp(d, 0, axis=2).pvalue  # measure, pool, image
        gain, loss = chances(swapped_t(d, swaps(50, seed)))
        pair = PairPools("one", "two", d[..., 0].mean(2), p[..., 0], d[..., 1:].mean(2), p[..., 1:], gain, loss)
        said += bool(pair.gains(0.05).any())
        falls += bool(pair.falls.any())
    assert_at_most(said, trials)
    assert falls > 0.1 * trials  # that p falls to half is no evidence by itself
