"""The command of the partition method, against the study and against scipy."""

from __future__ import annotations

import csv
import io
import json
import os
import pty
import subprocess
import sys
from collections.abc import Callable
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy import stats

import irgauge
from conftest import without_made
from irgauge.scoring.scores import score
from irgauge.simulation.collections import Design, simulate
from irgauge.studies.partition.splits import Splits
from irgauge.studies.partition.study import partition

Irgauge = Callable[..., tuple[int, str, str]]
PROGRAM = str(Path(sys.executable).with_name("irgauge"))
FEW = ["--draws", 1000, "--seed", 4, "--splits", 3]
OPTIONS: dict[str, Any] = {"draws": 1000, "seed": 4, "splits": 3}


@pytest.fixture(scope="session")
def rich(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a collection whose topics have some thirty relevant documents each."""
    folder = tmp_path_factory.mktemp("rich")
    design = Design(
        systems=6, families=3, topics=12, depth=60, corpus_size=900, relevant_median=30, relevant_sd=0.3, seed=1
    )
    simulate(design).write(folder)
    (folder / "groups.txt").write_text("".join(f"{name} {name[:2]}\n" for name in systems(folder)))
    return folder


def paths(folder: Path) -> tuple[Path, Path]:
    return folder / "qrels.txt", folder / "runs"


def systems(folder: Path) -> list[str]:
    return sorted(path.stem for path in (folder / "runs").iterdir())


def asked(run: Irgauge, folder: Path, *options: object) -> dict[str, Any]:
    code, out, _ = run("partition", *paths(folder), *FEW, *options, "--format", "json")
    assert code == 0
    answer: dict[str, Any] = json.loads(without_made(out))
    return answer


def study(folder: Path) -> Splits:
    return partition(irgauge.load(*paths(folder)), "AP", **OPTIONS).first.splits


def test_json_is_the_study(rich: Path, run: Irgauge) -> None:
    shown = asked(run, rich, "-m", "AP")
    found = study(rich)
    (one,) = shown["measures"]
    assert one["significant"] == int(np.count_nonzero(found.decided()))
    assert [split["significant"] for split in one["splits"]] == found.significant_counts().tolist()
    assert [pair["p_adjusted"] for pair in one["pairs"]] == found.combined_p().tolist()
    assert [level["pairs"] for level in one["levels"][0]["levels"]] == [level.pairs for level in found.levels()]
    assert (one["tests"], one["lengths"], one["groups"]) == (None, None, None)
    settings = shown["provenance"]
    expected = {
        "measures": ["AP"],
        "parts": 2,
        "splits": 3,
        "alpha": 0.05,
        "p": "of the difference of two systems, two-sided",
        "seed": 4,
        "drawn": "residuals",
        "interactions": True,
        "fill": "redraw",
        "keep_systems": "all",
        "population": "documents",
        "precision": "double",
        "order": "score descending, ties by docno descending",
    }
    assert {name: settings[name] for name in expected} == expected
    first = shown["findings"][0]
    assert (first["kind"], first["fields"]["found"], first["fields"]["pairs"]) == ("pairs", one["significant"], 15)
    assert first["text"].startswith(f"In AP, {one['significant']} of 15 pairs of systems differ significantly")


def test_corrected_p_values_are_those_of_scipy(rich: Path, run: Irgauge) -> None:
    (one,) = asked(run, rich)["measures"]
    for split in range(3):
        single = [pair["p_by_split"][split] for pair in one["pairs"]]
        corrected = [pair["p_adjusted_by_split"][split] for pair in one["pairs"]]
        assert corrected == pytest.approx(stats.false_discovery_control(single).tolist())


def test_with_two_sides_p_is_doubled(rich: Path, run: Irgauge) -> None:
    one, two = (asked(run, rich, "--p", "paper", "--sides", sides, "--tests", "--lengths") for sides in (1, 2))
    assert one["provenance"]["p"] == "as in the paper: a ranking of evidence, not an error rate"
    assert one["aggregate"]["is_valid"] is False
    assert one["findings"][0]["text"].endswith("(p as in the paper: a ranking of evidence, not an error rate).")
    (warning,) = [finding for finding in one["findings"] if finding["kind"] == "paper-p"]
    assert warning["tone"] == "warning"
    assert (one["provenance"]["sides"], two["provenance"]["sides"]) == (1, 2)
    for single, double in zip(one["measures"][0]["pairs"], two["measures"][0]["pairs"], strict=True):
        assert double["p_by_split"] == [min(1, 2 * p) for p in single["p_by_split"]]


def test_combined_p_values_are_those_of_scipy(rich: Path, run: Irgauge) -> None:
    (one,) = asked(run, rich, "--aggregate", "fisher")["measures"]
    checked = 0
    for pair in one["pairs"]:
        if len(set(pair["directions"])) == 1 and min(pair["p_adjusted_by_split"]) > 0:
            for p in ("p", "p_adjusted"):
                combined = stats.combine_pvalues(pair[f"{p}_by_split"], "fisher").pvalue
                assert pair[p] == pytest.approx(combined)
            checked += 1
    assert checked > 0


def test_tests_side_by_side_are_those_of_scipy(rich: Path, run: Irgauge) -> None:
    (one,) = asked(run, rich, "--tests")["measures"]
    scores = score(irgauge.load(*paths(rich)), ["AP"])
    values = {system: scores.values[0, :, i, 0] for i, system in enumerate(scores.systems)}
    pairs = list(combinations([system["system"] for system in one["systems"]], 2))
    assert one["tests"]["pairs"] == [list(pair) for pair in pairs]
    counts = {(count["test"], count["alpha"]): count["significant"] for count in one["tests"]["counts"]}
    for name, test in (("paired t", stats.ttest_rel), ("unpaired t", stats.ttest_ind)):
        p = [test(values[a], values[b]).pvalue for a, b in pairs]
        for alpha in (0.05, 0.01):
            assert counts[name, alpha] == sum(value <= alpha for value in p)
    assert counts["2 parts", 0.05] == one["splits"][0]["significant"]
    assert counts["3 splits of 2 parts, all", 0.05] == one["significant"]


def test_lengths_go_by_number_of_parts(rich: Path, run: Irgauge) -> None:
    (one,) = asked(run, rich, "--lengths-of", "2,4")["measures"]
    models = one["lengths"]["models"]
    assert [(model["split"]["parts"], model["interactions"]) for model in models] == [
        (2, False),
        (2, True),
        (4, False),
        (4, True),
    ]
    assert models[1]["plain"] == one["splits"][0]["plain"]  # the first split, once more
    means = [np.mean(np.subtract(model["plain"]["high"], model["plain"]["low"])) for model in models]
    assert [model["lengths"][0]["mean"] for model in models] == pytest.approx(means)
    (one,) = asked(run, rich, "--lengths")["measures"]
    assert [model["split"]["parts"] for model in one["lengths"]["models"]] == [2, 2, 3, 3, 5, 5]


def test_groups_are_compared_with_all_systems(rich: Path, run: Irgauge) -> None:
    (one,) = asked(run, rich, "--groups", rich / "groups.txt")["measures"]
    groups = {name: name[:2] for name in systems(rich)}
    expected = partition(irgauge.load(*paths(rich)), "AP", groups=groups, **OPTIONS).first.related
    assert expected is not None
    assert one["groups"]["outcomes"] == expected.outcomes()
    assert one["groups"]["p_adjusted_within"] == expected.p_adjusted_within.tolist()
    assert sum(expected.outcomes().values()) == 3


def test_groups_of_one_are_left_out_where_asked(rich: Path, run: Irgauge, tmp_path: Path) -> None:
    first, second, third, *_ = systems(rich)
    groups = tmp_path / "groups.txt"
    groups.write_text(f"{first} a\n{second} a\n{third} b\n")
    (one,) = asked(run, rich, "--groups", groups, "--skip-singles")["measures"]
    assert {name: set(own) for name, own in one["groups"]["groups"].items()} == {"a": {first, second}}


def test_topics_are_drawn_where_asked(rich: Path, run: Irgauge) -> None:
    plain = asked(run, rich)["measures"][0]
    shown = asked(run, rich, "--drawn", "topics")
    assert shown["provenance"]["population"] == "both"
    drawn = shown["measures"][0]
    lengths = [
        np.subtract(one["splits"][0]["plain"]["high"], one["splits"][0]["plain"]["low"]).mean()
        for one in (plain, drawn)
    ]
    assert lengths[1] > 1.5 * lengths[0]
    assert drawn["significant"] <= plain["significant"]


def test_without_interactions_intervals_are_wider(rich: Path, run: Irgauge) -> None:
    with_, without = asked(run, rich), asked(run, rich, "--no-interactions")
    assert without["provenance"]["interactions"] is False
    one, other = (shown["measures"][0]["splits"][0]["plain"] for shown in (with_, without))
    assert np.mean(np.subtract(other["high"], other["low"])) > np.mean(np.subtract(one["high"], one["low"]))


def test_text_has_findings_then_tables(rich: Path, run: Irgauge, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "100")
    code, out, err = run("partition", *paths(rich), *FEW, "-m", "AP", "-m", "P@5", "--tests", "--lengths-of", "2")
    assert (code, err) == (0, "")
    parts = [
        "- In AP, ",
        "- In P@5, ",
        "- The topics are fixed.",
        "- Note: p is two-sided, of the difference of two systems",
        "Pairs with p ≤ α, split by split",
        "How far the splits disagree",
        "Tests side by side",
        "Lengths of intervals of system effects",
        "Systems by their means on the whole corpus",
        "Pairs by all splits together",
        "Method: partition method",
    ]
    places = [out.index(part) for part in parts]
    assert places == sorted(places)


def test_csv_has_every_pair(rich: Path, run: Irgauge, tmp_path: Path) -> None:
    target = tmp_path / "pairs.csv"
    code, out, _ = run("partition", *paths(rich), *FEW, "-o", target)
    assert (code, out) == (0, "")
    rows = list(csv.DictReader(io.StringIO(target.read_text())))
    assert len(rows) == 15
    assert list(rows[0])[-2:] == ["ahead", "minority"]
    found = study(rich)
    assert [float(row["p"]) for row in rows] == found.p.max(axis=0).tolist()
    assert [float(row["p_adjusted"]) for row in rows] == found.p_adjusted.max(axis=0).tolist()


def test_a_rule_that_is_not_valid_is_a_warning(rich: Path, run: Irgauge) -> None:
    code, out, _ = run("partition", *paths(rich), *FEW, "--aggregate", "harmonic")
    assert code == 0
    assert "- Warning: The rule 'harmonic' is not valid for splits that depend on each other" in out


def test_the_same_seed_gives_the_same_whatever_the_workers(rich: Path, run: Irgauge) -> None:
    one, other = (asked(run, rich, "--workers", workers) for workers in (1, 4))
    assert one == other


@pytest.mark.parametrize("of", [None, "effects", "densities", "decisions", "agreement"])
def test_charts_are_drawn(of: str | None, rich: Path, run: Irgauge, tmp_path: Path) -> None:
    target = tmp_path / "chart.svg"
    chosen = [] if of is None else ["--chart-of", of, *(["--tests"] if of == "decisions" else [])]
    code, _, _ = run("partition", *paths(rich), *FEW, "-m", "AP", "-m", "P@5", "--chart", target, *chosen)
    assert code == 0
    assert target.read_text().startswith("<svg")


def test_densities_are_of_the_pair_asked_for(rich: Path, run: Irgauge) -> None:
    first, *_, last = systems(rich)
    shown = asked(run, rich, "--pair", first, last)["densities"]
    assert {shown["better"], shown["worse"]} == {first, last}


BAD: dict[str, tuple[list[str], str]] = {
    "too few draws for the tests": (["--p", "paper", "--draws", "100", "--tests"], "takes at least 200"),
    "the old name of a fill": (["--fill", "resample"], "from redraw, drop"),
    "three sides": (["--p", "paper", "--sides", "3"], "a test has 1 or 2 sides"),
    "sides of the difference": (["--sides", "2"], "sides are of the paper's p"),
    "a chart without a file": (["--chart-of", "effects"], "name it with --chart effects.html"),
    "an unknown chart": (["--chart", "x.svg", "--chart-of", "effect"], "did you mean 'effects'?"),
    "an unknown kind of chart": (["--chart", "x.bmp"], "'.bmp' is not a format of charts"),
    "decisions without tests": (["--chart", "x.svg", "--chart-of", "decisions"], "ask for tests too"),
    "an unknown system": (["--pair", "F1-9", "F2-1"], "the system 'F1-9' is unknown; did you mean 'F1-"),
    "a pair of one": (["--pair", "F1-1", "F1-1"], "names F1-1 twice"),
    "three measures": (["-m", "AP", "-m", "P@5", "-m", "RR"], "not 3"),
    "two measures and some systems": (["-m", "AP", "-m", "P@5", "--keep-systems", "3"], "there are two"),
    "tests without interactions": (["--tests", "--no-interactions"], "are of the model with interactions"),
    "no group file": (["--groups", "none.txt"], "none.txt: "),
    "singles of no groups": (["--skip-singles"], "name their file"),
    "groups of some systems": (["--groups", "none.txt", "--keep-systems", "3"], "the model of all systems"),
    "no numbers": (["--lengths-of", "two"], "--lengths-of 'two' are not whole numbers"),
    "numbers twice": (["--lengths-of", "2,2"], "none twice"),
    "too many parts": (["--parts", "500"], "fewer than 500 relevant documents are"),
    "too many parts of lengths": (["--lengths-of", "2,500"], "name other numbers of parts, such as 2,3"),
    "an unknown format": (["-o", "x.docx"], "no format is known for the extension '.docx'"),
}


@pytest.mark.parametrize("name", BAD)
def test_bad_questions_exit_with_2(name: str, rich: Path, run: Irgauge) -> None:
    options, message = BAD[name]
    code, out, err = run("partition", *paths(rich), *options)
    assert (code, out) == (2, "")
    assert message in " ".join(err.split())


def test_topics_with_too_few_relevant_documents_are_named(run: Irgauge, tmp_path: Path) -> None:
    (tmp_path / "qrels.txt").write_text("7 0 d1 1\n8 0 d1 1\n8 0 d2 1\n8 0 d3 1\n")
    for name in ("a", "b"):
        (tmp_path / f"{name}.run").write_text(f"7 Q0 d1 1 1.0 {name}\n8 Q0 d2 1 1.0 {name}\n")
    code, out, err = run("partition", tmp_path / "qrels.txt", tmp_path / "a.run", tmp_path / "b.run")
    assert (code, out) == (2, "")
    assert "topics with fewer than 2 relevant documents are 7 (1)" in err
    assert "use the fill 'drop'" in err


def test_one_run_is_no_pair(rich: Path, run: Irgauge) -> None:
    code, out, err = run("partition", rich / "qrels.txt", next((rich / "runs").iterdir()))
    assert (code, out) == (2, "")
    assert "a pair is two systems, and there is 1" in err


def test_a_system_that_is_not_kept_has_no_density(rich: Path, run: Irgauge) -> None:
    worst = asked(run, rich)["measures"][0]["systems"][-1]["system"]
    best = asked(run, rich)["measures"][0]["systems"][0]["system"]
    code, _, err = run("partition", *paths(rich), *FEW, "--keep-systems", 3, "--pair", best, worst)
    assert code == 2
    assert f"the system '{worst}' is unknown" in err
    assert "of the 3 systems kept" in err


GROUPS: dict[str, tuple[str, int, str]] = {
    "an unknown system": ("\nF1-1 a\nF1-2 a\nF9-9 a\n", 4, "1 system (F9-9) that is not among the runs"),
    "a group of one": ("F1-1 a\nF1-2 a\n\nF2-1 b\n", 4, "one system alone, without a related one, makes 1 group (b)"),
    "a system twice": ("F1-1 a\nF1-2 a\nF1-1 b\n", 3, "twice"),
    "three columns": ("F1-1 a\nF1-2 a b\n", 2, "3 columns"),
}


@pytest.mark.parametrize("name", GROUPS)
def test_bad_groups_are_named_by_their_line(name: str, rich: Path, run: Irgauge, tmp_path: Path) -> None:
    text, line, message = GROUPS[name]
    groups = tmp_path / "groups.txt"
    groups.write_text(text)
    code, out, err = run("partition", *paths(rich), "--groups", groups)
    assert (code, out) == (2, "")
    assert f"{groups}:{line}: " in err
    assert message in err


def test_help_has_an_example(run: Irgauge) -> None:
    code, out, _ = run("partition", "--help")
    assert code == 0
    assert "Examples: irgauge partition qrels.txt runs/" in " ".join(out.split())


def test_the_progress_bar_counts_splits(rich: Path) -> None:
    ours, theirs = pty.openpty()
    command = [PROGRAM, "partition", *map(str, (*paths(rich), "--splits", "40", "--draws", "1000"))]
    environment = os.environ | {"COLUMNS": "120", "TERM": "xterm"}
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=theirs, env=environment) as process:  # noqa: S603  # our own program
        os.close(theirs)
        shown = b""
        try:
            while block := os.read(ours, 4096):
                shown += block
        except OSError:  # the other end is closed
            pass
    os.close(ours)
    assert process.returncode == 0
    assert b"partition" in shown
    assert b"/40" in shown


def test_trec8_agrees_with_the_paper(trec8: Path, run: Irgauge) -> None:
    options = ["-m", "AP", "--precision", "single", "--p", "paper", "--tests", "--format", "json"]
    code, out, _ = run("partition", trec8 / "qrels.txt.gz", trec8 / "runs", *options)
    assert code == 0
    (one,) = json.loads(out)["measures"]
    counts = {(count["test"], count["alpha"]): count["significant"] for count in one["tests"]["counts"]}
    assert counts["unpaired t", 0.05] == 4164
    assert counts["paired t", 0.05] == 5982
    assert counts["randomization, one-sided", 0.05] == pytest.approx(6325, rel=0.01)
    assert counts["randomization, one-sided", 0.01] == pytest.approx(5571, rel=0.01)
    assert one["significant"] == pytest.approx(7152, abs=60)  # as printed
    assert 0.055 <= one["disagreements"] / 8256 <= 0.09
    assert one["opposed"] == []
