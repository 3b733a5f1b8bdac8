"""Conclusions over models, numbers of shards and splits, against an explicit Tukey test and published numbers."""

from __future__ import annotations

import math
from functools import cache
from itertools import combinations
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import stats

from irgauge import Collection, DesignError
from irgauge.inference.comparison import Comparison
from irgauge.inference.tests.crossed_t import crossed_t
from irgauge.models.anova import Population, fit
from irgauge.replicates.bench import Bench
from irgauge.replicates.measured import Measured, Measuring
from irgauge.scoring.measures import Measure
from irgauge.simulation.collections import Design, simulate
from irgauge.studies.robustness.options import COUNTS as USUAL
from irgauge.studies.robustness.options import MODELS, RobustnessOptions
from irgauge.studies.robustness.study import Robustness, robustness
from oracles import slow_skewed_t

AP = (Measure.parse("AP"),)
Pair = tuple[int, int]

COUNTS = (2, 3)
RESAMPLES = 3
SEED = 5
MD6: dict[str, Any] = {"test": "tukey", "population": "documents", "models": ["MD6"]}
FIELDS = ("omega2", "significant", "not_significant", "top_group", "width")


@cache
def simulated() -> Collection:
    return simulate(Design(systems=8, families=3, topics=15, depth=60, corpus_size=900)).collection()


@cache
def result(population: Population = "documents", resamples: int = RESAMPLES) -> Robustness:
    """All models by Tukey's test."""
    asked: dict[str, Any] = {"shards": COUNTS, "resamples": resamples, "seed": SEED}
    return robustness(simulated(), "AP", test="tukey", models=MODELS, population=population, **asked)  # type: ignore[arg-type]  # any text


@cache
def usual(population: Population = "topics", alpha: float = 0.05) -> Robustness:
    """By the usual test."""
    asked: dict[str, Any] = {"shards": COUNTS, "resamples": RESAMPLES, "seed": SEED}
    return robustness(simulated(), "AP", population=population, alpha=alpha, **asked)  # type: ignore[arg-type]  # any text


@cache
def critical(alpha: float, systems: int, df: float) -> float:
    return float(stats.studentized_range.ppf(1 - alpha, systems, df))


def tukey(
    values: NDArray[np.float64], model: str, population: Population, alpha: float = 0.05
) -> tuple[float, set[Pair]]:
    """The width of Tukey's interval, and the pairs of systems that differ."""
    error = fit(values, model).error_term(population)
    means = values.mean(axis=(0, 2))
    width = critical(alpha, len(means), error.df) * math.sqrt(error.ms / (values.shape[0] * values.shape[2]))
    return width, {(a, b) for a, b in combinations(range(len(means)), 2) if abs(means[a] - means[b]) > width}


def measured(count: int, number: int = 0, **asked: Any) -> Measured:  # noqa: ANN401  # of Measuring
    return Bench(simulated()).measured(Measuring(AP, f"even:{count}", seed=SEED, number=number, **asked))


def splits(count: int, resamples: int = RESAMPLES) -> list[NDArray[np.float64]]:
    """AP[topic, system, shard] in each split."""
    return [measured(count, number).values() for number in range(resamples)]


def on_whole() -> NDArray[np.float64]:
    return Bench(simulated()).measured(Measuring(AP)).values()


# against an explicit Tukey test


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("count", COUNTS)
@pytest.mark.parametrize("population", ["documents", "topics", "both"])
def test_pairs_are_those_of_an_explicit_tukey_test(population: Population, count: int, model: str) -> None:
    found, stable = result(population).outcome(count, model), result(population).stability_of(count, model)
    values = splits(count)
    tests = [tukey(one, model, population) for one in values]
    means = [one.mean(axis=(0, 2)) for one in values]
    sizes = [len(pairs) for _, pairs in tests]
    assert found.significant == pytest.approx(np.mean(sizes))
    assert found.significant + found.not_significant == result(population).pairs == 28
    assert found.width == pytest.approx(np.mean([width for width, _ in tests]))
    groups = [sum(mean.max() - mean <= width) for mean, (width, _) in zip(means, tests, strict=True)]
    assert found.top_group == pytest.approx(np.mean(groups))
    assert found.omega2 == pytest.approx(np.mean([fit(one, model).row("system").omega2 for one in values]))
    common = set.intersection(*[pairs for _, pairs in tests])
    assert stable.common == pytest.approx(len(common) / 28)
    assert len(common) <= min(sizes)
    order = on_whole().mean(axis=(0, 2))
    assert stable.tau.mean == pytest.approx(np.mean([stats.kendalltau(mean, order).statistic for mean in means]))


