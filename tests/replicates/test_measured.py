"""Scores ready for a model: shards against rewritten runs and qrels, fills, redrawn splits, systems kept."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache
from itertools import islice, permutations
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from numpy.typing import NDArray
from scipy.stats import mstats

from irgauge import Collection, DesignError, InputError, load
from irgauge.replicates.bench import ATTEMPTS, Bench
from irgauge.replicates.data import kept_count
from irgauge.replicates.given import bench, one_measure, opened
from irgauge.replicates.measured import Measured, Measuring
from irgauge.replicates.shards import Sharding, sharding
from irgauge.scoring.drawn import Shards
from irgauge.scoring.measures import Measure, parse_measures
from irgauge.scoring.scores import Fill, Scores, score
from irgauge.studies.anova.study import anova
from oracles.amended import amended, shard_image

Qrels = dict[str, dict[str, int]]
Runs = dict[str, dict[str, dict[str, float]]]
Values = NDArray[np.float64]

AP, RR, HARD = (parse_measures([name]) for name in ("AP", "RR", "AP(rel=2)"))
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


def measure_shards(data: Collection, measures: Sequence[str], shards: str, **asked: Any) -> Measured:  # noqa: ANN401  # passed on
    """What is measured on one split."""
    workers = asked.pop("workers", None)
    return Bench(data, workers=workers).measured(Measuring(parse_measures(measures), shards, **asked))


def measure_whole(data: Collection, measures: Sequence[str], **asked: Any) -> Measured:  # noqa: ANN401  # passed on
    """What is measured on the whole corpus."""
    return Bench(data).measured(Measuring(parse_measures(measures), **asked))


def expected_scores(shards: Shards, measure: str) -> Values:
    """values[topic, system, shard] of runs and qrels that are restricted to each shard."""
    qrels, runs = small()
    strata = {topic: dict.fromkeys(judged, 0) for topic, judged in qrels.items()}
    labels = dict(zip(collection().docnos, shards.labels.tolist(), strict=True))
    values = np.empty((len(qrels), len(runs), len(shards.names)))
    for system, run in enumerate(runs.values()):
        for shard in range(len(shards.names)):
            found = amended(qrels, strata, run, shard_image(labels, shard)).scores(measure)
            values[:, system, shard] = [found[topic] for topic in qrels]
    return values


def split(spec: str, seed: int = 0, number: int = 0) -> Shards:
    """The split of that number among those of the seed."""
    return next(islice(sharding(collection(), spec).splits(seed), number, None))


class Recording(Bench):
    """A bench that keeps what is drawn, and how often it scores."""

    def __init__(self, *args: Any, **options: Any) -> None:  # noqa: ANN401  # those of a bench
        super().__init__(*args, **options)
        self.drawn: list[Shards] = []
        self.scored: list[tuple[str, ...]] = []

    def sharding(self, spec: str) -> Sharding:
        scheme = super().sharding(spec)

        def draw(rng: np.random.Generator) -> Shards:
            self.drawn.append(scheme.draw(rng))
            return self.drawn[-1]

        return replace(scheme, draw=draw)

    def _scored(self, measures: tuple[Measure, ...], key: Any, shards: Shards) -> Scores:  # noqa: ANN401  # of a bench
        self.scored.append(tuple(map(str, measures)))
        return super()._scored(measures, key, shards)


def topics_lacking(qrels: Qrels, docnos: list[str], shards: Shards) -> list[str]:
    """Topics without a relevant document in some shard."""
    label = dict(zip(docnos, shards.labels.tolist(), strict=True))
    found = {topic: {label[docno] for docno, grade in judged.items() if grade > 0} for topic, judged in qrels.items()}
    return [topic for topic, labels in found.items() if len(labels) < len(shards.names)]


# scores


@pytest.mark.parametrize("spec", SPECS)
@pytest.mark.parametrize("number", [0, 3])
def test_scores_are_those_of_runs_and_qrels_restricted_to_each_shard(spec: str, number: int) -> None:
    found = measure_shards(collection(), MEASURES, spec, seed=6, number=number, sparse=True)
    shards = split(spec, seed=6, number=number)
    assert found.scores.replicates == shards.names
    undefined = 0
    for m, measure in enumerate(MEASURES):
        expected = expected_scores(shards, measure)
        undefined += np.isnan(expected).sum()
        np.testing.assert_allclose(found.values(m), np.nan_to_num(expected), rtol=1e-12, atol=1e-12)
    assert found.undefined == undefined > 0
    assert (found.shards, found.attempts) == (len(shards.names), 1)
    told = found.provenance
    assert (told["shards"], told["seed"], told["split"], told["fill"], told["keep_systems"]) == (
        (spec, 6, number, "zero", "all")
    )
    assert told["undefined"] == undefined


def test_the_whole_corpus_is_one_shard_of_all_documents() -> None:
    found = measure_whole(collection(), MEASURES[:4])
    everything = Shards(np.zeros(len(collection().docnos), np.int32), ("all",))
    for m, measure in enumerate(MEASURES[:4]):
        np.testing.assert_allclose(found.values(m), expected_scores(everything, measure), rtol=1e-12, atol=1e-12)
    assert found.shards == 1
    assert not {"shards", "shard_count", "seed", "split"} & set(found.provenance)
    assert found.undefined == 0
    assert (found.scores.topics, found.scores.systems) == (collection().topics, collection().systems)


@pytest.mark.parametrize("spec", ["even:3", "die:2", "match:^.", None])
def test_what_was_measured_knows_whether_its_shards_were_drawn(spec: str | None) -> None:
    bench = Bench(collection())
    found = bench.measured(Measuring(AP, spec))
    assert found.is_random == (spec is not None and bench.sharding(spec).is_random)
    assert found.only(*AP).is_random == found.is_random
    assert found.measured(Measuring(AP)).is_random == found.is_random
    assert not opened(found.scores).measured(Measuring(AP)).is_random  # of a table nothing is known


def test_a_measure_may_be_undefined_on_the_whole_corpus() -> None:
    hard = load({"a": {"d": 1}, "b": {"d": 2}}, {"mine": {"a": {"d": 1.0}, "b": {"d": 1.0}}})
    assert measure_whole(hard, ["AP(rel=2)"]).values().ravel().tolist() == [0, 1]
    assert measure_whole(hard, ["AP(rel=2)"]).undefined == 1
    assert measure_whole(hard, ["AP(rel=2)"], fill=0.25).values().ravel().tolist() == [0.25, 1]
    with pytest.raises(DesignError, match="the fill 'drop' leaves 1 of 2 topics"):
        measure_whole(hard, ["AP(rel=2)"], fill="drop")


def test_scores_do_not_depend_on_workers() -> None:
    one, two = (
        measure_shards(collection(), MEASURES, "even:3", keep_systems="3", workers=workers) for workers in (1, 2)
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
    found = measure_shards(collection(), measures, "even:3", fill=fill, keep_systems="2")
    kept = [collection().systems.index(system) for system in found.scores.systems]
    assert len(kept) == 2
    for m, measure in enumerate(measures):
        expected = expected_scores(split("even:3"), measure)
        undefined = np.isnan(expected)
        value = FILLS[fill](expected[~undefined])
        if fill in ("lq", "med", "mean", "uq"):  # the systems kept have another one
            assert abs(value - FILLS[fill](expected[:, kept][~undefined[:, kept]])) > 0.01
        np.testing.assert_allclose(found.values(m), np.where(undefined, value, expected)[:, kept], rtol=1e-12)
    assert found.provenance["fill"] == str(fill)
    assert found.undefined == undefined[:, kept].sum() * len(measures)


def test_topics_with_an_undefined_cell_are_dropped() -> None:
    found = measure_shards(collection(), ["AP"], "even:3", fill="drop")
    expected = expected_scores(split("even:3"), "AP")
    defined = ~np.isnan(expected).any(axis=(1, 2))
    assert 0 < defined.sum() < len(expected)
    assert found.scores.topics == tuple(np.array(collection().topics)[defined].tolist())
    np.testing.assert_allclose(found.values(), expected[defined], rtol=1e-12)
    assert found.undefined == np.isnan(expected).sum()
    assert found.dropped == found.provenance["dropped"] == tuple(np.array(collection().topics)[~defined].tolist())


def test_an_unknown_fill_is_refused() -> None:
    with pytest.raises(DesignError, match=r"'median' is unknown; .* is zero, lq, med, mean, uq, one, drop, redraw or"):
        measure_shards(collection(), ["AP"], "even:3", fill="median")


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
    bench = Recording(data)
    found = bench.measured(Measuring(AP, "even:2", "redraw", seed=2, number=number))
    docnos = data.docnos.to_list()
    *refused, accepted = bench.drawn
    assert all(topics_lacking(qrels, docnos, shards) for shards in refused)
    assert not topics_lacking(qrels, docnos, accepted)
    assert found.attempts == len(bench.drawn)
    assert found.undefined == 0
    assert found.provenance["fill"] == "redraw"
    np.testing.assert_array_equal(found.scores.values, score(data, ["AP"], accepted).values)


def test_splits_are_drawn_anew_each_time_and_each_number_has_its_own() -> None:
    _, data = three_each()
    splits = []
    for number in range(4):
        bench = Recording(data)
        bench.measured(Measuring(AP, "even:2", "redraw", seed=2, number=number))
        splits += [shards.labels.tobytes() for shards in bench.drawn]
    assert len(splits) > 12  # most are refused
    assert len(set(splits)) == len(splits)


def test_a_first_split_that_is_accepted_is_the_one_without_redrawing() -> None:
    qrels, data = three_each()
    scheme = sharding(data, "even:2")
    good = [
        not topics_lacking(qrels, data.docnos.to_list(), next(islice(scheme.splits(5), number, None)))
        for number in range(40)
    ]
    assert any(good)
    number = good.index(True)
    again = measure_shards(data, ["AP"], "even:2", fill="redraw", seed=5, number=number)
    plain = measure_shards(data, ["AP"], "even:2", fill="zero", seed=5, number=number)
    assert again.attempts == 1
    np.testing.assert_array_equal(again.scores.values, plain.scores.values)


def test_topics_that_no_split_can_serve_are_named() -> None:
    bench = Recording(collection())
    with pytest.raises(DesignError, match=rf"'even:2' .* in {ATTEMPTS} draws; .*\(.*t0.*\): use fewer shards"):
        bench.measured(Measuring(AP, "even:2", "redraw"))  # t0 has one relevant document
    assert len(bench.drawn) == ATTEMPTS


def test_fixed_shards_are_not_drawn_again() -> None:
    qrels, runs = small()
    spec = "match:^(NEWS|WEB)"
    bench = Recording(collection())
    lacking = topics_lacking(qrels, collection().docnos.to_list(), split(spec))
    assert lacking
    with pytest.raises(DesignError, match=rf"{len(lacking)} topics lack some \({', '.join(lacking)}\)"):
        bench.measured(Measuring(AP, spec, "redraw"))
    assert len(bench.drawn) == 1
    served = {topic: judged for topic, judged in qrels.items() if topic not in lacking}
    rest = load(served, runs, warn=False)
    assert measure_shards(rest, ["AP"], spec, fill="redraw").attempts == 1


def test_no_cell_is_undefined_after_redrawing_whatever_grade_the_measure_needs() -> None:
    rng = np.random.default_rng(1)
    judged = [rng.choice(DOCUMENTS, 9, replace=False).tolist() for _ in range(4)]
    qrels = {f"t{t}": dict(zip(docnos, [2, 2, 2, 1, 1, 1, 1, 1, 1], strict=True)) for t, docnos in enumerate(judged)}
    data = load(qrels, {"mine": {topic: dict.fromkeys(DOCUMENTS, 1.0) for topic in qrels}})
    for number in range(10):
        found = measure_shards(data, ["AP(rel=2)"], "even:2", fill="redraw", number=number)
        assert found.undefined == 0


def test_a_measure_that_is_undefined_on_the_whole_corpus_cannot_be_redrawn() -> None:
    data = load({"a": {"d": 1, "e": 1}, "b": {"d": 2, "e": 2}}, {"mine": {"a": {"d": 1.0}, "b": {"e": 1.0}}})
    with pytest.raises(DesignError, match=r"lack some \(a\)"):
        measure_shards(data, ["AP(rel=2)"], "even:2", fill="redraw")


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
    complete = measure_shards(collection(), [measure, "RR"], "even:3")
    found = measure_shards(collection(), [measure, "RR"], "even:3", keep_systems=keep)
    assert found.scores.systems == expected
    assert found.provenance["keep_systems"] == keep
    np.testing.assert_array_equal(found.scores.values, complete.scores.values[:, :, sorted(best)])
    assert measure_whole(collection(), [measure], keep_systems=keep).scores.systems == expected


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
    with pytest.raises(
        DesignError, match=f"'{keep}' of 5 systems cannot be kept; write all, top75%, or a number up to 5"
    ):
        measure_whole(collection(), ["AP"], keep_systems=keep)


# a bench


def same(one: Measured, other: Measured) -> bool:
    return np.array_equal(one.scores.values, other.scores.values) and one.provenance == other.provenance


def test_a_bench_scores_the_whole_corpus_and_each_split_once() -> None:
    bench = Recording(collection(), ["AP", "RR"])
    first = [bench.measured(Measuring(AP, shards)) for shards in (None, "even:3", "even:2")]
    assert bench.scored == [("AP", "RR")] * 3  # those that will be asked for are scored together
    others = [Measuring(RR, shards) for shards in (None, "even:3", "even:2")]
    others += [Measuring(AP, "even:3", fill, keep) for fill in ("mean", "drop") for keep in ("all", "2")]
    for asked in others:
        bench.measured(asked)
    assert len(bench.scored) == 3
    bench.measured(Measuring(AP, "even:3", number=1))
    bench.measured(Measuring(AP, "even:3", seed=1))
    assert len(bench.scored) == 5
    for shards, found in zip((None, "even:3", "even:2"), first, strict=True):
        assert same(bench.measured(Measuring(AP, shards)), found)


def test_a_bench_keeps_raw_scores_of_all_systems() -> None:
    bench = Bench(collection())
    for fill, keep in (("one", "2"), ("drop", "all"), ("mean", "3")):
        bench.measured(Measuring(AP, "even:3", fill, keep))
    raw, attempts = bench.split(Measuring(AP, "even:3"), bench.sharding("even:3"))
    np.testing.assert_allclose(raw.values[0], expected_scores(split("even:3"), "AP"), rtol=1e-12)
    assert np.isnan(raw.values).any()
    assert (raw.systems, attempts) == (collection().systems, 1)
    assert bench.whole(AP).systems == collection().systems


@pytest.mark.parametrize("shards", [None, "even:3"])
def test_scores_do_not_depend_on_the_order_in_which_measures_are_asked_for(shards: str | None) -> None:
    names = ("AP", "P@5", "RR")
    direct = {name: Bench(collection()).measured(Measuring(parse_measures([name]), shards)) for name in names}
    for order in permutations(names):
        bench = Bench(collection())
        for name in order:
            assert same(bench.measured(Measuring(parse_measures([name]), shards)), direct[name])
        together = bench.measured(Measuring(parse_measures(order), shards))
        for place, name in enumerate(order):
            np.testing.assert_array_equal(together.values(place), direct[name].values())


def test_what_a_bench_has_no_room_for_is_scored_again(monkeypatch: pytest.MonkeyPatch) -> None:
    bench = Recording(collection())
    whole = bench.measured(Measuring(AP))
    monkeypatch.setattr("irgauge.replicates.bench._MOST_BYTES", whole.scores.values.nbytes)
    first, again = (bench.measured(Measuring(AP, "even:3")) for _ in range(2))
    assert same(first, again)
    assert same(bench.measured(Measuring(AP)), whole)
    assert len(bench.scored) == 3


def test_judged_documents_alone_cannot_be_split() -> None:
    judged = load(*small(), documents="judged")
    with pytest.raises(DesignError, match="documents='all'"):
        Bench(judged).measured(Measuring(AP, "even:2"))
    assert Bench(judged).measured(Measuring(AP)).shards == 1


def test_topics_that_a_run_does_not_answer_are_told_of_the_systems_kept() -> None:
    qrels, runs = small()
    short = {**runs, "s4": {"t5": runs["s4"]["t5"]}}
    found = measure_whole(load(qrels, short, warn=False), ["AP"])
    assert found.missing.counts == {"s4": 5}
    assert found.provenance["missing"] == {"rule": "zero", "topics": 5, "of": 6, "systems": {"s4": 5}}
    without = measure_whole(load(qrels, short, warn=False), ["AP"], keep_systems="2")
    assert (without.missing.counts, without.provenance.get("missing")) == ({}, None)


# whatever was given


def test_runs_and_a_bench_are_measured_alike() -> None:
    asked = Measuring(AP, "even:3", "mean", "3")
    assert same(opened(collection()).measured(asked), Bench(collection()).measured(asked))


def test_a_bench_is_made_of_runs_and_not_of_tables() -> None:
    ours = Bench(collection())
    assert bench(ours) is ours
    assert bench(collection(), workers=1).workers == 1
    for table in (ours.whole(AP), ours.measured(Measuring(AP))):
        with pytest.raises(DesignError, match="needs runs and judgments, and a table of scores was given"):
            bench(table)


@pytest.mark.parametrize("extension", ["parquet", "csv", "tsv"])
def test_a_path_is_read_as_a_table_of_scores(tmp_path: Path, extension: str) -> None:
    table, path = Bench(collection()).whole(AP), tmp_path / f"scores.{extension}"
    table.save(path)
    for given in (path, str(path)):
        found = opened(given)
        np.testing.assert_array_equal(found.table("is tested").values, table.values)
        assert anova(given, "AP").rows == anova(table, "AP").rows
    assert opened(table).table("is tested") is table


@pytest.mark.parametrize("data", [3, {"1"}], ids=str)
def test_what_is_neither_runs_nor_scores_is_refused_with_what_to_do(data: object) -> None:
    what = rf"data is a {type(data).__name__}; load runs first: irgauge\.load\(qrels, runs\), or give a table of scores"
    for read in (opened, bench):
        with pytest.raises(DesignError, match=what):
            read(data)  # type: ignore[arg-type]  # on purpose


def test_a_path_of_something_else_is_refused_with_what_to_do(tmp_path: Path) -> None:
    (tmp_path / "qrels.txt").write_text("301 0 FBIS3-10082 1\n")
    for path in (tmp_path / "qrels.txt", "runs/"):
        with pytest.raises(InputError, match=r"this is not a table of scores; load runs first: irgauge\.load"):
            opened(path)


def test_objects_are_opened_as_tables_of_scores() -> None:
    table = {"a": {"1": 0.5, "2": 0.25}, "b": {"1": 1.0, "2": 0.0}}
    array = np.array([[0.5, 1.0], [0.25, 0.0]])
    for given in (table, array, pl.DataFrame({"a": [0.5, 0.25], "b": [1.0, 0.0]})):
        found = opened(given).table("is tested")
        np.testing.assert_array_equal(found.values[0, :, :, 0], array)


def test_a_system_that_lacks_topics_is_treated_as_a_run_that_does() -> None:
    given = Scores.of({"a": {"1": 0.5, "2": 0.25, "3": 0.1}, "b": {"1": 1.0, "2": 0.0}})
    found = opened(given, missing="zero").measured(Measuring((), fill="mean"))
    assert found.values()[:, 1, 0].tolist() == [1.0, 0.0, 0.0]
    assert (found.undefined, found.missing.topics_of) == (0, {"b": ("3",)})
    assert found.provenance["missing"] == {"rule": "zero", "topics": 1, "of": 3, "systems": {"b": 1}}
    common = found.common()
    assert common is not None
    assert common.scores.topics == ("1", "2")
    dropped = opened(given.under("drop")).measured(Measuring(()))
    assert (dropped.scores.topics, dropped.missing.rule) == (("1", "2"), "drop")


def test_a_table_says_where_it_comes_from(tmp_path: Path) -> None:
    path = tmp_path / "scores.csv"
    path.write_text("measure,topic,system,seed,score\n" + "".join(f"AP,{t},a,{r},0.5\n" for t in "12" for r in "xyz"))
    facts = opened(path).measured(Measuring(())).provenance
    assert (facts["source"], facts["files"], facts["replicates"]) == ("a table of scores", ("scores.csv",), 3)
    assert "a table of scores; read from scores.csv; 3 seeds" in facts.text


@pytest.mark.parametrize(("shards", "more"), [(None, "drop"), ("even:2", "drop, redraw")])
def test_a_fill_that_is_unknown_is_refused_with_those_that_are_possible(shards: str | None, more: str) -> None:
    message = f"the fill 'resample' is unknown; a fill is zero, lq, med, mean, uq, one, {more} or a number"
    with pytest.raises(DesignError, match=message):
        opened(collection()).measured(Measuring(AP, shards, "resample"))


def test_a_table_of_scores_is_filled_and_cut_as_runs_are() -> None:
    ours = Bench(collection(), ["AP", "RR"])
    table, _ = ours.split(Measuring((*AP, *RR), "even:3"), ours.sharding("even:3"))
    for fill in ("zero", "mean", "drop"):
        found = opened(table).measured(Measuring(AP, fill=fill))
        np.testing.assert_array_equal(found.values(), ours.measured(Measuring(AP, "even:3", fill)).values())
        assert found.provenance["source"] == "a table of scores"
    assert opened(table).measured(Measuring(())).scores.measures == (*AP, *RR)
    best = opened(table).measured(Measuring(AP, keep_systems="2")).scores.systems
    means = np.nan_to_num(table.values[0]).mean(axis=(0, 2))
    assert set(best) == {table.systems[s] for s in np.argsort(-means)[:2]}


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        ({"shards": "even:2"}, "a table of scores cannot be split"),
        ({"fill": "redraw"}, "need runs and judgments"),
        ({"measures": parse_measures(["P@5"])}, "the table has no scores of P@5; it has AP"),
    ],
    ids=str,
)
def test_what_a_table_of_scores_cannot_give(asked: dict[str, Any], message: str) -> None:
    table = Bench(collection()).whole(AP)
    with pytest.raises(DesignError, match=message):
        opened(table).measured(Measuring(**{"measures": AP, **asked}))


def test_what_was_measured_settles_everything_but_the_measure() -> None:
    asked = Measuring((*AP, *HARD), "even:3", "mean", "3", seed=2)
    before = Bench(collection()).measured(asked)
    found = before.measured(Measuring(HARD))
    np.testing.assert_array_equal(found.values(), before.values(1))
    assert found.scores.measures == HARD
    assert 0 < found.undefined < before.undefined
    assert same(before.measured(replace(asked, measures=AP)), before.only(*AP))
    for other in ({"shards": "even:2"}, {"fill": "one"}, {"keep_systems": "2"}, {"seed": 3}):
        with pytest.raises(DesignError, match="measured already"):
            before.measured(replace(asked, **other))


def test_one_measure_is_asked_of_at_a_time() -> None:
    assert one_measure(opened(collection()), "map") == one_measure(opened(collection()), None) == AP
    ours = Bench(collection())
    assert one_measure(ours, "RR") == RR
    assert one_measure(opened(ours.whole(RR)), None) == one_measure(ours.measured(Measuring(RR)), None) == RR
    with pytest.raises(DesignError, match="one measure at a time; name one of AP, RR"):
        one_measure(opened(ours.whole((*AP, *RR))), None)


# TREC-8: the choices of Ferro, Kim and Sanderson (TOIS 2019)


@pytest.fixture(scope="module")
def trec8_bench(trec8_runs: Collection) -> Bench:
    return Bench(trec8_runs)


def measure_sources(bench: Bench, measure: str = "AP", **asked: Any) -> Measured:  # noqa: ANN401  # passed on
    return bench.measured(Measuring(parse_measures(measure), SOURCES, **asked))


def test_three_quarters_of_trec8_are_the_96_best_by_average_precision(trec8_bench: Bench) -> None:
    data = trec8_bench.collection
    found = measure_sources(trec8_bench, keep_systems="top75%")
    assert found.scores.replicates == ("FBIS", "FR", "FT", "LA")
    kept = set(found.scores.systems)
    assert len(kept) == 96
    assert {"READWARE2", "orcl99man", "iit99ma1"} < kept
    means = dict(zip(data.systems, score(data, ["AP"]).values[0, :, :, 0].mean(axis=0).tolist(), strict=True))
    assert min(means[system] for system in kept) > max(means[system] for system in set(data.systems) - kept)
    by_precision = measure_sources(trec8_bench, "P@10", keep_systems="top75%")
    assert set(by_precision.scores.systems) != kept


@pytest.mark.parametrize(("fill", "value"), [("lq", 0.03243), ("med", 0.1801), ("mean", 0.2676), ("uq", 0.4186)])
def test_published_fill_values(trec8_bench: Bench, fill: Fill, value: float) -> None:
    filled, zero = (measure_sources(trec8_bench, fill=one, keep_systems="top75%").values() for one in (fill, "zero"))
    changed = filled[filled != zero]
    assert len(set(changed.tolist())) == 1
    assert f"{changed[0]:.4g}" == f"{value:.4g}"


def test_fifteen_topics_of_trec8_have_relevant_documents_in_all_sources(trec8_bench: Bench) -> None:
    assert len(measure_sources(trec8_bench, fill="drop").scores.topics) == 15
    with pytest.raises(DesignError, match="35 topics lack some"):
        measure_sources(trec8_bench, fill="redraw")
