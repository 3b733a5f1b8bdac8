from __future__ import annotations

import sys

import numpy as np
import pytest
from sklearn.metrics import adjusted_rand_score

from irgauge.compute.tasks import in_threads
from irgauge.errors import DesignError, InputError
from irgauge.lab import shards
from irgauge.lab.generated import Generated, generate
from irgauge.lab.index import Index, build
from irgauge.lab.shards import Clustering, document_vectors, topical_shards
from irgauge.lab.texts import Document, read_documents
from oracles.made_text import index_of


@pytest.fixture(scope="module")
def made() -> Generated:
    return generate(documents=1500, clusters=5, themes=4, topics=5, seed=1)


@pytest.fixture(scope="module")
def index(made: Generated, tmp_path_factory: pytest.TempPathFactory) -> Index:
    folder = tmp_path_factory.mktemp("text")
    made.write(folder)
    return build(read_documents([folder / "documents.trec"]))


def test_clusters_that_were_generated_are_found(made: Generated, index: Index) -> None:
    found = topical_shards(index, Clustering(5))
    assert adjusted_rand_score(made.clusters, found.labels) > 0.95
    assert found.names == ("S1", "S2", "S3", "S4", "S5")


def test_a_sample_is_enough_and_the_others_go_to_the_nearest(made: Generated, index: Index) -> None:
    found = topical_shards(index, Clustering(5, sample=0.3))
    assert adjusted_rand_score(made.clusters, found.labels) > 0.9
    vectors = document_vectors(index).toarray()
    centres = np.array([vectors[found.labels == shard].mean(axis=0) for shard in range(5)])
    nearest = ((vectors[:, np.newaxis] - centres) ** 2).sum(axis=2).argmin(axis=1)
    assert (nearest == found.labels).mean() > 0.97  # those of the sample alone are near these


def test_the_same_on_any_number_of_workers_and_others_for_another_seed(index: Index) -> None:
    first = topical_shards(index, Clustering(8, sample=0.3, seed=5, workers=1))
    second = topical_shards(index, Clustering(8, sample=0.3, seed=5, workers=2))
    other = topical_shards(index, Clustering(8, sample=0.3, seed=6))
    assert first.labels.tolist() == second.labels.tolist()
    assert first.labels.tolist() != other.labels.tolist()


def test_sums_are_of_one_thread_wherever_they_are_made(index: Index) -> None:
    vectors = shards._narrow(document_vectors(index))
    asked = Clustering(8, seed=5)
    here = shards._fitted(vectors, asked, 1)
    there = in_threads(lambda start: shards._fitted(vectors, asked, start), [1, 1], 2)
    for model in (here, *there):
        assert model._n_threads == 1
        np.testing.assert_array_equal(model.cluster_centers_, here.cluster_centers_)


def test_vectors_are_of_length_1_by_the_formula() -> None:
    index = index_of({"a": ["wave", "wave", "noise"], "b": ["noise", "radio"], "c": ["radio"]})
    vectors = document_vectors(index).toarray()
    wave, noise, radio = (index.terms.index(term) for term in ("wave", "noise", "radio"))
    raw = np.zeros((3, len(index.terms)))
    raw[0, wave], raw[0, noise] = (1 + np.log(2)) * np.log(3), np.log(3 / 2)
    raw[1, noise] = raw[1, radio] = raw[2, radio] = np.log(3 / 2)
    assert vectors == pytest.approx(raw / np.sqrt((raw**2).sum(axis=1, keepdims=True)))


def test_a_document_whose_terms_all_documents_have_is_in_some_shard() -> None:
    index = index_of({"a": ["the"], "b": ["the", "wave"], "c": ["the", "noise"], "d": ["the", "radio"]})
    assert not document_vectors(index).toarray()[0].any()
    assert sorted(np.bincount(topical_shards(index, Clustering(3)).labels).tolist()) == [1, 1, 2]


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        (Clustering(1501), "1501 clusters are more than the 1,500 documents"),
        (Clustering(20, sample=0.01), "a sample of 0.01 has 15 of 1,500 documents, fewer than the 20 clusters"),
    ],
)
def test_more_clusters_than_documents_are_refused(index: Index, asked: Clustering, said: str) -> None:
    with pytest.raises(DesignError, match=said):
        topical_shards(index, asked)


def test_more_clusters_than_different_documents_are_refused() -> None:
    index = build(Document(f"d{number}", ("wave", "noise")[number % 2]) for number in range(10))
    with pytest.raises(DesignError, match="the sample has only 2 different documents, fewer than the 3 clusters"):
        topical_shards(index, Clustering(3))


def test_progress_is_told(index: Index) -> None:
    told: list[tuple[int, int]] = []
    topical_shards(index, Clustering(3, progress=lambda done, total: told.append((done, total))))
    assert told == [(1, 4), (2, 4), (3, 4), (4, 4)]


def test_without_the_extra_it_is_told_what_to_install(index: Index, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("sklearn", "sklearn.cluster", "sklearn.exceptions"):
        monkeypatch.setitem(sys.modules, name, None)
    with pytest.raises(InputError, match=r'this needs scikit-learn; install it with: pip install "irgauge\[lab\]"'):
        topical_shards(index, Clustering(2))
