"""Scores ready for a model: shards against rewritten runs and qrels, fills, redrawn splits, systems kept."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cache
from itertools import islice
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.stats import mstats

from irgauge import Collection, DesignError, load, score
from irgauge.replicates.shards import Sharding, sharding
from irgauge.scoring.drawn import Shards
from irgauge.scoring.scores import Fill
from irgauge.studies.measurement import ATTEMPTS, kept_count, measure_shards, measure_whole, one_measure
from oracles.amended import amended_scores, shard_image

Qrels = dict[str, dict[str, int]]
Runs = dict[str, dict[str, dict[str, float]]]
Values = NDArray[np.float64]

MEASURES = ("AP", "P@5", "nDCG@4", "RBP", "AP(rel=2)")
DOCUMENTS = [f"{source}-{i:02}" for source in ("NEWS", "WEB") for i in range(16)]
SPECS = ("even:3", "die:4", "match:^(NEWS|WEB)")
SOURCES = "match:^(FBIS|FR|FT|LA)"


@cache
def small() -> tuple[Qrels, Runs]:
    """Six topics with one to ten relevant documents; five systems, of which the first are the worst."""
    rng = np.random.default_rng(4)
    qrels: Qrels = {}
    runs: Runs = {f"s{system}": {} for system in range(5)}
    for topic, relevant in enumerate((1, 2, 3, 5, 8, 10)):
        judged = rng.choice(DOCUMENTS, relevant + 6, replace=False).tolist()
        grades = [*rng.integers(1, 4, relevant).tolist(), *[0] * 6]
        qrels[f"t{topic}"] = dict(zip(judged, grades, strict=True))
        for system, name in enumerate(runs):
            found = rng.choice(DOCUMENTS, 24, replace=False).tolist()
            merit = [system * (qrels[f"t{topic}"].get(docno, 0) > 0) for docno in found]
            scores = np.round(rng.normal(merit, 2.0), 1)  # some tie
            runs[name][f"t{topic}"] = dict(zip(found, scores.tolist(), strict=True))
    return qrels, runs


@cache
def collection() -> Collection:
    return load(*small())


def expected_scores(shards: Shards, measure: str) -> Values:
    """values[topic, system, shard] of runs and qrels that are restricted to each shard."""
    qrels, runs = small()
    strata = {topic: dict.fromkeys(judged, 0) for topic, judged in qrels.items()}
    labels = dict(zip(collection().docnos, shards.labels.tolist(), strict=True))
    values = np.empty((len(qrels), len(runs), len(shards.names)))
    for system, run in enumerate(runs.values()):
        for shard in range(len(shards.names)):
            found = amended_scores(qrels, strata, run, shard_image(labels, shard), measure)
            values[:, system, shard] = [found[topic] for topic in qrels]
    return values


def split(spec: str, seed: int = 0, number: int = 0) -> Shards:
    """The split of that number among those of the seed."""
    return next(islice(sharding(collection(), spec).splits(seed), number, None))


def recorded(scheme: Sharding) -> tuple[Sharding, list[Shards]]:
    """The same sharding, and a list of what is drawn from it."""
    drawn: list[Shards] = []

    def draw(rng: np.random.Generator) -> Shards:
        drawn.append(scheme.draw(rng))
        return drawn[-1]

    return replace(scheme, draw=draw), drawn


def topics_lacking(qrels: Qrels, docnos: list[str], shards: Shards) -> list[str]:
    """Topics without a relevant document in some shard."""
    label = dict(zip(docnos, shards.labels.tolist(), strict=True))
    found = {topic: {label[docno] for docno, grade in judged.items() if grade > 0} for topic, judged in qrels.items()}
    return [topic for topic, labels in found.items() if len(labels) < len(shards.names)]


# scores


@pytest.mark.parametrize("spec", SPECS)
@pytest.mark.parametrize("number", [0, 3])
def test_scores_are_those_of_runs_and_qrels_restricted_to_each_shard(spec: str, number: int) -> None:
    measured = measure_shards(collection(), MEASURES, sharding(collection(), spec), seed=6, number=number)
    shards = split(spec, seed=6, number=number)
    assert measured.scores.replicates == shards.names
    undefined = 0
    for m, measure in enumerate(MEASURES):
        expected = expected_scores(shards, measure)
        undefined += np.isnan(expected).sum()
        np.testing.assert_allclose(measured.values(m), np.nan_to_num(expected), rtol=1e-12, atol=1e-12)
    assert measured.undefined_cells == undefined > 0
    assert (measured.shards, measured.undefined, measured.kept) == (spec, "zero", "all")
    assert (measured.seed, measured.number, measured.attempts) == (6, number, 1)


def test_the_whole_corpus_is_one_shard_of_all_documents() -> None:
    measured = measure_whole(collection(), MEASURES[:4])
    everything = Shards(np.zeros(len(collection().docnos), np.int32), ("all",))
    for m, measure in enumerate(MEASURES[:4]):
        np.testing.assert_allclose(measured.values(m), expected_scores(everything, measure), rtol=1e-12, atol=1e-12)
    assert measured.shards == "whole corpus"
    assert measured.undefined_cells == 0
    assert (measured.scores.topics, measured.scores.systems) == (collection().topics, collection().systems)


def test_a_measure_may_be_undefined_on_the_whole_corpus() -> None:
    hard = load({"a": {"d": 1}, "b": {"d": 2}}, {"mine": {"a": {"d": 1.0}, "b": {"d": 1.0}}})
    assert measure_whole(hard, ["AP(rel=2)"]).values().ravel().tolist() == [0, 1]
    assert measure_whole(hard, ["AP(rel=2)"]).undefined_cells == 1
    assert measure_whole(hard, ["AP(rel=2)"], fill=0.25).values().ravel().tolist() == [0.25, 1]
    with pytest.raises(DesignError, match="--fill drop leaves 1 of 2 topics"):
        measure_whole(hard, ["AP(rel=2)"], fill="drop")


def test_scores_do_not_depend_on_workers() -> None:
    one, two = (
        measure_shards(collection(), MEASURES, sharding(collection(), "even:3"), keep="3", workers=workers)
        for workers in (1, 2)
    )
    np.testing.assert_array_equal(one.scores.values, two.scores.values)
    assert one.scores.systems == two.scores.systems


# undefined cells


def quantile(p: float) -> Callable[[Values], float]:
    """Hazen's quantile, as scipy has it."""
    return lambda values: float(mstats.mquantiles(values, p, alphap=0.5, betap=0.5)[0])


