"""Claims on kinds of topics where systems are equally good on each kind: how often is any of them false?

Systems are moved to equal means on every kind, so that whatever is found on one is false. The kinds are tried as
`compare` has them, all corrected together; and each alone, as if it were the only one that was looked at.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from zlib import crc32

import numpy as np

from irgauge.calibrating.methods import EACH_KIND_ALONE, KINDS_TOGETHER, Method, Setting, Way, names, plain_tests
from irgauge.calibrating.redrawing import as_drawn, redrawn
from irgauge.calibrating.sampled_worlds import lengths, signs
from irgauge.calibrating.trials import Key, Tried
from irgauge.calibrating.worlds import RESAMPLED, Drawn, Rng, World, distinct
from irgauge.compute.arrays import Floats, Indices
from irgauge.compute.tasks import each
from irgauge.errors import DesignError
from irgauge.inference.corrections import any_correction
from irgauge.inference.sampling import Sampling
from irgauge.inference.slices import FEWEST, sliced
from irgauge.inference.tests.record import Experiment
from irgauge.inference.tests.registry import TESTS
from irgauge.reading.topic_slices import Slice

_FLAT = 1e-9  # what is left of a weight: a kind of one cluster shows no spread


def kind_worlds(values: Floats, parts: Sequence[Slice], sampling: Sampling | None) -> Iterator[World]:
    """The worlds of values[topic, system, 1] in which all systems are equally good on each kind of topics.

    >>> scores = np.random.default_rng(1).random((20, 3, 1))
    >>> halves = [Slice("kind", name, np.arange(10) + start) for name, start in (("a", 0), ("b", 10))]
    >>> [world.name for world in kind_worlds(scores, halves, None)]
    ['flipped', 'resampled']
    """
    kept = distinct(values[:, :, 0])
    drawing = sampling or _alike(len(values))
    shared, some = values.mean(axis=1, keepdims=True), values[:, kept]
    left = _left_in_kinds(values - shared, parts, drawing) * _lengths(parts, drawing)
    of_flipped = partial(_flipped, shared, left, tuple(parts), drawing, sampling)
    yield World("flipped", of_flipped, values.shape[1])
    if len(kept) > 1:
        of_some = some.mean(axis=1, keepdims=True)
        level = of_some + _left_in_kinds(some - of_some, parts, as_drawn(drawing))
        of_resampled = partial(_resampled, level, tuple(parts), drawing, sampling)
        yield World(RESAMPLED, of_resampled, len(kept), is_resampled=True)


def _alike(topics: int) -> Sampling:
    """Topics that are drawn one by one, and count alike."""
    return Sampling(np.full(topics, 1 / topics), np.arange(topics), np.zeros(topics, np.intp))


def _left_in_kinds(part: Floats, parts: Sequence[Slice], sampling: Sampling) -> Floats:
    """What is left of part[topic, system, 1] once it is 0 in the mean on each kind, by weighted least squares.

    Topics of no kind are 0 in the mean together.
    """
    is_in = np.array([np.isin(np.arange(len(part)), own.topics) for own in parts], float).T  # topic, kind
    columns = np.column_stack([is_in, ~is_in.any(axis=1)])
    root = np.sqrt(sampling.weight)[:, None]
    fitted = np.linalg.lstsq(root * columns, root * part[:, :, 0], rcond=None)[0]
    return part - (columns @ fitted)[:, :, None]


def _lengths(parts: Sequence[Slice], sampling: Sampling) -> Floats:
    """By how much what is left is to be longer, so that it varies as it did before means were taken out; topic, 1, 1.

    On a kind whose clusters have parts W of its weight, a variance falls by Σ W²; of several columns these add up.
    """
    lost = np.zeros(len(sampling.weight))
    for own in parts:
        of_cluster = np.bincount(sampling.cluster[own.topics], sampling.weight[own.topics])
        lost[own.topics] += np.square(of_cluster / of_cluster.sum()).sum()
    rest = 1 - lost
    return np.where(rest > _FLAT, 1 / np.sqrt(np.where(rest > _FLAT, rest, 1.0)), 1.0)[:, None, None]


def _flipped(
    shared: Floats, left: Floats, parts: tuple[Slice, ...], drawing: Sampling, sampling: Sampling | None, rng: Rng
) -> Drawn:
    """The sign of each topic or cluster is drawn."""
    return Drawn(shared + left * signs(drawing, rng), np.zeros(left.shape[1]), sampling, parts)


def _resampled(
    level: Floats, parts: tuple[Slice, ...], drawing: Sampling, sampling: Sampling | None, rng: Rng
) -> Drawn:
    """Topics or clusters drawn with replacement, each with its kinds, which have some more topics or some fewer."""
    rows, drawn = redrawn(drawing, rng)
    values = level[rows]
    shared = values.mean(axis=1, keepdims=True)
    own = tuple(_among(rows, part) for part in parts)
    return Drawn(
        shared + (values - shared) * lengths(drawn, rng),
        np.zeros(level.shape[1]),
        None if sampling is None else drawn,
        tuple(part for part in own if len(part.topics)),
    )


def _among(rows: Indices, part: Slice) -> Slice:
    """The same kind among topics that were drawn."""
    return part._replace(topics=np.flatnonzero(np.isin(rows, part.topics)))


def tried_on_kinds(
    world: World,
    setting: Setting,
    trials: int,
    *,
    seed: int,
    workers: int | None = None,
    then: Callable[[object], None] | None = None,
) -> Tried:
    """Draw experiments, and count those in which anything is found on any kind."""
    methods = list(kind_methods(setting))
    rows = each(partial(_false, world, setting, methods, seed), range(trials), workers, named="trial", then=then)
    shares = np.array(rows, np.float64)  # experiment, method
    found: dict[Key, Floats] = {(method, "error"): shares[:, i] for i, method in enumerate(methods)}
    return Tried(world.name, world.systems, found)


def check_kinds(values: Floats, parts: Sequence[Slice], setting: Setting) -> None:
    """Refuse kinds on which nothing can be claimed."""
    method, drawn = next(kind_methods(setting)), Drawn(values, np.zeros(values.shape[1]), setting.sampling)
    sliced([_experiment(method, drawn, setting, 0)], parts, TESTS[method.test], [None])


def kind_methods(setting: Setting) -> Iterator[Method]:
    """The usual tests with corrections that hold for all pairs together, in both ways."""
    for test in plain_tests():
        for correction in setting.corrections:
            if any_correction(correction).promise == "any pair":
                yield Method(test, correction, setting.population, KINDS_TOGETHER)
                yield Method(test, correction, setting.population, EACH_KIND_ALONE)


def _false(world: World, setting: Setting, methods: Sequence[Method], seed: int, number: int) -> list[bool]:
    """Whether each method finds anything in an experiment."""
    key = crc32(f"kinds/{world.name}".encode())
    drawn = world.draw(np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(key, number))))
    return [
        _CLAIMING[method.way](method, _experiment(method, drawn, setting, seed + number), drawn) for method in methods
    ]


def _experiment(method: Method, drawn: Drawn, setting: Setting, seed: int) -> Experiment:
    systems = names(drawn)
    return Experiment(
        drawn.values,
        systems,
        setting.population,
        setting.alpha,
        method.correction,
        None if setting.baseline is None else systems[0],
        setting.draws,
        seed,
        sampling=drawn.sampling,
    )


def _together(method: Method, experiment: Experiment, drawn: Drawn) -> bool:
    """Whether anything is found on any kind, all of them corrected together."""
    try:
        claims = sliced([experiment], drawn.slices, TESTS[method.test], [None])[0].slices
    except DesignError:  # no kind has topics enough
        return False
    return any(own.comparison.significant.any() for own in claims)


def _alone(method: Method, experiment: Experiment, drawn: Drawn) -> bool:
    """Whether anything is found on any kind, each of them tested as if it were all there is."""
    return any(_is_found(method, experiment, part) for part in drawn.slices if len(part.topics) >= FEWEST)


def _is_found(method: Method, experiment: Experiment, part: Slice) -> bool:
    try:
        return bool(TESTS[method.test].compare(experiment.on(part.topics, experiment.alpha)).significant.any())
    except DesignError:  # too few clusters
        return False


_CLAIMING: dict[Way, Callable[[Method, Experiment, Drawn], bool]] = {
    KINDS_TOGETHER: _together,
    EACH_KIND_ALONE: _alone,
}
