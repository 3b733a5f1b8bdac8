"""What if fewer documents had been judged? Pairs of runs under pools of their own top documents, in images."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cached_property, partial
from itertools import combinations
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from irgauge.errors import DesignError, check_alpha
from irgauge.inference.pairwise import t_of_differences
from irgauge.jit import kernel
from irgauge.reading.collection import Collection, Precision, Progress
from irgauge.replicates.images import check_images, draw_images
from irgauge.scoring.kernels import weights_of
from irgauge.scoring.measures import Measure, parse_measures
from irgauge.scoring.scorer import Lists, Scorer, lists_of_systems
from irgauge.studies.boxes import Boxes

Floats = NDArray[np.float64]
Weights = NDArray[np.uint8]  # doc, image
ALL = "all"  # every judgment of the qrels
FALLS_TO = 0.5  # of the p-value with all judgments: from here on a shallow pool is said to gain confidence
RANGE = (0.05, 0.95)  # of images, between which differences and p-values are told
_BATCH = 256  # images at a time


@dataclass(frozen=True, eq=False)
class PairPools:
    """The difference of two runs and its p-value, for each pool on the root and in every image."""

    first: str
    second: str
    root_difference: Floats  # measure, pool
    root_p: Floats  # measure, pool
    difference: Floats  # measure, pool, image
    p: Floats  # measure, pool, image

    @cached_property
    def median_p(self) -> Floats:
        """The median over images: measure, pool."""
        return np.median(self.p, axis=2)

    @cached_property
    def lower(self) -> Floats:
        """The share of images in which p is lower than with all judgments: measure, pool."""
        return (self.p < self.p[:, -1:]).mean(axis=2)

    @cached_property
    def gains(self) -> NDArray[np.bool_]:
        """Whether fewer judgments bring more confidence: measure, pool.

        In most images p is lower than with all judgments, and its median at most half of theirs.
        """
        return (self.lower > 0.5) & (self.median_p <= FALLS_TO * self.median_p[:, -1:])

    @cached_property
    def loses(self) -> NDArray[np.bool_]:
        """The opposite: in most images p is higher, and its median at least twice theirs."""
        higher = (self.p > self.p[:, -1:]).mean(axis=2)
        return (higher > 0.5) & (FALLS_TO * self.median_p >= self.median_p[:, -1:])

    @cached_property
    def median_difference(self) -> Floats:
        """The median over images: measure, pool."""
        return np.median(self.difference, axis=2)

    @cached_property
    def turns(self) -> NDArray[np.bool_]:
        """Whether the median difference favours the other run than with all judgments: measure, pool."""
        return self.median_difference * self.median_difference[:, -1:] < 0

    @cached_property
    def difference_range(self) -> Floats:
        """The bounds of the differences of most images: bound, measure, pool."""
        return np.quantile(self.difference, RANGE, axis=2)

    @cached_property
    def p_range(self) -> Floats:
        """The bounds of the p-values of most images: bound, measure, pool."""
        return np.quantile(self.p, RANGE, axis=2)

    def significant(self, alpha: float) -> Floats:
        """The share of images in which the runs differ: measure, pool."""
        return (self.p <= alpha).mean(axis=2)


class Gain(NamedTuple):
    """A pair that gains confidence, and the pool by which its median p-value falls most."""

    pair: PairPools
    pool: int


@dataclass(frozen=True, eq=False)
class Pools:
    """Pairs of runs under shallow pools; the last pool is all judgments."""

    measures: tuple[str, ...]
    topics: tuple[str, ...]
    pools: tuple[str, ...]  # depths, then ALL
    images: int
    seed: int
    alpha: float
    precision: Precision
    corpus_size: int
    documents: int
    pairs: tuple[PairPools, ...]
    judged: Floats  # pool: documents judged for a topic on the root, mean over topics and pairs
    topic_differences: Floats | None  # measure, pool, topic, image; of a single pair
    root_topic_differences: Floats | None  # measure, pool, topic
    notes: tuple[str, ...]

    def gains(self) -> NDArray[np.int64]:
        """The number of pairs in which fewer judgments bring more confidence: measure, pool."""
        return np.sum([pair.gains for pair in self.pairs], axis=0)

    def loses(self) -> NDArray[np.int64]:
        """The number of pairs in which fewer judgments bring less confidence: measure, pool."""
        return np.sum([pair.loses for pair in self.pairs], axis=0)

    def worst(self, measure: int) -> list[Gain]:
        """The pairs that gain confidence: first those of which only the pool says that they differ, by median p-values.

        Then those whose median p-value falls to the smallest part.
        """
        falls = {}  # of each pair, by the pool where it falls most: whether it decides nothing, and to which part
        for pair in self.pairs:
            ratios = np.where(pair.gains[measure], pair.median_p[measure], np.inf) / pair.median_p[measure, -1]
            pool = int(np.argmin(ratios))
            if pair.gains[measure, pool]:
                decides = pair.median_p[measure, pool] <= self.alpha < pair.median_p[measure, -1]
                falls[Gain(pair, pool)] = (not decides, float(ratios[pool]))
        return sorted(falls, key=falls.__getitem__)

    def topic_boxes(self, measure: int) -> Boxes:
        """The differences of a single pair over images, with whiskers over most of them: pool, topic (Figure 7)."""
        low, high = RANGE
        return Boxes(*np.quantile(self._by_topic[measure], (low, 0.25, 0.5, 0.75, high), axis=2))

    def topic_widths(self) -> Floats:
        """How far the differences on a topic spread over most images, mean over topics: measure, pool."""
        low, high = np.quantile(self._by_topic, RANGE, axis=3)
        return (high - low).mean(axis=2)

    @property
    def _by_topic(self) -> Floats:
        if self.topic_differences is None:
            raise DesignError("differences on topics are kept of one pair, not of all pairs; give two runs")
        return self.topic_differences

    def significant(self) -> NDArray[np.int64]:
        """The number of pairs that differ on the root: measure, pool."""
        return np.sum([pair.root_p <= self.alpha for pair in self.pairs], axis=0)

    def only_shallow(self) -> NDArray[np.int64]:
        """The number of pairs that differ on the root by the pool, but not with all judgments: measure, pool."""
        differ = np.array([pair.root_p <= self.alpha for pair in self.pairs])  # pair, measure, pool
        return (differ & ~differ[..., -1:]).sum(axis=0)


def pool_pair(
    collection: Collection,
    measures: Iterable[str | Measure],
    *,
    depths: Sequence[int] = (10, 25, 100),
    images: int = 100,
    alpha: float = 0.05,
    seed: int = 0,
    workers: int | None = None,
    progress: Progress | None = None,
) -> Pools:
    """Compare the two runs of a collection when only the union of their top documents is judged.

    For every image and depth the documents in either run's top `depth`, as the image amends the runs, are judged
    and all others are not; then the mean difference over topics and the paired t-test's p-value. A topic without
    relevant documents in a pool scores 0 for both runs. Zobel and Rashidi (CIKM 2020), section 7.
    """
    if len(collection.systems) != 2:
        raise DesignError(f"one pair is compared, and {len(collection.systems)} runs were given; give 2, or all pairs")
    return pool_pairs(
        collection,
        measures,
        depths=depths,
        images=images,
        alpha=alpha,
        seed=seed,
        workers=workers,
        progress=progress,
    )


def pool_pairs(
    collection: Collection,
    measures: Iterable[str | Measure],
    *,
    depths: Sequence[int] = (10, 25, 100),
    images: int = 100,
    alpha: float = 0.05,
    seed: int = 0,
    workers: int | None = None,
    progress: Progress | None = None,
) -> Pools:
    """The same for all pairs of runs; pairs that rank alike are left out and noted."""
    parsed = parse_measures(measures)
    _check(collection, parsed, depths, images, alpha)
    pairs, alike = _pairs(collection)
    survey = _Survey(Scorer(collection, parsed), tuple(sorted(set(depths))), pairs)
    batches: list[list[_Pair]] = []
    for first in range(0, images, _BATCH):
        drawn = draw_images(collection, min(_BATCH, images - first), seed=seed, first=first, workers=workers).weights
        batches.append([])
        for pair in survey.differences(_with_root(drawn) if first == 0 else drawn, workers):
            batches[-1].append(pair)
            if progress is not None:
                progress(sum(map(len, batches)), -(-images // _BATCH) * len(pairs))
    return _result(collection, survey, batches, images, alpha, seed, (*alike, *_shallow_notes(collection, depths)))


def _with_root(weights: Weights) -> Weights:
    """The root, in which every document stands once, before the images."""
    return np.concatenate([np.ones((len(weights), 1), np.uint8), weights], axis=1)


def _check(
    collection: Collection, measures: tuple[Measure, ...], depths: Sequence[int], images: int, alpha: float
) -> None:
    if not measures:
        raise DesignError("no measure was given; name one, such as AP")
    check_images(images)
    if not depths or min(depths) < 1:
        raise DesignError(f"the depths {list(depths)} are not possible; they are whole numbers from 1, such as 10, 25")
    check_alpha(alpha)
    if len(collection.systems) < 2:
        raise DesignError("a pair of runs is needed, and one run was given")
    if len(collection.topics) < 2:
        raise DesignError("the paired t-test needs at least 2 topics with a relevant document")


def _pairs(collection: Collection) -> tuple[list[tuple[int, int]], tuple[str, ...]]:
    """All pairs of runs that do not rank alike, and a note on those that do."""
    rankings = [_ranking(collection, system) for system in range(len(collection.systems))]
    every = list(combinations(range(len(collection.systems)), 2))
    pairs = [(a, b) for a, b in every if rankings[a] != rankings[b]]
    alike = [f"{collection.systems[a]} = {collection.systems[b]}" for a, b in every if rankings[a] == rankings[b]]
    if not pairs:
        message = f"the runs rank the same documents in the same order ({alike[0]}); give two different runs"
        raise DesignError(message)
    return pairs, (f"pairs that rank alike left out: {', '.join(alike)}",) if alike else ()


def _ranking(collection: Collection, system: int) -> tuple[bytes, ...]:
    bounds = zip(collection.firsts[:, system], collection.lengths[:, system], strict=True)
    return tuple(collection.docs[first : first + length].tobytes() for first, length in bounds)


def _shallow_notes(collection: Collection, depths: Sequence[int]) -> Iterator[str]:
    longest = int(collection.lengths.max(axis=1).min())
    for depth in sorted(set(depths)):
        if depth > longest:
            yield f"depth {depth} is deeper than the runs, which end at {longest} for some topic: there all is judged"


class _Pair(NamedTuple):
    """What is found of one pair in one batch of images."""

    difference: Floats  # measure, pool, image
    p: Floats  # measure, pool, image
    topics: Floats | None  # measure, pool, topic, image; kept of a single pair
    judged: Floats  # pool: documents judged for a topic in the first image, mean over topics


@dataclass(frozen=True)
class _Survey:
    scorer: Scorer
    depths: tuple[int, ...]
    pairs: list[tuple[int, int]]

    def differences(self, weights: Weights, workers: int | None) -> Iterator[_Pair]:
        """What each pair shows in a batch of images, in threads: a few pairs at a time, so that none is left over."""
        size = workers or os.cpu_count() or 1
        for first in range(0, len(self.pairs), size):
            with ThreadPoolExecutor(size) as pool:
                found = list(pool.map(partial(self._pair, weights=weights), self.pairs[first : first + size]))
            yield from found

    def _pair(self, pair: tuple[int, int], weights: Weights) -> _Pair:
        topics, images = len(self.scorer.collection.topics), weights.shape[1]
        values = np.empty((len(self.depths) + 1, topics, len(self.scorer.measures), 2, images))
        judged = np.zeros(len(self.depths) + 1)
        for topic in range(topics):
            lists = lists_of_systems(self.scorer.lists(topic), pair)
            own = weights_of(weights, lists.documents)
            for pool, counted in enumerate(self._judged(lists, own)):
                self.scorer.score_images(lists, own, counted, values[pool, topic])
                judged[pool] += np.count_nonzero(counted[lists.judged_docs, 0]) / topics
        scores = np.nan_to_num(values)
        differences = np.moveaxis(scores[:, :, :, 0] - scores[:, :, :, 1], 2, 0)  # measure, pool, topic, image
        _, p = t_of_differences(np.moveaxis(differences, 2, 0))
        by_topic = differences if len(self.pairs) == 1 else None
        return _Pair(differences.mean(axis=2), p, by_topic, judged)

    def _judged(self, lists: Lists, weights: Weights) -> Iterator[Weights]:
        """The weights of the documents that are judged, for each depth and then for all judgments."""
        for depth in self.depths:
            yield _pooled(lists.docs, lists.firsts, lists.lengths, weights, depth)
        yield weights


@kernel
def _pooled(
    docs: NDArray[np.int32], firsts: NDArray[np.int64], lengths: NDArray[np.int64], weights: Weights, depth: int
) -> Weights:
    """The weights of the documents in the top `depth` of any list, and 0 for all others (doc, image).

    A document of which one copy is in the top is judged, and all its copies with it.
    """
    images = weights.shape[1]
    pooled = np.zeros_like(weights)
    for system in range(len(firsts)):
        seen = np.zeros(images, np.int64)
        for entry in range(firsts[system], firsts[system] + lengths[system]):
            if seen.min() >= depth:
                break
            for image in range(images):
                if seen[image] < depth:
                    pooled[docs[entry], image] = weights[docs[entry], image]
                    seen[image] += weights[docs[entry], image]
    return pooled


def _result(
    collection: Collection,
    survey: _Survey,
    batches: list[list[_Pair]],
    images: int,
    alpha: float,
    seed: int,
    notes: tuple[str, ...],
) -> Pools:
    pairs = [_joined([batch[i] for batch in batches]) for i in range(len(survey.pairs))]
    topics = pairs[0].topics if len(pairs) == 1 else None
    return Pools(
        measures=tuple(map(str, survey.scorer.measures)),
        topics=collection.topics,
        pools=(*map(str, survey.depths), ALL),
        images=images,
        seed=seed,
        alpha=alpha,
        precision=collection.precision,
        corpus_size=collection.corpus_size,
        documents=collection.document_count,
        pairs=tuple(
            PairPools(
                first=collection.systems[a],
                second=collection.systems[b],
                root_difference=pair.difference[..., 0],
                root_p=pair.p[..., 0],
                difference=pair.difference[..., 1:],
                p=pair.p[..., 1:],
            )
            for (a, b), pair in zip(survey.pairs, pairs, strict=True)
        ),
        judged=np.mean([pair.judged for pair in pairs], axis=0),
        topic_differences=None if topics is None else topics[..., 1:],
        root_topic_differences=None if topics is None else topics[..., 0],
        notes=notes,
    )


def _joined(parts: list[_Pair]) -> _Pair:
    """One pair in all images, the root first."""
    topics = [part.topics for part in parts if part.topics is not None]
    return _Pair(
        difference=np.concatenate([part.difference for part in parts], axis=2),
        p=np.concatenate([part.p for part in parts], axis=2),
        topics=np.concatenate(topics, axis=3) if topics else None,
        judged=parts[0].judged,
    )
