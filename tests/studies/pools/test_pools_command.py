from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import irgauge
from conftest import without_made
from irgauge.studies.pools.study import Pooled, pools

Irgauge = Callable[..., tuple[int, str, str]]
ASKED = ("-m", "AP", "-m", "RR", "--depths", "2,5", "--images", "9")


def pair_of(demo: Path) -> tuple[Path, Path, Path]:
    return demo / "qrels.txt", demo / "runs" / "F1-1.run", demo / "runs" / "F2-1.run"


def answer(run: Irgauge, *arguments: object) -> dict[str, Any]:
    code, out, err = run("pools", *arguments, "--format", "json")
    assert (code, err) == (0, "")
    shown: dict[str, Any] = json.loads(without_made(out))
    return shown


def asked(demo: Path, **options: Any) -> Pooled:  # noqa: ANN401  # passed on
    qrels, *runs = pair_of(demo)
    collection = irgauge.load(qrels, runs, corpus_size=options.pop("corpus_size", None))
    return pools(collection, ["AP", "RR"], depths=[2, 5], images=9, **options)


def test_json_has_the_numbers_of_the_study(demo: Path, run: Irgauge) -> None:
    shown = answer(run, *pair_of(demo), *ASKED, "--seed", 3, "--alpha", 0.1, "--corpus-size", 900)
    expected = asked(demo, seed=3, alpha=0.1, corpus_size=900)
    settings = [shown["provenance"][name] for name in ("seed", "alpha", "corpus_size", "images", "depths")]
    assert settings == [3, 0.1, 900, 9, [2, 5]]
    assert (shown["pools"], shown["measures"]) == (["2", "5", "all"], ["AP", "RR"])
    one, pair = shown["pairs"][0], expected.pairs[0]
    assert (one["system"], one["against"]) == ("F1-1", "F2-1")
    for m, measure in enumerate(shown["measures"]):
        for k, pool in enumerate(shown["pools"]):
            assert one["p"][measure][pool] == pair.p[m, k].tolist()
            assert one["difference"][measure][pool] == pair.difference[m, k].tolist()
            assert one["root_p"][measure][pool] == pair.root_p[m, k]
    assert expected.topic_differences is not None
    first = shown["topics"][0]
    assert shown["topic_differences"]["RR"]["5"][first] == expected.topic_differences[1, 1, 0].tolist()


def test_the_order_of_runs_changes_nothing(demo: Path, run: Irgauge) -> None:
    qrels, first, second = pair_of(demo)
    one, other = (answer(run, qrels, *runs, *ASKED)["pairs"] for runs in ((first, second), (second, first)))
    assert one == other


def test_workers_change_nothing(demo: Path, run: Irgauge) -> None:
    one, other = (answer(run, *pair_of(demo), *ASKED, "--workers", workers) for workers in (1, 3))
    assert one == other


def test_precision_is_that_of_the_order(demo: Path, run: Irgauge) -> None:
    assert answer(run, *pair_of(demo), *ASKED, "--precision", "single")["provenance"]["precision"] == "single"


def test_findings_stand_before_the_table(demo: Path, run: Irgauge) -> None:
    code, out, err = run("pools", *pair_of(demo), *ASKED)
    assert (code, err) == (0, "")
    assert out.startswith("- ")
    findings, table = out.split("\n\nF1-1 − F2-1 with fewer judgments\n", 1)
    told = " ".join(findings.split())
    for finding in answer(run, *pair_of(demo), *ASKED)["findings"]:
        assert finding["text"] in told
    assert "RR " in table
    method = " ".join(table.partition("Method: ")[2].split())
    for part in ("paired t-test over topics", "α = 0.05", "seed 0", "9 images", "6 topics", "in a pool or an image"):
        assert part in method


@pytest.mark.parametrize(("suffix", "mark"), [(".md", "- "), (".tex", r"\begin{itemize}"), (".txt", "- ")])
def test_files_have_findings_and_tables(suffix: str, mark: str, demo: Path, run: Irgauge, tmp_path: Path) -> None:
    target = tmp_path / f"pools{suffix}"
    assert run("pools", *pair_of(demo), *ASKED, "-o", target)[:2] == (0, "")
    assert target.read_text().startswith(mark)
    assert "with fewer judgments" in target.read_text()


def test_csv_has_the_measures_and_pools(demo: Path, run: Irgauge) -> None:
    _, out, _ = run("pools", *pair_of(demo), *ASKED, "--format", "csv")
    rows = list(csv.DictReader(io.StringIO(out)))
    assert [(row["measure"], row["pool"]) for row in rows[:3]] == [("AP", "2"), ("AP", "5"), ("AP", "all")]
    pair = asked(demo).pairs[0]
    assert [float(row["p"]) for row in rows] == pair.root_p.ravel().tolist()


def test_all_pairs_are_counted(demo: Path, run: Irgauge) -> None:
    arguments = (demo / "qrels.txt", demo / "runs", "--all-pairs", *ASKED)
    shown = answer(run, *arguments)
    collection = irgauge.load(demo / "qrels.txt", demo / "runs")
    expected = pools(collection, ["AP", "RR"], depths=[2, 5], images=9, all_pairs=True)
    assert len(shown["pairs"]) == 6
    for m, measure in enumerate(expected.measures):
        assert list(shown["summary"]["gains"][measure].values()) == expected.gains()[m].tolist()
        assert list(shown["summary"]["only_shallow"][measure].values()) == expected.only_shallow()[m].tolist()
    code, out, _ = run("pools", *arguments)
    assert code == 0
    assert "6 pairs of runs with fewer judgments" in out
    assert "of 6 pairs" in " ".join(out.split())


