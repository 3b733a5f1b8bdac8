from __future__ import annotations

import math
import re
from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.stats import studentized_range

from irgauge.present.page import Finding
from irgauge.present.report_findings import (
    best_systems,
    coverages,
    effect_sizes,
    findings,
    justified_digits,
    over_instances,
    over_splits,
    shallow_pools,
    stability,
    topics_needed,
    unresolved_neighbours,
    warnings,
)
from irgauge.present.style import omega2_text
from irgauge.reading.collection import Collection
from irgauge.replicates.labels import labelling
from irgauge.replicates.shards import sharding
from irgauge.scoring.scores import score
from irgauge.simulation.collections import Design, simulate
from irgauge.studies.measurement import measure_shards
from irgauge.studies.preflight import Preflight
from irgauge.studies.report import Missing, Report, Settings, report
from irgauge.studies.topics_needed import Needed

SETTINGS = Settings(shards="even:3", resamples=2, images=20)
DESIGN = Design(systems=8, families=3, topics=12, depth=60, corpus_size=500, relevant_median=20, seed=4)


@pytest.fixture(scope="module")
def collection() -> Collection:
    return simulate(DESIGN).collection()


@pytest.fixture(scope="module")
def result(collection: Collection, preflight: Preflight) -> Report:
    return report(collection, preflight, ["AP", "nDCG@10"], SETTINGS)


@pytest.fixture(scope="module")
def values(collection: Collection) -> NDArray[np.float64]:
    """values[topic, system, shard] of AP."""
    return measure_shards(collection, ["AP"], sharding(collection, "even:3")).values()


def told_apart(values: NDArray[np.float64], population: str) -> tuple[list[int], NDArray[np.bool_]]:
    """The order of systems, and which pairs of them Tukey's test tells apart, by the definition and scipy."""
    topics, systems, shards = values.shape
    mean = values.mean()
    t, s, k = values.mean(axis=(1, 2)), values.mean(axis=(0, 2)), values.mean(axis=(0, 1))
    ts, sk, tk = values.mean(axis=2), values.mean(axis=0), values.mean(axis=1)
    e_ts = ts - t[:, None] - s + mean
    e_sk = sk - s[:, None] - k + mean
    e_tk = tk - t[:, None] - k + mean
    cell = values - mean - (t - mean)[:, None, None] - (s - mean)[:, None] - (k - mean)
    cell = cell - e_ts[:, :, None] - e_sk - e_tk[:, None, :]
    df = {"ts": (topics - 1) * (systems - 1), "sk": (systems - 1) * (shards - 1)}
    df["cell"] = df["ts"] * (shards - 1)
    ms = {"ts": shards * (e_ts**2).sum(), "sk": topics * (e_sk**2).sum(), "cell": (cell**2).sum()}
    ms = {name: value / df[name] for name, value in ms.items()}
    both = ms["ts"] + ms["sk"] - ms["cell"]
    freedom = both**2 / sum(ms[name] ** 2 / df[name] for name in ms)
    if both <= max(ms["ts"], ms["sk"]):
        larger = max(("ts", "sk"), key=ms.__getitem__)
        both, freedom = ms[larger], df[larger]
    error = {"documents": (ms["cell"], df["cell"]), "topics": (ms["ts"], df["ts"]), "both": (both, freedom)}
    square, nu = error[population]
    width = studentized_range.ppf(0.95, systems, nu) * math.sqrt(square / (topics * shards))
    order = np.argsort(-s, kind="stable")
    return order.tolist(), np.abs(s[order][:, None] - s[order]) > width


POPULATIONS = ("documents", "topics", "both")


@pytest.mark.parametrize("place", range(3))
def test_the_best_system_and_its_top_group(
    place: int, result: Report, collection: Collection, values: NDArray[np.float64]
) -> None:
    order, apart = told_apart(values, POPULATIONS[place])
    names = [collection.systems[s] for s in order]
    found = best_systems(result.measures[0])[place]
    assert found.population.startswith(f"{POPULATIONS[place]} (")
    assert f"By AP, {names[0]} is the best of 8 systems" in found.text
    assert f"(mean over topics and shards {values.mean(axis=(0, 2)).max():.3f})" in found.text
    others = [name for name, is_apart in zip(names[1:], apart[0, 1:], strict=True) if not is_apart]
    if others:
        assert f"{len(others)} system" in found.text
        assert re.search(rf"cannot be told from it: {re.escape(others[0])}\b", found.text)
    else:
        assert found.text.endswith("it is told from every other one.")
    assert "all 28 pairs" in found.method
    assert "MD6 on 3 shards (even:3, seed 0)" in found.method


