"""Plans beside comparisons, and pairs of a plan beside each other."""

from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl
import pytest

import irgauge as ig
from irgauge.inference.sampling import SamplingColumns, sampling_of
from irgauge.planning.designs import Observing
from irgauge.reading.topic_table import topic_table

TOPICS = 40
ABOUT = pl.DataFrame(
    {
        "topic": [f"q{t}" for t in range(TOPICS)],
        "chat": [f"c{t // 5}" for t in range(TOPICS)],
        "traffic": [100 // (1 + t % 9) for t in range(TOPICS)],
    }
)


def _table(seed: int, systems: int = 2) -> pl.DataFrame:
    """Few clusters in which a system that is better is much worse, so that differences are skewed."""
    rng = np.random.default_rng(seed)
    values = rng.uniform(0, 1, (TOPICS, systems))
    values[:, 0] += 0.6 - np.repeat(rng.exponential(0.2, TOPICS // 5) ** 2 * 5, 5)
    return pl.DataFrame({"topic": ABOUT["topic"], **{f"s{s}": values[:, s] for s in range(systems)}})


@pytest.mark.parametrize("asked", [{}, {"cluster": "chat"}, {"weights": "traffic"}])
@pytest.mark.parametrize("seed", [1, 2])
def test_a_plan_says_what_the_test_of_comparisons_finds(asked: dict[str, Any], seed: int) -> None:
    table = _table(seed)
    compared = ig.compare(table, topics_table=ABOUT, **asked).first.verdict.detectable[0]
    planned = ig.plan(table, topics_table=ABOUT, **asked)
    assert planned.guarded == pytest.approx(compared)
    assert planned.first.now is not None
    assert bool(planned.findings().of("guarded-reach")) == (compared > 1.05 * planned.first.now.difference)


def test_some_skewed_differences_are_told() -> None:
    assert any(
        ig.plan(_table(seed), topics_table=ABOUT, cluster="chat").findings().of("guarded-reach") for seed in range(6)
    )


def test_pairs_are_typical_and_noisy_as_they_are_tested() -> None:
    values = _table(3, systems=4).drop("topic").to_numpy()
    about, topics = topic_table(ABOUT), ABOUT["topic"].to_list()
    sampling = sampling_of(about, topics, SamplingColumns(cluster="chat", weights="traffic"))
    assert sampling is not None
    spreads = Observing(values[:, :, None], "topics", 4).spreads(sampling)
    for first in range(4):
        for second in range(4):
            own = sampling.of((values[:, first] - values[:, second])[:, None]).se[0] ** 2
            assert spreads[first, second] == pytest.approx(own, abs=1e-12)


def test_it_is_said_why_a_noisier_pair_needs_fewer_topics() -> None:
    values = np.random.default_rng(1).standard_t(3, (25, 3)) * 0.1
    table = pl.DataFrame({"topic": [str(t) for t in range(25)], **{f"s{s}": values[:, s] for s in range(3)}})
    planned = ig.plan(table, difference=0.1)
    needed = {role: plan.designs[0].topics for role, plan in planned.parts.items()}
    assert needed["noisiest"] is not None
    assert needed["typical"] is not None
    assert needed["noisiest"] < needed["typical"]
    assert planned.findings().of("noisiest-needs-fewer")
