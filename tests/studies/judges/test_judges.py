"""What becomes of people's claims under a judge: against counts by hand and by scipy, and on TREC DL 2021."""

from __future__ import annotations

import gzip
from collections import Counter
from dataclasses import replace
from itertools import combinations
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from scipy import stats
from sklearn.metrics import cohen_kappa_score
from statsmodels.formula.api import ols
from statsmodels.stats.anova import anova_lm
from statsmodels.stats.multitest import multipletests

import irgauge as ig
from conftest import Golden, Irgauge
from irgauge.compute.arrays import Floats
from irgauge.conversion import to_dicts
from irgauge.errors import DesignError, InputError
from irgauge.inference.corrections import HOLM
from irgauge.inference.margins import Margin
from irgauge.inference.prediction_powered import corrected
from irgauge.inference.tests.registry import default_test
from irgauge.reading.judges import judges_of
from irgauge.reading.objects import qrels_of
from irgauge.reading.rejudging import pairs_of, rejudged
from irgauge.reading.topic_table import TopicTable
from irgauge.scoring.scores import score
from irgauge.simulation.collections import Design, simulate
from irgauge.simulation.judges import JudgeDesign, simulate_judge
from irgauge.studies.judge_sides import Sides
from irgauge.studies.judges.claims import Deciding, outcome_of
from irgauge.studies.judges.correcting import corrected_claims
from irgauge.studies.judges.favour import favours_of
from irgauge.studies.judges.study import Judged, judges

DESIGN = Design(systems=7, families=3, topics=30, depth=40, corpus_size=400, relevant_median=10, system_sd=0.5, seed=5)
RUNS = simulate(DESIGN).collection()
NOISY = JudgeDesign(noise=0.5, leniency=0.3)


def holm_signs(values: Floats) -> dict[tuple[int, int], int]:
    """Of each pair 1 or −1 where a paired t-test with Holm's correction finds a difference, else 0."""
    pairs = list(combinations(range(values.shape[1]), 2))
    tests = [stats.ttest_rel(values[:, a], values[:, b]) for a, b in pairs]
    p = np.array([test.pvalue for test in tests])
    order, adjusted = np.argsort(p), np.empty(len(p))
    adjusted[order] = np.maximum.accumulate(p[order] * np.arange(len(p), 0, -1))
    return {
        pair: int(np.sign(test.statistic)) * int(a <= 0.05)
        for pair, test, a in zip(pairs, tests, adjusted, strict=True)
    }


def lines_of(path: Path) -> list[str]:
    return gzip.decompress(path.read_bytes()).decode().splitlines()


def table(rng: np.random.Generator, systems: int = 4, shift: float = 0.0) -> dict[str, dict[str, float]]:
    return {f"s{s}": {str(t): rng.random() + shift * s for t in range(12)} for s in range(systems)}


def test_claims_are_kept_lost_added_and_reversed_as_scipy_has_it() -> None:
    model = simulate_judge(RUNS, NOISY)
    result = judges(RUNS, {"model": model}, "nDCG@10", test="t", draws=20)
    people = score(RUNS, ["nDCG@10"]).values[0, :, :, 0]
    judged = score(rejudged(RUNS, pairs_of(qrels_of(model), RUNS)), ["nDCG@10"]).values[0, :, :, 0]
    signs = [holm_signs(values) for values in (people, judged)]
    both = Counter((signs[0][pair], signs[1][pair]) for pair in signs[0])
    expected = {
        "kept": both[1, 1] + both[-1, -1],
        "lost": both[1, 0] + both[-1, 0],
        "added": both[0, 1] + both[0, -1],
        "reversed": both[1, -1] + both[-1, 1],
        "none": both[0, 0],
    }
    assert dict(result.of("model").counts) == expected
    assert min(expected["kept"], expected["lost"]) > 0
    other = result.frame("systems")
    means = dict(zip(other["system"], other["people_mean"], strict=True))
    assert means == pytest.approx(dict(zip(RUNS.systems, people.mean(axis=0), strict=True)))


