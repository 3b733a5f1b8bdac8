"""What stands at the top of a report, against the definitions and against scipy."""

from __future__ import annotations

import math
import re
from itertools import combinations
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import stats
from statsmodels.stats.multitest import multipletests

from irgauge.reading.collection import Collection
from irgauge.replicates.bench import Bench
from irgauge.replicates.measured import Measuring
from irgauge.reporting.report import Report, report
from irgauge.scoring.measures import parse_measures
from irgauge.scoring.scores import score
from irgauge.show.finding import Finding
from irgauge.show.page import Claim
from irgauge.simulation.collections import Design, simulate
from oracles import slow_crossed_t

FEW: dict[str, Any] = {"shards": "even:3", "resamples": 2, "images": 20}
BARE: dict[str, Any] = {"shards": None, "images": 4}
DESIGN = Design(systems=8, families=3, topics=12, depth=60, corpus_size=500, relevant_median=20, seed=4)
BY_NAME = "{algorithm}-{instance}"
POPULATIONS = ("topics", "documents", "both")


@pytest.fixture(scope="module")
def collection() -> Collection:
    return simulate(DESIGN).collection()


@pytest.fixture(scope="module")
def result(collection: Collection) -> Report:
    return report(collection, ["AP", "nDCG@10"], **FEW)


@pytest.fixture(scope="module")
def values(collection: Collection) -> NDArray[np.float64]:
    """values[topic, system, shard] of AP."""
    return Bench(collection).measured(Measuring(parse_measures(["AP"]), "even:3")).values()


@pytest.fixture(scope="module")
def whole(collection: Collection) -> NDArray[np.float64]:
    """values[topic, system] of AP on the whole corpus."""
    return score(collection, ["AP"]).values[0, :, :, 0]


PAIRS = list(combinations(range(8), 2))


@pytest.fixture(scope="module")
def rejected(collection: Collection, values: NDArray[np.float64], whole: NDArray[np.float64]) -> NDArray[np.bool_]:
    """[population, pair] by AP: topics for itself, the others together with all populations of nDCG@10."""
    ndcg = Bench(collection).measured(Measuring(parse_measures(["nDCG@10"]), "even:3")).values()
    ndcg_whole = score(collection, ["nDCG@10"]).values[0, :, :, 0]
    p = [
        [_single(on_whole, on_shards, population, *pair) for pair in PAIRS]
        for on_whole, on_shards in ((whole, values), (ndcg_whole, ndcg))
        for population in POPULATIONS
    ]
    first, others = multipletests(p[0], 0.05, "holm")[0], multipletests(np.concatenate(p[1:]), 0.05, "holm")[0]
    return np.concatenate([first, others]).reshape(6, -1)[:3]


@pytest.fixture(scope="module")
def decided(
    values: NDArray[np.float64], whole: NDArray[np.float64], rejected: NDArray[np.bool_]
) -> dict[str, NDArray[np.float64]]:
    """[system, system] for each population: the difference of means where it is significant, else 0."""
    found = {}
    for population, apart in zip(POPULATIONS, rejected, strict=True):
        means = whole.mean(axis=0) if population == "topics" else values.mean(axis=(0, 2))
        square = np.zeros((8, 8))
        for (a, b), is_apart in zip(PAIRS, apart, strict=True):
            square[a, b] = is_apart * (means[a] - means[b])
        found[population] = square - square.T
    return found


def _single(whole: NDArray[np.float64], values: NDArray[np.float64], population: str, a: int, b: int) -> float:
    if population == "topics":
        return float(stats.ttest_rel(whole[:, a], whole[:, b]).pvalue)
    return slow_crossed_t.tested(values, a, b, population)[2]


def told(result: Report, kind: str, measure: str | None = "AP") -> list[Finding]:
    return [finding for finding in result.findings().of(kind) if finding.measure == measure]


def claims(result: Report, section: str, measure: str | None = "AP") -> list[Claim]:
    return [one for one in result.page.claims if (one.section, one.finding.measure) == (section, measure)]


