from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from functools import cache, partial
from pathlib import Path

import numpy as np
import pytest
import scipy.stats
from numpy.typing import NDArray

from irgauge import Collection, DesignError, load
from irgauge.replicates.bench import Bench
from irgauge.replicates.images import draw_images
from irgauge.scoring.measures import parse_measures
from irgauge.scoring.scorer import Scorer
from irgauge.scoring.scores import score
from irgauge.simulation.collections import Design, simulate
from irgauge.studies.pools import pairs
from irgauge.studies.pools.pairs import PairPools, Survey
from irgauge.studies.pools.study import ALL, Pooled, pools
from oracles import slow_pools
from oracles.amended import Image, Qrels, Run

MEASURES = ("AP", "RBP(p=0.95, rel=1)", "nDCG", "nDCG@4", "P@5", "RR", "Bpref", "AP(rel=2)", "Rprec", "ERR")
DEPTHS = (1, 3, 7, 50)
IMAGES, SEED, CASES = 4, 11, 5


@dataclass(frozen=True)
class Small:
    """A random collection as dicts and as a Collection, and its images."""

    qrels: Qrels
    runs: Mapping[str, Run]
    collection: Collection

    @property
    def pair(self) -> tuple[Run, Run]:
        first, second = self.collection.systems[:2]
        return self.runs[first], self.runs[second]

    def images(self, count: int = IMAGES) -> list[Image]:
        """The root, and the images of the study."""
        docnos = list(self.collection.docnos)
        drawn = draw_images(self.collection, count, seed=SEED).weights.T.tolist()
        return [dict(zip(docnos, weights, strict=True)) for weights in ([1] * len(docnos), *drawn)]


def random_list(rng: np.random.Generator, docnos: list[str]) -> dict[str, float]:
    """A ranked list of random length, with ties."""
    chosen = rng.choice(docnos, rng.integers(4, 25), replace=False).tolist()
    return {docno: float(rng.integers(0, 12)) for docno in chosen}


@cache
def small(seed: int, systems: int = 2) -> Small:
    """Seven topics, of which the last is relevant outside any list; 40 documents, of a corpus of 60 if seed is odd."""
    rng = np.random.default_rng(seed)
    docnos = [f"d{number:02}" for number in range(40)]
    qrels = {
        f"q{topic}": {docno: int(rng.integers(-1, 4)) for docno in rng.choice(docnos, 18, replace=False).tolist()}
        for topic in range(6)
    }
    for grades in qrels.values():
        grades[docnos[int(rng.integers(40))]] = 2
    qrels["q6"] = {"unseen": 2, docnos[0]: 0}
    runs = {
        f"s{system}": {topic: random_list(rng, docnos) for topic in qrels if rng.random() < 0.95}
        for system in range(systems)
    }
    return Small(qrels, runs, load(qrels, runs, corpus_size=60 if seed % 2 else None, warn=False))


@cache
def studied(seed: int) -> Pooled:
    return pools(small(seed).collection, MEASURES, depths=DEPTHS, images=IMAGES, seed=SEED)


@pytest.mark.parametrize("measure", MEASURES)
@pytest.mark.parametrize("seed", range(CASES))
def test_differences_and_p_values_are_those_of_runs_and_qrels_written_out(seed: int, measure: str) -> None:
    data, result = small(seed), studied(seed)
    m, one = MEASURES.index(measure), result.pairs[0]
    assert result.topic_differences is not None
    assert result.root_topic_differences is not None
    for pool, depth in enumerate((*DEPTHS, None)):
        root, *images = (slow_pools.pair(data.qrels, data.pair, image, measure, depth) for image in data.images())
        np.testing.assert_allclose(result.root_topic_differences[m, pool], root.topics, rtol=1e-10, atol=1e-12)
        found = one.root_difference[m, pool], one.root_p[m, pool], result.judged[pool]
        np.testing.assert_allclose(found, (root.difference, root.p, root.judged), rtol=1e-9, atol=1e-12)
        for i, image in enumerate(images):
            found_topics = result.topic_differences[m, pool, :, i]
            np.testing.assert_allclose(found_topics, image.topics, rtol=1e-10, atol=1e-12)
            found_pair = one.difference[m, pool, i], one.p[m, pool, i]
            np.testing.assert_allclose(found_pair, (image.difference, image.p), rtol=1e-9, atol=1e-12)


