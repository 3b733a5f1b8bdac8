"""Where less is better: negating all scores and turning the direction gives the same verdicts, and mirrored numbers."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import irgauge as ig
from irgauge.scoring.direction import is_usually_higher, is_usually_lower
from irgauge.scoring.measures import Measure
from irgauge.show.marks import Marked
from irgauge.studies.compare.forms import paper
from irgauge.studies.compare.github import github
from irgauge.studies.result import Result

ENDS = [(f"{name}low", f"{name}high") for name in ("", "margin_", "hpd_", "tukey_", "sem_", "anova_", "expected_")]
SIGNED = ("difference", "mean", "baseline_mean", "candidate_mean", "statistic", "effect", "t", "score", "other")


def scores(seed: int, replicates: int = 1) -> pl.DataFrame:
    """Positive scores of four systems on topics, of which the second is much like the first."""
    rng = np.random.default_rng(seed)
    topics, systems = 24, ["a", "b", "c", "d"]
    level = rng.lognormal(0, 0.6, (topics, 1, 1))
    values = level * np.array([1.0, 1.01, 1.15, 1.6])[:, None] * rng.lognormal(0, 0.12, (topics, 4, replicates))
    rows = [
        {"topic": f"q{t}", "system": systems[s], "replicate": str(r), "latency": values[t, s, r]}
        for t, s, r in np.ndindex(values.shape)
    ]
    frame = pl.DataFrame(rows)
    return frame if replicates > 1 else frame.drop("replicate")


def negated(frame: pl.DataFrame) -> pl.DataFrame:
    return frame.with_columns(-pl.col("latency"))


def mirrored(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Rows of a frame with their numbers as they are of the negatives of all scores."""
    out = []
    for row in rows:
        turned = dict(row)
        for low, high in ENDS:
            if row.get(low) is not None:
                turned[low], turned[high] = -row[high], -row[low]
        for name in SIGNED:
            if isinstance(row.get(name), float) and not (name == "statistic" and row.get("test") == "wilcoxon"):
                turned[name] = -row[name]
        turned["direction"] = {"higher": "lower", "lower": "higher"}.get(str(row.get("direction")))
        out.append(turned)
    return out


def false_pairs(result: Result, sign: int) -> list[object]:
    """Of each claim, the pairs that are not so where the means are these."""
    truth = {"a": sign * 1.0, "b": sign * 1.2, "c": sign * 1.1, "d": sign * 1.6}
    return [claim.false_pairs(truth) for finding in result.findings() for claim in finding.claims if claim.pairs]


def same_but_mirrored(lower: Result, higher: Result, *names: str) -> None:
    """All numbers of the frames, to rounding, and all words; and which claims are false, the truth being mirrored."""
    assert false_pairs(lower, 1) == false_pairs(higher, -1)
    for name in names:
        left, right = lower.frame(name).to_dicts(), mirrored(higher.frame(name).to_dicts())
        assert len(left) == len(right) > 0
        for row, other in zip(left, right, strict=True):
            for column, value in row.items():
                if column == "direction":
                    assert value in ("lower", None)
                elif isinstance(value, float) and isinstance(other[column], float):
                    assert value == pytest.approx(other[column], rel=1e-9, abs=1e-12), (name, column)
                else:
                    assert value == other[column], (name, column)


COMPARED: dict[str, Mapping[str, Any]] = {
    "all pairs": {},
    "baseline": {"baseline": "b"},
    "share": {"baseline": "b", "margin": "5%"},
    "amount": {"margin": 0.1},
    **{
        test: {"test": test, "draws": 400, "margin": 0.1}
        for test in ("t", "wilcoxon", "tukey", "randomization", "max-t")
    },
    "one-sided": {"test": "dunnett", "baseline": "b", "sides": 1},
}


@pytest.mark.parametrize("name", COMPARED)
def test_comparisons_are_mirrored(name: str) -> None:
    data, options = scores(len(name)), dict(COMPARED[name])
    lower = ig.compare(data, "latency:lower", **options)
    higher = ig.compare(negated(data), "latency:higher", **options)
    same_but_mirrored(lower, higher, "pairs", "systems", "topics")
    assert lower.comparison.systems == higher.comparison.systems


