"""Zobel and Rashidi 2020: tables and figures, on TREC-8 and on simulated collections of the others' shape."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import stats

from irgauge.papers.entry import SOURCES, Dataset, Entry, Recomputed
from irgauge.papers.published import Computed, exhibit, papers
from irgauge.papers.zobel_rashidi_2020 import ENTRIES, tables
from irgauge.simulation.collections import Design, simulate
from irgauge.studies.pools.study import pools
from oracles import slow_bootstrap as slow
from oracles.slow_measures import Case, inverse_squares, ndcg, order, rank_biased_precision
from oracles.slow_measures import average_precision as ap

PAPER = "zobel-rashidi-2020"
BY_NAME = {entry.name.partition("/")[2]: entry for entry in ENTRIES}
KEYS = ("trec6", "trec7", "trec8", "trec9")
CORPUS, SYSTEMS, TOPICS = 1500, 12, 9
DESIGN = Design(
    systems=SYSTEMS, families=4, topics=TOPICS, depth=60, corpus_size=CORPUS, pool_depth=10, relevant_median=6, seed=8
)
Floats = NDArray[np.float64]
Lists = dict[str, dict[str, dict[str, float]]]  # system, topic, docno


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A simulated collection with grades 0 to 2."""
    place = tmp_path_factory.mktemp("web")
    simulate(DESIGN).write(place)
    return place


@pytest.fixture(scope="module")
def datasets(folder: Path) -> dict[str, Dataset]:
    """One collection under all names; they share what is made of it."""
    base = Dataset(SOURCES["trec9"], folder, seed=5)
    return {key: replace(base, source=replace(SOURCES[key], corpus_size=CORPUS)) for key in KEYS}


@pytest.fixture(scope="module")
def computed(datasets: dict[str, Dataset]) -> dict[tuple[str, str], Recomputed]:
    """Every table and figure of every collection that it needs."""
    return {
        (name, key): entry.recompute(datasets[key])
        for name, entry in BY_NAME.items()
        for key in KEYS
        if key in entry.needs
    }


@pytest.fixture(scope="module")
def qrels(folder: Path) -> dict[str, dict[str, int]]:
    found: dict[str, dict[str, int]] = {}
    for line in (folder / "qrels.txt").read_text().splitlines():
        topic, _, docno, grade = line.split()
        found.setdefault(topic, {})[docno] = int(grade)
    return found


@pytest.fixture(scope="module")
def lists(folder: Path) -> Lists:
    found: Lists = {}
    for path in sorted((folder / "runs").iterdir()):
        by_topic = found.setdefault(path.stem, {})
        for line in path.read_text().splitlines():
            topic, _, docno, _, score, _ = line.split()
            by_topic.setdefault(topic, {})[docno] = float(np.float32(score))
    return found


def case(qrels: dict[str, dict[str, int]], lists: Lists, system: str, topic: str) -> Case:
    return Case(order(lists[system].get(topic, {})), qrels[topic], {}, 2)


@pytest.fixture(scope="module")
def best_first(qrels: dict[str, dict[str, int]], lists: Lists) -> list[str]:
    """The systems by mean RBP, from the files."""

    def mean(system: str) -> float:
        return sum(rank_biased_precision(case(qrels, lists, system, topic), 1000, 0.95) for topic in qrels)

    return sorted(lists, key=mean, reverse=True)


@pytest.fixture(scope="module")
def by_hand(datasets: dict[str, Dataset], best_first: list[str]) -> Floats:
    """study, measure, topic, system, image: all scores of all studies at once."""
    collection = datasets["trec9"].collection
    chosen = collection.only([collection.systems.index(name) for name in best_first])
    given = ["AP", "INSQ(T=5)", "nDCG(gains={2: 1})@1000", "P@10", "RBP(p=0.95, rel=1)@1000", "RR"]
    return np.array(
        [slow.image_scores(chosen, given, tables.IMAGES, 5 + number, "zero") for number in range(tables.STUDIES)]
    )


# what there is


def test_every_table_and_figure_has_an_entry_for_each_collection() -> None:
    names = [*(f"table-{number}" for number in range(1, 5)), *(f"figure-{number}" for number in range(1, 8))]
    assert sorted(papers()[PAPER].exhibits) == sorted(BY_NAME) == sorted(names)
    for entry in ENTRIES:
        assert set(entry.needs) == {value.collection for value in entry.exhibit.values}
        assert entry.exhibit.illegible == 0