@pytest.mark.parametrize("population", POPULATIONS)
def test_the_best_system_and_its_top_group(
    population: str,
    result: Report,
    collection: Collection,
    whole: NDArray[np.float64],
    values: NDArray[np.float64],
    decided: dict[str, NDArray[np.float64]],
) -> None:
    means = whole.mean(axis=0) if population == "topics" else values.mean(axis=(0, 2))
    order = np.argsort(-means, kind="stable")
    apart = decided[population][order[0]] != 0
    (found,) = [one for one in told(result, "best") if one.population == population]
    others = [collection.systems[s] for s in order[1:] if not apart[s]]
    best = collection.systems[order[0]]
    assert found.fields["system"] == best
    assert found.fields["mean"] == pytest.approx(means.max())
    assert (found.fields["systems"], list(found.fields["others"])) == (8, others)
    over = "" if population == "topics" else " over 3 shards"
    assert f"By AP{over}, {best} is the best of 8 systems (mean {means.max():.3f}" in found.text
    assert ("; on the whole corpus" in found.text) == (population != "topics")
    claim = claims(result, "compare")[POPULATIONS.index(population)]
    assert claim.population.startswith(f"{population} (")
    together = "" if population == "topics" else ", together with those of 4 more comparisons"
    assert f"family: all 28 pairs{together}; Holm's correction" in claim.method
    assert claim.finding.place == ("primary" if population == "topics" else "secondary")
    assert "population" not in claim.method  # it stands beside


