"""Kinds of topics, all tested together with their pairs, and claims that ignored clusters would take away."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from irgauge.compute.arrays import Floats
from irgauge.errors import DesignError
from irgauge.inference.corrections import any_correction
from irgauge.inference.instance_slices import are_alike, guarded_by_kinds, variance_on
from irgauge.inference.instance_tests import (
    Claiming,
    ModelName,
    Pair,
    Squares,
    TestedPairs,
    all_there,
    squares_of,
    squares_on,
    tables_of,
    tested_by_squares,
)
from irgauge.inference.intervals import critical_t
from irgauge.inference.sampling import Sampling, SamplingColumns, cluster_columns, sampling_of
from irgauge.inference.slice_spread import shows_spread
from irgauge.inference.slices import FEWEST, Heterogeneity, SmallSlice, share_clusters, units_of
from irgauge.inference.verdicts import Equivalence, Verdict, is_weaker, noncentrality
from irgauge.models.mixed.squares import TwoAlgorithms
from irgauge.reading.topic_slices import Slice, slices_of
from irgauge.replicates.instances import InstanceScores
from irgauge.scoring.measures import cut, of_differences


class InstanceSlice(NamedTuple):
    """What is claimed on the topics of one kind."""

    column: str
    value: str
    topics: int
    p: tuple[float, ...]  # pair: for itself
    tests: Equivalence  # pair: over all kinds
    low: Floats  # pair: of intervals that hold for all kinds and pairs together
    high: Floats
    detectable: tuple[float, ...] = ()  # pair: the smallest true difference that is found with a power of 80 %


class InstanceSlices(NamedTuple):
    """What is said of all kinds."""

    slices: tuple[InstanceSlice, ...] = ()
    heterogeneity: tuple[Heterogeneity, ...] = ()
    small: tuple[SmallSlice, ...] = ()


class _OnKind(NamedTuple):
    """The mean squares of pairs on one kind, of which some may have none."""

    part: Slice
    squares: Squares

    def of(self, pair: Pair) -> TwoAlgorithms | None:
        own = self.squares.get(pair)
        return own if isinstance(own, TwoAlgorithms) else None


class _Asked(NamedTuple):
    """The scores and how they are tested."""

    scores: InstanceScores
    pairs: Sequence[Pair]
    model: ModelName
    claiming: Claiming  # of one kind
    sampling: Sampling | None

    @property
    def level(self) -> float:
        """Of one pair on one kind."""
        own = self.claiming
        is_simultaneous = any_correction(own.correction).is_simultaneous
        return own.alpha * own.share / len(self.pairs) if is_simultaneous else own.alpha


def on_slices(
    scores: InstanceScores,
    pairs: Sequence[Pair],
    model: ModelName,
    claiming: Claiming,
    columns: Sequence[str],
    sampling: Sampling | None = None,
) -> InstanceSlices:
    """The pairs on each kind, which has its share of α; kinds of few topics are not tested."""
    if not columns:
        return InstanceSlices()
    if sampling is not None and sampling.columns.shares is not None:
        raise DesignError("kinds with known shares (shares) are one mean; a verdict on each (by) is asked without them")
    parts = slices_of(scores.about, columns, scores.topics)
    tested = [units_of(part, sampling) >= FEWEST for part in parts]
    if not any(tested):
        unit = "topics" if sampling is None or sampling.columns.cluster is None else "clusters"
        raise DesignError(f"no kind has {FEWEST} {unit} or more, so that nothing can be said of any")
    asked = _Asked(scores, pairs, model, claiming._replace(share=claiming.share / sum(tested)), sampling)
    tables = tables_of(scores)
    kinds = [_on_kind(tables, part, asked, is_tested=is_in) for part, is_in in zip(parts, tested, strict=True)]
    own = [kind for kind, is_in in zip(kinds, tested, strict=True) if is_in]
    return InstanceSlices(
        tuple(_claims(kind, kinds, asked) for kind in own),
        tuple(_heterogeneity(own, asked)),
        tuple(_small([part for part, is_in in zip(parts, tested, strict=True) if not is_in], asked)),
    )


def _on_kind(tables: Mapping[str, Floats], part: Slice, asked: _Asked, *, is_tested: bool) -> _OnKind:
    """None of the pairs where a kind is so small that it shows no spread."""
    sampling = asked.sampling
    if sampling is not None and not is_tested:
        if not shows_spread(part.topics, sampling):
            return _OnKind(part, {})
        sampling = replace(sampling, columns=SamplingColumns())  # so few clusters claim nothing
    if len(part.topics) < 2:
        return _OnKind(part, {})
    try:
        own = None if sampling is None else sampling.on(part.topics)
    except DesignError as error:
        raise DesignError(f"{part.column} {part.value}: {error}") from None
    return _OnKind(part, squares_on({name: table[:, part.topics] for name, table in tables.items()}, asked.pairs, own))


def _claims(kind: _OnKind, kinds: Sequence[_OnKind], asked: _Asked) -> InstanceSlice:
    """By the more cautious of the spread on a kind and on all kinds of its column."""
    column = [other for other in kinds if other.part.column == kind.part.column]
    on_all = [[own for other in column if (own := other.of(pair)) is not None] for pair in asked.pairs]
    part = kind.part
    try:
        on_kind = list(all_there(kind.squares))
    except DesignError as error:
        raise DesignError(f"{part.column} {part.value}: {error}") from None
    guard = guarded_by_kinds(on_kind, on_all, _clusters(column, asked.sampling))
    tested = tested_by_squares(kind.squares, asked.model, len(asked.scores.algorithms), asked.claiming, guard)
    low, high = cut(*tested.tests.interval(asked.level), of_differences(asked.scores.range))
    p = tuple(contrast.p for contrast in tested.contrasts)
    return InstanceSlice(
        part.column, part.value, len(part.topics), p, tested.tests, low, high, _detectable(tested, asked.level)
    )


def _clusters(kinds: Sequence[_OnKind], sampling: Sampling | None) -> float:
    if sampling is None:
        return math.inf
    return float(len(np.unique(np.concatenate([sampling.cluster[kind.part.topics] for kind in kinds]))))


def _detectable(tested: TestedPairs, level: float) -> tuple[float, ...]:
    """Of each pair, by the width of its interval at a level."""
    parts = tested.tests.parts
    half, se, df = parts.half_width(level), parts.se, parts.freedom(level)
    return tuple(
        math.inf if constant else 0.0 if s == 0 else s * float(noncentrality(np.array([width / s]), freedom)[0])
        for width, s, freedom, constant in zip(half, se, df, tested.tests.is_constant, strict=True)
    )


def _heterogeneity(kinds: Sequence[_OnKind], asked: _Asked) -> Iterator[Heterogeneity]:
    """Of each pair in each column of two or more kinds that share no cluster."""
    for column in dict.fromkeys(kind.part.column for kind in kinds):
        own = [kind for kind in kinds if kind.part.column == column]
        shared = asked.sampling is not None and share_clusters([kind.part for kind in own], asked.sampling)
        for pair in () if shared or len(own) < 2 else asked.pairs:
            outcome = are_alike([squares for kind in own if (squares := kind.of(pair)) is not None], asked.model)
            if outcome is not None:
                yield Heterogeneity(column, pair.system, pair.against, *outcome)


def _small(parts: Sequence[Slice], asked: _Asked) -> Iterator[SmallSlice]:
    """What so few topics would show, if pairs vary on them as on all topics."""
    on_all = [own for own in squares_of(*asked[:2], asked.sampling).values() if isinstance(own, TwoAlgorithms)]
    possible = of_differences(asked.scores.range)
    for part in parts:
        n, least = units_of(part, asked.sampling), math.inf
        if n > 1 and on_all:
            se = math.sqrt(min(variance_on(pair, asked.model, n) for pair in on_all))
            least = se * float(noncentrality(np.array([critical_t(asked.level, n - 1)]), n - 1)[0])
        is_possible = possible is None or least <= possible[1]
        yield SmallSlice(part.column, part.value, len(part.topics), least if is_possible else math.inf)


def slice_rows(
    slices: Sequence[InstanceSlice], pairs: Sequence[Pair], same: dict[str, Any]
) -> Iterator[dict[str, Any]]:
    """A row a pair on a kind; `same` is what all rows have."""
    for own in slices:
        for i, pair in enumerate(pairs):
            yield same | {
                "system": pair.system,
                "against": pair.against,
                "n": own.topics,
                "difference": float(own.tests.difference[i]),
                "low": float(own.low[i]),
                "high": float(own.high[i]),
                "p": own.p[i],
                "p_adjusted": float(own.tests.p_difference[i]),
                "verdict": own.tests.verdicts[i],
                "column": own.column,
                "slice": own.value,
            }


class IgnoredClusters(NamedTuple):
    """A column that was not asked for, and the pairs of which less would be said with it."""

    column: str
    clusters: int
    changes: tuple[tuple[Pair, Verdict, Verdict], ...]  # the pair, its verdict, and that with clusters


def ignored_clusters(
    scores: InstanceScores, pairs: Sequence[Pair], verdicts: Sequence[Verdict], model: ModelName, claiming: Claiming
) -> Iterator[IgnoredClusters]:
    """Of each column that looks like one of clusters."""
    for column in cluster_columns(scores.about, scores.topics):
        try:
            sampling = sampling_of(scores.about, scores.topics, SamplingColumns(cluster=column))
            squares = squares_of(scores, pairs, sampling)
            others = tested_by_squares(squares, model, len(scores.algorithms), claiming).tests.verdicts
        except DesignError:  # what cannot be asked with clusters
            continue
        each = zip(pairs, verdicts, others, strict=True)
        changes = tuple((pair, verdict, other) for pair, verdict, other in each if is_weaker(other, verdict))
        if changes and sampling is not None:
            yield IgnoredClusters(column, sampling.clusters, changes)
