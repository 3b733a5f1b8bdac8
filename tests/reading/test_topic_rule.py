"""Which topics count, how deep lists go, and over which topics a run is averaged: as trec_eval does."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

import numpy as np
import pytest
import pytrec_eval
from hypothesis import given, settings
from hypothesis import strategies as st

from irgauge import DesignError, InputError, compare, load, score
from irgauge.reading.trec import write_qrels, write_run

Irgauge = Callable[..., tuple[int, str, str]]
TREC = {"AP": "map", "P@5": "P_5", "nDCG@10": "ndcg_cut_10", "RR": "recip_rank", "Bpref": "bpref", "R@5": "recall_5"}
DOCS = [f"d{i:02}" for i in range(20)]
Qrels = Mapping[str, Mapping[str, int]]
Run = Mapping[str, Mapping[str, float]]


def judgments(seed: int, empty: tuple[int, ...] = (2, 5), topics: int = 7) -> tuple[Qrels, Run]:
    """Judgments, some topics without a relevant document, and a run that lacks topic 3 and knows one more."""
    rng = np.random.default_rng(seed)
    qrels = {
        str(t): dict(zip(DOCS, (rng.integers(0, 3, len(DOCS)) * (t not in empty)).tolist(), strict=True))
        for t in range(topics)
    }
    run = {
        str(t): dict(zip(DOCS, rng.permutation(len(DOCS)).astype(float).tolist(), strict=True))
        for t in range(topics + 1)
        if t != 3
    }
    return qrels, run


def of_trec_eval(qrels: Qrels, run: Run, depth: int | None = None) -> dict[str, dict[str, float]]:
    cut = {
        topic: dict(sorted(of.items(), key=lambda item: (item[1], item[0]), reverse=True)[:depth])
        for topic, of in run.items()
    }
    return pytrec_eval.RelevanceEvaluator(qrels, set(pytrec_eval.supported_measures)).evaluate(cut)


@given(st.integers(0, 10**6), st.sampled_from([None, 1, 4, 50]))
@settings(max_examples=15, deadline=None)
def test_topics_and_depth_are_those_of_trec_eval(seed: int, depth: int | None) -> None:
    qrels, run = judgments(seed)
    found = score(load(qrels, {"mine": run}, topics="judged", depth=depth, warn=False), list(TREC))
    expected = of_trec_eval(qrels, run, depth)
    for measure, trec in TREC.items():
        mean = sum(expected[topic][trec] for topic in qrels if topic in run) / len(qrels)
        assert found.of(measure)[0].mean == pytest.approx(mean, abs=1e-12)
        assert found.of(measure)[0].topics == 7


def test_by_default_topics_without_a_relevant_document_are_left_out() -> None:
    qrels, run = judgments(1)
    collection = load(qrels, {"mine": run}, warn=False)
    assert collection.topics == ("0", "1", "3", "4", "6")
    assert collection.topics_counted == {"rule": "relevant", "without_relevant": 2}
    assert [str(note) for note in collection.notes] == [
        "mine: 1 topic (3) not in the run, scored 0",
        "2 topics (2, 5) of the qrels without a relevant document left out",
        "mine: 1 of its topics not in the qrels, left out",  # topics 2 and 5 are in the qrels
    ]


def test_the_rule_and_the_depth_are_said() -> None:
    qrels, run = judgments(1)
    found = score(load(qrels, {"mine": run}, topics="judged", depth=9, warn=False), "AP")
    assert found.provenance["topic_rule"] == {"rule": "judged", "without_relevant": 2}
    text = " ".join(found.to_text().split())
    assert "2 judged topics without a relevant document scoring 0, as in trec_eval" in text
    assert "only the first 9 documents of each list" in text


def test_zeros_of_topics_without_relevant_documents_are_zeros_in_shards_too() -> None:
    qrels, run = judgments(1)
    other = {topic: {doc: -value for doc, value in of.items()} for topic, of in run.items()}
    runs = load(qrels, {"mine": run, "other": other}, topics="judged", warn=False)
    found = compare(runs, "AP", shards="even:2", fill="redraw")
    values = found.first.scored.shards.values()
    assert values[list(runs.empty_topics)].max() == 0 < values.max()


def test_bad_options_are_refused() -> None:
    with pytest.raises(DesignError, match="depth is 0; it is at least 1"):
        load(*judgments(1), depth=0)
    with pytest.raises(InputError, match="rule for topics 'all' is unknown"):
        load(*judgments(1), topics="all")  # type: ignore[arg-type]  # the error under test


def files(tmp_path: Path) -> tuple[Qrels, Run, str, str]:
    qrels, run = judgments(4)
    write_qrels(tmp_path / "q.txt", [(t, d, g) for t, of in qrels.items() for d, g in of.items()])
    write_run(tmp_path / "r.run", [(t, list(of), list(of.values())) for t, of in run.items()], "mine")
    return qrels, run, str(tmp_path / "q.txt"), str(tmp_path / "r.run")


def lines(text: str) -> list[list[str]]:
    return [[field.strip() for field in line.split("\t")] for line in text.splitlines()]


def test_the_lines_of_trec_eval_q_c(tmp_path: Path, run: Irgauge) -> None:
    qrels, given, *paths = files(tmp_path)
    _, out, _ = run("score", *paths, "-m", "map", "-m", "P_5", "--format", "trec")
    expected = of_trec_eval(qrels, given)
    answered = sorted(topic for topic in given if topic in qrels)
    wanted = [[name, topic, f"{expected[topic][name]:.4f}"] for topic in answered for name in ("map", "P_5")]
    wanted += [["all"] for _ in range(2)]
    assert [line if line[1] != "all" else ["all"] for line in lines(out)] == wanted
    means = [sum(expected[topic][name] for topic in answered) / len(qrels) for name in ("map", "P_5")]
    assert [line[2] for line in lines(out) if line[1] == "all"] == [f"{mean:.4f}" for mean in means]


def test_the_average_over_the_topics_of_the_run_is_trec_eval_without_c(tmp_path: Path, run: Irgauge) -> None:
    qrels, given, *paths = files(tmp_path)
    _, out, _ = run("score", *paths, "-m", "map", "--format", "trec", "--own-topics")
    expected = of_trec_eval(qrels, given)
    mean = np.mean([expected[topic]["map"] for topic in given if topic in qrels])
    assert lines(out)[-1] == ["map", "all", f"{mean:.4f}"]
    _, text, _ = run("score", *paths, "-m", "map", "--own-topics")
    assert "each mean over the topics that the run answers, as trec_eval without -c" in " ".join(text.split())
    assert text.count("not count in") == 3  # the warning, the note under the table, the method
    assert "score 0" not in text
    assert "scores 0" not in text


def test_the_rule_can_be_named_for_any_form(tmp_path: Path, run: Irgauge) -> None:
    *_, qrels, given = files(tmp_path)
    _, some, _ = run("score", qrels, given, "-m", "map", "--format", "trec", "--topics", "relevant")
    _, every, _ = run("score", qrels, given, "-m", "map", "--per-topic", "-f", "csv", "--topics", "judged")
    assert {line[1] for line in lines(some)} == {"0", "1", "4", "6", "all"}
    assert len(every.splitlines()) == 1 + 7


def test_counts_are_summed_up_and_geometric_means_taken_as_in_trec_eval(tmp_path: Path, run: Irgauge) -> None:
    qrels, given, *paths = files(tmp_path)
    names = ("num_q", "num_ret", "num_rel_ret", "gm_map", "map")
    asked = [part for name in names for part in ("-m", name)]
    _, out, _ = run("score", *paths, *asked, "--format", "trec", "--own-topics")
    of_topics = pytrec_eval.RelevanceEvaluator(qrels, set(names)).evaluate(given)
    theirs = {
        name: pytrec_eval.compute_aggregated_measure(name, [one[name] for one in of_topics.values()]) for name in names
    }
    expected = {name: f"{value:.0f}" if name.startswith("num") else f"{value:.4f}" for name, value in theirs.items()}
    assert {line[0]: line[2] for line in lines(out) if line[1] == "all"} == expected
    shown = {(line[0], line[1]): line[2] for line in lines(out)}
    for topic, one in of_topics.items():
        assert shown["num_ret", topic] == f"{one['num_ret']:.0f}"
        assert shown["gm_map", topic] == f"{one['gm_map']:.4f}"
        assert ("num_q", topic) not in shown


@pytest.mark.parametrize("level", [1, 2])
def test_topics_without_a_relevant_document_are_scored_as_in_trec_eval(
    tmp_path: Path, run: Irgauge, level: int
) -> None:
    """A list of other documents has a utility; Rndcg is 0 where no grade reaches the level, whatever others gain."""
    qrels, given, *paths = files(tmp_path)
    qrels = {**qrels, "6": {doc: min(grade, 1) for doc, grade in qrels["6"].items()}}
    write_qrels(tmp_path / "q.txt", [(t, d, g) for t, of in qrels.items() for d, g in of.items()])
    asked = ["-m", "utility", "-m", "Rndcg", "--rel", str(level)]
    _, out, _ = run("score", *paths, *asked, "--format", "trec")
    theirs = pytrec_eval.RelevanceEvaluator(qrels, {"utility", "Rndcg"}, relevance_level=level).evaluate(given)
    shown = {(line[0], line[1]): line[2] for line in lines(out) if line[1] != "all"}
    assert shown == {(name, topic): f"{one[name]:.4f}" for topic, one in theirs.items() for name in one}
    assert theirs["2"]["utility"] < 0


def test_names_are_those_of_trec_eval_l(tmp_path: Path, run: Irgauge) -> None:
    """trec_eval -l 2 calls its measures as without; names have no blanks, which separate columns for many readers."""
    *_, qrels, given = files(tmp_path)
    asked = [
        "-m",
        "map",
        "-m",
        "iprec_at_recall_0.10",
        "-m",
        "set_relative_P",
        "-m",
        "num_rel_ret",
        "-m",
        "Rprec",
        "-m",
        "RR@10",
    ]
    _, out, _ = run("score", qrels, given, *asked, "--rel", "2", "--format", "trec")
    names = [line[0] for line in lines(out) if line[1] == "all"]
    assert names == ["map", "iprec_at_recall_0.10", "set_relative_P", "num_rel_ret", "Rprec", "RR(rel=2)@10"]
    asked = ["-m", "map", "-m", "AP(rel=2)", "-m", "nDCG(gains={1: 3, 2: 4})@5"]
    _, out, _ = run("score", qrels, given, *asked, "--format", "trec")
    names = [line[0] for line in lines(out) if line[1] == "all"]
    assert names == ["map", "AP(rel=2)", "nDCG(gains={1:3,2:4})@5"]
