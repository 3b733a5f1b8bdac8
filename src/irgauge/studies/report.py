"""All questions at once: every study of a report, run one after the other; one that cannot run says why."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, replace
from functools import partial
from math import isqrt
from typing import Any, TypeVar

import numpy as np

from irgauge.errors import DesignError
from irgauge.inference.intervals import anova_interval, tukey_interval
from irgauge.reading.collection import Collection, Progress
from irgauge.replicates.instances import InstanceScores, score_instances
from irgauge.replicates.labels import Label, Labelling
from irgauge.replicates.shards import sharding
from irgauge.scoring.measures import Measure
from irgauge.scoring.scores import Scores, score
from irgauge.studies.effects import Effects, effect_sizes
from irgauge.studies.instances import Instances, compare_instances
from irgauge.studies.interval_series import Series, intervals_by_model
from irgauge.studies.partition_tests import SideBySide, compare_tests
from irgauge.studies.partitions import Partitions, partitions
from irgauge.studies.pools import Pools, pool_pairs
from irgauge.studies.preflight import Preflight
from irgauge.studies.reliability import Reliability, Resample, bootstrap
from irgauge.studies.robustness import Robustness, robustness
from irgauge.studies.sample_size import Plan, plans
from irgauge.studies.significance import Significance, compare_systems
from irgauge.studies.single_instances import SingleTests, single_tests_of
from irgauge.studies.splits import IntervalLengths, interval_lengths
from irgauge.studies.summary import Summary, summarise
from irgauge.studies.topics_needed import TopicsNeeded, separate_top_group
from irgauge.studies.variance import Variance, analyse

RESAMPLED: tuple[Resample, ...] = ("documents", "topics", "both")
PARTS = 2  # of a split of the partition method
SPLITS = 11
LEVELS = (0.05, 0.01)  # at which tests are counted, besides the one asked for
POOLED = 5  # systems whose pairs are compared under shallow pools
POOL_IMAGES = 100
ALGORITHMS = 10  # that are compared over their instances
WIDTH = 0.01  # of an interval, whose size in topics and instances is told
_PRODUCTS = 1 << 26  # of pairs of systems on topics, that a bootstrap holds at most
_TESTED = 1 << 15  # pairs of systems times topics, that tests are set side by side of
_POOLED_TOPICS = 1 << 13  # pairs of systems times topics and measures, compared under shallow pools
_CHANCE = 0.05  # of a split with relevant documents of every topic in every part: if less, topics are dropped
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
class Divided:
    """What the partition method found: over many splits, of one split, and side by side with tests over topics."""

    found: Partitions
    lengths: IntervalLengths
    tests: SideBySide | None  # None of many systems or topics


@dataclass(frozen=True, eq=False)
class OverInstances:
    """Algorithms compared over their instances, single instances, and what intervals of ± WIDTH need."""

    found: Instances
    singles: tuple[SingleTests, ...]
    plans: tuple[Plan, ...]
    algorithms: int  # of which the best are compared


@dataclass(frozen=True, eq=False)
class OfMeasure:
    """What the studies of one measure found; the comparison under each population that there is."""

    measure: str
    significance: tuple[Significance, ...] | Missing
    needed: TopicsNeeded | Missing
    variance: Variance | Missing
    robustness: Robustness | Missing
    series: Series | Missing
    partitions: Divided | Missing
    instances: OverInstances | Missing


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
    pools: tuple[Pools, ...] | Missing  # of the best two systems by the first measure, then of all pairs of a few


@contextmanager
def _silent(_: str) -> Iterator[None]:
    yield None


def report(
    collection: Collection,
    preflight: Preflight,
    measures: Iterable[str | Measure],
    settings: Settings = Settings(),  # noqa: B008  # frozen
    *,
    label: Labelling | None = None,
    workers: int | None = None,
    told: Told = _silent,
) -> Report:
    """Run every study for all measures; `label` says which runs are instances of one algorithm.

    `told` names each study as it starts, and is told how far it is.
    """
    labels = None if label is None else label(collection)
    scores, left_out = _usable(score(collection, measures, workers=workers))
    unsharded = _unsharded(collection, settings)
    studies = _Studies(collection, settings, unsharded, labels, workers, told)
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
        pools=studies.pools(scores.measures, _best_first(scores)),
    )


def _best_first(scores: Scores) -> list[int]:
    """The systems by their means in the first measure."""
    means = np.nanmean(scores.values[0, :, :, 0], axis=0)
    return np.argsort(-means, kind="stable").tolist()


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
    labels: list[Label] | None
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
            partitions=_tried(lambda: self._partitions(measure), self._undivided()),
            instances=_tried(lambda: self._instances(measure), self._uninstanced()),
        )

    def _robustness(self, measure: str) -> Robustness:
        """Random even splits into two, into as many parts as there are shards, and into twice as many."""
        shards = len(sharding(self.collection, str(self.shards)).names)
        counts = [count for count in sorted({2, shards, 2 * shards}) if count <= self.collection.corpus_size]
        return robustness(self.collection, measure, shards=counts, resamples=self.settings.resamples, **self.common)

    def _undivided(self) -> Missing | None:
        """Why documents cannot be split so that topics have relevant ones in every part."""
        count = np.count_nonzero(self.collection.relevant_counts() >= PARTS)
        needed = f"splits into {PARTS} parts need at least 2 topics with {PARTS} relevant documents or more"
        return Missing(f"{needed}, and there {'is' if count == 1 else 'are'} {count}") if count < 2 else None

    def _partitions(self, measure: str) -> Divided:
        """Splits are drawn again until every topic has relevant documents in every part; else topics are dropped."""
        if _whole_split_chance(self.collection) < _CHANCE:
            return self._divided(measure, "drop")
        try:
            return self._divided(measure, "resample")
        except DesignError:
            return self._divided(measure, "drop")

    def _divided(self, measure: str, fill: str) -> Divided:
        collection, alpha, n = self.collection, self.settings.alpha, len(self.collection.systems)
        common: dict[str, Any] = {"fill": fill, "seed": self.settings.seed, "workers": self.workers}
        tests = None
        if n * (n - 1) // 2 * len(collection.topics) <= _TESTED:
            levels = tuple(dict.fromkeys((alpha, *LEVELS)))
            tests = compare_tests(collection, measure, parts=[PARTS], splits=SPLITS, levels=levels, **common)
            found = tests.many
        else:
            found = partitions(collection, measure, parts=PARTS, splits=SPLITS, alpha=alpha, **common)
        return Divided(found, interval_lengths(collection, measure, parts=[PARTS], alpha=alpha, **common), tests)

    def _uninstanced(self) -> Missing | None:
        """Why runs are not compared as instances."""
        if self.labels is None:
            return Missing(
                "each run is taken as a system that always answers alike; if runs are instances of random algorithms, "
                "name the algorithm of each with --manifest FILE or --pattern '{algorithm}.{instance}.run'"
            )
        algorithms = {label.algorithm for label in self.labels}
        if len(algorithms) == len(self.labels):
            return Missing(
                f"each of the {len(self.labels)} algorithms named has one instance, and one says nothing of others; "
                "score several, or check the manifest or the pattern"
            )
        return None

    def _instances(self, measure: str) -> OverInstances:
        labels = self.labels or []
        scores = score_instances(self.collection, measure, lambda _: labels, workers=self.workers)
        kept = _best_algorithms(scores)
        found = self._compared(kept)
        singles = single_tests_of(kept, found.pairs)
        return OverInstances(found, singles, plans(found, WIDTH), len(scores.algorithms))

    def _compared(self, scores: InstanceScores) -> Instances:
        """With a posterior where that can be relied on."""
        try:
            return compare_instances(scores, **self.common)
        except DesignError:
            return compare_instances(scores, posterior=False, **self.common)

    def pools(self, measures: Sequence[Measure], best_first: Sequence[int]) -> tuple[Pools, ...] | Missing:
        """What fewer judgments would do to the best two systems, and to the pairs of the best few."""
        few = min(len(best_first), _systems_pooled(len(self.collection.topics) * len(measures)))
        with self.told("pools") as progress:
            found = [self._pooled(best_first[:count], measures, progress) for count in dict.fromkeys((2, few))]
        return tuple(one for one in found if not isinstance(one, Missing)) or next(
            one for one in found if isinstance(one, Missing)
        )

    def _pooled(
        self, systems: Sequence[int], measures: Sequence[Measure], progress: Progress | None
    ) -> Pools | Missing:
        images = min(self.settings.images, POOL_IMAGES)
        study = partial(pool_pairs, self.collection.only(systems), measures, images=images, progress=progress)
        return _tried(lambda: study(**self.common))

    def effects(self, measures: Sequence[Measure]) -> Effects | Missing:
        """How much each factor matters."""
        with self.told("effect sizes") as progress:
            study = partial(effect_sizes, self.collection, measures, [str(self.shards)], progress=progress)
            return _tried(lambda: study(**self.common), self.unsharded)

    def bootstrap(self, measures: Sequence[Measure], drawn: Resample) -> Reliability | Missing:
        """How precise each measure is, for other documents or for other topics."""
        single = drawn != "documents" and len(self.collection.topics) < 2
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


def _whole_split_chance(collection: Collection) -> float:
    """The chance that a random split into two parts gives each relevant documents of every topic."""
    return float(np.prod(1 - 2.0 ** (1 - collection.relevant_counts())))


def _best_algorithms(scores: InstanceScores) -> InstanceScores:
    """The algorithms that are best in the mean over instances and topics, if there are many."""
    if len(scores.algorithms) <= ALGORITHMS:
        return scores
    means = np.bincount(scores.algorithm, scores.scores) / np.bincount(scores.algorithm)
    return scores.only([scores.algorithms[a] for a in np.argsort(-means, kind="stable")[:ALGORITHMS]])


def _systems_pooled(size: int) -> int:
    """Of how many systems all pairs are compared under pools, on so many topics by so many measures."""
    return next((n for n in range(POOLED, 2, -1) if n * (n - 1) // 2 * size <= _POOLED_TOPICS), 2)


def _needed(compared: Sequence[Significance]) -> TopicsNeeded:
    return separate_top_group(next(one.comparison for one in compared if one.comparison.population == "topics"))


def _held(collection: Collection, measures: int) -> int | None:
    """How many systems a bootstrap can hold; None for all."""
    most = max(2, isqrt(_PRODUCTS // (measures * len(collection.topics))))
    return most if most < len(collection.systems) else None
