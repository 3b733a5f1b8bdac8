"""How long intervals of systems' effects are, by split, and by a model of all runs or of related runs alone.

Related runs are those of one group, such as the runs of one participant. The model within a group knows its systems
alone, and corrects over their pairs alone; the model across knows all systems, and corrects over all pairs: do both say
the same? (Voorhees, Samarov and Soboroff 2017, section 6).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np

from irgauge.compute.arrays import Floats, Indices, Signs
from irgauge.inference.comparison import Pairs
from irgauge.inference.intervals import MeanInterval
from irgauge.models.anova import Population
from irgauge.provenance import Fact, Provenance
from irgauge.reading.groups import Grouping, Groups, some_named
from irgauge.studies.partition.inferring import Drawing, Inference, infer
from irgauge.studies.partition.options import check_parts
from irgauge.studies.partition.records import interval_record
from irgauge.studies.partition.split import Divider, DrawnSplit, provenance_of, ranked_values, split_facts, split_of
from irgauge.studies.partition.splits import Splits


@dataclass(frozen=True)
class Length:
    """The lengths of the intervals of all systems, of one kind."""

    interval: str
    mean: float
    shortest: float
    longest: float


def length(interval: MeanInterval) -> Length:
    """Mean, shortest and longest of the lengths of the systems' intervals."""
    lengths = interval.length
    return Length(interval.name, float(lengths.mean()), float(lengths.min()), float(lengths.max()))


@dataclass(frozen=True, eq=False)
class ModelIntervals:
    """The intervals of the effects by one model of one split."""

    interactions: bool
    split: DrawnSplit
    plain: MeanInterval
    adjusted: MeanInterval
    printed: MeanInterval | None = None  # as long as those in the paper's tables; for its p alone

    @property
    def lengths(self) -> tuple[Length, ...]:
        """Of the plain and of the adjusted intervals, and of those as long as the paper's for its p."""
        return tuple(map(length, (self.plain, self.adjusted, *([self.printed] if self.printed else []))))


@dataclass(frozen=True, eq=False)
class IntervalLengths:
    """Intervals of the effects by number of parts, without and with interactions."""

    measure: str
    systems: tuple[str, ...]  # best first
    models: tuple[ModelIntervals, ...]
    drawing: Drawing
    provenance: Provenance
    is_given: bool  # whether the parts are those of a table

    @property
    def population(self) -> Population:
        """What the intervals cover."""
        return self.drawing.population

    @property
    def parts(self) -> tuple[int, ...]:
        """The numbers of parts."""
        return tuple(dict.fromkeys(model.split.parts for model in self.models))

    def of(self, parts: int) -> IntervalLengths:
        """Those of one number of parts."""
        own = tuple(model for model in self.models if model.split.parts == parts)
        provenance = self.provenance | split_facts(1, parts, is_given=self.is_given)
        return replace(self, models=own, provenance=provenance)


def interval_lengths(divider: Divider, parts: Sequence[int]) -> IntervalLengths:
    """The intervals of the first split into each number of parts."""
    check_parts(parts)
    divided = [divider.divided(count, 0) for count in parts]
    models = [
        model
        for own in divided
        for model in _models(
            split_of(own),
            divider.drawing,
            lambda interactions, count=own.shards: divider.first(count, interactions=interactions),  # type: ignore[misc]  # a default
        )
    ]
    is_given = divided[0].measuring.shards is None
    facts = split_facts(1, tuple(parts), is_given=is_given)
    provenance = provenance_of(divided[0], divider.drawing, 1, *facts, Fact("interactions", None))
    return IntervalLengths(
        str(divider.measure), divider.pairs.systems, tuple(models), divider.drawing, provenance, is_given
    )


def first_lengths(splits: Splits) -> IntervalLengths:
    """The intervals of the first of many splits, of which one model is known already."""

    def infer_model(interactions: bool) -> Inference:  # noqa: FBT001  # of one model or the other
        if interactions == splits.drawing.interactions:
            return splits.inferences[0]
        drawing = splits.drawing.of_model(interactions=interactions)
        return infer(drawing.fit(ranked_values(splits.measured, splits)), (splits.parts, 0), splits, drawing)

    models = tuple(_models(splits.splits[0], splits.drawing, infer_model))
    provenance = provenance_of(splits.measured, splits.drawing, 1, Fact("interactions", None))
    is_given = splits.measured.measuring.shards is None
    return IntervalLengths(splits.measure, splits.systems, models, splits.drawing, provenance, is_given)


