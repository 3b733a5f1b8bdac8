"""Synthetic instances of random algorithms whose truth is known, as runs with qrels."""

from __future__ import annotations

import json
import math
import os
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from irgauge.compute.arrays import Floats, Ints
from irgauge.compute.tasks import in_threads
from irgauge.errors import DesignError, InputError
from irgauge.files.opening import read_bytes
from irgauge.files.writing import write
from irgauge.options.progress import Progress
from irgauge.reading.collection import Collection
from irgauge.replicates.labels import Label
from irgauge.scoring.measures import Measure, parse_measures
from irgauge.scoring.scores import score
from irgauge.simulation.collections import (
    UNITS,
    Design,
    DrawnTopic,
    Simulation,
    Systems,
    check_setting,
    simulate,
    simulate_topics,
)
from irgauge.simulation.truth import TRUTH_MEASURES

BASELINE = "exhaustive"
_TRUTH_TOPICS = 2  # the stream of topics of truth.py
_EFFECTS, _ERRORS, _TRUTH_ERRORS = range(3, 6)  # streams of random numbers, after those of collections
_CHUNK = 50  # topics of the truth that are held at a time
_NODES = np.array([-math.sqrt(3), 0, math.sqrt(3)])  # Gauss and Hermite's, of a standard normal effect
_WEIGHTS = np.array([1, 4, 1]) / 6
_COPIES = 3  # independent errors on each topic of the truth


@dataclass(frozen=True)
class InstanceDesign:
    """The settings of runs of an exhaustive search and of searches that sample, as central sample indexes do.

    The score of document d by instance m of the search with sampling rate r on topic t is

        x_trmd = x_td + ((w_tr + v_rm) · grade_td + e_trmd) / √r

    with the score x_td of the exhaustive search, which is deterministic, and normal errors that fall with the rate:
    w is the same in all instances, v the same on all topics.

    >>> InstanceDesign(instances=2, rates=(0.5, 4)).runs
    ('exhaustive', 'sampled-0.5.1', 'sampled-0.5.2', 'sampled-4.1', 'sampled-4.2')
    """

    instances: int = 10
    rates: tuple[float, ...] = (0.1, 0.5, 1, 4)  # percent
    topic_algorithm_sd: float = 0.1  # of w
    instance_sd: float = 0.02  # of v
    noise_sd: float = 0.2  # of e
    collection: Design = field(default_factory=lambda: Design(systems=1, families=1))  # of the exhaustive search

    def __post_init__(self) -> None:
        check_setting("instances", self.instances, (1, 10**5), is_whole=True)
        if not self.rates or not all(1e-3 <= rate <= 100 for rate in self.rates):
            raise DesignError(f"rates {self.rates} are not possible; they are percentages from 0.001 to 100")
        if len(set(self.algorithms)) != len(self.algorithms):
            raise DesignError(f"two of the rates {self.rates} have the same name; remove one")
        for name in ("topic_algorithm_sd", "instance_sd", "noise_sd"):
            check_setting(name, getattr(self, name), (0, 10))
        if self.collection.systems != 1:
            raise DesignError(f"the collection has one system, the exhaustive search, not {self.collection.systems}")

    @property
    def algorithms(self) -> tuple[str, ...]:
        """The names of the algorithms, the baseline first."""
        return (BASELINE, *(f"sampled-{rate:g}" for rate in self.rates))

    @property
    def labels(self) -> tuple[Label, ...]:
        """What each run is an instance of."""
        wide = len(str(self.instances))
        numbers = [f"{number:0{wide}}" for number in range(1, self.instances + 1)]
        return (Label(BASELINE, None), *(Label(name, number) for name in self.algorithms[1:] for number in numbers))

    @property
    def runs(self) -> tuple[str, ...]:
        """The name of each run."""
        return tuple(".".join(filter(None, label)) for label in self.labels)


@dataclass(frozen=True)
class InstanceSimulation:
    """Synthetic runs, each an instance of an algorithm."""

    design: InstanceDesign
    simulation: Simulation  # its systems are the runs

    def collection(self) -> Collection:
        """The collection that `irgauge.load` would read from the files that `write` writes."""
        return self.simulation.collection()

    def write(self, folder: str | os.PathLike[str]) -> None:
        """Write `qrels.txt`, `runs/<run>.run` and `manifest.txt`: the same bytes for the same design, all or none."""
        with self.writing(folder):
            pass

    @contextmanager
    def writing(self, folder: str | os.PathLike[str]) -> Iterator[Path]:
        """Write `qrels.txt`, `runs/<run>.run`, `manifest.txt`, and what else goes into the folder: all or none."""
        named = zip(self.design.runs, self.design.labels, strict=True)
        lines = [" ".join(filter(None, (run, *label))) for run, label in named]
        with self.simulation.writing(folder) as temporary:
            write(temporary / "manifest.txt", "\n".join([*lines, ""]))
            yield temporary


