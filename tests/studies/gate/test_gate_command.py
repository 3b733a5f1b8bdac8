"""The command: one line, its exit codes, files beside it, and what it refuses."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from oracles.gate_runs import BASE, lower, ranked, write_qrels, write_run

Irgauge = Callable[..., tuple[int, str, str]]
MIXED = BASE[7:] + BASE[:7]
PROGRAM = Path(sys.executable).with_name("irgauge")


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Judgments and runs in the current folder."""
    monkeypatch.chdir(tmp_path)
    write_qrels(tmp_path / "qrels.txt")
    ranks = {"old": BASE, "new": [rank + (rank == 5) for rank in BASE], "worse": lower(BASE), "mixed": MIXED}  # RR
    for name, given in ranks.items():
        write_run(tmp_path / f"{name}.run", ranked(given))
    for seed in range(3):
        write_run(
            tmp_path / "seeds" / f"new.{seed}.run", ranked([rank + (i == 4 + 6 * seed) for i, rank in enumerate(BASE)])
        )
    return tmp_path


def told(code: int, out: str) -> tuple[int, str]:
    """The exit code, and the first word of the only line."""
    assert out.count("\n") == 1
    return code, out.split(":")[0]


@pytest.mark.parametrize(
    ("candidate", "options", "expected"),
    [
        ("new.run", (), (0, "pass")),
        ("worse.run", (), (1, "fail")),
        ("mixed.run", (), (3, "undecided")),
        ("mixed.run", ("--undecided", "pass"), (0, "undecided (counts as a pass)")),
        ("mixed.run", ("--undecided", "fail"), (1, "undecided (counts as a failure)")),
        ("worse.run", ("--undecided", "pass"), (1, "fail")),
        ("old.run", (), (0, "pass")),
        ("seeds", (), (0, "pass")),
    ],
)
@pytest.mark.usefixtures("data")
def test_one_line_and_an_exit_code(
    candidate: str, options: tuple[str, ...], expected: tuple[int, str], run: Irgauge
) -> None:
    code, out, _ = run("gate", "qrels.txt", "old.run", candidate, "-m", "RR", "--margin", "8%", "-q", *options)
    assert told(code, out) == expected


@pytest.mark.usefixtures("data")
def test_the_line_says_what_it_rests_on(run: Irgauge) -> None:
    _, out, err = run("gate", "qrels.txt", "old.run", "worse.run", "-m", "RR", "--margin", "1%")
    assert out == (
        "fail: worse is worse than old in RR (difference −0.242, 95 % interval −0.319 to −0.170, margin 0.0059; "
        "30 topics; for other topics).\n"
    )
    assert err.startswith("- In RR, worse is better on 0 of 30 topics and worse on 30, most on q00 (−0.500), ")
    assert "The first 10 documents on topic q00\n" in err
    _, out, _ = run("gate", "qrels.txt", "old.run", "mixed.run", "-m", "P@2:0.5", "-m", "RR:0.05", "-q")
    assert out.startswith(
        "undecided: mixed against old is inconclusive in RR (difference 0.000, 95 % interval −0.243 to 0.234, "
    )
    assert (
        " and equivalent in P@2 (difference 0.000, 90 % interval −0.155 to 0.155, margin 0.50), on 30 topics, " in out
    )
    would = (
        "new topics would show that it is not worse, if it is as good (power 80 %, assurance 80 %; see `irgauge plan`)"
    )
    assert out.endswith(f"for other topics; 1,400 {would}.\n")


@pytest.mark.usefixtures("data")
def test_several_runs_come_from_arguments_folders_and_patterns(run: Irgauge) -> None:
    arguments = ("-m", "RR", "--margin", "10%", "--format", "json", "-q")
    found = [
        json.loads(run("gate", "qrels.txt", "old.run", *given, *arguments)[1])
        for given in (["seeds"], ["seeds/*.run"], sorted(map(str, Path("seeds").iterdir())))
    ]
    assert all(one["measures"] == found[0]["measures"] for one in found)
    assert (found[0]["candidate"], found[0]["runs"]) == ("new", {"baseline": 1, "candidate": 3})
    turned = json.loads(run("gate", "qrels.txt", "seeds", "old.run", *arguments)[1])
    assert turned["runs"] == {"baseline": 3, "candidate": 1}
    assert turned["measures"][0]["difference"] == -found[0]["measures"][0]["difference"]