@pytest.mark.parametrize("key", KEYS)
def test_shares_of_table_2_add_up_as_printed(key: str) -> None:
    """A mistyped share would not."""
    printed = {value.key: value for value in exhibit(f"{PAPER}/table-2").values if value.collection == key}
    for label in tables.LABELS:
        numbers = [printed[label, place].number for place in ("below", "in", "above")]
        assert sum(number.value for number in numbers if number) == pytest.approx(100, abs=0.11)


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: entry.name)
def test_every_printed_value_has_one_of_ours(entry: Entry, computed: dict[tuple[str, str], Recomputed]) -> None:
    name = entry.name.partition("/")[2]
    for value in entry.exhibit.values:
        ours = computed[name, value.collection].values[value.key]
        if value.number is None:
            assert isinstance(ours, bool)
        else:
            assert isinstance(ours, Computed)
            assert math.isfinite(ours.value)


@pytest.mark.parametrize("name", [name for name in BY_NAME if name.startswith("figure")])
def test_every_figure_is_drawn_and_has_the_other_population_beside(
    name: str, computed: dict[tuple[str, str], Recomputed]
) -> None:
    for key in BY_NAME[name].needs:
        found = computed[name, key]
        assert found.charts
        assert all(chart.to_dict() for chart in found.charts)
        assert any("other topics" in sentence for sentence in found.beside)


# against files and all scores at once


def value_of(computed: dict[tuple[str, str], Recomputed], name: str, *key: str, collection: str = "trec9") -> float:
    found = computed[name, collection].values[key]
    assert isinstance(found, Computed)
    return found.value


def holds(computed: dict[tuple[str, str], Recomputed], name: str, statement: str, collection: str = "trec9") -> bool:
    found = computed[name, collection].values[statement, "holds"]
    assert isinstance(found, bool)
    return found


def test_table_1_counts_files(computed: dict[tuple[str, str], Recomputed], qrels: dict[str, dict[str, int]]) -> None:
    judged = {docno for by_doc in qrels.values() for docno in by_doc}
    assert value_of(computed, "table-1", "count", "assessed") == pytest.approx(100 * len(judged) / CORPUS)
    assert value_of(computed, "table-1", "count", "systems") == SYSTEMS
    assert value_of(computed, "table-1", "count", "topics") == len(qrels) == TOPICS


def test_systems_are_best_first_by_rbp(datasets: dict[str, Dataset], best_first: list[str]) -> None:
    assert list(tables.best(datasets["trec9"], 3).systems) == best_first[:3]
    assert list(tables.studies(datasets["trec9"])[0].systems) == best_first


def test_measures_are_binary_as_in_the_paper(
    datasets: dict[str, Dataset], qrels: dict[str, dict[str, int]], lists: Lists, best_first: list[str]
) -> None:
    root = tables.studies(datasets["trec9"])[0].root  # measure, topic, system
    assert max(grade for by_doc in qrels.values() for grade in by_doc.values()) == 2
    for t, topic in enumerate(qrels):
        for s, system in enumerate(best_first):
            found = case(qrels, lists, system, topic)
            assert root[0, t, s] == pytest.approx(ap(found))
            assert root[1, t, s] == pytest.approx(inverse_squares(found, t=5))
            assert root[2, t, s] == pytest.approx(ndcg(found, 1000, gains={1: 1, 2: 1}))


def test_table_2_is_of_the_last_image(computed: dict[tuple[str, str], Recomputed], by_hand: Floats) -> None:
    shares = 100 * np.array([slow.held_out(study, 0.05) for study in by_hand])
    for m, label in enumerate(tables.LABELS):
        for place, column in enumerate(("below", "in", "above")):
            found = computed["table-2", "trec9"].values[label, column]
            assert isinstance(found, Computed)
            assert (found.value, found.sd) == pytest.approx(
                (shares[:, m, place].mean(), shares[:, m, place].std(ddof=1)), rel=1e-9
            )
            assert (found.draws, found.printed_draws) == (tables.STUDIES, 1)
    assert value_of(computed, "table-2", "pairs and topics", "number") == math.comb(SYSTEMS, 2) * TOPICS