def test_the_small_cases_tell_pools_and_images_apart() -> None:
    for measure in ("AP", "nDCG", "RBP(p=0.95, rel=1)", "Bpref"):
        one = studied(0).pairs[0]
        m = MEASURES.index(measure)
        assert len(np.unique(one.root_difference[m].round(9))) >= 4  # depth 50 judges all that matters to RBP
        assert len(np.unique(one.difference[m, 1].round(9))) >= IMAGES - 1


def test_the_result_says_what_was_asked() -> None:
    result = studied(1)
    assert result.measures == MEASURES
    assert result.pools == ("1", "3", "7", "50", ALL)
    assert (result.images, result.seed, result.alpha) == (IMAGES, SEED, 0.05)
    assert (result.source["corpus_size"], result.source["documents"]) == (60, 41)
    told = result.provenance
    assert (told["depths"], told["images"], told["seed"], told["topics"]) == (DEPTHS, IMAGES, SEED, 7)
    assert result.topics == small(1).collection.topics
    assert [(pair.system, pair.against) for pair in result.pairs] == [("s0", "s1")]


def test_a_topic_without_relevant_documents_in_the_pool_scores_0_for_both() -> None:
    qrels = {"q1": {"a": 1}, "q2": {"b": 1}, "q3": {"c": 1}}
    runs = {
        "one": {"q1": {"a": 2.0, "x": 1.0}, "q2": {"x": 2.0, "b": 1.0}, "q3": {"c": 1.0}},
        "two": {"q1": {"x": 2.0, "a": 1.0}, "q2": {"y": 3.0, "x": 2.0, "b": 1.0}, "q3": {"y": 2.0, "c": 1.0}},
    }
    result = pools(load(qrels, runs), ["RR"], depths=[1], images=2)
    assert result.root_topic_differences is not None
    shallow, complete = result.root_topic_differences[0]
    assert shallow.tolist() == [0.5, 0.0, 0.5]  # b is judged by neither: 0 for both
    np.testing.assert_allclose(complete, [0.5, 1 / 2 - 1 / 3, 0.5])
    assert result.judged.tolist() == [2 / 3, 1.0]


def retrieved(seed: int) -> Collection:
    """A collection of which all judged documents are in the lists."""
    rng = np.random.default_rng(seed)
    docnos = [f"d{number:02}" for number in range(30)]
    qrels = {f"q{topic}": {docno: int(rng.integers(0, 3)) for docno in docnos} for topic in range(8)}
    runs = {
        name: {topic: {docno: float(rng.random()) for docno in docnos} for topic in qrels} for name in ("one", "two")
    }
    return load(qrels, runs, warn=False)


def test_a_pool_as_deep_as_the_lists_is_all_judgments_where_all_of_them_are_retrieved() -> None:
    result = pools(retrieved(3), MEASURES, depths=[400], images=20)
    one = result.pairs[0]
    for values in (one.root_difference, one.root_p, one.difference, one.p, result.topic_differences):
        assert values is not None
        np.testing.assert_array_equal(values[:, 0], values[:, 1])
    assert not one.gains(0.05).any()
    assert (one.chance_gain == 1).all()
    assert not one.lower.any()
    assert result.judged[0] == result.judged[1] == 30


def assert_same(one: Pooled, other: Pooled) -> None:
    for field in fields(Pooled):
        a, b = getattr(one, field.name), getattr(other, field.name)
        if field.name == "pairs":
            assert_same_pairs(a, b)
        elif isinstance(a, np.ndarray):
            np.testing.assert_array_equal(a, b, err_msg=field.name)
        else:
            assert a == b, field.name


