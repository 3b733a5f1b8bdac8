"""Two algorithms on kinds of topics: the spread on all kinds guards that on one, and whether kinds differ."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from irgauge.compute.arrays import Floats
from irgauge.inference.instance_tests import ModelName, parts_of
from irgauge.inference.sampled_squares import SampledAlgorithms
from irgauge.inference.slice_spread import weight_squares
from irgauge.inference.slices import Welch, welch_of_means
from irgauge.inference.verdicts import Parts
from irgauge.models.mixed.squares import TwoAlgorithms


def guarded_by_kinds(
    on_kind: Sequence[TwoAlgorithms], on_all: Sequence[Sequence[TwoAlgorithms]], clusters: float = np.inf
) -> Callable[[Parts], Parts]:
    """What guards the part of topics on a kind by the spread on all kinds of its column, of each pair.

    A few topics may not have shown a rare large loss yet (see `with_common_spread`). With S the sum of the squared
    weights of topics, or of those of clusters, whichever gives more, the variance V of topics is taken as S times the
    mean of V/S over all kinds, by their degrees of freedom ν, and has Σ ν of these, or fewer than there are clusters.
    Of topics that count alike S is 1/n. A pair that does not vary on the kind stays as it is.
    """
    commons = [_common(own, each, clusters) for own, each in zip(on_kind, on_all, strict=True)]
    variance, df = np.array(commons).T  # pair

    def guarded(parts: Parts) -> Parts:
        squares = np.concatenate((variance[None], parts.variance[1:])) * (parts.variance.sum(axis=0) > 0)
        return replace(parts, guard=Parts(squares, np.concatenate((df[None], parts.df[1:]))))

    return guarded


def _common(own: TwoAlgorithms, each: Sequence[TwoAlgorithms], clusters: float) -> tuple[float, float]:
    """The variance of topics on a kind, by the spread on all kinds, and its degrees of freedom."""
    freedom = np.array([other.df[0] for other in each])
    unit = np.array([other.variance[0] / _squares(other) for other in each])  # kind, way
    variance = float((_squares(own) * np.average(unit, axis=0, weights=freedom)).max())
    return variance, min(float(freedom.sum()), clusters - 1)


def _squares(pair: TwoAlgorithms) -> Floats:
    """Of the weights of topics, and of clusters."""
    return weight_squares(pair.sampling) if isinstance(pair, SampledAlgorithms) else np.full(2, 1 / pair.topics)


def variance_on(pair: TwoAlgorithms, model: ModelName, units: int) -> float:
    """The variance of a difference on so few topics or clusters, if these vary as all do."""
    of_topics, *of_instances = parts_of([pair], model).variance[:, 0].tolist()
    here = pair.sampling.clusters if isinstance(pair, SampledAlgorithms) else pair.topics
    return float(of_topics * here / units + sum(of_instances))


def are_alike(each: Sequence[TwoAlgorithms], model: ModelName) -> Welch | None:
    """Welch's test of whether the difference of two algorithms is the same on kinds of topics.

    Errors are those of the claims, with Satterthwaite's degrees of freedom: what instances share over kinds would
    cancel, so that where they differ on all topics alike the test is cautious.
    """
    parts = parts_of(each, model)
    part = parts.variance / np.where(parts.se > 0, np.square(parts.se), 1.0)
    df = 1 / np.maximum((np.square(part) / parts.df).sum(axis=0), 1e-12)
    return welch_of_means(np.array([own.difference for own in each]), parts.se, df)