def test_the_whole_corpus_is_tested_by_md1() -> None:
    values = on_whole()
    width, pairs = tukey(values, "MD1", "topics")
    found = result().whole
    assert (found.shards, found.method, found.changes) == (1, "MD1", {})
    assert found.width == pytest.approx(width)
    assert (found.significant, found.not_significant) == (len(pairs), 28 - len(pairs))
    assert 0 < len(pairs) < 28
    assert found.omega2 == pytest.approx(fit(values, "MD1").row("system").omega2)


@pytest.mark.parametrize("alpha", [0.01, 0.2])
def test_alpha_is_that_of_the_whole_family_of_pairs(alpha: float) -> None:
    found = robustness(simulated(), "AP", shards=[2], resamples=1, alpha=alpha, seed=SEED, **MD6)
    width, pairs = tukey(splits(2, 1)[0], "MD6", "documents", alpha)
    assert found.outcomes[0].width == pytest.approx(width)
    assert found.outcomes[0].significant == len(pairs)
    assert found.whole.width == pytest.approx(tukey(on_whole(), "MD1", "topics", alpha)[0])


def test_intervals_over_resamples_are_those_of_student() -> None:
    for count in COUNTS:
        tests = [tukey(one, "MD6", "documents") for one in splits(count)]
        found = result().stability_of(count, "MD6")
        spreads = ((found.width, [w for w, _ in tests]), (found.significant, [float(len(p)) for _, p in tests]))
        for spread, numbers in spreads:
            error = stats.sem(numbers)
            assert spread.mean == pytest.approx(np.mean(numbers))
            expected = stats.t.interval(0.95, RESAMPLES - 1, np.mean(numbers), error) if error else (spread.mean,) * 2
            assert (spread.low, spread.high) == pytest.approx(expected)
        assert found.width.low < found.width.mean < found.width.high


@pytest.mark.parametrize("keep", ["all", "5"])
def test_undefined_cells_are_counted(keep: str) -> None:
    options: dict[str, Any] = {"shards": [20], "resamples": 2, "seed": SEED, "keep_systems": keep}
    found = robustness(simulated(), "AP", **options)
    cells = [measured(20, number).undefined for number in range(2)]
    assert min(cells) > 0
    assert found.stability[0].undefined == pytest.approx(sum(cells) / (2 * 15 * 8 * 20))


# the usual tests: of each pair, with Holm's correction


def holm(p: NDArray[np.float64], alpha: float) -> set[int]:
    """The places of the p-values that Holm's step-down rejects."""
    rejected: set[int] = set()
    for step, place in enumerate(np.argsort(p, kind="stable")):
        if p[place] > alpha / (len(p) - step):
            break
        rejected.add(int(place))
    return rejected


def by_topic(values: NDArray[np.float64], alpha: float = 0.05) -> tuple[float, set[Pair]]:
    """The median half width of Bonferroni's intervals, and the pairs that differ by scipy's paired t-test."""
    means = values.mean(axis=2)
    pairs = list(combinations(range(means.shape[1]), 2))
    differences = [means[:, a] - means[:, b] for a, b in pairs]
    halves = [np.ptp(slow_skewed_t.outer_ends(d, alpha / len(pairs))) / 2 for d in differences]
    p = np.array([slow_skewed_t.larger_p(d) for d in differences])
    return float(np.median(halves)), {pairs[i] for i in holm(p, alpha)}


def test_the_whole_corpus_is_tested_by_the_guarded_t_test() -> None:
    for population in ("topics", "documents", "both"):
        found = usual(population).whole
        width, pairs = by_topic(on_whole())
        assert (found.shards, found.method, found.changes) == (1, "skewed-t", {})
        assert (found.significant, found.not_significant) == (len(pairs), 28 - len(pairs))
        assert 0 < len(pairs) < 28
        assert found.width == pytest.approx(width)
        best = int(np.argmax(on_whole().mean(axis=(0, 2))))
        assert found.top_group == 8 - sum(best in pair for pair in pairs)
        assert found.omega2 == pytest.approx(fit(on_whole(), "MD1").row("system").omega2)