def test_outcomes_with_a_margin() -> None:
    assert outcome_of("not worse", "equivalent") == "kept"
    assert outcome_of("equivalent", "not worse") == "lost"
    assert outcome_of("better", "equivalent") == "lost"
    assert outcome_of("better", "worse") == outcome_of("worse", "better") == "reversed"
    assert outcome_of("inconclusive", "inconclusive") == "none"


def test_a_judge_who_agrees_keeps_all_and_one_who_says_the_opposite_reverses_all() -> None:
    rng = np.random.default_rng(2)
    own = table(rng, shift=0.4)
    opposite = {system: {topic: -value for topic, value in scores.items()} for system, scores in own.items()}
    result = ig.judges(
        ig.load_scores(own), {"same": ig.load_scores(own), "opposite": ig.load_scores(opposite)}, draws=50
    )
    same, other = result.each
    assert same.counts["kept"] == same.claimed == other.counts["reversed"] > 0
    assert same.orders.tau == (1, 1, 1)
    assert other.orders.tau.value == -1
    assert same.is_same_best
    assert not other.is_same_best
    kinds = [finding.kind for finding in result.findings()]
    assert kinds[:3] == ["judges-keep", "survival", "survival"]
    assert "reversed" in kinds
    assert {finding.place for finding in result.findings().of("survival")} == {"exploratory"}


def test_claims_against_a_baseline_by_a_margin() -> None:
    result = judges(RUNS, {"model": simulate_judge(RUNS, NOISY)}, "AP", baseline="F1-1", margin="20%", draws=20)
    compared = ig.compare(RUNS, "AP", baseline="F1-1", margin="20%")
    expected = dict(zip(compared.comparison.names, compared.first.verdict.verdicts, strict=True))
    assert {(pair.system, pair.against): pair.people for pair in result.of().survival} == expected
    assert result.frame("pairs")["against"].unique().to_list() == ["F1-1"]


def test_judgments_that_lack_pairs_and_topics_are_noted_and_only_common_ones_can_count(golden: Golden) -> None:
    model = simulate_judge(RUNS, JudgeDesign(0.1, 0.0))
    first, second = RUNS.topics[:2]
    del model[first]
    lost = next(iter(model[second]))
    del model[second][lost]
    model[second]["nobody's"] = 1
    model["another topic"] = {"d": 1}
    result = judges(RUNS, {"model": model}, "nDCG@10", draws=20)
    judged = result.of("model")
    assert judged.topics == 29
    assert (judged.coverage.only_people, judged.coverage.only_judge) == (1, 1)  # type: ignore[union-attr]  # there is one
    assert len(judged.notes) == 4
    golden(result.findings().texts())
    common = judges(RUNS, {"model": model}, "nDCG@10", draws=20, pairs="common").of("model")
    assert common.coverage == judged.coverage
    assert "left out" in common.notes[-1]


