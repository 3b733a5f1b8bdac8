"""The comment on GitHub: the answer first, within the limits, whatever names there are."""

from __future__ import annotations

import numpy as np

from conftest import Irgauge
from irgauge.scoring.measures import Measure
from irgauge.scoring.scores import Scores
from irgauge.studies.compare.github import github
from irgauge.studies.compare.study import compare
from oracles.hostile_names import NAMES

LIMIT = 65_536  # characters that GitHub takes


def scores(*systems: str) -> Scores:
    better = 0.2 * np.arange(len(systems))[None, None, :, None]
    values = np.random.default_rng(3).random((1, 12, len(systems), 1)) + better
    return Scores(values, (Measure.read("AP"),), tuple(map(str, range(12))), systems, ("",))


def test_the_answer_stands_first_then_every_verdict() -> None:
    result = compare(scores("a", "b", "c"), baseline="a")
    lines = github(result).splitlines()
    assert lines[0] == "### irgauge compare"
    assert lines[2].startswith("**")
    assert " a by AP" in lines[2]
    rows = [line for line in lines if line.startswith("| ") and " --" not in line]
    verdicts = [row["verdict"] for row in result.frame_rows("pairs")]
    assert [row.split("|")[-2].strip() for row in rows[1:]] == verdicts


def test_names_are_only_names_and_a_comment_is_short_enough() -> None:
    hostile = tuple(name for name in NAMES if name.strip() and "\0" not in name)
    text = github(compare(scores(*hostile[:60])))
    assert len(text) < LIMIT
    assert "more pairs: --table pairs" in text
    for sign in ("\n<script", "<img", "](javascript", "\n# head"):
        assert sign not in text.replace(r"\<", "").replace(r"\[", "").replace(r"\]", "")


def test_what_does_not_fit_is_left_out_and_said() -> None:
    text = github(compare(scores(*(f"{i}{'x' * 3_000}" for i in range(8)))))
    assert len(text) < LIMIT
    assert text.startswith("### irgauge compare\n\n**")
    assert text.endswith("What was too long for a comment is left out.\n")


def test_the_command_prints_it(run: Irgauge, tmp_path: object) -> None:
    table = f"{tmp_path}/scores.csv"
    scores("a", "b").save(table)
    code, out, _ = run("compare", table, "--format", "github")
    assert (code, out.startswith("### irgauge compare\n\n**")) == (0, True)