@pytest.mark.parametrize("alpha", [0.05, 0.2])
@pytest.mark.parametrize("count", COUNTS)
def test_splits_are_tested_over_topics_by_the_guarded_t_test(count: int, alpha: float) -> None:
    found, stable = usual(alpha=alpha).outcome(count, "skewed-t"), usual(alpha=alpha).stability_of(count, "skewed-t")
    tests = [by_topic(one, alpha) for one in splits(count)]
    assert found.significant == pytest.approx(np.mean([len(pairs) for _, pairs in tests]))
    assert found.width == pytest.approx(np.mean([width for width, _ in tests]))
    assert stable.common == pytest.approx(len(set.intersection(*[pairs for _, pairs in tests])) / 28)
    assert found.omega2 == pytest.approx(np.mean([fit(one, "MD6").row("system").omega2 for one in splits(count)]))
    order = on_whole().mean(axis=(0, 2))
    taus = [stats.kendalltau(one.mean(axis=(0, 2)), order).statistic for one in splits(count)]
    assert stable.tau.mean == pytest.approx(np.mean(taus))


@pytest.mark.parametrize("population", ["documents", "both"])
def test_splits_are_tested_over_shards_by_their_own_t_test(population: Population) -> None:
    systems = simulated().systems
    for count in COUNTS:
        found = usual(population).outcome(count, "crossed-t")
        tests = [crossed_t(one, systems, population=population, correction="holm") for one in splits(count)]
        assert found.significant == pytest.approx(np.mean([one.significant_count for one in tests]))
        assert found.top_group == pytest.approx(np.mean([len(top_group(one)) for one in tests]))


def top_group(one: Comparison) -> set[str]:
    """The best system, and those that do not differ from it."""
    alone = [
        (first == 0, second, differs)
        for first, second, differs in zip(one.first, one.second, one.significant, strict=True)
    ]
    return {one.systems[0], *(one.systems[second] for is_best, second, differs in alone if is_best and not differs)}


def test_models_of_tukeys_test_go_by_the_population() -> None:
    for population, models in (("documents", MODELS), ("topics", ("MD6",)), ("both", ("MD6",))):
        found = robustness(simulated(), "AP", shards=[2], resamples=1, population=population, test="tukey")  # type: ignore[arg-type]  # any text
        assert (found.test, found.methods, found.whole.method) == ("tukey", models, "MD1")
        assert found.provenance["models"] == models
        assert "correction" not in found.provenance
    plain = usual("both")
    assert (plain.test, plain.methods, plain.provenance["correction"]) == ("crossed-t", ("crossed-t",), "holm")
    assert "models" not in plain.provenance


# order and changes


def test_outcomes_come_by_number_of_shards_then_model() -> None:
    expected = [(count, model) for count in COUNTS for model in MODELS]
    assert [(one.shards, one.method) for one in result().outcomes] == expected
    assert [(one.shards, one.method) for one in result().stability] == expected


def test_changes_are_in_percent_of_every_simpler_model() -> None:
    found = result()
    for count in COUNTS:
        simpler = {"MD1": found.whole}
        for model in MODELS:
            ours = found.outcome(count, model)
            assert list(ours.changes) == list(simpler)
            for name, other in simpler.items():
                assert list(ours.changes[name]) == list(FIELDS)
                for field in FIELDS:
                    before, after = getattr(other, field), getattr(ours, field)
                    assert ours.changes[name][field] == pytest.approx(100 * (after / before - 1), abs=1e-9)
            simpler[model] = ours
    growth = found.outcome(2, "MD6").changes["MD2"]
    assert growth["significant"] > 0 > growth["width"]


def test_a_change_from_nothing_has_no_percentage() -> None:
    found = robustness(simulated(), "AP", shards=[2], resamples=1, alpha=1e-9, **MD6)
    assert found.whole.significant == 0
    assert math.isnan(found.outcomes[0].changes["MD1"]["significant"])
    assert not math.isnan(found.outcomes[0].changes["MD1"]["width"])


