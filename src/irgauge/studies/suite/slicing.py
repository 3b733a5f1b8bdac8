"""Kinds of topics over collections: verdicts on each, and claims that ignored clusters would take away."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from irgauge.compute.arrays import Bools, Floats, Indices
from irgauge.errors import DesignError
from irgauge.inference.comparison import Comparison
from irgauge.inference.families import corrected_together, level_of
from irgauge.inference.hierarchy import Members
from irgauge.inference.intervals import critical_t
from irgauge.inference.margins import against_share
from irgauge.inference.sampling import Sampling, SamplingColumns, cluster_columns, sampling_of
from irgauge.inference.slices import FEWEST, Heterogeneity, SliceClaims, Sliced, SmallSlice
from irgauge.inference.slices_over_strata import Counting, Kind, KindsTest
from irgauge.inference.verdicts import Verdict, Verdicts, by_margin, by_test, is_weaker, noncentrality, same_scores
from irgauge.reading.topic_slices import NoKind, check_kinds, places_of_values, without_kind
from irgauge.replicates.measured import Measured
from irgauge.scoring.measures import of_differences
from irgauge.studies.suite.claims import CORRECTION, Deciding, SuiteClaims
from irgauge.studies.suite.shared import needed_column

Names = Sequence[tuple[str, str]]


class SomeCollections(NamedTuple):
    """A kind that was tested on some of the collections, as others have too few topics of it."""

    column: str
    value: str
    collections: tuple[str, ...]


class KindsClaimed(NamedTuple):
    """What is said of kinds of topics, and of which not on all collections."""

    sliced: Sliced = Sliced()
    somewhere: tuple[SomeCollections, ...] = ()
    no_kind: tuple[NoKind, ...] = ()  # topics of all collections that are of none

    @property
    def columns(self) -> list[str]:
        """By which topics are of kinds."""
        return list(dict.fromkeys(own.column for own in self.sliced.slices))


def on_kinds(
    measured: Mapping[str, Measured],
    values: Sequence[Floats],
    pairs: Names,
    deciding: Deciding,
    columns: Sequence[str],
    counting: Counting,
) -> KindsClaimed:
    """The claims on each kind: all kinds, columns and pairs are one family, which has α together."""
    kinds = [kind for column in dict.fromkeys(columns) for kind in kinds_of(measured, column)]
    if not kinds:
        return KindsClaimed()
    is_tested = [counting.units(counting.counted(kind)) >= FEWEST for kind in kinds]
    tested = [kind for kind, is_in in zip(kinds, is_tested, strict=True) if is_in]
    small = [kind for kind, is_in in zip(kinds, is_tested, strict=True) if not is_in]
    if not tested:
        unit = "clusters" if counting.samplings and counting.samplings[0].columns.cluster is not None else "topics"
        raise DesignError(f"no kind has {FEWEST} {unit} or more, so that nothing can be said of any")
    systems = next(iter(measured.values())).scores.systems
    family = _Family(values, systems, kinds, tested, deciding, counting)
    level = family.at_alpha[0].level
    sliced = Sliced(
        tuple(map(family.claims, range(len(tested)))),
        tuple(_heterogeneity(family.test(), tested, pairs)),
        tuple(_small(family.test(), kind, pairs, level, deciding) for kind in small),
    )
    names = tuple(measured)
    on_some = [kind for kind in map(counting.counted, tested) if len(kind.places) < len(names)]
    where = (SomeCollections(kind.column, kind.value, tuple(names[c] for c in kind.places)) for kind in on_some)
    return KindsClaimed(sliced, tuple(where), tuple(_of_no_kind(measured, columns)))


def _of_no_kind(measured: Mapping[str, Measured], columns: Sequence[str]) -> Iterator[NoKind]:
    """Over all collections, of each column in which some topics have no value."""
    topics = sum(len(collection.scores.topics) for collection in measured.values())
    for column in dict.fromkeys(columns):
        each = (without_kind(own.scores.about, [column], own.scores.topics) for own in measured.values())
        without = sum(count.without for counts in each for count in counts)
        if without:
            yield NoKind(column, without, topics)


def kinds_of(measured: Mapping[str, Measured], column: str) -> list[Kind]:
    """The kinds of a column that all collections have, the largest first."""
    places: dict[str, dict[int, Indices]] = {}
    for c, (name, collection) in enumerate(measured.items()):
        needed_column(name, collection.scores, column)
        for value, own in places_of_values(collection.scores.about, column, collection.scores.topics).items():
            places.setdefault(value, {})[c] = own
    check_kinds(column, len(places))
    return sorted((Kind(column, *own) for own in places.items()), key=lambda kind: (-kind.topics, kind.value))


@dataclass(frozen=True)
class _Family:
    """The tests on all kinds."""

    values: Sequence[Floats]  # collection: topic, system
    systems: tuple[str, ...]
    kinds: Sequence[Kind]
    tested: Sequence[Kind]
    deciding: Deciding
    counting: Counting

    @cached_property
    def at_alpha(self) -> tuple[Comparison, ...]:
        """Each kind at its share of α, corrected together."""
        return self._corrected(self.deciding.alpha)

    @cached_property
    def at_margin(self) -> tuple[Comparison, ...]:
        """The same at 2α, for intervals whose sides are α."""
        return self._corrected(2 * self.deciding.alpha)

    def claims(self, place: int) -> SliceClaims:
        """What is claimed on a kind."""
        kind, within = self.counting.counted(self.tested[place]), self.deciding.within
        comparison, verdicts = self.at_alpha[place].within(within), self._verdicts(place).within(within)
        return SliceClaims(kind.column, kind.value, kind.topics, comparison, verdicts)

    def test(self, factor: float = 1.0) -> KindsTest:
        """With a factor of the baseline's scores; of negatives where less is better."""
        scaled = self.deciding.scaled(self.systems)
        return KindsTest([scaled(own, factor) for own in self.values], self.systems, self.kinds, self.counting)

    def _corrected(self, alpha: float) -> tuple[Comparison, ...]:
        group = Members("secondary", tuple(range(len(self.tested))))
        level = level_of(alpha, group, CORRECTION.name)
        return corrected_together([self._compared(kind, level) for kind in self.tested], alpha, group)

    def _compared(self, kind: Kind, level: float, factor: float = 1.0) -> Comparison:
        def on_kind(*, alpha: float, correction: str, baseline: str | None) -> Comparison:
            return self.test(factor).compare(kind, alpha=alpha, correction=correction, baseline=baseline)

        return self.deciding.run(on_kind, level, self.deciding.baseline)

    def _verdicts(self, place: int) -> Verdicts:
        """By intervals at 2α against a margin, which are of the ratio where it is in per cent."""
        comparison, margin = self.at_alpha[place], self.deciding.margin
        same = self._same(place)
        mean = None
        if comparison.baseline is not None:
            mean = float(comparison.means[comparison.systems.index(comparison.baseline)])
        if margin is None or (margin.is_share and mean == 0):
            return by_test(comparison, same)
        amount, wide = margin.of(mean, self.deciding.within), self.at_margin[place]
        if mean is not None and margin.is_share:
            factors = margin.factors(mean, self.deciding.direction)
            worse, better = (self._compared(self.tested[place], wide.own_alpha, factor) for factor in factors)
            wide = against_share(wide, worse, better, amount)
        return by_margin(comparison, wide, amount, same)

    def _same(self, place: int) -> Bools:
        comparison, kind = self.at_alpha[place], self.counting.counted(self.tested[place])
        order = [self.systems.index(system) for system in comparison.systems]
        values = np.concatenate([self.values[c][places] for c, places in kind.places.items()])[:, order]
        return same_scores(values, comparison.first, comparison.second)


