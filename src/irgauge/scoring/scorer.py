"""Scoring: what the measures say of the lists of a topic in every replicate.

It is done here, or elsewhere in blocks of topics, which hold their own lists alone, so that no worker needs all.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import fields, replace
from functools import cached_property
from typing import Any, NamedTuple, NoReturn, TypeVar
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from irgauge.compute.arrays import Bools, Floats, Ints, Weights
from irgauge.compute.tasks import Task, are_elsewhere, in_threads, one_by_one, thread_count, worth_threads
from irgauge.errors import DesignError
from irgauge.reading.collection import Collection
from irgauge.scoring.drawn import Replicates, RowsOf, Shards
from irgauge.scoring.hits import (
    base_by_label,
    base_by_topic,
    base_by_weight,
    hits_by_label,
    hits_by_weight,
    hits_of_whole,
)
from irgauge.scoring.kernels import (
    HitLists,
    JudgedTopic,
    Scale,
    condensed,
    evaluate,
    loop_of,
)
from irgauge.scoring.lists import Blocks, Lists
from irgauge.scoring.measures import Measure

_TURNS = 8  # blocks of topics for each thread
_LISTS = 1 << 14  # in a block
_COUNTS = 1 << 22  # of levels and topics in a block
_STEPS = 8  # of an entry of a list, in all shards together; in images one each, as they are counted side by side
_ENTRIES = 1 << 27  # of lists in a block that is scored elsewhere: 0.8 GB
S = TypeVar("S")
T = TypeVar("T")
R = TypeVar("R")
_PARTS: WeakKeyDictionary[Scorer, list[Part]] = WeakKeyDictionary()  # so that each is sent once


class HitGroup(NamedTuple):
    """Measures that need the same hits, so that one pass over the lists serves them all."""

    keep: Bools  # level, and the unjudged: whether its documents are hits
    closed_up: Bools | None  # the same once lists are closed up to the judged documents; None where they are not
    members: list[int]  # measures


class Scorer:
    """Scores a collection by measures, topic by topic and replicate by replicate."""

    def __init__(self, collection: Collection, measures: Sequence[Measure]) -> None:
        self.collection = collection
        self.measures = tuple(measures)
        if not collection.lengths.size:
            raise DesignError("these runs are those of a report that was read from a file, which has none; load them")
        _refuse_without_subtopics(self.measures, collection)
        self._groups = _by_hits_needed(self.measures, collection.grades)
        self._strata = np.unique(collection.strata, return_inverse=True)[1].reshape(-1)
        self._scales: dict[tuple[int, int], Scale] = {}
        self._empty = collection.empty_topics
        for measure in self.measures:
            loop_of(measure.record.kernel)  # once, before threads ask for it together

    def __reduce__(self) -> tuple[type[Scorer], tuple[Collection, tuple[Measure, ...]]]:
        """What it is made of: what it keeps is made again elsewhere."""
        return Scorer, (nameless(self.collection), self.measures)

    def score(self, drawn: Replicates, *, workers: int | None = None) -> Floats:
        """values[measure, topic, system, replicate], NaN where undefined."""
        topics, systems = self.collection.lengths.shape
        values = np.empty((len(self.measures), topics, systems, len(drawn.names)))
        each = _STEPS if isinstance(drawn, Shards) else len(drawn.names)
        workers = worth_threads(workers, each * int(self.collection.lengths.sum()))
        if isinstance(drawn, Shards):
            blocks = self._blocks(thread_count(workers), len(drawn.names))
            is_whole = len(drawn.names) == 1 and not self.has_diversity
            score: Callable[[slice, Shards, Floats], None] = self._score_whole if is_whole else self._score_shards
            in_threads(lambda block: score(block, drawn, values[:, block]), blocks, workers)
            return values
        rows_of, together = drawn.rows_of(self.documents), self._together.longest_first
        in_threads(lambda block: self._score_block(block, rows_of, values), together, workers)
        return values

    @property
    def has_diversity(self) -> bool:
        """Whether a measure counts subtopics, so that topics are scored one by one."""
        return any(measure.record.diversity is not None for measure in self.measures)

    def _blocks(self, threads: int, shards: int) -> list[slice]:
        """Topics scored together: several for each thread, and few enough for memory; those with subtopics alone."""
        topics, systems = self.collection.lengths.shape
        fitting = min(_LISTS // max(systems * shards, 1), _COUNTS // max(len(self.collection.grades) * shards, 1))
        size = 1 if self.has_diversity else max(1, min(fitting, topics // (_TURNS * threads)))
        return [slice(first, min(first + size, topics)) for first in range(0, topics, size)]

    def _score_whole(self, block: slice, _: Shards, values: Floats) -> None:
        """Scores of some topics on the whole corpus, into values[measure, topic, system, 0].

        To the kernels these topics are replicates, each with judgments of its own.
        """
        whole = self.collection
        lists = whole.firsts[block].T.ravel(), whole.lengths[block].T.ravel()  # system, topic
        bounds = whole.judged_bounds[block.start : block.stop + 1]
        counts = base_by_topic(bounds, whole.judged_levels, len(whole.grades))
        judged = JudgedTopic(whole.judged_levels[bounds[0] : bounds[-1]], counts, _no_draw)
        scores = np.empty((len(self.measures), values.shape[2], values.shape[1]))  # measure, system, topic
        for group in self._groups:
            self._evaluate(group, hits_of_whole(whole.levels, *lists, group.keep), judged, scores)
        values[..., 0] = scores.transpose(0, 2, 1)
        self._fill_empty(block, values)

    def _fill_empty(self, block: slice, values: Floats) -> None:
        """Score 0 on topics of which no document is relevant."""
        for topic in self._empty & set(range(block.start, block.stop)):
            np.nan_to_num(values[:, topic - block.start], copy=False)

    @property
    def documents(self) -> NDArray[np.int32]:
        """The documents whose weights the scores of images depend on."""
        return self._together.documents

    @property
    def lengths(self) -> Ints:
        """The entries of lists that scores depend on, from the first: topic, system."""
        return self._together.lengths

    @cached_property
    def _together(self) -> Blocks:
        """Topics that are scored together in images; those with subtopics alone."""
        return Blocks(self.collection, self.levels_read, alone=self.has_diversity)

    @property
    def levels_read(self) -> Bools | None:
        """level: whether scores depend on entries of it; None where they depend on all entries."""
        if any(measure.record.length for measure in self.measures):
            return None
        return np.any([group.keep for group in self._groups], axis=0)

    def _score_block(self, block: int, rows_of: RowsOf, values: Floats) -> None:
        """Scores of some topics in images, into values[measure, topic, system, image].

        To the kernels a topic in an image is a replicate.
        """
        lists, topics = self._together.lists(block), self._together.topics[block]
        rows = rows_of(lists.documents)
        measures, _, systems, images = values.shape
        scores = np.empty((measures, systems, (topics.stop - topics.start) * images))
        self.score_images(lists, rows, rows, scores)
        values[:, topics] = scores.reshape(measures, systems, -1, images).swapaxes(1, 2)
        self._fill_empty(topics, values[:, topics])

    def score_images(self, lists: Lists, weights: Weights, judged: Weights, values: Floats) -> None:
        """Scores under weights[doc, image], judged as often as `judged` says, into values[measure, system, replicate].

        A replicate is a topic of the lists in an image, images fastest.
        """
        judgments = (lists.judged_bounds, lists.judged_docs, lists.judged_levels)
        counts = base_by_weight(*judgments, len(self.collection.grades), judged)
        topic = JudgedTopic(lists.judged_levels, counts, lambda: judged[lists.judged_docs])
        for group in self._groups:
            entries = (lists.docs, lists.levels, lists.firsts, lists.lengths)
            hits_of_whole = int(lists.level_counts[group.keep].sum())
            hits = hits_by_weight(*entries, group.keep, hits_of_whole, weights, judged)
            self._evaluate(group, hits, topic, values)

    def _score_shards(self, block: slice, drawn: Shards, values: Floats) -> None:
        """Scores of some topics in shards, into values[measure, topic, system, shard].

        To the kernels a topic in a shard is a replicate.
        """
        whole, (measures, topics, systems, shards) = self.collection, values.shape
        bounds = whole.judged_bounds[block.start : block.stop + 1]
        judged = slice(bounds[0], bounds[-1])
        places = np.repeat(np.arange(topics, dtype=np.int32) * shards, np.diff(bounds))
        places += drawn.labels[whole.judged_docs[judged]]  # judgment: its replicate
        each, levels = np.arange(len(places), dtype=np.int32), whole.judged_levels[judged]
        counts = base_by_label(each, levels, len(whole.grades), places, topics * shards)
        of_topics = JudgedTopic(levels, counts, lambda: _in_shards(places, topics * shards))
        lists = whole.firsts[block].T.ravel(), self.lengths[block].T.ravel()  # system, topic
        scores = np.empty((measures, systems, topics * shards))
        for group in self._groups:
            hits = hits_by_label(whole.docs, whole.levels, *lists, group.keep, drawn.labels, shards)
            self._evaluate(group, hits, of_topics, scores)
        values[:] = scores.reshape(measures, systems, topics, shards).swapaxes(1, 2)
        self._fill_empty(block, values)

    def _evaluate(self, group: HitGroup, hit_lists: HitLists, topic: JudgedTopic, values: Floats) -> None:
        lists = hit_lists if group.closed_up is None else condensed(hit_lists, group.closed_up)
        depth = max(int(lists.lengths.max()), int(topic.counts.sum(axis=1).max()))
        for i in group.members:
            scale = self._scale(i, 1 << depth.bit_length())  # tables of ranks come in few sizes
            record = self.measures[i].record
            evaluate(record.kernel, lists, topic.bases(record.diversity, scale), scale, values[i])

    def _scale(self, i: int, depth: int) -> Scale:
        if (i, depth) not in self._scales:
            whole = self.collection
            self._scales[i, depth] = self.measures[i].scale(whole.grades, self._strata, whole.subtopics, depth)
        return self._scales[i, depth]


def _no_draw() -> Weights:
    raise NotImplementedError  # measures by subtopic are scored topic by topic


def _refuse_without_subtopics(measures: Sequence[Measure], collection: Collection) -> None:
    for measure in measures:
        if measure.record.diversity is not None and collection.subtopics.shape[1] == 0:
            raise DesignError(
                f"{measure} needs judgments by subtopic (topic subtopic docno grade); the second column of these qrels "
                "is the same in all rows of a topic; give diversity judgments, as those of TREC's Web tracks"
            )


def _in_shards(labels: NDArray[np.int32], shards: int) -> Weights:
    """Whether each judged document is in each shard."""
    return (labels[:, np.newaxis] == np.arange(shards)).astype(np.uint8)


def _by_hits_needed(measures: Sequence[Measure], grades: Ints) -> list[HitGroup]:
    """Measures grouped by the levels whose documents they need."""
    groups: dict[tuple[bytes, bool], HitGroup] = {}
    judged = np.append(grades >= 0, False)  # a value, not an option
    for i, measure in enumerate(measures):
        needed = measure.hit_levels(grades)
        new = HitGroup(judged, needed & judged, []) if measure.is_condensed else HitGroup(needed, None, [])
        groups.setdefault((needed.tobytes(), measure.is_condensed), new).members.append(i)
    return list(groups.values())


def nameless(collection: Collection) -> Collection:
    """The same collection without the names of its documents, which may be most of it."""
    return replace(collection, name_documents=_no_names)


_UNSTORED: Mapping[str, Any] = {  # what a collection has none of that was read from a file of results
    **dict.fromkeys(("firsts", "lengths"), np.zeros((0, 0), np.int64)),
    **dict.fromkeys(("docs", "judged_docs"), np.zeros(0, np.int32)),
    **dict.fromkeys(("levels", "judged_levels"), np.zeros(0, np.int16)),
    **dict.fromkeys(("judged_bounds", "grades", "strata"), np.zeros(0, np.int64)),
    "subtopics": np.zeros((0, 0), np.int64),
}


def described(collection: Collection) -> dict[str, Any]:
    """What is to be said of a collection, without its lists, judgments and documents."""
    names = (field.name for field in fields(collection) if field.name not in {"name_documents", *_UNSTORED})
    return {name: getattr(collection, name) for name in names}


def of_description(description: Mapping[str, Any]) -> Collection:
    """A collection of which the same is to be said, and which cannot be scored."""
    return Collection(name_documents=_no_names, **description, **_UNSTORED)


def blocks(lengths: Ints, entries: int | None = None) -> list[slice]:
    """The topics divided into blocks of so many entries, or as many as work elsewhere is given, in their order.

    >>> blocks(np.array([[1, 1], [1, 0], [0, 1]]), entries=2)  # topic, system
    [slice(0, 1, None), slice(1, 3, None)]
    """
    return list(_bounds(lengths.sum(axis=1), entries or _ENTRIES))


def _bounds(sizes: Ints, most: int) -> Iterator[slice]:
    """Neighbours that together have at most so many entries, or one that has more."""
    first, total = 0, 0
    for topic, size in enumerate(sizes.tolist()):
        if total and total + size > most:
            yield slice(first, topic)
            first, total = topic, 0
        total += size
    yield slice(first, len(sizes))


def of_topics(collection: Collection, block: slice, lengths: Ints) -> Collection:
    """The judgments of a block of topics and its lists as far as lengths[topic, system] say; documents keep numbers."""
    firsts, lengths = collection.firsts[block], lengths[block]
    bounds = collection.judged_bounds[block.start : block.stop + 1]
    judged = slice(bounds[0], bounds[-1])
    places = np.cumsum(lengths.ravel()) - lengths.ravel()  # of lists, one after the other
    bounds_of_lists = zip(firsts.ravel().tolist(), (firsts + lengths).ravel().tolist(), strict=True)
    lists = [slice(first, last) for first, last in bounds_of_lists]
    return replace(
        nameless(collection),
        topics=collection.topics[block],
        firsts=places.reshape(lengths.shape),
        lengths=lengths,
        docs=np.concatenate([collection.docs[entries] for entries in lists]),
        levels=np.concatenate([collection.levels[entries] for entries in lists]),
        judged_bounds=bounds - bounds[0],
        judged_docs=collection.judged_docs[judged],
        judged_levels=collection.judged_levels[judged],
    )


def _no_names() -> NoReturn:
    raise DesignError("a collection that is worked on elsewhere has no names of documents")


class Part(NamedTuple):
    """What scores some topics, and the blocks that these are divided into."""

    scorer: Scorer
    blocks: Sequence[slice]  # of the topics of all parts


def parts_of(scorer: Scorer) -> list[Part]:
    """What scores each block of topics elsewhere, of lists only what scores depend on, and all of them here."""
    whole, lengths, each = scorer.collection, scorer.lengths, blocks(scorer.lengths)
    if not are_elsewhere():
        return [Part(scorer, each)]
    if scorer not in _PARTS:
        _PARTS[scorer] = [Part(Scorer(of_topics(whole, block, lengths), scorer.measures), [block]) for block in each]
    return _PARTS[scorer]


def within(blocks: Sequence[slice]) -> list[slice]:
    """The same blocks of neighbouring topics, counted from the first of these."""
    first = blocks[0].start
    return [slice(block.start - first, block.stop - first) for block in blocks]


def in_parts(
    scorer: Scorer,
    do: Callable[[Scorer, S], Sequence[R]],
    items: Sequence[T],
    wanted: Callable[[T, Part], S],
    named: Callable[[T], str],
) -> Iterator[list[R]]:
    """What is made of each item, in their order: of each block of topics, as `wanted` asks a part of them for it."""
    parts = parts_of(scorer)
    results = one_by_one(Task(do, part.scorer, wanted(item, part), named(item)) for item in items for part in parts)
    for of_parts in zip(*[results] * len(parts), strict=True):
        yield [block for of_part in of_parts for block in of_part]


def scored(
    scorer: Scorer, score: Callable[[Scorer, T], Floats], items: Sequence[T], named: Callable[[T], str]
) -> Iterator[Floats]:
    """What `score` makes of each item, in their order: values[measure, topic, ...], each topic for itself."""
    parts = parts_of(scorer)
    of_parts = one_by_one(Task(score, part.scorer, item, named(item)) for item in items for part in parts)
    for values in zip(*[of_parts] * len(parts), strict=True):
        yield values[0] if len(values) == 1 else np.concatenate(values, axis=1)