def test_one_resample_has_no_interval() -> None:
    found = result(resamples=1)
    for one in found.stability:
        for spread in (one.tau, one.width, one.significant):
            assert math.isfinite(spread.mean)
            assert math.isnan(spread.low)
            assert math.isnan(spread.high)
        assert one.common == pytest.approx(found.outcome(one.shards, one.method).significant / found.pairs)


# settings


def test_settings_are_told() -> None:
    found = robustness(
        simulated(), "map", shards=[2], resamples=2, models=["MD4"], test="tukey", keep_systems="5", seed=8
    )
    assert (found.measure, found.topics, found.systems, found.pairs) == ("AP", 15, 5, 10)
    told = found.provenance
    expected = {
        "measures": ("AP",),
        "models": ("MD4",),
        "population": "topics",
        "alpha": 0.05,
        "shards": "even:2",
        "resamples": 2,
        "seed": 8,
        "fill": "zero",
        "keep_systems": "5",
        "systems": 5,
        "topics": 15,
        "family": "all 10 pairs",
    }
    assert {name: told[name] for name in expected} == expected
    assert "split" not in told
    assert found.whole.significant + found.whole.not_significant == 10


def test_the_usual_splits_are_those_of_the_paper_and_the_usual_claim_is_about_topics() -> None:
    asked = RobustnessOptions()
    assert (asked.shards, asked.models, asked.test, asked.resamples) == (None, None, None, 10)
    assert USUAL == (2, 3, 4, 5, 10, 25, 50)
    assert (asked.population, asked.alpha, asked.fill, asked.keep_systems, asked.seed) == (
        "topics",
        0.05,
        "zero",
        "all",
        0,
    )


def test_of_the_usual_numbers_those_that_leave_most_scores_undefined_are_left_out_and_named() -> None:
    found = robustness(simulated(), "AP", resamples=1)
    assert found.counts + found.too_many == USUAL
    assert found.too_many
    assert max(one.undefined for one in found.stability) < 0.5
    [note] = found.findings().of("left-out")
    assert note.text.startswith(f"Splits into {' or '.join(map(str, found.too_many))} shards are left out: more than")
    for count in found.too_many:
        with pytest.raises(DesignError, match="of the scores of AP are undefined"):
            robustness(simulated(), "AP", shards=[count], resamples=1)
    assert robustness(simulated(), "AP", resamples=1, sparse=True).counts == USUAL


def test_the_first_split_of_each_number_of_shards_is_kept() -> None:
    found = robustness(simulated(), "AP", shards=COUNTS, resamples=2, fill="mean", keep_systems="4", seed=SEED)
    for count, split in zip(COUNTS, found.splits, strict=True):
        expected = measured(count, fill="mean", keep_systems="4")
        np.testing.assert_array_equal(split.values(), expected.values())
        assert split.scores.systems == expected.scores.systems


def test_splits_are_scored_once_on_a_bench(monkeypatch: pytest.MonkeyPatch) -> None:
    bench = Bench(simulated(), ["AP", "P@5"])
    first = robustness(bench, "AP", shards=COUNTS, resamples=2, seed=SEED)
    monkeypatch.setattr(Bench, "_scored", lambda *_: pytest.fail("a split is scored twice"))
    again = robustness(bench, "AP", shards=COUNTS, resamples=2, seed=SEED)
    assert again.content() == first.content()
    assert robustness(bench, "P@5", shards=COUNTS, resamples=2, seed=SEED).content() != first.content()


def test_a_number_or_a_model_that_is_given_twice_counts_once() -> None:
    found = robustness(simulated(), "AP", shards=[2, 2], resamples=1, models=["MD6", "md6"], test="tukey")
    assert [(one.shards, one.method) for one in found.outcomes] == [(2, "MD6")]


def test_a_seed_gives_the_same_result_for_any_number_of_workers() -> None:
    one, two = (
        robustness(simulated(), "AP", shards=COUNTS, resamples=RESAMPLES, seed=SEED, workers=workers)
        for workers in (1, 2)
    )
    assert one.content() == two.content() == usual().content()
    assert robustness(simulated(), "AP", shards=COUNTS, resamples=RESAMPLES, seed=SEED + 1).outcomes != one.outcomes