def test_bad_judgments_are_refused_with_a_sentence(tmp_path: Path) -> None:
    people = {topic: {"a": 1, "b": 0} for topic in "123"}
    lists = {name: {topic: {"a": 1.0 + (name == "x"), "b": 1.5} for topic in people} for name in "xy"}
    runs = ig.load(people, lists)
    (tmp_path / "j.qrels").write_text("9 0 a 1\n")
    with pytest.raises(InputError, match=r"j.qrels: none of its topics \(9, ...\) is one of people's"):
        judges(runs, tmp_path / "j.qrels")
    (tmp_path / "j.qrels").write_text("1 0 c 1\n2 0 d 1\n")
    with pytest.raises(InputError, match=r"j.qrels:1: none of its 2 documents is one that people judged"):
        judges(runs, tmp_path / "j.qrels")
    with pytest.raises(DesignError, match="shares 1 topic with people; a comparison needs at least 3"):
        judges(runs, {"model": {"1": {"a": 1}}})
    with pytest.raises(DesignError, match="the rule for duplicates 'last' is unknown"):
        judges(runs, {"model": people}, duplicates="last")  # type: ignore[arg-type]  # wrong on purpose
    with pytest.raises(DesignError, match="grades are whole numbers, and 'low' is none"):
        judges(runs, {"model": people}, grades={"low": 0})  # type: ignore[dict-item]  # wrong on purpose
    with pytest.raises(InputError, match=r"--grades=-1=0"):
        judges(runs, {"model": {topic: {"a": -1, "b": 0} for topic in people}})
    off = {topic: {"a": 7, "b": 0} for topic in people}
    with pytest.raises(InputError, match=r"2 of 3 judges cannot be used:\njudge 'x': .*\njudge 'z': "):
        judges(runs, {"x": off, "y": people, "z": off})
    told = judges(runs, {"x": people, "y": people}, draws=5).findings()[0].text
    assert told == "People's judgments support no claim by nDCG@10 that any of 2 judges could keep or lose."
    with pytest.raises(DesignError, match="has no scores of 1 system"):
        judges(ig.load_scores({"a": {"1": 1, "2": 0}, "b": {"1": 1, "2": 1}}), {"m": {"a": {"1": 1, "2": 0}}})
    with pytest.raises(DesignError, match="'grades' is of judgments, and scores were given"):
        judges(ig.load_scores(table(np.random.default_rng(1))), {"m": table(np.random.default_rng(2))}, grades={1: 0})


def test_a_judge_that_says_the_same_of_everything_is_noted() -> None:
    model = {topic: dict.fromkeys(own, 1) for topic, own in simulate_judge(RUNS).items()}
    result = judges(RUNS, {"model": model, "same": model}, "nDCG@10", draws=20)
    judged = result.of("model")
    assert any("says next to nothing" in note for note in judged.notes)
    (said,) = result.findings().of("judgments").texts()
    assert said.startswith("model and same: ")
    nothing = {topic: dict.fromkeys(own, 0) for topic, own in model.items()}
    judged = judges(RUNS, {"model": nothing}, "nDCG@10", draws=20).of()
    assert any("30 topics" in note and "all systems score 0" in note for note in judged.notes)
    assert judged.claimed == judged.counts["lost"]


def test_people_who_judged_a_pair_twice_are_refused_unless_it_is_said_what_counts(
    demo: Path, tmp_path: Path, run: Irgauge
) -> None:
    text = (demo / "qrels.txt").read_text()
    line = text.splitlines()[0]
    (tmp_path / "twice.txt").write_text(f"{text}{line}\n")
    command = "judges", tmp_path / "twice.txt", demo / "runs", "--judge", demo / "qrels.txt", "--draws", 10
    code, _, err = run(*command)
    assert code == 2
    assert "--duplicates first, max, mean" in err
    code, out, _ = run(*command, "--duplicates", "first")
    assert code == 0
    assert "support no claim" in out
    code, out, _ = run(command[0], command[1], *command[3:], "--duplicates", "first")
    assert code == 0


def test_a_file_gives_what_objects_give(demo: Path, tmp_path: Path) -> None:
    collection = ig.load(demo / "qrels.txt", demo / "runs", warn=False)
    simulated = ig.simulate(topics=5, systems=3, families=1, depth=20, corpus_size=200, judge="noise=0.4")
    simulated.write(tmp_path / "made")
    made = ig.judges(
        [tmp_path / "made" / "qrels.txt", tmp_path / "made" / "runs"], tmp_path / "made" / "judge.qrels", draws=9
    )
    of_objects = ig.judges(simulated, {"judge": simulated.judgments()}, draws=9)
    assert made.frame().equals(of_objects.frame())
    with pytest.raises(DesignError, match="files that are read"):
        ig.judges(collection, demo / "qrels.txt", depth=5)


