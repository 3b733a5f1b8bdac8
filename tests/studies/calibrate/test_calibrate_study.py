"""`calibrate` where the truth is known: what it reports agrees with experiments drawn from that truth."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from scipy import stats

import irgauge as ig
from irgauge.calibrating.trials import Rate
from irgauge.compute.arrays import Floats
from irgauge.errors import DesignError, InputError
from irgauge.inference.tests.registry import run_test
from irgauge.models.anova import fit
from irgauge.studies.calibrate.study import Calibrated, calibrate

TOPICS, SYSTEMS = 40, 8
SPREADS = np.geomspace(0.02, 0.4, SYSTEMS)  # so unequal that Tukey's test is wrong
NAMES = [f"s{i}" for i in range(SYSTEMS)]


def experiment(seed: int, better: Floats | float = 0.0) -> Floats:
    """Normal scores; systems are equally good, or some are better."""
    rng = np.random.default_rng(seed)
    return 0.5 + rng.normal(size=(TOPICS, 1)) + SPREADS * rng.normal(size=(TOPICS, SYSTEMS)) + better


def table(values: Floats) -> ig.Scores:
    """As scores of a measure of our own."""
    return ig.load_scores(values, measure="gain", systems=NAMES)


@pytest.fixture(scope="module")
def found() -> Calibrated:
    """One experiment of known truth."""
    return calibrate(table(experiment(1)), quick=True, trials=500, seed=3)


def worst(found: Calibrated, test: str, correction: str) -> tuple[Rate, str]:
    """Where a method errs most, and the verdict."""
    one = next(one for one in found.first.kept if (one.method.test, one.method.correction) == (test, correction))
    return one.worst.rate, one.verdict


def brute_force(count: int = 300) -> dict[str, float]:
    """Errors in experiments drawn from the truth itself, at 5 %."""
    wrong = {"tukey": 0, "holm": 0}
    each = []
    for seed in range(1000, 1000 + count):
        values = experiment(seed)
        tukey = run_test("tukey", fit(values[:, :, None], "MD1"), NAMES, population="topics")
        wrong["tukey"] += bool(tukey.significant.any())
        first, second = np.triu_indices(SYSTEMS, 1)
        p = stats.ttest_rel(values[:, first], values[:, second]).pvalue
        wrong["holm"] += bool(p.min() <= 0.05 / len(p))
        each.append((p <= 0.05).mean())
    return {name: total / count for name, total in wrong.items()} | {"none": float(np.mean(each))}


def test_error_rates_are_those_of_experiments_drawn_from_the_truth(found: Calibrated) -> None:
    true = brute_force()
    flipped = {
        (one.method.test, one.method.correction): one.rate for one in found.first.errors if one.world == "flipped"
    }
    for key, name in ((("tukey", "built in"), "tukey"), (("t", "holm"), "holm"), (("t", "none"), "none")):
        error = np.hypot(flipped[key].error, np.sqrt(max(true[name], 0.01) * (1 - true[name]) / 300))
        assert flipped[key].observed == pytest.approx(true[name], abs=4 * error), name
    assert true["tukey"] > 0.1
    assert worst(found, "tukey", "built in")[1] == "liberal"
    assert worst(found, "t", "holm")[1] != "liberal"
    assert worst(found, "t", "none")[1] == "keeps its promise"


def test_the_advice_is_a_method_that_keeps_its_promise(found: Calibrated) -> None:
    advised = found.first.advised
    assert advised.method.promise == "any pair"
    assert advised.verdict in ("keeps its promise", "conservative")
    assert advised.method.test not in ("tukey", "randomised-tukey")
    kept = [
        one.found.rate.observed
        for one in found.first.kept
        if one.method.promise == "any pair" and one.verdict in ("keeps its promise", "conservative") and one.found
    ]
    assert advised.found is not None
    assert advised.found.rate.observed == max(kept)
    assert {one.method.test for one in found.first.liberal} >= {"tukey"}


def test_power_is_that_of_experiments_drawn_from_the_truth(found: Calibrated) -> None:
    """Half of the systems, drawn each time, are better by δ: what Holm's t-test finds of it."""
    reported = next(one for one in found.first.found if (one.method.test, one.method.correction) == ("t", "holm"))
    rng, shares = np.random.default_rng(5), []
    first, second = np.triu_indices(SYSTEMS, 1)
    for seed in range(2000, 2200):
        truth = np.zeros(SYSTEMS)
        truth[rng.permutation(SYSTEMS)[: SYSTEMS // 2]] = reported.delta
        values = experiment(seed, truth)
        comparison = run_test("t", values, NAMES, correction="holm")
        places = [NAMES.index(name) for name in comparison.systems]
        d = truth[places][comparison.first] - truth[places][comparison.second]
        right = comparison.significant & (np.sign(d) == np.sign(comparison.difference))
        shares.append(right[d != 0].mean())
    assert reported.rate.observed == pytest.approx(np.mean(shares), abs=0.08)
    assert len(first) == len(second) == found.first.pairs


def test_intervals_hold_what_they_promise(found: Calibrated) -> None:
    by = {(one.name, one.of): one for one in found.first.coverage}
    assert by["mean", "mean"].rate.observed == pytest.approx(0.95, abs=0.03)
    assert by["anova", "mean"].verdict == "liberal"  # it leaves out that topics differ
    assert by["t", "one pair"].rate.observed == pytest.approx(0.95, abs=0.02)
    assert by["t", "all pairs"].rate.observed > 0.9


def test_the_seed_alone_settles_everything() -> None:
    values = table(experiment(2))
    one, two = (calibrate(values, quick=True, trials=4, seed=4, workers=workers).content() for workers in (1, 2))
    assert one == two
    assert one != calibrate(values, quick=True, trials=4, seed=5).content()


def test_random_shards_speak_of_documents_and_both() -> None:
    runs = ig.simulate(systems=5, topics=15, depth=60, corpus_size=900, seed=1).collection()
    found = calibrate(runs, "AP", shards="even:4", quick=True, trials=6)
    assert [one.population for one in found.each] == ["topics", "documents", "both"]
    assert {one.method.test for one in found.of("documents").errors} == {"tukey", "crossed-t"}
    assert {one.between for one in found.of("documents").holds_up} == {"halves of shards"}
    assert {one.between for one in found.of("both").holds_up} == {"halves of topics"}
    alone = calibrate(runs, "AP", shards="even:4", quick=True, trials=4, population="both")
    assert [one.population for one in alone.each] == ["both"]


def test_claims_are_looked_up_under_other_judgments(tmp_path: Path) -> None:
    ig.simulate(systems=5, topics=12, depth=40, corpus_size=600, seed=2).write(tmp_path / "demo")
    qrels, runs = tmp_path / "demo" / "qrels.txt", tmp_path / "demo" / "runs"
    lines = qrels.read_text().splitlines()
    other = tmp_path / "other.txt"
    other.write_text("\n".join(line for i, line in enumerate(lines) if i % 3) + "\n")
    collection = ig.load(qrels, str(runs))
    found = calibrate(collection, "AP", quick=True, trials=4, against=str(other))
    ours = [one for one in found.first.holds_up if one.between == "these and the other judgments"]
    assert {one.splits for one in ours} == {1}
    same = calibrate(collection, "AP", quick=True, trials=4, against=str(qrels))
    again = [one for one in same.first.holds_up if one.between == "these and the other judgments"]
    assert all(one.same_order.observed == 1 for one in again)
    as_object = calibrate(collection, "AP", quick=True, trials=4, against=ig.load(other, str(runs)))
    assert [one for one in as_object.first.holds_up if one.splits == 1] == ours


def test_sources_are_two_experiments(tmp_path: Path) -> None:
    runs = ig.simulate(systems=5, topics=12, depth=60, corpus_size=900, seed=3).collection()
    sources = tmp_path / "sources.txt"
    sources.write_text("".join(f"{docno} {'abc'[i % 3]}\n" for i, docno in enumerate(runs.docnos)))
    found = calibrate(runs, "AP", shards=f"map:{sources}", quick=True, trials=4)
    between = [
        one.between for one in found.first.holds_up if one.method.test == "t" and one.method.correction == "holm"
    ]
    assert len(between) == 4  # halves of topics, and three pairs of sources
    assert {one.population for one in found.each} == {"topics", "shards", "topics+shards"}


def test_a_margin_is_tried_and_its_verdicts_counted() -> None:
    found = calibrate(table(experiment(4)), quick=True, trials=10, margin=0.05, baseline="s3")
    assert found.margin == 0.05
    assert {one.world for one in found.first.verdicts} == {"better and worse by the margin"}
    assert 0.05 in {one.delta for one in found.first.powers}
    assert "dunnett" in {one.method.test for one in found.first.errors}
    assert found.first.pairs == SYSTEMS - 1


def test_two_systems_are_one_pair() -> None:
    found = calibrate(table(experiment(5)), quick=True, trials=20, keep_systems="2")
    assert found.first.pairs == 1
    assert found.first.advised.method.promise == "each pair"


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ({"baseline": "nobody"}, "nobody"),
        ({"margin": 0.1, "alpha": 0.3}, "below 0.25"),
        ({"trials": 1}, "at least 2"),
        ({"population": "documents"}, "there are no shards"),
        ({"margin": "2%"}, "name a baseline"),
    ],
)
def test_what_cannot_be_asked_is_refused(asked: dict[str, object], said: str) -> None:
    with pytest.raises(DesignError, match=said):
        calibrate(table(experiment(1)), **asked)  # type: ignore[arg-type]  # of any kind


