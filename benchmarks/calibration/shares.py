"""Margins in per cent: a gate of one candidate that is worse by a share of the baseline's true mean."""

from __future__ import annotations

from functools import partial
from itertools import product

import numpy as np

from benchmarks.calibration.cells import ALPHA, Cell, Group, Method
from benchmarks.calibration.verdicts import PASSES
from calibration.worlds import Floats
from irgauge.replicates.given import ScoreTable
from irgauge.replicates.measured import Measuring
from irgauge.scoring.scores import Scores
from irgauge.studies.gate.criteria import wanted
from irgauge.studies.gate.evidence import by_topics

SHARE, TRIALS = 0.1, 800
TOPICS, SPREADS = (10, 25, 50), (0.003, 0.03, 0.1)
_SHAPES = {"even": (4.0, 6.0), "skewed": (0.8, 3.2)}  # of beta, from which the baseline's scores are drawn
_LOSSES = (("even", "constant"), ("skewed", "constant"), ("even", "in proportion"))


def draw(shape: str, loss: str, topics: int, spread: float, rng: np.random.Generator) -> Floats:
    """values[topic, side]: the baseline, and a candidate that loses the same everywhere, or a share of each score."""
    a, b = _SHAPES[shape]
    baseline = rng.beta(a, b, topics)
    lost = SHARE * (baseline if loss == "in proportion" else a / (a + b))
    return np.column_stack([baseline, baseline - lost + spread * rng.normal(size=topics)])


def passes(values: Floats, _: int) -> float:
    """Whether a gate lets the candidate pass."""
    criteria = wanted([f"AP:{SHARE:.0%}"], None)
    names = tuple(map(str, range(len(values))))
    scores = Scores(values[None, :, :, None], (criteria[0].measure,), names, ("old", "new"), ("1",))
    (gated,) = by_topics(ScoreTable(scores).measured(Measuring(scores.measures)), "old", criteria, ALPHA).each
    return float(gated.verdict in PASSES)


METHODS = [Method("gate, margin in per cent, candidate worse by it passes", "topics", "each pair", passes)]


def cells() -> list[Cell[Floats]]:
    """All worlds and designs."""
    return [
        Cell(
            f"{shape} scores, {loss} loss, spread {spread:g}",
            f"{topics} × 2",
            partial(draw, shape, loss, topics, spread),
            METHODS,
            TRIALS,
            TRIALS,
        )
        for (shape, loss), spread, topics in product(_LOSSES, SPREADS, TOPICS)
    ]


GROUP = Group(
    "shares",
    "Margins in per cent",
    f"The margin is {SHARE:.0%} of the baseline's mean, and the candidate is worse by exactly so much of the true one: "
    "by the same amount on every topic, or in proportion to the score; with noise of some spread. It may pass in 5 %. "
    "With the observed mean taken for the true one it passed in 34 to 39 % where losses are constant and the spread is "
    "0.003, and in 4 to 8 % with a spread of 0.03 (500 trials a cell).",
    cells,
)