FILLS: dict[Fill, Callable[[Values], float]] = {
    "zero": lambda _: 0.0,
    "one": lambda _: 1.0,
    "lq": quantile(0.25),
    "med": quantile(0.5),
    "mean": lambda values: float(np.mean(values)),
    "uq": quantile(0.75),
    0.125: lambda _: 0.125,
}


@pytest.mark.parametrize("fill", FILLS, ids=str)
def test_fill_values_are_taken_over_all_systems_before_some_are_kept(fill: Fill) -> None:
    measures = ("AP", "nDCG@4")
    measured = measure_shards(collection(), measures, sharding(collection(), "even:3"), fill=fill, keep="2")
    kept = [collection().systems.index(system) for system in measured.scores.systems]
    assert len(kept) == 2
    for m, measure in enumerate(measures):
        expected = expected_scores(split("even:3"), measure)
        undefined = np.isnan(expected)
        value = FILLS[fill](expected[~undefined])
        if fill in ("lq", "med", "mean", "uq"):  # the systems kept have another one
            assert abs(value - FILLS[fill](expected[:, kept][~undefined[:, kept]])) > 0.01
        np.testing.assert_allclose(measured.values(m), np.where(undefined, value, expected)[:, kept], rtol=1e-12)
    assert measured.undefined == str(fill)
    assert measured.undefined_cells == undefined[:, kept].sum() * len(measures)


def test_topics_with_an_undefined_cell_are_dropped() -> None:
    measured = measure_shards(collection(), ["AP"], sharding(collection(), "even:3"), fill="drop")
    expected = expected_scores(split("even:3"), "AP")
    defined = ~np.isnan(expected).any(axis=(1, 2))
    assert 0 < defined.sum() < len(expected)
    assert measured.scores.topics == tuple(np.array(collection().topics)[defined].tolist())
    np.testing.assert_allclose(measured.values(), expected[defined], rtol=1e-12)
    assert measured.undefined_cells == np.isnan(expected).sum()


def test_an_unknown_fill_is_refused() -> None:
    with pytest.raises(DesignError, match="'median' is unknown; it is zero, lq, med, mean, uq, one or a number"):
        measure_shards(collection(), ["AP"], sharding(collection(), "even:3"), fill="median")


# splits drawn again


@cache
def three_each() -> tuple[Qrels, Collection]:
    """Eight topics, each with three relevant documents."""
    rng = np.random.default_rng(1)
    qrels = {f"t{topic}": dict.fromkeys(rng.choice(DOCUMENTS, 3, replace=False).tolist(), 1) for topic in range(8)}
    runs = {f"s{system}": {topic: dict.fromkeys(DOCUMENTS, 1.0) for topic in qrels} for system in range(2)}
    return qrels, load(qrels, runs)


