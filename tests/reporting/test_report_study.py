from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np
import pytest
from scipy.stats import ttest_rel

from irgauge.errors import DesignError
from irgauge.reading.collection import Collection, load
from irgauge.replicates.instances import score_instances
from irgauge.replicates.labels import labelling
from irgauge.scoring.scores import score
from irgauge.simulation.collections import Design, simulate
from irgauge.studies import report as study
from irgauge.studies.claims import coverage, neighbours
from irgauge.studies.instances import compare_instances
from irgauge.studies.interval_series import intervals_by_model
from irgauge.studies.partitions import partitions
from irgauge.studies.pools import pool_pairs
from irgauge.studies.preflight import Preflight
from irgauge.studies.ranked_subsets import best_compared, best_partitions, best_series, pools_part, reliability_part
from irgauge.studies.reliability import bootstrap
from irgauge.studies.report import Missing, Report, Settings, report
from irgauge.studies.significance import compare_systems

SETTINGS = Settings(shards="even:3", resamples=2, images=20)
DESIGN = Design(systems=8, families=3, topics=12, depth=60, corpus_size=500, relevant_median=20, seed=4)
NAMES = ["F1", "F2", "F3"]  # families


@pytest.fixture(scope="module")
def collection() -> Collection:
    return simulate(DESIGN).collection()


@pytest.fixture(scope="module")
def result(collection: Collection, preflight: Preflight) -> Report:
    return report(collection, preflight, ["AP", "nDCG@10"], SETTINGS)


def test_every_study_is_there_for_every_measure(result: Report) -> None:
    assert [one.measure for one in result.measures] == ["AP", "nDCG@10"]
    for one in result.measures:
        parts = (one.significance, one.needed, one.variance, one.robustness, one.series, one.partitions)
        assert not any(isinstance(part, Missing) for part in parts)
    assert not isinstance(result.effects, Missing)
    assert not isinstance(result.pools, Missing)
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
    for part in (one.significance, one.needed, one.variance, one.robustness, one.series, one.partitions, alone.effects):
        assert isinstance(part, Missing)
        assert "2 systems" in part.reason
    assert isinstance(alone.pools, Missing)
    assert "a pair of runs is needed" in alone.pools.reason
    assert not isinstance(alone.reliability["documents"], Missing)
    assert len(alone.summary.means) == 1


def test_one_topic_says_nothing_of_other_topics(preflight: Preflight) -> None:
    single = simulate(Design(systems=4, families=2, topics=1, depth=60, corpus_size=500, seed=1)).collection()
    alone = report(single, preflight, ["AP"], SETTINGS)
    for part in (alone.measures[0].significance, alone.measures[0].partitions, alone.pools):
        assert isinstance(part, Missing)
        assert "2 topics" in part.reason
    for drawn in ("topics", "both"):
        missing = alone.reliability[drawn]
        assert isinstance(missing, Missing)
        assert "one topic says nothing of other topics" in missing.reason
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
    assert names == ["comparisons", "effect sizes", *bootstraps, "pools"]


def test_the_partition_method_is_that_of_its_own_study(result: Report, collection: Collection) -> None:
    for one in result.measures:
        assert not isinstance(one.partitions, Missing)
        found, tests = one.partitions.found, one.partitions.tests
        alone = partitions(collection, one.measure, fill=found.fill)
        np.testing.assert_array_equal(found.p, alone.p)
        assert tests is not None
        values = score(collection, [one.measure]).values[0, :, :, 0]
        places = [collection.systems.index(system) for system in found.systems]
        pairs = zip(found.first, found.second, strict=True)
        p = [ttest_rel(values[:, places[a]], values[:, places[b]]).pvalue for a, b in pairs]
        np.testing.assert_allclose(tests.test("paired t").p, p)