def test_an_outcome_does_not_depend_on_which_others_are_asked_for() -> None:
    asked: dict[str, Any] = {"test": "tukey", "population": "documents", "models": ["MD5"]}
    alone = robustness(simulated(), "AP", shards=[3], resamples=RESAMPLES, seed=SEED, **asked)
    assert alone.stability[0] == result().stability_of(3, "MD5")
    assert alone.outcomes[0].changes["MD1"] == result().outcome(3, "MD5").changes["MD1"]


def test_progress_is_told_for_every_split() -> None:
    told: list[tuple[int, int]] = []
    robustness(simulated(), "AP", shards=COUNTS, resamples=2, progress=lambda done, total: told.append((done, total)))
    assert told == [(1, 4), (2, 4), (3, 4), (4, 4)]


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"resamples": 0}, "resamples is 0; it is at least 1"),
        ({"shards": [1]}, "1 shard is the whole corpus"),
        ({"shards": [2, 1]}, "1 shard is the whole corpus"),
        ({"shards": []}, "there is no number of shards"),
        ({"models": [], "test": "tukey"}, "there is no model"),
        ({"models": ["MD6"]}, "models are for Tukey's test: ask for the test tukey"),
        ({"test": "wilcoxon"}, "test 'wilcoxon' is unknown"),
        ({"test": "t", "population": "both"}, "the test t says nothing of 'both'; use crossed-t or tukey"),
        ({"population": "shards"}, "population 'shards' is unknown"),
        ({"shards": [0]}, "not a number of shards"),
        ({"shards": [901]}, "901 shards are more than the 900 documents"),
        ({"models": ["MD1"], "test": "tukey"}, "MD1 is for the whole corpus"),
        ({"models": ["MD0"], "test": "tukey"}, "MD1 to MD6"),
        ({"models": ["topic + shard"], "test": "tukey"}, "no term 'system'"),
        ({"population": "systems"}, "population 'systems' is unknown"),
        ({"fill": "median"}, "fill 'median' is unknown"),
        ({"keep_systems": "1"}, "at least 2 systems"),
    ],
    ids=str,
)
def test_wrong_settings_are_refused(given: dict[str, Any], message: str) -> None:
    with pytest.raises(DesignError, match=message):
        robustness(simulated(), "AP", **{"shards": [2], "resamples": 1, **given})


# TREC-8: Ferro and Sanderson (SIGIR 2019), Tables 1 and 2


@pytest.fixture(scope="module")
def of_trec8(trec8_runs: Collection) -> Robustness:
    return robustness(trec8_runs, "AP", shards=(2, 5), resamples=4, seed=0, test="tukey", population="documents")


def test_published_row_of_the_whole_corpus(of_trec8: Robustness) -> None:
    found = of_trec8.whole
    assert f"{found.omega2:.4f}" == "0.3991"
    assert (found.significant, found.not_significant, found.top_group) == (3423, 4833, 7)
    assert (of_trec8.topics, of_trec8.systems, of_trec8.pairs) == (50, 129, 8256)


def test_published_outcomes_of_two_shards(of_trec8: Robustness) -> None:
    md5, md6 = of_trec8.outcome(2, "MD5"), of_trec8.outcome(2, "MD6")
    assert md6.omega2 == pytest.approx(0.715, abs=0.05)
    assert md6.significant == pytest.approx(5893, rel=0.04)
    assert md6.width == pytest.approx(0.0381, rel=0.05)
    assert md5.significant == pytest.approx(5022, rel=0.05)
    assert md5.width == pytest.approx(0.0565, rel=0.05)


@pytest.mark.parametrize(("count", "tau"), [(2, 0.982), (5, 0.969)])
def test_published_order_of_systems(of_trec8: Robustness, count: int, tau: float) -> None:
    found = [of_trec8.stability_of(count, model).tau for model in MODELS]
    assert found[0].mean == pytest.approx(tau, abs=0.01)
    assert len({one.mean for one in found}) == 1  # the means of systems do not depend on the model


def test_common_pairs_of_trec8_are_fewer_than_those_of_any_split(of_trec8: Robustness) -> None:
    for one in of_trec8.stability:
        common = one.common * of_trec8.pairs
        assert common == pytest.approx(round(common), abs=1e-6)
        assert 0.5 * one.significant.mean < common < one.significant.mean
