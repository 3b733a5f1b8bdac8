from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import polars as pl
import pytest

import irgauge
from irgauge.replicates.instances import instance_scores

Irgauge = Callable[..., tuple[int, str, str]]
COMMANDS = (
    "score",
    "check",
    "measures",
    "simulate",
    "shard",
    "anova",
    "compare",
    "robustness",
    "effects",
    "studentized",
)


def paths(demo: Path) -> tuple[Path, Path]:
    return demo / "qrels.txt", demo / "runs"


def test_help_is_quick_and_imports_nothing_heavy() -> None:
    code = "import sys, irgauge.cli; print([m for m in ('numba', 'altair', 'polars', 'scipy') if m in sys.modules])"
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)  # noqa: S603
    assert shown.stdout.strip() == "[]"


@pytest.mark.parametrize("command", [[], *([name] for name in COMMANDS)])
def test_every_command_has_help_with_an_example(command: list[str], run: Irgauge) -> None:
    code, out, _ = run(*command, "--help")
    assert code == 0
    assert re.search(r"(Example|Start with): irgauge", out)


def test_the_first_use_says_that_it_compiles_and_the_second_does_not(demo: Path, tmp_path: Path) -> None:
    program, environment = Path(sys.executable).with_name("irgauge"), os.environ | {"NUMBA_CACHE_DIR": str(tmp_path)}
    command = [str(program), "score", *map(str, paths(demo)), "-m", "AP"]
    said = [
        subprocess.run(command, capture_output=True, text=True, check=True, env=environment).stderr  # noqa: S603
        for _ in range(2)
    ]
    assert said == ["compiling for the first use; this takes some seconds, once\n", ""]


def test_version(run: Irgauge) -> None:
    code, out, _ = run("--version")
    assert code == 0
    assert re.fullmatch(r"\d+\.\d+\.\d+\n", out)


def test_score_prints_a_table_that_names_its_method(demo: Path, run: Irgauge) -> None:
    code, out, err = run("score", *paths(demo), "-m", "AP")
    assert code == 0
    assert err == ""
    assert out.startswith("4 systems on 6 topics\n")
    shown = " ".join(out.split())
    for part in ("0.95 confidence by t", "ties by docno descending", "double precision", "filled with zero"):
        assert part in shown


def test_score_json_has_the_fields_in_full_precision(demo: Path, run: Irgauge) -> None:
    qrels, runs = paths(demo)
    code, out, _ = run("score", qrels, runs, "-m", "AP", "-m", "P@10", "--format", "json")
    rows = json.loads(out)
    assert code == 0
    assert list(rows[0]) == ["measure", "system", "mean", "se", "low", "high", "topics"]
    scores = irgauge.score(irgauge.load(qrels, runs), ["AP", "P@10"])
    for row in rows:
        measure, system = [str(m) for m in scores.measures].index(row["measure"]), scores.systems.index(row["system"])
        assert row["mean"] == pytest.approx(scores.values[measure, :, system, 0].mean(), rel=1e-14)
        assert row["topics"] == 6


def test_score_per_topic_json(demo: Path, run: Irgauge) -> None:
    qrels, runs = paths(demo)
    _, out, _ = run("score", qrels, runs, "-m", "AP", "--per-topic", "--format", "json")
    rows = json.loads(out)
    assert list(rows[0]) == ["measure", "topic", "system", "score"]
    scores = irgauge.score(irgauge.load(qrels, runs), ["AP"])
    np.testing.assert_array_equal([row["score"] for row in rows], scores.values.ravel())


def test_score_in_the_format_of_trec_eval(demo: Path, run: Irgauge) -> None:
    qrels, runs = paths(demo)
    _, out, _ = run("score", qrels, runs / "F1-1.run", "-m", "map", "-m", "ndcg_cut_10", "--format", "trec")
    lines = out.splitlines()
    assert len(lines) == 2 * (6 + 1)
    assert re.fullmatch(r"map {19}\t1\t[01]\.\d{4}", lines[0])
    assert re.fullmatch(r"ndcg_cut_10 {11}\tall\t[01]\.\d{4}", lines[-1])
    _, both, _ = run("score", qrels, runs, "-m", "map", "--format", "trec")
    assert re.findall(r"^runid {17}\tall\t(\S+)$", both, re.MULTILINE) == ["F1-1", "F1-2", "F2-1", "F2-2"]


@pytest.mark.parametrize("extension", ["txt", "md", "tex", "csv", "json", "trec"])
def test_the_extension_chooses_the_format(extension: str, demo: Path, run: Irgauge, tmp_path: Path) -> None:
    target = tmp_path / f"scores.{extension}"
    code, out, _ = run("score", *paths(demo), "-m", "AP", "-o", target)
    form = {"txt": "table", "md": "markdown", "tex": "latex"}.get(extension, extension)
    _, printed, _ = run("score", *paths(demo), "-m", "AP", "--format", form)
    assert (code, out) == (0, "")
    assert target.read_text() == printed


