from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import polars as pl
import pytest

import irgauge as ig
from irgauge.compute.arrays import Indices
from irgauge.errors import DesignError, InputError
from irgauge.lab.costs import MeanCost, TopicCost, mean_costs
from irgauge.lab.generated import generate
from irgauge.lab.index import Index, build
from irgauge.lab.picking import sample
from irgauge.lab.running import search
from irgauge.lab.selective import Instance, Searched, SelectiveOptions, rates_of, selections_of, write_selective
from irgauge.lab.shards import random_shards
from irgauge.lab.systems import System
from irgauge.lab.texts import Document, Topic, read_topics
from irgauge.scoring.drawn import Shards
from oracles.slow_search import bm25

MADE = generate(documents=400, clusters=4, themes=3, topics=8, seed=2)
INDEX = build(Document(docno, text) for docno, text in zip(MADE.docnos, MADE.texts, strict=True))
CLUSTERS = Shards(MADE.clusters.astype(np.int32), ("C1", "C2", "C3", "C4"))
ASKED = SelectiveOptions(csi=(0.05, 0.2), instances=3, picks=2, reach=100, depth=50, seed=7)


@pytest.fixture(scope="module")
def topics(tmp_path_factory: pytest.TempPathFactory) -> Sequence[Topic]:
    folder = tmp_path_factory.mktemp("text")
    MADE.write(folder)
    return read_topics(folder / "topics.trec")


