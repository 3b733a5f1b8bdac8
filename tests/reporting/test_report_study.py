from __future__ import annotations

import hashlib
import json
import re
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.stats import ttest_rel

from irgauge.errors import DesignError, InputError
from irgauge.reading.collection import Collection, load
from irgauge.reading.trec import Run, run_of_text
from irgauge.replicates.bench import Bench
from irgauge.reporting.report import Report, report
from irgauge.reporting.sections import sections
from irgauge.scoring.drawn import PartsLeftOut, Replicates, Shards
from irgauge.scoring.scorer import Scorer
from irgauge.scoring.scores import score
from irgauge.show.references import REFERENCES
from irgauge.simulation.collections import Design, simulate
from irgauge.studies.bootstrap.leaving import PARTS, SPLITS
from irgauge.studies.compare.records import coverage, neighbours
from irgauge.studies.compare.study import compare
from irgauge.studies.instances import section as instances_section
from irgauge.studies.instances.study import instances
from irgauge.studies.partition import section as partition_section
from irgauge.studies.partition.study import partition
from irgauge.studies.pools import section as pools_section
from irgauge.studies.registry import studies
from irgauge.studies.report_part import FEWER_IMAGES, USUAL_IMAGES

DESIGN = Design(systems=8, families=3, topics=12, depth=60, corpus_size=500, relevant_median=20, seed=4)
NAMES = ["F1", "F2", "F3"]  # families
FEW: dict[str, Any] = {"shards": "even:3", "resamples": 2, "images": 20}
BARE: dict[str, Any] = {"shards": None, "images": 2}
BY_NAME = "{algorithm}-{instance}"
POPULATIONS = ("topics", "documents", "both")


@pytest.fixture(scope="module")
def collection() -> Collection:
    return simulate(DESIGN).collection()


@pytest.fixture(scope="module")
def result(collection: Collection) -> Report:
    return report(collection, ["AP", "nDCG@10"], **FEW)


def test_every_study_is_there_for_every_measure(result: Report) -> None:
    assert list(result.ran) == list(sections())
    assert {study.name for study in studies().values() if study.has_section} <= set(result.ran)
    for name in ("compare", "anova", "robustness", "partition"):
        assert [one.provenance["measures"] for one in result.ran[name].results] == [("AP",), ("nDCG@10",)]
    counts = {name: len(ran.results) for name, ran in result.ran.items() if ran.results}
    alone = {"score": 1, "topics": 2, "agreement": 1, "effects": 1, "bootstrap": 3, "pools": 2, "plan": 4}
    assert counts == {"compare": 2, "anova": 2, "robustness": 2, "partition": 2} | alone
    assert result.reporting.unsharded is None


def test_sections_are_questions_with_keys_of_their_own() -> None:
    assert all(part.title.endswith("?") and set(part.references) <= set(REFERENCES) for part in sections().values())
    assert len({part.key for part in sections().values()}) == len(sections())


@pytest.fixture
def scored(monkeypatch: pytest.MonkeyPatch) -> Counter[tuple[str, str]]:
    """How often each measure is scored on each split of the documents and in each image, for as many systems."""
    calls: Counter[tuple[str, str]] = Counter()
    original = Scorer.score

    def counted(self: Scorer, drawn: Replicates, **options: Any) -> Any:  # noqa: ANN401  # options
        if len(self.collection.systems) == DESIGN.systems:
            calls.update((str(measure), name) for measure in self.measures for name in replicates(drawn))
        return original(self, drawn, **options)

    def replicates(drawn: Replicates) -> list[str]:
        if isinstance(drawn, PartsLeftOut):
            splits = (hashlib.sha256(column.tobytes()).hexdigest() for column in drawn.labels.T)
            return [f"without {split} {part}" for split in splits for part in range(drawn.parts)]
        if isinstance(drawn, Shards):
            return ["whole" if len(drawn.names) == 1 else f"split {hashlib.sha256(drawn.labels.tobytes()).hexdigest()}"]
        return [f"image {hashlib.sha256(column.tobytes()).hexdigest()}" for column in drawn.weights.T]

    monkeypatch.setattr(Scorer, "score", counted)
    return calls


