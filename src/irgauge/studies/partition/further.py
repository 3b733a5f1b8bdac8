"""What can be asked of the partition method besides: other effects, and numbers of splits and of systems.

How many splits are enough, and what the number and the diversity of runs do to a model, are the open questions of
Voorhees, Samarov and Soboroff (2017), sections 5 to 7.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import get_args

import numpy as np

from irgauge.compute.arrays import Floats, Indices, Signs
from irgauge.errors import DesignError
from irgauge.inference.comparison import Pairs
from irgauge.models.level_draws import Term, level_changes
from irgauge.studies.partition.inferring import infer
from irgauge.studies.partition.split import ranked_values
from irgauge.studies.partition.splits import Splits

_DRAWN = 50  # sets of splits of each number
_SETS = 20  # sets of systems of each number and kind
_NUMBERS = (1, 2, 3, 5, 7, 11, 15, 21, 33, 51, 75, 101)  # of splits
AT_RANDOM, NEIGHBOURS = "at random", "neighbours in the ranking"


@dataclass(frozen=True, eq=False)
class TermEffects:
    """The effects of a term in the first split, with percentile intervals over draws of residuals, each by itself."""

    term: Term
    levels: tuple[str, ...]  # topics, or topics and systems
    effects: Floats  # level
    low: Floats
    high: Floats
    alpha: float
    draws: int

    @property
    def away_from_zero(self) -> int:
        """How many intervals do not hold 0."""
        return int(np.count_nonzero((self.low > 0) | (self.high < 0)))


def term_effects(splits: Splits, draws: int) -> tuple[TermEffects, ...]:
    """Of topics and, where the model has them, of systems on topics."""
    terms = [term for term in get_args(Term) if term in splits.fit.model.terms]
    return tuple(_of_term(splits, term, place, draws) for place, term in enumerate(terms))


def _of_term(splits: Splits, term: Term, place: int, draws: int) -> TermEffects:
    drawing, topics = splits.drawing, splits.measured.scores.topics
    key = (splits.parts, splits.splits[0].number, len(splits.systems), place)
    changes = level_changes(splits.fit, term, draws=draws, seed=drawing.seed, key=key, is_scaled=not drawing.is_paper)
    effects = splits.fit.effects(term).ravel()  # of systems in the order of the ranking, as they were fitted
    left_out = int(draws * drawing.alpha / 2 + 1e-9)
    levels = topics if term == "topic" else tuple(f"{topic}, {system}" for topic in topics for system in splits.systems)
    ends = effects + changes[left_out], effects + changes[draws - 1 - left_out]
    return TermEffects(term, levels, effects, *ends, drawing.alpha, draws)


@dataclass(frozen=True)
class OfSplitCount:
    """What so many splits decide, over sets of them that are drawn from all."""

    splits: int
    least: int  # pairs that differ, by the set that finds fewest
    mean: float
    most: int
    as_all: float  # share of pairs that are decided as by all splits
    as_others: float | None  # share that two sets without a common split decide alike; None where there are too few


def by_split_count(splits: Splits) -> tuple[OfSplitCount, ...]:
    """How decisions depend on the number of splits."""
    count = len(splits.splits)
    rng = np.random.default_rng(np.random.SeedSequence(splits.drawing.seed, spawn_key=(count, 0)))
    every = splits.decided()
    return tuple(_of_count(splits, number, every, rng) for number in (*_below(count), count))


def _below(count: int) -> list[int]:
    return [number for number in _NUMBERS if number < count]


def _of_count(splits: Splits, number: int, every: Signs, rng: np.random.Generator) -> OfSplitCount:
    count, has_others = len(splits.splits), 2 * number <= len(splits.splits)
    orders = [rng.permutation(count) for _ in range(_DRAWN)] if number < count else [np.arange(count, dtype=np.intp)]
    decided = [_subset(splits, order[:number]).decided() for order in orders]
    others = [_subset(splits, order[number : 2 * number]).decided() for order in orders] if has_others else []
    found = [int(np.count_nonzero(decisions)) for decisions in decided]
    alike = [float((one == other).mean()) for one, other in zip(decided, others, strict=has_others)]
    return OfSplitCount(
        number,
        min(found),
        float(np.mean(found)),
        max(found),
        float(np.mean([(decisions == every).mean() for decisions in decided])),
        float(np.mean(alike)) if has_others else None,
    )


def _subset(splits: Splits, places: Indices) -> Splits:
    return replace(
        splits,
        splits=tuple(splits.splits[i] for i in places),
        inferences=tuple(splits.inferences[i] for i in places),
    )


@dataclass(frozen=True)
class OfSystemCount:
    """What models of so many systems alone say of their pairs, beside the model of all systems, in the first split."""

    systems: int
    kind: str  # how they are chosen: at random, so that they are diverse, or neighbours in the ranking
    sets: int
    length: float  # of plain intervals of effects, in the mean
    length_of_all: float  # of the same systems by the model of all
    significant: float  # share of their pairs, corrected over these
    significant_of_all: float  # share of the same pairs by the model of all, corrected over all pairs
    as_all: float  # share of their pairs that both decide alike


def by_system_count(splits: Splits, numbers: Sequence[int]) -> tuple[OfSystemCount, ...]:
    """How a model depends on the number of systems in it, and on how diverse they are."""
    check_system_counts(numbers, len(splits.systems))
    return tuple(
        _of_systems(splits, number, kind, place)
        for place, number in enumerate(numbers)
        for kind in (AT_RANDOM, NEIGHBOURS)
    )


def check_system_counts(numbers: Sequence[int], systems: int) -> None:
    """Refuse numbers of systems that no model has, or that of all."""
    wrong = [number for number in numbers if not 2 <= number < systems]
    if not numbers or wrong or len(set(numbers)) < len(numbers):
        raise DesignError(
            f"the numbers of systems are {', '.join(map(str, numbers)) or 'none'}; name some from 2 to {systems - 1}, "
            f"each once, as there are {systems} systems"
        )


def _of_systems(splits: Splits, number: int, kind: str, place: int) -> OfSystemCount:
    sets = list(_sets_of(splits, number, kind, place))
    values, of_all, drawing = ranked_values(splits.measured, splits), splits.inferences[0], splits.drawing
    decided = splits.matrix(of_all.decisions(splits.alpha))  # system, system: above the diagonal
    rows = []
    for each, own in enumerate(sets):
        few = Pairs.all_of(tuple(splits.systems[i] for i in own), splits.means[own])
        inference = infer(drawing.fit(values[:, own]), (splits.parts, 0, number, place, each), few, drawing)
        mine, theirs = inference.decisions(splits.alpha), decided[own[few.first], own[few.second]]
        lengths = inference.plain.length.mean(), of_all.plain.length[own].mean()
        rows.append((*lengths, (mine != 0).mean(), (theirs != 0).mean(), (mine == theirs).mean()))
    return OfSystemCount(number, kind, len(sets), *np.mean(rows, axis=0).tolist())


def _sets_of(splits: Splits, number: int, kind: str, place: int) -> Iterator[Indices]:
    """Sets of systems, by their places in the ranking."""
    systems = len(splits.systems)
    if kind == NEIGHBOURS:
        starts = np.unique(np.linspace(0, systems - number, _SETS).astype(np.int64))
        yield from (np.arange(start, start + number) for start in starts)
        return
    rng = np.random.default_rng(np.random.SeedSequence(splits.drawing.seed, spawn_key=(systems, number, place)))
    yield from (np.sort(rng.choice(systems, number, replace=False)) for _ in range(_SETS))