def test_what_holds_for_other_documents_only(result: Report, values: NDArray[np.float64]) -> None:
    pairs = np.triu_indices(8, 1)
    documents, topics, both = (told_apart(values, name)[1][pairs] for name in POPULATIONS)
    text = coverages(result.measures[0])[0].text
    assert f"Of 28 pairs of systems, {documents.sum()} differ in AP for other documents on these topics" in text
    assert f"{(documents & topics).sum()} of these differ for other topics too" in text
    assert f"{(documents & ~topics).sum()} hold for other documents only" in text
    assert f"{both.sum()} differ for other topics and other documents together" in text


@pytest.mark.parametrize("place", range(3))
def test_neighbours_that_cannot_be_told_apart(place: int, result: Report, values: NDArray[np.float64]) -> None:
    _, apart = told_apart(values, POPULATIONS[place])
    alike = 7 - int(np.diagonal(apart, 1).sum())
    text = unresolved_neighbours(result.measures[0])[place].text
    first = {0: "All 7 pairs", 7: "Not one of 7 pairs"}.get(alike, f"{alike} of 7 pairs")
    assert text.startswith(f"{first} of neighbours in the ranking by AP")


def test_effects_are_named_with_their_sizes(result: Report) -> None:
    variance = result.measures[0].variance
    assert not isinstance(variance, Missing)
    text = effect_sizes(result.measures[0])[0].text
    for row in variance.rows:
        assert f"that of {row.source} is {row.size} (ω² = {max(0, row.omega2):.3f}" in text


def test_topics_needed_are_those_of_the_study(result: Report) -> None:
    one = result.measures[0]
    assert not isinstance(one.needed, Missing)
    found = topics_needed(one)[0]
    assert found.population.startswith("topics")
    assert one.needed.best in found.text
    if one.needed.pairs:
        assert one.needed.pairs[0].worse in found.text
        assert "there are 12" in found.text
    else:
        assert "12 topics are enough" in found.text


def test_topics_that_no_number_is_enough_for(result: Report) -> None:
    one = result.measures[0]
    assert not isinstance(one.needed, Missing)
    pairs = (Needed("a", "b", 0.0, None), Needed("a", "c", 1e-6, None), Needed("a", "d", 0.1234, 12345))
    text = topics_needed(replace(one, needed=replace(one.needed, best="a", pairs=pairs)))[0].text
    assert "from the runner-up b (difference 0.0000) for other topics, no number of topics" in text
    assert "about 12,000 topics from the last of its top group, d (0.1234)" in text
    text = topics_needed(replace(one, needed=replace(one.needed, best="a", pairs=pairs[1:2])))[0].text
    assert "more than 100,000 topics would be needed" in text
    assert "last of its top group" not in text
    text = topics_needed(replace(one, needed=replace(one.needed, best="a", pairs=())))[0].text
    assert text == "By AP, 12 topics are enough to tell a from every other system for other topics."


def test_stability_over_splits_is_that_of_the_richest_model(result: Report) -> None:
    robustness = result.measures[0].robustness
    assert not isinstance(robustness, Missing)
    row = next(one for one in robustness.stability if (one.shards, one.model) == (3, "MD6"))
    text = stability(result.measures[0])[0].text
    low, high = max(0, row.significant.low), min(28, row.significant.high)
    assert f"MD6 tells on average {row.significant.mean:.1f} of 28 pairs apart in AP" in text
    assert f"(95 % interval of that mean {low:.1f} to {high:.1f})" in text
    assert f"τ = {row.tau.mean:.3f}" in text


def test_the_digits_that_are_justified(result: Report) -> None:
    sentences = list(justified_digits(result))
    assert [finding.population.split()[0] for finding in sentences] == list(POPULATIONS)
    for finding, reliability in zip(sentences, result.reliability.values(), strict=True):
        assert not isinstance(reliability, Missing)
        for measure, means in zip(("AP", "nDCG@10"), reliability.means, strict=True):
            sd = float(np.median(means.std(axis=1, ddof=1)))
            digits = min(max(math.floor(-math.log10(sd)), 0), 4)
            assert f"{digits or 'no'} decimal{'s' * (digits != 1)} in {measure} (standard deviation" in finding.text
            assert f"{sd:#.2g}" in finding.text


def test_the_top_has_everything_of_every_measure(result: Report) -> None:
    told = findings(result)
    assert all(isinstance(finding, Finding) and finding.method and finding.population for finding in told)
    assert all(finding.text.endswith(".") for finding in told)
    assert [finding.measure for finding in told if finding.measure is None] == [None] * 3
    assert all(finding.section == "precision" for finding in told if finding.measure is None)
    for name in ("AP", "nDCG@10"):
        own = [finding for finding in told if finding.measure == name]
        assert all(name in finding.text for finding in own)
        sections = {finding.section for finding in own}
        assert sections == {"differences", "topics-needed", "effects", "robustness", "partitions", "pools"}
    order = [finding.measure for finding in told]
    assert order == sorted(order, key=["AP", "nDCG@10", None].index)