@pytest.mark.parametrize(("judge", "kept", "added"), [("mistral-prompt10", 690, 71), ("llama3.2-prompt20", 0, 0)])
def test_dl21_is_as_it_was_computed_outside(judges_data: Path, judge: str, kept: int, added: int) -> None:
    data = judges_data / "dl21"
    result = judges(
        [data / "qrels.txt.gz", data / "runs"],
        data / "llm" / f"{judge}.qrels.gz",
        "nDCG@10",
        test="t",
        grades={4: 4, 5: 5},
        draws=20,
        precision="single",  # ties as in trec_eval's floats; in double precision 871 claims, as one p-value is 0.05006
    )
    judged = result.of(judge)
    assert judged.counts["kept"] == kept
    assert judged.counts["added"] == added
    assert judged.counts["reversed"] == 0
    assert judged.claimed == 872
    assert not judged.is_same_best


def test_every_file_of_dl21_works_or_says_why_not(judges_data: Path) -> None:
    data = judges_data / "dl21"
    runs = ig.load(data / "qrels.txt.gz", data / "runs", warn=False).only(list(range(0, 63, 9)))
    for path in sorted((data / "llm").iterdir()):
        try:
            judged = judges(runs, path, draws=2).each[0]
        except InputError as error:
            assert path.name.startswith("mistral")  # only some are refused
            assert "off people's scale, which is 0 to 3" in str(error)  # noqa: PT017  # the same
            meant = dict.fromkeys(range(4, 10), 3)
            judged = judges(runs, path, draws=2, grades=meant).each[0]
        assert judged.topics == 53


def test_frames_hold_pairs_from_peoples_side() -> None:
    result = judges(RUNS, {"model": simulate_judge(RUNS, NOISY)}, "nDCG@10", draws=20)
    pairs = result.frame("pairs")
    assert (pairs["people_difference"] >= 0).all()
    assert ((pairs["low"] <= pairs["difference"]) & (pairs["difference"] <= pairs["high"])).all()
    turned = pairs.filter(pl.col("difference") < 0)
    assert len(turned)
    assert set(turned["verdict"]) <= {"worse", "inconclusive"}


def test_grades_are_compared_document_by_document(golden: Golden) -> None:
    model, other = (simulate_judge(RUNS, design, seed=9) for design in (NOISY, JudgeDesign(0.1, 0.0)))
    lacking = RUNS.topics[0]
    del other[lacking]
    result = judges(RUNS, {"model": model, "other": other}, "nDCG@10", draws=20)
    people = to_dicts(RUNS).qrels
    for compared, (first, second) in zip(
        result.grading, ((people, model), (people, other), (model, other)), strict=True
    ):
        pairs = [(topic, docno) for topic in second for docno in second[topic] if docno in first.get(topic, {})]
        grades = np.array([[own[topic][docno] for topic, docno in pairs] for own in (first, second)])
        assert compared.pairs == len(pairs)
        assert compared.estimates["kappa"].value == pytest.approx(cohen_kappa_score(*grades), abs=1e-12)
        assert compared.estimates["leniency"].value == pytest.approx((grades[1] - grades[0]).mean())
    assert [(own.judge, own.against) for own in result.grading] == [
        ("model", "people"),
        ("other", "people"),
        ("other", "model"),
    ]
    confusion = result.frame("confusion").filter(judge="model", against="people")
    assert confusion["count"].sum() == result.grading[0].pairs
    assert set(result.frame("topics").filter(judge="model", against="people")["topic"]) == set(RUNS.topics)
    golden(result.findings().of("grades").texts())


def test_judgments_without_runs_are_compared_document_by_document(demo: Path, run: Irgauge) -> None:
    code, out, _ = run("judges", demo / "qrels.txt", "--judge", f"same={demo / 'qrels.txt'}", "--draws", 20)
    assert code == 0
    assert out.startswith("- Document by document, same gives 100 % of")
    result = ig.judges(demo / "qrels.txt", {"same": demo / "qrels.txt"}, draws=20)
    assert result["same"].judge == "same"
    assert result.frame()["statistic"].to_list()[:2] == ["same", "kappa"]
    with pytest.raises(DesignError, match="without runs say nothing of systems"):
        result.chart("means")