def test_scores_saved_as_parquet_load_again(demo: Path, run: Irgauge, tmp_path: Path) -> None:
    target = tmp_path / "scores.parquet"
    code, out, _ = run("score", *paths(demo), "-m", "AP", "-m", "nDCG@10", "-o", target)
    assert (code, out) == (0, "")
    assert pl.read_parquet(target).columns == ["measure", "topic", "system", "replicate", "score"]
    again, direct = irgauge.Scores.load(target), irgauge.score(irgauge.load(*paths(demo)), ["AP", "nDCG@10"])
    np.testing.assert_array_equal(again.values, direct.values)
    assert (again.measures, again.systems, again.topics) == (direct.measures, direct.systems, direct.topics)


def test_notes_go_to_stderr_unless_quiet(tmp_path: Path, run: Irgauge) -> None:
    (tmp_path / "qrels").write_text("1 0 a 1\n2 0 b 1\n3 0 c 0\n")
    (tmp_path / "x.run").write_text("1 Q0 a 1 0.5 x\n")
    _, out, err = run("score", tmp_path / "qrels", tmp_path / "x.run", "-m", "AP")
    assert "note: x: 1 topic (2) not in the run, scored 0" in err
    assert "note: 1 topic (3) of the qrels without a relevant document left out" in err
    code, quiet_out, quiet_err = run("score", tmp_path / "qrels", tmp_path / "x.run", "-m", "AP", "--quiet")
    assert (code, quiet_out, quiet_err) == (0, out, "")


BAD = {
    "an unknown measure": (["-m", "nDGC@10"], "measure 'nDGC@10' is unknown; did you mean 'nDCG'?"),
    "an unknown parameter": (["-m", "RBP(P=0.5)"], "parameter 'P' is unknown; did you mean 'p'?"),
    "a fill that is not finite": (["--fill", "nan"], "--fill 'nan' is unknown"),
    "a grade that no document has": (["-m", "AP(rel=9)"], "AP(rel=9) is defined on no topic"),
    "an unknown fill": (["--fill", "nought"], "--fill 'nought' is unknown"),
    "an alpha out of range": (["--alpha", "2"], "it lies between 0 and 1"),
    "Parquet on stdout": (["--format", "parquet"], "name a file with -o scores.parquet"),
    "an unknown extension": (["-o", "scores.xls"], "no format is known for the extension '.xls'; use .txt, .md"),
    "a folder that does not exist": (["-m", "AP", "-o", "no/such/folder/x.csv"], "cannot be written"),
}


@pytest.mark.parametrize("name", BAD)
def test_bad_options_exit_with_2(name: str, demo: Path, run: Irgauge) -> None:
    options, message = BAD[name]
    code, out, err = run("score", *paths(demo), *options)
    assert (code, out) == (2, "")
    assert message in err


def test_bad_files_exit_with_2_and_their_place(demo: Path, run: Irgauge, tmp_path: Path) -> None:
    qrels, runs = paths(demo)
    bad = tmp_path / "bad.run"
    bad.write_text("1 Q0 a 1 0.5 x\n1 Q0 b 2 nan x\n")
    assert run("score", qrels, bad) == (2, "", f"irgauge: {bad}:2: the score 'nan' is not a number; mend the file\n")
    code, _, err = run("score", qrels, qrels)
    assert code == 2
    assert "this looks like a qrels file" in err
    code, _, err = run("score", runs / "F1-1.run", runs)
    assert code == 2
    assert "this looks like a run" in err
    for name, message in ((tmp_path / "no.run", "no such file"), (tmp_path / "*.none", "matches no file")):
        code, _, err = run("score", qrels, name)
        assert code == 2
        assert f"{name}: " in err
        assert message in err


def test_check_prints_the_report(demo: Path, run: Irgauge) -> None:
    code, out, _ = run("check", *paths(demo))
    assert code == 0
    for part in ("The data", "The runs", "What to know", "only 6 topics", "The data can be used."):
        assert part in out


def test_check_exits_with_2_for_data_that_cannot_be_used(demo: Path, run: Irgauge, tmp_path: Path) -> None:
    qrels, runs = paths(demo)
    (tmp_path / "bad.run").write_text("1 Q0 a 1 0.5 x\n1 Q0 a 2 0.4 x\n")
    code, out, _ = run("check", qrels, runs, tmp_path / "bad.run", "--format", "json")
    report = json.loads(out)
    assert code == 2
    assert report["usable"] is False
    assert report["systems"] == 4
    assert report["findings"][0]["severity"] == "error"
    assert report["findings"][0]["message"].startswith(f"{tmp_path / 'bad.run'}:2: document 'a' stands twice")


def test_measures_lists_all_of_the_catalogue(run: Irgauge) -> None:
    code, out, _ = run("measures", "--format", "json")
    listed = {row["measure"].partition("@")[0].rstrip("[") for row in json.loads(out)}
    assert code == 0
    assert listed == set(
        "AP P R Rprec RR nDCG ERR RBP INSQ Twist Bpref infAP xinfAP Judged".split()  # noqa: SIM905  # a list of names
    )


