from __future__ import annotations

import sys
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse import csr_array
from sklearn.metrics import adjusted_rand_score

from irgauge.compute.tasks import in_threads
from irgauge.errors import DesignError, InputError
from irgauge.lab import clusters
from irgauge.lab.clusters import Clustering, bounded, term_weights, topical_shards, unit_vectors
from irgauge.lab.generated import Generated, generate
from irgauge.lab.index import Index, build
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


def document_vectors(index: Index, log: Sequence[str] = ()) -> csr_array:
    return unit_vectors(index.by_document, term_weights(index, clusters._query_counts(index, log)))


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
    vectors = clusters._narrow(document_vectors(index))
    asked = Clustering(8, seed=5)
    here = clusters._fitted(vectors, vectors, asked, 1)
    there = in_threads(lambda start: clusters._fitted(vectors, vectors, asked, start), [1, 1], 2)
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


def test_terms_of_a_log_weigh_more() -> None:
    index = index_of({"a": ["wave", "noise"], "b": ["noise", "radio"], "c": ["radio"]})
    vectors = document_vectors(index, ["wave wave the", "radio wave"]).toarray()
    wave, noise = index.terms.index("wave"), index.terms.index("noise")
    assert vectors[0, wave] / vectors[0, noise] == pytest.approx(np.log(3) * (1 + np.log(3)) / np.log(1.5))


def test_a_log_says_by_what_documents_are_clustered() -> None:
    """Documents have a subject and a style; queries ask for one of the two."""
    subjects, styles = ("wave waves", "noise sound"), ("letter dear", "table column")
    kinds = [(number % 2, number // 2 % 2) for number in range(40)]
    index = build(
        Document(f"d{number:02}", f"{subjects[subject]} {styles[style]} rare{number}")
        for number, (subject, style) in enumerate(kinds)
    )
    for place, log in enumerate((subjects, styles)):
        labels = topical_shards(index, Clustering(2, starts=1, seed=3, log=log * 5)).labels
        assert adjusted_rand_score([kind[place] for kind in kinds], labels) == 1


def test_a_log_of_fewer_queries_than_clusters_is_refused(index: Index) -> None:
    log = [" ".join(index.terms[:2]), index.terms[9], "unknown"]
    with pytest.raises(DesignError, match="the log has only 2 different queries with terms of documents, fewer than"):
        topical_shards(index, Clustering(5, log=log))


@given(st.integers(1, 25), st.integers(1, 5), st.integers(0, 10**6), st.integers(0, 4))
def test_bounded_clusters_are_full_of_nearer_documents(documents: int, number: int, seed: int, more: int) -> None:
    """No document would rather be elsewhere, where it would be kept; within the bound all are where they would be."""
    distances = np.random.default_rng(seed).integers(0, 9, (documents, number)).astype(float)
    most = -(-documents // number) + more
    labels = bounded(distances, most).tolist()
    assert max(map(labels.count, labels)) <= most
    for document, label in enumerate(labels):
        for other in range(number):
            if distances[document, other] < distances[document, label]:
                members = [one for one, its in enumerate(labels) if its == other]
                assert len(members) == most
                assert max(distances[member, other] for member in members) <= distances[document, other]


def test_shards_of_bounded_size(index: Index) -> None:
    free = topical_shards(index, Clustering(5))
    most = int(np.bincount(free.labels).max())
    assert topical_shards(index, Clustering(5, most=most)).labels.tolist() == free.labels.tolist()
    tight = topical_shards(index, Clustering(5, most=300))
    assert np.bincount(tight.labels).tolist() == [300] * 5
    assert adjusted_rand_score(free.labels, tight.labels) > 0.8
    with pytest.raises(DesignError, match="at most 299 documents have no room for all 1,500; it takes at least 300"):
        topical_shards(index, Clustering(5, most=299))


def test_the_sample_and_the_starts_have_seeds_of_their_own(index: Index) -> None:
    def drawn(seed: int, sample_seed: int | None) -> list[int]:
        return clusters._sample(1500, Clustering(8, sample=0.1, seed=seed, sample_seed=sample_seed)).tolist()

    assert drawn(1, None) == drawn(2, 1) == drawn(1, 1) != drawn(1, 2)
    asked = [Clustering(8, sample=0.1, seed=seed, sample_seed=1, starts=1) for seed in (1, 2)]
    assert topical_shards(index, asked[0]).labels.tolist() != topical_shards(index, asked[1]).labels.tolist()
    same = Clustering(8, sample=0.1, seed=1, starts=1)
    assert topical_shards(index, same).labels.tolist() == topical_shards(index, asked[0]).labels.tolist()


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
