"""What plans say of the next experiment, and what `calibrate` says of tests: does it come out so?"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial

import numpy as np

from benchmarks.calibration.cells import ALPHA, Cell, Group, Method, Row
from benchmarks.calibration.sentences import table as scores
from calibration.worlds import Floats, TopicWorld, clustered, normal, rare_winner, skewed
from irgauge import calibrate, plan
from irgauge.calibrating.methods import AS_ASKED, KINDS_TOGETHER, ONE_BY_ONE, Way
from irgauge.errors import DesignError
from irgauge.inference.tests.registry import default_test
from irgauge.inference.tests.skewed_t import skewed_t
from irgauge.reading.topic_table import TopicTable
from irgauge.studies.calibrate.calibration import KEEPING, MethodPromise
from irgauge.studies.calibrate.study import Calibrated

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
    ("skewed-t", "holm"): "skewed-t, Holm",
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


# calibrate: what is said of clusters and kinds of topics that are as they are known to be

_CLUSTERS = (5,) * 20
_KINDS = 4
_TRIES, _EXPERIMENTS = 20, 80


def _about(column: str, of_topic: Sequence[object]) -> TopicTable:
    """A column of topics."""
    return TopicTable({column: {f"t{place:02}": str(value) for place, value in enumerate(of_topic)}})


def in_clusters(correlation: float, rng: np.random.Generator) -> Calibrated:
    """Two systems that are equally good, on 20 clusters of 5."""
    d, cluster = clustered(rng, _CLUSTERS, correlation)
    base = rng.random(len(d))
    values, about = np.column_stack([base, base + 0.1 * d]), _about("user", cluster.tolist())
    return calibrate(
        scores(values[..., None]), topics_table=about, cluster="user", quick=True, trials=_EXPERIMENTS, workers=1
    )


def on_kinds(world: TopicWorld, rng: np.random.Generator) -> Calibrated:
    """Three systems that are equally good on 4 kinds of 25 topics."""
    values, about = world(rng, 100, 3), _about("kind", [place % _KINDS for place in range(100)])
    return calibrate(
        scores(values[..., None]), topics_table=about, by="kind", quick=True, trials=_EXPERIMENTS, workers=1
    )


def _usual(result: Calibrated, way: Way) -> MethodPromise:
    """What is said of the usual test."""
    test = default_test("topics")
    own = [kept for kept in result.first.kept if (kept.method.test, kept.method.way) == (test.name, way)]
    return next((kept for kept in own if kept.method.correction == test.corrected_by.name), own[0])


def distrusted(ways: Sequence[Way], result: Calibrated, _: int) -> float:
    """Whether the usual test is said to err more than it promises in any of some ways, where it does not."""
    return float(any(_usual(result, way).verdict == "liberal" for way in ways))


def design_cells() -> list[Cell[Calibrated]]:
    """Clusters whose topics have nothing in common, and much; kinds of topics."""
    made: Sequence[tuple[str, str, str, Sequence[Way], Callable[[np.random.Generator], Calibrated]]] = (
        ("design", "normal, correlation 0", "20 clusters of 5", (AS_ASKED, ONE_BY_ONE), partial(in_clusters, 0.0)),
        ("design", "normal, correlation 0.8", "20 clusters of 5", (AS_ASKED,), partial(in_clusters, 0.8)),
        ("kinds", "normal", "4 kinds of 25 × 3", (KINDS_TOGETHER,), partial(on_kinds, normal)),
        ("kinds", "skewed", "4 kinds of 25 × 3", (KINDS_TOGETHER,), partial(on_kinds, skewed)),
    )
    return [
        Cell(
            world,
            design,
            draw,
            [Method(f"calibrate: {sentence}", "topics", "each claim", partial(distrusted, ways))],
            _TRIES,
            _TRIES,
        )
        for sentence, world, design, ways, draw in made
    ]


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
    return [*pilots, Cell("normal", f"{TOPICS} × {_RANKED}", _ranked, ranks, TRIALS, TRIALS), *advice, *design_cells()]


GROUP = Group(
    "forecasts",
    "Plans, and advice on tests",
    f"A plan is made from a pilot of {TOPICS} topics, and new topics are drawn with the difference planned for; of the "
    "ranking, the interval of Eρ². `calibrate --quick` gets data from a world in which the rates of tests are known, "
    "from the first table: wrong is to advise a test as keeping its promise that does not keep it there, and to doubt "
    "one that does. Of clusters and kinds of topics wrong is to doubt the usual test that knows of them, and one that "
    "takes topics one by one where they have nothing in common.",
    cells,
)