def test_33_judges_have_the_kappas_of_scikit_learn(judges_data: Path) -> None:
    folder = judges_data / "llmjudge"
    result = judges(folder / "human.qrels.gz", folder / "llm", grades={5: 3, 10: 3}, draws=20)
    assert len(result.with_people) == 33
    people, own = (
        {(topic, docno): min(int(grade), 3) for topic, _, docno, grade in map(str.split, lines_of(path))}
        for path in (folder / "human.qrels.gz", folder / "llm" / "Olz-gpt4o.qrels.gz")
    )
    pairs = sorted(people.keys() & own.keys())
    compared = next(each for each in result.with_people if each.judge == "Olz-gpt4o")
    assert compared.pairs == len(pairs)
    expected = cohen_kappa_score([people[pair] for pair in pairs], [own[pair] for pair in pairs], weights="quadratic")
    assert compared.estimates["kappa_quadratic"].value == pytest.approx(expected, abs=1e-12)


def test_favour_is_what_scipy_finds_and_statsmodels_corrects() -> None:
    model = simulate_judge(RUNS, JudgeDesign(noise=0.1, leniency=0.1, favour=0.8))
    groups = {system: system[:2] for system in RUNS.systems}
    result = judges(RUNS, {"model": model}, "nDCG@10", test="t", groups=groups, draws=20)
    people = score(RUNS, ["nDCG@10"]).values[0, :, :, 0]
    judged = score(rejudged(RUNS, pairs_of(qrels_of(model), RUNS)), ["nDCG@10"]).values[0, :, :, 0]
    added = judged - people
    against = added - added.mean(axis=1, keepdims=True)
    names = sorted(set(groups.values()))
    of_groups = [against[:, [groups[s] == name for s in RUNS.systems]].mean(axis=1) for name in names]
    columns = [*against.T, *of_groups]
    tests = [stats.ttest_1samp(column, 0) for column in columns]
    adjusted = multipletests([test.pvalue for test in tests], method="holm")[1]
    intervals = [test.confidence_interval(1 - 0.05 / len(columns)) for test in tests]
    rows = result.frame("favour")
    assert rows["system"].to_list() + rows["group"].to_list()[7:] == [*RUNS.systems, *[None] * len(names), *names]
    np.testing.assert_allclose(rows["difference"], [column.mean() for column in columns], atol=1e-9)
    np.testing.assert_allclose(rows["p_adjusted"], adjusted, rtol=1e-6)
    np.testing.assert_allclose(rows["low"], [interval.low for interval in intervals], atol=1e-8)
    assert rows.sort("difference")["system"][-1] == RUNS.systems[0]
    finding = result.findings().of("favour")[0]
    assert finding.place == "secondary"
    assert RUNS.systems[0] in finding.claims[0].terms
    with pytest.raises(DesignError, match="the groups name 1 system"):
        judges(RUNS, {"model": model}, groups={"nobody": "x"})


def test_a_judge_who_favours_nobody_is_seldom_said_to() -> None:
    """Judges that add the same noise to all systems: in at most α of experiments one is said to be favoured."""
    rng, trials, alpha = np.random.default_rng(4), 300, 0.1
    wrong = 0
    for _ in range(trials):
        people = rng.random((25, 6))
        side = Sides(
            "m", tuple(map(str, range(25))), people, people + 0.2 + rng.normal(0, 0.1, (25, 6)), None, None, ()
        )
        found = favours_of([side], "abcdef", {}, default_test("topics"), alpha)
        wrong += any(favour.is_found(alpha) for favour in found)
    assert wrong <= trials * (alpha + 3 * np.sqrt(alpha * (1 - alpha) / trials))