GATED: tuple[tuple[Callable[[int], pl.DataFrame], str, Mapping[str, Any]], ...] = (
    (scores, "c", {"margin": "5%"}),
    (scores, "a", {"margin": "3%"}),
    (scores, "d", {"margin": 0.2}),
    (lambda seed: scores(seed, 3), "c", {"margin": "5%"}),
    (lambda seed: scores(seed, 3), "a", {"margin": 0.1}),
)


@pytest.mark.parametrize("case", range(len(GATED)))
def test_gates_are_mirrored(case: int) -> None:
    make, candidate, options = GATED[case]
    for seed in range(3):
        data = make(seed)
        lower = ig.gate(data, "b", candidate, "latency:lower", **options)
        higher = ig.gate(negated(data), "b", candidate, "latency:higher", **options)
        same_but_mirrored(lower, higher, "pairs", "topics")
        assert (lower.exit_code, lower.needed) == (higher.exit_code, higher.needed)


@pytest.mark.parametrize("options", [{"baseline": "b"}, {}, {"variances": "common"}])
def test_algorithms_are_mirrored(options: Mapping[str, Any]) -> None:
    data, asked = scores(5, 3), {"margin": 0.1, "draws": 300, "posterior": not options, **options}
    lower = ig.instances(data, "latency:lower", **asked)
    higher = ig.instances(negated(data), "latency:higher", **asked)
    if lower.posterior is None:
        same_but_mirrored(lower, higher, "pairs", "systems", "singles")
        return
    for left, right in zip(lower.frame("pairs").to_dicts(), higher.frame("pairs").to_dicts(), strict=True):
        assert left["verdict"] == right["verdict"]
        assert (left["hpd_verdict"] == "better") <= (left["hpd_high"] < 0)
        assert (left["hpd_verdict"] == "worse") <= (left["hpd_low"] > 0)
        for name in ("probability_better", "probability_within", "probability_worse"):
            assert left[name] == pytest.approx(right[name], abs=0.1)  # other draws of the same posterior


@pytest.mark.parametrize("options", [{"baseline": "b", "margin": "5%"}, {}])
def test_suites_are_mirrored(options: Mapping[str, Any]) -> None:
    data = {f"c{seed}": scores(seed) for seed in range(3)}
    lower = ig.suite(data, "latency:lower", **options)
    higher = ig.suite({name: negated(own) for name, own in data.items()}, "latency:higher", **options)
    same_but_mirrored(lower, higher, "pairs", "systems", "collection-pairs", "collection-systems")


def test_plans_are_the_same() -> None:
    lower = ig.plan(scores(1), "latency:lower", difference=0.1)
    higher = ig.plan(negated(scores(1)), "latency:higher", difference=0.1)
    same_but_mirrored(lower, higher, "needed")


def test_a_slower_system_fails_a_gate_and_is_said_to_be_worse() -> None:
    gated = ig.gate(scores(1), "a", "d", "latency:lower:5%")
    assert (gated.verdict, gated.exit_code) == ("fail", 1)
    assert "d is worse than a in latency (lower is better, difference" in gated.findings()[0].text


@pytest.mark.parametrize("name", ["latency_ms", "responseTime", "WER", "val-loss", "took", "p95"])
def test_a_gate_refuses_a_name_that_usually_means_lower(name: str) -> None:
    data = scores(1).rename({"latency": name})
    with pytest.raises(
        ig.DesignError, match=f"'{name}' sounds as if lower .* write '{name}:lower:5%', or '{name}:higher"
    ):
        ig.gate(data, "a", "b", f"{name}:5%")
    warned = [finding.text for finding in ig.compare(data).findings() if finding.kind == "direction-guessed"]
    assert len(warned) == 1
    assert f"{name}:lower" in warned[0]
    assert ig.gate(data, "a", "d", f"{name}:higher", margin="5%").verdict == "pass"
    assert not [each for each in ig.compare(data, f"{name}:lower").findings() if each.kind == "direction-guessed"]


