"""How often tests of two and of five systems claim a difference in worlds whose truth is known."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from scipy.special import bdtr

from irgauge.calibrating.methods import Setting, of_differences
from irgauge.calibrating.worlds import Rng
from irgauge.compute.arrays import Bools, Floats
from irgauge.inference.corrections import any_correction
from irgauge.inference.tests.paired_t import t_of_differences
from irgauge.inference.tests.record import Experiment
from irgauge.inference.tests.registry import known_test
from irgauge.inference.tests.wilcoxon import rank_sums
from irgauge.papers.which_test.worlds import NULLS, family, usable

ALPHA = 0.05
FEW, SOME, MANY = 25, 50, 1000  # topics
TRIALS, FAMILIES = 1500, 1000
SYSTEMS = 5
DRAWS = 999  # of tests that draw
BETTER = 0.4  # deviations of a difference, by which one system of two is better, or two of five
TESTS = ("t", "wilcoxon", "sign", "permutation", "bootstrap")
MAX_T = "max-t"
CORRECTED = (("t", "none"), ("t", "holm"), ("t", "bh"), ("wilcoxon", "bh"), ("permutation", "holm"))
METHODS = (*CORRECTED, (MAX_T, ""))
_PAIRS = np.array(list(combinations(range(SYSTEMS), 2))).T
_ROUNDING = 1e-9
Method = tuple[str, str]  # a test and its correction


@dataclass(frozen=True)
class Rates:
    """Shares of experiments, by null hypothesis."""

    errors: Mapping[tuple[str, int, str], float]  # null, topics, test: two equal systems that are called different
    power: Mapping[tuple[str, int, str], float]  # the same where one is better
    any_error: Mapping[tuple[str, Method], float]  # null, method: anything claimed of five equal systems
    found: Mapping[tuple[str, Method], float]  # of the true differences of five systems, those claimed


def rates(scores: Floats, seed: int) -> Rates:
    """All rates of worlds drawn from scores[topic, system]."""
    chosen = usable(scores)
    errors: dict[tuple[str, int, str], float] = {}
    power: dict[tuple[str, int, str], float] = {}
    any_error: dict[tuple[str, Method], float] = {}
    found: dict[tuple[str, Method], float] = {}
    for place, null in enumerate(NULLS):
        for topics in (FEW, SOME, MANY):
            rng = np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(place, topics)))
            d = _differences(chosen, null, topics, rng)
            errors |= _shares(null, topics, d, rng)
            power |= _shares(null, topics, d + BETTER * d.std(axis=0), rng)
        rng = np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(place,)))
        families = np.array([family(chosen, null, SOME, SYSTEMS, rng) for _ in range(FAMILIES)])
        any_error |= {(null, m): float(c.any(axis=1).mean()) for m, c in _claims(families, rng).items()}
        found |= {(null, method): share for method, share in _found(families, rng).items()}
    return Rates(errors, power, any_error, found)


def _differences(scores: Floats, null: str, topics: int, rng: Rng) -> Floats:
    """Of two systems, drawn for each experiment; topic, experiment."""
    drawn = [family(scores, null, topics, 2, rng) for _ in range(TRIALS)]
    return np.stack([values[:, 0] - values[:, 1] for values in drawn], axis=1)


def _shares(null: str, topics: int, d: Floats, rng: Rng) -> dict[tuple[str, int, str], float]:
    return {(null, topics, test): float((p_of(test, d, rng) <= ALPHA).mean()) for test in TESTS}


def p_of(test: str, d: Floats, rng: Rng) -> Floats:
    """Two-sided p of each column of d[topic, experiment]."""
    if test == "t":
        return t_of_differences(d)[1]
    if test == "wilcoxon":
        return rank_sums(d)[1]
    if test == "sign":
        return _signs(d)
    if test == "bootstrap":
        return _shifted(d, rng)
    setting = Setting("topics", ("a", "b"), draws=DRAWS)
    return of_differences("randomization", d, setting, int(rng.integers(2**32)))[1]


def _signs(d: Floats) -> Floats:
    """The sign test; differences of 0 are left out."""
    more, fewer = (d > 0).sum(axis=0), (d < 0).sum(axis=0)
    return np.asarray(np.minimum(1, 2 * bdtr(np.minimum(more, fewer), more + fewer, 0.5)))


def _shifted(d: Floats, rng: Rng) -> Floats:
    """The bootstrap of differences shifted to a mean of 0; the same draws for all experiments."""
    topics, total = len(d), d.sum(axis=0)
    counts = rng.multinomial(topics, np.full(topics, 1 / topics), DRAWS).astype(float)  # draw, topic
    reached = np.abs(counts @ (d - d.mean(axis=0))) >= np.abs(total) - _ROUNDING
    return np.asarray((1 + reached.sum(axis=0)) / (1 + DRAWS))


def _claims(families: Floats, rng: Rng) -> dict[Method, Bools]:
    """Which pairs of families[experiment, topic, system] each method calls different; experiment, pair."""
    d = families[:, :, _PAIRS[0]] - families[:, :, _PAIRS[1]]  # experiment, topic, pair
    columns = np.moveaxis(d, 1, 0).reshape(d.shape[1], -1)  # topic, experiment and pair
    p = {test: p_of(test, columns, rng).reshape(len(d), -1) for test in dict(CORRECTED)}
    claims: dict[Method, Bools] = {
        (test, name): np.array([any_correction(name).adjusted(row) for row in p[test]]) <= ALPHA
        for test, name in CORRECTED
    }
    return claims | {(MAX_T, ""): np.array([_max_t(values, i) for i, values in enumerate(families)])}


def _max_t(values: Floats, seed: int) -> Bools:
    names = list(map(str, range(SYSTEMS)))
    comparison = known_test(MAX_T).compare(Experiment(values[:, :, None], names, draws=DRAWS, seed=seed))
    order = np.array(comparison.systems, int)
    ends = np.sort([order[comparison.first], order[comparison.second]], axis=0)
    claimed = np.zeros((SYSTEMS, SYSTEMS), bool)
    claimed[tuple(ends)] = comparison.p_adjusted <= ALPHA
    return claimed[tuple(_PAIRS)]


def _found(families: Floats, rng: Rng) -> dict[Method, float]:
    """The share of true differences claimed where the first two systems are better."""
    is_better = np.arange(SYSTEMS) < 2
    spread = (families[:, :, _PAIRS[0]] - families[:, :, _PAIRS[1]]).std(axis=1).mean()
    is_true = is_better[_PAIRS[0]] != is_better[_PAIRS[1]]
    claims = _claims(families + BETTER * spread * is_better, rng)
    return {method: float(claimed[:, is_true].mean()) for method, claimed in claims.items()}