def simulate_instances(design: InstanceDesign, *, draw: int = 0, workers: int | None = None) -> InstanceSimulation:
    """Draw runs: draws 0, 1, 2... have topics and instances of their own.

    >>> small = Design(systems=1, families=1, topics=3, depth=10, corpus_size=100)
    >>> simulate_instances(InstanceDesign(instances=2, rates=(1,), collection=small)).collection().systems
    ('exhaustive', 'sampled-1.1', 'sampled-1.2')
    """
    exhaustive = simulate(design.collection, draw=draw, workers=workers)
    v = np.array([_rng(design, _EFFECTS, draw, r).standard_normal(design.instances) for r in range(len(design.rates))])
    keys = [(_ERRORS, draw, number) for number in range(len(exhaustive.topics))]
    return InstanceSimulation(design, _sampled(design, exhaustive, keys, design.runs, v, 1, workers))


def _rng(design: InstanceDesign, *key: int) -> np.random.Generator:
    return np.random.default_rng(np.random.SeedSequence(design.collection.seed, spawn_key=key))


def _sampled(
    design: InstanceDesign,
    exhaustive: Simulation,
    keys: Sequence[tuple[int, ...]],
    names: tuple[str, ...],
    v: Floats,  # rate, instance: standardised
    share: int,  # so many instances share their errors e
    workers: int | None,
) -> Simulation:
    """The exhaustive search, and after it the instances of the searches that sample."""

    def draw(task: tuple[DrawnTopic, tuple[int, ...]]) -> DrawnTopic:
        return _draw_topic(design, v, share, *task)

    drawn = in_threads(draw, zip(exhaustive.topics.values(), keys, strict=False), workers)
    families: Ints = np.repeat(np.arange(len(v) + 1), [1, *[v.shape[1]] * len(v)])  # run: its algorithm
    base, same = exhaustive.systems, np.zeros_like(families)
    systems = Systems(names, families, base.qualities[same], base.steps[same], base.lengths[same])
    return Simulation(exhaustive.design, systems, dict(zip(exhaustive.topics, drawn, strict=True)))


def _draw_topic(design: InstanceDesign, v: Floats, share: int, topic: DrawnTopic, key: tuple[int, ...]) -> DrawnTopic:
    """The documents of the exhaustive search ranked again: score descending, ties by docno descending."""
    docs, units, grades = topic.docs[0], topic.units[0].astype(np.int64), topic.grades[0]
    errors = [_errors(design, r, v[r], share, np.maximum(grades, 0), key) for r in range(len(design.rates))]
    shifted = units + np.rint(np.concatenate([np.zeros((1, len(docs))), *errors]) * UNITS).astype(np.int64)
    order = np.argsort((shifted << 32) + docs, axis=1)[:, ::-1]  # run, rank
    ranked_units = np.take_along_axis(shifted, order, axis=1).astype(np.int32)
    return topic._replace(docs=docs[order], units=ranked_units, grades=grades[order])