def assert_same_pairs(one: tuple[PairPools, ...], other: tuple[PairPools, ...]) -> None:
    for first, second in zip(one, other, strict=True):
        for field in fields(PairPools):
            np.testing.assert_array_equal(getattr(first, field.name), getattr(second, field.name), err_msg=field.name)


@pytest.mark.parametrize("workers", [1, 2, 5])
@pytest.mark.parametrize("batch", [1, 3, 256])
def test_numbers_do_not_depend_on_workers_and_batches(
    workers: int, batch: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    collection = small(2, systems=3).collection
    expected = pools(collection, ["AP", "RR"], depths=[3], images=7, seed=SEED, all_pairs=True)
    monkeypatch.setattr(pairs, "_BATCH", batch)
    assert_same(
        pools(collection, ["AP", "RR"], depths=[3], images=7, seed=SEED, workers=workers, all_pairs=True), expected
    )


def test_a_single_pair_is_the_same_over_many_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pairs, "_BATCH", 3)
    collection = small(0).collection
    assert_same(pools(collection, MEASURES, depths=DEPTHS, images=IMAGES, seed=SEED), studied(0))


def test_more_images_begin_with_the_same_ones() -> None:
    collection = small(0).collection
    few, many = (pools(collection, ["AP"], depths=[3], images=images, seed=SEED) for images in (3, 9))
    np.testing.assert_array_equal(many.pairs[0].p[..., :3], few.pairs[0].p)
    assert not np.array_equal(pools(collection, ["AP"], depths=[3], images=3, seed=1).pairs[0].p, few.pairs[0].p)


def test_all_pairs_are_the_pairs_one_by_one() -> None:
    collection = small(4, systems=3).collection
    result = pools(collection, MEASURES, depths=DEPTHS, images=IMAGES, seed=SEED, all_pairs=True)
    each = [
        pools(collection.only(pair), MEASURES, depths=DEPTHS, images=IMAGES, seed=SEED)
        for pair in ([0, 1], [0, 2], [1, 2])
    ]
    assert_same_pairs(result.pairs, tuple(one.pairs[0] for one in each))
    np.testing.assert_allclose(result.judged, np.mean([one.judged for one in each], axis=0))
    assert result.topic_differences is None
    assert result.root_topic_differences is None


def test_depths_are_put_in_order_once_each() -> None:
    result = pools(small(0).collection, ["AP"], depths=[7, 1, 7], images=2)
    assert result.pools == ("1", "7", ALL)


def pair_of(p: list[list[float]], name: str = "one", chance: float = 0.01) -> PairPools:
    """A pair with p[pool][image] of one measure, of which exchangeable runs gain or lose as much with this chance."""
    values = np.array([p])
    differences, chances = np.ones_like(values), np.full((1, len(p)), chance)
    return PairPools(name, "other", differences[..., 0], values[..., 0], differences, values, chances, chances)


P_ALL = [0.2, 0.2, 0.4, 0.4, 0.8]  # with all judgments: median 0.4


def test_confidence_is_gained_where_p_is_lower_in_most_images_and_its_median_half_as_high() -> None:
    one = pair_of(
        [
            [0.1, 0.1, 0.2, 0.5, 0.9],  # lower in 3 of 5, median 0.2: gains
            [0.1, 0.1, 0.21, 0.21, 0.9],  # lower in 4, but median 0.21
            [0.2, 0.2, 0.1, 0.1, 0.9],  # median 0.2, but lower in 2
            [0.5, 0.5, 0.8, 0.8, 0.9],  # higher in all, median 0.8: loses
            P_ALL,
        ]
    )
    assert one.median_p.tolist() == [[0.2, 0.21, 0.2, 0.8, 0.4]]
    assert one.lower.tolist() == [[0.6, 0.8, 0.4, 0.0, 0.0]]
    assert one.falls.tolist() == one.gains(0.05).tolist() == [[True, False, False, False, False]]
    assert one.rises.tolist() == one.loses(0.05).tolist() == [[False, False, False, True, False]]
    assert one.significant(0.1).tolist() == [[0.4, 0.4, 0.4, 0.0, 0.0]]


