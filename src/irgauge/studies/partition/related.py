"""Does a model of related runs alone say the same as one of all runs? (Voorhees, Samarov and Soboroff 2017, section 6).

Related runs are those of one group, such as the runs of one participant. The model within a group knows its systems
alone, and corrects over their pairs alone; the model across knows all systems, and corrects over all pairs.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from irgauge.compute.arrays import Floats, Indices, Signs
from irgauge.inference.comparison import Pairs
from irgauge.models.anova import Population
from irgauge.reading.groups import Grouping, Groups, some_named
from irgauge.studies.partition.divider import Divider, ranked_values, split_of
from irgauge.studies.partition.split import Drawing, DrawnSplit, Inference, infer

Places = Sequence[Sequence[int]]  # group -> its systems in the ranking


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
    split: DrawnSplit
    lengths: tuple[MeanLength, ...]  # across and within, without and with interactions
    pairs: tuple[tuple[str, str, str], ...]  # pair: group, the better system on the whole corpus, the other
    across: Signs  # pair: the decision of the model across, with interactions
    within: Signs  # pair
    p_across: Floats  # pair: corrected over all pairs of systems
    p_within: Floats  # pair: corrected over the pairs of the group
    alpha: float
    draws: int  # of the bootstrap, for the paper's p
    seed: int
    fill: str
    population: Population

    @property
    def agreeing(self) -> int:
        """How many related pairs both decide alike."""
        return int(np.count_nonzero(self.across == self.within))

    def outcomes(self) -> dict[str, int]:
        """How many related pairs differ by both models, by one alone, by none, or in opposite directions."""
        across, within = self.across != 0, self.within != 0
        cases = {
            "both": across & within & (self.across == self.within),
            "across only": across & ~within,
            "within only": ~across & within,
            "neither": ~across & ~within,
            "opposite": self.across * self.within < 0,
        }
        return {name: int(np.count_nonzero(case)) for name, case in cases.items()}


def members_of(groups: Groups, systems: Sequence[str], *, skip_singles: bool = False) -> dict[str, set[str]]:
    """The systems of each group, in the order of the groups' names, given as a mapping or as a file.

    >>> sorted(members_of({"a1": "a", "a2": "a"}, ["a1", "a2", "b"])["a"])
    ['a1', 'a2']
    """
    grouping = Grouping.of(groups)
    grouping.check(systems)
    found = grouping.groups
    sizes = Counter(found.values())
    alone = {name for name, size in sizes.items() if size == 1}
    first = next((system for system, group in found.items() if group in alone), None)
    if alone and not skip_singles:
        named = some_named(sorted(alone), "group")
        raise grouping.error(
            f"one system alone, without a related one, makes {named}; skip groups of one, or remove it", first
        )
    if len(alone) == len(sizes):
        raise grouping.error("no group has two systems; write a system and its group on each line", first)
    names = sorted(set(sizes) - alone)
    return {name: {system for system, group in found.items() if group == name} for name in names}


def related_runs(divider: Divider, members: Mapping[str, set[str]]) -> RelatedRuns:
    """Compare the model of each group with that of all systems, on the first split into parts (Table 6).

    Systems without a group take part in the model across alone.
    """
    asked, pairs, drawing = divider.asked, divider.pairs, divider.drawing
    divided = divider.divided(asked.parts, 0)
    values = ranked_values(divided, pairs)
    places = {name: [i for i, system in enumerate(pairs.systems) if system in own] for name, own in members.items()}
    groups = list(places.values())
    across = [divider.first(asked.parts, interactions=model) for model in drawing.models]
    within = [_within(drawing.of_model(interactions=model), values, pairs, groups) for model in drawing.models]
    rows = _related_pairs(pairs, groups)
    return RelatedRuns(
        measure=str(divider.measure),
        groups={name: tuple(pairs.systems[i] for i in own) for name, own in places.items()},
        systems=len(pairs.systems),
        split=split_of(divided),
        lengths=tuple(_lengths(across, within, drawing.models, groups)),
        pairs=tuple(
            (name, pairs.systems[own[u]], pairs.systems[own[v]])
            for name, own in places.items()
            for u, v in zip(*np.triu_indices(len(own), 1), strict=True)
        ),
        across=across[-1].decisions(asked.alpha)[rows],
        within=np.concatenate([one.decisions(asked.alpha) for one in within[-1]]),
        p_across=across[-1].p[rows],
        p_within=np.concatenate([one.p for one in within[-1]]),
        alpha=asked.alpha,
        draws=drawing.draws,
        seed=asked.seed,
        fill=asked.fill,
        population=drawing.population,
    )


def _within(drawing: Drawing, values: Floats, pairs: Pairs, groups: Places) -> list[Inference]:
    """The inference of each group by itself; draws depend on the place of the group."""
    found = []
    for number, own in enumerate(groups):
        few = Pairs.all_of(tuple(pairs.systems[i] for i in own), pairs.means[own])
        found.append(infer(drawing.fit(values[:, own]), (values.shape[2], 0, number), few, drawing))
    return found


def _related_pairs(pairs: Pairs, groups: Places) -> Indices:
    """Where the pairs of the groups, group after group, stand among all pairs."""
    place = np.zeros((len(pairs.systems),) * 2, np.intp)
    place[pairs.first, pairs.second] = np.arange(len(pairs.first))
    every = [np.array(own)[np.array(np.triu_indices(len(own), 1))] for own in groups]  # first and second, pair
    return np.concatenate([place[first, second] for first, second in every])


def _lengths(
    across: Sequence[Inference], within: Sequence[Sequence[Inference]], models: Sequence[bool], groups: Places
) -> list[MeanLength]:
    """The mean over the systems of all groups."""
    members = [system for own in groups for system in own]
    rows = []
    for interactions, wide, narrow in zip(models, across, within, strict=True):
        of_all = (wide.plain.length[members], wide.adjusted.length[members])
        own = (
            np.concatenate([one.plain.length for one in narrow]),
            np.concatenate([one.adjusted.length for one in narrow]),
        )
        rows.append(MeanLength("across", interactions, *(float(one.mean()) for one in of_all)))
        rows.append(MeanLength("within", interactions, *(float(one.mean()) for one in own)))
    return rows