GUESSING: dict[str, Callable[[str | None], Result]] = {
    "suite": lambda measure: ig.suite({"one": scores(1), "two": scores(2), "three": scores(3)}, measure),
    "teams": lambda measure: ig.teams(scores(1), measure, groups={"a": "x", "b": "x"}),
    "topics": lambda measure: ig.topics(scores(1), measure),
    "instances": lambda measure: ig.instances(scores(1, 3), measure, posterior=False),
    "score": lambda measure: ig.score(scores(1), measure),
}


@pytest.mark.parametrize("study", GUESSING)
def test_studies_that_rank_warn_of_a_guessed_direction(study: str) -> None:
    warned = {
        measure: [finding.text for finding in GUESSING[study](measure).findings().of("direction-guessed")]
        for measure in (None, "latency:lower", "latency:higher")
    }
    assert len(warned[None]) == 1
    assert "'latency:lower'" in warned[None][0]
    assert not warned["latency:lower"]
    assert not warned["latency:higher"]


COUNTED_AGAINST = (
    "prompt_tokens, p95_ms, p95_response, zero_results, zero_result_rate, zeroResults, no_results, empty results, "
    "bounce_rate, cart_abandonment, reformulations, timeouts, failure_rate"
)
COUNTED_FOR = (
    "faithfulness, answer_relevancy, context_recall, response_groundedness, f1, token_f1, score, ndcg_shop, ClickRate, "
    "exact_match, rougeL, bert_score, CTR, hit_rate"
)


def test_a_comparison_says_with_its_verdict_that_a_direction_is_a_guess() -> None:
    data, guess = scores(1), "latency (lower taken as better)"
    for some in (data, data.filter(pl.col("system").is_in(["a", "d"]))):
        compared = ig.compare(some)
        assert guess in compared.findings()[0].text
        assert guess in github(compared).split("\n")[2]
        assert guess not in ig.compare(some, "latency:higher").findings()[0].text


def test_names_tell_directions() -> None:
    assert all(map(is_usually_lower, COUNTED_AGAINST.split(", ")))
    assert not any(map(is_usually_higher, COUNTED_AGAINST.split(", ")))
    assert all(map(is_usually_higher, COUNTED_FOR.split(", ")))
    assert not any(map(is_usually_higher, ("zero_clicks", "score_std", "click_position", "depth", "x")))


def test_a_gate_names_a_word_that_is_no_direction() -> None:
    with pytest.raises(ig.DesignError, match="'down' is no direction; write 'latency:lower' or 'latency:higher'"):
        ig.gate(scores(1), "a", "b", "latency:down:5%")


def test_a_gate_refuses_a_name_that_tells_no_direction(tmp_path: Path) -> None:
    data = scores(1).rename({"latency": "depth"})
    with pytest.raises(ig.DesignError, match=r"'depth' does not tell which scores are better.* write 'depth:lower:5%'"):
        ig.gate(data, "a", "b", "depth:5%")
    assert ig.gate(data, "a", "d", "depth:higher:5%").verdict == "pass"
    data.pivot("system", index="topic", values="depth").write_csv(tmp_path / "rag.csv")  # which names no measure
    assert ig.gate(tmp_path / "rag.csv", "a", "d", margin="5%").verdict == "pass"
    assert not ig.compare(data).findings().of("direction-guessed")


@pytest.mark.parametrize("name", ["token_f1", "timely", "faithfulness", "MS MARCO", "recall", "f1", "terms"])
def test_other_names_are_not_suspected(name: str) -> None:
    assert not is_usually_lower(name)


@pytest.mark.parametrize(
    ("measure", "direction"),
    [
        ("AP", "higher"),
        ("Unjudged@10", "lower"),
        ("NumNonrelRet@10", "lower"),
        ("RBP(residual=True)", "lower"),
        ("RBP", "higher"),
        ("NumRet", None),
        ("num_rel_ret", "higher"),
        ("NumQ", None),
        ("NumRel", None),
    ],
)
def test_measures_of_our_own_have_their_direction(measure: str, direction: str | None) -> None:
    assert Measure.parse(measure).direction == direction


RUNS: dict[str, dict[str, dict[str, float]]] = {
    name: {str(t): {f"d{(t + shift * (t % 4 > 0) + i) % 9}": 9.0 - i for i in range(5)} for t in range(30)}
    for name, shift in (("good", 0), ("poor", 4))
}
QRELS = {str(t): {f"d{(t + i) % 9}": int(i < 4) for i in range(9)} for t in range(30)}


