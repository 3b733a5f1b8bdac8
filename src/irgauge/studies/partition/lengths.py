"""How long intervals of systems' effects are, by split and by model."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from irgauge.inference.intervals import MeanInterval
from irgauge.models.anova import Population
from irgauge.provenance import Fact, Provenance
from irgauge.studies.partition.divider import Divider, provenance_of, ranked_values, split_facts, split_of
from irgauge.studies.partition.options import check_parts
from irgauge.studies.partition.split import Drawing, DrawnSplit, Inference, infer
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

    @property
    def lengths(self) -> tuple[Length, Length]:
        """Of the plain and of the adjusted intervals."""
        return length(self.plain), length(self.adjusted)


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
        told = self.provenance | split_facts(1, parts, is_given=self.is_given)
        return replace(self, models=own, provenance=told)


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
    told = split_facts(1, tuple(parts), is_given=is_given)
    provenance = provenance_of(divided[0], divider.drawing, 1, *told, Fact("interactions", None))
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
        yield ModelIntervals(interactions, split, inference.plain, inference.adjusted)