@pytest.mark.parametrize("number", range(4))
def test_the_first_split_with_relevant_documents_everywhere_is_accepted(number: int) -> None:
    qrels, data = three_each()
    scheme, drawn = recorded(sharding(data, "even:2"))
    measured = measure_shards(data, ["AP"], scheme, fill="resample", seed=2, number=number)
    docnos = data.docnos.to_list()
    *refused, accepted = drawn
    assert all(topics_lacking(qrels, docnos, shards) for shards in refused)
    assert not topics_lacking(qrels, docnos, accepted)
    assert measured.attempts == len(drawn)
    assert measured.undefined_cells == 0
    assert measured.undefined == "resample"
    np.testing.assert_array_equal(measured.scores.values, score(data, ["AP"], accepted).values)


def test_splits_are_drawn_anew_each_time_and_each_number_has_its_own() -> None:
    _, data = three_each()
    splits = []
    for number in range(4):
        scheme, drawn = recorded(sharding(data, "even:2"))
        measure_shards(data, ["AP"], scheme, fill="resample", seed=2, number=number)
        splits += [shards.labels.tobytes() for shards in drawn]
    assert len(splits) > 12  # most are refused
    assert len(set(splits)) == len(splits)


def test_a_first_split_that_is_accepted_is_the_one_without_resampling() -> None:
    qrels, data = three_each()
    scheme = sharding(data, "even:2")
    good = [
        not topics_lacking(qrels, data.docnos.to_list(), next(islice(scheme.splits(5), number, None)))
        for number in range(40)
    ]
    assert any(good)
    number = good.index(True)
    again = measure_shards(data, ["AP"], scheme, fill="resample", seed=5, number=number)
    plain = measure_shards(data, ["AP"], scheme, fill="zero", seed=5, number=number)
    assert again.attempts == 1
    np.testing.assert_array_equal(again.scores.values, plain.scores.values)


def test_topics_that_no_split_can_serve_are_named() -> None:
    scheme, drawn = recorded(sharding(collection(), "even:2"))
    with pytest.raises(DesignError, match=rf"'even:2' .* in {ATTEMPTS} draws; .*\(.*t0.*\): use fewer shards"):
        measure_shards(collection(), ["AP"], scheme, fill="resample")  # t0 has one relevant document
    assert len(drawn) == ATTEMPTS


def test_fixed_shards_are_not_drawn_again() -> None:
    qrels, runs = small()
    spec = "match:^(NEWS|WEB)"
    scheme, drawn = recorded(sharding(collection(), spec))
    lacking = topics_lacking(qrels, collection().docnos.to_list(), split(spec))
    assert lacking
    with pytest.raises(DesignError, match=rf"{len(lacking)} topics lack some \({', '.join(lacking)}\)"):
        measure_shards(collection(), ["AP"], scheme, fill="resample")
    assert len(drawn) == 1
    served = {topic: judged for topic, judged in qrels.items() if topic not in lacking}
    rest = load(served, runs)
    assert measure_shards(rest, ["AP"], sharding(rest, spec), fill="resample").attempts == 1


def test_no_cell_is_undefined_after_resampling_whatever_grade_the_measure_needs() -> None:
    rng = np.random.default_rng(1)
    judged = [rng.choice(DOCUMENTS, 9, replace=False).tolist() for _ in range(4)]
    qrels = {f"t{t}": dict(zip(docnos, [2, 2, 2, 1, 1, 1, 1, 1, 1], strict=True)) for t, docnos in enumerate(judged)}
    data = load(qrels, {"mine": {topic: dict.fromkeys(DOCUMENTS, 1.0) for topic in qrels}})
    for number in range(10):
        measured = measure_shards(data, ["AP(rel=2)"], sharding(data, "even:2"), fill="resample", number=number)
        assert measured.undefined_cells == 0


def test_a_measure_that_is_undefined_on_the_whole_corpus_cannot_be_resampled() -> None:
    data = load({"a": {"d": 1, "e": 1}, "b": {"d": 2, "e": 2}}, {"mine": {"a": {"d": 1.0}, "b": {"e": 1.0}}})
    with pytest.raises(DesignError, match=r"lack some \(a\)"):
        measure_shards(data, ["AP(rel=2)"], sharding(data, "even:2"), fill="resample")


# systems kept