def test_all_pairs_leave_out_those_that_rank_alike(demo: Path, run: Irgauge, tmp_path: Path) -> None:
    qrels, first, second = pair_of(demo)
    copy = tmp_path / "copy.run"
    copy.write_text(first.read_text().replace(" F1-1", " copy"))
    code, out, _ = run("pools", qrels, first, second, copy, "--all-pairs", *ASKED)
    assert code == 0
    assert "- Note: Pairs that rank alike are left out: F1-1 = copy.\n" in out
    assert "2 pairs of runs" in out


def test_a_depth_deeper_than_the_runs_is_told_and_goes_on(demo: Path, run: Irgauge) -> None:
    arguments = ("pools", *pair_of(demo), "--depths", "5,31", "--images", 3)
    code, out, err = run(*arguments)
    assert (code, err) == (0, "")
    assert "Note: Depth 31 is deeper than the runs, which end at 30 for some topic: there all is" in out


@pytest.mark.parametrize("of", [(), ("--chart-of", "p-values"), ("--chart-of", "topics")], ids=str)
def test_charts_are_drawn(of: tuple[str, ...], demo: Path, run: Irgauge, tmp_path: Path) -> None:
    target = tmp_path / "pools.svg"
    code, out, _ = run("pools", *pair_of(demo), *ASKED, "--chart", target, *of)
    assert (code, bool(out)) == (0, True)
    assert target.read_text().startswith("<svg")


def test_the_chart_of_all_pairs_is_drawn(demo: Path, run: Irgauge, tmp_path: Path) -> None:
    target = tmp_path / "pools.html"
    assert run("pools", demo / "qrels.txt", demo / "runs", "--all-pairs", *ASKED, "--chart", target)[0] == 0
    assert "median p with all judgments" in target.read_text()


BAD: dict[str, tuple[tuple[object, ...], str]] = {
    "a depth that is no number": (
        ("--depths", "10,x"),
        "--depths '10,x' are not whole numbers; write them like 2,5,10",
    ),
    "depth 0": (("--depths", "0,10"), "the depths '0, 10' are not possible; they are whole numbers from 1"),
    "a negative depth": (("--depths=-5",), "--depths '-5' are not whole numbers"),
    "no depth": (("--depths", ""), "--depths '' are not whole numbers"),
    "no image": (("--images", 0), "the number of images is 0; draw at least 2"),
    "one image": (("--images", 1), "the number of images is 1; draw at least 2"),
    "a small corpus": (("--corpus-size", 5), "a corpus of 5 documents is too small"),
    "a chart without a file": (("--chart-of", "topics"), "name it with --chart"),
    "a chart of something else": (("--chart", "x.svg", "--chart-of", "pairs"), "pairs"),
    "a chart of an unknown kind": (("--chart", "x.bmp"), ".bmp"),
    "topics of all pairs": (
        ("--all-pairs", "--chart", "x.svg", "--chart-of", "topics"),
        "there is no chart of 'topics' here: differences on topics are of one pair",
    ),
}


@pytest.mark.parametrize("name", BAD)
def test_bad_questions_exit_with_2(name: str, demo: Path, run: Irgauge) -> None:
    options, message = BAD[name]
    code, out, err = run("pools", *pair_of(demo), *options)
    assert (code, out) == (2, "")
    assert message in err


@pytest.mark.parametrize("all_pairs", [(), ("--all-pairs",)], ids=str)
def test_a_pair_that_is_one_run_twice_exits_with_2(
    all_pairs: tuple[str, ...], demo: Path, run: Irgauge, tmp_path: Path
) -> None:
    qrels, first, _ = pair_of(demo)
    code, out, err = run("pools", qrels, first, first, *all_pairs)
    assert (code, out) == (2, "")
    assert str(first) in err
    copy = tmp_path / "copy.run"
    copy.write_text(first.read_text())
    code, out, err = run("pools", qrels, first, copy, *all_pairs)
    assert (code, out) == (2, "")
    assert "the runs rank the same documents in the same order (F1-1 = copy); give two different runs" in err


def test_a_pair_is_two_runs(demo: Path, run: Irgauge) -> None:
    code, out, err = run("pools", demo / "qrels.txt", demo / "runs")
    assert (code, out) == (2, "")
    assert "a pair is two runs, and 4 runs were given; name two, or ask for all pairs" in err
    for options in ((), ("--all-pairs",)):
        code, out, err = run("pools", *pair_of(demo)[:2], *options)
        assert (code, out) == (2, "")
        assert "a pair is two runs, and 1 run was given; name two" in err


def test_bad_questions_leave_a_chart_as_it_was(demo: Path, run: Irgauge, tmp_path: Path) -> None:
    target = tmp_path / "pools.svg"
    target.write_text("mine")
    assert run("pools", *pair_of(demo), "--images", 1, "--chart", target)[0] == 2
    assert target.read_text() == "mine"
