"""Scores ready for a model: shards drawn, undefined cells given a value or avoided, systems kept."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from irgauge.errors import DesignError
from irgauge.reading.collection import Collection
from irgauge.replicates.shards import Sharding
from irgauge.scoring.drawn import Shards
from irgauge.scoring.kernels import RELEVANT
from irgauge.scoring.measures import Measure, parse_measures
from irgauge.scoring.scores import Fill, Scores, score

ATTEMPTS = 1000  # draws before `resample` gives up


@dataclass(frozen=True)
class Measured:
    """Scores without gaps, and how they came about."""

    scores: Scores
    shards: str  # the SPEC, or "whole corpus"
    undefined: str  # what was done with undefined cells
    undefined_cells: int
    seed: int
    number: int  # of the split, among those of the seed
    attempts: int  # draws until the split was accepted
    kept: str  # which systems were kept

    def values(self, measure: int = 0) -> NDArray[np.float64]:
        """values[topic, system, shard] of one measure."""
        return self.scores.values[measure]


def measure_whole(
    collection: Collection,
    measures: Iterable[str | Measure],
    *,
    fill: Fill | str = "zero",
    keep: str = "all",
    workers: int | None = None,
) -> Measured:
    """Scores on the whole corpus, the classic measurement."""
    scores = score(collection, measures, workers=workers)
    return _finish(collection, scores, "whole corpus", fill, keep, seed=0, number=0, attempts=1, workers=workers)


def measure_shards(
    collection: Collection,
    measures: Iterable[str | Measure],
    sharding: Sharding,
    *,
    fill: Fill | str = "zero",
    keep: str = "all",
    seed: int = 0,
    number: int = 0,
    workers: int | None = None,
) -> Measured:
    """Scores in the shards of one split; split `number` depends on the seed and its number alone."""
    parsed = parse_measures(measures)
    shards, attempts = _split(collection, sharding, parsed, seed, number, resample=fill == "resample")
    scores = score(collection, parsed, shards, workers=workers)
    return _finish(collection, scores, sharding.spec, fill, keep, seed, number, attempts, workers)


def _split(
    collection: Collection,
    sharding: Sharding,
    measures: Sequence[Measure],
    seed: int,
    number: int,
    *,
    resample: bool,
) -> tuple[Shards, int]:
    """One split; with `resample` the first in which every topic has a relevant document in every shard."""
    most = ATTEMPTS if resample and sharding.is_random else 1
    for attempt in range(most):
        key = (number,) if attempt == 0 else (number, attempt)
        shards = sharding.split(seed, *key)
        if not resample or not (lacking := _topics_lacking(collection, shards, measures)):
            return shards, attempt + 1
    some = ", ".join(lacking[:5])
    raise DesignError(
        f"no split of '{sharding.spec}' gave every topic a relevant document in every shard in {most} draws; in the "
        f"last one {len(lacking)} topics lack some ({some}): use fewer shards, or --fill drop"
    )


def _topics_lacking(collection: Collection, shards: Shards, measures: Sequence[Measure]) -> list[str]:
    """Topics without a document in some shard that all measures take as relevant."""
    is_relevant = np.all([measure.kinds(collection.grades) == RELEVANT for measure in measures], axis=0)
    relevant = is_relevant[collection.judged_levels]
    topic_of = np.repeat(np.arange(len(collection.topics)), np.diff(collection.judged_bounds))
    counts = np.zeros((len(collection.topics), len(shards.names)), np.int64)
    np.add.at(counts, (topic_of[relevant], shards.labels[collection.judged_docs[relevant]]), 1)
    return [collection.topics[t] for t in np.flatnonzero((counts == 0).any(axis=1))]


def _finish(
    collection: Collection,
    scores: Scores,
    spec: str,
    fill: Fill | str,
    keep: str,
    seed: int,
    number: int,
    attempts: int,
    workers: int | None,
) -> Measured:
    filled = _resolved(scores, fill)
    kept = _kept_systems(collection, scores.measures[0], keep, workers)
    undefined = int(np.isnan(scores.values[:, :, kept]).sum())
    values = np.ascontiguousarray(filled.values[:, :, kept])
    systems = tuple(scores.systems[s] for s in kept)
    final = replace(filled, values=values, systems=systems)
    return Measured(final, spec, str(fill), undefined, seed, number, attempts, keep)


def _resolved(scores: Scores, fill: Fill | str) -> Scores:
    """Fill values are taken over all systems, before any is left out."""
    if fill == "drop":
        left = scores.dropped()
        if len(left.topics) < 2:
            message = f"--fill drop leaves {len(left.topics)} of {len(scores.topics)} topics; use fewer shards, or fill"
            raise DesignError(message)
        return left
    return scores.filled("zero" if fill == "resample" else fill)  # type: ignore[arg-type]  # filled checks it


def _kept_systems(collection: Collection, measure: Measure, keep: str, workers: int | None) -> list[int]:
    """The best systems by the first measure on the whole corpus: `all`, a number, or `top75%`."""
    count = kept_count(keep, len(collection.systems))
    if count == len(collection.systems):
        return list(range(count))
    means = score(collection, [measure], workers=workers).filled().values[0, :, :, 0].mean(axis=0)
    return sorted(np.argsort(-means, kind="stable")[:count].tolist())


def kept_count(keep: str, systems: int) -> int:
    """How many systems `all`, `N` or `topP%` keeps.

    >>> kept_count("top75%", 129), kept_count("10", 129), kept_count("all", 129)
    (96, 10, 129)
    """
    if keep == "all":
        return systems
    share = re.fullmatch(r"top([0-9]{1,3}(?:\.[0-9]{1,9})?)%", keep)
    percent = Fraction(share[1]) if share else Fraction(0)
    count = int(systems * percent / 100) if share else int(keep) if re.fullmatch("[0-9]{1,9}", keep) else 0
    if percent > 100 or not 1 <= count <= systems:
        raise DesignError(f"keep systems '{keep}' is not possible; write all, top75%, or a number up to {systems}")
    return count


def one_measure(given: Iterable[str | Measure]) -> Measure:
    """The only measure of a study that takes one."""
    measures = parse_measures(given)
    if len(measures) != 1:
        raise DesignError(f"this question is asked of one measure at a time, not of {len(measures)}")
    return measures[0]