def test_what_holds_for_other_documents_too(result: Report, decided: dict[str, NDArray[np.float64]]) -> None:
    topics, documents = (np.sign(decided[name]) for name in POPULATIONS[:2])
    (found,) = told(result, "coverage")
    assert found.fields["pairs"] == 28
    counts = {name: np.count_nonzero(decided[name]) // 2 for name in POPULATIONS}
    assert found.fields["found"] == counts
    shared = np.count_nonzero((topics == documents) & (topics != 0)) // 2
    assert found.fields["shared"] == shared
    assert found.fields["other_only"] == counts["documents"] - shared
    assert f"{counts['topics']} differ significantly in AP for other topics; {shared} of these" in found.text
    assert re.search(f"; {counts['both']} differs? for other topics and other documents together", found.text)


@pytest.mark.parametrize("population", ["topics", "both"])  # the first and the widest
def test_neighbours_that_do_not_differ(
    population: str, result: Report, whole: NDArray[np.float64], decided: dict[str, NDArray[np.float64]]
) -> None:
    order = np.argsort(-whole.mean(axis=0), kind="stable")
    apart = decided[population][np.ix_(order, order)] != 0
    alike = 7 - int(np.diagonal(apart, 1).sum())
    (found,) = [one for one in told(result, "neighbours") if one.population == population]
    assert len(found.fields["alike"]) == alike
    first = {0: "All 7 pairs", 7: "None of 7 pairs"}.get(alike, f"{alike} of 7 pairs")
    assert found.text.startswith(f"{first} of neighbours in the ranking by AP")


def test_what_topics_do_not_separate_may_be_nothing(result: Report) -> None:
    comparison = result.ran["compare"].results[0].first.under("topics")
    (found,) = [*told(result, "topics-few"), *told(result, "topics-enough")]
    assert found.population == "topics"
    assert (found.fields["best"], found.fields["topics"]) == (comparison.systems[0], 12)
    if found.kind == "topics-few":
        assert found.fields["other"] == comparison.top_group[1]
        assert "may be nothing" in found.text


def test_omega2_is_told_of_each_term(result: Report) -> None:
    (claim,) = claims(result, "anova")
    assert claim.finding.place == "exploratory"
    for row in result.ran["anova"].results[0].fit.rows:
        assert f"{row.source} {max(0, row.omega2):.3f}" in claim.text


def test_the_order_over_splits_is_that_of_the_study(result: Report) -> None:
    (claim,) = claims(result, "robustness")
    (row,) = [one for one in result.ran["robustness"].results[0].stability if one.shards == 3]
    assert claim.finding.place == "exploratory"
    assert f"τ = {row.tau.mean:.3f}" in claim.text


def test_the_digits_that_are_justified(result: Report) -> None:
    found = claims(result, "bootstrap", None)
    assert {claim.finding.population for claim in found} == set(POPULATIONS)
    by_population = {claim.finding.population: claim for claim in found if claim.finding.kind == "digits"}
    for images in result.ran["bootstrap"].results:
        for m, measure in enumerate(("AP", "nDCG@10")):
            error = float(np.median(images.standard_error[m]))
            decimals = by_population[images.draw].finding.fields["decimals"][measure]
            assert decimals.digits == min(max(round(-math.log10(error)), 0), 4)
            assert decimals.error == pytest.approx(error)
            assert f"{error:#.2g}" in by_population[images.draw].text


def test_the_top_has_everything_of_every_measure(result: Report) -> None:
    found = result.page.claims
    assert all(claim.method for claim in found)
    assert all(claim.population for claim in found if claim.finding.place != "exploratory")
    assert all(claim.text.endswith(".") for claim in found)
    assert {claim.section for claim in found if claim.finding.measure is None} == {"bootstrap"}
    for name in ("AP", "nDCG@10"):
        own = [claim for claim in found if claim.finding.measure == name]
        assert all(name in claim.text for claim in own)
        assert {claim.section for claim in own} == {"compare", "anova", "robustness"}
    order = [claim.finding.measure for claim in found]
    assert order == sorted(order, key=["AP", "nDCG@10", None].index)
    assert {claim.section for claim in found} <= {section.key for section in result.page.sections}


def test_splits_and_pools_point_to_what_tests_them(result: Report) -> None:
    sections = {section.key: section for section in result.page.sections}
    first = {key: sections[key].told[0] for key in ("partitions", "pools")}
    assert "11 random splits of the documents into 2 parts" in first["partitions"].text
    assert first["partitions"].fields["command"] == "partition"
    assert "the best 5 of 8 systems by AP" in first["pools"].text
    assert first["pools"].fields["command"] == "pools"


def test_the_best_algorithm_comes_first(collection: Collection) -> None:
    found = report(collection, ["AP"], pattern=BY_NAME, **BARE)
    first, second = found.page.claims[:2]
    assert (first.section, second.section) == ("instances", "compare")
    means = score(collection, ["AP"]).values[0, :, :, 0].mean(axis=0)
    names = [name.split("-")[0] for name in collection.systems]
    best = max(set(names), key=lambda name: np.mean([m for m, own in zip(means, names, strict=True) if own == name]))
    assert first.text.startswith(f"By AP, {best} is the best of 3 algorithms over instances and topics")
    assert all(other in first.text for other in set(names) - {best})
    assert "other instances" in first.population
    assert "variances of each algorithm" in first.method


def test_of_two_systems_the_pair_is_told_once_for_each_population(collection: Collection) -> None:
    found = report(collection.only([0, 7]), ["AP"], **FEW)
    told = claims(found, "compare")
    assert [claim.finding.kind for claim in told] == ["verdict"] * 3
    for claim, one in zip(told, found.ran["compare"].results[0].first.comparisons, strict=True):
        assert claim.finding.population == one.population
        assert claim.finding.fields["verdict"] == ("better" if one.significant[0] else "inconclusive")
        assert (claim.finding.fields["system"], claim.finding.fields["baseline"]) == one.systems
        assert "1 pair" in claim.method


def test_one_system_has_only_its_precision(collection: Collection) -> None:
    alone = report(collection.only([0]), ["AP"], **FEW)
    assert {claim.section for claim in alone.page.claims} == {"bootstrap"}


def test_without_shards_nothing_is_said_of_other_documents(collection: Collection) -> None:
    classic = report(collection, ["AP"], **BARE)
    (pairs,) = [claim for claim in claims(classic, "compare") if claim.finding.kind == "pairs"]
    assert pairs.text.endswith("this says nothing about other documents (add --shards).")
    (best,) = claims(classic, "compare")[:1]
    assert best.finding.population == "topics"
    assert "guarded t-test; family: all 28 pairs" in best.method
    assert "shards" not in best.method


def test_claims_are_kept_as_data(result: Report) -> None:
    kept = result.to_dict()["claims"]
    assert [one["text"] for one in kept] == [claim.text for claim in result.page.claims]
    assert kept[0]["fields"]["system"] == told(result, "best")[0].fields["system"]
    assert kept[0]["method"] == result.page.claims[0].method