@pytest.mark.usefixtures("data")
def test_other_formats_are_those_of_other_commands(run: Irgauge) -> None:
    arguments = ("gate", "qrels.txt", "old.run", "worse.run", "-m", "RR", "--margin", "1%")
    code, out, _ = run(*arguments, "--format", "table")
    assert (code, out.startswith("- fail: "), "Method: guarded t-test" in out) == (1, True, True)
    assert run(*arguments, "--format", "csv")[1].startswith("measure,system,against,n,difference,")
    code, out, _ = run(*arguments, "-o", "gate.json", "--chart", "gate.svg", "--summary", "gate.md")
    assert (code, out) == (1, "")
    assert json.loads(Path("gate.json").read_text())["verdict"] == "fail"
    assert Path("gate.svg").read_text().startswith("<svg")
    page = Path("gate.md").read_text()
    assert page == run(*arguments, "--format", "summary")[1]
    assert "irgauge gate qrels.txt old.run worse.run -m RR:1%\n" in page


def test_the_command_of_the_summary_gives_the_same(data: Path, run: Irgauge) -> None:
    _, page, _ = run(
        "gate", "qrels.txt", "old.run", "mixed.run", "-m", "RR:5%", "-m", "P@2:0.1", "--alpha", "0.1", "-f", "summary"
    )
    command = page.split("```sh\n")[1].split("\n```")[0].replace("irgauge", str(PROGRAM), 1)
    again = subprocess.run(f"{command} -f summary", shell=True, cwd=data, capture_output=True, text=True, check=False)  # noqa: S602  # our own program
    assert (again.returncode, again.stdout) == (3, page)


# a broken file never looks like a regression


def test_a_verdict_that_rests_on_missing_topics_is_told_even_when_quiet(data: Path, run: Irgauge) -> None:
    lines = (data / "old.run").read_text().splitlines(keepends=True)
    first = lines[0].split()[0]
    (data / "lacking.run").write_text("".join(line for line in lines if line.split()[0] != first))
    _, _, err = run("gate", "qrels.txt", "old.run", "lacking.run", "-m", "RR", "--margin", "0.02", "-q")
    assert "warning: In RR, " in err
    assert "rests on topics that a run does not answer; without these it is 'equivalent' (pass)." in err


