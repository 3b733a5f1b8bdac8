from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pytest

from irgauge.collection import Collection, run_readers
from irgauge.errors import DesignError
from irgauge.simulate import Design, simulate
from irgauge.studies.claims import coverage, neighbours
from irgauge.studies.interval_series import intervals_by_model
from irgauge.studies.preflight import Preflight, check
from irgauge.studies.ranked_subsets import best_compared, best_series, reliability_part
from irgauge.studies.reliability import bootstrap
from irgauge.studies.report import Missing, Report, Settings, report
from irgauge.studies.significance import compare_systems
from irgauge.trec import read_qrels

SETTINGS = Settings(shards="even:3", resamples=2, images=20)
DESIGN = Design(systems=8, families=3, topics=12, depth=60, corpus_size=500, relevant_median=20, seed=4)


@pytest.fixture(scope="module")
def preflight(demo: Path) -> Preflight:
    return check(read_qrels(demo / "qrels.txt"), run_readers(demo / "runs"))


@pytest.fixture(scope="module")
def collection() -> Collection:
    return simulate(DESIGN).collection()


@pytest.fixture(scope="module")
def result(collection: Collection, preflight: Preflight) -> Report:
    return report(collection, preflight, ["AP", "nDCG@10"], SETTINGS)


def test_every_study_is_there_for_every_measure(result: Report) -> None:
    assert [one.measure for one in result.measures] == ["AP", "nDCG@10"]
    for one in result.measures:
        parts = (one.significance, one.needed, one.variance, one.robustness, one.series)
        assert not any(isinstance(part, Missing) for part in parts)
    assert not isinstance(result.effects, Missing)
    assert set(result.reliability) == {"documents", "topics", "both"}
    assert not any(isinstance(found, Missing) for found in result.reliability.values())
    assert result.unsharded is None


def test_each_population_has_the_comparison_and_intervals_of_its_own(result: Report, collection: Collection) -> None:
    found = result.measures[1].significance
    assert not isinstance(found, Missing)
    assert [one.comparison.population for one in found] == ["documents", "topics", "both"]
    for ours in found:
        population = ours.comparison.population
        alone = compare_systems(collection, "nDCG@10", shards="even:3", population=population)
        np.testing.assert_array_equal(ours.comparison.p, alone.comparison.p)
        for mine, other in zip(ours.intervals, alone.intervals, strict=True):
            assert (mine.name, mine.population) == (other.name, other.population)
            np.testing.assert_array_equal(mine.low, other.low)


def test_neighbours_and_coverage_count_the_pairs(result: Report) -> None:
    found = result.measures[0].significance
    assert not isinstance(found, Missing)
    by = {one.comparison.population: one.comparison.p_matrix for one in found}
    pairs = neighbours(found[0].comparisons)
    assert [pair.rank for pair in pairs] == list(range(1, 8))
    for i, pair in enumerate(pairs):
        assert pair.p == {name: matrix[i, i + 1] for name, matrix in by.items()}
        assert pair.told_apart == {name: bool(matrix[i, i + 1] <= 0.05) for name, matrix in by.items()}
    told = {name: matrix[np.triu_indices(8, 1)] <= 0.05 for name, matrix in by.items()}
    counts = coverage(found[0].comparisons)
    assert counts is not None
    assert counts.pairs == 28
    assert (counts.documents, counts.topics, counts.both) == tuple(int(each.sum()) for each in told.values())
    assert counts.documents_only == sum(a and not b for a, b in zip(told["documents"], told["topics"], strict=True))
    assert counts.documents_and_topics + counts.documents_only == counts.documents
    assert counts.documents_and_topics + counts.topics_only == counts.topics


def test_the_best_systems_keep_their_numbers(result: Report, collection: Collection) -> None:
    found = result.measures[0].significance
    assert not isinstance(found, Missing)
    part, whole = best_compared(found[1], 3), found[1]
    assert part.comparison.systems == whole.comparison.systems[:3]
    np.testing.assert_array_equal(part.comparison.p_matrix, whole.comparison.p_matrix[:3, :3])
    places = [whole.systems.index(system) for system in part.systems]
    np.testing.assert_array_equal(part.intervals[0].low, whole.intervals[0].low[places])
    series = intervals_by_model(collection, "AP", "even:3")
    for name, (systems, interval) in best_series(series, 3).items():
        all_systems, all_intervals = series[name]
        expected = [all_intervals.mean[all_systems.index(system)] for system in systems]
        np.testing.assert_array_equal(interval.mean, expected)