def test_table_3_is_over_pairs_and_topics(computed: dict[tuple[str, str], Recomputed], by_hand: Floats) -> None:
    deviations = np.array([slow.differences(study).std(axis=3, ddof=1) for study in by_hand])
    flat = deviations.reshape(*deviations.shape[:2], -1)  # study, measure, pair and topic
    mean, sd = flat.mean(axis=2).mean(axis=0), flat.std(axis=2, ddof=1).mean(axis=0)
    for m, label in enumerate(tables.LABELS):
        assert value_of(computed, "table-3", label, "mean") == pytest.approx(mean[m], rel=1e-6)
        assert value_of(computed, "table-3", label, "sd") == pytest.approx(sd[m], rel=1e-6)
    assert holds(computed, "table-3", "RBP has the smallest ±") == (sd.argmin() == 4)
    assert holds(computed, "table-3", "some deviations of RR are 0.5 or more") == (flat[:, 5].max() >= 0.5)
    steady = max(mean[[0, 2, 4]]) < min(mean[[1, 3, 5]])
    assert holds(computed, "table-3", "AP, nDCG and RBP vary less than INSQ, P@10 and RR") == steady


@pytest.mark.parametrize(("key", "number"), [("trec6", 7), ("trec7", 6), ("trec8", 2), ("trec9", 5)])
def test_table_4_is_of_the_system_that_the_paper_takes(
    key: str, number: int, computed: dict[tuple[str, str], Recomputed], by_hand: Floats
) -> None:
    deviations = by_hand[:, :, :, number - 1].std(axis=3, ddof=1)  # study, measure, topic
    for m, label in enumerate(tables.LABELS):
        of_studies = deviations[:, m]
        mean, sd = of_studies.mean(axis=1).mean(), of_studies.std(axis=1, ddof=1).mean()
        assert value_of(computed, "table-4", label, "mean", collection=key) == pytest.approx(mean, rel=1e-6)
        assert value_of(computed, "table-4", label, "sd", collection=key) == pytest.approx(sd, rel=1e-6)


def test_statements_on_single_topics(computed: dict[tuple[str, str], Recomputed], by_hand: Floats) -> None:
    deviations = by_hand.std(axis=4, ddof=1)  # study, measure, topic, system
    percentile = np.quantile(deviations, 0.95, axis=3).mean(axis=0)  # measure, topic
    size, uneven = percentile.mean(axis=1), percentile.std(axis=1)
    assert holds(computed, "figure-1", "RR is larger than all others") == (size.argmax() == 5)
    larger = size[3] > max(size[[0, 1, 2, 4]])
    assert holds(computed, "figure-1", "P@10 is larger than AP, INSQ, nDCG and RBP") == larger
    less = max(uneven[[1, 4]]) < min(uneven[[0, 2]])
    assert holds(computed, "figure-1", "INSQ and RBP differ less from topic to topic than AP and nDCG") == less
    flat = deviations.reshape(*deviations.shape[:2], -1)
    skewness = np.array([[stats.skew(row) for row in study] for study in flat]).mean(axis=0)
    for m, label in ((0, "AP"), (2, "nDCG"), (3, "P@10"), (5, "RR")):
        assert holds(computed, "figure-1", f"{label} is skew to large values") == (skewness[m] > 1)
    assert holds(computed, "figure-1", "RBP and INSQ are about normal") == (max(abs(skewness[[1, 4]])) <= 1)
    third = deviations[..., 2].mean(axis=0)  # measure, topic
    assert holds(computed, "figure-2", "RR has the largest deviations") == (third.max(axis=1).argmax() == 5)
    relative = third.std(axis=1) / third.mean(axis=1)
    uniform = max(relative[[1, 4]]) < min(relative[[0, 2]])
    assert holds(computed, "figure-2", "RBP and INSQ are more uniform over topics than AP and nDCG") == uniform
    counts = (third >= 0.1).sum(axis=1)
    more = "AP and nDCG have high deviations on more topics than RBP and INSQ"
    assert holds(computed, "figure-2", more) == (min(counts[[0, 2]]) > max(counts[[1, 4]]))
    assert holds(computed, "figure-2", "P@10 goes in steps of 0.1")