def _errors(
    design: InstanceDesign, r: int, v: Floats, share: int, grades: NDArray[np.int8], key: tuple[int, ...]
) -> Floats:
    """((w_tr + v_rm) · grade_td + e_trmd) / √r (instance, document)."""
    rng = _rng(design, *key, r)
    w = design.topic_algorithm_sd * rng.standard_normal()
    e = design.noise_sd * rng.standard_normal((len(v) // share, len(grades)))
    return ((w + design.instance_sd * v)[:, None] * grades + e.repeat(share, axis=0)) / math.sqrt(design.rates[r])


# their truth

_OF_ALGORITHM = (
    *("mean", "se", "difference", "difference_se"),
    *("instance_variance", "residual_variance", "residual_variance_se"),
)
_OF_MEASURE = ("topic_variance", "topic_algorithm_variance")


@dataclass(frozen=True)
class InstanceTruth:
    """True means and variance components of each measure, over the population of topics, documents and instances."""

    design: InstanceDesign
    measures: tuple[Measure, ...]
    topics: int  # over which they are taken
    mean: Floats  # measure, algorithm
    se: Floats  # measure, algorithm: standard error of the mean
    difference: Floats  # measure, algorithm: from the baseline
    difference_se: Floats  # measure, algorithm
    instance_variance: Floats  # measure, algorithm
    residual_variance: Floats  # measure, algorithm
    residual_variance_se: Floats  # measure, algorithm
    topic_variance: Floats  # measure: the mean covariance of two algorithms over topics
    topic_algorithm_variance: Floats  # measure: the mean variance of an algorithm over topics beyond it

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write it as JSON, with the design."""
        measures = {
            str(measure): {name: float(getattr(self, name)[m]) for name in _OF_MEASURE}
            | {"algorithms": {a: self._facts(m, i) for i, a in enumerate(self.design.algorithms)}}
            for m, measure in enumerate(self.measures)
        }
        facts = {"instance_design": asdict(self.design), "truth_topics": self.topics, "measures": measures}
        write(path, json.dumps(facts, indent=1) + "\n")

    def _facts(self, measure: int, algorithm: int) -> dict[str, float]:
        return {name: float(getattr(self, name)[measure, algorithm]) for name in _OF_ALGORITHM}

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> InstanceTruth:
        """Read what `save` wrote."""
        text = read_bytes(path).tobytes()
        try:
            facts = json.loads(text)
            settings = facts["instance_design"]
            design = settings | {"rates": tuple(settings["rates"]), "collection": Design(**settings["collection"])}
            rows = list(facts["measures"].values())
            columns: dict[str, Any] = {name: np.array([float(row[name]) for row in rows]) for name in _OF_MEASURE}
            for name in _OF_ALGORITHM:
                columns[name] = np.array([[float(cell[name]) for cell in row["algorithms"].values()] for row in rows])
            return cls(InstanceDesign(**design), parse_measures(facts["measures"]), facts["truth_topics"], **columns)
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError, OverflowError) as error:
            message = f"this is not a truth.json of simulated instances ({error})"
            raise InputError(message, path=str(path)) from None


def true_instances(
    design: InstanceDesign,
    measures: Iterable[str | Measure] = TRUTH_MEASURES,
    *,
    topics: int = 2000,
    workers: int | None = None,
    progress: Progress | None = None,
) -> InstanceTruth:
    """The truth, taken over fresh topics of the same population, with several independent errors e on each.

    The effects v of instances are not drawn: their population is summed up at the three nodes of Gauss and Hermite,
    with the same errors at each, so that the few instances of a study are no source of error here.
    """
    if topics < 2:
        raise DesignError(f"topics={topics} is not possible; the truth is taken over at least 2")
    parsed = parse_measures(measures)
    v = np.tile(_NODES, (len(design.rates), _COPIES))  # rate, copy and node
    names = tuple(map(str, range(1 + v.size)))
    values = np.empty((len(parsed), topics, len(names)))
    for first in range(0, topics, _CHUNK):
        numbers = range(first, min(first + _CHUNK, topics))
        exhaustive = simulate_topics(design.collection, [(_TRUTH_TOPICS, number) for number in numbers], workers)
        keys = [(_TRUTH_ERRORS, number) for number in numbers]
        chunk = _sampled(design, exhaustive, keys, names, v, len(_NODES), workers)
        scores = score(chunk.collection(), parsed, workers=workers).filled()
        values[:, numbers.start : numbers.stop] = scores.values[..., 0]
        if progress is not None:
            progress(numbers.stop, topics)
    return InstanceTruth(design, parsed, topics, **_components(values, len(design.rates)))


def _components(values: Floats, rates: int) -> dict[str, Floats]:
    """Means and components from values[measure, topic, run]: the baseline, then rate, copy and node."""
    measures, topics, _ = values.shape
    of_rates = values[..., 1:].reshape(measures, topics, rates, _COPIES, len(_NODES))
    of_base = np.broadcast_to(values[..., :1, None, None], (measures, topics, 1, *of_rates.shape[3:]))
    x = np.concatenate([of_base, of_rates], axis=2)  # measure, topic, algorithm, copy, node
    g = x @ _WEIGHTS  # measure, topic, algorithm, copy
    y = x - of_base  # exactly 0 where nothing differs
    h = y @ _WEIGHTS
    by_topic, gaps = g.mean(axis=3), h.mean(axis=3)  # measure, topic, algorithm
    by_node = y.mean(axis=(1, 3))  # measure, algorithm, node
    instance = by_node**2 @ _WEIGHTS - (by_node @ _WEIGHTS) ** 2
    within = (y**2 @ _WEIGHTS).mean(axis=3) - _squared(h)  # measure, topic, algorithm: instance and residual
    topic, interaction = _topic_components(g, by_topic)
    return {
        "mean": by_topic.mean(axis=1),
        "se": by_topic.std(axis=1, ddof=1) / math.sqrt(topics),
        "difference": gaps.mean(axis=1),
        "difference_se": gaps.std(axis=1, ddof=1) / math.sqrt(topics),
        "instance_variance": np.maximum(instance, 0),
        "residual_variance": np.maximum(within.mean(axis=1) - instance, 0),
        "residual_variance_se": within.std(axis=1, ddof=1) / math.sqrt(topics),
        "topic_variance": topic,
        "topic_algorithm_variance": interaction,
    }


def _topic_components(g: Floats, by_topic: Floats) -> tuple[Floats, Floats]:
    """The mean covariance over topics of two algorithms, and the mean variance of one beyond it (measure)."""
    centred = by_topic - by_topic.mean(axis=1, keepdims=True)
    topics, algorithms = centred.shape[1:]
    variances = _squared(g - g.mean(axis=1, keepdims=True)).sum(axis=1) / (topics - 1)  # measure, algorithm
    every = (centred.sum(axis=2) ** 2).sum(axis=1) - (centred**2).sum(axis=(1, 2))  # all pairs, in both orders
    topic = every / ((topics - 1) * algorithms * (algorithms - 1))
    return topic, np.maximum(variances.mean(axis=1) - topic, 0)


def _squared(copies: Floats) -> Floats:
    """The square of what the copies (the last axis) estimate, from products of two: their errors are independent."""
    count = copies.shape[-1]
    return np.asarray((copies.sum(axis=-1) ** 2 - (copies**2).sum(axis=-1)) / (count * (count - 1)))
