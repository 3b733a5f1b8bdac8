"""Bench: runs that are scored once for several studies, on the whole corpus and on shards; nothing is scored twice."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cache, partial
from typing import Any, ClassVar, NoReturn

import numpy as np

from irgauge.errors import DesignError
from irgauge.provenance import Provenance
from irgauge.reading.collection import Collection
from irgauge.reading.topic_table import TopicTable
from irgauge.replicates.data import best_systems, kept_count, of_measures
from irgauge.replicates.exchange import Exchange
from irgauge.replicates.measured import REDRAW, Measured, Measuring, finished
from irgauge.replicates.shards import Sharding, sharding, topics_lacking
from irgauge.scoring.drawn import Shards, whole
from irgauge.scoring.measures import Measure, parse_measures
from irgauge.scoring.scorer import Scorer, described, nameless, of_description
from irgauge.scoring.scores import Scores

ATTEMPTS = 1000  # draws before `redraw` gives up
_MOST_BYTES = 1 << 29  # of scores that a bench keeps
Key = tuple[str, int, tuple[int, ...]]  # the SPEC, the seed and the key of a split


class Bench:
    """A collection on the bench: each measure is scored once on the whole corpus and once on each split.

    `measures` are those that will be asked for; they are scored together. What is kept is raw: undefined cells are
    NaN, and all systems are there.
    """

    has_runs: ClassVar[bool] = True
    measures: ClassVar[tuple[Measure, ...] | None] = None
    replicate_count: ClassVar[int] = 1

    def __init__(
        self, collection: Collection, measures: Iterable[str | Measure] = (), *, workers: int | None = None
    ) -> None:
        self.collection = collection
        self.systems, self.topics, self.missing = collection.systems, collection.topics, collection.missing
        self.notes, self.files = collection.notes, collection.origins
        self.paths, self.read_from = self.files, collection.read_from
        self.workers = workers
        self._measures = parse_measures(measures)
        self._kept: dict[Key | None, Scores] = {}
        self._scorers: dict[tuple[Measure, ...], Scorer] = {}
        self._about = TopicTable()
        self._exchange: Exchange | None = None

    def __getstate__(self) -> dict[str, object]:
        """What work elsewhere needs: neither the names of documents nor the scores and scorers that are kept here."""
        return vars(self) | {"collection": nameless(self.collection), "_kept": {}, "_scorers": {}}

    def stored(self) -> dict[str, Any]:
        """What is to be said of the collection, without its lists and judgments."""
        return {"collection": described(self.collection)}

    @classmethod
    def restored(cls, collection: Mapping[str, Any]) -> Bench:
        """A bench of which the same is to be said, and on which nothing can be scored."""
        return cls(of_description(collection))

    def with_workers(self, workers: int | None) -> Bench:
        """The same bench, holding the same scores, for work that has so many threads for each split."""
        same = Bench(self.collection, self._measures, workers=workers)
        same._kept, same._scorers, same._about = self._kept, self._scorers, self._about
        return same

    def with_topics(self, table: TopicTable) -> Bench:
        """The same, with what is known of topics."""
        same = self.with_workers(self.workers)
        same._about = self._about.beside(table.refuse_others(self.topics))
        return same

    def exchanged(self, exchange: Exchange) -> Bench:
        """A copy in which the lists of systems have changed places; they are scored once, for all copies."""
        copy = self.with_workers(self.workers)
        copy._exchange = exchange
        return copy

    @property
    def is_exchanged(self) -> bool:
        """Whether lists have changed places, so that scores are not those of the collection."""
        return self._exchange is not None

    def whole(self, measures: Sequence[Measure]) -> Scores:
        """Raw scores on the whole corpus."""
        return self._scores(measures, None, partial(whole, self.collection.document_count))

    def sharding(self, spec: str) -> Sharding:
        """The way to split that a SPEC names."""
        return sharding(self.collection, spec)

    def split(self, measuring: Measuring, scheme: Sharding) -> tuple[Scores, int]:
        """Raw scores in the shards of one split, and how often it was drawn.

        With the fill `redraw` it is the first split in which every topic has a relevant document in every shard.
        """
        is_redrawn = measuring.fill == REDRAW
        most = ATTEMPTS if is_redrawn and scheme.is_random else 1
        for attempt in range(most):
            key = (measuring.number,) if attempt == 0 else (measuring.number, attempt)
            shards = cache(partial(scheme.split, measuring.seed, *key))  # not drawn again where scores are kept
            if not is_redrawn or not (lacking := topics_lacking(self.collection, shards(), measuring.measures)):
                return self._scores(measuring.measures, (scheme.spec, measuring.seed, key), shards), attempt + 1
        raise DesignError(
            f"no split of '{scheme.spec}' gave every topic a relevant document in every shard in {most} draws; in the "
            f"last one {len(lacking)} topics lack some ({', '.join(lacking[:5])}): use fewer shards, or the fill 'drop'"
        )

    def measured(self, measuring: Measuring) -> Measured:
        """What is asked for, ready for a model."""
        kept = self._best(measuring)
        missing = self.missing.only([self.systems[s] for s in kept])
        of_data: dict[str, Any] = {"missing": missing, "source": self.source}
        if measuring.shards is None:
            return replace(finished(self.whole(measuring.measures), measuring, kept), **of_data)
        scheme = self.sharding(measuring.shards)
        scores, attempts = self.split(measuring, scheme)
        result = finished(scores, measuring, kept)
        return replace(result, attempts=attempts, is_random=scheme.is_random, **of_data)

    def runs(self) -> Bench:
        """The runs on the bench."""
        return self

    def table(self, why: str) -> NoReturn:
        """Refused: scores are made of runs."""
        raise DesignError(f"these are runs, and {why}; give a table of scores")

    @property
    def origins(self) -> dict[str, str]:
        """System -> where its run comes from."""
        return dict(zip(self.systems, self.collection.origins, strict=True))

    @property
    def judgments(self) -> float:
        """Of a topic, in the mean."""
        return float(self.collection.judged_bounds[-1]) / len(self.topics)

    @property
    def source(self) -> Provenance:
        """What is to be said of the collection wherever its scores are used."""
        return self.collection.source

    @property
    def whole_source(self) -> Provenance:
        """The same of scores on the whole corpus, which do not depend on its size."""
        return self.source.without("corpus_size", "documents")

    def _best(self, measuring: Measuring) -> list[int]:
        """The systems kept: the best on the whole corpus by the measure that says so, or by the first."""
        count = kept_count(measuring.keep_systems, len(self.collection.systems))
        if count == len(self.collection.systems):
            return list(range(count))
        by = measuring.measures[:1] if measuring.keep_by is None else (measuring.keep_by,)
        return best_systems(self.whole(by), count)

    def _scores(self, measures: Sequence[Measure], key: Key | None, shards: Callable[[], Shards]) -> Scores:
        held = self._kept.get(key)
        if held is None or not set(measures) <= set(held.measures):
            already = () if held is None else held.measures
            wanted = tuple(name for name in dict.fromkeys((*self._measures, *measures)) if name not in already)
            held = _joined(held, self._scored(wanted, key, shards()))
            others = list(self._kept.values())  # a copy, since other threads may add to it
            if sum(other.values.nbytes for other in others) + held.values.nbytes <= _MOST_BYTES:
                self._kept[key] = held
        scores = replace(of_measures(held, measures), about=self._about)
        return scores if self._exchange is None else self._exchange.of(scores)

    def _scored(self, measures: tuple[Measure, ...], key: Key | None, shards: Shards) -> Scores:
        if key is not None and self.collection.documents == "judged":
            raise DesignError("replicates need all documents; load the collection with documents='all'")
        if measures not in self._scorers:
            self._scorers[measures] = Scorer(self.collection, measures)  # kept, as it knows how far lists matter
        values = self._scorers[measures].score(shards, workers=self.workers)
        return Scores(values, measures, self.collection.topics, self.collection.systems, shards.names)


def _joined(held: Scores | None, more: Scores) -> Scores:
    if held is None:
        return more
    return replace(held, values=np.concatenate([held.values, more.values]), measures=(*held.measures, *more.measures))
