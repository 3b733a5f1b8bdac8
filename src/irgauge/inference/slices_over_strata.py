"""Kinds of topics over strata, such as collections: the test of each kind, and whether kinds differ.

A kind has n_c topics in stratum c, which counts with the weight w_c; those with one topic of it are left out, as one
shows no spread; so are those in which one cluster has nearly all of the weight.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

import numpy as np

from irgauge.compute.arrays import Floats, Indices
from irgauge.inference.comparison import Comparison, Name
from irgauge.inference.outcomes import Names, differences, ratio
from irgauge.inference.sampling import Sampling, SamplingColumns
from irgauge.inference.slice_spread import common_sampled_variance, shows_spread, with_error
from irgauge.inference.slices import Welch, welch_of_means
from irgauge.inference.strata import stratified_t

_FEWEST = 2  # topics of a kind in a stratum that counts


class Kind(NamedTuple):
    """The topics that have a value in a column, in each stratum that has some."""

    column: str
    value: str
    places: Mapping[int, Indices]  # stratum -> the places of its topics

    @property
    def topics(self) -> int:
        """In all strata together."""
        return sum(map(len, self.places.values()))


class MeanError(NamedTuple):
    """The error of the weighted mean of differences of pairs."""

    mean: Floats  # pair
    se: Floats  # pair
    df: Floats  # pair


class _OfStratum(NamedTuple):
    """The error of a mean in one stratum."""

    variance: Floats  # pair
    freedom: float


@dataclass(frozen=True, eq=False)
class Counting:
    """How strata and their topics count."""

    totals: Floats | None = None  # stratum: all of its topics; None: each stratum counts the same, on every kind
    samplings: Sequence[Sampling] = ()  # stratum: clusters and weights of its topics; none: one by one, and alike

    def units(self, kind: Kind) -> int:
        """Topics, or clusters of them."""
        if not self.samplings:
            return kind.topics
        return sum(len(np.unique(self.samplings[c].cluster[own])) for c, own in kind.places.items())

    def counted(self, kind: Kind) -> Kind:
        """In the strata that count."""
        return kind._replace(places={c: own for c, own in kind.places.items() if self._shows_spread(c, own)})

    def _shows_spread(self, c: int, topics: Indices) -> bool:
        return shows_spread(topics, self.samplings[c]) if self.samplings else len(topics) >= _FEWEST

    def weights(self, kind: Kind, sizes: Sequence[int]) -> Floats:
        """Of the strata of a kind, with a sum of 1; sizes: the topics of all strata."""
        w = np.ones(len(kind.places)) if self.totals is None else self._totals(kind, self.totals, sizes)
        return w / w.sum()

    def _totals(self, kind: Kind, totals: Floats, sizes: Sequence[int]) -> Floats:
        if not self.samplings:
            return np.array([totals[c] * len(own) / sizes[c] for c, own in kind.places.items()])
        return np.array([totals[c] * self.samplings[c].weight[own].sum() for c, own in kind.places.items()])

    def on(self, kind: Kind) -> list[Sampling]:
        """Of the topics of a kind, in its strata."""
        return [self._sampling(c, own) for c, own in kind.places.items()] if self.samplings else []

    def _sampling(self, c: int, topics: Indices) -> Sampling:
        """Of some topics of a stratum, also of so few clusters that nothing would be claimed on it alone."""
        return replace(self.samplings[c], columns=SamplingColumns()).on(topics)

    def mean(self, c: int, d: Floats, topics: Indices) -> Floats:
        """Of d[topic, pair] on some topics of a stratum."""
        return self._sampling(c, topics).means(d[topics]) if self.samplings else d[topics].mean(axis=0)

    def own_spread(self, c: int, d: Floats, topics: Indices) -> _OfStratum:
        """Of the mean on some topics, by themselves."""
        if not self.samplings:
            return _OfStratum(d[topics].var(axis=0, ddof=1) / len(topics), len(topics) - 1)
        mean = self._sampling(c, topics).of(d[topics])
        return _OfStratum(np.square(mean.se), float(mean.df[0]))

    def common_spread(self, c: int, d: Floats, topics: Indices, parts: Sequence[Indices]) -> _OfStratum:
        """The same with the spread within all k kinds of a column: s² = Σ (d − d̄_k)² / (T − k) of T topics."""
        if self.samplings:
            sampling = replace(self.samplings[c], columns=SamplingColumns())
            return _OfStratum(*common_sampled_variance(d, topics, parts, sampling))
        freedom = sum(map(len, parts)) - len(parts)
        squares = np.array([np.square(d[part] - d[part].mean(axis=0)).sum(axis=0) for part in parts]).sum(axis=0)
        return _OfStratum(squares / max(1, freedom) / len(topics), freedom)

    def share_clusters(self, kinds: Sequence[Kind]) -> bool:
        """Whether a cluster has topics of several kinds, which then are not independent."""
        for c, sampling in enumerate(self.samplings):
            each = [np.unique(sampling.cluster[kind.places[c]]) for kind in kinds if c in kind.places]
            if each and sum(map(len, each)) > len(np.unique(np.concatenate(each))):
                return True
        return False


@dataclass(frozen=True)
class KindsTest:
    """The stratified test on kinds of topics of values[topic, system] of strata."""

    strata: Sequence[Floats]
    systems: Names
    kinds: Sequence[Kind]  # all, also small ones
    counting: Counting = field(default_factory=Counting)

    def compare(self, kind: Kind, *, alpha: float, correction: str, baseline: Name) -> Comparison:
        """The pairs on one kind, by the more cautious of its own spread and that of all kinds of its column.

        On the few topics of a kind in a stratum rare large losses may not have shown yet (see `with_common_spread`).
        """
        own = self.counting.counted(kind)
        comparison = stratified_t(
            [self.strata[c][places] for c, places in own.places.items()],
            self.systems,
            alpha=alpha,
            correction=correction,
            baseline=baseline,
            weights=self._weights(own),
            samplings=self.counting.on(own),
        )
        common = self.common_error(own, comparison.names)
        return with_error(comparison, common.se, common.df)

    def common_error(self, kind: Kind, pairs: Sequence[tuple[str, str]]) -> MeanError:
        """With the spread in each stratum within all kinds of the column."""
        column = [own for own in self.kinds if own.column == kind.column]
        return self._error(
            kind,
            pairs,
            [
                self.counting.common_spread(
                    c, self._differences(c, pairs), topics, [own.places[c] for own in column if c in own.places]
                )
                for c, topics in kind.places.items()
            ],
        )

    def own_error(self, kind: Kind, pairs: Sequence[tuple[str, str]]) -> MeanError:
        """With the spread on the kind itself."""
        each = (self.counting.own_spread(c, self._differences(c, pairs), topics) for c, topics in kind.places.items())
        return self._error(kind, pairs, list(each))

    def are_alike(self, column: str, kinds: Sequence[Kind], pair: tuple[str, str]) -> Welch | None:
        """Welch's test of whether a difference is the same on kinds.

        None where they are not in the same strata, or share clusters.
        """
        own = [self.counting.counted(kind) for kind in kinds if kind.column == column]
        if len(own) < 2 or len({tuple(kind.places) for kind in own}) > 1 or self.counting.share_clusters(own):
            return None
        errors = [self.own_error(kind, [pair]) for kind in own]
        return welch_of_means(*(np.concatenate(values) for values in zip(*errors, strict=True)))

    def _weights(self, kind: Kind) -> Floats:
        return self.counting.weights(kind, [len(values) for values in self.strata])

    def _differences(self, c: int, pairs: Sequence[tuple[str, str]]) -> Floats:
        """On all topics of a stratum; topic, pair."""
        first, second = np.array([[self.systems.index(name) for name in pair] for pair in pairs]).T
        return differences(self.strata[c], first, second)

    def _error(self, kind: Kind, pairs: Sequence[tuple[str, str]], spreads: Sequence[_OfStratum]) -> MeanError:
        """√(Σ w² v), with the degrees of freedom of Welch and Satterthwaite."""
        w = self._weights(kind)[:, None]
        d = np.array([self.counting.mean(c, self._differences(c, pairs), topics) for c, topics in kind.places.items()])
        parts = w**2 * np.array([spread.variance for spread in spreads])  # stratum, pair
        freedom = np.array([max(1.0, spread.freedom) for spread in spreads])[:, None]
        df = np.maximum(1.0, ratio(np.square(parts.sum(axis=0)), (np.square(parts) / freedom).sum(axis=0)))
        return MeanError((w * d).sum(axis=0), np.sqrt(parts.sum(axis=0)), df)
