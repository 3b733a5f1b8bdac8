"""Mixed models: REML against statsmodels, and the posterior against REML, measured in one run.

statsmodels keeps a dense matrix with a column for each random effect, and inverts one with a row for each value or
effect: its time grows as values × effects² or faster. It is timed on designs that grow until one takes too long; the
ratio that counts is that on the largest, as it is: nothing is extrapolated. It does not always find the minimum.
"""

from __future__ import annotations

import warnings
from time import perf_counter

import numpy as np
from numpy.typing import NDArray

from benchmarks.clock import best_of
from irgauge.models.mixed.posterior import sample
from irgauge.models.mixed.reml import fit

FULL = (149, 2, 100)  # topics, algorithms, instances of each: 29,800 scores
GROWING = ((10, 2, 5), (20, 2, 10), (40, 2, 20), (60, 2, 30), (80, 2, 40), (120, 2, 60))
TOO_LONG = 60.0  # seconds: the next design is not tried
Data = tuple[NDArray[np.float64], NDArray[np.int64], dict[str, NDArray[np.int64]]]


def data(shape: tuple[int, int, int], *, missing: float = 0.0) -> Data:
    """Scores of topics × algorithms × instances, with topic, topic:algorithm and instance effects."""
    rng = np.random.default_rng(0)
    topic, algorithm, run = np.indices(shape).reshape(3, -1)
    codes = {"topic": topic, "cell": topic * shape[1] + algorithm, "instance": algorithm * shape[2] + run}
    y = 0.4 + 0.02 * algorithm + 0.1 * rng.normal(size=topic.size)
    for codes_k, sd in zip(codes.values(), (0.2, 0.05, 0.02), strict=True):
        y += sd * rng.normal(size=codes_k.max() + 1)[codes_k]
    kept = rng.random(topic.size) >= missing
    return y[kept], algorithm[kept], {name: one[kept] for name, one in codes.items()}


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


def run() -> None:
    """Print all ratios."""
    print("mixed model: algorithm + topic + topic:algorithm + instance, REML")
    fit(*data(GROWING[0]))  # compiles
    times: list[tuple[int, float]] = []
    for shape in GROWING:
        values = data(shape)
        start = perf_counter()
        theirs = peer(*values)
        seconds = perf_counter() - start
        ours = best_of({"ours": lambda values=values: fit(*values)}, 5)["ours"]  # type: ignore[misc]  # a default
        times.append((len(values[0]), seconds))
        gap = theirs - fit(*values).criterion
        print(
            f"  {' × '.join(map(str, shape))}: {1e3 * ours:.1f} ms, statsmodels {seconds:.2f} s, "
            f"{seconds / ours:.0f} times; its criterion is {gap:.1e} above"
        )
        if seconds > TOO_LONG:
            break
    _full(times)


def _full(times: list[tuple[int, float]]) -> None:
    for missing in (0.0, 0.05):
        values = data(FULL, missing=missing)
        sample(*values)
        rounds = 10 if missing == 0 else 2
        best = best_of({"reml": lambda v=values: fit(*v), "posterior": lambda v=values: sample(*v)}, rounds)  # type: ignore[misc]  # a default
        name = f"{' × '.join(map(str, FULL))}, {missing:.0%} missing"
        print(f"  {name}: REML {1e3 * best['reml']:.1f} ms")
        ratio = best["posterior"] / best["reml"]
        print(f"    4 × 2000 draws with diagnostics: {1e3 * best['posterior']:.0f} ms, {ratio:.1f} times REML")
        if missing == 0:
            n, seconds = times[-1]
            print(f"    statsmodels on {n} of its values took {seconds / best['reml']:.0f} times as long as this")


if __name__ == "__main__":
    run()