def test_fewer_documents_that_are_not_relevant_are_better() -> None:
    gated = ig.gate((QRELS, RUNS), "poor", "good", "NumNonrelRet@5:0.5")
    assert gated.verdict == "pass"
    assert ig.gate((QRELS, RUNS), "good", "poor", "NumNonrelRet@5:0.5").verdict == "fail"
    compared = ig.compare((QRELS, RUNS), ["NumNonrelRet@5", "P@5"])
    assert [each.comparison.systems[0] for each in compared.each] == ["good", "good"]
    assert ig.agreement((QRELS, {**RUNS, "again": RUNS["good"]}), ["NumNonrelRet@5", "P@5"]).pairs[0].tau == 1


@pytest.mark.parametrize("verb", [ig.compare, lambda data, measure: ig.gate(data, "good", "poor", measure, margin=1)])
def test_a_count_that_is_neither_better_nor_worse_is_no_claim(verb: Callable[..., object]) -> None:
    with pytest.raises(
        ig.DesignError, match=r"neither higher nor lower scores of NumRet@10 are better.*NumRet@10:lower"
    ):
        verb((QRELS, RUNS), "NumRet@10")
    assert ig.score((QRELS, RUNS), "NumRet@10").frame()["direction"].to_list() == [None, None]


def test_a_direction_that_is_not_the_measures_is_refused() -> None:
    with pytest.raises(ig.DesignError, match="'AP:lower' is not possible: higher scores of AP are better; write 'AP'"):
        ig.compare((QRELS, RUNS), "AP:lower")


def test_a_missing_topic_is_not_the_best_score() -> None:
    lacking = {
        name: {topic: own for topic, own in run.items() if name == "good" or topic != "3"} for name, run in RUNS.items()
    }
    with pytest.raises(
        ig.InputError, match="poor has no score on topic '3', and lower scores of NumNonrelRet@5 are better"
    ):
        ig.compare(ig.load(QRELS, lacking, warn=False), "NumNonrelRet@5")
    assert ig.compare(ig.load(QRELS, lacking, missing="drop", warn=False), "NumNonrelRet@5").comparison.topics == 29


def test_other_studies_refuse_measures_of_which_less_is_better() -> None:
    runs = ig.load(QRELS, RUNS, warn=False)
    for verb in (ig.partition, ig.robustness, ig.bootstrap, ig.pools):
        with pytest.raises(ig.DesignError, match=r"lower scores of Unjudged@5 are better, and `.*` takes higher"):
            verb(runs, "Unjudged@5")


def test_what_is_best_is_bold_in_a_paper(tmp_path: Path) -> None:
    data = scores(1).with_columns(quality=1 / pl.col("latency"))
    compared = ig.compare(data, ["latency:lower", "quality"])
    assert [row[0] for row in paper(compared).rows if isinstance(row[1], Marked) and row[1].is_bold] == ["a"]
    compared.save(tmp_path / "compared.json")
    assert set(ig.read(tmp_path / "compared.json").frame().filter(measure="latency")["direction"]) == {"lower"}


def test_a_report_follows_the_direction() -> None:
    page = ig.report(scores(1), measures=["latency:lower"])
    text = " ".join(finding.text for finding in page.findings())
    assert "a is the best of 4 systems" in text


def test_the_hardest_topic_has_the_largest_score() -> None:
    result = ig.topics(scores(1), "latency:lower")
    means = scores(1).group_by("topic").agg(pl.col("latency").mean()).sort("latency")
    assert (result.topics[0].topic, result.topics[-1].topic) == (means["topic"][-1], means["topic"][0])
    assert "the hardest of 24 topics" in str(result)


@pytest.mark.parametrize("name", ["ndcg", "nDCG", "latency:lower"])
def test_a_measure_of_instances_is_found_by_any_of_its_names(name: str) -> None:
    table = scores(3, replicates=3).with_columns(ndcg=1 - pl.col("latency") / 100)
    result = ig.instances(table, name)
    assert result.scores.direction == ("lower" if "lower" in name else "higher")
