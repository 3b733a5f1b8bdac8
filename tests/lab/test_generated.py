from __future__ import annotations

import re
from collections import Counter, defaultdict
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from irgauge.errors import DesignError
from irgauge.lab.generated import MOST_WORDS, Generated, generate, word
from irgauge.reading.trec import read_map


@pytest.fixture(scope="module")
def made() -> Generated:
    return generate(documents=12_000, clusters=4, themes=5, topics=10, seed=3)


def test_words_differ_and_can_be_told_from_each_other() -> None:
    words = [word(number) for number in range(0, MOST_WORDS, 7)]
    assert len(set(words)) == len(words)
    assert all(re.fullmatch("([bdfgklmnprstvz][aiou]){3}n", one) for one in words)


def test_no_stemmer_changes_a_word() -> None:
    stemmer = pytest.importorskip("Stemmer")
    words = [word(number) for number in range(0, MOST_WORDS, 11)]
    for algorithm in ("porter", "english"):
        assert stemmer.Stemmer(algorithm).stemWords(words) == words


def test_the_same_on_any_number_of_workers_and_another_for_another_seed(made: Generated) -> None:
    for workers in (1, 2):
        again = generate(documents=12_000, clusters=4, themes=5, topics=10, seed=3, workers=workers)
        assert again.texts == made.texts
        assert again.topics == made.topics
        assert again.judgments == made.judgments
    assert generate(documents=12_000, clusters=4, themes=5, topics=10, seed=4).texts != made.texts


def test_documents_of_a_cluster_share_words(made: Generated) -> None:
    """The words of a cluster are several times as frequent in it as elsewhere."""
    counts = [Counter[str](), Counter[str]()]
    for text, cluster in zip(made.texts, made.clusters, strict=True):
        counts[int(cluster != 0)].update(text.split())
    inside, outside = (sum(one.values()) for one in counts)
    shares = [(counts[0][one] / inside) / ((counts[1][one] + 1) / outside) for one in counts[0] if counts[0][one] > 300]
    assert len(shares) > 20
    assert np.median(np.sort(shares)[-20:]) > 5


def test_relevant_documents_have_the_words_of_their_topic(made: Generated, tmp_path: Path) -> None:
    """Far more of them than of other documents, and highly relevant ones more than others."""
    made.write(tmp_path)
    titles = re.findall(r"<num>(\d+)</num><title>\n(.*)\n", (tmp_path / "topics.trec").read_text())
    grades: defaultdict[str, dict[int, int]] = defaultdict(dict)
    for one in made.judgments:
        grades[one.topic][one.document] = one.grade
    rates: dict[int, list[float]] = {0: [], 1: [], 2: []}
    for topic, title in titles:
        asked = set(title.split())
        assert 2 <= len(asked) <= 4
        for document, text in enumerate(made.texts):
            words = text.split()
            rates[grades[topic].get(document, 0)].append(sum(one in asked for one in words) / len(words))
    means = [float(np.mean(rates[grade])) for grade in range(3)]
    assert means[2] > 2 * means[1] > 8 * means[0]


def test_most_relevant_documents_are_of_one_cluster_and_some_are_not(made: Generated) -> None:
    shares = []
    for topic in made.topics:
        clusters = made.clusters[[one.document for one in made.judgments if one.topic == topic.id]]
        shares.append(np.bincount(clusters).max() / len(clusters))
    assert 0.85 < np.mean(shares) < 0.98


def test_what_is_written_is_what_was_drawn(made: Generated, tmp_path: Path) -> None:
    made.write(tmp_path)
    text = (tmp_path / "documents.trec").read_text()
    assert re.findall("<DOCNO>(.*)</DOCNO>\n(.*)\n</DOC>", text) == list(zip(made.docnos, made.texts, strict=True))
    given = read_map(tmp_path / "clusters.tsv")
    assert given.docnos.to_list() == made.docnos
    assert [given.shards[label] for label in given.labels] == [f"C{cluster + 1}" for cluster in made.clusters]
    lines = [line.split() for line in (tmp_path / "qrels.txt").read_text().splitlines()]
    assert lines == [[one.topic, "0", made.docnos[one.document], str(one.grade)] for one in made.judgments]


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ({"documents": 3, "clusters": 4}, "4 clusters are more than the 3 documents"),
        ({"clusters": 2, "themes": 3, "topics": 7}, "7 topics are more than the 6 themes"),
        ({"topics": 0}, "topics is 0; it is at least 1"),
    ],
)
def test_what_cannot_be_drawn_is_refused(asked: dict[str, Any], said: str) -> None:
    with pytest.raises(DesignError, match=said):
        generate(**asked)