@pytest.mark.parametrize("values", [np.full((8, 3), 0.5), np.arange(8)[:, None] + np.arange(3.0)])
def test_systems_that_never_vary_are_refused(values: Floats) -> None:
    with pytest.raises(DesignError, match="there is nothing to draw from"):
        calibrate(ig.load_scores(values, measure="gain"), quick=True)


def test_scores_that_hardly_vary_are_tried() -> None:
    """One topic of ten differs: most resamples of topics have no spread."""
    values = np.zeros((10, 3))
    values[0, 2] = 1.0
    found = calibrate(ig.load_scores(values, measure="gain"), quick=True, trials=30)
    rates = [one.rate for one in found.first.errors] + [one.rate for one in found.first.coverage]
    assert all(np.isfinite(rate.observed) for rate in rates)


def test_few_topics_and_foreign_tables_are_refused(tmp_path: Path) -> None:
    with pytest.raises(DesignError, match="at least 5 topics"):
        calibrate(table(experiment(1)[:4]))
    with pytest.raises(DesignError, match="no scores of 8 systems, such as"):
        calibrate(table(experiment(1)), quick=True, against=ig.load_scores(experiment(1), measure="gain"))
    qrels = tmp_path / "qrels.txt"
    qrels.write_text("1 0 d1 1\n")
    with pytest.raises(InputError, match="cannot be judged anew"):
        calibrate(table(experiment(1)), quick=True, against=str(qrels))


def test_power_is_that_of_the_true_process_whatever_the_means_of_systems() -> None:
    """Systems whose means are far apart: what is found of δ depends on how differences vary, not on these means."""
    means = np.linspace(0, 1.5, SYSTEMS)
    found = calibrate(table(experiment(6, means)), quick=True, trials=100, seed=3)
    reported = next(row for row in found.first.found if (row.method.test, row.method.correction) == ("t", "none"))
    rng, shares = np.random.default_rng(9), []
    first, second = np.triu_indices(SYSTEMS, 1)
    for seed in range(3000, 3300):
        truth = np.zeros(SYSTEMS)
        truth[rng.permutation(SYSTEMS)[: SYSTEMS // 2]] = reported.delta
        values, d = experiment(seed, truth), truth[first] - truth[second]
        result = stats.ttest_rel(values[:, first], values[:, second])
        shares.append(((result.pvalue <= 0.05) & (np.sign(result.statistic) == np.sign(d)))[d != 0].mean())
    assert reported.rate.observed == pytest.approx(np.mean(shares), abs=0.06)
