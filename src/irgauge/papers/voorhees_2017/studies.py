"""The studies behind the tables and figures of Voorhees, Samarov and Soboroff (TOIS 2017), each made once."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import partial
from typing import Any, TypeVar

import numpy as np

from irgauge.compute.arrays import Floats
from irgauge.compute.tasks import in_threads
from irgauge.inference.comparison import Comparison
from irgauge.inference.corrections import BH
from irgauge.inference.tests.flips import randomization
from irgauge.inference.tests.paired_t import paired_t
from irgauge.inference.tests.unpaired_t import unpaired_t
from irgauge.papers.entry import Dataset
from irgauge.replicates.bench import Bench
from irgauge.replicates.measured import DROP, Measuring
from irgauge.scoring.measures import parse_measures
from irgauge.scoring.scores import Scores
from irgauge.studies.partition.inferring import Inference
from irgauge.studies.partition.lengths import IntervalLengths, RelatedRuns, interval_lengths, members_of, related_runs
from irgauge.studies.partition.options import PAPER, PartitionOptions
from irgauge.studies.partition.side_by_side import SideBySide, compare_tests
from irgauge.studies.partition.split import Divider, DrawnSplit
from irgauge.studies.partition.splits import Splits, many_splits

LEVELS = (0.05, 0.01)
SPLITS = 11  # that are aggregated
REPETITIONS = 8  # of eleven splits, of the randomization test, and of the models of related runs
THIRDS = 33  # splits into three parts
SIDES = 2  # of tests of the partition method
DRAWS = 10_000  # of a bootstrap and of a randomization test
RELATED_DRAWS = 1000  # for related runs
PARTS = {"trec3": (2, 3, 5), "trec8": (2, 3, 5), "trec15": (2, 3)}
_MANY = 5  # parts in which some topic has no relevant document in nearly every split
_DECIMALS = 4  # of a score, as trec_eval prints it

T = TypeVar("T")
Counts = list[int]
Inferred = list[tuple[DrawnSplit, Inference]]


def measures(dataset: Dataset) -> dict[str, str]:
    """The measures of a collection, by the paper's names; for judgments with strata inferred AP is the extended one."""
    if dataset.source.key == "trec15":
        return {"infAP": "xinfAP" if dataset.collection.strata.any() else "infAP"}
    return {"AP": "AP", "P10": "P@10"}


def seeds(dataset: Dataset) -> range:
    """A seed for each repetition."""
    return range(dataset.seed, dataset.seed + REPETITIONS)


def repeated(dataset: Dataset, make: Callable[[int], T]) -> list[T]:
    """What each seed gives, made in threads."""
    return in_threads(make, seeds(dataset), dataset.workers)


def divider(dataset: Dataset, measure: str, bench: Bench | None = None, **options: Any) -> Divider:  # noqa: ANN401  # of the partition method
    """What divides the documents, as the paper does unless the options say otherwise."""
    usual: dict[str, Any] = {"p": PAPER, "draws": DRAWS, "seed": dataset.seed, "workers": dataset.workers}
    return Divider(bench or bench_of(dataset), measure, PartitionOptions(measure, **(usual | options)))


def bench_of(dataset: Dataset) -> Bench:
    """All runs of the track; each split is scored by all measures of the collection at once."""
    return dataset.once(
        "voorhees-2017: bench",
        lambda: Bench(dataset.collection, measures(dataset).values(), workers=dataset.workers),
    )


def halves(dataset: Dataset, measure: str) -> list[Splits]:
    """Repetitions of eleven splits into two parts."""

    def make() -> list[Splits]:
        return [
            many_splits(divider(dataset, measure, splits=SPLITS, sides=SIDES, seed=seed)) for seed in seeds(dataset)
        ]

    return dataset.once(f"voorhees-2017: {measure} in halves", make)


def thirds(dataset: Dataset, measure: str) -> Splits:
    """Splits into three parts."""
    return dataset.once(
        f"voorhees-2017: {measure} in thirds",
        lambda: many_splits(divider(dataset, measure, parts=3, splits=THIRDS, sides=SIDES)),
    )


def one_sided(splits: Splits) -> Splits:
    """The same draws with p-values of one side: those of two were twice as large, and at most 1.

    Shares of draws above 1/2, which no level rejects, are thus 1/2; adjusted intervals stay those of two sides.
    """
    shares = [inference.p / SIDES for inference in splits.inferences]
    inferences = [
        replace(inference, p=share, p_adjusted=BH.adjusted(share))
        for inference, share in zip(splits.inferences, shares, strict=True)
    ]
    return replace(splits, inferences=tuple(inferences), drawing=replace(splits.drawing, sides=1))