@pytest.mark.parametrize("measure", ["AP", "P@5"])
@pytest.mark.parametrize(("keep", "count"), [("all", 5), ("5", 5), ("3", 3), ("1", 1), ("top60%", 3), ("top79.9%", 3)])
def test_the_best_systems_by_the_first_measure_on_the_whole_corpus_are_kept(
    measure: str, keep: str, count: int
) -> None:
    everything = Shards(np.zeros(len(collection().docnos), np.int32), ("all",))
    means = expected_scores(everything, measure).mean(axis=(0, 2))
    assert len(set(means.tolist())) == len(means)
    best = set(np.argsort(-means)[:count].tolist())
    expected = tuple(system for s, system in enumerate(collection().systems) if s in best)
    complete = measure_shards(collection(), [measure, "RR"], sharding(collection(), "even:3"))
    measured = measure_shards(collection(), [measure, "RR"], sharding(collection(), "even:3"), keep=keep)
    assert measured.scores.systems == expected
    assert measured.kept == keep
    np.testing.assert_array_equal(measured.scores.values, complete.scores.values[:, :, sorted(best)])
    assert measure_whole(collection(), [measure], keep=keep).scores.systems == expected


@pytest.mark.parametrize(
    ("keep", "systems", "count"),
    [
        ("top75%", 129, 96),
        ("top50%", 129, 64),
        ("top25%", 129, 32),
        ("top100%", 129, 129),
        ("top1%", 100, 1),
        ("top33.3%", 1000, 333),
        ("top32.3%", 1000, 323),
        ("129", 129, 129),
    ],
)
def test_how_many_systems_are_kept(keep: str, systems: int, count: int) -> None:
    assert kept_count(keep, systems) == count


@pytest.mark.parametrize(
    "keep",
    ["0", "6", "-1", "1.5", "", "top", "top%", "75%", "top75", "top0%", "top19%", "top120%", "top110%", "TOP50%", "x"],
)
def test_systems_that_cannot_be_kept(keep: str) -> None:
    with pytest.raises(DesignError, match=f"'{keep}' is not possible; write all, top75%, or a number up to 5"):
        measure_whole(collection(), ["AP"], keep=keep)


def test_one_measure_is_asked_of_at_a_time() -> None:
    assert str(one_measure(["map"])) == "AP"
    with pytest.raises(DesignError, match="not of 2"):
        one_measure(["AP", "RR"])


# TREC-8: the choices of Ferro, Kim and Sanderson (TOIS 2019)


@pytest.fixture(scope="module")
def sources_of_trec8(trec8: Path) -> Collection:
    return load(trec8 / "qrels.txt.gz", trec8 / "runs", precision="single")


def test_three_quarters_of_trec8_are_the_96_best_by_average_precision(sources_of_trec8: Collection) -> None:
    data = sources_of_trec8
    measured = measure_shards(data, ["AP"], sharding(data, SOURCES), keep="top75%")
    assert measured.scores.replicates == ("FBIS", "FR", "FT", "LA")
    kept = set(measured.scores.systems)
    assert len(kept) == 96
    assert {"READWARE2", "orcl99man", "iit99ma1"} < kept
    means = dict(zip(data.systems, score(data, ["AP"]).values[0, :, :, 0].mean(axis=0).tolist(), strict=True))
    assert min(means[system] for system in kept) > max(means[system] for system in set(data.systems) - kept)
    by_precision = measure_shards(data, ["P@10"], sharding(data, SOURCES), keep="top75%")
    assert set(by_precision.scores.systems) != kept


@pytest.mark.parametrize(("fill", "value"), [("lq", 0.03243), ("med", 0.1801), ("mean", 0.2676), ("uq", 0.4186)])
def test_published_fill_values(sources_of_trec8: Collection, fill: Fill, value: float) -> None:
    scheme = sharding(sources_of_trec8, SOURCES)
    filled, zero = (
        measure_shards(sources_of_trec8, ["AP"], scheme, fill=one, keep="top75%").values() for one in (fill, "zero")
    )
    changed = filled[filled != zero]
    assert len(set(changed.tolist())) == 1
    assert f"{changed[0]:.4g}" == f"{value:.4g}"


def test_fifteen_topics_of_trec8_have_relevant_documents_in_all_sources(sources_of_trec8: Collection) -> None:
    scheme = sharding(sources_of_trec8, SOURCES)
    assert len(measure_shards(sources_of_trec8, ["AP"], scheme, fill="drop").scores.topics) == 15
    with pytest.raises(DesignError, match="35 topics lack some"):
        measure_shards(sources_of_trec8, ["AP"], scheme, fill="resample")