def test_topics_that_only_a_judge_judged_correct_claims(tmp_path: Path, golden: Golden) -> None:
    simulated = ig.simulate(topics=40, systems=5, families=2, depth=30, corpus_size=400, judge="noise=0.1", seed=3)
    simulated.write(tmp_path / "made")
    collection = simulated.collection()
    few = set(collection.topics[:15])
    rows = [line for line in (tmp_path / "made" / "qrels.txt").read_text().splitlines() if line.split()[0] in few]
    (tmp_path / "few.txt").write_text("\n".join(rows))
    judgments = simulated.judgments()
    result = judges([tmp_path / "few.txt", tmp_path / "made" / "runs"], {"model": judgments}, "AP", draws=20)
    (claims,) = result.corrected
    assert (claims.topics, claims.judged, claims.place) == (15, 25, "primary")
    people = score(collection, ["AP"]).values[0, :15, :, 0]
    model = score(rejudged(collection, pairs_of(qrels_of(judgments), collection)), ["AP"]).values[0, :, :, 0]
    for pair in claims.pairs:
        a, b = (collection.systems.index(system) for system in (pair.system, pair.against))
        own, same, others = ((x[:, [a]] - x[:, [b]]) for x in (people, model[:15], model[15:]))
        expected = corrected(own, same, others)
        assert pair.difference == pytest.approx(expected.difference[0], abs=1e-12)
        assert pair.p == pytest.approx(expected.p[0], rel=1e-6)
    assert claims.worth[1] > 15
    told = result.findings().of("corrected")
    golden(told.texts())
    assert told[0].place == "primary"
    assert {pair for claim in told[0].claims for pair in claim.pairs} == {
        (p.system, p.against) for p in claims.differing
    }
    assert len(result.frame("corrected")) == 10
    of_tables = [
        ig.load_scores(values, systems=collection.systems, topics=topics, measure="AP")
        for values, topics in ((people, collection.topics[:15]), (model, collection.topics))
    ]
    by_tables = judges(of_tables[0], {"model": of_tables[1]}, draws=20, margin=0.5)
    assert by_tables.corrected[0].pairs[0].difference == pytest.approx(claims.pairs[0].difference, abs=1e-12)
    assert {pair.verdict for pair in by_tables.corrected[0].pairs} == {"equivalent"}
    assert not judges(collection, {"model": judgments}, "AP", draws=20).corrected
    strata = TopicTable({"stratum": {topic: str(t % 2) for t, topic in enumerate(collection.topics)}})
    drawn = judges(of_tables[0], {"model": of_tables[1]}, draws=20, strata=strata)
    shares, first = np.array([20, 20]) / 40, [people[h::2].mean(axis=0) for h in range(2)]
    means = dict(zip(collection.systems, shares @ np.array(first), strict=True))
    pair = drawn.corrected[0].pairs[0]
    assert pair.people_difference == pytest.approx(means[pair.system] - means[pair.against])
    assert "in strata of topics" in drawn.provenance.text
    with pytest.raises(DesignError, match="no judge has topics besides people's"):
        judges(collection, {"model": judgments}, "AP", draws=20, strata=strata)


def people_and_judge(answerless: int, judged: int = 20) -> tuple[dict[str, dict[str, int]], dict[str, dict[str, int]]]:
    """People's judgments of the first of 40 topics, and a judge's of all, who is right; some have nothing relevant."""
    right = {str(t): {"a": int(t % 20 >= answerless), "b": 0} for t in range(40)}
    return dict(list(right.items())[:judged]), right


def two_runs() -> dict[str, dict[str, dict[str, float]]]:
    """A system that finds the relevant document first, and one that does so on every third topic."""
    good = {str(t): {"a": 2.0, "b": 1.0} for t in range(40)}
    return {"good": good, "poor": {t: {"b": 2.0, "a": 1.0 + 2 * (int(t) % 3 == 0)} for t in good}}


