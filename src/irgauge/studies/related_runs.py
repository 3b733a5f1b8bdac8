"""Does a model of related runs alone say the same as one of all runs? (Voorhees, Samarov and Soboroff 2017, section 6).

Related runs are those of one group, such as the runs of one participant. The model within a group knows its systems
alone, and corrects over their pairs alone; the model across knows all systems, and corrects over all pairs.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from irgauge.errors import DesignError
from irgauge.inference.intervals import MeanInterval
from irgauge.models.anova import Population
from irgauge.models.residuals import Resample
from irgauge.reading.collection import Collection
from irgauge.reading.trec import read_map
from irgauge.scoring.measures import Measure
from irgauge.studies.splits import (
    Divider,
    Drawing,
    Floats,
    Indices,
    Inference,
    Ranking,
    Sides,
    Signs,
    Split,
    check_split,
    infer,
    rank,
)

Singles = Literal["refuse", "leave out"]  # what to do with groups of one system
_SHOWN = 5  # names in an error


@dataclass(frozen=True)
class MeanLength:
    """The mean length of the intervals of the grouped systems' effects: a cell of Table 6."""

    model: str  # across or within
    interactions: bool
    plain: float
    adjusted: float


@dataclass(frozen=True, eq=False)
class RelatedRuns:
    """Models within groups against the model across all systems."""

    measure: str
    groups: dict[str, tuple[str, ...]]  # group -> its systems, best first
    systems: int  # of the model across, in groups or not
    split: Split
    lengths: tuple[MeanLength, ...]  # across and within, without and with interactions
    pairs: tuple[tuple[str, str, str], ...]  # pair: group, the better system on the whole corpus, the other
    across: Signs  # pair: the decision of the model across, with interactions
    within: Signs  # pair
    p_across: Floats  # pair: corrected over all pairs of systems
    p_within: Floats  # pair: corrected over the pairs of the group
    alpha: float
    draws: int
    seed: int
    fill: str
    population: Population

    @property
    def agreeing(self) -> int:
        """How many related pairs both decide alike."""
        return int(np.count_nonzero(self.across == self.within))

    def outcomes(self) -> dict[str, int]:
        """How many related pairs are told apart by both, by one alone, by none, or in opposite directions."""
        across, within = self.across != 0, self.within != 0
        cases = {
            "both": across & within & (self.across == self.within),
            "across only": across & ~within,
            "within only": ~across & within,
            "neither": ~across & ~within,
            "opposite": self.across * self.within < 0,
        }
        return {name: int(np.count_nonzero(case)) for name, case in cases.items()}


def read_groups(path: str | os.PathLike[str]) -> dict[str, str]:
    """The group of each system, from a file with `system group` on each line."""
    given = read_map(path)
    return {system: given.shards[label] for system, label in zip(given.docnos, given.labels, strict=True)}


def related_runs(
    collection: Collection,
    measure: str | Measure,
    groups: Mapping[str, str],
    *,
    singles: Singles = "refuse",
    parts: int = 3,
    alpha: float = 0.05,
    draws: int = 10_000,
    resample: Resample = "residuals",
    sides: Sides = 1,
    fill: str = "resample",
    seed: int = 0,
    workers: int | None = None,
) -> RelatedRuns:
    """Compare the model of each group with that of all systems, on the first split into parts (Table 6).

    Groups are given as system -> group. Systems without a group take part in the model across alone; so do those of
    groups of one with singles="leave out".
    """
    members = grouped(groups, collection.systems, singles)
    check_split(collection, measure, parts, fill)
    ranking = rank(collection, measure, "all", workers)
    split, values = Divider(collection, ranking, parts, fill, seed, workers)(0)
    places = {name: [i for i, system in enumerate(ranking.systems) if system in members[name]] for name in members}
    models = [True] if resample == "topics" else [False, True]
    drawings = [Drawing(alpha, draws, seed, resample, interactions, sides) for interactions in models]
    across = [infer(one(values, (parts, 0)), ranking, one) for one in drawings]
    within = [_within(one, values, ranking, list(places.values()), parts) for one in drawings]
    rows = _related_pairs(ranking, list(places.values()))
    return RelatedRuns(
        measure=ranking.measure,
        groups={name: tuple(ranking.systems[i] for i in own) for name, own in places.items()},
        systems=len(ranking.systems),
        split=split,
        lengths=tuple(_lengths(across, within, models, list(places.values()))),
        pairs=tuple(
            (name, ranking.systems[own[u]], ranking.systems[own[v]])
            for name, own in places.items()
            for u, v in zip(*np.triu_indices(len(own), 1), strict=True)
        ),
        across=_decisions(across[-1], alpha)[rows],
        within=np.concatenate([_decisions(one, alpha) for one in within[-1]]),
        p_across=across[-1].p[rows],
        p_within=np.concatenate([one.p for one in within[-1]]),
        alpha=alpha,
        draws=draws,
        seed=seed,
        fill=fill,
        population=across[-1].plain.population or "documents",
    )