def test_no_confidence_is_gained_or_lost_where_exchangeable_runs_show_as_much() -> None:
    one = pair_of([[0.01] * 5, [0.9] * 5, P_ALL], chance=0.06)
    assert one.falls.tolist() == [[True, False, False]]
    assert one.rises.tolist() == [[False, True, False]]
    assert not one.gains(0.05).any()
    assert not one.loses(0.05).any()
    assert one.gains(0.06).tolist() == one.falls.tolist()


def test_medians_and_ranges_over_images() -> None:
    p, d = np.random.default_rng(0).random((2, 1, 2, 101))
    d[0, 0] -= 1
    one = PairPools("one", "other", d[..., 0], p[..., 0], d, p, p[..., 0], p[..., 0])
    for pool in range(2):
        values, differences = sorted(p[0, pool].tolist()), sorted(d[0, pool].tolist())
        assert one.p_range[:, 0, pool].tolist() == pytest.approx([values[5], values[95]])
        assert one.difference_range[:, 0, pool].tolist() == pytest.approx([differences[5], differences[95]])
        assert one.median_difference[0, pool] == differences[50]
    assert one.turns.tolist() == [[True, False]]


def pools_of(*pairs: PairPools) -> Pooled:
    depths = pairs[0].p.shape[1] - 1
    names = (*(str(10 * (depth + 1)) for depth in range(depths)), ALL)
    judged = np.arange(1.0, depths + 2)
    return Pooled(("AP",), ("q1", "q2"), names, pairs, judged, None, None, pairs[0].p.shape[2], seed=0, alpha=0.05)


def test_pairs_are_counted() -> None:
    result = pools_of(
        pair_of([[0.05] * 3, [0.3] * 3, [0.5] * 3]),  # gains by depth 10, and differs there only
        pair_of([[0.01] * 3, [0.01] * 3, [0.02] * 3]),  # gains by both, differs always
        pair_of([[0.4] * 3, [0.2] * 3, [0.2] * 3]),  # loses by depth 10
        pair_of([[0.6] * 3, [0.04] * 3, [0.05] * 3]),  # loses by depth 10, and differs by the others
    )
    assert result.gains().tolist() == result.falls().tolist() == [[2, 1, 0]]
    assert result.loses().tolist() == [[2, 0, 0]]
    assert result.significant().tolist() == [[2, 2, 2]]
    assert result.only_shallow().tolist() == [[1, 0, 0]]


def test_the_worst_pairs_are_those_whose_p_falls_most() -> None:
    result = pools_of(
        pair_of([[0.2] * 3, [0.1] * 3, [0.5] * 3], name="to a fifth"),
        pair_of([[0.5] * 3, [0.5] * 3, [0.5] * 3], name="not at all"),
        pair_of([[0.01] * 3, [0.2] * 3, [0.5] * 3], name="to a fiftieth"),
    )
    assert [(gain.pair.system, gain.pool) for gain in result.worst(0)] == [("to a fiftieth", 0), ("to a fifth", 1)]


def test_worse_than_any_fall_is_one_below_alpha() -> None:
    result = pools_of(
        pair_of([[1e-9] * 3, [1e-8] * 3, [0.04] * 3], name="differs anyway"),
        pair_of([[0.06] * 3, [0.3] * 3, [0.9] * 3], name="does not differ"),
        pair_of([[0.05] * 3, [0.1] * 3, [0.2] * 3], name="differs by the pool"),
    )
    names = [gain.pair.system for gain in result.worst(0)]
    assert names == ["differs by the pool", "differs anyway", "does not differ"]


def test_boxes_and_widths_of_topics() -> None:
    result = pools(small(0).collection, ["AP", "RR"], depths=[3], images=21)
    assert result.topic_differences is not None
    boxes = result.topic_boxes(1)
    widths: NDArray[np.float64] = np.empty((2, 2, 7))
    for m, pool, topic in np.ndindex(2, 2, 7):
        values = sorted(result.topic_differences[m, pool, topic].tolist())
        widths[m, pool, topic] = values[19] - values[1]
        if m == 1:
            found = [end[pool, topic] for end in boxes]
            np.testing.assert_allclose(found, [values[i] for i in (1, 5, 10, 15, 19)], atol=1e-12)
    np.testing.assert_allclose(result.topic_widths(), widths.mean(axis=2))


