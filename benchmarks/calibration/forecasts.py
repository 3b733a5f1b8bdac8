"""What plans say of the next experiment, and what `calibrate` says of tests: does it come out so?"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

import numpy as np

from benchmarks.calibration.cells import ALPHA, Cell, Group, Method, Row
from benchmarks.calibration.sentences import table as scores
from calibration.worlds import Floats, TopicWorld, normal, rare_winner, skewed
from irgauge import calibrate, plan
from irgauge.errors import DesignError
from irgauge.inference.tests.skewed_t import skewed_t
from irgauge.studies.calibrate.study import Calibrated
from irgauge.studies.calibrate.trying import KEEPING, MethodPromise

TRIALS, TRIALS_OF_ADVICE = 300, 30
TOPICS, DIFFERENCE = 25, 0.08
_RANKED, _SYSTEM, _CELL = 8, 0.06, 0.15  # systems; the standard deviations of their effects, and on a topic


class Pilot:
    """Two systems on some topics, and experiments to come."""

    def __init__(self, world: TopicWorld, rng: np.random.Generator) -> None:
        self.values, self._world, self._rng = world(rng, TOPICS, 2), world, rng

    def is_shown(self, topics: int, difference: float) -> bool:
        """Whether a new experiment finds a true difference."""
        values = self._world(self._rng, topics, 2) + np.array([difference, 0.0])
        return bool(skewed_t(values, ["a", "b"], alpha=ALPHA).significant[0])


def needed(pilot: Pilot, _: int) -> float:
    """Whether as many topics as are said to be needed show the difference."""
    topics = plan(scores(pilot.values[..., None]), difference=DIFFERENCE).first.designs[0].topics
    if topics is None:
        raise DesignError("no number of topics")
    return float(pilot.is_shown(topics, DIFFERENCE))


def now(pilot: Pilot, _: int) -> float:
    """Whether as many topics as there are show the difference that they are said to find."""
    reach = plan(scores(pilot.values[..., None])).first.now
    if reach is None:
        raise DesignError("nothing is said")
    return float(pilot.is_shown(reach.topics, reach.difference))


def ranking(values: Floats, _: int) -> float:
    """Whether the interval of Eρ² holds it."""
    reliability = plan(scores(values[..., None])).reliability
    if reliability is None or reliability.here is None:
        raise DesignError("nothing is said")
    truth = _SYSTEM**2 / (_SYSTEM**2 + _CELL**2 / TOPICS)
    low, high = reliability.here.relative.low, reliability.here.relative.high
    if low is None or high is None:
        raise DesignError("no interval")
    return float(low <= truth <= high)


def _ranked(rng: np.random.Generator) -> Floats:
    systems = _SYSTEM * rng.standard_normal(_RANKED)
    return 0.2 * rng.standard_normal((TOPICS, 1)) + systems + _CELL * rng.standard_normal((TOPICS, _RANKED))


# calibrate: what is said of a test, against its rate in the world that the data are from

WORLDS: Mapping[str, TopicWorld] = {"normal": normal, "skewed": skewed, "rare gains": rare_winner}
_SYSTEMS = 5
_NAMES = {  # test, correction -> its name in the table
    ("t", "holm"): "paired t, Holm or Bonferroni",
    ("t", "bonferroni"): "paired t, Holm or Bonferroni",
    ("skewed-t", "holm"): "skewed t, Holm",
    ("max-t", "built in"): "max-t",
    ("tukey", "built in"): "Tukey, MD1",
    ("randomised-tukey", "built in"): "randomised Tukey",
}


def known_rate(method: MethodPromise, world: str) -> Row | None:
    """What was measured of a test in a world."""
    from benchmarks.calibration import table  # which knows all groups, this one too

    name = _NAMES.get((method.method.test, method.method.correction))
    where = world, f"{TOPICS} × {_SYSTEMS}"
    rows = (row for row in table.read() if row.group == "topics" and (row.world, row.design) == where)
    return next((row for row in rows if row.method == name), None)


def advised(world: str, result: Calibrated, _: int) -> float:
    """Whether a test is advised as keeping its promise that does not keep it in this world."""
    advice = result.first.advised
    row = known_rate(advice, world)
    if row is None or advice.verdict not in KEEPING:
        raise DesignError("no test is said to keep its promise, or what it errs is not known")
    return float(row.verdict == "liberal")


def doubted(world: str, result: Calibrated, _: int) -> float:
    """Whether a test is said to err more than it promises that keeps its promise in this world."""
    rows = [row for method in result.first.liberal if (row := known_rate(method, world)) is not None]
    return float(any(row.verdict in ("kept", "conservative") and row.observed <= row.nominal for row in rows))


def _calibrated(world: TopicWorld, rng: np.random.Generator) -> Calibrated:
    return calibrate(scores(world(rng, TOPICS, _SYSTEMS)[..., None]), quick=True, workers=1)


def _advice(name: str, world: TopicWorld) -> Cell[Calibrated]:
    of_world = [
        Method("calibrate: use", "topics", "each claim", partial(advised, name)),
        Method("calibrate: doubt", "topics", "each claim", partial(doubted, name)),
    ]
    draw = partial(_calibrated, world)
    return Cell(name, f"{TOPICS} × {_SYSTEMS}", draw, of_world, TRIALS_OF_ADVICE, TRIALS_OF_ADVICE)


def cells() -> list[Cell[Pilot] | Cell[Floats] | Cell[Calibrated]]:
    """All of them."""
    plans = [
        Method("plan: needed", "topics", "assurance", needed),
        Method("plan: now", "topics", "assurance", now),
    ]
    ranks = [Method("plan: ranking", "topics", "coverage", ranking)]
    pilots = [
        Cell(name, f"{TOPICS} × 2", partial(Pilot, WORLDS[name]), plans, TRIALS, TRIALS)
        for name in ("normal", "skewed")
    ]
    advice = [_advice(name, world) for name, world in WORLDS.items()]
    return [*pilots, Cell("normal", f"{TOPICS} × {_RANKED}", _ranked, ranks, TRIALS, TRIALS), *advice]


GROUP = Group(
    "forecasts",
    "Plans, and advice on tests",
    f"A plan is made from a pilot of {TOPICS} topics, and new topics are drawn with the difference planned for; of the "
    "ranking, the interval of Eρ². `calibrate --quick` gets data from a world in which the rates of tests are known, "
    "from the first table: wrong is to advise a test as keeping its promise that does not keep it there, and to doubt "
    "one that does.",
    cells,
)
