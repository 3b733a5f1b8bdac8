"""Kinds of topics: anything false that is said of any of them, by a comparison with a baseline and by a gate."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from itertools import product

import numpy as np

from benchmarks.calibration.cells import ALPHA, Cell, Group, Method
from benchmarks.calibration.topics import names
from calibration.false_verdicts import FALSE, FAR, MARGIN
from calibration.worlds import (
    Floats,
    TopicWorld,
    binary,
    bounded,
    normal,
    rare_loser,
    rare_winner,
    skewed,
    unequal_spread,
)
from irgauge.inference.margins import Margin
from irgauge.inference.slices import Sliced, sliced, welch
from irgauge.inference.tests.record import Experiment
from irgauge.inference.tests.skewed_t import SKEWED_T
from irgauge.reading.topic_slices import Slice

SYSTEMS, TRIALS = 3, 600
SIZES = {"4 of 25": (25,) * 4, "60, 25, 10 and 5": (60, 25, 10, 5), "12 of 8": (8,) * 12}  # topics of each kind
WORLDS: dict[str, TopicWorld] = {
    "normal": normal,
    "unequal spread": unequal_spread,
    "bounded, zeros": bounded,
    "skewed": skewed,
    "binary": binary,
    "rare gains": rare_winner,
    "rare losses": rare_loser,
}
Truth = Callable[[int], float]  # the place of a kind -> by how much systems are better than the baseline on it


def equal(_: int) -> float:
    """All systems are as good as the baseline."""
    return 0.0


def half_far(kind: int) -> float:
    """On every second kind systems are far better."""
    return FAR * (kind % 2)


def worse(_: int) -> float:
    """All systems are worse by the margin."""
    return -MARGIN


def parts_of(sizes: Sequence[int]) -> list[Slice]:
    """The topics of each kind."""
    ends = np.cumsum(sizes)
    return [Slice("kind", str(i), np.arange(end - n, end)) for i, (n, end) in enumerate(zip(sizes, ends, strict=True))]


def said(sizes: Sequence[int], truth: Truth, margin: float | None, values: Floats) -> Sliced:
    """What is said on kinds of topics of systems that differ so from the baseline."""
    gains = np.repeat([truth(kind) for kind in range(len(sizes))], sizes)  # topic
    moved = values + gains[:, None] * (np.arange(values.shape[1]) > 0)
    experiment = Experiment(moved[:, :, None], names(values), "topics", ALPHA, SKEWED_T.corrected_by.name, "0")
    own = None if margin is None else Margin(margin)
    return sliced([experiment], parts_of(sizes), SKEWED_T, [own])[0]


def any_false(sizes: Sequence[int], truth: Truth, margin: float | None, values: Floats, _: int) -> float:
    """Whether anything false is said of any kind."""
    claims = said(sizes, truth, margin, values).slices
    verdicts = [(verdict, truth(int(own.value))) for own in claims for verdict in own.verdicts.verdicts]
    return float(any(FALSE[verdict](true) for verdict, true in verdicts))


def gate_fails(sizes: Sequence[int], values: Floats, _: int) -> float:
    """Whether a candidate that is as good is called worse on any kind."""
    claims = said(sizes, equal, MARGIN, values[:, :2]).slices
    return float(any(own.verdicts.verdicts[0] == "worse" for own in claims))


def welch_differs(sizes: Sequence[int], values: Floats, _: int) -> float:
    """Whether Welch's p of one pair is at most α."""
    outcome = welch([values[part.topics, 1] - values[part.topics, 0] for part in parts_of(sizes)])
    return float(outcome is not None and outcome[2] <= ALPHA)


def methods(sizes: Sequence[int]) -> list[Method[Floats]]:
    """Those that are tried on kinds of these sizes."""
    return [
        Method("compare, systems are equal", "topics", "any pair", partial(any_false, sizes, equal, None)),
        Method("compare, equal on every second kind", "topics", "any pair", partial(any_false, sizes, half_far, None)),
        Method("compare, worse by the margin", "topics", "any pair", partial(any_false, sizes, worse, MARGIN)),
        Method("gate, equal candidate is worse on a kind", "topics", "false alarm", partial(gate_fails, sizes)),
        Method("Welch's test, for itself", "topics", "each pair", partial(welch_differs, sizes)),
    ]


def cells() -> list[Cell[Floats]]:
    """All worlds and sizes of kinds."""
    return [
        Cell(
            world,
            f"{design} × {SYSTEMS}",
            lambda rng, draw=draw, sizes=sizes: draw(rng, sum(sizes), SYSTEMS),  # type: ignore[misc]  # defaults
            methods(sizes),
            TRIALS,
            TRIALS,
        )
        for (world, draw), (design, sizes) in product(WORLDS.items(), SIZES.items())
    ]


GROUP = Group(
    "slices",
    "Kinds of topics",
    "Three systems, of which the first is the baseline, on kinds of topics of some sizes: whether anything false is "
    "said on any kind. Systems are as good as the baseline everywhere, or far better on every second kind, or worse by "
    f"exactly the margin ({MARGIN:g}) everywhere. A gate may call an equal candidate worse on some kind in 2.5 %. "
    "Welch's p is a number beside the verdicts, and no claim rests on it. The spread on a kind is taken as that on all "
    "kinds, where that is larger: with its own alone, rare losses on 12 kinds of 8 topics made a gate fail always.",
    cells,
)