def test_topics_are_kept_of_one_pair_only() -> None:
    result = pools(small(4, systems=3).collection, ["AP"], depths=[3], images=2, all_pairs=True)
    for ask in (result.topic_widths, lambda: result.topic_boxes(0)):
        with pytest.raises(DesignError, match="are of one pair, not of all pairs"):
            ask()


def test_runs_that_rank_alike_are_no_pair() -> None:
    data = small(0)
    first, second = data.pair
    doubled = {topic: {docno: 2 * score for docno, score in scores.items()} for topic, scores in first.items()}
    with pytest.raises(DesignError, match=r"same order \(one = twice\); give two different runs"):
        pools(load(data.qrels, {"one": first, "twice": doubled}, warn=False), ["AP"])
    with pytest.raises(DesignError, match="same order"):
        pools(load(data.qrels, {"one": first, "twice": doubled}, warn=False), ["AP"], all_pairs=True)
    runs = {"one": first, "other": second, "twice": doubled}
    result = pools(load(data.qrels, runs, warn=False), ["AP"], depths=[3], images=2, all_pairs=True)
    assert [(pair.system, pair.against) for pair in result.pairs] == [("one", "other"), ("other", "twice")]
    assert result.alike == (("one", "twice"),)
    assert [note.text for note in result.findings().of("alike")] == ["Pairs that rank alike are left out: one = twice."]


def test_a_depth_deeper_than_the_runs_is_noted() -> None:
    collection = retrieved(1)
    result = pools(collection, ["AP"], depths=[30, 31, 100], images=2)
    assert (result.too_deep, result.shortest) == ((31, 100), 30)
    assert [note.text for note in result.findings().of("too-deep")] == [
        f"Depth {depth} is deeper than the runs, which end at 30 for some topic: there all is judged."
        for depth in (31, 100)
    ]
    assert pools(collection, ["AP"], depths=[30], images=2).too_deep == ()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"depths": [10, 0]}, "whole numbers from 1"),
        ({"depths": []}, "whole numbers from 1"),
        ({"images": 0}, "the number of images is 0; draw at least 2"),
        ({"images": 1}, "the number of images is 1; draw at least 2"),
        ({"measures": []}, "no measure was given"),
    ],
    ids=str,
)
def test_what_cannot_be_asked(options: dict[str, object], message: str) -> None:
    asked = {"measures": ["AP"], "images": 2} | options
    with pytest.raises(DesignError, match=message):
        pools(small(0).collection, **asked)  # type: ignore[arg-type]  # options of several types


def test_a_pair_is_two_runs() -> None:
    data = small(4, systems=3)
    with pytest.raises(DesignError, match="3 runs were given; name two, or ask for all pairs"):
        pools(data.collection, ["AP"])
    for all_pairs in (False, True):
        with pytest.raises(DesignError, match=r"a pair is two runs, and 1 run was given; name two$"):
            pools(data.collection.only([0]), ["AP"], all_pairs=all_pairs)


def test_a_table_of_scores_is_not_enough() -> None:
    with pytest.raises(DesignError, match="needs runs and judgments"):
        pools(score(small(0).collection, ["AP"]), ["AP"])


def test_a_collection_on_the_bench_gives_the_same() -> None:
    assert_same(pools(Bench(small(0).collection), MEASURES, depths=DEPTHS, images=IMAGES, seed=SEED), studied(0))


def test_one_topic_is_too_few() -> None:
    runs = {"one": {"q": {"a": 2.0, "b": 1.0}}, "two": {"q": {"b": 2.0, "a": 1.0}}}
    with pytest.raises(DesignError, match="at least 2 topics"):
        pools(load({"q": {"a": 1}}, runs), ["AP"])


