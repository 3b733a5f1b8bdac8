"""The command `irgauge plan`: with files, with components and no files, and what it refuses."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from conftest import Irgauge

TYPED = ("--components", "topic:system=0.01,residual=0.002")


def test_runs_are_planned_with(demo: Path, run: Irgauge, tmp_path: Path) -> None:
    chart = tmp_path / "plan.svg"
    code, out, _ = run("plan", demo / "qrels.txt", demo / "runs", "-m", "AP", "--difference", 0.1, "--chart", chart)
    assert code == 0
    assert out.startswith("- To find a true difference of 0.1 in AP with a power of 80 %")
    assert chart.read_text().startswith("<svg")
    assert "\nMethod: paired t-test" in out


def test_components_need_no_files(run: Irgauge) -> None:
    code, out, _ = run("plan", *TYPED, "--width", 0.05, "--format", "json")
    assert code == 0
    shown = json.loads(out)
    assert shown["here"] is None
    assert shown["plans"][0]["components"] == {"topic:system": 0.02, "residual": 0.004}
    assert shown["plans"][0]["designs"][0]["topics"] > 2


REFUSED = {
    "nothing": ((), "or give --components. For example: irgauge plan qrels.txt runs/"),
    "no goal": (TYPED, "give a goal"),
    "two goals": ((*TYPED, "--width", 0.1, "--difference", 0.1), "a plan has one goal at a time"),
    "no number": (("--components", "residual=x", "--width", 0.1), "--components 'x' of residual is not a number"),
    "a wrong name": (("--components", "topics=1", "--width", 0.1), "did you mean 'topic'?"),
    "shards": ((*TYPED, "--width", 0.1, "--shards", "even:5"), "the option 'shards' is of data"),
    "no difference": ((*TYPED, "--difference", 0), "the difference 0.0 is not possible; it is above 0"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_what_cannot_be_planned_is_refused(case: str, run: Irgauge) -> None:
    options, message = REFUSED[case]
    code, out, err = run("plan", *options)
    assert (code, out) == (2, "")
    assert message in err


def test_files_and_components_are_one_too_many(demo: Path, run: Irgauge) -> None:
    code, _, err = run("plan", demo / "qrels.txt", demo / "runs", *TYPED, "--width", 0.1)
    assert code == 2
    assert "--components stands in the place of files; leave one of the two out" in err