def test_simulate_writes_a_collection_that_can_be_scored(run: Irgauge, tmp_path: Path) -> None:
    small = ["--systems", "4", "--families", "2", "--topics", "5", "--depth", "20", "--corpus-size", "200"]
    code, _, err = run("simulate", "-o", tmp_path / "demo", *small, "--truth-topics", "10", "--equal", "2")
    assert code == 0
    assert "wrote" in err
    truth = json.loads((tmp_path / "demo" / "truth.json").read_text())
    means = truth["measures"]["AP"]
    assert means["F1-1"] == means["F1-2"]
    assert run("score", tmp_path / "demo" / "qrels.txt", tmp_path / "demo" / "runs")[0] == 0


def test_simulate_refuses_an_impossible_design(run: Irgauge, tmp_path: Path) -> None:
    code, _, err = run("simulate", "-o", tmp_path / "demo", "--systems", "2", "--families", "3")
    assert code == 2
    assert "2 systems cannot make 3 families" in err
    assert not (tmp_path / "demo").exists()


INSTANCES = ["--topics", "5", "--depth", "20", "--corpus-size", "200", "--truth-topics", "10"]


def test_simulate_writes_instances_with_their_manifest_and_truth(run: Irgauge, tmp_path: Path) -> None:
    folder = tmp_path / "demo"
    code, out, err = run("simulate", "-o", folder, "--instances", "2", *INSTANCES)
    assert (code, out) == (0, "")
    assert "9 runs of 5 algorithms on 5 topics, with their manifest, and their truth over 10 others" in err
    lines = (folder / "manifest.txt").read_text().splitlines()
    assert lines[:3] == ["exhaustive exhaustive", "sampled-0.1.1 sampled-0.1 1", "sampled-0.1.2 sampled-0.1 2"]
    scores = instance_scores(folder / "qrels.txt", folder / "runs", "AP", manifest=folder / "manifest.txt")
    assert scores.instance_counts.tolist() == [1, 2, 2, 2, 2]
    truth = json.loads((folder / "truth.json").read_text())
    assert tuple(truth["measures"]["AP"]["algorithms"]) == scores.algorithms
    assert run("score", folder / "qrels.txt", folder / "runs")[0] == 0


def test_simulate_gives_the_same_instances_for_a_seed(run: Irgauge, tmp_path: Path) -> None:
    for name in ("a", "b"):
        shown = run("simulate", "-o", tmp_path / name, "--instances", "1", "--seed", "5", "-q", *INSTANCES)
        assert shown == (0, "", "")
    first, second = (
        {path.relative_to(folder): path.read_bytes() for path in folder.rglob("*.*") if path.is_file()}
        for folder in (tmp_path / "a", tmp_path / "b")
    )
    assert first == second
    assert len(first) == 8


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--instances", "0"], "instances=0 is not possible; it is from 1 to"),
        (["--instances", "2", "--equal", "2"], "--equal cannot stand beside --instances"),
        (["--instances", "2", "--systems", "20"], "--systems cannot stand beside --instances"),
        (["--instances", "2", "--truth-topics", "1"], "the truth is taken over at least 2"),
    ],
)
def test_simulate_refuses_impossible_instances(options: list[str], message: str, run: Irgauge, tmp_path: Path) -> None:
    code, _, err = run("simulate", "-o", tmp_path / "demo", "--topics", "3", "--depth", "20", *options)
    assert code == 2
    assert message in err
    assert not (tmp_path / "demo").exists()


def test_a_failure_while_writing_leaves_the_old_file(
    demo: Path, run: Irgauge, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    target = tmp_path / "scores.csv"
    target.write_text("old")

    def interrupted(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(Path, "replace", interrupted)
    assert run("score", *paths(demo), "-o", target)[0] != 0
    assert target.read_text() == "old"
    assert [path.name for path in tmp_path.iterdir()] == ["scores.csv"]


def test_an_interrupt_ends_the_process_without_a_trace(tmp_path: Path) -> None:
    target = tmp_path / "out" / "truth"
    command = [
        str(Path(sys.executable).with_name("irgauge")),
        "simulate",
        "-o",
        str(target),
        "--truth-topics",
        "100000",
    ]
    process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)  # noqa: S603
    time.sleep(4)
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=60)
    assert process.returncode != 0
    assert "Traceback" not in err
    assert not target.exists()


def test_output_that_cannot_be_written_is_an_error(demo: Path) -> None:
    qrels, runs = paths(demo)
    command = f"'{Path(sys.executable).with_name('irgauge')}' score '{qrels}' '{runs}' > /dev/full"
    shown = subprocess.run(["bash", "-c", command], capture_output=True, text=True, check=False)  # noqa: S603, S607
    assert shown.returncode == 2
    assert "the result cannot be printed (No space left on device)" in shown.stderr
    assert "Traceback" not in shown.stderr


def test_a_closed_pipe_is_no_error(demo: Path) -> None:
    qrels, runs = paths(demo)
    command = f"'{Path(sys.executable).with_name('irgauge')}' score '{qrels}' '{runs}' --per-topic | head -n 1"
    shown = subprocess.run(["bash", "-c", command], capture_output=True, text=True, check=True)  # noqa: S603, S607
    assert shown.stdout == "4 systems on 6 topics\n"
    assert "Traceback" not in shown.stderr
