"""The reason: which topics lose most, and what both rank there, as it was scored."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import polars as pl
import pytest

import irgauge as ig
from irgauge.studies.gate.reason import RankedDocument, Reason
from irgauge.studies.gate.study import Gated
from oracles.gate_runs import BASE, QRELS, TOPICS, lower, ranked, write_scores

Irgauge = Callable[..., tuple[int, str, str]]
Graded = dict[str, dict[str, int]]
Runs = dict[str, dict[str, float]]
KINDS = {"topic": TOPICS, "query": [f"who sang {topic}" for topic in TOPICS], "type": ["long", "short"] * 15}


def reason_of(result: Gated) -> Reason:
    assert result.reason is not None
    return result.reason


def slow_list(run: Runs, topic: str, *, single: bool = False) -> list[str]:
    """All documents in the order of trec_eval."""
    scores = {doc: float(np.float32(score)) if single else score for doc, score in run.get(topic, {}).items()}
    return sorted(scores, key=lambda doc: (scores[doc], doc.encode()), reverse=True)


def slow_documents(qrels: Graded, topic: str, own: list[str], other: list[str]) -> list[RankedDocument]:
    return [
        RankedDocument(doc, qrels[topic].get(doc), other.index(doc) + 1 if doc in other else None) for doc in own[:10]
    ]


def drawn(rng: np.random.Generator, share: float) -> Runs:
    """Lists with ties, also of scores that only 32 bits take as equal."""
    scores = np.array([1.0, 1.0 + 1e-9, 2.0, 3.0])
    return {
        topic: {
            f"d{doc}": float(scores[rng.integers(4)]) + (doc < 5) * share
            for doc in rng.choice(40, rng.integers(3, 25), replace=False).tolist()
        }
        for topic in TOPICS
    }


@pytest.mark.parametrize("precision", ["double", "single"])
@pytest.mark.parametrize("way", ["files", "objects", "loaded"])
def test_lists_are_in_the_order_of_trec_eval(precision: str, way: str, tmp_path: Path) -> None:
    rng = np.random.default_rng(3)
    qrels = {
        topic: {f"d{doc}": int(doc < 5) * (1 + doc % 2) for doc in range(0, 40, 3)} | {"d1": 1} for topic in TOPICS
    }
    old, new = drawn(rng, 9.0), drawn(rng, 0.0)
    sides: tuple[object, object, object] = (qrels, {"old": old}, {"new": new})
    if way == "files":
        (tmp_path / "qrels").write_text("".join(f"{t} 0 {d} {g}\n" for t, of in qrels.items() for d, g in of.items()))
        for name, run in {"old": old, "new": new}.items():
            lines = "".join(f"{t} Q0 {d} 1 {score!r} x\n" for t, of in run.items() for d, score in of.items())
            (tmp_path / f"{name}.run.gz").write_bytes(gzip.compress(lines.encode()))
        sides = (tmp_path / "qrels", tmp_path / "old.run.gz", tmp_path / "new.run.gz")
    if way == "loaded":
        runs = ig.load(qrels, {"old": old, "new": new}, precision=precision)  # type: ignore[arg-type]  # a literal
        result = ig.gate(runs, "old", "new", "nDCG@10", margin="1%")
    else:
        result = ig.gate(*sides, "nDCG@10", margin="1%", precision=precision)  # type: ignore[arg-type]  # the same
    reason = reason_of(result)
    assert len(reason.lists) == 3
    for lists, loss in zip(reason.lists, reason.measures[0].largest, strict=False):
        topic = lists.topic
        assert topic == loss.topic
        both = [slow_list(run, topic, single=precision == "single") for run in (old, new)]
        assert list(lists.baseline) == slow_documents(qrels, topic, *both)
        assert list(lists.candidate) == slow_documents(qrels, topic, *both[::-1])


def test_losses_are_the_largest_and_missing_topics_show_no_list() -> None:
    old, new = ranked(BASE), ranked(lower(BASE, by=3))
    del new[TOPICS[0]]
    reason = reason_of(ig.gate(QRELS, {"old": old}, {"new": new}, ["RR:1%", "P@1:0.05"]))
    (rr, p1) = reason.measures
    ranks = dict(zip(TOPICS, BASE, strict=True))
    losses = {t: (0.0 if t == TOPICS[0] else 1 / (ranks[t] + 3)) - 1 / ranks[t] for t in TOPICS}
    expected = sorted(losses, key=lambda topic: losses[topic])[:5]
    assert [loss.topic for loss in rr.largest] == expected
    assert [loss.difference for loss in rr.largest] == pytest.approx([losses[topic] for topic in expected])
    assert [loss.missing for loss in rr.largest] == [True, False, False, False, False]
    assert [lists.topic for lists in reason.lists] == expected[1:4]
    assert (rr.wins, rr.ties, rr.losses, p1.measure) == (0, 0, 30, "P@1")


def test_a_run_that_answers_none_of_the_worst_topics_shows_the_other_list_alone() -> None:
    new = {topic: of for topic, of in ranked(lower(BASE)).items() if topic > "q10"}
    result = ig.gate(QRELS, {"old": ranked(BASE)}, {"new": new}, "RR", margin="1%")
    assert all(loss.missing for loss in reason_of(result).measures[0].largest)
    assert reason_of(result).lists == ()
    assert "no answer" in result.aside()


def test_a_pass_has_no_reason(run: Irgauge, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    same = [rank + (rank == 5) for rank in BASE]
    result = ig.gate(QRELS, {"old": ranked(BASE)}, {"new": ranked(same)}, "RR", margin="8%")
    assert (result.verdict, result.reason, result.aside()) == ("pass", None, "")
    write_scores(Path("scores.csv"), {"old": BASE, "new": same})
    assert run("gate", "scores.csv", "old", "new", "--margin", "8%")[2] == ""


def test_scores_have_losses_and_kinds_and_no_lists(
    run: Irgauge, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    write_scores(Path("scores.csv"), {"old": BASE, "new": lower(BASE, every=2)})
    rows = [",".join(row) for row in zip(*KINDS.values(), strict=True)]
    Path("topics.csv").write_text("\n".join([",".join(KINDS), *rows, ""]))
    arguments = ("gate", "scores.csv", "old", "new", "--margin", "1%", "--topics-table", "topics.csv")
    code, out, err = run(*arguments)
    assert (code, out.count("\n")) == (1, 1)
    assert "most on q00 ('who sang q00', −0.500)" in " ".join(err.split())
    assert "loses most on type long (−0.206 on 15 topics)" in " ".join(err.split())
    assert run(*arguments, "-q")[2] == ""
    kept = json.loads(run(*arguments, "-f", "json")[1])
    assert kept["reason"]["lists"] == []
    assert [kind["value"] for kind in kept["reason"]["measures"][0]["kinds"]] == ["long"]
    by = json.loads(run(*arguments, "-f", "json", "--by", "type")[1])
    assert by["reason"]["measures"][0]["kinds"] == []  # there are verdicts


def test_where_a_kind_of_topics_fails_its_topics_are_named() -> None:
    ranks = [rank + 4 if place % 6 == 0 else max(1, rank - 1) for place, rank in enumerate(BASE)]
    kinds = {"topic": TOPICS, "type": ["first" if place % 6 == 0 else "other" for place in range(30)]}
    scores = {"old": dict(zip(TOPICS, (1 / rank for rank in BASE), strict=True))}
    noise = np.random.default_rng(1).uniform(0, 0.05, 30)
    scores["new"] = {t: 1 / rank + float(e) for t, rank, e in zip(TOPICS, ranks, noise, strict=True)}
    scores["new"]["q29"] = 0.3  # a loss, but of a kind that does not lose
    result = ig.gate(
        ig.load_scores(scores), "old", "new", margin=0.1, topics_table=pl.DataFrame(kinds), by="type", missing="drop"
    )
    (gated,) = result.each
    assert (gated.verdict != "worse", gated.outcome) == (True, "fail")
    assert [loss.topic for loss in reason_of(result).measures[0].largest] == sorted(
        ["q00", "q06", "q12", "q18", "q24"], key=lambda topic: scores["new"][topic] - scores["old"][topic]
    )


def hostile(run: Runs) -> Runs:
    return {topic: {EVIL if doc == "x7" else doc: score for doc, score in of.items()} for topic, of in run.items()}


EVIL = "<script>[x](y)|\x1b[31m"


def test_all_fits_on_a_screen_and_hostile_names_command_nothing() -> None:
    about = pl.DataFrame({"topic": TOPICS, "query": [f"{EVIL}\n# head {'long ' * 40}"] * 30, "type": ["a", "b"] * 15})
    sides = {"old": hostile(ranked(BASE))}, {"new": hostile(ranked(lower(BASE)))}
    result = ig.gate(QRELS, *sides, ["RR:1%", "P@1:0.01", "nDCG@5:1%", "AP:1%"], topics_table=about)
    screen, page = result.aside(), result.summary()
    assert len(screen.splitlines()) <= 36
    assert max(map(len, screen.splitlines())) <= 100
    for shown in (screen, page):
        assert "\x1b" not in shown
        assert "\n# head" not in shown
    assert "<script>" not in page
    assert "[x](y)" not in page.replace("<code>", "").replace(r"\[x\](y)", "").partition("<details>")[0]
    assert page.count("<details>") == page.count("</details>") == 3


def test_of_several_runs_the_first_of_each_side_is_shown() -> None:
    runs = {f"new.{seed}": ranked(lower(BASE, every=2, by=seed + 1)) for seed in range(3)}
    reason = reason_of(ig.gate(QRELS, {"old": ranked(BASE)}, runs, "RR", margin="1%"))
    assert reason.runs == ("old", "new.0")
    assert [document.grade for document in reason.lists[0].candidate].index(1) == 1


def test_lists_that_end_early_are_not_told_as_ten_documents() -> None:
    old, new = ranked(BASE), {topic: {"x1": 2.0, "x2": 1.0, "d": 0.5} for topic in TOPICS}
    result = ig.gate(QRELS, {"old": old}, {"new": new}, "RR", margin=0.01)
    (told,) = result.findings().of("moved").texts()
    assert "1 of the 8 documents of old are relevant, and 1 of the 3 of new" in told
    assert "– where unjudged, or where a list has ended" in result.aside()
