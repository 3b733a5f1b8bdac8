"""Kinds of topics over strata, such as collections: the test of each kind, and whether kinds differ.

A kind has n_c topics in stratum c, which counts with the weight w_c; those with one topic of it are left out, as one
shows no spread.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from irgauge.compute.arrays import Floats, Indices
from irgauge.inference.comparison import Comparison, Name
from irgauge.inference.outcomes import Names, differences, ratio
from irgauge.inference.slice_spread import with_error
from irgauge.inference.slices import Welch, welch_of_means
from irgauge.inference.strata import stratified_t

_FEWEST = 2  # topics of a kind in a stratum that counts


class Kind(NamedTuple):
    """The topics that have a value in a column, in each stratum that has some."""

    column: str
    value: str
    places: Mapping[int, Indices]  # stratum -> the places of its topics

    @property
    def counted(self) -> Kind:
        """In the strata that count."""
        return self._replace(places={c: own for c, own in self.places.items() if len(own) >= _FEWEST})

    @property
    def topics(self) -> int:
        """In all strata together."""
        return sum(map(len, self.places.values()))


class MeanError(NamedTuple):
    """The error of the weighted mean of differences of pairs."""

    mean: Floats  # pair
    se: Floats  # pair
    df: Floats  # pair


@dataclass(frozen=True)
class KindsTest:
    """The stratified test on kinds of topics of values[topic, system] of strata."""

    strata: Sequence[Floats]
    systems: Names
    kinds: Sequence[Kind]  # all, also small ones
    by_topics: bool  # whether a stratum counts by its topics of the kind; else each counts the same

    def compare(self, kind: Kind, *, alpha: float, correction: str, baseline: Name) -> Comparison:
        """The pairs on one kind, by the more cautious of its own spread and that of all kinds of its column.

        On the few topics of a kind in a stratum rare large losses may not have shown yet (see `with_common_spread`).
        """
        own = kind.counted
        tables = [self.strata[c][places] for c, places in own.places.items()]
        comparison = stratified_t(
            tables, self.systems, alpha=alpha, correction=correction, baseline=baseline, weights=self._weights(own)
        )
        common = self.common_error(own, comparison.names)
        return with_error(comparison, common.se, common.df)

    def common_error(self, kind: Kind, pairs: Sequence[tuple[str, str]]) -> MeanError:
        """With the spread in each stratum within all k kinds of the column: s² = Σ (d − d̄_k)² / (T − k) of T topics."""
        spreads = [self._spread(kind, c, pairs) for c in kind.places]
        return self._error(kind, pairs, [s2 for s2, _ in spreads], [freedom for _, freedom in spreads])

    def own_error(self, kind: Kind, pairs: Sequence[tuple[str, str]]) -> MeanError:
        """With the spread on the kind itself."""
        s2 = [self._differences(c, pairs)[places].var(axis=0, ddof=1) for c, places in kind.places.items()]
        return self._error(kind, pairs, s2, [len(places) - 1 for places in kind.places.values()])

    def are_alike(self, column: str, kinds: Sequence[Kind], pair: tuple[str, str]) -> Welch | None:
        """Welch's test of whether a difference is the same on kinds; None where they are not in the same strata."""
        own = [kind.counted for kind in kinds if kind.column == column]
        if len(own) < 2 or len({tuple(kind.places) for kind in own}) > 1:
            return None
        errors = [self.own_error(kind, [pair]) for kind in own]
        return welch_of_means(*(np.concatenate(values) for values in zip(*errors, strict=True)))

    def _weights(self, kind: Kind) -> Floats:
        """stratum, with a sum of 1."""
        w = np.array([len(places) if self.by_topics else 1.0 for places in kind.places.values()])
        return w / w.sum()

    def _differences(self, c: int, pairs: Sequence[tuple[str, str]]) -> Floats:
        """On all topics of a stratum; topic, pair."""
        first, second = np.array([[self.systems.index(name) for name in pair] for pair in pairs]).T
        return differences(self.strata[c], first, second)

    def _spread(self, kind: Kind, c: int, pairs: Sequence[tuple[str, str]]) -> tuple[Floats, int]:
        """The variance in a stratum within the kinds of a column, and its degrees of freedom."""
        d = self._differences(c, pairs)
        parts = [own.places[c] for own in self.kinds if own.column == kind.column and c in own.places]
        freedom = sum(map(len, parts)) - len(parts)
        squares = np.array([np.square(d[part] - d[part].mean(axis=0)).sum(axis=0) for part in parts]).sum(axis=0)
        return squares / max(1, freedom), freedom

    def _error(
        self, kind: Kind, pairs: Sequence[tuple[str, str]], s2: Sequence[Floats], freedom: Sequence[int]
    ) -> MeanError:
        """√(Σ w² s² / n), with the degrees of freedom of Welch and Satterthwaite."""
        w, n = self._weights(kind)[:, None], np.array([[len(places)] for places in kind.places.values()])
        d = np.array([self._differences(c, pairs)[places].mean(axis=0) for c, places in kind.places.items()])
        parts = w**2 * np.array(s2) / n  # stratum, pair
        squares = (np.square(parts) / np.maximum(1, freedom)[:, None]).sum(axis=0)
        df = np.maximum(1.0, ratio(np.square(parts.sum(axis=0)), squares))
        return MeanError((w * d).sum(axis=0), np.sqrt(parts.sum(axis=0)), df)
