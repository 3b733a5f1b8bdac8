"""Measured: scores ready for a model, and how they came about. Everything that is modelled passes here."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final

import numpy as np
from numpy.typing import NDArray

from irgauge.brief import Brief, some
from irgauge.errors import DesignError
from irgauge.provenance import Fact, Provenance
from irgauge.reading.facts import missing
from irgauge.reading.missing import MissingTopics
from irgauge.reading.topic_table import TopicTable
from irgauge.replicates import facts
from irgauge.replicates.data import OfScores, known_measures, of_measures
from irgauge.replicates.exchange import Exchange
from irgauge.replicates.undefined import SparseScores, check_defined
from irgauge.scoring.direction import LOWER, Direction
from irgauge.scoring.measures import Measure
from irgauge.scoring.scores import Fill, Scores, known_fill
from irgauge.scoring.transforms import transformed

if TYPE_CHECKING:
    import polars as pl

REDRAW: Final = "redraw"
DROP: Final = "drop"  # what can be done with undefined cells instead of filling them


@dataclass(frozen=True)
class Measuring:
    """What is to be measured: which measures, on which shards, with which fill and systems."""

    measures: tuple[Measure, ...]
    shards: str | None = None  # a SPEC; None: the whole corpus
    fill: Fill | str = "zero"
    keep_systems: str = "all"
    seed: int = 0
    number: int = 0  # of the split, among those of the seed
    sparse: bool = False  # whether to go on where most scores in shards are undefined
    keep_by: Measure | None = None  # which says which systems are the best; None: the first
    transform: str | None = None  # to another scale, once undefined scores are filled; None: scores as they are


@dataclass(frozen=True, repr=False)
class Measured(Brief, OfScores):
    """Scores without gaps, and how they came about."""

    scores: Scores
    measuring: Measuring
    undefined: int  # cells of the systems kept that had no score
    attempts: int = 1  # draws until the split was accepted
    dropped: tuple[str, ...] = ()  # topics left out, since they had undefined cells
    missing: MissingTopics = field(default_factory=MissingTopics)  # judged topics that its systems do not answer
    source: Provenance = field(default_factory=Provenance)  # how the collection was read
    undefined_of: Mapping[Measure, Mapping[str, int]] = field(default_factory=dict)  # undefined cells of each topic
    is_random: bool = False  # whether its shards were drawn; else they differ in kind, or nothing is known of them

    def _facts(self) -> dict[str, str]:
        asked, scores = self.measuring, self.scores
        split = "the whole corpus" if self.shards == 1 else f"{some(scores.replicates)}"
        drawn = "" if asked.shards is None else f" of {asked.shards}, seed {asked.seed}"
        return {
            "measures": some(scores.measures),
            "topics": some(scores.topics),
            "systems": some(scores.systems),
            "shards": f"{split}{drawn}",
            "undefined": f"{self.undefined:,} of {scores.values.size:,} scores; fill: {asked.fill}",
        }

    def __getitem__(self, measure: str | Measure) -> Measured:
        """The same of one measure alone."""
        return self.only(*self.scores[measure].measures)

    def __iter__(self) -> Iterator[Measured]:
        """The same of each measure."""
        return (self.only(measure) for measure in self.scores.measures)

    def __len__(self) -> int:
        """How many measures there are."""
        return len(self.scores.measures)

    def frame(self) -> pl.DataFrame:
        """The long table `measure, topic, system, replicate, score`."""
        return self.scores.frame()

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the long table as .csv, .tsv or .parquet."""
        self.scores.save(path)

    def transformed(self, name: str) -> Measured:
        """The same on another scale."""
        scores = transformed(self.scores, name)
        pairs = zip(self.scores.measures, scores.measures, strict=True)
        undefined_of = {after: self.undefined_of[before] for before, after in pairs if before in self.undefined_of}
        measuring = replace(self.measuring, transform=name)
        return replace(self, scores=scores, measuring=measuring, undefined_of=undefined_of)

    def values(self, measure: int = 0) -> NDArray[np.float64]:
        """values[topic, system, shard] of one measure."""
        return self.scores.values[measure]

    def by_topic(self) -> NDArray[np.float64]:
        """values[topic, system] of the first measure, over shards where there are some."""
        return np.asarray(self.values().mean(axis=2))

    @property
    def direction(self) -> Direction:
        """Which scores of the first measure are better; refused where neither are, or where missing ones are best."""
        direction = self.scores.measures[0].claimed_direction
        if direction == LOWER and self.missing.rule == "zero":
            self.scores.refuse_zeros(self.missing)
        return direction

    @property
    def shards(self) -> int:
        """How many shards there are; 1 for the whole corpus."""
        return len(self.scores.replicates)

    @property
    def undefined_share(self) -> dict[str, float]:
        """Measure -> the share of its scores in shards that are undefined; empty on the whole corpus.

        Where topics that have undefined scores are dropped, it is their share of the topics.
        """
        if self.shards == 1:
            return {}
        topics = len(self.scores.topics) + len(self.dropped)
        if self.measuring.fill == DROP:
            return {str(measure): len(self.dropped) / topics for measure in self.scores.measures}
        cells = topics * len(self.scores.systems) * self.shards
        return {
            str(measure): sum(self.undefined_of.get(measure, {}).values()) / cells for measure in self.scores.measures
        }

    @property
    def complete_topics(self) -> int:
        """How many topics have every score, by all measures."""
        lacking = {topic for measure in self.scores.measures for topic in self.undefined_of.get(measure, ())}
        return len(self.scores.topics) + len(self.dropped) - len(lacking)

    def whole(self, measures: Sequence[Measure]) -> Scores:
        """The scores of some measures."""
        return of_measures(self.scores, known_measures(measures, self.scores))

    @property
    def whole_source(self) -> Provenance:
        """All that is known, but what the scores themselves say."""
        return self.provenance.without("measures", "systems", "topics", "missing")

    def measured(self, measuring: Measuring) -> Measured:
        """The same of some measures, as all else is settled."""
        asked = replace(measuring, measures=(), sparse=self.measuring.sparse)
        usual = Measuring((), seed=asked.seed, sparse=asked.sparse)  # a seed alone is of other draws than of documents
        if asked not in (usual, replace(self.measuring, measures=())):
            raise DesignError(
                "these scores are measured already: give shards, fill, transform, systems and seed to `measure`"
            )
        return self.only(*known_measures(measuring.measures, self.scores))

    def with_topics(self, table: TopicTable) -> Measured:
        """The same, with what is known of topics."""
        return replace(self, scores=self.scores.with_topics(table))

    def exchanged(self, exchange: Exchange) -> Measured:
        """A copy in which systems have changed places."""
        return replace(self, scores=exchange.of(self.scores))

    def table(self, why: str) -> Scores:
        """The scores, where they are on the whole corpus; those on shards are refused, with the reason."""
        if self.measuring.shards is not None:
            raise DesignError(f"these scores were measured on shards already, and {why}; give the runs")
        return replace(self.scores, missing=self.missing)

    def only(self, *measures: Measure) -> Measured:
        """The same of some measures."""
        return _recounted(replace(self, scores=of_measures(self.scores, measures)))

    def common(self) -> Measured | None:
        """The same on the topics that all its systems answer; None where these are all topics, or none.

        Undefined cells stay as they were filled, and the systems kept are the same.
        """
        lacking = set(self.missing.topics) if self.missing.rule == "zero" else set()
        kept = [t for t, topic in enumerate(self.scores.topics) if topic not in lacking]
        if len(kept) in (0, len(self.scores.topics)):
            return None
        topics = tuple(self.scores.topics[t] for t in kept)
        scores = replace(self.scores, values=self.scores.values[:, kept], topics=topics)
        left = {measure: {t: n for t, n in of.items() if t not in lacking} for measure, of in self.undefined_of.items()}
        return _recounted(replace(self, scores=scores, undefined_of=left, missing=self.missing.under("drop")))

    @property
    def provenance(self) -> Provenance:
        """What was measured, on which shards, with which fill, systems and seed."""
        asked = self.measuring
        keep_by = None if asked.keep_by is None else str(asked.keep_by)
        return Provenance.of(
            facts.scores_by(tuple(map(str, self.scores.measures))),
            facts.transform(asked.transform),
            facts.systems(len(self.scores.systems), kept=asked.keep_systems, by=keep_by),
            Fact("keep_systems", asked.keep_systems),
            Fact("keep_by", keep_by),
            facts.topics(len(self.scores.topics)),
            facts.dropped(self.dropped or None),
            missing(self.missing),
            facts.shards(asked.shards, split=asked.number),
            facts.shard_count(self.shards if self.shards > 1 else None),
            facts.seed(asked.seed if asked.shards is not None else None),
            Fact("split", asked.number if asked.shards is not None else None),
            facts.fill(str(asked.fill), undefined=self.undefined, shares=self.undefined_share),
            Fact("undefined", self.undefined),
            self.sparse.fact,
            Fact("complete_topics", self.complete_topics if self.undefined_share else None),
            self.source,
        )

    @property
    def sparse(self) -> SparseScores:
        """How many of its scores are undefined."""
        return SparseScores(
            shares=self.undefined_share,
            among="replicates" if self.measuring.shards is None else "shards",
            done=str(self.measuring.fill),
            shards=self.shards if self.shards > 1 else None,
            complete=self.complete_topics if self.undefined_share else 0,
        )