def _heterogeneity(test: KindsTest, kinds: Sequence[Kind], pairs: Names) -> list[Heterogeneity]:
    """Of each pair in each column, where its kinds are in the same collections."""
    tests = []
    for column in dict.fromkeys(kind.column for kind in kinds):
        for system, against in pairs:
            outcome = test.are_alike(column, kinds, (system, against))
            if outcome is not None:
                tests.append(Heterogeneity(column, system, against, *outcome))
    return tests


def _small(test: KindsTest, kind: Kind, pairs: Names, level: float, deciding: Deciding) -> SmallSlice:
    """What so few topics would show, if pairs vary on them as on all topics of their collections."""
    own = test.counting.counted(kind) if test.counting.samplings else kind
    n, least = test.counting.units(own), math.inf
    se = float(test.common_error(own, pairs).se.min()) if own.places else 0.0
    if n > 1 and se > 0:
        least = se * float(noncentrality(np.array([critical_t(level, n - 1)]), n - 1)[0])
    possible = of_differences(deciding.within)
    is_possible = possible is None or least <= possible[1]
    return SmallSlice(kind.column, kind.value, kind.topics, least if is_possible else math.inf)


class CollectionClusters(NamedTuple):
    """A column that was not asked for, and the pairs of which less would be said with it."""

    column: str
    clusters: int  # of all collections
    changes: tuple[tuple[str, str, Verdict, Verdict], ...]  # two systems, the verdict, and that with clusters


def ignored_clusters(
    measured: Sequence[Measured], claims: SuiteClaims, claims_with: Callable[[Sequence[Sampling]], SuiteClaims]
) -> tuple[CollectionClusters, ...]:
    """Of each column that looks like one of clusters on every collection."""
    on_each = [cluster_columns(collection.scores.about, collection.scores.topics) for collection in measured]
    ignored = []
    for column in on_each[0]:
        if all(column in columns for columns in on_each):
            try:
                samplings = [_clustered(collection, column) for collection in measured]
                others = _verdicts(claims_with(samplings))
            except DesignError:  # what cannot be asked with clusters
                continue
            changes = tuple(
                (*pair, verdict, others[pair])
                for pair, verdict in _verdicts(claims).items()
                if is_weaker(others.get(pair, verdict), verdict)
            )
            if changes:
                ignored.append(CollectionClusters(column, sum(own.clusters for own in samplings), changes))
    return tuple(ignored)


def _clustered(collection: Measured, column: str) -> Sampling:
    sampling = sampling_of(collection.scores.about, collection.scores.topics, SamplingColumns(cluster=column))
    if sampling is None:
        raise ValueError("a column was asked for")
    return sampling


def _verdicts(claims: SuiteClaims) -> Mapping[tuple[str, str], Verdict]:
    return dict(zip(claims.comparison.names, claims.verdicts.verdicts, strict=True))