def test_of_many_systems_tests_are_not_set_side_by_side(
    collection: Collection, preflight: Preflight, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(study, "_TESTED", 28 * 12 - 1)
    found = report(collection, preflight, ["AP"], Settings(shards=None, images=2)).measures[0].partitions
    assert not isinstance(found, Missing)
    assert found.tests is None
    assert len(found.found.first) == 28


@pytest.mark.parametrize(("relevant", "fill"), [(1, "drop"), (12, "resample")])
def test_topics_that_no_split_can_hold_are_dropped(relevant: int, fill: str, preflight: Preflight) -> None:
    qrels = {f"q{t}": {f"d{d}": int(d < (relevant if t == 0 else 12)) for d in range(30)} for t in range(6)}
    rng = np.random.default_rng(1)
    runs = {s: {q: {d: float(rng.normal()) for d in of} for q, of in qrels.items()} for s in "abc"}
    found = report(load(qrels, runs), preflight, ["AP"], Settings(shards=None, images=2)).measures[0].partitions
    assert not isinstance(found, Missing)
    assert found.found.fill == fill
    topics = {topic for split in found.found.splits for topic in split.topics}
    assert ("q0" in topics) == (fill == "resample")


def test_pools_are_of_the_best_systems_by_the_first_measure(result: Report, collection: Collection) -> None:
    assert not isinstance(result.pools, Missing)
    closest, few = result.pools
    values = score(collection, ["AP", "nDCG@10"]).values[..., 0]  # measure, topic, system
    best = np.argsort(-values[0].mean(axis=0))
    names = [collection.systems[s] for s in best]
    assert [(pair.first, pair.second) for pair in closest.pairs] == [(names[0], names[1])]
    assert len(few.pairs) == 10
    assert {name for pair in few.pairs for name in (pair.first, pair.second)} == set(names[:5])
    for m in range(2):
        expected = ttest_rel(values[m, :, best[0]], values[m, :, best[1]]).pvalue
        assert closest.pairs[0].root_p[m, -1] == pytest.approx(expected)
        np.testing.assert_array_equal(closest.pairs[0].p, few.pairs[0].p)
    assert closest.images == 20


def test_pools_of_many_topics_are_of_fewer_systems() -> None:
    sizes = [10 * 2, 250 * 2, 1000 * 2, 1000 * 10]
    assert [study._systems_pooled(size) for size in sizes] == [5, 5, 3, 2]


def test_runs_that_rank_alike_have_no_pools_and_say_why(preflight: Preflight) -> None:
    qrels = {f"q{t}": {f"d{d}": d % 2 for d in range(9)} for t in range(4)}
    run = {q: {d: float(i) for i, d in enumerate(of)} for q, of in qrels.items()}
    found = report(load(qrels, {"a": run, "b": run}), preflight, ["AP"], Settings(shards=None, images=2))
    assert isinstance(found.pools, Missing)
    assert "same documents in the same order" in found.pools.reason


def test_runs_are_systems_unless_told_otherwise(result: Report, collection: Collection, preflight: Preflight) -> None:
    missing = result.measures[0].instances
    assert isinstance(missing, Missing)
    assert "--manifest" in missing.reason
    assert "--pattern" in missing.reason
    label = labelling(pattern="{algorithm}")
    single = report(collection, preflight, ["AP"], Settings(shards=None, images=2), label=label).measures[0].instances
    assert isinstance(single, Missing)
    assert "each of the 8 algorithms named has one instance" in single.reason


def test_instances_are_compared_as_in_their_own_study(collection: Collection, preflight: Preflight) -> None:
    label = labelling(pattern="{algorithm}-{instance}")
    found = report(collection, preflight, ["AP"], Settings(shards=None, images=2, alpha=0.1), label=label)
    compared = found.measures[0].instances
    assert not isinstance(compared, Missing)
    alone = compare_instances(score_instances(collection, "AP", label), alpha=0.1)
    assert compared.found.verdicts == alone.verdicts
    np.testing.assert_array_equal(compared.found.intervals, alone.intervals)
    np.testing.assert_array_equal(compared.found.hpd, alone.hpd)
    assert compared.found.scores.algorithms == ("F1", "F2", "F3")
    assert {(one.first, one.second) for one in compared.singles} == set(compared.found.pairs)


def test_of_many_algorithms_the_best_are_compared(preflight: Preflight, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(study, "ALGORITHMS", 2)
    several = simulate(DESIGN).collection()
    label = labelling(pattern="{algorithm}-{instance}")
    found = report(several, preflight, ["AP"], Settings(shards=None, images=2), label=label).measures[0].instances
    assert not isinstance(found, Missing)
    means = score(several, ["AP"]).values[0, :, :, 0].mean(axis=0)
    families = {name: [means[s] for s, one in enumerate(several.systems) if one.startswith(name)] for name in NAMES}
    best = sorted(NAMES, key=lambda name: -np.mean(families[name]))[:2]
    assert list(found.found.scores.algorithms) == best
    assert found.algorithms == 3


def test_without_a_posterior_to_rely_on_the_tests_stand_alone(
    collection: Collection, preflight: Preflight, monkeypatch: pytest.MonkeyPatch
) -> None:
    def unreliable(*_: object, **__: object) -> None:
        raise DesignError("R-hat is 1.3")

    monkeypatch.setattr("irgauge.studies.instances.sample", unreliable)
    label = labelling(pattern="{algorithm}-{instance}")
    found = report(collection, preflight, ["AP"], Settings(shards=None, images=2), label=label).measures[0].instances
    assert not isinstance(found, Missing)
    assert found.found.posterior is None


def test_the_best_of_a_partition_keep_their_p_among_all(result: Report) -> None:
    one = result.measures[0].partitions
    assert not isinstance(one, Missing)
    part = best_partitions(one.found, 3)
    assert part.systems == one.found.systems[:3]
    whole = one.found.matrix(one.found.combined_p())
    np.testing.assert_array_equal(part.matrix(part.combined_p()), whole[:3, :3])
    np.testing.assert_array_equal(part.matrix(part.minority()), one.found.matrix(one.found.minority())[:3, :3])


def test_one_measure_of_pools_is_a_part(result: Report, collection: Collection) -> None:
    assert not isinstance(result.pools, Missing)
    for whole in result.pools:
        part = pools_part(whole, 1)
        names = {system for pair in whole.pairs for system in (pair.first, pair.second)}
        own = collection.only([s for s, name in enumerate(collection.systems) if name in names])
        alone = {frozenset((pair.first, pair.second)): pair for pair in pool_pairs(own, ["nDCG@10"], images=20).pairs}
        for pair in part.pairs:
            np.testing.assert_array_equal(pair.median_p, alone[frozenset((pair.first, pair.second))].median_p)
        assert (part.topic_differences is None) == (len(whole.pairs) > 1)
        if whole.topic_differences is not None:
            assert part.topic_boxes(0).median.tolist() == whole.topic_boxes(1).median.tolist()
