"""The partition method on the scores of one split: p-values of pairs, and all pairs together."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from benchmarks.calibration.cells import ALPHA, Method
from calibration.worlds import Floats
from irgauge.inference.comparison import Pairs
from irgauge.studies.partition.inferring import Drawing, Inference, infer

_DRAWS = 1000


def inferred(values: Floats, drawing: Drawing, seed: int) -> Inference:
    """What one split says, from values[topic, system, part]."""
    means = values.mean(axis=(0, 2))
    order = np.argsort(-means)
    pairs = Pairs.all_of(tuple(f"s{system}" for system in order), means[order])
    return infer(drawing.fit(values[:, order]), (seed,), pairs, drawing)


def each_pair(drawing: Drawing) -> Callable[[Floats, int], float]:
    """The share of pairs that are called different, each by itself."""
    return lambda values, seed: float((inferred(values, drawing, seed).p <= ALPHA).mean())


def any_pair(drawing: Drawing) -> Callable[[Floats, int], float]:
    """Whether any pair is called different, after the correction."""
    return lambda values, seed: float((inferred(values, drawing, seed).p_adjusted <= ALPHA).any())


def methods(drawn: str, population: str) -> tuple[Method[Floats], ...]:
    """The p of the difference, by itself and corrected, and the paper's."""
    own = Drawing(ALPHA, seed=0, drawn=drawn, interactions=True)
    paper = Drawing(ALPHA, seed=0, drawn=drawn, interactions=True, p="paper", draws=_DRAWS, sides=1)
    return (
        Method("partition, one split", population, "each pair", each_pair(own)),
        Method("partition, one split, BH", population, "false discoveries", any_pair(own)),
        Method("partition, one split, as in the paper", population, "each pair", each_pair(paper), is_slow=True),
    )