def grouped(groups: Mapping[str, str], systems: Sequence[str], singles: Singles = "refuse") -> dict[str, set[str]]:
    """The systems of each group, in the order of the groups' names.

    >>> sorted(grouped({"a1": "a", "a2": "a"}, ["a1", "a2", "b"])["a"])
    ['a1', 'a2']
    """
    unknown = sorted(set(groups) - set(systems))
    if unknown:
        raise DesignError(f"the groups name {_some(unknown, 'system')} not among the runs; remove what is not")
    sizes = Counter(groups.values())
    alone = sorted(name for name, size in sizes.items() if size == 1)
    if alone and singles == "refuse":
        raise DesignError(f"one system alone, without a related one, makes {_some(alone, 'group')}; leave it out")
    if len(alone) == len(sizes):
        raise DesignError("no group has two systems; write a system and its group on each line")
    names = sorted(set(sizes) - set(alone))
    return {name: {system for system, group in groups.items() if group == name} for name in names}


def _some(names: Sequence[str], what: str) -> str:
    """How many, and the first few of them."""
    more = f" and {len(names) - _SHOWN} more" if len(names) > _SHOWN else ""
    return f"{len(names)} {what}{'s' * (len(names) != 1)} ({', '.join(names[:_SHOWN])}{more})"


def _within(
    drawing: Drawing, values: Floats, ranking: Ranking, groups: Sequence[Sequence[int]], parts: int
) -> list[Inference]:
    """The inference of each group by itself; its seed depends on the place of the group."""
    found = []
    for number, own in enumerate(groups):
        names = tuple(ranking.systems[i] for i in own)
        few = Ranking(ranking.measure, names, ranking.means[own], *np.triu_indices(len(own), 1))
        found.append(infer(drawing(values[:, own], (parts, 0, number)), few, drawing))
    return found


def _related_pairs(ranking: Ranking, groups: Sequence[Sequence[int]]) -> Indices:
    """Where the pairs of the groups, group after group, stand among all pairs."""
    place = np.zeros((len(ranking.systems),) * 2, np.intp)
    place[ranking.first, ranking.second] = np.arange(len(ranking.first))
    every = [np.array(own)[np.array(np.triu_indices(len(own), 1))] for own in groups]  # first and second, pair
    return np.concatenate([place[first, second] for first, second in every])


def _decisions(found: Inference, alpha: float) -> Signs:
    return np.where(found.p <= alpha, found.direction, 0).astype(np.int8)


def _lengths(
    across: Sequence[Inference],
    within: Sequence[Sequence[Inference]],
    models: Sequence[bool],
    groups: Sequence[Sequence[int]],
) -> list[MeanLength]:
    """The mean over the systems of all groups."""
    members = [system for own in groups for system in own]
    rows = []
    for interactions, wide, narrow in zip(models, across, within, strict=True):
        of_all = (_span(wide.plain)[members], _span(wide.adjusted)[members])
        own = [np.concatenate([_span(each) for each in kind]) for kind in zip(*map(_both, narrow), strict=True)]
        rows.append(MeanLength("across", interactions, *(float(one.mean()) for one in of_all)))
        rows.append(MeanLength("within", interactions, *(float(one.mean()) for one in own)))
    return rows


def _both(found: Inference) -> tuple[MeanInterval, MeanInterval]:
    return found.plain, found.adjusted


def _span(interval: MeanInterval) -> Floats:
    return interval.high - interval.low
