"""Does a model of grades hold for documents that are not like the judged ones? Judgments hidden as a pool would.

Those deeper than half of them, as if pools had been shallower; and those of documents that half of the runs alone
brought, as if these runs had come later; or half of their groups, where these are known. The model is fitted to the
rest, and compared with what was hidden.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from scipy.optimize import brentq
from scipy.special import expit, logit

from irgauge.compute.arrays import Bools, Floats, Ints
from irgauge.inference.likely_grades import Drift, GradeModel, Learned, LikelyGrades
from irgauge.reading.contributions import Contributions
from irgauge.reading.judgments import UNJUDGED
from irgauge.reading.rejudging import JudgedPairs
from irgauge.scoring.retrieved import Retrieved

LEAST_HIDDEN = 20  # documents of which something can be said
_BLOCKS = 10  # of runs in the order of their names, so that those of a team stay together; every other one is hidden
UNCHECKED = 1.0  # variance of a drift that cannot be seen, for want of judgments to hide
_DRAWS = 40  # of the model, of which chances are the mean
_EDGE = 0.95  # of the judged documents are in the pool; others were picked
_FARTHEST = 60.0  # a drift of logits
_ROUNDING = 1e-12  # of a chance
_LARGEST = 4.0  # variance of a drift: beyond it chances are 0 or 1


@dataclass(frozen=True, eq=False)
class Hidden:
    """Judgments that were hidden in one way, and the model of those that were not."""

    way: str  # depth, runs or groups
    rank: int | None  # the best rank from which on judgments are hidden, less 1; None where runs or groups are
    pairs: Ints  # places of the hidden pairs
    model: GradeModel  # of the others
    chances: Floats  # pair: to be relevant, by the model
    relevant: Bools  # pair: whether it is
    weights: Floats  # pair: the share of documents like it that are judged
    drift: Drift  # with squares of what was seen


def likely_grades(
    retrieved: Retrieved, judge: JudgedPairs | None = None, groups: Ints | None = None
) -> tuple[LikelyGrades, tuple[Hidden, ...]]:
    """How likely the unjudged documents of the lists are to have each grade, and the checks that it rests on.

    Runs may have groups[system], numbered from 0: what every other of them alone brought is hidden then.
    """
    learned = Learned(retrieved, judge)
    levels = retrieved.levels
    model = learned.fitted(levels)
    checks = tuple(hidden(learned, model, groups))
    holes = np.flatnonzero(levels == UNJUDGED)
    return LikelyGrades(learned, model, _largest(checks, learned, model), holes), checks


def _largest(checks: tuple[Hidden, ...], learned: Learned, model: GradeModel) -> Drift:
    """The drift of documents that may be like those of any check."""
    reach, steps = _reach(checks, learned, model), len(model.steps)
    if not checks:
        return Drift(np.full(steps, UNCHECKED), np.full(steps, UNCHECKED), reach)
    shared = np.max([check.drift.shared for check in checks], axis=0)
    return Drift(shared, np.max([check.drift.topics for check in checks], axis=0), reach)


def _reach(checks: tuple[Hidden, ...], learned: Learned, model: GradeModel) -> Floats:
    """How many times as far documents are below the pool as the deepest hidden ones were, in logarithms of ranks.

    A drift whose steps do not depend on each other has a variance in proportion to its length.
    """
    pairs, is_judged = learned.retrieved, learned.taught(learned.retrieved.levels)
    for check in checks:
        if check.rank is not None:
            below = np.log(pairs.best[check.pairs] / check.rank)
            edge = _rank_at(pairs.best[is_judged], model.weights[is_judged], _EDGE)
            return np.maximum(1.0, np.log(pairs.best / edge) / np.average(below, weights=check.weights))
    return np.ones(len(pairs))


def hidden(learned: Learned, model: GradeModel, groups: Ints | None = None) -> Iterator[Hidden]:
    """Each way to hide judgments, where it hides enough of them and leaves enough."""
    pairs = learned.retrieved
    is_judged = learned.taught(pairs.levels)
    rank = _rank_at(pairs.best[is_judged], model.weights[is_judged], 0.5)
    yield from _checked(learned, "depth", rank, is_judged & (pairs.best > rank), model.weights)
    way, blocks = ("runs", _blocks(len(pairs.collection.systems))) if groups is None else ("groups", groups)
    yield from _checked(learned, way, None, is_judged & _brought_by_half(pairs, blocks), model.weights)


def _rank_at(best: Ints, weights: Floats, share: float) -> int:
    """The best rank down to which a share of the judged documents are, by their weights."""
    order = np.argsort(best, kind="stable")
    total = np.cumsum(weights[order])
    return int(best[order][np.searchsorted(total, share * total[-1])])


def _blocks(systems: int) -> Ints:
    """The block of each run."""
    return np.asarray(np.arange(systems) * min(systems, _BLOCKS) // systems)


def _brought_by_half(pairs: Retrieved, blocks: Ints) -> Bools:
    """Pairs that every other block of runs alone brought to the pool."""
    whole = pairs.collection
    if len(whole.systems) < 2:
        return np.zeros(len(pairs), np.bool_)
    alone = np.flatnonzero(Contributions(whole, blocks % 2).alone(1))
    topics = np.searchsorted(whole.judged_bounds, alone, side="right") - 1
    return pairs.among(topics, whole.judged_docs[alone].astype(np.int64))


def _checked(learned: Learned, way: str, rank: int | None, is_hidden: Bools, weights: Floats) -> Iterator[Hidden]:
    places, levels = np.flatnonzero(is_hidden), learned.retrieved.levels
    left = learned.taught(levels) & ~is_hidden
    kinds = np.unique(learned.steps_of(levels[left]) > 0)
    if len(places) < LEAST_HIDDEN or len(kinds) < 2:
        return
    model = learned.as_holes(places).fitted(np.where(is_hidden, UNJUDGED, levels))
    steps, topics = learned.steps_of(levels[places]), learned.retrieved.topics[places]
    chances = _mean_chances(model, places)
    seen = [_seen(number, _Outcomes(steps, topics, weights[places]), own) for number, own in enumerate(chances)]
    shared, of_topics = np.array(seen).T
    drift = Drift(shared, of_topics, np.ones(len(levels)))
    yield Hidden(way, rank, places, model, chances[0].mean(axis=0), steps > 0, weights[places], drift)


class _Outcomes(NamedTuple):
    """What hidden pairs are."""

    steps: Ints
    topics: Ints
    weights: Floats


def _mean_chances(model: GradeModel, places: Ints) -> Floats:
    """The chances of pairs to take each step, as they may be; step, draw, pair."""
    rng = np.random.default_rng(0)
    return np.array([list(model.drawn_chances(places, rng)) for _ in range(_DRAWS)]).swapaxes(0, 1)


def _seen(number: int, hidden: _Outcomes, chances: Floats) -> tuple[float, float]:
    """The squared shift of logits that makes as many take a step as did; and the variance of topics beyond it.

    That is what the squared errors of topics have beyond what the draws of the model and of grades lead to expect.
    """
    reached = hidden.steps >= number
    if reached.sum() < LEAST_HIDDEN:
        return UNCHECKED, UNCHECKED
    own, topics, weights = chances[:, reached], hidden.topics[reached], hidden.weights[reached]
    takes = weights * (hidden.steps[reached] > number)
    logits = logit(np.clip(own.mean(axis=0), _ROUNDING, 1 - _ROUNDING))
    total = np.clip(takes.sum(), 0.5, weights.sum() - 0.5) if weights.sum() > 1 else weights.sum() / 2
    shift = float(brentq(lambda x: weights @ expit(logits + x) - total, -_FARTHEST, _FARTHEST))
    moved = expit(logits + shift)
    bend = np.bincount(topics, weights * moved * (1 - moved))
    drawn = np.array([np.bincount(topics, weights * draw) for draw in own])
    expected = np.bincount(topics, np.square(weights) * moved * (1 - moved)) + drawn.var(axis=0) * np.exp(2 * shift)
    errors = np.square(np.bincount(topics, takes) - np.bincount(topics, weights * moved)) - expected
    known = bend > 0
    variance = float((errors[known] / bend[known]).sum() / bend.sum())
    return min(shift**2, _LARGEST), float(np.clip(variance, 0.0, _LARGEST))
