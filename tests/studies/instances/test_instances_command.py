from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from irgauge.reading.collection import load
from irgauge.replicates.instances import InstanceScores, score_instances
from irgauge.replicates.labels import labelling
from irgauge.scoring.scores import Scores
from irgauge.show.saving import to_json
from irgauge.simulation.collections import Design
from irgauge.simulation.instances import InstanceDesign, simulate_instances
from irgauge.studies.instances import STUDY
from irgauge.studies.instances.further_questions import single_tests
from irgauge.studies.instances.study import instances
from irgauge.studies.registry import studies
from oracles.simulated_scores import Effects, simulate_scores

Irgauge = Callable[..., tuple[int, str, str]]
EFFECTS = Effects(("full", "rate-1", "rate-4"), (0.5, 0.42, 0.5), topic_algorithm_sd=0.03, deterministic=("full",))


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("table") / "scores.csv"
    simulate_scores(EFFECTS, topics=25, instances=5, seed=3).save(path)
    return path


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with qrels.txt, runs and manifest.txt."""
    folder = tmp_path_factory.mktemp("instances")
    collection = Design(systems=1, families=1, topics=8, depth=30, corpus_size=300, seed=2)
    simulate_instances(InstanceDesign(instances=3, rates=(1, 4), collection=collection)).write(folder)
    return folder


def answer(run: Irgauge, *arguments: object) -> dict[str, Any]:
    code, out, err = run("instances", *arguments, "--format", "json")
    assert (code, err) == (0, "")
    shown: dict[str, Any] = json.loads(out)
    assert all(shown.pop("made")["files"].values())
    return shown


def test_json_has_the_numbers_of_the_study(table: Path, run: Irgauge) -> None:
    options = ("--baseline", "full", "--margin", 0.02, "--alpha", 0.1, "--seed", 3, "--correction", "bh")
    shown = answer(run, table, *options)
    scores = InstanceScores.load(table)
    found = instances(scores, baseline="full", margin=0.02, alpha=0.1, seed=3, correction="bh")
    assert found.hpd is not None
    assert found.probabilities is not None
    for i, pair in enumerate(shown["pairs"]):
        assert (pair["system"], pair["against"]) == found.pairs[i]
        assert pair["difference"] == found.tests.difference[i]
        assert pair["p_adjusted"] == found.tests.p_difference[i]
        assert (pair["hpd_low"], pair["hpd_high"]) == tuple(found.hpd[:, i])
        assert pair["probability_within"] == found.probabilities[1, i]
        assert pair["verdict"] == found.verdicts[i]
    facts = shown["provenance"]
    named = [facts[name] for name in ("margin", "alpha", "seed", "correction", "variances", "model")]
    assert named == [0.02, 0.1, 3, "bh", "own", "nested"]
    assert shown["variances"] == "own"
    assert (facts["posterior"]["chains"], facts["posterior"]["draws"]) == (4, 2000)
    assert (shown["baseline"], shown["missing"]) == ("full", 0)
    assert shown.items() >= json.loads(to_json(found.to_dict())).items()
    single = shown["single_instances"][0]
    assert single["significant"] == single_tests(scores, single["system"], "full", 0.05).significant


def test_runs_are_scored_by_a_manifest_or_a_pattern(runs: Path, run: Irgauge) -> None:
    asked = (runs / "qrels.txt", runs / "runs", "-m", "AP", "--baseline", "exhaustive", "--no-posterior")
    by_manifest = answer(run, *asked, "--manifest", runs / "manifest.txt")
    patterns = ("--pattern", "{algorithm}.{seed}.run", "--pattern", "{algorithm}.run")
    by_pattern = answer(run, *asked, *patterns)
    assert by_manifest == by_pattern
    scores = score_instances(load(runs / "qrels.txt", runs / "runs"), "AP", labelling(runs / "manifest.txt"))
    found = instances(scores, baseline="exhaustive", posterior=False)
    assert [pair["difference"] for pair in by_manifest["pairs"]] == found.tests.difference.tolist()
    assert by_manifest["measure"] == "AP"
    assert (by_manifest["provenance"]["fill"], by_manifest["provenance"]["precision"]) == ("zero", "double")
    assert by_manifest["diagnostics"] == []
    assert by_manifest["pairs"][0]["hpd_low"] is None


def test_the_measure_of_runs_is_ndcg_at_10_by_default(runs: Path, run: Irgauge) -> None:
    asked = (runs / "qrels.txt", runs / "runs", "--manifest", runs / "manifest.txt", "--no-posterior")
    assert answer(run, *asked)["measure"] == "nDCG@10"


def test_workers_change_nothing(table: Path, run: Irgauge) -> None:
    one, other = (answer(run, table, "--workers", workers) for workers in (1, 3))
    assert one == other


@pytest.mark.parametrize("model", ["topic", "repeated", "nested"])
@pytest.mark.parametrize("df", ["satterthwaite", "n-f"])
def test_models_and_degrees_of_freedom_are_told(model: str, df: str, table: Path, run: Irgauge) -> None:
    code, out, _ = run("instances", table, "--variances", "common", "--model", model, "--df", df, "--no-posterior")
    shown = " ".join(out.split())
    assert code == 0
    assert "; variances common to all algorithms by REML, as in the paper; " in shown
    assert ("score = algorithm + (instance in algorithm)" in shown) == (model == "nested")
    assert ("With n − f degrees of freedom all scores are taken as independent" in shown) == (df == "n-f")
    assert ("; n − f degrees of freedom; Holm's correction" in shown) == (df == "n-f")
    assert shown.count("score = algorithm + (") == 1


def test_findings_stand_before_the_tables(table: Path, run: Irgauge) -> None:
    code, out, err = run("instances", table, "--baseline", "full")
    assert (code, err) == (0, "")
    assert out.startswith("- For other topics and other instances of the algorithms")
    findings, _ = out.split("\n\nDifferences in score from full\n", 1)
    told = " ".join(findings.split())
    shown = answer(run, table, "--baseline", "full")
    for finding in shown["findings"]:
        assert finding["text"] in told
    for title in (
        "Differences from full against the margin of 0.01",
        "Algorithms by mean score, best first",
        "Where the noise comes from",
        "What single instances would have said",
        "Convergence diagnostics",
    ):
        assert f"\n{title}" in out


def test_some_algorithms_are_kept(table: Path, run: Irgauge) -> None:
    shown = answer(run, table, "--only", "full", "--only", "rate-4", "--no-posterior")
    assert {row["system"] for row in shown["systems"]} == {"full", "rate-4"}


def test_more_draws_are_drawn(table: Path, run: Irgauge) -> None:
    assert answer(run, table, "--draws", 2500)["provenance"]["posterior"]["draws"] == 2500


@pytest.mark.parametrize(("suffix", "mark"), [(".md", "- "), (".tex", r"\begin{itemize}"), (".txt", "- ")])
def test_files_have_findings_and_tables(suffix: str, mark: str, table: Path, run: Irgauge, tmp_path: Path) -> None:
    target = tmp_path / f"instances{suffix}"
    assert run("instances", table, "--no-posterior", "-o", target)[:2] == (0, "")
    assert target.read_text().startswith(mark)
    assert "What single instances would have said" in target.read_text()


def test_csv_has_every_number_of_the_pairs(table: Path, run: Irgauge) -> None:
    _, out, _ = run("instances", table, "--format", "csv")
    rows = list(csv.DictReader(io.StringIO(out)))
    found = instances(InstanceScores.load(table))
    assert [(row["system"], row["against"]) for row in rows] == list(found.pairs)
    assert [float(row["p_equivalent"]) for row in rows] == found.tests.p_equivalent.tolist()
    assert [row["hpd_verdict"] for row in rows] == list(found.hpd_verdicts or ())


@pytest.mark.parametrize("of", [(), *(("--chart-of", name) for name in STUDY.charts)])
def test_charts_are_drawn(of: tuple[str, ...], table: Path, run: Irgauge, tmp_path: Path) -> None:
    target = tmp_path / "instances.svg"
    code, out, _ = run("instances", table, "--no-posterior", "--chart", target, *of)
    assert (code, bool(out)) == (0, True)
    assert target.read_text().startswith("<svg")


def test_the_chart_of_topics_is_of_the_pair_asked_for(table: Path, run: Irgauge, tmp_path: Path) -> None:
    target = tmp_path / "topics.html"
    assert run("instances", table, "--no-posterior", "--chart", target, "--pair", "rate-4", "rate-1")[0] == 0
    assert '"domain":["rate-4","rate-1"]' in target.read_text()


@pytest.mark.parametrize("name", ["scores.parquet", "scores.tsv", "SCORES.CSV", "scores.csv.gz"])
def test_a_table_is_known_by_its_name(name: str, run: Irgauge, tmp_path: Path) -> None:
    import gzip

    path, scores = tmp_path / name, simulate_scores(EFFECTS, topics=6, instances=2)
    if name.endswith("parquet"):
        scores.save(path)
    else:
        text = scores.frame().write_csv(separator="\t" if name.endswith("tsv") else ",").encode()
        path.write_bytes(gzip.compress(text) if name.endswith("gz") else text)
    assert len(answer(run, path, "--no-posterior")["pairs"]) == 3


def test_a_study_says_how_its_table_is_read(table: Path, tmp_path: Path) -> None:
    scores = STUDY.read_tables([str(table)], {"measures": "AP"}, None)
    assert isinstance(scores, InstanceScores)
    assert (scores.measure, scores.algorithms) == ("AP", ("full", "rate-1", "rate-4"))
    path = tmp_path / "scores.csv"
    path.write_text("measure,topic,system,score\nAP,1,a,0.5\n")
    assert isinstance(studies()["compare"].read_tables([str(path)], {}, None), Scores)


# bad input

BAD: dict[str, tuple[tuple[object, ...], str]] = {
    "an unknown algorithm": (("--only", "rate4"), "the algorithm 'rate4' is unknown; did you mean 'rate-4'?"),
    "an unknown model": (("--model", "neste"), "the --model 'neste' is unknown; did you mean 'nested'?"),
    "too few draws": (("--draws", 7), "draws"),
    "a chart without a file": (("--chart-of", "topics"), "name it with --chart"),
    "a chart of something else": (("--chart", "x.svg", "--chart-of", "pairs"), "the chart 'pairs' is unknown"),
    "a chart of an unknown kind": (("--chart", "x.bmp"), ".bmp"),
    "a pair for another chart": (
        ("--chart", "x.svg", "--chart-of", "margins", "--pair", "full", "rate-4"),
        "the pair is of the chart of topics, and the chart of margins was asked for",
    ),
    "an unknown algorithm in the pair": (
        ("--chart", "x.svg", "--pair", "full", "rate"),
        "the algorithm 'rate' is unknown",
    ),
    "a manifest of a table": (("--manifest", "x.txt"), "the option 'manifest' is of runs, and scores were given"),
    "a pattern of a table": (("--pattern", "{algorithm}"), "the option 'pattern' is of runs"),
    "a fill of a table": (("--fill", "one"), "the option 'fill' is of runs"),
    "a precision of a table": (("--precision", "single"), "--precision is of runs, and a table of scores was given"),
}


@pytest.mark.parametrize("name", BAD)
def test_bad_questions_exit_with_2(name: str, table: Path, run: Irgauge) -> None:
    options, message = BAD[name]
    code, out, err = run("instances", table, *options)
    assert (code, out) == (2, "")
    assert message in err


def frame(**columns: list[object]) -> pl.DataFrame:
    good: dict[str, list[object]] = {
        "algorithm": ["a", "a", "a", "a", "b", "b", "b", "b"],
        "instance": ["1", "1", "2", "2", "1", "1", "2", "2"],
        "topic": ["x", "y"] * 4,
        "score": [0.1, 0.2, 0.3, 0.3, 0.2, 0.4, 0.3, 0.1],
    }
    return pl.DataFrame(good | columns)


BAD_TABLES: dict[str, tuple[pl.DataFrame, tuple[object, ...], str]] = {
    "one topic": (
        frame(topic=["x"] * 8, instance=[str(i) for i in range(8)]),
        (),
        "1 topic (x) is too few: at least 2 topics are needed",
    ),
    "one instance everywhere": (
        frame(instance=["1"] * 8, topic=["x", "y", "z", "v"] * 2),
        ("--model", "nested"),
        "the model 'topic' still applies",
    ),
    "an algorithm without scores": (
        frame(score=[0.1, 0.2, 0.3, 0.3, None, None, None, None]),
        (),
        "algorithm 'b' has no score",
    ),
    "a cell twice": (frame(topic=["x", "x"] * 4), (), "appears twice in the table; remove one of the two"),
    "scores that are all equal": (frame(score=[0.5] * 8), (), "all 8 scores are 0.5: nothing differs"),
    "no column of scores": (frame().drop("score"), (), "the table has no column 'score'"),
    "an unknown measure": (frame(measure=["AP"] * 8), ("-m", "RR"), "the table has the measures AP"),
}


@pytest.mark.parametrize("name", BAD_TABLES)
def test_bad_tables_exit_with_2(name: str, run: Irgauge, tmp_path: Path) -> None:
    given, options, message = BAD_TABLES[name]
    path = tmp_path / "scores.csv"
    given.write_csv(path)
    code, out, err = run("instances", path, *options)
    assert (code, out) == (2, "")
    assert message in err


def test_a_file_alone_is_a_table(runs: Path, run: Irgauge) -> None:
    code, out, err = run("instances", runs / "qrels.txt")
    assert (code, out) == (2, "")
    assert "name the runs after the judgments, such as qrels.txt runs/; this is not a table of scores" in err


def test_runs_have_a_manifest_or_a_pattern(runs: Path, run: Irgauge) -> None:
    asked = (runs / "qrels.txt", runs / "runs")
    code, out, err = run("instances", *asked)
    assert (code, out) == (2, "")
    assert "neither a manifest nor a pattern was given" in err
    both = ("--manifest", runs / "manifest.txt", "--pattern", "{algorithm}.{seed}.run")
    code, out, err = run("instances", *asked, *both)
    assert (code, out) == (2, "")
    assert "both a manifest and a pattern were given" in err


def test_a_manifest_that_names_missing_files_is_refused(runs: Path, run: Irgauge, tmp_path: Path) -> None:
    manifest = tmp_path / "manifest.txt"
    manifest.write_text((runs / "manifest.txt").read_text() + "missing.run rate-1 9\n")
    code, out, err = run("instances", runs / "qrels.txt", runs / "runs", "--manifest", manifest)
    assert (code, out) == (2, "")
    assert f"{manifest}:8: there is no run 'missing.run' among the 7 runs given" in err
    code, _, err = run("instances", runs / "qrels.txt", runs / "runs", "--manifest", tmp_path / "none.txt")
    assert code == 2
    assert "none.txt" in err


def test_bad_questions_leave_a_chart_as_it_was(table: Path, run: Irgauge, tmp_path: Path) -> None:
    target = tmp_path / "instances.svg"
    target.write_text("mine")
    assert run("instances", table, "--baseline", "x", "--chart", target)[0] == 2
    assert target.read_text() == "mine"


def test_where_draws_cannot_be_relied_on_more_are_taken(run: Irgauge, tmp_path: Path) -> None:
    path = tmp_path / "scores.csv"
    simulate_scores(Effects(), topics=10, instances=2).save(path)
    code, out, _ = run("instances", path, "--draws", 50)
    assert code == 0
    drawn = re.search(r"4 chains × ([0-9,]+) draws", " ".join(out.split()))
    assert drawn is not None
    assert int(drawn[1].replace(",", "")) > 50


def test_help_has_examples(run: Irgauge) -> None:
    code, out, _ = run("instances", "--help")
    assert code == 0
    told = " ".join(out.split())
    assert "Examples: irgauge instances qrels.txt runs/ --pattern" in told
    assert "irgauge instances scores.csv --baseline old" in told
    assert "The smallest difference that matters." in told