@pytest.fixture(scope="module")
def folder(topics: Sequence[Topic], tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("selective")
    write_selective(folder, INDEX, topics, [CLUSTERS], ASKED)
    return folder


def rows(path: Path) -> list[list[str]]:
    """The lines of a run without its tag."""
    return [line.split()[:5] for line in path.read_text().splitlines()]


def contents(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def picks_of(searched: Searched, asked: SelectiveOptions, instance: Instance) -> list[Indices]:
    """The shards that are searched for each topic."""
    return [selection.shards for selection in selections_of(searched, CLUSTERS, asked, instance)]


def test_with_all_shards_picked_it_is_exhaustive_search(topics: Sequence[Topic], tmp_path: Path) -> None:
    asked = SelectiveOptions(csi=(0.1, 1.0), instances=2, picks=5, depth=30)
    write_selective(tmp_path, INDEX, topics, [random_shards(400, 5)], asked)
    exhaustive = rows(tmp_path / "runs" / "exhaustive.run")
    assert len(exhaustive) > 20 * len(topics)
    for name in ("csi-10-1", "csi-10-2", "csi-100-1", "csi-100-2"):
        assert rows(tmp_path / "runs" / f"{name}.run") == exhaustive


def test_only_documents_of_picked_shards_are_found_in_the_order_of_exhaustive_search(
    topics: Sequence[Topic], tmp_path: Path
) -> None:
    asked = SelectiveOptions(csi=(0.05, 0.2), instances=1, picks=2, reach=100, depth=400, seed=7)
    write_selective(tmp_path, INDEX, topics, [CLUSTERS], asked)
    searched = Searched.of(INDEX, topics, System.of("bm25"))
    whole = rows(tmp_path / "runs" / "exhaustive.run")
    for rate in asked.csi:
        instance = Instance(rate, 0, 1)
        picks = picks_of(searched, asked, instance)
        expected = [
            (topic.id, row[2], row[4])
            for topic, of_topic in zip(topics, picks, strict=True)
            for row in whole
            if row[0] == topic.id and MADE.clusters[MADE.docnos.index(row[2])] in of_topic
        ]
        found = rows(tmp_path / "runs" / f"{instance.algorithm}-1.run")
        assert [(row[0], row[2], row[4]) for row in found] == expected
        assert 0 < len(expected) < len(whole)


def test_shards_are_picked_as_a_slow_search_of_the_sample_does(topics: Sequence[Topic]) -> None:
    """By BM25 of the sample with its own statistics, and ReDDE's counts, one document after the other."""
    searched = Searched.of(INDEX, topics, System.of("bm25"))
    instance = Instance(0.2, 0, 1)
    sampled = sample(CLUSTERS, 0.2, instance.rng(ASKED.seed)).tolist()
    documents = {MADE.docnos[one]: MADE.texts[one].split() for one in sampled}
    labels = dict(zip(MADE.docnos, MADE.clusters.tolist(), strict=True))
    sizes = np.bincount(MADE.clusters).tolist()
    inside = [sum(labels[docno] == shard for docno in documents) for shard in range(4)]
    for topic, picks in zip(topics, picks_of(searched, ASKED, instance), strict=True):
        query = {word: float(topic.text.split().count(word)) for word in topic.text.split()}
        scores = {docno: bm25(documents, query, docno, 0.9, 0.4) for docno in documents}
        ranked = sorted((docno for docno in scores if scores[docno] > 0), key=lambda one: (scores[one], one))[::-1]
        counts, rank = [0.0] * 4, 0.0
        for docno in ranked:
            shard = labels[docno]
            if rank < ASKED.reach:
                counts[shard] += sizes[shard] / inside[shard]
            rank += sizes[shard] / inside[shard]
        best = sorted(range(4), key=lambda shard: (-counts[shard], -sizes[shard]))
        assert picks.tolist() == best[:2]


def test_shards_are_picked_by_the_proportion_of_results(topics: Sequence[Topic]) -> None:
    asked = SelectiveOptions(rank_by="proportion", picks=2, reach=7)
    searched, instance = Searched.of(INDEX, topics, System.of("bm25")), Instance(0.2, 0, 1)
    drawn = sample(CLUSTERS, 0.2, instance.rng(asked.seed))
    part, sizes = INDEX.part(drawn), np.bincount(MADE.clusters)
    for topic, picks in zip(topics, picks_of(searched, asked, instance), strict=True):
        results = [MADE.clusters[drawn[one]] for one in search(part, topic.text, System.of("bm25"), 7).documents]
        best = sorted(range(4), key=lambda shard: (-results.count(shard), -sizes[shard]))
        assert picks.tolist() == best[:2]


def test_costs_are_those_of_a_slow_count(folder: Path, topics: Sequence[Topic]) -> None:
    searched, words = Searched.of(INDEX, topics, System.of("bm25")), [set(text.split()) for text in MADE.texts]
    costs = {(row["run"], row["topic"]): row for row in pl.read_csv(folder / "costs.csv").iter_rows(named=True)}
    assert len(costs) == 7 * len(topics)
    drawn = sample(CLUSTERS, 0.05, Instance(0.05, 0, 2).rng(ASKED.seed)).tolist()
    for topic, picks in zip(topics, picks_of(searched, ASKED, Instance(0.05, 0, 2)), strict=True):
        asked = {word for word in topic.text.split() if any(word in text for text in words)}
        matching = [document for document, text in enumerate(words) if asked & text]
        row = costs["csi-5-2", int(topic.id)]
        assert row["shards"] == 2
        assert row["documents"] == sum(MADE.clusters[document] in picks for document in range(400))
        assert row["matched"] == sum(MADE.clusters[document] in picks for document in matching)
        assert row["sample_matched"] == sum(document in drawn for document in matching)
        assert row["terms"] == len(asked)
        assert row["unknown_terms"] == sum(not any(word in words[document] for document in drawn) for word in asked)
        assert costs["exhaustive", int(topic.id)]["matched"] == len(matching)


def test_mean_costs_are_means_over_runs_and_topics() -> None:
    costs = [TopicCost("a", "a-1", "1", 2, 10, 4, 1, 3, 1), TopicCost("a", "a-2", "1", 2, 20, 6, 0, 3, 0)]
    assert mean_costs(costs) == [MeanCost("a", 2, 15, 5.5, 3, 0.5)]


def test_the_cluster_of_a_topic_is_picked_from_a_large_sample(topics: Sequence[Topic]) -> None:
    searched = Searched.of(INDEX, topics, System.of("bm25"))
    asked = SelectiveOptions(picks=1, reach=20)
    picks = picks_of(searched, asked, Instance(1.0, 0, 1))
    right = [topic.theme // 3 == of_topic[0] for topic, of_topic in zip(MADE.topics, picks, strict=True)]
    assert np.mean(right) > 0.8


def test_instances_differ_and_are_the_same_on_any_number_of_workers(
    folder: Path, topics: Sequence[Topic], tmp_path: Path
) -> None:
    found = contents(folder)
    assert len({content for name, content in found.items() if "csi-5-" in name}) == 3
    for workers in (1, 2):
        asked = SelectiveOptions(csi=ASKED.csi, instances=3, picks=2, reach=100, depth=50, seed=7, workers=workers)
        write_selective(tmp_path / str(workers), INDEX, topics, [CLUSTERS], asked)
        assert contents(tmp_path / str(workers)) == found


def test_other_rates_and_instances_change_nothing(folder: Path, topics: Sequence[Topic], tmp_path: Path) -> None:
    asked = SelectiveOptions(csi=(0.2,), instances=2, picks=2, reach=100, depth=50, seed=7)
    write_selective(tmp_path, INDEX, topics, [CLUSTERS], asked)
    for name in ("csi-20-1", "csi-20-2"):
        assert rows(tmp_path / "runs" / f"{name}.run") == rows(folder / "runs" / f"{name}.run")


def test_the_manifest_is_one_of_instances(folder: Path, tmp_path: Path) -> None:
    MADE.write(tmp_path)
    runs = ig.load(tmp_path / "qrels.txt", folder / "runs", warn=False)
    found = ig.instances(runs, "nDCG@10", manifest=folder / "manifest.txt", baseline="exhaustive", posterior=False)
    assert set(found.scores.algorithms) == {"exhaustive", "csi-5", "csi-20"}
    assert {pair.system for pair in found.pairs} == {"csi-5", "csi-20"}
    assert (folder / "manifest.txt").read_text().splitlines()[:2] == ["exhaustive exhaustive", "csi-5-1 csi-5 1"]


def test_several_maps_have_instances_of_their_own(topics: Sequence[Topic], tmp_path: Path) -> None:
    asked = SelectiveOptions(csi=(0.1,), instances=2, picks=2, depth=20)
    write_selective(tmp_path, INDEX, topics, [CLUSTERS, random_shards(400, 4)], asked)
    lines = (tmp_path / "manifest.txt").read_text().splitlines()
    assert lines[1:] == [f"csi-10-{name} csi-10 {name} map-{name[0]}" for name in ("1.1", "1.2", "2.1", "2.2")]
    assert len(list((tmp_path / "runs").iterdir())) == 5


def test_a_topic_of_words_that_no_sampled_document_has_searches_the_largest_shards() -> None:
    searched = Searched.of(INDEX, [Topic("1", "nowhere")], System.of("bm25"))
    assert [len(one.documents) for one in searched.rankings] == [0]
    picks = picks_of(searched, ASKED, Instance(0.2, 0, 1))
    assert picks[0].tolist() == np.argsort(-np.bincount(MADE.clusters), kind="stable")[:2].tolist()


def test_rates_as_they_are_written() -> None:
    assert rates_of("0.5%,1% ,100%,0.25,5e-3%") == (0.005, 0.01, 1.0, 0.25, 0.00005)
    assert [Instance(rate, 0, 1).algorithm for rate in rates_of("0.05%,0.7%,12.5%")] == [
        "csi-0.05",
        "csi-0.7",
        "csi-12.5",
    ]
    for text in ("", "x", "0%", "-1%", "101%", "4", "1%,,2%", "nan", "1%%"):
        with pytest.raises(InputError, match="is no rate; write it like"):
            rates_of(text)
    with pytest.raises(InputError, match="has a rate twice"):
        rates_of("1%,0.01")


def test_what_cannot_be_searched_is_refused_before_anything_is_written(topics: Sequence[Topic], tmp_path: Path) -> None:
    with pytest.raises(
        DesignError, match=r"a rate of 0.1 % samples nothing of 400 documents; it takes at least 0.25 %"
    ):
        write_selective(tmp_path / "a", INDEX, topics, [CLUSTERS], SelectiveOptions(csi=(0.1, 0.001)))
    with pytest.raises(DesignError, match=r"has feedback, of documents that selective search does not see"):
        SelectiveOptions(system="bm25+rm3")
    stopped = SelectiveOptions(system="short-none-bm25")
    with pytest.raises(InputError, match="the topic 'q' has no terms"):
        write_selective(tmp_path / "b", INDEX, [Topic("q", "of the")], [CLUSTERS], stopped)
    with pytest.raises(InputError, match="the maps 1 and 2 are the same; leave one out"):
        write_selective(tmp_path / "c", INDEX, topics, [CLUSTERS, CLUSTERS], SelectiveOptions())
    assert not list(tmp_path.iterdir())


def test_progress_counts_the_runs(topics: Sequence[Topic], tmp_path: Path) -> None:
    told: list[tuple[int, int]] = []
    asked = SelectiveOptions(csi=(0.1,), instances=3, depth=5, progress=lambda done, total: told.append((done, total)))
    write_selective(tmp_path, INDEX, topics, [CLUSTERS], asked)
    assert told == [(1, 3), (2, 3), (3, 3)]


def test_an_index_is_searched_with_the_stop_list_and_stemmer_of_the_system(tmp_path: Path) -> None:
    index: Index = build([Document("a", "waves of noise"), Document("b", "the wave"), Document("c", "noise")])
    shards = Shards(np.array([0, 0, 1], np.int32), ("x", "y"))
    asked = SelectiveOptions(csi=(1.0,), instances=1, picks=1, system="short-porter-bm25")
    write_selective(tmp_path, index, [Topic("1", "the wave")], [shards], asked)
    assert {row[2] for row in rows(tmp_path / "runs" / "csi-100-1.run")} == {"a", "b"}