def inferred(dataset: Dataset, measure: str, parts: int, *, interactions: bool) -> Inferred:
    """Splits into so many parts, and what a model says in them; of five parts with the topics that all have scores."""

    def make() -> Inferred:
        fill = "redraw" if parts < _MANY else "drop"
        asked = divider(dataset, measure, parts=parts, splits=SPLITS, interactions=interactions, fill=fill)
        return _inferred([many_splits(asked)])

    if interactions and parts == 2:
        return _inferred(halves(dataset, measure))
    if interactions and parts == 3:
        return _inferred([thirds(dataset, measure)])
    return dataset.once(f"voorhees-2017: {measure} in {parts}, interactions {interactions}", make)


def _inferred(splits: Iterable[Splits]) -> Inferred:
    return [pair for one in splits for pair in zip(one.splits, one.inferences, strict=True)]


def effects(dataset: Dataset, measure: str) -> IntervalLengths:
    """Intervals of one split into three parts."""
    return dataset.once(
        f"voorhees-2017: effects in {measure}", lambda: interval_lengths(divider(dataset, measure), (3,))
    )


def lengths_of_both(dataset: Dataset, measure: str) -> IntervalLengths:
    """Intervals that cover other topics too: topics are drawn as well."""
    return dataset.once(
        f"voorhees-2017: lengths of both in {measure}",
        lambda: interval_lengths(divider(dataset, measure, drawn="topics", fill="drop"), (2, 3)),
    )


def related(dataset: Dataset) -> list[RelatedRuns]:
    """Models of related runs alone and of all runs, on several splits into three parts."""

    def make() -> list[RelatedRuns]:
        members = members_of(dataset.path("groups"), dataset.collection.systems, skip_singles=True)
        options: dict[str, Any] = {"parts": 3, "sides": SIDES, "draws": RELATED_DRAWS}
        make_one = partial(divider, dataset, "AP", bench_of(dataset).with_workers(1), **options)
        return repeated(dataset, lambda seed: related_runs(make_one(seed=seed), members))

    return dataset.once("voorhees-2017: related runs", make)


def side_by_side(dataset: Dataset, measure: str, parts: tuple[int, ...]) -> SideBySide:
    """Tests over topics and one split into each number of parts."""

    def make() -> SideBySide:
        asked = divider(dataset, measure, parts=parts[0], splits=1, sides=SIDES)
        return compare_tests(asked, many_splits(asked), parts, LEVELS)

    return dataset.once(f"voorhees-2017: tests of {measure} and {parts} parts", make)


def whole(dataset: Dataset, measure: str) -> Scores:
    """Scores on the whole corpus."""
    return dataset.once(
        f"voorhees-2017: {measure} on the whole corpus",
        lambda: bench_of(dataset).measured(Measuring(parse_measures([measure]), fill=DROP)).scores,
    )


def unpaired(dataset: Dataset, measure: str, *, rounded: bool = False) -> Comparison:
    """The t-test that the paper's counts are of; `rounded` to the decimals that trec_eval prints."""
    scores = whole(dataset, measure)
    values = scores.values[0, :, :, 0]
    return unpaired_t(values.round(_DECIMALS) if rounded else values, scores.systems)


def paired(dataset: Dataset, measure: str) -> Comparison:
    """The t-test over topics."""
    scores = whole(dataset, measure)
    return paired_t(scores.values[0, :, :, 0], scores.systems)


def randomized(dataset: Dataset, measure: str) -> list[Comparison]:
    """The randomization test with one side, with several seeds."""

    def make() -> list[Comparison]:
        scores = whole(dataset, measure)
        test = partial(randomization, scores.values[0, :, :, 0], scores.systems, draws=DRAWS, sides=1)
        return repeated(dataset, lambda seed: test(seed=seed))

    return dataset.once(f"voorhees-2017: randomization in {measure}", make)


def rejected(p: Iterable[Floats], alpha: float) -> Counts:
    """How many p-values are at most α, of each draw."""
    return [int(np.count_nonzero(p_values <= alpha)) for p_values in p]


def paired_counts(dataset: Dataset, measure: str, alpha: float) -> tuple[int, int]:
    """Pairs that differ by the paired t-test: each for itself, and corrected over all pairs."""
    p = paired(dataset, measure).p
    single, corrected = rejected((p, BH.adjusted(p)), alpha)
    return single, corrected
