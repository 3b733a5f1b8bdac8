"""All pairs of systems with a t-test and Holm's correction: `irgauge.compare` against scipy with statsmodels."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from scipy.stats import ttest_rel
from statsmodels.stats.multitest import multipletests

import irgauge
from benchmarks.clock import best_of
from benchmarks.data import Data
from benchmarks.figures import Figure, times


def run(data: Data, rounds: int = 3) -> Iterator[Figure]:
    """By AP, with scores in memory; intervals, effect sizes and groups included in ours."""
    scores = irgauge.score(irgauge.load(data.qrels, list(data.runs)), "AP").scores
    values = scores.values[0, ..., 0]  # topic, system
    first, second = np.triu_indices(values.shape[1], 1)

    def by_pairs() -> object:
        p = [ttest_rel(values[:, u], values[:, v]).pvalue for u, v in zip(first, second, strict=True)]
        return multipletests(p, method="holm")

    seconds = best_of(
        {
            "compare": lambda: irgauge.compare(scores, test="t", correction="holm"),
            "scipy and statsmodels, pair by pair": by_pairs,
            "scipy and statsmodels, arrays of pairs": lambda: multipletests(
                ttest_rel(values[:, first], values[:, second]).pvalue, method="holm"
            ),
        },
        rounds,
    )
    ours, *theirs = (Figure(f"{name}, all pairs", 1000 * taken, "ms") for name, taken in seconds.items())
    yield from (ours, *theirs)
    for peer in theirs:
        yield times(f"{peer.name} over compare", peer, ours)
