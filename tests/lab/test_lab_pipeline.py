"""The commands of the lab one after the other: from generated text to runs that other commands judge."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from irgauge.reading.trec import read_map

Irgauge = Callable[..., tuple[int, str, str]]
SMALL = ("--documents", 300, "--clusters", 3, "--themes", 3, "--topics", 6)


@pytest.fixture
def folder(tmp_path: Path, run: Irgauge) -> Path:
    """Text, its index and a map of it."""
    assert run("lab", "generate", "-o", tmp_path / "text", *SMALL, "-q") == (0, "", "")
    documents = tmp_path / "text" / "documents.trec"
    assert run("lab", "index", documents, "-o", tmp_path / "index", "-q") == (0, "", "")
    code, out, err = run("lab", "shards", tmp_path / "index", "--topical", 3, "-o", tmp_path / "map.tsv")
    assert (code, out) == (0, "")
    sizes = [int((read_map(tmp_path / "map.tsv").labels == shard).sum()) for shard in range(3)]
    assert err == f"wrote {tmp_path / 'map.tsv'}: 3 shards of {min(sizes)} to {max(sizes)} documents\n"
    return tmp_path


def test_selective_search_ends_in_a_verdict_for_each_rate(folder: Path, run: Irgauge) -> None:
    given = (folder / "index", folder / "text" / "topics.trec", "--shards", folder / "map.tsv")
    asked = ("--csi", "5%,50%", "--instances", 3, "--picks", 1)
    code, out, err = run("lab", "selective", *given, *asked, "-o", folder / "made")
    assert (code, out) == (0, "")
    assert "7 runs on 6 topics" in err
    manifest = folder / "made" / "manifest.txt"
    assert f"--manifest {manifest}" in err
    judged = ("instances", folder / "text" / "qrels.txt", folder / "made" / "runs", "--manifest", manifest)
    code, out, _ = run(*judged, "--baseline", "exhaustive", "--no-posterior", "--format", "json")
    assert code == 0
    assert {row["system"] for row in json.loads(out)["pairs"]} == {"csi-5", "csi-50"}


def test_tuned_systems_are_systems_of_a_study_of_shards(folder: Path, run: Irgauge) -> None:
    text = folder / "text"
    given = (folder / "index", text / "topics.trec", text / "qrels.txt", "--shards", folder / "map.tsv")
    code, out, err = run("lab", "tuned", *given, "--by", "terms", "-o", folder / "made")
    assert (code, out) == (0, "")
    assert "3 runs on 6 topics" in err
    shards = ("--shards", f"map:{folder / 'map.tsv'}")
    code, out, _ = run("anova", text / "qrels.txt", folder / "made" / "runs", *shards, "--sparse", "--format", "json")
    assert code == 0
    assert "system:shard" in out


def test_random_shards_are_a_map_too(folder: Path, run: Irgauge) -> None:
    made = folder / "random.tsv"
    assert run("lab", "shards", folder / "index", "--random", 4, "--seed", 2, "-o", made, "-q") == (0, "", "")
    assert sorted((read_map(made).labels == shard).sum() for shard in range(4)) == [75] * 4


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("shards INDEX --topical 301", "301 clusters are more than the 300 documents; ask for fewer clusters"),
        ("shards INDEX --topical 30 --sample 0.05", "a sample of 0.05 has 15 of 300 documents, fewer than the 30"),
        ("shards INDEX --topical 3 --sample 2", "sample is 2; it is a share of the documents"),
        ("shards INDEX --random 301", "301 shards are more than the 300 documents"),
        ("shards INDEX", "no kind of shards was asked for; write --topical 20, --random 20 or --by FIELD"),
        ("shards INDEX --topical 2 --random 2", "several kinds of shards were asked for"),
        (
            "shards INDEX --random 2 --sample 0.5",
            "--sample is of topical shards, and others were asked for",
        ),
        ("shards INDEX --topical 2 --largest 149", "2 clusters of at most 149 documents have no room for all 300"),
        ("shards INDEX --topical 2 --log nowhere", "nowhere"),
        ("shards INDEX --by url", "--by FIELD and --documents FILES go together"),
        ("shards INDEX --by url --documents DOCUMENTS", "the field 'url' says nothing of any document"),
        ("shards INDEX --by tdl:url --documents DOCUMENTS", "did you mean 'tld'?"),
        ("selective INDEX TOPICS --shards MAP --csi 0.1%", "a rate of 0.1 % samples nothing of 300 documents"),
        ("selective INDEX TOPICS --shards MAP --csi 4", "--csi '4' is no rate; write it like 0.5% or 0.005"),
        ("selective INDEX TOPICS --shards nowhere", "nowhere"),
        ("selective INDEX TOPICS --shards QRELS", "a shard map has 2: docno shard"),
        ("selective INDEX TOPICS --shards MAP --system bm25+rm3", "take it without '+rm3'"),
        ("selective INDEX TOPICS --shards MAP --system bm26", "bm26"),
        ("tuned INDEX TOPICS QRELS --shards MAP --by term", "did you mean 'terms'?"),
        ("tuned INDEX TOPICS QRELS --shards MAP --by terms --systems bm25", "by terms one system with feedback"),
        ("tuned INDEX TOPICS TOPICS --shards MAP", "topics.trec"),
        ("generate --clusters 9 --documents 8", "9 clusters are more than the 8 documents"),
    ],
)
def test_what_cannot_be_done_is_said_and_nothing_is_written(words: str, said: str, folder: Path, run: Irgauge) -> None:
    places = {
        "INDEX": folder / "index",
        "TOPICS": folder / "text" / "topics.trec",
        "QRELS": folder / "text" / "qrels.txt",
        "MAP": folder / "map.tsv",
        "DOCUMENTS": folder / "text" / "documents.trec",
    }
    before = sorted(folder.rglob("*"))
    code, out, err = run("lab", *(places.get(word, word) for word in words.split()), "-o", folder / "made")
    assert (code, out) == (2, "")
    assert said in " ".join(err.split())
    assert sorted(folder.rglob("*")) == before