def test_claims_are_corrected_only_where_the_same_kind_of_topics_counts_on_both_sides() -> None:
    """With a judge who is right, the estimate is near the mean of all topics, or there is none."""
    people, right = people_and_judge(answerless=10)
    result = judges((people, two_runs()), {"right": right}, "P@1", draws=20)
    assert not result.corrected
    (why,) = (note for note in result.of().notes if "--topics judged" in note)
    assert "10 topics" in why
    assert any("left out here" in note for note in result.of().notes)
    (claims,) = judges((people, two_runs()), {"right": right}, "P@1", topics="judged", draws=20).corrected
    truth = np.mean([grades["a"] * (int(topic) % 3 != 0) for topic, grades in right.items()])
    assert claims.pairs[0].difference == pytest.approx(truth, abs=0.05)
    by_judge_alone = {**right, **{topic: {"a": 1, "b": 0} for topic in people}}
    whole = {topic: by_judge_alone[topic] for topic in people}
    result = judges((whole, two_runs()), {"right": by_judge_alone}, "P@1", draws=20)
    assert not result.corrected
    assert any("that it alone judged without a relevant" in note for note in result.of().notes)


@pytest.mark.parametrize(("shared", "is_used"), [(4, False), (5, True)])
def test_notes_say_whether_other_topics_are_used(shared: int, *, is_used: bool) -> None:
    people, right = people_and_judge(answerless=0, judged=shared)
    result = judges((people, two_runs()), {"right": right}, "P@1", draws=20)
    assert bool(result.corrected) == is_used
    said = [*result.of().notes, *(note.text for note in result.notes)]
    assert [("used for corrected claims" in note, "left out" in note) for note in said] == [(is_used, not is_used)] * 3


def test_a_share_of_the_baselines_mean_is_tested_as_a_ratio_in_corrected_claims() -> None:
    """Systems that are worse by the margin in truth: at most α of them are said to be not worse."""
    rng, trials, share, wrong = np.random.default_rng(0), 400, 0.2, 0
    deciding = Deciding(default_test("topics"), 0.05, "b", Margin(share, is_share=True), None)
    for _ in range(trials):
        b = rng.beta(0.6, 1.4, 330)
        scores = np.column_stack([b, (1 - share) * b + rng.normal(0, 0.02, 330)])
        judged = scores + rng.normal(0, 0.007, scores.shape)
        topics = tuple(map(str, range(30)))
        side = Sides("m", topics, scores[:30], judged[:30], None, None, (), judged[30:])
        (claims,) = corrected_claims([side], "bc", [0, 1], deciding)
        wrong += claims.pairs[0].verdict in ("not worse", "equivalent", "better")
    assert wrong <= trials * (0.05 + 3 * np.sqrt(0.05 * 0.95 / trials))


def test_the_method_names_the_test_of_favour_where_it_is_another() -> None:
    model = {"model": simulate_judge(RUNS, NOISY)}
    by_pairs = judges(RUNS, model, "AP", test="wilcoxon", draws=20)
    by_t = judges(RUNS, model, "AP", test="max-t", draws=20)
    assert "favour by" not in by_pairs.provenance.text
    assert "favour by the paired t-test over topics" in by_t.provenance.text


def test_several_judges_are_a_sample_of_judges() -> None:
    runs = simulate(replace(DESIGN, systems=4, families=2, topics=7)).collection()
    models = {f"m{seed}": simulate_judge(runs, NOISY, seed=seed) for seed in range(4)}
    result = judges(runs, models, "nDCG@10", draws=5)
    variation = result.variation
    assert variation is not None
    values = np.stack(
        [
            score(rejudged(runs, pairs_of(qrels_of(own), runs)), ["nDCG@10"]).values[0, :, :, 0]
            for own in models.values()
        ],
        axis=2,
    )
    topics, systems, graders = values.shape
    cells = pl.DataFrame(
        [(t, s, j, values[t, s, j]) for t in range(topics) for s in range(systems) for j in range(graders)],
        schema=["t", "s", "j", "y"],
        orient="row",
    ).to_pandas()
    squares = anova_lm(ols("y ~ (C(t) + C(s) + C(j)) ** 2", cells).fit())["mean_sq"]
    rest = squares["Residual"]
    assert found(result, "topic:system:judge") == pytest.approx(rest)
    assert found(result, "system:judge") == pytest.approx(max(0, (squares["C(s):C(j)"] - rest) / topics), abs=1e-12)
    assert found(result, "judge") == pytest.approx(
        max(0, (squares["C(j)"] - squares["C(t):C(j)"] - squares["C(s):C(j)"] + rest) / (topics * systems)), abs=1e-12
    )
    assert sum(own.share for own in variation.components) == pytest.approx(1)
    finding = result.findings().of("other-judges")[0]
    assert (finding.place, finding.population) == ("secondary", "topics+judges")
    assert result.favours[0].p_adjusted >= result.favours[0].p
    assert judges(runs, {name: models[name] for name in ("m0", "m1")}, "nDCG@10", draws=5).variation is None


