"""Which systems differ, for other topics: tests of all pairs where all systems are equally good."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from benchmarks.calibration import real
from benchmarks.calibration.cells import ALPHA, Cell, Group, Method
from calibration.worlds import (
    Floats,
    TopicWorld,
    binary,
    bounded,
    near_copies,
    normal,
    rare_loser,
    rare_winner,
    skewed,
    unequal_spread,
)
from irgauge.inference.comparison import Comparison
from irgauge.inference.tests.registry import run_test
from irgauge.inference.tests.tukey import tukey
from irgauge.models.anova import fit

TOPICS, SYSTEMS = (10, 25, 50), (5, 20, 100)
TRIALS = {5: (1200, 400), 20: (500, 150), 100: (150, 30)}  # systems: trials, those of slow methods
DRAWS = 499  # of sign flips and permutations
Test = Callable[[Floats, int], Comparison]  # values[topic, system], seed


def names(values: Floats) -> list[str]:
    """The names of systems: their places."""
    return [str(system) for system in range(values.shape[1])]


def by_topics(test: str, **options: object) -> Test:
    """A test of values[topic, system]."""
    return lambda values, _: run_test(test, values, names(values), **options)


def by_draws(test: str, **options: object) -> Test:
    """A test that draws."""
    return lambda values, seed: run_test(test, values, names(values), draws=DRAWS, seed=seed, **options)


def tukey_of_topics(values: Floats, _: int = 0) -> Comparison:
    """Tukey's test, MD1."""
    return tukey(fit(values[:, :, None], "MD1"), names(values), population="topics")


def any_pair(test: Test) -> Callable[[Floats, int], float]:
    """Whether any pair is called different."""
    return lambda values, seed: float(test(values, seed).significant.any())


def each_pair(test: Test) -> Callable[[Floats, int], float]:
    """The share of pairs that are called different, each by itself."""
    return lambda values, seed: float((test(values, seed).p <= ALPHA).mean())


METHODS = (
    Method("paired t, Holm or Bonferroni", "topics", "any pair", any_pair(by_topics("t", correction="holm"))),
    Method("paired t, Holm, baseline", "topics", "any pair", any_pair(by_topics("t", correction="holm", baseline="0"))),
    Method("skewed-t, Holm", "topics", "any pair", any_pair(by_topics("skewed-t", correction="holm"))),
    Method(
        "skewed-t, Holm, baseline",
        "topics",
        "any pair",
        any_pair(by_topics("skewed-t", correction="holm", baseline="0")),
    ),
    Method("max-t", "topics", "any pair", any_pair(by_draws("max-t"))),
    Method("Tukey, MD1", "topics", "any pair", any_pair(tukey_of_topics)),
    Method("randomised Tukey", "topics", "any pair", any_pair(by_draws("randomised-tukey"))),
    Method("paired t, BH", "topics", "false discoveries", any_pair(by_topics("t", correction="bh"))),
    Method("paired t", "topics", "each pair", each_pair(by_topics("t"))),
    Method("randomization", "topics", "each pair", each_pair(by_draws("randomization")), is_slow=True),
    Method("Wilcoxon, as a test of means", "topics", "each pair", each_pair(by_topics("wilcoxon")), is_slow=True),
    Method("unpaired t", "topics", "each pair", each_pair(by_topics("unpaired-t"))),
)


RARE: dict[str, TopicWorld] = {"rare gains": rare_winner, "rare losses": rare_loser}
BOUNDED = (  # scores of other worlds have no bounds
    Method("bounded", "topics", "each pair", each_pair(by_topics("bounded", within=(0.0, 1.0))), is_slow=True),
    Method("skewed-t", "topics", "each pair", each_pair(by_topics("skewed-t"))),
)


def worlds() -> dict[str, TopicWorld]:
    """The worlds by their names."""
    made: dict[str, TopicWorld] = {
        "normal": normal,
        "unequal spread": unequal_spread,
        "bounded, zeros": bounded,
        "skewed": skewed,
        "binary": binary,
        "near copies": near_copies,
        **RARE,
    }
    if not real.is_there():
        return made
    trec8 = real.trec8()
    return made | {
        "TREC-8 shuffled": trec8.shuffled,
        "TREC-8 flipped": trec8.flipped,
        "TREC-8 resampled": real.without_copies().resampled,
    }


def cell(name: str, world: TopicWorld, topics: int, systems: int) -> Cell[Floats]:
    """One world and design."""

    def draw(rng: np.random.Generator) -> Floats:
        return world(rng, topics, systems)

    methods = (*METHODS, *BOUNDED) if name in RARE else METHODS
    return Cell(name, f"{topics} × {systems}", draw, methods, *TRIALS[systems])


def cells() -> list[Cell[Floats]]:
    """All worlds and designs; many systems first, as they take longest."""
    sizes = [(topics, systems) for systems in reversed(SYSTEMS) for topics in TOPICS]
    return [cell(name, world, *size) for size in sizes for name, world in worlds().items() if _is_tried(name, size[1])]


def _is_tried(world: str, systems: int) -> bool:
    """Many systems take long, and are tried where spreads differ, or do not."""
    return systems < max(SYSTEMS) or world in ("normal", "unequal spread", "bounded, zeros", "TREC-8 resampled")


GROUP = Group(
    "topics",
    "Pairs of systems, other topics",
    "All systems have the same true mean over topics. A design is topics × systems.",
    cells,
)