@pytest.mark.parametrize("resample", ["documents", "topics", "both"])
def test_a_part_of_a_bootstrap_is_the_bootstrap_of_that_part(resample: str, collection: Collection) -> None:
    whole = bootstrap(collection, ["AP", "nDCG@10"], images=12, resample=resample)  # type: ignore[arg-type]
    part = reliability_part(whole, 1, 3)
    best = whole.order(1)[:3]
    alone = bootstrap(collection.only(best.tolist()), ["nDCG@10"], images=12, resample=resample)  # type: ignore[arg-type]
    assert part.systems == alone.systems
    np.testing.assert_array_equal(part.means, alone.means)
    np.testing.assert_array_equal(part.ranks, whole.ranks[1:][:, best])
    if resample != "topics":
        np.testing.assert_allclose(part.topic_sd(), alone.topic_sd())
        np.testing.assert_allclose(part.difference_spread(), alone.difference_spread())
        np.testing.assert_array_equal(part.topic_quartiles(), alone.topic_quartiles())


def test_all_systems_of_one_measure_are_a_part_too(result: Report) -> None:
    whole = result.reliability["documents"]
    assert not isinstance(whole, Missing)
    part = reliability_part(whole, 0)
    assert part.systems == whole.systems
    assert part.digits(0) == whole.digits(0)
    np.testing.assert_array_equal(part.rank_interval[:, 0], whole.rank_interval[:, 0])


def test_one_system_is_not_compared_and_says_why(collection: Collection, preflight: Preflight) -> None:
    alone = report(collection.only([0]), preflight, ["AP"], SETTINGS)
    one = alone.measures[0]
    for part in (one.significance, one.needed, one.variance, one.robustness, one.series, alone.effects):
        assert isinstance(part, Missing)
        assert "2 systems" in part.reason
    assert not isinstance(alone.reliability["documents"], Missing)
    assert len(alone.summary.means) == 1


def test_one_topic_says_nothing_of_other_topics(preflight: Preflight) -> None:
    single = simulate(Design(systems=4, families=2, topics=1, depth=60, corpus_size=500, seed=1)).collection()
    alone = report(single, preflight, ["AP"], SETTINGS)
    assert isinstance(alone.measures[0].significance, Missing)
    assert isinstance(alone.reliability["topics"], Missing)
    assert "one topic says nothing of other topics" in alone.reliability["topics"].reason
    assert not isinstance(alone.reliability["documents"], Missing)


@pytest.mark.parametrize(
    ("shards", "reason"),
    [(None, "no shards were asked for"), ("even:1", "one shard"), ("even:100000", "more than the 500 documents")],
)
def test_without_shards_the_whole_corpus_is_compared(
    shards: str | None, reason: str, collection: Collection, preflight: Preflight
) -> None:
    found = report(collection, preflight, ["AP"], Settings(shards=shards, resamples=2, images=4))
    assert found.unsharded is not None
    assert reason in found.unsharded.reason
    assert isinstance(found.effects, Missing)
    assert isinstance(found.measures[0].robustness, Missing)
    compared = found.measures[0].significance
    assert not isinstance(compared, Missing)
    assert [(one.model, one.comparison.population) for one in compared] == [("MD1", "topics")]


def test_a_measure_that_is_defined_nowhere_is_left_out(collection: Collection, preflight: Preflight) -> None:
    found = report(collection, preflight, ["AP", "AP(rel=9)"], Settings(shards=None, images=4))
    assert [one.measure for one in found.measures] == ["AP"]
    assert list(found.left_out) == ["AP(rel=9)"]
    with pytest.raises(DesignError, match="cannot be reported"):
        report(collection, preflight, ["AP(rel=9)"])


def test_each_study_is_told_as_it_starts(collection: Collection, preflight: Preflight) -> None:
    names: list[str] = []

    @contextmanager
    def told(study: str) -> Iterator[None]:
        names.append(study)
        yield None

    report(collection, preflight, ["AP"], Settings(shards="even:2", resamples=1, images=2), told=told)
    bootstraps = [f"bootstrap of {drawn}" for drawn in ("documents", "topics", "both")]
    assert names == ["comparisons", "effect sizes", *bootstraps]
