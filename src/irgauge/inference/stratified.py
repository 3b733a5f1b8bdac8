"""The t-test of pairs over strata, such as collections with topics of their own, each of which counts the same."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from irgauge.compute.arrays import Floats
from irgauge.inference.comparison import Comparison, Name
from irgauge.inference.contrasts import Contrasts
from irgauge.inference.outcomes import (
    Names,
    Outcome,
    check_values,
    compared,
    deviations,
    differences,
    in_blocks,
    pairs_of,
    ratio,
)


def stratified_t(
    strata: Sequence[Floats], systems: Names, *, alpha: float = 0.05, correction: str = "none", baseline: Name = None
) -> Comparison:
    """The t-test of the values[topic, system] of C strata, two-sided: other topics of these strata.

    With d_c the mean and s_c² the variance of the differences of a pair over the n_c topics of stratum c,
    d̄ = Σ d_c / C, v_c = s_c² / n_c, t = d̄ / √(Σ v_c / C²). The degrees of freedom are those of Welch (Biometrika 1947)
    and Satterthwaite (1946), (Σ v_c)² / Σ (v_c² / (n_c − 1)). The effect is d̄ / √(Σ s_c² / C). Of one stratum it is
    the paired t-test.

    >>> rng = np.random.default_rng(1)
    >>> strata = [rng.random((topics, 3)) + np.array([0.0, 0.0, 0.5]) for topics in (8, 30)]
    >>> (stratified_t(strata, ["a", "b", "c"], correction="holm").p < 0.05).tolist()
    [True, True, False]
    """
    tables = [np.asarray(one, np.float64) for one in strata]
    for table in tables:
        check_values(table)
    means = np.mean([table.mean(axis=0) for table in tables], axis=0)  # system
    pairs = pairs_of(means, systems, (sum(map(len, tables)), 1), alpha, correction, baseline)
    order = [systems.index(system) for system in pairs.systems]
    ranked = [table[:, order] for table in tables]
    rows = max(map(len, ranked))
    outcome = in_blocks(pairs, rows, lambda u, v: _outcome([differences(y, u, v) for y in ranked], pairs.level))
    return compared(pairs, "stratified-t", outcome)


def _outcome(strata: Sequence[Floats], level: float) -> Outcome:
    """Of differences[topic, pair] of each stratum."""
    n = np.array([len(d) for d in strata])[:, None]
    mean = np.mean([d.mean(axis=0) for d in strata], axis=0)  # pair
    s2 = np.array([np.square(deviations(d)) for d in strata])  # stratum, pair
    v = s2 / n
    total = v.sum(axis=0)
    df = ratio(np.square(total), (np.square(v) / (n - 1)).sum(axis=0))
    found = Contrasts(mean, np.sqrt(total) / len(strata), np.maximum(1.0, df))
    effect = ratio(mean, np.sqrt(s2.mean(axis=0)))
    return Outcome(*found.interval(level), ratio(mean, found.error), found.p, effect, found.error)