def _recounted(measured: Measured) -> Measured:
    """With the undefined cells of its own measures and topics counted."""
    if not measured.undefined_of:
        return measured
    return replace(
        measured, undefined=sum(sum(measured.undefined_of[measure].values()) for measure in measured.scores.measures)
    )


def finished(scores: Scores, measuring: Measuring, kept: Sequence[int]) -> Measured:
    """Raw scores with undefined cells filled or dropped, of the systems kept.

    Fill values are taken over all systems, before any is left out; so is what scores are set against by a transform.
    """
    filled = _resolved(scores, _fill(measuring))
    if measuring.transform is not None:
        filled = transformed(filled, measuring.transform)
    values = np.ascontiguousarray(filled.values[:, :, kept])
    systems = tuple(scores.systems[s] for s in kept)
    undefined = np.isnan(scores.values[:, :, kept]).sum(axis=(2, 3))  # measure, topic
    left = set(filled.topics)
    measured = Measured(
        scores=replace(filled, values=values, systems=systems),
        measuring=measuring,
        undefined=int(undefined.sum()),
        undefined_of={
            measure: {scores.topics[t]: int(counts[t]) for t in np.flatnonzero(counts)}
            for measure, counts in zip(filled.measures, undefined, strict=True)
        },
        dropped=tuple(topic for topic in scores.topics if topic not in left),
    )
    if not (measuring.sparse or measuring.fill == DROP):
        check_defined(measured.undefined_share, _why(measured), list(_instead(measured)))
    return measured


