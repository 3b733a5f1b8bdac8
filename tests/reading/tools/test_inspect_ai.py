"""Logs of Inspect AI, in JSON and in archives, as documented and as the package writes them."""

from __future__ import annotations

import io
import json
import struct
import zipfile
from pathlib import Path
from typing import Any

import pytest

import irgauge as ig
from irgauge import InputError, load_scores
from irgauge.files.limits import reading_at_most
from oracles.tool_files import inspect_archive, inspect_log


def written(folder: Path, name: str, content: dict[str, Any] | bytes) -> Path:
    path = folder / name
    path.write_bytes(content if isinstance(content, bytes) else json.dumps(content).encode())
    return path


@pytest.mark.parametrize("ending", ["json", "eval"])
def test_samples_scorers_and_epochs(ending: str, tmp_path: Path) -> None:
    log = inspect_log()
    scores = load_scores(written(tmp_path, f"log.{ending}", log if ending == "json" else inspect_archive(log)))
    assert scores.systems == ("openai/gpt-4o",)
    assert (scores.topics, scores.replicates) == (("1", "2", "3"), ("1", "2"))
    assert scores.replicate_column == "epoch"
    assert [str(measure) for measure in scores.measures] == ["match", "judge.fluency", "judge.safe", "graded"]
    assert scores.values[:, :, 0, 0].tolist() == [[1, 0, 0], [0.5, 0.5, 0.5], [1, 1, 1], [1, 0.5, 0]]
    assert scores.about.column("kind")["2"] == "even"
    assert scores.about.query("3") == "What is 3?"
    assert scores.about.column("model")["1"] == "x"  # a name that tables have for systems describes topics here


def test_two_logs_are_two_systems_of_one_comparison(tmp_path: Path) -> None:
    logs = [inspect_log("a/x", right=3), inspect_log("b/y", right=0)]
    paths = [str(written(tmp_path, f"{n}.eval", inspect_archive(log))) for n, log in enumerate(logs)]
    result = ig.compare(paths, "match")
    assert {result.frame()["system"][0], result.frame()["against"][0]} == {"a/x", "b/y"}


def test_logs_of_the_same_model_are_told_apart(tmp_path: Path) -> None:
    first, second = inspect_log(), inspect_log()
    first["eval"]["task_args_passed"] = {"prompt": "short"}
    paths = [written(tmp_path, "one.json", first), written(tmp_path, "two.json", second)]
    assert load_scores(*paths).systems == ("openai/gpt-4o", "openai/gpt-4o (prompt=short)")
    assert load_scores(paths[1], written(tmp_path, "three.json", second)).systems == ("three", "two")


def test_topics_of_several_tasks_are_different_ones(tmp_path: Path) -> None:
    paths = [
        written(tmp_path, f"{model}-{task}.json", inspect_log(model, task=task))
        for model in ("a", "b")
        for task in ("qa", "sums")
    ]
    scores = load_scores(*paths)
    assert scores.systems == ("a", "b")
    assert scores.topics == ("qa/1", "qa/2", "qa/3", "sums/1", "sums/2", "sums/3")


def test_a_sample_that_failed_lacks_its_scores(tmp_path: Path) -> None:
    log = inspect_log(epochs=1)
    log["samples"][1] |= {"scores": None, "error": {"message": "timeout"}}
    with pytest.raises(InputError, match="scores are missing on some of the 3 topics"):
        load_scores(written(tmp_path, "log.json", log))
    assert load_scores(written(tmp_path, "log.json", log), missing="drop").topics == ("1", "3")


def test_an_evaluation_that_failed_lacks_the_samples_that_it_did_not_come_to(tmp_path: Path) -> None:
    log = inspect_log(epochs=1) | {"status": "error"}
    log["samples"] = log["samples"][:2]
    path = written(tmp_path, "log.json", log)
    with pytest.raises(InputError, match=r"openai/gpt-4o: 1 topic \(3\)"):
        load_scores(path)


def without(key: str) -> dict[str, Any]:
    return {name: value for name, value in inspect_log().items() if name != key}


def unscored() -> dict[str, Any]:
    log = inspect_log() | {"status": "error"}
    return log | {"samples": [sample | {"scores": {}} for sample in log["samples"]]}


def odd_value() -> dict[str, Any]:
    log = inspect_log()
    log["samples"][1]["scores"]["match"]["value"] = "well"
    return log


def twice() -> dict[str, Any]:
    log = inspect_log()
    return log | {"samples": [*log["samples"], log["samples"][0]]}


@pytest.mark.parametrize(
    ("log", "message"),
    [
        (without("samples"), "an Inspect AI log without samples"),
        (
            unscored(),
            r"an Inspect AI log without scores \(its status is 'error'\): complete it by `inspect eval-retry`",
        ),
        (odd_value(), r"log\.json: samples\[1\]\.scores\.match: the score 'well' is not a number"),
        (twice(), r"log\.json: samples\[6\].*topic '1'.*appears twice"),
    ],
)
def test_a_log_that_is_nearly_right_is_named(log: dict[str, Any], message: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=message):
        load_scores(written(tmp_path, "log.json", log))


def test_archives_that_cannot_be_read_are_refused(tmp_path: Path) -> None:
    good = inspect_archive(inspect_log())
    unfinished = io.BytesIO()
    with zipfile.ZipFile(unfinished, "w") as archive:
        archive.writestr("_journal/start.json", "{}")
        archive.writestr("../../samples/x.json", "{}")
    at = good.index(b"samples/1_epoch_1.json") + len("samples/1_epoch_1.json") + 5
    damaged = good[:at] + b"\xff\x00\xff" + good[at + 3 :]
    for data, message in (
        (unfinished.getvalue(), "has not ended"),
        (damaged, "cut off or damaged"),
        (good[:-40], "zip archive"),  # its directory is gone
    ):
        with pytest.raises(InputError, match=message):
            load_scores(written(tmp_path, "log.eval", data))
    assert not (tmp_path.parent.parent / "samples").exists()


def test_an_archive_holds_no_more_than_a_file_may(tmp_path: Path) -> None:
    log = inspect_log()
    log["samples"][0]["input"] = "x" * 3_000_000
    data = inspect_archive(log)
    with reading_at_most("1MB"), pytest.raises(InputError, match="holds more than"):
        load_scores(written(tmp_path, "log.eval", data))
    lying = bytearray(data)  # its directory says that the first sample has 10 bytes
    directory = [at for at in range(len(data)) if data.startswith(b"PK\x01\x02", at)]
    lying[directory[1] + 24 : directory[1] + 28] = struct.pack("<I", 10)
    with pytest.raises(InputError, match="cut off or damaged"):
        load_scores(written(tmp_path, "log.eval", bytes(lying)))
