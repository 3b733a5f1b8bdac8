"""Why a gate does not pass: the topics that lose most, what both rank there, and the kinds of topics that lose."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from irgauge.compute.arrays import Bools
from irgauge.inference.by_topic import PairOnTopics
from irgauge.inference.slices import FEWEST
from irgauge.reading.collection import Collection
from irgauge.reading.judgments import UNJUDGED
from irgauge.reading.numbering import UNKNOWN
from irgauge.reading.topic_slices import places_of_values
from irgauge.reading.topic_table import TopicTable
from irgauge.scoring.direction import sign_of
from irgauge.studies.gate.evidence import MeasureGated, Outcome
from irgauge.studies.gate.inputs import Given

TOP = 10  # documents of either list that are shown
LOSSES = 5  # topics by each measure
LISTS = 3  # topics whose documents are shown
_KINDS = 3  # kinds of topics that lose most
_MOST_KINDS = 10  # values of a column: with more it is hardly one of kinds, and nobody asked for it


class TopicLoss(NamedTuple):
    """A topic on which the candidate is worse."""

    topic: str
    query: str | None  # its text, where it is known
    baseline: float
    candidate: float
    difference: float
    missing: bool  # whether a run does not answer it


class KindLoss(NamedTuple):
    """A kind of topics on which the candidate is worse on average; nothing is claimed of other topics of the kind."""

    column: str
    value: str
    topics: int
    difference: float


class MeasureReason(NamedTuple):
    """What lies behind the outcome by one measure."""

    measure: str
    outcome: Outcome
    wins: int  # topics
    ties: int
    losses: int
    largest: tuple[TopicLoss, ...]  # largest first; where kinds of topics decide, of these
    kinds: tuple[KindLoss, ...]  # largest first; none where verdicts on kinds were asked for


class RankedDocument(NamedTuple):
    """A document of a list."""

    docno: str | None  # None: it is unjudged, and only judged documents were loaded
    grade: int | None  # None: unjudged
    elsewhere: int | None  # its rank in the other list; None: it is not there, or has no name


class TopicLists(NamedTuple):
    """What both sides rank first on a topic, in the order in which it was scored."""

    topic: str
    query: str | None
    baseline: tuple[RankedDocument, ...]
    candidate: tuple[RankedDocument, ...]


class Reason(NamedTuple):
    """What a reader looks at where a gate does not pass; it describes these topics, and claims nothing of others."""

    measures: tuple[MeasureReason, ...]  # those that fail, then those that are undecided
    lists: tuple[TopicLists, ...]  # of the topics with the largest losses by the first of these; none of scores
    runs: tuple[str, str]  # whose lists they are: the first run of the baseline and of the candidate


def reason_of(each: Sequence[MeasureGated], inputs: Given, about: TopicTable) -> Reason | None:
    """The reason; None where the gate passes, or nothing differs."""
    waiting = [gated for outcome in ("fail", "undecided") for gated in each if gated.outcome == outcome]
    if not waiting or all(gated.is_same for gated in each):
        return None
    measures = tuple(_of_measure(gated, about) for gated in waiting)
    judged = set(inputs.topics)  # a need with several wordings has no list of its own
    answered = [loss for loss in measures[0].largest if not loss.missing and loss.topic in judged]
    lists = tuple(_lists(answered[:LISTS], inputs))
    return Reason(measures, lists, (inputs.baseline.runs[0], inputs.candidate.runs[0]))


def _of_measure(gated: MeasureGated, about: TopicTable) -> MeasureReason:
    topics = gated.topics
    kinds = () if gated.sliced.slices else _losing_kinds(topics, about)
    largest = tuple(_losses(topics, _deciding(gated, about)))
    return MeasureReason(gated.measure, gated.outcome, topics.wins, topics.ties, topics.losses, largest, kinds)


def _deciding(gated: MeasureGated, about: TopicTable) -> Bools:
    """Topic: whether it is of a kind on which it is worse, where it fails for that alone; else all."""
    topics = gated.topics.topics
    if gated.outcome != "fail" or gated.verdict == "worse":
        return np.ones(len(topics), bool)
    kinds = [(about.column(own.column), own.value) for own in gated.worse_slices]
    return np.array([any(values.get(topic) == value for values, value in kinds) for topic in topics])


def _losses(pair: PairOnTopics, is_deciding: Bools) -> Iterator[TopicLoss]:
    """The largest losses on some topics."""
    order = [place for place in pair.largest_losses(len(pair.topics)).tolist() if is_deciding[place]]
    for row in pair.records(order[:LOSSES]):
        names = ("topic", "query", "other", "score", "difference", "missing")
        yield TopicLoss(*(row[name] for name in names))


def _losing_kinds(pair: PairOnTopics, about: TopicTable) -> tuple[KindLoss, ...]:
    """The kinds of topics with the largest losses on average, of columns that look like kinds."""
    means = [
        KindLoss(column, value, len(places), float(pair.difference[places].mean()))
        for column in about.columns
        for value, places in _kinds_in(about, column, pair.topics)
        if len(places) >= FEWEST
    ]
    losing = [kind for kind in means if sign_of(pair.direction) * kind.difference < 0]
    return tuple(sorted(losing, key=lambda kind: -abs(kind.difference))[:_KINDS])


def _kinds_in(about: TopicTable, column: str, topics: Sequence[str]) -> Iterator[tuple[str, np.ndarray]]:
    places = places_of_values(about, column, topics)
    if 2 <= len(places) <= _MOST_KINDS:
        yield from places.items()


def _lists(losses: Sequence[TopicLoss], inputs: Given) -> Iterator[TopicLists]:
    """What both rank first on these topics."""
    collection = inputs.documents_on([loss.topic for loss in losses]) if losses else None
    if collection is None:
        return
    for loss in losses:
        both = [_ranked(collection, loss.topic, side.runs[0]) for side in (inputs.baseline, inputs.candidate)]
        yield TopicLists(loss.topic, loss.query, _beside(*both), _beside(*both[::-1]))


_Ranked = list[tuple[str | None, int | None]]  # docno and grade, in rank order


def _ranked(collection: Collection, topic: str, run: str) -> _Ranked:
    """The list of a run, as it was scored; nothing where it has none."""
    if run not in collection.systems or topic not in collection.topics:
        return []
    t, s = collection.topics.index(topic), collection.systems.index(run)
    entries = slice(int(collection.firsts[t, s]), int(collection.firsts[t, s] + collection.lengths[t, s]))
    docs, levels = collection.docs[entries], collection.levels[entries]
    named = docs[docs != UNKNOWN]
    names = dict(zip(named.tolist(), collection.docnos.gather(named).to_list(), strict=True))
    grades = [None if level == UNJUDGED else int(collection.grades[level]) for level in levels]
    return [(names.get(doc), grade) for doc, grade in zip(docs.tolist(), grades, strict=True)]


def _beside(own: _Ranked, other: _Ranked) -> tuple[RankedDocument, ...]:
    """The first documents of a list, with their ranks in the other."""
    ranks = {docno: rank for rank, (docno, _) in enumerate(other, 1) if docno is not None}
    return tuple(RankedDocument(docno, grade, ranks.get(docno or "")) for docno, grade in own[:TOP])