def wrong(data: Path) -> dict[str, tuple[list[str], str]]:
    """What cannot be used: arguments, and what is said."""
    write_run(data / "elsewhere.run", {topic: {"other": 1.0} for topic in ranked(BASE)})
    write_run(data / "another.run", {"other": {"d": 1.0}})
    write_run(data / "nothing.run", {topic: {"x": 2.0, "d": 1.0} for topic in list(ranked(BASE))[:1]})
    write_run(data / "zero.run", {topic: {f"x{i}": -i for i in range(9)} | {"d": -10.0} for topic in ranked(BASE)})
    write_run(data / "half.run", {t: of for i, (t, of) in enumerate(ranked(BASE).items()) if i % 2})
    write_run(data / "other-half.run", {t: of for i, (t, of) in enumerate(ranked(BASE).items()) if not i % 2})
    (data / "cut.run").write_text((data / "new.run").read_text()[:-20])
    (data / "empty").mkdir(exist_ok=True)
    (data / "one.txt").write_text("q00 0 d 1\n")
    files, margin = ["qrels.txt", "old.run", "new.run"], ["--margin", "1%"]
    return {
        "no such candidate": (["qrels.txt", "old.run", "gone.run", *margin], "gone.run: there is no such file"),
        "no such judgments": (["gone.txt", "old.run", "new.run", *margin], "gone.txt: there is no such file"),
        "an empty folder": (["qrels.txt", "old.run", "empty", *margin], "empty: the folder holds no files"),
        "a line that is cut": (["qrels.txt", "old.run", "cut.run", *margin], "cut.run:"),
        "another collection": (["qrels.txt", "old.run", "elsewhere.run", *margin], "none of its documents is judged"),
        "other topics": (["qrels.txt", "old.run", "another.run", *margin], "none of this run's topics (other"),
        "no candidate": (["qrels.txt", "old.run", *margin], "name QRELS BASELINE CANDIDATE..."),
        "no runs": (["qrels.txt", *margin], "name the runs after the judgments"),
        "no margin": (files, "RR has no margin, and a gate needs one"),
        "a margin that is no number": ([*files, "--margin", "small"], "the margin 'small' is no number"),
        "a margin below 0": ([*files, "--margin=-0.1"], "the margin -0.1 is not possible"),
        "a margin of 0": ([*files, "--margin", "0%"], "the margin 0% is not possible"),
        "a margin that is not a number": ([*files, "--margin", "nan"], "the margin nan is not possible"),
        "an own margin that is none": ([*files, *margin, "-m", "RR:"], "the margin '' is no number"),
        "an unknown measure": ([*files, *margin, "-m", "RRR"], "RRR"),
        "a measure twice": ([*files, "-m", "AP:1%", "-m", "map:2%"], "the measure AP is given twice"),
        "a share of 0": (["qrels.txt", "zero.run", "new.run", *margin, "-m", "P@2"], "that is 0; give a number"),
        "no topic in common": (
            ["qrels.txt", "half.run", "other-half.run", *margin, "--missing", "drop"],
            "no topic is left",
        ),
        "one topic": (["one.txt", "old.run", "new.run", *margin], "at least"),
        "a way that there is not": ([*files, *margin, "--undecided", "maybe"], "the --undecided 'maybe' is unknown"),
        "no such option": ([*files, *margin, "--margins", "2"], "No such option"),
        "a folder that there is not": ([*files, *margin, "--summary", "gone/gate.md"], "gone/gate.md: the folder of"),
        "a run twice": (["qrels.txt", "old.run", "new.run", "new.run", *margin], "new.run: this file is given twice"),
        "the baseline among the runs": (
            ["qrels.txt", "old.run", "new.run", "./old.run", *margin],
            "old.run: this file is a run of the baseline and of the candidate",
        ),
    }


def test_bad_input_is_2_and_is_explained(data: Path, run: Irgauge, subtests: pytest.Subtests) -> None:
    for name, (arguments, expected) in wrong(data).items():
        with subtests.test(name):
            own = () if "-m" in arguments else ("-m", "RR")
            before = sorted(data.rglob("*"))
            code, out, err = run("gate", *arguments, *own, "--lock", "gate.lock")
            assert (code, out) == (2, ""), err
            assert expected in " ".join(err.replace("│", " ").split())
            assert sorted(data.rglob("*")) == before  # no lock, no summary


@pytest.mark.usefixtures("data")
def test_an_error_of_the_program_is_no_failing_gate(run: Irgauge, monkeypatch: pytest.MonkeyPatch) -> None:
    from irgauge.studies.gate import study

    def broken(*_: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(study, "by_topics", broken)
    code, out, err = run("gate", "qrels.txt", "old.run", "worse.run", "-m", "RR", "--margin", "1%")
    assert (code, out) == (70, "")
    assert "ZeroDivisionError" in err


def test_nobody_reads_the_line_and_the_exit_code_stays(data: Path) -> None:
    line = f"'{PROGRAM}' gate qrels.txt old.run worse.run -m RR --margin 8%"
    shell = f"{{ sleep 0.2; {line}; echo $? > code; }} | true; sleep 0.1; while [ ! -s code ]; do sleep 0.2; done"
    subprocess.run(["bash", "-c", shell], cwd=data, check=True, timeout=60, env=os.environ)  # noqa: S603, S607  # our own program
    assert (data / "code").read_text() == "1\n"
