from __future__ import annotations

import json
import re
from dataclasses import fields, replace
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy import stats

from irgauge.errors import DesignError, InputError
from irgauge.reading.collection import Collection, load
from irgauge.reading.judgments import UNJUDGED
from irgauge.scoring.scores import score
from irgauge.simulation import collections as module
from irgauge.simulation import truth as truth_module
from irgauge.simulation.collections import SOURCES, Design, Simulation, draw_systems, simulate
from irgauge.simulation.truth import Truth, true_means
from oracles.sameness import assert_same

SMALL = Design(systems=6, families=2, topics=5, depth=50, corpus_size=1000, pool_depth=5, relevant_median=5, seed=3)
TINY = Design(systems=3, families=1, equal=2, topics=15, depth=20, corpus_size=60, relevant_median=4, seed=5)


@pytest.fixture(scope="module")
def default() -> Simulation:
    return simulate(Design())


def means(collection: Collection, measure: str = "AP") -> NDArray[np.float64]:
    return score(collection, [measure], workers=1).values[0, :, :, 0]  # topic, system


def tied_shares(simulation: Simulation) -> NDArray[np.float64]:
    """The share of each system's entries whose score another entry of the list has too."""
    shares = []
    for system, length in enumerate(simulation.systems.lengths):
        lists = [topic.units[system, :length] for topic in simulation.topics.values()]
        alone = sum(int((np.unique(units, return_counts=True)[1] == 1).sum()) for units in lists)
        shares.append(1 - alone / (length * len(lists)))
    return np.array(shares)


def written(folder: Path, simulation: Simulation) -> dict[str, bytes]:
    simulation.write(folder)
    true_means(simulation.design, ["AP"], topics=4).save(folder / "truth.json")
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def assert_same_topics(one: Simulation, other: Simulation, count: int) -> None:
    for number in range(1, count + 1):
        for a, b in zip(one.topics[str(number)], other.topics[str(number)], strict=True):
            np.testing.assert_array_equal(a, b)


def test_a_seed_gives_the_same_bytes(tmp_path: Path) -> None:
    first = written(tmp_path / "a", simulate(SMALL))
    assert first == written(tmp_path / "b", simulate(SMALL))
    runs = {f"runs/{name}.run" for name in draw_systems(SMALL).names}
    assert set(first) == {"qrels.txt", "truth.json"} | runs


def test_another_seed_gives_other_files(tmp_path: Path) -> None:
    first = written(tmp_path / "a", simulate(SMALL))
    second = written(tmp_path / "b", simulate(replace(SMALL, seed=4)))
    assert set(first) == set(second)
    assert all(first[name] != second[name] for name in first)


def test_a_topic_does_not_depend_on_how_many_there_are() -> None:
    assert_same_topics(simulate(SMALL), simulate(replace(SMALL, topics=12)), SMALL.topics)


def test_a_topic_does_not_depend_on_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    alone = simulate(SMALL, workers=1)
    monkeypatch.setattr(module, "_WORTH_THREADS", 0)
    assert_same_topics(alone, simulate(SMALL, workers=4), SMALL.topics)


