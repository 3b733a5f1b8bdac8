"""How scores in a history developed: lines, changes, and where lines are cut."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from scipy.stats import ttest_1samp

import irgauge as ig
from irgauge.archive.entry import Entry, KeptRun, KeptVerdict
from irgauge.archive.store import HistoryFile

Irgauge = Callable[..., tuple[int, str, str]]
TOPICS = [f"q{number:02d}" for number in range(30)]
BASE = np.random.default_rng(4).uniform(0.3, 0.7, 30)


def entry(night: int, new: np.ndarray, *, old: np.ndarray = BASE, judgments: str | None = "a", **more: object) -> Entry:
    """A gate of a night."""
    settings = {"precision": "double", **more}
    topics = TOPICS[: len(new)]
    scores = {("AP", "old"): old, ("AP", "new"): new}
    return Entry(
        time=datetime(2026, 10, 1, 3, tzinfo=UTC) + timedelta(days=night),
        command="gate",
        version="1",
        checkout=f"{night:040x}",
        judgments=judgments,
        settings=settings,
        runs=(KeptRun("old", "old", "baseline", "x"), KeptRun("new", "new", "candidate", str(night))),
        scores={key: dict(zip(topics, map(float, values), strict=False)) for key, values in scores.items()},
        verdicts=(KeptVerdict("AP", "new", "old", "topics", "higher", 0.0, None, None, None, 0.1, "equivalent"),),
    )


def nights(count: int = 12, change: int = 7, size: float = -0.04) -> list[np.ndarray]:
    """The scores of the candidate, which are other ones from a night on."""
    rng = np.random.default_rng(8)
    return [BASE + rng.normal(0, 0.01, 30) + (night >= change) * rng.normal(size, 0.01, 30) for night in range(count)]


@pytest.fixture
def path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where a history is."""
    monkeypatch.chdir(tmp_path)
    return tmp_path / "nights.sqlite"


def write(path: Path, *entries: Entry) -> None:
    for each in entries:
        with HistoryFile(path).writing() as history:
            history.add(each)


def test_a_line_has_differences_with_intervals_and_the_change(path: Path) -> None:
    series = nights()
    write(path, *(entry(night, new) for night, new in enumerate(series)))
    result = ig.history(path)
    (line,) = result.lines
    for new, difference in zip(series, line.difference, strict=True):
        assert difference == pytest.approx(float((new - BASE).mean()))
    plain = ttest_1samp(series[0] - BASE, 0).confidence_interval()
    assert line.low[0] <= plain.low < plain.high <= line.high[0]  # a guarded interval is as wide, or wider
    (change,) = line.changes
    assert change.place == 7
    assert change.first <= 7 <= change.last
    d = np.array(series) - BASE
    assert change.topics == pytest.approx(d[7:].mean(axis=0) - d[:7].mean(axis=0))
    told = str(result.findings()[0])
    assert told.startswith("By AP, new got worse against old at entry 8 (2026-10-08 03:00, commit 0000000), for other")
    assert f"the change lies between entries {change.first + 1} and {change.last + 1} (95 %)" in told


def test_the_topics_of_a_change_moved_as_the_mean_did_and_their_share_is_said(path: Path) -> None:
    losses = np.full(30, -0.1) + np.arange(30) / 1000
    losses[4] = 0.12  # a gain
    write(path, *(entry(night, BASE + (night >= 2) * losses) for night in range(4)))
    (told,) = ig.history(path).findings().of("changed")
    share = losses[[0, 1, 2]].sum() / losses[losses < 0].sum()
    assert f"largest on topics q00 (−0.100), q01 (−0.099) and q02 (−0.098): {share:.0%}".replace("%", " %") in str(told)


def test_documents_with_the_id_of_their_topic_that_are_left_out_cut_a_line_however_many(path: Path) -> None:
    counts = (None, None, 0, 7)  # of documents left out, which the runs of each night have
    for night, count in enumerate(counts):
        write(path, entry(night, BASE + 0.1, identical_ids=count))
    assert [len(line.points) for line in ig.history(path).lines] == [2, 2]


def test_that_lines_count_topics_alike_is_said_where_gates_did_not(path: Path) -> None:
    write(path, entry(0, BASE + 0.1))
    assert not ig.history(path).findings().of("counted-alike")
    write(path, entry(1, BASE + 0.1, weights="traffic", looks=2))
    (told,) = ig.history(path).findings().of("counted-alike")
    assert "weights of topics and several looks; here all topics count alike" in str(told)


