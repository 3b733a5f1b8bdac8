"""Comparisons of each population by its own test, against scipy and slow definitions."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import stats

from irgauge import Collection, DesignError
from irgauge.inference.corrections import correction as correction_named
from irgauge.inference.intervals import tukey_interval
from irgauge.inference.mean_bounds import mean_bounds
from irgauge.inference.tests.crossed_t import crossed_t
from irgauge.inference.tests.flips import max_t
from irgauge.inference.tests.registry import TESTS, default_test
from irgauge.models.anova import Population, decompose, populations_of
from irgauge.replicates.bench import Bench
from irgauge.replicates.measured import Measured, Measuring
from irgauge.scoring.measures import parse_measures
from irgauge.scoring.scores import Scores
from irgauge.simulation.collections import Design, simulate
from irgauge.studies.compare.records import alike, counts, pair_records, system_records
from irgauge.studies.compare.study import MeasureCompared, compare
from irgauge.studies.interval_series import intervals_by_model, intervals_by_shards
from oracles import slow_crossed_t, slow_tukey

Values = NDArray[np.float64]
RANDOM: tuple[Population, ...] = ("topics", "documents", "both")
OF_A_KIND: tuple[Population, ...] = ("topics", "shards", "topics+shards")
EVEN, SOURCES = "even:3", "match:^...."
EACH = [*((EVEN, one) for one in RANDOM), *((SOURCES, one) for one in (*OF_A_KIND, "sources"))]
AP = parse_measures(["AP"])


@cache
def collection() -> Collection:
    design = Design(
        systems=8, families=3, topics=25, depth=60, corpus_size=500, relevant_median=20, system_sd=0.6, seed=4
    )
    return simulate(design).collection()


@cache
def on_shards(shards: str | None = EVEN, **options: Any) -> MeasureCompared:  # noqa: ANN401  # of compare
    """Each population by itself; their order has tests of its own."""
    return compare(collection(), "AP", shards=shards, **({"family": "each"} | options)).of("AP")


@cache
def values(shards: str | None = EVEN) -> Values:
    """AP[topic, system, shard]."""
    return Bench(collection()).measured(Measuring(AP, shards)).values()


def scores_of(population: str, shards: str) -> Values:
    """What answers for a population: the whole corpus for topics, else the shards."""
    return values(None if population == "topics" else shards)


# what is compared


def test_topics_are_first_and_of_the_whole_corpus() -> None:
    for shards, populations in ((None, RANDOM[:1]), (EVEN, RANDOM), (SOURCES, OF_A_KIND)):
        found = on_shards(shards)
        assert tuple(one.population for one in found.comparisons) == populations
        assert (found.comparison.test, found.comparison.correction, found.comparison.shards) == ("skewed-t", "holm", 1)
        means = dict(zip(found.comparison.systems, found.comparison.means.tolist(), strict=True))
        expected = dict(zip(collection().systems, values(None).mean(axis=(0, 2)).tolist(), strict=True))
        assert means == pytest.approx(expected)
        assert found.comparison.p_adjusted.tolist() == on_shards(None).comparison.p_adjusted.tolist()
        assert found.whole.shards == 1


def test_pairs_differ_for_other_topics_by_the_paired_t_test_of_scipy_with_holms_correction() -> None:
    one = on_shards(None, test="t").comparison
    y = values(None)[:, :, 0]
    columns = [[collection().systems.index(name) for name in pair] for pair in one.names]
    alone = [stats.ttest_rel(y[:, first], y[:, second]) for first, second in columns]
    np.testing.assert_allclose(one.p, [result.pvalue for result in alone])
    np.testing.assert_allclose(one.p_adjusted, correction_named("holm").adjusted(one.p))
    ends = [result.confidence_interval(1 - 0.05 / 28) for result in alone]  # Bonferroni's
    np.testing.assert_allclose(np.column_stack((one.low, one.high)), ends)
    assert one.is_simultaneous
    assert 0 < one.significant_count < 28


@pytest.mark.parametrize(("shards", "population"), [one for one in EACH if one[1] != "topics"])
def test_pairs_differ_on_shards_by_the_definition_of_their_t_test(shards: str, population: Population) -> None:
    one = on_shards(shards, population=population).under(population)
    assert (one.test, one.correction, one.shards) == ("crossed-t", "holm", values(shards).shape[2])
    place = collection().systems.index
    places = [(place(u), place(v)) for u, v in one.names]
    if population in OF_A_KIND:
        p = [slow_crossed_t.of_a_kind(values(shards), u, v, population, 0.05)[1] for u, v in places]
    else:
        p = [slow_crossed_t.tested(values(shards), u, v, population)[2] for u, v in places]
    np.testing.assert_allclose(one.p, p, rtol=1e-6)
    np.testing.assert_allclose(one.p_adjusted, correction_named("holm").adjusted(np.array(p)), rtol=1e-6)
    assert 0 < one.significant_count < 28 or population in OF_A_KIND


@pytest.mark.parametrize(("shards", "population"), EACH)
def test_pairs_differ_by_the_definition_of_tukeys_test(shards: str, population: Population) -> None:
    found = on_shards(shards, test="tukey", population=population)
    one = found.comparison
    order, apart = slow_tukey.differing(scores_of(population, shards), population)
    names = [collection().systems[s] for s in order]
    assert list(one.systems) == names
    np.testing.assert_array_equal(one.significant, apart[np.triu_indices(8, 1)])
    assert 0 < one.significant_count < 28
    others = [name for name, is_apart in zip(names[1:], apart[0, 1:], strict=True) if not is_apart]
    assert one.top_group == (names[0], *others)
    assert one.correction == "built in"


def test_of_two_shards_of_a_kind_nothing_is_said_and_where_asked_for_they_are_refused() -> None:
    three = table()
    two = Scores(three.values[..., :2], three.measures, three.topics, three.systems, three.replicates[:2])
    assert [one.population for one in compare(two).first.comparisons] == ["topics"]
    with pytest.raises(DesignError, match="2 shards do not show how much such shards differ"):
        compare(two, population="topics+shards")


@pytest.mark.parametrize("shards", [EVEN, SOURCES])
def test_the_population_asked_for_is_first(shards: str) -> None:
    usual = on_shards(shards)
    for first in [one.population for one in usual.comparisons]:
        found = on_shards(shards, population=first)
        assert found.comparison.population == first
        assert {one.population for one in found.comparisons} == {one.population for one in usual.comparisons}
        np.testing.assert_array_equal(found.comparison.p_adjusted, usual.under(first).p_adjusted)


def test_sources_are_there_only_if_asked_for() -> None:
    with pytest.raises(DesignError, match="nothing was compared for the population 'sources'; there is topics, shards"):
        on_shards(SOURCES).under("sources")
    found = on_shards(SOURCES, population="sources")
    assert [one.population for one in found.comparisons] == ["sources", *OF_A_KIND]
    assert found.comparison.test == default_test("sources").name


def test_without_shards_there_are_topics_only() -> None:
    found = on_shards(None)
    assert (found.model, found.comparison.population, len(found.comparisons)) == ("MD1", "topics", 1)
    assert found.whole is found.measured
    with pytest.raises(DesignError, match="nothing was compared for the population 'documents'; there is topics"):
        found.under("documents")


def test_what_scores_can_speak_of() -> None:
    assert populations_of(1, is_random=True) == populations_of(1, is_random=False) == ("topics",)
    assert populations_of(2, is_random=True) == RANDOM
    assert populations_of(2, is_random=False) == (*OF_A_KIND, "sources")
    assert all(population in default_test(population).covers for population in (*RANDOM, *OF_A_KIND, "sources"))


def test_ap_is_the_measure_of_runs_and_the_model_md6_on_shards() -> None:
    assert compare(collection()).measures == ("AP",)
    assert (on_shards().model, on_shards().alpha) == ("MD6", 0.05)
    assert on_shards(model="MD3").model == "MD3"


@pytest.mark.parametrize("test", [name for name, test in TESTS.items() if test.covers == ("topics",)])
def test_other_tests_are_of_the_whole_corpus_and_cover_topics(test: str) -> None:
    against = {"baseline": collection().systems[0]} if test == "dunnett" else {}
    found = on_shards(test=test, draws=999, **against)
    one = found.comparison
    assert (one.test, one.population, one.shards, len(found.comparisons)) == (test, "topics", 1, 1)
    usual = {"randomised-tukey": "built in", "max-t": "step-down", "dunnett": "maximum", "randomization": "bh"}
    usual["bootstrap-t"] = "maximum"
    assert one.correction == usual.get(test, "holm")
    means = values(None).mean(axis=(0, 2))
    assert one.means.tolist() == pytest.approx(sorted(means.tolist(), reverse=True))


def test_max_t_is_that_of_the_whole_corpus() -> None:
    one = on_shards(test="max-t", draws=499, seed=5).comparison
    direct = max_t(values(None)[:, :, 0], collection().systems, draws=499, seed=5)
    assert one.p_adjusted.tolist() == direct.p_adjusted.tolist()
    assert (one.draws, one.seed) == (499, 5)


def test_crossed_t_covers_what_shards_say() -> None:
    assert [one.population for one in on_shards(test="crossed-t").comparisons] == ["documents", "both"]
    assert [one.population for one in on_shards(SOURCES, test="crossed-t").comparisons] == ["shards", "topics+shards"]
    found = on_shards(SOURCES, test="crossed-t", population="sources")
    assert [one.population for one in found.comparisons] == ["sources", "shards", "topics+shards"]
    assert on_shards(test="crossed-t", correction="bh").comparison.correction == "bh"


def test_a_seed_decides_random_tests_and_shards() -> None:
    def p_of(**options: Any) -> list[float]:  # noqa: ANN401  # of compare
        return compare(collection(), "AP", test="randomization", draws=500, **options).comparison.p_adjusted.tolist()

    assert p_of(seed=1) == p_of(seed=1) != p_of(seed=2)
    one, other = (on_shards(seed=seed) for seed in (0, 1))
    assert one.under("documents").means.tolist() != other.under("documents").means.tolist()
    assert one.comparison.means.tolist() == other.comparison.means.tolist()  # the corpus is the same


def test_the_whole_corpus_needs_no_split_to_be_drawn_again() -> None:
    found = compare(collection(), "AP", shards="even:2", fill="redraw").first
    assert (found.measured.measuring.fill, found.whole.measuring.fill) == ("redraw", "zero")
    dropped = compare(collection(), "AP", shards="even:6", fill="drop").first
    assert len(dropped.whole.scores.topics) == 25 > len(dropped.measured.scores.topics)
    assert (dropped.comparison.topics, dropped.under("both").topics) == (25, len(dropped.measured.scores.topics))


@pytest.mark.parametrize("keep", ["3", "top50%"])
def test_the_best_systems_are_the_same_for_every_population(keep: str) -> None:
    found = on_shards(keep_systems=keep)
    kept = set(on_shards(None).comparison.systems[: {"3": 3, "top50%": 4}[keep]])
    assert all(set(one.systems) == kept for one in found.comparisons)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"model": "MD6"}, "MD6 needs shards; name a way to split, such as even:5, or use MD1"),
        ({"shards": "odd:2"}, "odd:2"),
        ({"shards": "even:1000"}, "more than the"),
        ({"baseline": "F9-9"}, "F9-9"),
        ({"test": "tukey", "correction": "bh"}, "tukey is of all pairs together: leave the correction 'bh' out"),
        ({"test": "max-t", "correction": "holm"}, "max-t is of all pairs together: leave the correction 'holm' out"),
        ({"correction": "holms"}, "did you mean 'holm'"),
        ({"test": "wilcoxn"}, "did you mean 'wilcoxon'"),
        ({"population": "documets"}, "did you mean 'documents'"),
        ({"population": "documents"}, "these scores say nothing of 'documents': there are no shards; choose topics$"),
        ({"population": "shards"}, "these scores say nothing of 'shards': there are no shards; choose topics$"),
        (
            {"shards": EVEN, "population": "shards"},
            "nothing of 'shards': the shards are random; choose topics or documents or both$",
        ),
        (
            {"shards": SOURCES, "population": "documents"},
            r"nothing of 'documents': the shards differ in kind; choose topics or shards or topics\+shards or sources$",
        ),
        (
            {"shards": EVEN, "test": "t", "population": "documents"},
            "these scores say nothing of 'documents' by the test t; choose topics$",
        ),
        (
            {"shards": EVEN, "test": "crossed-t", "population": "topics"},
            "these scores say nothing of 'topics' by the test crossed-t; choose documents or both$",
        ),
        ({"test": "crossed-t"}, "the test crossed-t needs shards: name a way to split, such as even:5, or use the"),
        ({"keep_systems": "1"}, "system"),
        ({"worst": -1}, "worst is -1; it is a number of topics"),
        ({"measures": "nDGC"}, "did you mean 'nDCG'"),
        ({"test": "max-t", "draws": 18}, "18 draws cannot give a p-value of 0.05; at least 19 can$"),
    ],
    ids=str,
)
def test_questions_that_cannot_be_answered(options: dict[str, Any], message: str) -> None:
    with pytest.raises((DesignError, ValueError), match=message):
        compare(collection(), **options)


# whatever was given


def test_runs_a_bench_a_table_and_what_was_measured_give_the_same() -> None:
    bench = Bench(collection(), ["AP", "RR"])
    direct = compare(collection(), "AP").comparison.p_adjusted.tolist()
    given: list[Any] = [
        bench,
        bench.whole(AP),
        bench.measured(Measuring(AP)),
        bench.whole(parse_measures(["RR", "AP"])),
    ]
    for data in given:
        assert compare(data, "AP").comparison.p_adjusted.tolist() == direct


def test_what_was_measured_on_shards_says_the_same_of_documents() -> None:
    split = Bench(collection()).measured(Measuring(AP, EVEN))
    found = compare(split, family="each").first
    assert [one.population for one in found.comparisons] == list(RANDOM)
    for population in ("documents", "both"):
        assert found.under(population).p_adjusted.tolist() == on_shards().under(population).p_adjusted.tolist()
    assert compare(split, model="MD2").first.model == "MD2"
    assert found.whole is found.measured  # of the whole corpus nothing is known: topics are by their means over shards
    y = values(EVEN).mean(axis=2)
    by_t = compare(split, test="t").comparison
    for (first, second), p in zip(by_t.names, by_t.p, strict=True):
        one, other = (y[:, collection().systems.index(name)] for name in (first, second))
        assert p == pytest.approx(stats.ttest_rel(one, other).pvalue, rel=1e-7)


def table() -> Scores:
    """Scores on three shards, of which nothing else is known."""
    bench = Bench(collection())
    return bench.split(Measuring(AP, EVEN), bench.sharding(EVEN))[0]


def test_of_the_replicates_of_a_table_nothing_is_known_so_that_they_may_differ_in_kind() -> None:
    found = compare(table(), family="each").first
    assert found.model == "MD6"
    assert [one.population for one in found.comparisons] == list(OF_A_KIND)
    assert found.provenance["source"] == "a table of scores"
    assert (
        found.under("shards").p_adjusted.tolist()
        == crossed_t(values(EVEN), collection().systems, population="shards", correction="holm").p_adjusted.tolist()
    )
    with pytest.raises(DesignError, match="nothing of 'documents': the shards differ in kind"):
        compare(table(), population="documents")
    by_residual = compare(table(), population="sources", test="crossed-t")
    assert by_residual.comparison.p_adjusted.tolist() == on_shards(test="crossed-t").comparison.p_adjusted.tolist()


def test_a_table_cannot_be_split() -> None:
    with pytest.raises(DesignError, match="a table of scores cannot be split"):
        compare(Bench(collection()).whole(AP), shards="even:2")


# intervals and records


@pytest.mark.parametrize(("shards", "population"), EACH)
def test_the_intervals_of_each_population(shards: str, population: Population) -> None:
    found = on_shards(shards, population=population)
    shown = {one.name: one for one in found.intervals[population] if one.population == population}
    of_mean = {"mean"} if population in ("topics", "both") else set()
    by_tukey = {"Tukey", "ANOVA"} if found.comparison.test == "tukey" else set()
    assert set(shown) == of_mean | by_tukey
    if of_mean:
        y = scores_of(population, shards).mean(axis=2)
        low, high = mean_bounds(y, within=(0, 1))
        np.testing.assert_array_equal(shown["mean"].low, low)
        np.testing.assert_array_equal(shown["mean"].high, high)
        np.testing.assert_allclose(shown["mean"].mean, y.mean(axis=0))


@pytest.mark.parametrize(("shards", "population"), EACH)
def test_the_papers_intervals_stand_beside_tukeys_test(shards: str, population: Population) -> None:
    found = on_shards(shards, test="tukey", population=population)
    one = found.comparison
    values = scores_of(population, shards)  # topic, system, shard
    fit = decompose(values).fit("MD1" if population == "topics" else "MD6")
    tukey = tukey_interval(fit, collection().systems, population=population).of(one.systems)
    records = system_records(found, one)
    for i, record in enumerate(records):
        assert (record["tukey_low"], record["tukey_high"]) == (tukey.low[i], tukey.high[i])
        own = values[:, collection().systems.index(record["system"])].ravel()  # on shards too: eq. 4 of the paper
        sem = stats.t.interval(0.95, len(own) - 1, own.mean(), stats.sem(own))
        assert (record["sem_low"], record["sem_high"]) == pytest.approx((max(0, sem[0]), min(1, sem[1])))


@pytest.mark.parametrize(("shards", "population"), EACH)
def test_records_of_systems(shards: str, population: Population) -> None:
    found = on_shards(shards, population=population)
    one = found.comparison
    records = system_records(found, one)
    assert [record["system"] for record in records] == list(one.systems)
    assert [record["rank"] for record in records] == list(range(1, 9))
    assert [record["mean"] for record in records] == one.means.tolist()
    assert {record["system"] for record in records if record["is_top"]} == set(one.top_group)
    assert all(record["letters"] for record in records)
    for record in records:
        if "mean_low" in record:
            assert 0 <= record["mean_low"] < record["mean"] < record["mean_high"] <= 1


def test_records_with_a_baseline_have_the_sign_of_the_other_system() -> None:
    baseline = on_shards().comparison.systems[4]
    found = on_shards(baseline=baseline, correction="bonferroni")
    one = found.comparison
    means = dict(zip(one.systems, one.means.tolist(), strict=True))
    records = pair_records(found, "topics")
    assert [record["system"] for record in records] == [name for name in one.systems if name != baseline]
    assert {record["against"] for record in records} == {baseline}
    assert min(record["difference"] for record in records) < 0 < max(record["difference"] for record in records)
    for record in records:
        assert record["difference"] == pytest.approx(means[record["system"]] - means[baseline])
        assert record["low"] <= record["difference"] <= record["high"]
        assert (record["low"] > 0 or record["high"] < 0) == record["significant"] == (record["p_adjusted"] <= 0.05)
    assert alike(one) == {baseline, *(record["system"] for record in records if not record["significant"])}
    assert counts(one)["top_group"] is None


# series of intervals


def measured(shards: str | None) -> Measured:
    return Bench(collection()).measured(Measuring(AP, shards))


def test_intervals_by_model() -> None:
    series = intervals_by_model(measured(None), measured(EVEN), models=["MD2", "MD6"], population="both", alpha=0.1)
    assert list(series) == ["MD1", "MD2", "MD6"]
    assert [one.population for one in series.values()] == ["topics", "both", "both"]
    for model in ("MD2", "MD6"):
        fit = decompose(values()).fit(model)
        expected = tukey_interval(fit, collection().systems, population="both", alpha=0.1)
        np.testing.assert_array_equal(series[model].low, expected.low)
    classic = decompose(measured(None).values()).fit("MD1")
    expected = tukey_interval(classic, collection().systems, population="topics", alpha=0.1)
    np.testing.assert_array_equal(series["MD1"].high, expected.high)


@pytest.mark.parametrize("population", RANDOM)
def test_intervals_by_number_of_shards(population: Population) -> None:
    splits = [measured("even:2"), measured(EVEN)]
    series = intervals_by_shards(measured(None), splits, model="MD3", population=population)
    assert list(series) == ["MD1", "MD3 on 2 shards", "MD3 on 3 shards"]
    for split, one in zip(splits, list(series.values())[1:], strict=True):
        fit = decompose(split.values()).fit("MD3")
        expected = tukey_interval(fit, split.scores.systems, population=population)
        np.testing.assert_array_equal(one.low, expected.low)


def test_intervals_by_model_need_shards() -> None:
    with pytest.raises(DesignError, match="need runs and shards"):
        intervals_by_model(None, measured(EVEN))
    with pytest.raises(DesignError, match="need runs and shards"):
        intervals_by_model(measured(None), measured(None))


# TREC-8: Ferro and Sanderson (SIGIR 2019), Table 1


def test_the_classic_analysis_of_trec8(trec8_runs: Collection) -> None:
    found = compare(trec8_runs, "AP", test="tukey").first
    told = counts(found.comparison)
    assert (told["significant"], told["not_significant"], told["top_group"]) == (3423, 4833, 7)
    (spread,) = found.scored.spreads(found.comparisons)
    assert spread.p < 1e-6  # real systems do not vary alike