def test_the_partition_method_counts_the_pairs_that_all_splits_tell_apart(result: Report) -> None:
    found = result.measures[0].partitions
    assert not isinstance(found, Missing)
    alike = [set(column) for column in found.found.decisions().T.tolist()]  # of each pair, what splits say
    n = sum(said in ({1}, {-1}) for said in alike)
    finding = over_splits(result, result.measures[0])[0]
    assert finding.text.startswith(f"In AP, {n} of 28 pairs of systems differ")
    assert finding.population.startswith("documents")
    assert "11 random splits" in finding.method


def test_shallow_pools_name_the_systems(result: Report) -> None:
    assert not isinstance(result.pools, Missing)
    many = shallow_pools(result, result.measures[1])[0]
    assert many.text.startswith("Of the best 5 systems by AP: nDCG@10")
    one = shallow_pools(replace(result, pools=result.pools[:1]), result.measures[0])[0]
    pair = result.pools[0].pairs[0]
    assert one.text.startswith(f"{pair.first} against {pair.second}: ")
    assert "20 images" in one.method


def test_the_best_algorithm_and_what_is_shown_of_it(collection: Collection, preflight: Preflight) -> None:
    label = labelling(pattern="{algorithm}-{instance}")
    found = report(collection, preflight, ["AP"], Settings(shards=None, images=4), label=label)
    finding = over_instances(found, found.measures[0])[0]
    means = score(collection, ["AP"]).values[0, :, :, 0].mean(axis=0)
    names = [name.split("-")[0] for name in collection.systems]
    best = max(set(names), key=lambda name: np.mean([m for m, own in zip(means, names, strict=True) if own == name]))
    assert finding.text.startswith(f"By AP, {best} is the best of 3 algorithms over instances and topics")
    for other in set(names) - {best}:
        assert re.search(rf"it is .*\b{other}\b", finding.text)
    assert "other instances" in finding.population
    assert "Mixed model by REML" in finding.method


def test_of_two_systems_the_pair_is_told_once_for_each_population(collection: Collection, preflight: Preflight) -> None:
    found = report(collection.only([0, 7]), preflight, ["AP"], SETTINGS)
    pair = found.measures[0]
    assert not isinstance(pair.significance, Missing)
    told = [finding for finding in findings(found) if finding.section == "differences"]
    assert [finding.population.split()[0] for finding in told] == ["documents", "topics", "both"]
    for finding, result in zip(told, pair.significance, strict=True):
        worse = result.comparison.systems[1]
        apart = f"it is told from {worse}." if result.comparison.significant[0] else f"cannot be told from it: {worse}."
        assert finding.text.endswith(apart)
        assert "Tukey's HSD test of 1 pair," in finding.method
    assert [*coverages(pair), *unresolved_neighbours(pair)] == []


def test_an_effect_below_a_bound_is_not_shown_as_large_as_it(result: Report) -> None:
    variance = result.measures[0].variance
    assert not isinstance(variance, Missing)
    rows = tuple(replace(variance.rows[0], source="topic", omega2=value, size="negligible") for value in (0.00996, 0.0))
    one = replace(result.measures[0], variance=replace(variance, rows=rows))
    assert "negligible (ω² = 0.0099) and" in effect_sizes(one)[0].text
    assert f"α = {variance.alpha:g}" in effect_sizes(one)[0].method
    assert [omega2_text(value) for value in (0.01, 0.0594, 0.0599, 0.13996, 0.761, -0.2)] == [
        "0.010",
        "0.059",
        "0.0599",
        "0.1399",
        "0.761",
        "0.000",
    ]


def test_what_is_said_of_algorithms_comes_first(collection: Collection, preflight: Preflight) -> None:
    label = labelling(pattern="{algorithm}-{instance}")
    told = findings(report(collection, preflight, ["AP"], SETTINGS, label=label))
    assert [finding.section for finding in told[:2]] == ["instances", "differences"]


def test_one_system_has_only_its_precision(collection: Collection, preflight: Preflight) -> None:
    alone = report(collection.only([0]), preflight, ["AP"], SETTINGS)
    assert {finding.section for finding in findings(alone)} == {"precision"}
    assert all("of one system" in finding.method for finding in findings(alone))


def test_without_shards_nothing_is_said_of_other_documents(collection: Collection, preflight: Preflight) -> None:
    classic = report(collection, preflight, ["AP"], Settings(shards=None, images=4))
    text = coverages(classic.measures[0])[0].text
    assert "without shards nothing is known of other documents" in text
    assert [one.population.split()[0] for one in best_systems(classic.measures[0])] == ["topics"]
    assert "MD1 on the whole corpus" in best_systems(classic.measures[0])[0].method


def test_warnings_are_those_of_the_preflight_check(result: Report) -> None:
    told = warnings(replace(result, left_out={"AP(rel=9)": "it is defined on no topic"}))
    expected = [finding.message for finding in result.preflight.findings if finding.severity == "warning"]
    assert [text.rstrip(".") for text in told[:-1]] == expected
    assert told[-1] == "AP(rel=9) is left out: it is defined on no topic."