def _why(measured: Measured) -> str:
    spec = measured.measuring.shards
    return "cells of the table are empty" if spec is None else f"no relevant document in a shard of '{spec}'"


def _instead(measured: Measured) -> Iterator[str]:
    """What else can be done with so many undefined scores."""
    if measured.measuring.shards is not None:
        yield "take the whole corpus"
    if measured.shards > 2:
        yield "use fewer shards"
    if measured.complete_topics > 1:
        complete = f"{measured.complete_topics:,} of {len(measured.scores.topics):,} topics"
        yield f"take the {complete} that have every score (fill: drop)"


def _fill(measuring: Measuring) -> Fill | str:
    """The fill; one that is unknown is refused, with the names that are possible here."""
    fill = measuring.fill
    if not isinstance(fill, str) or fill == REDRAW:
        return fill
    return known_fill(fill, *((DROP,) if measuring.shards is None else (DROP, REDRAW)))


def _resolved(scores: Scores, fill: Fill | str) -> Scores:
    if fill == DROP:
        left = scores.dropped()
        if len(left.topics) < 2:
            message = f"the fill 'drop' leaves {len(left.topics)} of {len(scores.topics)} topics"
            raise DesignError(f"{message}; use fewer shards, or fill undefined scores")
        return left
    return scores.filled("zero" if fill == REDRAW else fill)  # type: ignore[arg-type]  # filled checks it
