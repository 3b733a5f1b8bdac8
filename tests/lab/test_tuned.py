from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from pathlib import Path

import numpy as np
import pytest
import pytrec_eval

from irgauge.errors import DesignError, InputError
from irgauge.lab.generated import generate
from irgauge.lab.index import build
from irgauge.lab.ranking import RankedList
from irgauge.lab.running import search
from irgauge.lab.systems import System
from irgauge.lab.texts import Document, Topic, read_topics
from irgauge.lab.tuned import Corpus, TunedOptions, average_precision, read_relevant, write_tuned
from irgauge.scoring.drawn import Shards

MADE = generate(documents=240, clusters=3, themes=2, topics=6, seed=4)
INDEX = build(Document(docno, text) for docno, text in zip(MADE.docnos, MADE.texts, strict=True))
SHARDS = Shards((np.arange(240) % 4).astype(np.int32), ("a", "b", "c", "d"))
GRID = "bm25+rm3(docs={2,5},terms={3,9},weight={0.2,0.8})"


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Corpus:
    folder = tmp_path_factory.mktemp("text")
    MADE.write(folder)
    return Corpus(INDEX, read_topics(folder / "topics.trec"), read_relevant(INDEX, folder / "qrels.txt"))


def run_of(path: Path) -> dict[str, dict[str, float]]:
    found: dict[str, dict[str, float]] = {}
    for line in path.read_text().splitlines():
        topic, _, docno, _, score, _ = line.split()
        found.setdefault(topic, {})[docno] = float(score)
    return found


def searched(topics: Sequence[Topic], documents: Sequence[int], system: System) -> dict[str, dict[str, float]]:
    """The run of a system on an index that is made of some documents alone."""
    index = build(Document(MADE.docnos[one], MADE.texts[one]) for one in documents)
    found = {}
    for topic in topics:
        ranking = search(index, topic.text, system, len(documents))
        pairs = zip(ranking.documents.tolist(), ranking.scores.tolist(), strict=True)
        found[topic.id] = {index.docnos[one]: score for one, score in pairs}
    return found


def fitted_by_trying_all(topics: Sequence[Topic], shard: int) -> tuple[str, float, int]:
    """Every system on the shard alone, judged by trec_eval."""
    members = [one for one in range(240) if one % 4 == shard]
    qrels: dict[str, dict[str, int]] = {}
    for one in MADE.judgments:
        if one.document in members:
            qrels.setdefault(one.topic, {})[MADE.docnos[one.document]] = 1
    best = ("", -1.0, len(qrels))
    for docs, terms, weight in product((2, 5), (3, 9), (0.2, 0.8)):
        system = System.of(f"bm25+rm3(docs={docs},terms={terms},weight={weight})")
        run = searched(topics, members, system)
        scores = pytrec_eval.RelevanceEvaluator(qrels, {"map"}).evaluate(run)
        mean = sum(one["map"] for one in scores.values()) / len(qrels)
        if mean > best[1] + 1e-12:
            best = (str(system), mean, len(qrels))
    return best


def test_the_fitted_systems_are_the_best_of_all_that_were_tried(corpus: Corpus, tmp_path: Path) -> None:
    found = write_tuned(tmp_path, corpus, SHARDS, TunedOptions(systems=GRID, depth=100))
    assert [one.shard for one in found] == ["a", "b", "c", "d"]
    assert len({one.fitted.system for one in found if one.fitted}) > 1  # so that the test can tell
    for number, one in enumerate(found):
        assert one.fitted is not None
        name, ap, topics = fitted_by_trying_all(corpus.topics, number)
        assert str(one.fitted.system) == name
        assert one.fitted.ap == pytest.approx(ap, abs=1e-9)
        assert one.fitted.topics == topics
        whole = searched(corpus.topics, range(240), one.fitted.system)
        for topic, scores in run_of(tmp_path / "runs" / f"tuned-{one.shard}.run").items():
            first = sorted(whole[topic], key=lambda docno: (whole[topic][docno], docno))[::-1][:100]
            assert list(scores) == first
            assert list(scores.values()) == pytest.approx([whole[topic][docno] for docno in first])
    lines = [line.split("\t") for line in (tmp_path / "fitted.tsv").read_text().splitlines()]
    assert lines[0] == ["shard", "system", "AP", "topics"]
    assert [(line[0], line[1]) for line in lines[1:]] == [
        (one.shard, str(one.fitted.system)) for one in found if one.fitted
    ]


def test_terms_come_from_the_shard_and_documents_from_the_whole_corpus(tmp_path: Path) -> None:
    """The words beside the query's are in one shard only, and find documents of the other."""
    texts = {"a1": "wave noise", "a2": "noise", "b1": "wave radio", "b2": "radio"}
    index = build(Document(docno, text) for docno, text in texts.items())
    shards = Shards(np.array([0, 0, 1, 1], np.int32), ("a", "b"))
    corpus = Corpus(index, [Topic("1", "wave")], {"1": np.array([0, 2])})
    write_tuned(tmp_path, corpus, shards, TunedOptions(by="terms", systems="bm25+rm3(docs=1,terms=2)"))
    runs = {name: set(run_of(tmp_path / "runs" / f"tuned-{name}.run")["1"]) for name in "ab"}
    assert runs == {"a": {"a1", "b1", "a2"}, "b": {"a1", "b1", "b2"}}