def _models(split: DrawnSplit, drawing: Drawing, infer_model: Callable[[bool], Inference]) -> Iterator[ModelIntervals]:
    for interactions in drawing.models:
        inference = infer_model(interactions)
        yield ModelIntervals(interactions, split, inference.plain, inference.adjusted, inference.printed)


Places = Sequence[Sequence[int]]  # group -> its systems in the ranking


@dataclass(frozen=True)
class MeanLength:
    """The mean length of the intervals of the grouped systems' effects: a cell of Table 6."""

    model: str  # across or within
    interactions: bool
    plain: float
    adjusted: float
    printed: float | None = None  # of intervals as long as those in the paper's tables; for its p alone


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
    p_adjusted_across: Floats  # pair: corrected over all pairs of systems
    p_adjusted_within: Floats  # pair: corrected over the pairs of the group
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
    group_of = grouping.groups
    sizes = Counter(group_of.values())
    alone = {name for name, size in sizes.items() if size == 1}
    first = next((system for system, group in group_of.items() if group in alone), None)
    if alone and not skip_singles:
        named = some_named(sorted(alone), "group")
        raise grouping.error(
            f"one system alone, without a related one, makes {named}; skip groups of one, or remove it", first
        )
    if len(alone) == len(sizes):
        raise grouping.error("no group has two systems; write a system and its group on each line", first)
    names = sorted(set(sizes) - alone)
    return {name: {system for system, group in group_of.items() if group == name} for name in names}


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
        within=np.concatenate([inference.decisions(asked.alpha) for inference in within[-1]]),
        p_adjusted_across=across[-1].p_adjusted[rows],
        p_adjusted_within=np.concatenate([inference.p_adjusted for inference in within[-1]]),
        alpha=asked.alpha,
        draws=drawing.draws,
        seed=asked.seed,
        fill=asked.fill,
        population=drawing.population,
    )


def _within(drawing: Drawing, values: Floats, pairs: Pairs, groups: Places) -> list[Inference]:
    """The inference of each group by itself; draws depend on the place of the group."""
    inferences = []
    for number, own in enumerate(groups):
        few = Pairs.all_of(tuple(pairs.systems[i] for i in own), pairs.means[own])
        inferences.append(infer(drawing.fit(values[:, own]), (values.shape[2], 0, number), few, drawing))
    return inferences


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
        of_all = [interval.length[members] for interval in _intervals(wide)]
        own = map(np.concatenate, zip(*([each.length for each in _intervals(group)] for group in narrow), strict=True))
        rows.append(MeanLength("across", interactions, *(float(lengths.mean()) for lengths in of_all)))
        rows.append(MeanLength("within", interactions, *(float(lengths.mean()) for lengths in own)))
    return rows


def _intervals(inference: Inference) -> list[MeanInterval]:
    """Plain and adjusted, and for the paper's p those of its tables."""
    every = (inference.plain, inference.adjusted, inference.printed)
    return [interval for interval in every if interval is not None]


def lengths_record(lengths: IntervalLengths) -> dict[str, Any]:
    """Intervals by number of parts and model, in the order of the systems."""
    models = [
        {
            "interactions": model.interactions,
            "split": model.split,
            "plain": interval_record(model.plain),
            "adjusted": interval_record(model.adjusted),
            "printed": interval_record(model.printed) if model.printed else None,
            "lengths": model.lengths,
        }
        for model in lengths.models
    ]
    settings = {name: getattr(lengths.drawing, name) for name in ("alpha", "p", "draws", "seed")}
    return {**settings, "population": lengths.population, "systems": lengths.systems, "models": models}


def related_record(related: RelatedRuns) -> dict[str, Any]:
    """Models of related runs against the model of all."""
    return {**asdict(related), "agreeing": related.agreeing, "outcomes": related.outcomes()}
