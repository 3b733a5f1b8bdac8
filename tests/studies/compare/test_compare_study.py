"""Comparisons by each population against Tukey's test by its definition, and what they claim together."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import stats

from irgauge import Collection, DesignError, load
from irgauge.inference.intervals import tukey_interval
from irgauge.inference.pairwise import TESTS
from irgauge.models.anova import Population, decompose
from irgauge.replicates.measured import Bench, Measured, Measuring
from irgauge.scoring.measures import parse_measures
from irgauge.simulation.collections import Design, simulate
from irgauge.studies.compare.claims import coverage, neighbours
from irgauge.studies.compare.records import alike, baseline_records, counts, system_records
from irgauge.studies.compare.study import Compared, compare
from irgauge.studies.interval_series import intervals_by_model, intervals_by_shards
from oracles import slow_tukey

Values = NDArray[np.float64]
POPULATIONS: tuple[Population, ...] = ("documents", "topics", "both")
AP = parse_measures(["AP"])


@cache
def collection() -> Collection:
    return simulate(
        Design(systems=8, families=3, topics=12, depth=60, corpus_size=500, relevant_median=20, seed=4)
    ).collection()


@cache
def on_shards() -> Compared:
    return compare(collection(), "AP", shards="even:3")


@cache
def values() -> Values:
    """AP[topic, system, shard]."""
    return Bench(collection()).measured(Measuring(AP, "even:3")).values()


@cache
def differing(population: str) -> tuple[list[int], NDArray[np.bool_]]:
    return slow_tukey.differing(values(), population)


# what is compared


@pytest.mark.parametrize("population", POPULATIONS)
def test_pairs_differ_by_the_definition_of_tukeys_test(population: Population) -> None:
    one = on_shards().under(population)
    order, apart = differing(population)
    names = [collection().systems[s] for s in order]
    assert list(one.systems) == names
    pairs = np.triu_indices(8, 1)
    np.testing.assert_array_equal(one.significant, apart[pairs])
    assert 0 < one.significant_count < 28
    others = [name for name, is_apart in zip(names[1:], apart[0, 1:], strict=True) if not is_apart]
    assert one.top_group == (names[0], *others)


def test_with_shards_all_populations_are_there_and_the_one_asked_for_is_first() -> None:
    assert {one.population for one in on_shards().comparisons} == set(POPULATIONS)
    found = compare(collection(), "AP", shards="even:3", population="both")
    assert found.comparison.population == "both"
    assert {one.population for one in found.comparisons} == set(POPULATIONS)
    np.testing.assert_array_equal(found.comparison.p, on_shards().under("both").p)


def test_without_shards_it_is_the_classic_analysis() -> None:
    found = compare(collection(), "AP")
    assert (found.model, found.comparison.population, len(found.comparisons)) == ("MD1", "topics", 1)
    assert found.whole is None
    with pytest.raises(DesignError, match="nothing was compared for the population 'documents'; there is topics"):
        found.under("documents")


def test_ap_is_the_measure_of_runs_and_the_model_md6_on_shards() -> None:
    assert compare(collection()).measure == "AP"
    assert (on_shards().model, on_shards().alpha) == ("MD6", 0.05)
    assert compare(collection(), "AP", shards="even:3", model="MD3").model == "MD3"


@pytest.mark.parametrize("test", [name for name in TESTS if name != "tukey"])
def test_other_tests_are_of_means_over_shards_and_cover_topics(test: str) -> None:
    found = compare(collection(), "AP", shards="even:3", test=test, draws=999)
    one = found.comparison
    assert (one.test, one.population, len(found.comparisons)) == (test, "topics", 1)
    usual = {"randomised-tukey": "built in", "randomization": "bh"}.get(test, "holm")
    assert one.correction == usual
    means = values().mean(axis=(0, 2))
    assert one.means.tolist() == pytest.approx(sorted(means.tolist(), reverse=True))


def test_a_paired_t_test_is_that_of_scipy() -> None:
    one = compare(collection(), "AP", shards="even:3", test="t", correction="none").comparison
    means = values().mean(axis=2)  # topic, system
    for (first, second), p in zip(one.names, one.p, strict=True):
        x, y = (means[:, collection().systems.index(name)] for name in (first, second))
        assert p == pytest.approx(stats.ttest_rel(x, y).pvalue, rel=1e-9)


def test_a_seed_decides_random_tests_and_shards() -> None:
    def p_of(**options: Any) -> list[float]:  # noqa: ANN401  # of compare
        return compare(collection(), "AP", test="randomization", draws=500, **options).comparison.p.tolist()

    assert p_of(seed=1) == p_of(seed=1) != p_of(seed=2)
    one, other = (compare(collection(), "AP", shards="even:3", seed=seed).comparison for seed in (0, 1))
    assert one.means.tolist() != other.means.tolist()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"model": "MD6"}, "MD6 needs shards; name a way to split, such as even:5, or use MD1"),
        ({"shards": "odd:2"}, "odd:2"),
        ({"shards": "even:1000"}, "more than the"),
        ({"baseline": "F9-9"}, "F9-9"),
        ({"correction": "bh"}, "leave the correction out"),
        ({"test": "t", "population": "documents"}, "it covers 'topics', not 'documents'"),
        ({"test": "wilcoxn"}, "did you mean 'wilcoxon'"),
        ({"population": "documents"}, "one shard says nothing about other documents"),
        ({"keep_systems": "1"}, "system"),
        ({"alpha": 2.0}, "alpha is 2"),
        ({"measure": "nDGC"}, "did you mean 'nDCG'"),
    ],
    ids=str,
)
def test_questions_that_cannot_be_answered(options: dict[str, Any], message: str) -> None:
    with pytest.raises((DesignError, ValueError), match=message):
        compare(collection(), **options)


# whatever was given


def test_runs_a_bench_a_table_and_what_was_measured_give_the_same() -> None:
    bench = Bench(collection(), ["AP", "RR"])
    direct = compare(collection(), "AP").comparison.p.tolist()
    given: list[Any] = [
        bench,
        bench.whole(AP),
        bench.measured(Measuring(AP)),
        bench.whole(parse_measures(["RR", "AP"])),
    ]
    for data in given:
        assert compare(data, "AP").comparison.p.tolist() == direct
    split = bench.measured(Measuring(AP, "even:3"))
    assert compare(split).comparison.p.tolist() == on_shards().comparison.p.tolist()
    assert compare(split, model="MD2").model == "MD2"


def test_a_table_with_several_replicates_is_modelled_as_shards() -> None:
    table = Bench(collection()).split(Measuring(AP, "even:3"), Bench(collection()).sharding("even:3"))[0]
    found = compare(table)
    assert found.model == "MD6"
    assert found.comparison.p.tolist() == on_shards().comparison.p.tolist()
    assert found.provenance["source"] == "a table of scores"


def test_a_table_cannot_be_split() -> None:
    with pytest.raises(DesignError, match="a table of scores cannot be split"):
        compare(Bench(collection()).whole(AP), shards="even:2")


# records


@pytest.mark.parametrize("population", POPULATIONS)
def test_records_of_systems(population: Population) -> None:
    found, one = on_shards(), on_shards().under(population)
    records = system_records(one, found.intervals[population])
    assert [record["system"] for record in records] == list(one.systems)
    assert [record["rank"] for record in records] == list(range(1, 9))
    assert {record["system"] for record in records if record["is_top"]} == set(one.top_group)
    tukey = tukey_interval(found.fit, collection().systems, population=population).of(one.systems)
    for i, record in enumerate(records):
        assert (record["tukey_low"], record["tukey_high"]) == (tukey.low[i], tukey.high[i])
        assert record["letters"]
        assert "sem_low" not in record  # which is of no population where there are shards
    assert "sem_low" in system_records(compare(collection()).comparison, compare(collection()).intervals["topics"])[0]


def test_records_with_a_baseline_have_the_sign_of_the_other_system() -> None:
    baseline = on_shards().comparison.systems[4]
    one = compare(collection(), "AP", shards="even:3", baseline=baseline).comparison
    means = dict(zip(one.systems, one.means.tolist(), strict=True))
    records = baseline_records(one)
    assert [record["rank"] for record in records] == list(range(1, 8))
    assert baseline not in {record["system"] for record in records}
    for record in records:
        assert record["difference"] == pytest.approx(means[record["system"]] - means[baseline])
        assert record["low"] <= record["difference"] <= record["high"]
        assert (record["low"] > 0 or record["high"] < 0) == record["significant"] == (record["p"] <= 0.05)
    assert alike(one) == {baseline, *(record["system"] for record in records if not record["significant"])}
    assert counts(one)["top_group"] is None


# claims


def test_coverage_counts_pairs_by_where_they_differ() -> None:
    pairs = np.triu_indices(8, 1)
    documents, topics, both = (differing(name)[1][pairs] for name in POPULATIONS)
    found = coverage(on_shards().comparisons)
    assert found is not None
    assert (found.pairs, found.documents, found.topics, found.both) == (28, documents.sum(), topics.sum(), both.sum())
    assert found.documents_and_topics == (documents & topics).sum()
    assert found.documents_only == (documents & ~topics).sum() > 0
    assert found.topics_only == (topics & ~documents).sum()
    assert coverage(compare(collection()).comparisons) is None


def test_neighbours_down_the_ranking() -> None:
    near = neighbours(on_shards().comparisons)
    systems = on_shards().comparison.systems
    assert [(one.rank, one.upper, one.lower) for one in near] == [(i + 1, systems[i], systems[i + 1]) for i in range(7)]
    for population in POPULATIONS:
        apart = np.diagonal(differing(population)[1], 1)
        assert [one.differs[population] for one in near] == apart.tolist()
        assert [one.p[population] <= 0.05 for one in near] == apart.tolist()


def test_topics_needed_are_of_the_population_topics() -> None:
    needed = on_shards().needed
    assert needed is not None
    one = on_shards().under("topics")
    assert (needed.best, needed.topics, needed.systems, needed.shards) == (one.systems[0], 12, 8, 3)
    assert [pair.worse for pair in needed.pairs] == list(one.top_group[1:])
    assert compare(collection(), test="t").needed is None
    assert compare(collection(), baseline=one.systems[1]).needed is None


# series of intervals


def measured(shards: str | None) -> Measured:
    return Bench(collection()).measured(Measuring(AP, shards))


def test_intervals_by_model() -> None:
    series = intervals_by_model(measured(None), measured("even:3"), models=["MD2", "MD6"], population="both", alpha=0.1)
    assert list(series) == ["MD1", "MD2", "MD6"]
    assert [one.population for one in series.values()] == ["topics", "both", "both"]
    for model in ("MD2", "MD6"):
        fit = decompose(values()).fit(model)
        expected = tukey_interval(fit, collection().systems, population="both", alpha=0.1)
        np.testing.assert_array_equal(series[model].low, expected.low)
    classic = decompose(measured(None).values()).fit("MD1")
    expected = tukey_interval(classic, collection().systems, population="topics", alpha=0.1)
    np.testing.assert_array_equal(series["MD1"].high, expected.high)


def test_intervals_by_number_of_shards() -> None:
    splits = [measured("even:2"), measured("even:3")]
    series = intervals_by_shards(measured(None), splits, model="MD3")
    assert list(series) == ["MD1", "MD3 on 2 shards", "MD3 on 3 shards"]
    for split, one in zip(splits, list(series.values())[1:], strict=True):
        fit = decompose(split.values()).fit("MD3")
        expected = tukey_interval(fit, split.scores.systems, population="documents")
        np.testing.assert_array_equal(one.low, expected.low)


def test_intervals_by_model_need_shards() -> None:
    with pytest.raises(DesignError, match="need runs and shards"):
        intervals_by_model(None, measured("even:3"))
    with pytest.raises(DesignError, match="need runs and shards"):
        intervals_by_model(measured(None), measured(None))


# TREC-8: Ferro and Sanderson (SIGIR 2019), Table 1


def test_the_classic_analysis_of_trec8(trec8: Path) -> None:
    data = load(trec8 / "qrels.txt.gz", trec8 / "runs", precision="single")
    found = counts(compare(data, "AP").comparison)
    assert (found["significant"], found["not_significant"], found["top_group"]) == (3423, 4833, 7)