@pytest.fixture
def read(monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """How often each file of a run is read, by its name."""
    calls: Counter[str] = Counter()
    original = run_of_text

    def counted(path: str, text: NDArray[np.uint8]) -> Run:
        calls[Path(path).name] += 1
        return original(path, text)

    monkeypatch.setattr("irgauge.reading.formats.run_of_text", counted)
    return calls


def test_each_file_is_read_once_and_each_measure_scored_once_on_each_split_and_in_each_image(
    scored: Counter[tuple[str, str]], read: Counter[str], tmp_path: Path
) -> None:
    simulate(DESIGN).write(tmp_path)
    made = report((tmp_path / "qrels.txt", tmp_path / "runs"), ["AP", "nDCG@10"], **FEW)
    made.to_html()
    made.to_dict()
    assert read == {path.name: 1 for path in (tmp_path / "runs").iterdir()}
    assert set(scored.values()) == {1}
    replicates = {measure: {name for of, name in scored if of == measure} for measure in ("AP", "nDCG@10")}
    assert replicates["AP"] == replicates["nDCG@10"]
    assert "whole" in replicates["AP"]
    kinds = Counter(name.partition(" ")[0] for name in replicates["AP"])
    assert kinds["split"] >= 3 * 2 + 11 - 2  # even:3 and two numbers besides, two of each; the method's; some the same
    assert kinds["image"] == made.reporting.images
    assert kinds["without"] == SPLITS * PARTS  # the corpus without each part


def test_of_long_lists_fewer_images_are_drawn_unless_a_number_is_given(
    collection: Collection, monkeypatch: pytest.MonkeyPatch
) -> None:
    usual: dict[str, Any] = {"shards": None, "resamples": 2}
    assert report(collection, "AP", **usual).reporting.images == USUAL_IMAGES
    monkeypatch.setattr("irgauge.reporting.reported_runs.LARGE", 100)
    fewer, asked = report(collection, "AP", **usual), report(collection, "AP", **BARE)
    assert (fewer.reporting.images, asked.reporting.images) == (FEWER_IMAGES, BARE["images"])
    assert fewer.ran["bootstrap"].results[0].images == FEWER_IMAGES
    assert ["lists are long" in made.to_html() for made in (fewer, asked)] == [True, False]


def test_each_population_has_the_comparison_and_intervals_of_its_own(result: Report, collection: Collection) -> None:
    found = result.ran["compare"].results[1].first
    assert [one.population for one in found.comparisons] == list(POPULATIONS)
    every = compare(collection, ["AP", "nDCG@10"], shards="even:3").of("nDCG@10")
    for population in POPULATIONS:
        alone = compare(collection, "nDCG@10", shards="even:3", population=population, family="each").first  # type: ignore[arg-type]  # any text
        np.testing.assert_array_equal(found.under(population).p_adjusted, every.under(population).p_adjusted)
        np.testing.assert_array_equal(found.under(population).p, alone.comparison.p)
        for mine, other in zip(found.intervals[population], alone.intervals[population], strict=True):
            assert (mine.name, mine.population) == (other.name, other.population)
            np.testing.assert_array_equal(mine.low, other.low)


def test_neighbours_and_coverage_count_the_pairs(result: Report) -> None:
    comparisons = result.ran["compare"].results[0].first.comparisons
    systems = comparisons[0].systems
    by = {one.population: one.matrix(one.p_adjusted, systems) for one in comparisons}
    pairs = neighbours(comparisons)
    assert [pair.rank for pair in pairs] == list(range(1, 8))
    for i, pair in enumerate(pairs):
        assert pair.p_adjusted == {name: matrix[i, i + 1] for name, matrix in by.items()}
        assert pair.differs == {name: bool(matrix[i, i + 1] <= 0.05) for name, matrix in by.items()}
    told = {name: matrix[np.triu_indices(8, 1)] <= 0.05 for name, matrix in by.items()}
    counts = coverage(comparisons)
    assert counts is not None
    assert counts.pairs == 28
    assert counts.found == {name: int(told[name].sum()) for name in POPULATIONS}
    assert counts.shared <= int((told["topics"] & told["documents"]).sum())
    assert counts.shared + counts.other_only == counts.found["documents"]
    assert counts.shared + counts.topics_only == counts.found["topics"]


def test_one_system_is_not_compared_and_says_why(collection: Collection) -> None:
    alone = report(collection.only([0]), ["AP"], **FEW)
    for name in ("compare", "anova", "robustness", "partition", "effects"):
        assert not alone.ran[name].results, name
        assert re.search("(2|two) systems", " ".join(alone.ran[name].missing.values())), name
    assert "a pair is two runs" in " ".join(alone.ran["pools"].missing.values())
    assert len(alone.ran["bootstrap"].results) == 3
    assert len(alone.ran["score"].results[0].means) == 1


def test_one_topic_says_nothing_of_other_topics() -> None:
    single = simulate(Design(systems=4, families=2, topics=1, depth=60, corpus_size=500, seed=1)).collection()
    alone = report(single, ["AP"], **FEW)
    for name in ("compare", "partition", "pools"):
        assert not alone.ran[name].results
        assert "2 topics" in " ".join(alone.ran[name].missing.values()), name
    assert set(alone.ran["bootstrap"].missing) == {"topics", "both"}
    assert all("one topic says nothing of other topics" in why for why in alone.ran["bootstrap"].missing.values())
    assert len(alone.ran["bootstrap"].results) == 1


@pytest.mark.parametrize(
    ("shards", "reason"), [(None, "no shards were asked for"), ("even:1", "one shard"), ("even:5", "more than the 4")]
)
def test_without_shards_the_whole_corpus_is_compared(shards: str | None, reason: str, collection: Collection) -> None:
    if shards == "even:5":  # the usual shards are not possible: the page says so
        qrels = {q: {"a": 1, "b": 1, "c": 0, "d": 0} for q in "12"}
        runs = {s: {q: {d: float(hash((s, q, d)) % 97) for d in "abcd"} for q in qrels} for s in ("x", "y")}
        collection = load(qrels, runs, warn=False)
    found = report(collection, ["AP"], shards=shards, resamples=2, images=4)
    assert reason in str(found.reporting.unsharded)
    assert not found.ran["effects"].results
    assert not found.ran["robustness"].results
    (compared,) = found.ran["compare"].results
    one = compared.first
    assert [(one.model, each.population) for each in one.comparisons] == [("MD1", "topics")]


def test_shards_that_were_asked_for_must_be_possible(collection: Collection) -> None:
    with pytest.raises(DesignError, match="more than the 500 documents"):
        report(collection, ["AP"], shards="even:100000")


def test_a_measure_that_is_defined_nowhere_is_left_out(collection: Collection) -> None:
    found = report(collection, ["AP", "AP(rel=9)"], **BARE)
    assert list(map(str, found.reporting.measures)) == ["AP"]
    assert list(found.left_out) == ["AP(rel=9)"]
    assert found.page.warnings[-1].startswith("AP(rel=9) is left out: it is defined on no topic")
    with pytest.raises(DesignError, match="cannot be reported"):
        report(collection, ["AP(rel=9)"])


def test_each_study_is_told_as_it_starts(collection: Collection) -> None:
    names: list[str] = []

    @contextmanager
    def telling(study: str) -> Iterator[None]:
        names.append(study)
        yield None

    done: list[tuple[int, int]] = []
    asked: dict[str, Any] = {"telling": telling, "progress": lambda *told: done.append(told)}
    report(collection, ["AP"], shards="even:2", resamples=1, images=2, **asked)
    count = len(sections())
    assert done == [(n, count) for n in range(1, count + 1)]
    bootstraps = [f"bootstrap of {drawn}" for drawn in ("documents", "topics")]  # both: the images of documents
    told = [
        "comparisons",
        "difficulty of topics",
        "analyses of variance",
        "effect sizes",
        "splits",
        "partition method",
        *bootstraps,
    ]
    assert names == [*told, "pools", "instances", "plans", "plans with shards"]


def test_a_bench_or_one_measure_will_do(collection: Collection, result: Report) -> None:
    bench = Bench(collection, ["AP"])
    found = report(bench, "AP", **BARE)
    assert found.reporting.bench is bench
    alone = found.ran["score"].results[0].means
    assert alone == tuple(row for row in result.ran["score"].results[0].means if row.measure == "AP")


def test_the_partition_method_is_that_of_its_own_study(result: Report, collection: Collection) -> None:
    for one in result.ran["partition"].results:
        measure, fill = one.first.measure, one.provenance["fill"]
        alone = partition(collection, measure, fill=fill).first.splits
        found, tests = one.first.splits, one.first.tests
        np.testing.assert_array_equal(found.p_adjusted, alone.p_adjusted)
        assert tests is not None
        values = score(collection, [measure]).values[0, :, :, 0]
        places = [collection.systems.index(system) for system in found.systems]
        pairs = zip(found.first, found.second, strict=True)
        p = [ttest_rel(values[:, places[a]], values[:, places[b]]).pvalue for a, b in pairs]
        np.testing.assert_allclose(tests.test("paired t").p_adjusted, p)


def test_of_many_systems_tests_are_not_set_side_by_side(
    collection: Collection, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(partition_section, "_TESTED", 28 * 12 - 1)
    (found,) = report(collection, ["AP"], **BARE).ran["partition"].results
    assert found.first.tests is None
    assert len(found.first.splits.first) == 28


@pytest.mark.parametrize(("relevant", "fill"), [(1, "drop"), (12, "redraw")])
def test_topics_that_no_split_can_hold_are_dropped(relevant: int, fill: str) -> None:
    qrels = {f"q{t}": {f"d{d}": int(d < (relevant if t == 0 else 12)) for d in range(30)} for t in range(6)}
    rng = np.random.default_rng(1)
    runs = {s: {q: {d: float(rng.normal()) for d in of} for q, of in qrels.items()} for s in "abc"}
    (found,) = report(load(qrels, runs), ["AP"], **BARE).ran["partition"].results
    assert found.provenance["fill"] == fill
    topics = {topic for split in found.first.splits.splits for topic in split.topics}
    assert ("q0" in topics) == (fill == "redraw")


def test_pools_are_of_the_best_systems_by_the_first_measure(result: Report, collection: Collection) -> None:
    closest, few = result.ran["pools"].results
    values = score(collection, ["AP", "nDCG@10"]).values[..., 0]  # measure, topic, system
    best = np.argsort(-values[0].mean(axis=0))
    names = [collection.systems[s] for s in best]
    assert [(pair.system, pair.against) for pair in closest.pairs] == [(names[0], names[1])]
    assert len(few.pairs) == 10
    assert set(few.systems) == set(names[:5])
    for m in range(2):
        expected = ttest_rel(values[m, :, best[0]], values[m, :, best[1]]).pvalue
        assert closest.pairs[0].root_p[m, -1] == pytest.approx(expected)
        np.testing.assert_array_equal(closest.pairs[0].p, few.pairs[0].p)


def test_pools_of_many_topics_are_of_fewer_systems() -> None:
    sizes = [10 * 2, 250 * 2, 1000 * 2, 1000 * 10]
    assert [pools_section._systems_pooled(size) for size in sizes] == [5, 5, 3, 2]


def test_runs_that_rank_alike_have_no_pools_and_say_why() -> None:
    qrels = {f"q{t}": {f"d{d}": d % 2 for d in range(9)} for t in range(4)}
    run = {q: {d: float(i) for i, d in enumerate(of)} for q, of in qrels.items()}
    found = report(load(qrels, {"a": run, "b": run}), ["AP"], **BARE).ran["pools"]
    assert not found.results
    assert "same documents in the same order" in " ".join(found.missing.values())


def test_runs_are_systems_unless_told_otherwise(result: Report, collection: Collection) -> None:
    missing = " ".join(result.ran["instances"].missing.values())
    assert "a manifest" in missing
    assert "a pattern" in missing
    assert "--" not in missing
    single = report(collection, ["AP"], pattern="{algorithm}", **BARE).ran["instances"]
    assert "each of the 8 algorithms named has one instance" in " ".join(single.missing.values())


def test_instances_are_compared_as_in_their_own_study(collection: Collection) -> None:
    (found,) = report(collection, ["AP"], alpha=0.1, pattern=BY_NAME, **BARE).ran["instances"].results
    alone = instances(collection, "AP", alpha=0.1, pattern=BY_NAME)
    assert found.verdicts == alone.verdicts
    np.testing.assert_array_equal(found.intervals, alone.intervals)
    np.testing.assert_array_equal(found.hpd, alone.hpd)
    assert found.scores.algorithms == ("F1", "F2", "F3")


def test_of_many_algorithms_the_best_are_compared(collection: Collection, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(instances_section, "ALGORITHMS", 2)
    (found,) = report(collection, ["AP"], pattern=BY_NAME, **BARE).ran["instances"].results
    means = score(collection, ["AP"]).values[0, :, :, 0].mean(axis=0)
    families = {name: [means[s] for s, one in enumerate(collection.systems) if one.startswith(name)] for name in NAMES}
    best = sorted(NAMES, key=lambda name: -np.mean(families[name]))[:2]
    assert list(found.scores.algorithms) == best


def test_a_report_shows_itself_in_few_lines(result: Report) -> None:
    lines = repr(result).splitlines()
    assert lines[0] == "Report: 8 systems on 12 topics by AP and nDCG@10"
    assert lines[1] == f"- {result.findings()[0]}"
    assert len(lines) == 8
    html = result._repr_html_()
    assert html.count("<li>") == 5
    assert len(html) < 4000
    assert result.provenance["seed"] == 0


def test_a_report_is_saved_as_page_or_results(result: Report, tmp_path: Path) -> None:
    result.save(tmp_path / "page.html")
    assert (tmp_path / "page.html").read_text().startswith("<!DOCTYPE html>")
    result.save(tmp_path / "all.json")
    assert json.loads((tmp_path / "all.json").read_text()).items() >= result.to_dict().items()
    result.save(tmp_path / "claims.csv")
    assert (tmp_path / "claims.csv").read_text().splitlines()[0] == "section,measure,population,place,text"
    assert result.frame()["text"].to_list() == [claim.text for claim in result.page.claims]
    with pytest.raises(InputError, match=r"no format is known for the extension '\.docx'"):
        result.save(tmp_path / "page.docx")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["all.json", "claims.csv", "page.html"]


def test_charts_and_tables_of_a_report_have_the_names_of_their_files(result: Report) -> None:
    assert result.page.front.picture is not None
    assert result.chart() is result.page.front.picture.variants[0].figure
    assert "main effect on AP" in result.chart("main-effects-ap").title
    assert result.table("mean-table-ndcg-10").column("mean") == [
        one.mean for one in result.ran["score"].results[0].of("nDCG@10")
    ]


def test_names_in_a_notebook_make_no_elements() -> None:
    qrels = {f"q{t}": {f"d{d}": d % 2 for d in range(9)} for t in range(4)}
    run = {q: {d: float(i) for i, d in enumerate(of)} for q, of in qrels.items()}
    worse = {q: {d: -x for d, x in of.items()} for q, of in run.items()}
    html = report(load(qrels, {"<b>": run, "b": worse}), ["AP"], **BARE)._repr_html_()
    assert "&lt;b&gt;" in html
    assert "<b>4" not in html


def test_files_are_checked_as_they_are_read(demo: Path) -> None:
    found = report((demo / "qrels.txt", demo / "runs"), ["AP"], precision="single", corpus_size=1000, **BARE)
    (checked,) = found.ran["check"].results
    assert checked.topics == 6
    assert any("only 6 topics" in text for text in found.page.warnings)
    assert found.page.settings["judgments"] == str(demo / "qrels.txt")
    assert found.page.settings["corpus size"] == 1000
    assert found.page.settings["precision of scores"] == "single"


def test_data_that_were_read_before_are_not_checked_but_their_notes_are_told() -> None:
    qrels = {"1": {"a": 1, "b": 0}, "2": {"a": 1, "b": 0}}
    runs = {"x": {"1": {"a": 2.0, "b": 1.0}}, "y": {"1": {"a": 1.0, "b": 2.0}, "2": {"b": 1.0, "a": 0.5}}}
    collection = load(qrels, runs, warn=False)
    found = report(collection, ["AP"], **BARE)
    assert len(collection.notes) == len(found.page.warnings) == 1
    section = next(one for one in found.page.sections if one.key == "data")
    assert "not checked" in str(section.reason)