def test_the_truth_does_not_depend_on_chunks(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = true_means(SMALL, ["AP"], topics=20)
    monkeypatch.setattr(truth_module, "_CHUNK", 7)
    np.testing.assert_array_equal(true_means(SMALL, ["AP"], topics=20).means, whole.means)


def test_draws_share_the_systems_and_no_topic() -> None:
    first, second = simulate(SMALL), simulate(SMALL, draw=1)
    np.testing.assert_array_equal(first.systems.qualities, second.systems.qualities)
    for number, topic in first.topics.items():
        assert not np.array_equal(topic.judged_docs, second.topics[number].judged_docs)


@st.composite
def designs(draw: st.DrawFn) -> Design:
    systems = draw(st.integers(1, 12))
    families = draw(st.integers(1, systems))
    depth = draw(st.integers(1, 30))
    return Design(
        systems=systems,
        families=families,
        topics=draw(st.integers(1, 12)),
        depth=depth,
        corpus_size=draw(st.integers(max(depth, 2), 120)),
        pool_depth=draw(st.integers(1, 40)),
        grades=draw(st.integers(1, 3)),
        equal=draw(st.sampled_from([0, *range(2, -(-systems // families) + 1)])),
        relevant_median=draw(st.floats(1, 20)),
        tied_share=draw(st.floats(0, 1)),
        short_share=draw(st.floats(0, 1)),
        seed=draw(st.integers(0, 1000)),
    )


def assert_equals_files(simulation: Simulation, folder: Path) -> None:
    written(folder, simulation)
    loaded = load(folder / "qrels.txt", folder / "runs", corpus_size=simulation.design.corpus_size)
    collection = simulation.collection()
    assert_same(collection, loaded, but=["origins"])
    assert [Path(path).stem for path in loaded.origins] == list(collection.systems)


@settings(max_examples=25, deadline=None, derandomize=True)
@given(design=designs())
def test_the_collection_is_what_load_reads(design: Design, tmp_path_factory: pytest.TempPathFactory) -> None:
    assert_equals_files(simulate(design), tmp_path_factory.mktemp("simulation"))


def test_the_default_collection_is_what_load_reads(default: Simulation, tmp_path: Path) -> None:
    assert_equals_files(simulate(Design(topics=4)), tmp_path)
    assert_same_topics(default, simulate(Design(topics=4)), 4)


def test_lists_stand_in_the_order_of_the_tie_rule() -> None:
    simulation = simulate(replace(SMALL, tied_share=1.0))
    assert tied_shares(simulation).min() > 0.05
    for topic in simulation.topics.values():
        docnos = module._docnos(SMALL, topic.docs.ravel()).to_numpy().reshape(topic.docs.shape)
        for units, names in zip(topic.units.tolist(), docnos.tolist(), strict=True):
            pairs = list(zip(units, names, strict=True))
            assert pairs == sorted(pairs, reverse=True)


def test_all_relevant_documents_and_the_pool_are_judged() -> None:
    for topic in simulate(SMALL).topics.values():
        assert (topic.grades[:, : SMALL.pool_depth] != UNJUDGED).all()
        assert (topic.judged_grades > 0).any()
        pool = np.unique(topic.docs[:, : SMALL.pool_depth])
        assert set(topic.judged_docs[topic.judged_grades == 0]) <= set(pool)


def test_without_noise_every_list_is_ideal() -> None:
    silent: dict[str, Any] = dict.fromkeys(("topic_document_sd", "family_document_sd", "noise_sd", "short_share"), 0.0)
    collection = simulate(replace(SMALL, quality=5, **silent)).collection()
    assert collection.relevant_counts().max() <= collection.lengths.min()
    np.testing.assert_allclose(score(collection, ["AP", "nDCG"]).values, 1.0)


def test_systems_that_share_all_effects_give_one_list() -> None:
    own: dict[str, Any] = dict.fromkeys(("system_sd", "topic_system_sd", "noise_sd", "tied_share", "short_share"), 0.0)
    for topic in simulate(replace(SMALL, **own)).topics.values():
        np.testing.assert_array_equal(topic.docs[:3], topic.docs[[0, 0, 0]])  # a family
        assert not np.array_equal(topic.docs[0], topic.docs[3])


def test_the_truth_follows_quality() -> None:
    design = replace(SMALL, systems=4, system_sd=0.7, topic_system_sd=0.0, tied_share=0.0, short_share=0.0)
    truth = true_means(design, ["AP", "nDCG@10"], topics=400)
    order = np.argsort(draw_systems(design).qualities)
    assert (np.diff(truth.means[:, order]) > 0).all()


def test_the_default_looks_like_trec(default: Simulation) -> None:
    collection = default.collection()
    ap, ndcg = means(collection), means(collection, "nDCG@10")
    assert 0.05 < ap.mean(axis=0).min() < 0.2
    assert 0.3 < ap.mean(axis=0).max() < 0.5
    assert 0.2 < ndcg.mean(axis=0).min() < ndcg.mean(axis=0).max() < 0.75
    assert ap.min() < 0.01
    assert ap.max() > 0.7
    assert collection.lengths.max() == 1000
    assert collection.lengths.min() < 1000
    relevant = collection.relevant_counts()
    assert relevant.min() <= 3
    assert relevant.max() > 150
    assert collection.grades.tolist() == [0, 1, 2]


def test_some_systems_have_many_ties(default: Simulation) -> None:
    shares = tied_shares(default)
    coarse = default.systems.steps > 1
    assert coarse.sum() == 5
    assert ((shares[coarse] > 0.1) & (shares[coarse] < 0.35)).all()
    assert shares[~coarse].max() < 0.02


def test_families_are_related(default: Simulation) -> None:
    tops = [[set(docs[:100].tolist()) for docs in topic.docs] for topic in default.topics.values()]
    pairs = list(combinations(range(default.design.systems), 2))
    shared = np.array([sum(len(top[a] & top[b]) for top in tops) for a, b in pairs])
    is_related = np.array([default.systems.families[a] == default.systems.families[b] for a, b in pairs])
    assert shared[is_related].mean() > 1.1 * shared[~is_related].mean()


def test_docnos_tell_their_source(default: Simulation) -> None:
    docnos = default.collection().docnos.to_list()
    assert docnos == sorted(set(docnos))
    found = [re.match("^(BOOK|NEWS|WEB|WIRE)-[0-9]{5}$", docno) for docno in docnos]
    counts = {source: sum(m is not None and m[1] == source for m in found) for source in SOURCES}
    assert sum(counts.values()) == len(docnos)
    assert sorted(counts, key=lambda source: counts[source]) == sorted(SOURCES, key=lambda source: SOURCES[source])


def test_equal_systems_have_one_truth(tmp_path: Path) -> None:
    truth = true_means(TINY, ["AP", "RR"], topics=30)
    np.testing.assert_array_equal(truth.means[:, 0], truth.means[:, 1])
    np.testing.assert_array_equal(truth.errors[:, 0], truth.errors[:, 1])
    assert (truth.means[:, 1] != truth.means[:, 2]).all()
    truth.save(tmp_path / "truth.json")
    systems = json.loads((tmp_path / "truth.json").read_bytes())["systems"]
    assert [system["equal_to"] for system in systems] == [["F1-2"], ["F1-1"], []]
    assert len({system["quality"] for system in systems}) == 2


def test_equal_systems_win_equally_often() -> None:
    ap = np.array([means(simulate(TINY, draw=draw).collection()).mean(axis=0) for draw in range(300)])
    differences = ap[:, 0] - ap[:, 1]
    assert stats.ttest_1samp(differences, 0).pvalue > 0.01
    assert stats.binomtest(int((differences > 0).sum()), int((differences != 0).sum())).pvalue > 0.01
    assert differences.std() > 0.01


def test_intervals_hold_the_truth_as_often_as_they_say() -> None:
    truth = true_means(TINY, ["AP"], topics=4000)
    ap = np.array([means(simulate(TINY, draw=draw).collection()) for draw in range(300)])  # draw, topic, system
    half = stats.t.ppf(0.975, TINY.topics - 1) * ap.std(axis=1, ddof=1) / np.sqrt(TINY.topics)
    is_inside = np.abs(ap.mean(axis=1) - truth.means[0]) < half  # draw, system
    low, high = stats.binom.interval(0.999, 300, 0.95)
    assert (low <= is_inside.sum(axis=0)).all()
    assert (is_inside.sum(axis=0) <= high).all()
    pooled = ap.mean(axis=(0, 1)) - truth.means[0]
    assert (np.abs(pooled) < 4 * np.hypot(truth.errors[0], ap.std(axis=(0, 1)) / np.sqrt(300 * TINY.topics))).all()


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"systems": 0}, "systems=0 is not possible; it is from 1 to"),
        ({"systems": 3}, "3 systems cannot make 5 families"),
        ({"systems": 1, "families": 1, "equal": 2}, "equal=2 is not possible; it is 0, or from 2 to .* here 1"),
        ({"systems": 5, "equal": 2}, "here 1: ask for fewer families"),
        ({"equal": 1}, "equal=1 is not possible"),
        ({"equal": -1}, "equal=-1 is not possible"),
        ({"equal": 5}, "here 4"),
        ({"depth": 100, "corpus_size": 99}, "depth 100 is more than the corpus of 99"),
        ({"noise_sd": -0.1}, "noise_sd=-0.1 is not possible; it is from 0 to 10"),
        ({"topic_sd": float("nan")}, "topic_sd=nan"),
        ({"relevant_median": 0}, "relevant_median=0"),
        ({"tied_share": 1.5}, "tied_share=1.5 is not possible; it is from 0 to 1"),
        ({"seed": -1}, "seed=-1"),
    ],
)
def test_impossible_designs(settings: dict[str, Any], message: str) -> None:
    with pytest.raises(DesignError, match=message):
        Design(**settings)


def test_every_setting_has_limits() -> None:
    assert {field.name for field in fields(Design)} == set(module._LIMITS)


def test_the_truth_needs_topics() -> None:
    with pytest.raises(DesignError, match="at least 2"):
        true_means(TINY, topics=1)


def test_progress_is_told() -> None:
    told: list[tuple[int, int]] = []
    true_means(TINY, ["AP"], topics=120, progress=lambda done, total: told.append((done, total)))
    assert told == [(50, 120), (100, 120), (120, 120)]


def test_the_truth_reads_back(tmp_path: Path) -> None:
    truth = true_means(TINY, ["AP", "RBP(p=0.95)"], topics=10)
    truth.save(tmp_path / "truth.json")
    again = Truth.load(tmp_path / "truth.json")
    assert (again.design, again.measures, again.topics) == (TINY, truth.measures, 10)
    np.testing.assert_array_equal(again.means, truth.means)
    np.testing.assert_array_equal(again.errors, truth.errors)


DEEP = pytest.param('{"a":' * 100_000, id="nested deep")
LARGE = pytest.param('{"measures": {"AP": {"a": {"mean": 1%s, "se": 1}}}}' % ("0" * 400), id="a large number")


@pytest.mark.parametrize(
    "text", ["", "[]", "{}", '{"measures": {"AP": {"a": {"mean": 1}}}}', '{"measures": 3}', DEEP, LARGE]
)
def test_a_file_that_is_no_truth(text: str, tmp_path: Path) -> None:
    (tmp_path / "truth.json").write_text(text)
    with pytest.raises(InputError, match=r"truth\.json: this is not a truth\.json of `irgauge simulate`"):
        Truth.load(tmp_path / "truth.json")


def test_a_missing_truth(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="there is no such file"):
        Truth.load(tmp_path / "truth.json")


def test_other_runs_are_not_mixed_with_ours(tmp_path: Path) -> None:
    written(tmp_path, simulate(SMALL))
    written(tmp_path, simulate(replace(SMALL, seed=9)))  # the same names are replaced
    with pytest.raises(InputError, match=r"runs: the folder holds other files, such as F1-3\.run"):
        written(tmp_path, simulate(replace(SMALL, systems=4)))


def test_a_folder_that_cannot_be_made(tmp_path: Path) -> None:
    (tmp_path / "runs").write_text("")
    with pytest.raises(InputError, match="cannot be written"):
        written(tmp_path, simulate(SMALL))