def test_ratios_are_told_as_ratios_and_a_line_of_one_entry_has_its_interval(path: Path) -> None:
    old = {topic: 100.0 + i for i, topic in enumerate(TOPICS)}
    new = {topic: score * (1.2 + i % 3 / 100) for i, (topic, score) in enumerate(old.items())}
    ig.gate({"old": old, "new": new}, "old", "new", "latency_ms:lower", margin="5%", scale="log", history=path)
    result = ig.history(path)
    (told,) = result.findings().of("unchanged")
    assert str(told).startswith("By latency_ms, no change")
    assert "it is 1.21 times (95 % interval 1.2" in str(told)
    marks = [layer["mark"] for layer in result.chart("development").to_dict()["layer"]]
    assert any(mark.get("opacity") == 0.4 for mark in marks if isinstance(mark, dict))


def test_a_baseline_that_is_replaced_moves_nothing(path: Path) -> None:
    write(path, *(entry(night, new, old=BASE if night < 5 else BASE + 0.1) for night, new in enumerate(nights())))
    result = ig.history(path)
    assert [change.place for change in result.lines[0].changes] == [7]
    assert result.lines[0].replaced == (5,)
    assert "old has other scores from entry 6 on; differences stay those from its scores at entry 1" in str(
        result.findings().of("replaced")[0]
    )


@pytest.mark.parametrize(
    ("changed", "cause"),
    [
        ({"judgments": "b"}, "the judgments changed"),
        ({"precision": "single"}, "runs were read in another way"),
        ({"topics": 25}, "the topics changed"),
        ({"tables": True}, "of tables of scores nobody knows whether judgments did"),
    ],
)
def test_a_line_is_cut_where_scores_cannot_be_compared(path: Path, changed: Mapping[str, object], cause: str) -> None:
    for night, new in enumerate(nights()):
        later = night >= 7  # when scores change too
        size = int(str(changed.get("topics", 30))) if later else 30
        judgments = None if "tables" in changed else str(changed.get("judgments", "a")) if later else "a"
        old = BASE + (0.01 if later and "tables" in changed else 0.0)
        precision = changed.get("precision", "double") if later else "double"
        write(path, entry(night, new[:size], old=old[:size], judgments=judgments, precision=precision))
    result = ig.history(path)
    assert [len(line.points) for line in result.lines] == [7, 5]
    assert not any(line.changes for line in result.lines)
    (cut,) = result.findings().of("cut")
    assert cut.tone == "warning"
    assert str(cut).startswith("At entry 8 (2026-10-08 03:00, commit 0000000) ")
    assert cause in str(cut)


def test_systems_of_comparisons_are_named_and_lower_may_be_better(path: Path) -> None:
    scores = {"a": dict.fromkeys(TOPICS, 0.5), "b": {topic: 0.4 + i / 300 for i, topic in enumerate(TOPICS)}}
    for _ in range(2):
        ig.compare(scores, "latency_ms:lower", history=path)
    with pytest.raises(ig.DesignError, match="no entry of the history has both a system and its reference"):
        ig.history(path)
    result = ig.history(path, system="b", reference="a")
    assert result.lines[0].direction == "lower"
    assert result.lines[0].points[0].system == "b"
    with pytest.raises(ig.DesignError, match="the system 'c' is unknown"):
        ig.history(path, system="c", reference="a")
    with pytest.raises(ig.DesignError, match="a history is one file, and 2 were given"):
        ig.history([str(path), str(path)])


def test_the_command_prints_draws_and_exports(path: Path, run: Irgauge) -> None:
    write(path, *(entry(night, new) for night, new in enumerate(nights())))
    code, out, _ = run("history", path, "--chart", "line.svg")
    assert code == 0
    assert "new got worse against old at entry 8" in " ".join(out.split())
    assert "<svg" in Path("line.svg").read_text()
    assert run("history", path, "-o", "points.parquet")[0] == 0
    frame = pl.read_parquet("points.parquet")
    assert frame.columns[:5] == ["measure", "stretch", "entry", "time", "commit"]
    assert frame.height == 12
    assert run("history", path, "-o", "all.json")[0] == 0
    content = json.loads(Path("all.json").read_text())
    assert [row["entry"] for row in content["changes"]] == [8]
    assert len(content["changed_topics"]) == 30
    assert len(ig.read("all.json").frame()) == 12
    assert run("history", path, "-o", "page.html")[0] == 0
    page = Path("page.html").read_text()
    assert "How did scores develop" in page
    assert "got worse against old at entry 8" in page
    code, _, err = run("history", "nothing.sqlite")
    assert (code, "there is no such file" in err) == (2, True)
