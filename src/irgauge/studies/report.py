"""All questions at once: every study of a report, run one after the other; one that cannot run says why."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, replace
from functools import partial
from math import isqrt
from typing import Any, TypeVar

import numpy as np

from irgauge.collection import Collection, Progress
from irgauge.errors import DesignError
from irgauge.inference.intervals import anova_interval, tukey_interval
from irgauge.measures import Measure
from irgauge.replicates import sharding
from irgauge.scores import Scores, score
from irgauge.studies.effects import Effects, effect_sizes
from irgauge.studies.interval_series import Series, intervals_by_model
from irgauge.studies.preflight import Preflight
from irgauge.studies.reliability import Reliability, Resample, bootstrap
from irgauge.studies.robustness import Robustness, robustness
from irgauge.studies.significance import Significance, compare_systems
from irgauge.studies.summary import Summary, summarise
from irgauge.studies.topics_needed import TopicsNeeded, separate_top_group
from irgauge.studies.variance import Variance, analyse

RESAMPLED: tuple[Resample, ...] = ("documents", "topics", "both")
_PRODUCTS = 1 << 26  # of pairs of systems on topics, that a bootstrap holds at most
Told = Callable[[str], AbstractContextManager[Progress | None]]  # a study's name -> what is told how far it is
T = TypeVar("T")


@dataclass(frozen=True)
class Missing:
    """A study that could not run on these data, and why."""

    reason: str


@dataclass(frozen=True)
class Settings:
    """What was asked for."""

    shards: str | None = "even:5"  # None: the whole corpus only
    resamples: int = 10
    images: int = 200
    alpha: float = 0.05
    seed: int = 0


@dataclass(frozen=True, eq=False)
class OfMeasure:
    """What the studies of one measure found; the comparison under each population that there is."""

    measure: str
    significance: tuple[Significance, ...] | Missing
    needed: TopicsNeeded | Missing
    variance: Variance | Missing
    robustness: Robustness | Missing
    series: Series | Missing


@dataclass(frozen=True, eq=False)
class Report:
    """The results of all studies."""

    settings: Settings
    precision: str
    corpus_size: int
    documents: int
    topics: tuple[str, ...]
    systems: tuple[str, ...]
    preflight: Preflight
    left_out: dict[str, str]  # measure -> why it is not in the report
    unsharded: Missing | None  # why there are no shards; comparisons are then of the whole corpus
    summary: Summary
    measures: tuple[OfMeasure, ...]
    effects: Effects | Missing
    reliability: dict[str, Reliability | Missing]  # what is drawn -> the bootstrap


@contextmanager
def _silent(_: str) -> Iterator[None]:
    yield None


def report(
    collection: Collection,
    preflight: Preflight,
    measures: Iterable[str | Measure],
    settings: Settings = Settings(),  # noqa: B008  # frozen
    *,
    workers: int | None = None,
    told: Told = _silent,
) -> Report:
    """Run every study for all measures; `told` names each study as it starts, and is told how far it is."""
    scores, left_out = _usable(score(collection, measures, workers=workers))
    unsharded = _unsharded(collection, settings)
    studies = _Studies(collection, settings, unsharded, workers, told)
    return Report(
        settings=settings,
        precision=collection.precision,
        corpus_size=collection.corpus_size,
        documents=collection.document_count,
        topics=collection.topics,
        systems=collection.systems,
        preflight=preflight,
        left_out=left_out,
        unsharded=unsharded,
        summary=summarise(scores, alpha=settings.alpha),
        measures=studies.each(scores.measures),
        effects=studies.effects(scores.measures),
        reliability={drawn: studies.bootstrap(scores.measures, drawn) for drawn in RESAMPLED},
    )


def _usable(scores: Scores) -> tuple[Scores, dict[str, str]]:
    """The scores of measures that are defined on some topic, and why the others are left out."""
    undefined = np.isnan(scores.values).all(axis=(1, 2, 3))
    reason = "it is defined on no topic: none has a document that it takes as relevant"
    left_out = {str(scores.measures[m]): reason for m in np.flatnonzero(undefined)}
    if undefined.all():
        raise DesignError(f"{', '.join(left_out)} cannot be reported: {reason}")
    kept = tuple(scores.measures[m] for m in np.flatnonzero(~undefined))
    return replace(scores, values=scores.values[~undefined], measures=kept), left_out


def _unsharded(collection: Collection, settings: Settings) -> Missing | None:
    """Why there can be no shards."""
    spec = settings.shards
    if spec is None:
        return Missing("no shards were asked for; name a way to split, such as --shards even:5")
    split = _tried(lambda: sharding(collection, spec))
    if isinstance(split, Missing):
        return split
    one = f"shards '{spec}' are one shard, the whole corpus; ask for two or more"
    return Missing(one) if len(split.names) < 2 else None


def _tried(study: Callable[[], T], unless: Missing | None = None) -> T | Missing:
    """The result of a study, or why it could not run."""
    if unless is not None:
        return unless
    try:
        return study()
    except DesignError as error:
        return Missing(str(error))


@dataclass(frozen=True, eq=False)
class _Studies:
    """The studies of one collection, all with the same settings."""

    collection: Collection
    settings: Settings
    unsharded: Missing | None
    workers: int | None
    told: Told

    @property
    def shards(self) -> str | None:
        """How to split; None where that is not possible, and comparisons are of the whole corpus."""
        return None if self.unsharded else self.settings.shards

    @property
    def common(self) -> dict[str, Any]:
        return {"alpha": self.settings.alpha, "seed": self.settings.seed, "workers": self.workers}

    def each(self, measures: Sequence[Measure]) -> tuple[OfMeasure, ...]:
        """The studies that are of one measure at a time."""
        found = []
        with self.told("comparisons") as progress:
            for done, measure in enumerate(measures, 1):
                found.append(self._of_measure(str(measure)))
                if progress is not None:
                    progress(done, len(measures))
        return tuple(found)

    def _of_measure(self, measure: str) -> OfMeasure:
        collection, shards, common = self.collection, self.shards, self.common
        variance = _tried(lambda: analyse(collection, measure, shards=shards, **common))
        first = _tried(lambda: compare_systems(collection, measure, shards=shards, **common))
        compared = first if isinstance(first, Missing) else _by_population(first, variance)
        return OfMeasure(
            measure=measure,
            significance=compared,
            needed=compared if isinstance(compared, Missing) else _tried(lambda: _needed(compared)),
            variance=variance,
            robustness=_tried(lambda: self._robustness(measure), self.unsharded),
            series=_tried(lambda: intervals_by_model(collection, measure, str(shards), **common), self.unsharded),
        )

    def _robustness(self, measure: str) -> Robustness:
        """Random even splits into two, into as many parts as there are shards, and into twice as many."""
        shards = len(sharding(self.collection, str(self.shards)).names)
        counts = [count for count in sorted({2, shards, 2 * shards}) if count <= self.collection.corpus_size]
        return robustness(self.collection, measure, shards=counts, resamples=self.settings.resamples, **self.common)

    def effects(self, measures: Sequence[Measure]) -> Effects | Missing:
        """How much each factor matters."""
        with self.told("effect sizes") as progress:
            study = partial(effect_sizes, self.collection, measures, [str(self.shards)], progress=progress)
            return _tried(lambda: study(**self.common), self.unsharded)

    def bootstrap(self, measures: Sequence[Measure], drawn: Resample) -> Reliability | Missing:
        """How precise each measure is, for other documents or for other topics."""
        single = drawn == "topics" and len(self.collection.topics) < 2
        one_topic = Missing("one topic says nothing of other topics; drawing topics needs at least 2")
        with self.told(f"bootstrap of {drawn}") as progress:
            study = partial(bootstrap, self.collection, measures, images=self.settings.images, resample=drawn)
            top = _held(self.collection, len(measures))
            return _tried(lambda: study(top=top, progress=progress, **self.common), one_topic if single else None)


def _by_population(found: Significance, variance: Variance | Missing) -> tuple[Significance, ...]:
    """The comparison with each population in turn as the one asked for, and the intervals that belong to it."""
    if isinstance(variance, Missing):
        return (found,)
    _, sem, _ = found.intervals
    results = []
    for one in found.comparisons:
        others = tuple(other for other in found.comparisons if other is not one)
        tukey = tukey_interval(variance.fit, population=one.population, alpha=found.alpha)
        anova = anova_interval(variance.fit, population=one.population, alpha=found.alpha)
        results.append(replace(found, comparisons=(one, *others), intervals=(tukey, sem, anova)))
    return tuple(results)


def _needed(compared: Sequence[Significance]) -> TopicsNeeded:
    return separate_top_group(next(one.comparison for one in compared if one.comparison.population == "topics"))


def _held(collection: Collection, measures: int) -> int | None:
    """How many systems a bootstrap can hold; None for all."""
    most = max(2, isqrt(_PRODUCTS // (measures * len(collection.topics))))
    return most if most < len(collection.systems) else None