def found(result: Judged, component: str) -> float:
    return float(result.frame("components").filter(component=component)["variance"][0])


@pytest.mark.parametrize("judge", ["llama3.2-prompt10", "llama3.2-prompt20", "gpt-4o-prompt0"])
def test_corrected_claims_keep_their_rate_with_dl21_as_the_world(judges_data: Path, judge: str) -> None:
    """Topics by people and topics by the judge are drawn from the 53, whose means by people are the truth."""
    data, rng, trials, alpha = judges_data / "dl21", np.random.default_rng(6), 200, 0.05
    runs = ig.load(data / "qrels.txt.gz", data / "runs", warn=False).only(list(range(0, 63, 6)))
    model = rejudged(runs, pairs_of(judges_of(data / "llm" / f"{judge}.qrels.gz")[0].read(), runs))
    first, second = np.triu_indices(len(runs.systems), 1)
    people, own = (
        (values[:, first] - values[:, second])
        for values in (score(each, ["nDCG@10"]).values[0, :, :, 0] for each in (runs, model))
    )
    wrong_pairs, wrong = [], 0
    for _ in range(trials):
        drawn, others = rng.integers(0, 53, 20), rng.integers(0, 53, 200)
        p = corrected(people[drawn] - people.mean(axis=0), own[drawn], own[others]).p
        wrong_pairs.append((p <= alpha).mean())
        wrong += int(HOLM.adjusted(p).min() <= alpha)
    assert np.mean(wrong_pairs) <= alpha + 3 * np.std(wrong_pairs) / np.sqrt(trials)
    assert wrong / trials <= alpha + 3 * np.sqrt(alpha * (1 - alpha) / trials)


def test_a_column_of_a_table_says_whose_score_it_is(tmp_path: Path) -> None:
    rng = np.random.default_rng(8)
    rows = [
        (judge, str(t), system, float(rng.random() + (system == "a") / 2))
        for judge in ("people", "gpt", "llama")
        for t in range(12)
        for system in "abc"
    ]
    table = pl.DataFrame(rows, ["judge", "topic", "system", "AP"], orient="row")
    each = {name: table.filter(judge=name).drop("judge") for name in ("people", "gpt", "llama")}
    apart = judges(each.pop("people"), each, draws=20)
    together = judges(table, judge_column="judge", draws=20)
    assert together.frame().equals(apart.frame())
    path = tmp_path / "scores.csv"
    table.write_csv(path)
    assert judges(path, judge_column="judge", draws=20).frame().equals(apart.frame())
    with pytest.raises(DesignError, match=r"says gpt, llama; people's scores are .* with --columns replicate="):
        judges(table.filter(pl.col("judge") != "people"), judge_column="judge")
    with pytest.raises(InputError, match="the column of the table 'juge' is unknown; did you mean 'judge'"):
        judges(table, judge_column="juge")
    with pytest.raises(DesignError, match="leave one of the two out"):
        judges(table, each, judge_column="judge")
    path.write_text(path.read_text().replace("gpt,3,b", ",3,b"))
    with pytest.raises(InputError, match=r"scores.csv:\d+: the column 'judge' is empty"):
        judges(path, judge_column="judge")
