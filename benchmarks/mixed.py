"""Mixed models: REML against statsmodels, and the posterior against REML, measured in one run.

statsmodels keeps a dense matrix with a column for each random effect, and inverts one with a row for each value or
effect: its time grows as values × effects² or faster. It is timed on designs that grow until one takes too long; the
ratio that counts is that on the largest, as it is: nothing is extrapolated.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from time import perf_counter

import numpy as np
from numpy.typing import NDArray

from benchmarks.clock import best_of
from benchmarks.figures import Figure, times
from irgauge.models.mixed.posterior import sample
from irgauge.models.mixed.reml import fit

FULL = (149, 2, 100)  # topics, algorithms, instances of each: 29,800 scores
GROWING = ((10, 2, 5), (20, 2, 10), (40, 2, 20), (60, 2, 30), (80, 2, 40), (120, 2, 60))
TOO_LONG = 10.0  # seconds: the next design is not tried
Data = tuple[NDArray[np.float64], NDArray[np.int64], dict[str, NDArray[np.int64]]]


def data(shape: tuple[int, int, int]) -> Data:
    """Scores of topics × algorithms × instances, with topic, topic:algorithm and instance effects."""
    rng = np.random.default_rng(0)
    topic, algorithm, run = np.indices(shape).reshape(3, -1)
    codes = {"topic": topic, "cell": topic * shape[1] + algorithm, "instance": algorithm * shape[2] + run}
    y = 0.4 + 0.02 * algorithm + 0.1 * rng.normal(size=topic.size)
    for codes_k, sd in zip(codes.values(), (0.2, 0.05, 0.02), strict=True):
        y += sd * rng.normal(size=codes_k.max() + 1)[codes_k]
    return y, algorithm, codes


def peer(y: NDArray[np.float64], fixed: NDArray[np.int64], random: dict[str, NDArray[np.int64]]) -> float:
    """−2 log L of statsmodels."""
    import pandas as pd
    import statsmodels.formula.api as smf

    frame = pd.DataFrame({"y": y, "fixed": fixed, "one": 1, **random})
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model = smf.mixedlm(
            "y ~ 0 + C(fixed)",
            frame,
            groups="one",
            re_formula="0",
            vc_formula={name: f"0 + C({name})" for name in random},
        )
        return -2 * float(model.fit(reml=True, method="lbfgs").llf)


def run() -> Iterator[Figure]:
    """The largest design that statsmodels fits soon enough, and the full one without it."""
    fit(*data(GROWING[0]))  # compiles
    for shape in GROWING:
        values = data(shape)
        start = perf_counter()
        peer(*values)
        seconds = perf_counter() - start
        if seconds > TOO_LONG:
            break
    ours = Figure("REML of as many scores as statsmodels", 1000 * best_of({"": lambda: fit(*values)}, 5)[""], "ms")
    theirs = Figure("REML with statsmodels", 1000 * seconds, "ms")
    yield from (Figure("scores of the largest design for statsmodels", len(values[0]), "scores"), ours, theirs)
    yield times("statsmodels over REML", theirs, ours)
    full = data(FULL)
    sample(*full)
    best = best_of({"reml": lambda: fit(*full), "posterior": lambda: sample(*full)}, 3)
    yield Figure("REML of 29,800 scores", 1000 * best["reml"], "ms")
    yield Figure("posterior of 29,800 scores, 4 chains of 2,000 draws", best["posterior"], "s")
