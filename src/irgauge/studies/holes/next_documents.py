"""Which documents to judge next, so that the fewest judgments settle which system is ahead.

A pair is settled where no grades of unjudged documents turn it: then the least difference of the one that is likely
ahead is above 0. A document counts by how far its judgment is expected to lift that: by what it could take away, times
the chance that it does not, or by what it could give, times the chance that it does. After Carterette, Allan and
Sitaraman, "Minimal test collections for retrieval evaluation" (SIGIR 2006), who weigh documents by what they could
change of average precision.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from irgauge.compute.arrays import Floats, Indices, Ints
from irgauge.errors import DesignError
from irgauge.inference.hidden_judgments import likely_grades
from irgauge.reading.collection import Collection
from irgauge.reading.rejudging import JudgedPairs
from irgauge.scoring.catalogue.unjudged import Weighed
from irgauge.scoring.hole_effects import HoleEffects, effects_on
from irgauge.scoring.hole_lists import holes_of
from irgauge.scoring.measures import Measure
from irgauge.scoring.retrieved import Retrieved

_BY_GAIN = ("gains", "ideal", "stopping")  # rules by which a document counts by its grade
_EVEN = 0.5  # the chance of a document of which judgments tell nothing
_ROUNDING = 1e-12  # what a document changes by less than this is nothing


@dataclass(frozen=True)
class NextDocument:
    """A document that is worth a judgment."""

    topic: str
    docno: str
    system: str  # of those that are compared, the one that ranks it highest; of all, where none of these lists it
    rank: int  # there
    pairs: int  # that it could change, of those that are not settled
    chance: float  # that it is relevant, as a share of the highest gain where grades count
    use: float  # by how much its judgment is expected to lift the least differences, over all these pairs


@dataclass(frozen=True)
class ToJudge:
    """What is to be judged next, for the pairs with the baseline, or with the best system, by one measure."""

    measure: str
    system: str  # the baseline, or the best system
    pairs: int  # with it
    unsettled: int  # of these
    documents: tuple[NextDocument, ...]  # the most useful first; none where all pairs are settled


@dataclass(frozen=True, eq=False)
class Chances:
    """How relevant unjudged documents are likely to be: 0 to 1, the highest gain."""

    keys: Ints  # ascending: of a topic and a document
    shares: Floats
    otherwise: float  # of those that are not among them
    documents: int  # of the collection

    @classmethod
    def of(cls, collection: Collection, measure: Measure, judge: JudgedPairs | None = None) -> Chances:
        """By the model of judged documents, which may know what a judge says; even where nothing can be learned."""
        documents = collection.document_count
        try:
            likely, _ = likely_grades(Retrieved.of(collection), judge)
        except DesignError:
            return cls(np.empty(0, np.int64), np.empty(0), _EVEN, documents)
        keys, shares = likely.topics * documents + likely.docs, likely.probabilities @ _worth(measure, likely.grades)
        order = np.argsort(keys)
        return cls(keys[order], shares[order], 0.0, documents)

    def on(self, topic: int, docs: Ints) -> Floats:
        """Of documents of a topic."""
        keys = topic * self.documents + docs
        if not len(self.keys):
            return np.full(len(keys), self.otherwise)
        places = np.minimum(np.searchsorted(self.keys, keys), len(self.keys) - 1)
        return np.where(self.keys[places] == keys, self.shares[places], self.otherwise)


def _worth(measure: Measure, grades: Ints) -> Floats:
    """What grades count for, as a share of the most."""
    rule = measure.record.unjudged
    if not isinstance(rule, Weighed) or rule.kind not in _BY_GAIN:
        return np.asarray(measure.kinds(grades) > 0, np.float64)
    gains = np.maximum(measure.gains(grades), 0.0)
    return np.asarray(gains / max(float(gains.max()), _ROUNDING), np.float64)


def next_documents(
    collection: Collection, measure: Measure, pairs: Ints, scores: Floats, chances: Chances, count: int
) -> tuple[NextDocument, ...]:
    """So many documents to judge next for pairs[pair, side] that are not settled, given scores[topic, system]."""
    if not len(pairs):
        return ()
    each = [
        effects_on(collection, measure, topic, holes_of(collection, topic), scores[topic])
        for topic in range(len(collection.topics))
    ]
    likely = [chances.on(topic, effects.holes.docs) for topic, effects in enumerate(each)]
    signs = _likely_ahead(each, likely, pairs, scores)
    uses = [_uses(effects, own, pairs, signs) / len(each) for effects, own in zip(each, likely, strict=True)]
    sizes = [len(own) for own in uses]
    every = np.concatenate(uses) if sizes else np.empty(0)
    best = np.argsort(-every, kind="stable")[:count]
    best = best[every[best] > _ROUNDING]
    ends = np.cumsum(sizes)
    topics = np.searchsorted(ends, best, side="right")
    return tuple(
        _row(collection, each[topic], topic, int(hole - ends[topic] + sizes[topic]), pairs, likely[topic], every[hole])
        for topic, hole in zip(topics.tolist(), best.tolist(), strict=True)
    )


def _likely_ahead(each: Sequence[HoleEffects], likely: Sequence[Floats], pairs: Ints, scores: Floats) -> Floats:
    """1 where the first of a pair is likely ahead, with what unjudged documents are likely to add; else -1."""
    differences = (scores[:, pairs[:, 0]] - scores[:, pairs[:, 1]]).sum(axis=0)
    for effects, own in zip(each, likely, strict=True):
        differences += [effects.of_pair(first, second) @ own for first, second in pairs.tolist()]
    return np.where(differences >= 0, 1.0, -1.0)


def _uses(effects: HoleEffects, likely: Floats, pairs: Ints, signs: Floats) -> Floats:
    """hole: by how much its judgment is expected to lift the least differences.

    Documents that neither list has down to the cut-off may all do the same, and each is one of many to be judged.
    """
    total = np.zeros(effects.holes.count)
    for (first, second), sign in zip(pairs.tolist(), signs.tolist(), strict=True):
        share = np.where(effects.is_listed(first, second), 1.0, 1.0 / max(effects.holes.count, 1))
        change = sign * share * effects.of_pair(first, second)
        total += np.where(change < 0, (likely - 1) * change, likely * change)
    return total


def _row(
    collection: Collection, effects: HoleEffects, topic: int, hole: int, pairs: Ints, likely: Floats, use: float
) -> NextDocument:
    doc = int(effects.holes.docs[hole])
    system, rank = _highest(collection, topic, doc, np.unique(pairs))
    changed = [abs(effects.of_pair(first, second)[hole]) > _ROUNDING for first, second in pairs.tolist()]
    return NextDocument(
        topic=collection.topics[topic],
        docno=str(collection.docnos[doc]),
        system=collection.systems[system],
        rank=rank,
        pairs=int(sum(changed)),
        chance=float(likely[hole]),
        use=float(use),
    )


def _highest(collection: Collection, topic: int, doc: int, systems: Indices) -> tuple[int, int]:
    """Which system ranks a document highest, of some or else of all, and where."""
    for among in (systems, np.arange(len(collection.systems))):
        ranks = {int(system): _rank(collection, topic, doc, int(system)) for system in among}
        if listed := {system: rank for system, rank in ranks.items() if rank}:
            return min(listed.items(), key=lambda item: item[1])
    raise ValueError(f"document {doc} is in no list of topic {topic}")


def _rank(collection: Collection, topic: int, doc: int, system: int) -> int:
    """0 where the system does not list it."""
    start = collection.firsts[topic, system]
    own = collection.docs[start : start + collection.lengths[topic, system]]
    places = np.flatnonzero(own == doc)
    return int(places[0]) + 1 if len(places) else 0