def test_statements_on_systems(
    computed: dict[tuple[str, str], Recomputed], datasets: dict[str, Dataset], by_hand: Floats
) -> None:
    documents = tables.populations(datasets["trec9"])["documents"]
    assert documents.images == tables.IMAGES_OF_FIGURES
    np.testing.assert_allclose(documents.means[..., : tables.IMAGES], by_hand[0].mean(axis=1), rtol=1e-9)  # one seed
    sd = np.median(documents.means.std(axis=2, ddof=1), axis=1)
    band = min(sd[[3, 5]]) > max(sd[[0, 1, 2, 4]])
    assert holds(computed, "figure-4", "AP, INSQ, nDCG and RBP are in one band, below P@10 and RR") == band
    low, high = np.quantile(documents.means, (0.025, 0.975), axis=2)
    known = 0.05 <= np.median(high - low) <= 0.10
    assert holds(computed, "figure-3", "most means are known to within 0.05 to 0.10") == known
    means = by_hand.mean(axis=2)  # study, measure, system, image
    root = documents.root.mean(axis=1)
    off = np.abs(means.mean(axis=(0, 3)) - root)
    of_measures = [(off / scale).mean(axis=1) for scale in (1, means.std(axis=3, ddof=1).mean(axis=0))]
    furthest = all(one.argmax() == 5 for one in of_measures)
    assert holds(computed, "figure-3", "RR is furthest from its mean on the root") == furthest
    following = all(one[:5].argmax() == 2 for one in of_measures)
    assert holds(computed, "figure-3", "nDCG is next") == following
    ranks = slow.ranks(documents.means)
    width = np.diff(np.quantile(ranks, (0.025, 0.975), axis=2), axis=0)[0].mean(axis=1)
    assert holds(computed, "figure-5", "RR and P@10 vary most") == (min(width[[3, 5]]) > max(width[[0, 1, 2, 4]]))
    assert holds(computed, "figure-5", "AP varies more than RBP, INSQ and nDCG") == (width[0] > max(width[[1, 2, 4]]))


def test_the_best_two_systems_under_all_judgments(
    computed: dict[tuple[str, str], Recomputed],
    by_hand: Floats,
    qrels: dict[str, dict[str, int]],
    lists: Lists,
    best_first: list[str],
) -> None:
    first, second = ([ap(case(qrels, lists, system, topic)) for topic in qrels] for system in best_first[:2])
    where = "whole corpus, all judgments"
    assert value_of(computed, "figure-6", where, "AP", "difference") == pytest.approx(np.mean(first) - np.mean(second))
    assert value_of(computed, "figure-6", where, "AP", "p") == pytest.approx(stats.ttest_rel(first, second).pvalue)
    p = stats.ttest_rel(by_hand[:10, :, :, 0], by_hand[:10, :, :, 1], axis=2).pvalue  # study, measure, image
    assert value_of(computed, "figure-6", "AP", "all", "lowest p") == pytest.approx(p[:, 0].min(axis=1).mean())
    assert value_of(computed, "figure-6", "AP", "all", "highest p") == pytest.approx(p[:, 0].max(axis=1).mean())
    inner = np.quantile(p[:, 4], (0.05, 0.95), axis=1).mean(axis=1)
    found = [value_of(computed, "figure-6", "RBP@0.95", "all", f"{end} p") for end in ("lowest", "highest")]
    assert found == pytest.approx(inner.tolist())


def test_shallow_pools_are_those_of_the_best_two_systems(
    computed: dict[tuple[str, str], Recomputed], datasets: dict[str, Dataset], best_first: list[str]
) -> None:
    collection = datasets["trec9"].collection
    ten = [collection.systems.index(name) for name in best_first[:10]]
    given, depths = ["AP", "RBP(p=0.95, rel=1)@1000"], [10, 25]
    found = [pools(collection.only(ten[:2]), given, depths=depths, images=100, seed=5 + n) for n in range(10)]
    for place, pool in enumerate(("depth 10", "depth 25")):
        highest = np.mean([study.pairs[0].p[0, place].max() for study in found])
        assert value_of(computed, "figure-6", "AP", pool, "highest p") == pytest.approx(highest)
    ap10, ap25, ap_all = np.mean([np.median(study.pairs[0].p[0], axis=1) for study in found], axis=0)
    assert holds(computed, "figure-6", "p by AP falls as judgments are reduced") == (ap10 < ap25 < ap_all)
    d10, d25, d_all = np.abs(np.mean([np.median(study.pairs[0].difference[0], axis=1) for study in found], axis=0))
    assert holds(computed, "figure-6", "differences in AP grow as judgments are reduced") == (d10 > d25 > d_all)
    (w10, w25, w_all), rbp = np.mean([study.topic_widths() for study in found], axis=0)
    assert holds(computed, "figure-7", "differences in AP spread wider as judgments are reduced") == (w10 > w25 > w_all)
    many = "with depth 25 they spread many times wider than with all judgments"
    assert holds(computed, "figure-7", many) == (w25 >= 2 * w_all)
    same = "differences in RBP spread about as wide with all pools"
    assert holds(computed, "figure-7", same) == (max(rbp) <= 1.25 * min(rbp))
    gains = pools(collection.only(ten), given, depths=depths, images=100, all_pairs=True, seed=5).falls()
    more = "AP gains confidence by shallow pools in more pairs than RBP"
    assert holds(computed, "figure-6", more, "trec7") == all(gains[0, place] > gains[1, place] for place in range(2))