def test_progress_runs_to_the_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pairs, "_BATCH", 2)
    told: list[tuple[int, int]] = []
    collection = small(4, systems=3).collection
    pools(
        collection,
        ["AP"],
        depths=[3],
        images=5,
        progress=lambda done, total: told.append((done, total)),
        all_pairs=True,
    )
    assert told == [(done, 9) for done in range(1, 10)]


@pytest.fixture
def best_of_trec8(trec8: Path, trec8_runs: Collection) -> Collection:
    """The ten best systems by the paper's measure, in single precision as the papers have it."""
    means = score(trec8_runs, ["RBP(p=0.95)@1000"]).values.mean(axis=(0, 1, 3))
    paths = [trec8_runs.origins[system] for system in np.argsort(-means)[:10]]
    return load(trec8 / "qrels.txt.gz", paths, precision="single", corpus_size=528_155)


def test_ap_gains_confidence_by_shallow_pools_on_trec8_and_rbp_hardly_does(best_of_trec8: Collection) -> None:
    measures = ["AP", "RBP(p=0.95)@1000", "P@10"]
    result = pools(best_of_trec8, measures, depths=[10, 25, 50, 100], images=100, all_pairs=True)
    assert len(result.pairs) == 45
    for counts in (result.falls(), result.gains()):  # to half, and beyond what exchangeable runs show
        ap, rbp, p10 = counts[:, :-1]
        assert (ap > rbp).all()
        assert ap.sum() >= 3 * rbp.sum()
        assert not rbp[2:].any()  # from depth 50 on, pools decide nothing of RBP
        assert not p10.any()  # the pool holds all that P@10 looks at
        assert (ap[2:] >= 45 // 4).all()  # a good number of pairs
    assert (result.falls()[0, 1:-1] >= 45 // 4).all()
    ap_only, rbp_only, _ = result.only_shallow()[:, :-1]
    assert (ap_only >= 5).all()
    assert (rbp_only <= 1).all()


def test_a_case_study_on_trec8(trec8: Path) -> None:
    runs = [trec8 / "runs" / f"input.{name}.gz" for name in ("READWARE", "CL99XT")]
    collection = load(trec8 / "qrels.txt.gz", runs, precision="single", corpus_size=528_155)
    result = pools(collection, ["AP", "RBP(p=0.95)@1000"], images=100)
    one = result.pairs[0]
    ap, rbp = one.root_p
    assert ap[-1] > 0.4  # with all judgments there is no difference in AP
    assert (ap[:-1] < 0.01).all()  # with any pool there is
    assert one.gains(0.05).tolist() == [[True, True, True, False], [False, False, False, False]]
    assert (one.lower[0, :-1] >= 0.98).all()
    assert (rbp < 0.01).all()
    assert (one.median_p[1] < 0.01).all()
    widths = result.topic_widths()
    assert (widths[0, :3] > 1.25 * widths[0, 3]).all()  # differences in AP spread wider with fewer judgments
    assert (widths[1, :3] < 1.1 * widths[1, 3]).all()


@pytest.mark.parametrize("depth", [1, 2, 10, 25, 100, 1000, 100_000])
def test_a_pool_reaches_no_entry_that_is_not_read(depth: int) -> None:
    """Copies of so many entries are a Poisson variable; binomial, in a small corpus, which is nearer its mean."""
    assert scipy.stats.poisson.cdf(depth - 1, pairs._reach(depth)) < 1e-20


def test_lists_are_read_as_far_as_they_matter(monkeypatch: pytest.MonkeyPatch) -> None:
    collection = simulate(Design(systems=3, families=2, topics=8, depth=400, corpus_size=2000)).collection()
    asked = partial(pools, collection, ["AP", "P@5"], depths=[1, 20], images=6, all_pairs=True)
    found = asked()
    lists = Survey(Scorer(collection, parse_measures(["AP", "P@5"])), (1, 20), [(0, 1)], np.ones((1, 8))).lists
    assert (lists.lengths < collection.lengths).any()
    monkeypatch.setattr(pairs, "_reach", lambda _: 400)
    assert found.to_dict() == asked().to_dict()
