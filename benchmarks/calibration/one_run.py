"""One run of a random baseline against several of a candidate: a gate's claims about this run, and about all runs."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from itertools import product

import numpy as np

from benchmarks.calibration.cells import ALPHA, Cell, Group, Method
from benchmarks.calibration.verdicts import PASSES
from calibration.worlds import Floats
from irgauge.inference.instance_tests import Claiming, Pair, tested_by_squares
from irgauge.models.mixed.squares import TwoAlgorithms

MARGIN, TRIALS, CELL = 0.02, 1500, 0.05  # the deviation of a run on a topic
TOPICS, RUNS, BETWEEN = (25, 50), 5, (0.0, 0.01, 0.02)  # the deviation of runs on all topics


@dataclass(frozen=True, eq=False)
class Drawn:
    """values[run, topic] of both; the candidate is worse than all runs of the baseline by the margin."""

    old: Floats
    new: Floats
    this_run: float  # by how much it is better than all


def draw(between: float, topics: int, rng: np.random.Generator) -> Drawn:
    """One run of the baseline, several of the candidate."""
    topic, this_run = rng.normal(0.5, 0.15, topics), float(rng.normal(0, between))
    old = topic + this_run + rng.normal(0, CELL, (1, topics))
    new = topic - MARGIN + rng.normal(0, between, (RUNS, 1)) + rng.normal(0, CELL, (RUNS, topics))
    return Drawn(old, new, this_run)


def passes(drawn: Drawn, _: int, *, is_of_this: bool) -> float:
    """Whether the candidate passes, if it is worse by the margin than this run, or than all runs."""
    new = drawn.new + (drawn.this_run if is_of_this else 0.0)
    squares = {Pair("new", "old"): TwoAlgorithms.of(new, drawn.old)}
    return float(tested_by_squares(squares, "nested", 2, Claiming(MARGIN, ALPHA, "none")).tests.verdicts[0] in PASSES)


METHODS = [
    Method("gate, candidate worse by the margin passes", "this run", "each pair", partial(passes, is_of_this=True)),
    Method("the same, were it said of all runs", "all runs", "power", partial(passes, is_of_this=False)),
]


def cells() -> list[Cell[Drawn]]:
    """All worlds and designs."""
    return [
        Cell(f"runs vary by {between:g}", f"{topics} topics", partial(draw, between, topics), METHODS, TRIALS, TRIALS)
        for between, topics in product(BETWEEN, TOPICS)
    ]


GROUP = Group(
    "one-run",
    "One run of a random baseline",
    f"{RUNS} runs of a candidate, one of the baseline, a margin of {MARGIN}. A gate speaks of this run of the "
    "baseline: a candidate that is worse than it by the margin may pass in 5 %. Before, it spoke of other runs of "
    "both; the second line is how often candidates pass that are worse by the margin than all runs of the baseline.",
    cells,
)