@pytest.mark.parametrize("by", ["parameters", "terms"])
def test_the_same_on_any_number_of_workers(by: str, corpus: Corpus, tmp_path: Path) -> None:
    grid = GRID if by == "parameters" else None
    for workers in (1, 2):
        write_tuned(
            tmp_path / str(workers), corpus, SHARDS, TunedOptions(by=by, systems=grid, depth=20, workers=workers)
        )
    first, second = (
        {path.name: path.read_bytes() for path in (tmp_path / str(workers)).rglob("*") if path.is_file()}
        for workers in (1, 2)
    )
    assert first == second
    assert len(first) == 5


def thin(corpus: Corpus) -> Corpus:
    """The shard c has no relevant documents."""
    relevant = {topic: found[found % 4 != 2] for topic, found in corpus.relevant.items()}
    return Corpus(corpus.index, corpus.topics, relevant)


def test_no_parameters_are_fitted_to_a_shard_without_relevant_documents(corpus: Corpus, tmp_path: Path) -> None:
    found = write_tuned(tmp_path, thin(corpus), SHARDS, TunedOptions(systems="bm25+rm3", depth=10))
    assert [one.fitted is None for one in found] == [False, False, True, False]
    assert sorted(path.name for path in (tmp_path / "runs").iterdir()) == [f"tuned-{name}.run" for name in "abd"]
    assert (tmp_path / "fitted.tsv").read_text().splitlines()[3] == "c\t\t\t0"


@pytest.mark.parametrize("by", ["parameters", "terms"])
def test_a_subset_of_shards_has_the_runs_that_all_have(by: str, corpus: Corpus, tmp_path: Path) -> None:
    def made(folder: str, subset: int | None, seed: int) -> dict[str, bytes]:
        asked = TunedOptions(by=by, systems="bm25+rm3", subset=subset, seed=seed, depth=10)
        write_tuned(tmp_path / folder, corpus, SHARDS, asked)
        return {path.name: path.read_bytes() for path in (tmp_path / folder / "runs").iterdir()}

    every, first, second = made("all", None, 0), made("first", 2, 1), made("second", 2, 3)
    assert len(every) == 4
    assert len(first) == len(second) == 2
    assert first.items() | second.items() <= every.items()
    assert first.keys() != second.keys()
    assert len((tmp_path / "first" / "fitted.tsv").read_text().splitlines()) == 3


def test_a_subset_without_relevant_documents_is_refused(corpus: Corpus, tmp_path: Path) -> None:
    only_a = Corpus(corpus.index, corpus.topics, {t: docs[docs % 4 == 0] for t, docs in corpus.relevant.items()})
    said = []
    for seed in range(4):
        try:
            write_tuned(tmp_path / f"{seed}", only_a, SHARDS, TunedOptions(systems="bm25+rm3", subset=1, seed=seed))
        except DesignError as error:
            said.append(str(error))
            assert not (tmp_path / f"{seed}").exists()
    assert set(said) == {"no shard of the subset has a relevant document; take a larger subset, or another seed"}


def test_terms_of_a_shard_need_no_relevant_documents(corpus: Corpus, tmp_path: Path) -> None:
    asked = TunedOptions(by="terms", systems="bm25+rm3", depth=10)
    write_tuned(tmp_path / "all", corpus, SHARDS, asked)
    write_tuned(tmp_path / "thin", thin(corpus), SHARDS, asked)
    first, second = ((tmp_path / which / "runs" / "tuned-c.run").read_bytes() for which in ("all", "thin"))
    assert first == second
    assert (tmp_path / "thin" / "fitted.tsv").read_text().splitlines()[3] == "c\tbm25+rm3\t\t0"


def test_judgments_of_other_documents_are_refused(corpus: Corpus, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no document of the index is relevant to any of the topics"):
        write_tuned(
            tmp_path / "out", Corpus(corpus.index, corpus.topics, {"other": np.array([1])}), SHARDS, TunedOptions()
        )
    assert not list(tmp_path.iterdir())


def test_ap_is_that_of_trec_eval() -> None:
    rng = np.random.default_rng(0)
    for _ in range(50):
        documents = rng.permutation(30)[: rng.integers(0, 31)]
        relevant = np.sort(rng.choice(30, rng.integers(1, 12), replace=False))
        run = {"q": {str(one): float(-rank) for rank, one in enumerate(documents)}}
        judged = {"q": {str(one): 1 for one in relevant}}
        scores = pytrec_eval.RelevanceEvaluator(judged, {"map"}).evaluate(run)
        expected = scores["q"]["map"] if len(documents) else 0.0
        ours = average_precision(RankedList(documents, -np.arange(len(documents), dtype=np.float64)), relevant)
        assert ours == pytest.approx(expected)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (TunedOptions(systems="short-porter-bm25+rm3,none-porter-bm25+rm3"), "several stop lists or stemmers"),
        (TunedOptions(systems="bm25", subset=5), "a subset of 5 shards was asked for, and the map has 4"),
        (TunedOptions(by="terms", systems="bm25"), "by terms one system with feedback is run, and 'bm25' is none"),
        (TunedOptions(by="terms", systems="bm25{+rm3,+rm3(docs=3)}"), "by terms one system with feedback is run"),
    ],
)
def test_systems_that_cannot_be_fitted_are_refused(
    options: TunedOptions, said: str, corpus: Corpus, tmp_path: Path
) -> None:
    with pytest.raises(DesignError, match=said):
        write_tuned(tmp_path / "out", corpus, SHARDS, options)
    assert not list(tmp_path.iterdir())


def test_a_shard_whose_name_no_file_can_have_is_refused(corpus: Corpus, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="the shard 'x/y' gives a run its name, which cannot have a slash"):
        write_tuned(
            tmp_path / "out", corpus, Shards(SHARDS.labels, ("a", "x/y", "c", "d")), TunedOptions(systems="bm25+rm3")
        )
