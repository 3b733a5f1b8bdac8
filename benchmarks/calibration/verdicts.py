"""Verdicts of systems against a baseline, with a margin and without, and those of a gate for one candidate."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

import numpy as np

from benchmarks.calibration import topics
from benchmarks.calibration.cells import ALPHA, Cell, Group, Method
from benchmarks.calibration.topics import DRAWS, names
from calibration.false_verdicts import FALSE, FAR, MARGIN
from calibration.worlds import Floats, TopicWorld
from irgauge.inference.comparison import Comparison
from irgauge.inference.tests.registry import run_test
from irgauge.inference.verdicts import Verdict, by_margin

BASELINE = "0"
TOPICS, SYSTEMS = (25, 50), (2, 6, 20)
TRIALS = {2: 2000, 6: 1200, 20: 600}  # systems: trials
_WORLDS = (
    "normal",
    "unequal spread",
    "bounded, zeros",
    "skewed",
    "near copies",
    *topics.RARE,
    "TREC-8 flipped",
    "TREC-8 resampled",
)
Test = Callable[[Floats, int, float], Comparison]  # values[topic, system], seed, α
Truth = Callable[[int], Floats]  # systems -> by how much each is better than the first, the baseline
PASSES = ("better", "equivalent", "not worse")  # verdicts that let a candidate pass


def equal(systems: int) -> Floats:
    """All systems are as good as the baseline."""
    return np.zeros(systems)


def mixed(systems: int) -> Floats:
    """Systems are worse by the margin, better by the margin, and as good as the baseline, in turn."""
    return np.array([(0.0, -MARGIN, MARGIN)[system % 3] for system in range(systems)])


def worse(systems: int) -> Floats:
    """All systems but the baseline are worse by the margin."""
    return np.array([0.0, *[-MARGIN] * (systems - 1)])


def half_far(systems: int) -> Floats:
    """Every second system is far better, so that Holm's correction spends all of α on the others."""
    return np.array([FAR * (system % 2) for system in range(systems)])


def by_topics(test: str, **options: object) -> Test:
    """A test of values[topic, system] against the baseline."""
    return lambda values, _, alpha: run_test(test, values, names(values), alpha=alpha, baseline=BASELINE, **options)


def by_max_t(values: Floats, seed: int, alpha: float) -> Comparison:
    """Sign flips of topics."""
    return run_test("max-t", values, names(values), alpha=alpha, baseline=BASELINE, draws=DRAWS, seed=seed)


def claimed(test: Test, truth: Truth, values: Floats, seed: int) -> tuple[tuple[Verdict, ...], Floats]:
    """The verdict on each pair against the margin, and its true difference."""
    moved = values + truth(values.shape[1])
    found = test(moved, seed, ALPHA)
    is_of_all = found.corrected_by.is_of_test and len(found.first) > 1
    wide = found if is_of_all else test(moved, seed, 2 * ALPHA)  # as `compare` does
    none = np.zeros(len(found.first), bool)  # have the same scores
    return by_margin(found, wide, MARGIN, none).verdicts, _true(found, truth)


def _true(found: Comparison, truth: Truth) -> Floats:
    """The true difference of each pair."""
    means = truth(len(found.systems))
    return np.array([means[int(first)] - means[int(second)] for first, second in found.names])


def any_false(test: Test, truth: Truth, values: Floats, seed: int) -> float:
    """Whether any verdict against the margin is false."""
    verdicts, true = claimed(test, truth, values, seed)
    return float(any(FALSE[one](d) for one, d in zip(verdicts, true.tolist(), strict=True)))


def passes(test: Test, truth: Truth, values: Floats, seed: int) -> float:
    """Whether a gate lets the one candidate pass."""
    return float(claimed(test, truth, values, seed)[0][0] in PASSES)


def fails(test: Test, truth: Truth, values: Floats, seed: int) -> float:
    """Whether a gate finds the one candidate worse."""
    return float(claimed(test, truth, values, seed)[0][0] == "worse")


def any_wrong(test: Test, truth: Truth, values: Floats, seed: int) -> float:
    """Whether any system is called better or worse than the baseline, and is not; without a margin."""
    found = test(values + truth(values.shape[1]), seed, ALPHA)
    return float((found.significant & (np.sign(found.difference) != np.sign(_true(found, truth)))).any())


def last_as_baseline(test: Test, values: Floats, seed: int) -> float:
    """The same where all are equal, and the last system, which in some worlds varies most, is the baseline."""
    return any_wrong(test, equal, values[:, ::-1], seed)


def covered(test: Test, values: Floats, seed: int) -> float:
    """Whether all intervals of differences from the baseline hold 0, the truth."""
    found = test(values, seed, ALPHA)
    return float(((found.low <= 0) & (found.high >= 0)).all())


TESTS: dict[str, Test] = {
    "paired t, Holm": by_topics("t", correction="holm"),
    "skewed-t, Holm": by_topics("skewed-t", correction="holm"),
    "Dunnett": by_topics("dunnett"),
    "max-t": by_max_t,
}
_T, _GUARDED = TESTS["paired t, Holm"], TESTS["skewed-t, Holm"]
METHODS = [
    *(
        method
        for name, test in TESTS.items()
        for method in (
            Method(f"{name}, margin, systems mixed", "topics", "any pair", partial(any_false, test, mixed)),
            Method(f"{name}, margin, all worse by it", "topics", "any pair", partial(any_false, test, worse)),
            Method(f"{name}, no margin, all equal", "topics", "any pair", partial(any_wrong, test, equal)),
            Method(f"{name}, no margin, last as baseline", "topics", "any pair", partial(last_as_baseline, test)),
        )
    ),
    Method("paired t, Holm, no margin, half far better", "topics", "any pair", partial(any_wrong, _T, half_far)),
    Method("paired t, Holm, intervals together", "topics", "coverage", partial(covered, _T)),
]
GATE = [
    Method("gate, equal candidate fails", "topics", "false alarm", partial(fails, _GUARDED, equal)),
    Method("gate, candidate worse by the margin passes", "topics", "each pair", partial(passes, _GUARDED, worse)),
    Method("gate, equal candidate passes", "topics", "power", partial(passes, _GUARDED, equal)),
    Method("gate, candidate worse by the margin fails", "topics", "power", partial(fails, _GUARDED, worse)),
]


def cell(name: str, world: TopicWorld, size: tuple[int, int]) -> Cell[Floats]:
    """One world and design; a gate has one candidate, for which all tests are one."""

    def draw(rng: np.random.Generator) -> Floats:
        return world(rng, *size)

    methods: Sequence[Method[Floats]] = GATE if size[1] == 2 else METHODS
    return Cell(name, f"{size[0]} × {size[1]}", draw, methods, TRIALS[size[1]], TRIALS[size[1]])


def cells() -> list[Cell[Floats]]:
    """All worlds and designs."""
    sizes = [(count, systems) for systems in reversed(SYSTEMS) for count in TOPICS]
    return [cell(name, world, size) for size in sizes for name, world in topics.worlds().items() if name in _WORLDS]


GROUP = Group(
    "verdicts",
    "Verdicts against a baseline",
    f"The margin is {MARGIN}. Mixed: a third of the systems are worse than the baseline by exactly the margin, a third "
    "better by exactly the margin, and the rest as good: there verdicts are false most easily. A false verdict on any "
    "system counts. The intervals are of the differences from the baseline. A gate has a baseline and one candidate: "
    "it passes what is better, equivalent or not worse, by the guarded t-test, and fails what is worse; what is worse "
    "by exactly the margin may pass in 5 %. A design is topics × systems.",
    cells,
)
