"""Restricting runs to shards against running systems on them: every score, and how far the two agree."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from scipy.stats import kendalltau, pearsonr

from irgauge.errors import InputError
from irgauge.lab.analysis import Analyser
from irgauge.lab.generated import Generated, generate
from irgauge.lab.index import Index, build
from irgauge.lab.rerun import Rerun, RerunOptions, write_rerun
from irgauge.lab.running import search
from irgauge.lab.shards import random_shards
from irgauge.lab.systems import System
from irgauge.lab.texts import Document, Topic, read_documents, read_topics
from irgauge.reading.trec import write_qrels
from irgauge.scoring.drawn import Shards

Irgauge = Callable[..., tuple[int, str, str]]
GRID = "{none,short}-none-{bm25,jm+rm3}"


@pytest.fixture(scope="module")
def text() -> Generated:
    return generate(documents=400, clusters=4, themes=3, topics=8, seed=3)


@pytest.fixture(scope="module")
def documents(text: Generated) -> list[Document]:
    return [Document(docno, words) for docno, words in zip(text.docnos, text.texts, strict=True)]


@pytest.fixture(scope="module")
def topics(text: Generated, tmp_path_factory: pytest.TempPathFactory) -> list[Topic]:
    folder = tmp_path_factory.mktemp("topics") / "text"
    text.write(folder)
    return read_topics(folder / "topics.trec")


@pytest.fixture
def qrels(text: Generated, tmp_path: Path) -> Path:
    rows = [(judged.topic, text.docnos[judged.document], judged.grade) for judged in text.judgments]
    write_qrels(tmp_path / "qrels", [*rows, ("unsearched", "D001", 1), ("1", "unindexed", 1)])
    return tmp_path / "qrels"


def average_precision(docnos: Sequence[str], relevant: set[str]) -> float:
    """By its definition, one document after the other."""
    precisions, hits = [], 0
    for rank, docno in enumerate(docnos, 1):
        if docno in relevant:
            hits += 1
            precisions.append(hits / rank)
    return sum(precisions) / len(relevant)


def found(index: Index, topic: Topic, system: str, depth: int) -> list[str]:
    named = System.of(system)
    analysed = index.analysed(named.analyser)
    return [analysed.docnos[document] for document in search(analysed, topic.text, named, depth).documents]


def test_every_score_is_that_of_a_list_cut_by_hand_and_of_an_index_of_the_shard(
    documents: list[Document], text: Generated, topics: list[Topic], qrels: Path, tmp_path: Path
) -> None:
    index, shards = build(documents), random_shards(400, 3, seed=1)
    options = RerunOptions(systems=GRID, depth=60)
    compared = write_rerun(tmp_path / "made", index, topics, qrels, shards, options)
    relevant: dict[str, set[str]] = {topic.id: set() for topic in topics}
    for judged in text.judgments:
        relevant[judged.topic].add(text.docnos[judged.document])
    members = [
        {docno for docno, label in zip(index.docnos, shards.labels, strict=True) if label == n} for n in range(3)
    ]
    alone = [build(document for document in documents if document.docno in inside) for inside in members]
    for row in pl.read_csv(tmp_path / "made" / "scores.csv", schema_overrides={"topic": pl.String}).iter_rows(
        named=True
    ):
        topic = next(topic for topic in topics if topic.id == row["topic"])
        number = int(row["replicate"][1:]) - 1
        inside = relevant[topic.id] & members[number]
        if not inside:
            assert row["restricted"] is row["rerun"] is None
            continue
        cut = [docno for docno in found(index, topic, row["system"], 60) if docno in members[number]]
        assert row["restricted"] == pytest.approx(average_precision(cut, inside))
        assert row["rerun"] == pytest.approx(average_precision(found(alone[number], topic, row["system"], 60), inside))
    assert len(compared.rerun.systems) == 4


def test_agreement_is_what_scipy_says(
    documents: list[Document], topics: list[Topic], qrels: Path, tmp_path: Path
) -> None:
    options = RerunOptions(systems=GRID, measures=("P@5", "AP"))
    compared = write_rerun(tmp_path / "made", build(documents), topics, qrels, random_shards(400, 3, seed=2), options)
    first, second = compared.restricted.values[1], compared.rerun.values[1]  # topic, system, shard
    defined = np.isfinite(first)
    agreement = compared.agreement(1)
    assert agreement.scores == defined.sum() == np.isfinite(second).sum()
    assert agreement.r == pytest.approx(pearsonr(first[defined], second[defined])[0])
    means = np.nanmean(first, axis=0), np.nanmean(second, axis=0)
    assert agreement.r_of_means == pytest.approx(pearsonr(means[0].ravel(), means[1].ravel())[0])
    taus = [kendalltau(means[0][:, shard], means[1][:, shard])[0] for shard in range(3)]
    assert agreement.tau == pytest.approx(np.mean(taus))
    only = compared.agreement(1, 2)
    assert only.r == pytest.approx(pearsonr(first[:, 2][defined[:, 2]], second[:, 2][defined[:, 2]])[0])
    assert only.rerun == pytest.approx(np.nanmean(second[:, 2]))
    assert np.isnan([only.tau, only.r_of_means]).all()


def test_on_one_shard_both_are_the_same(
    documents: list[Document], topics: list[Topic], qrels: Path, tmp_path: Path
) -> None:
    whole = Shards(np.zeros(400, np.int32), ("all",))
    compared = write_rerun(tmp_path / "made", build(documents), topics, qrels, whole, RerunOptions(systems=GRID))
    np.testing.assert_array_equal(compared.restricted.values, compared.rerun.values)
    assert compared.agreement().r == pytest.approx(1)
    runs = tmp_path / "made"
    assert all(
        path.read_bytes() == (runs / "rerun" / path.name).read_bytes() for path in (runs / "restricted").iterdir()
    )


def test_judgments_of_other_documents_are_refused_and_nothing_is_left(
    documents: list[Document], topics: list[Topic], tmp_path: Path
) -> None:
    (tmp_path / "qrels").write_text("1 0 elsewhere 1\n1 0 D001 0\n")
    with pytest.raises(InputError, match=r"qrels: no document of the index is relevant to any of the topics"):
        write_rerun(
            *(tmp_path / "made", build(documents), topics, tmp_path / "qrels", random_shards(400, 2)), RerunOptions()
        )
    assert not (tmp_path / "made").exists()


def test_the_command_prints_the_table_and_writes_runs_for_other_commands(run: Irgauge, tmp_path: Path) -> None:
    small = ("--documents", 300, "--clusters", 3, "--themes", 3, "--topics", 6)
    assert run("lab", "generate", "-o", tmp_path / "text", *small, "-q")[0] == 0
    text, made = tmp_path / "text", tmp_path / "made"
    assert run("lab", "index", text / "documents.trec", "-o", tmp_path / "index", "-q")[0] == 0
    assert run("lab", "shards", tmp_path / "index", "--random", 2, "-o", tmp_path / "map.tsv", "-q")[0] == 0
    paths = (tmp_path / "index", text / "topics.trec", text / "qrels.txt", "--shards", tmp_path / "map.tsv")
    code, out, err = run("lab", "rerun", *paths, "--systems", "bm25,jm", "--format", "json", "-o", made)
    assert (code, err) == (0, f"wrote {made}: 2 runs of each kind, and scores.csv\n")
    rows = json.loads(out)
    assert [row["system"] for row in rows] == ["all systems", "bm25", "jm"]
    assert rows[1]["tau"] is None
    shards = ("--shards", f"map:{tmp_path / 'map.tsv'}", "--format", "json")
    code, out, _ = run("anova", text / "qrels.txt", made / "rerun", *shards)
    assert code == 0
    assert "system:shard" in out
    code, _, err = run("lab", "rerun", *paths, "--format", "word", "-o", tmp_path / "more")
    assert code == 2
    assert "word" in err
    assert not (tmp_path / "more").exists()


@pytest.fixture(scope="module")
def on_vaswani(vaswani: Path, tmp_path_factory: pytest.TempPathFactory) -> Rerun:
    index = build(read_documents([vaswani / "documents.trec.gz"]), Analyser("long", "porter"))
    shards, topics = random_shards(index.n_documents, 2), read_topics(vaswani / "topics.trec")
    folder = tmp_path_factory.mktemp("rerun") / "made"
    return write_rerun(folder, index, topics, vaswani / "qrels.txt", shards, RerunOptions(systems="{bm25,pl2}{,+rm3}"))


def test_on_vaswani_plain_models_agree_as_in_the_literature_and_feedback_does_not(on_vaswani: Rerun) -> None:
    rs = {name: on_vaswani.agreement(0, number).r for number, name in enumerate(on_vaswani.rerun.systems)}
    assert min(rs["bm25"], rs["pl2"]) > 0.995
    assert max(rs["bm25+rm3"], rs["pl2+rm3"]) < 0.97
