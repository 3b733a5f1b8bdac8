"""Damaged files in folders that are read as a whole: suites, and what was kept of a bootstrap that was stopped."""

from __future__ import annotations

import json
import shutil
from contextlib import suppress
from functools import partial
from pathlib import Path
from random import Random

import pytest

from fuzz.files import File
from fuzz.mutations import packed
from fuzz.odd_values import with_odd_node
from fuzz.samples import QREL, RUN, SCORE_FILES
from fuzz.trials import try_each
from irgauge import bootstrap, load, suite
from irgauge.replicates import kept
from irgauge.scoring.scores import Scores
from oracles.every_format import trec_qrels, trec_run
from oracles.search_tool_files import mteb

pytestmark = pytest.mark.filterwarnings("ignore::irgauge.errors.DataWarning")


def files_in(folder: str) -> dict[str, bytes]:
    return {str(path): path.read_bytes() for path in sorted(Path(folder).rglob("*")) if path.is_file()}


def damaged_file(files: dict[str, bytes], rng: Random) -> File:
    name = rng.choice(list(files))
    return File(name, packed(files[name], rng))


def write(folder: str, files: dict[str, bytes]) -> None:
    shutil.rmtree(folder, ignore_errors=True)
    for name, data in files.items():
        Path(name).parent.mkdir(parents=True, exist_ok=True)
        Path(name).write_bytes(data)


def test_suites() -> None:
    write("suite", {"suite/z.csv": SCORE_FILES["x.csv"]})
    for name in "xy":
        files = {"qrels": trec_qrels(QREL), "a.run": trec_run(RUN, "a"), "b.run": trec_run(RUN, "b")}
        Path("suite", name).mkdir()
        for file, data in files.items():
            Path("suite", name, file).write_bytes(data)
    good = files_in("suite")

    def attempt(file: File) -> None:
        write("suite", good | {file.name: file.data})
        suite("suite", "AP")

    try_each("suites", 120, partial(damaged_file, good), attempt, is_dear=True)


def test_results_of_mteb() -> None:
    good = {}
    for model in ("m__a", "m__b"):
        good[f"mteb/{model}/r/model_meta.json"] = json.dumps({"name": model}).encode()
        good |= {f"mteb/{model}/r/{task}.json": json.dumps(mteb(0.5, task)).encode() for task in "xyz"}

    def attempt(file: File) -> None:
        write("mteb", good | {file.name: file.data})
        suite("mteb")

    def damaged(rng: Random) -> File:
        if rng.random() < 0.5:
            return damaged_file(good, rng)
        name = rng.choice(list(good))
        return File(name, json.dumps(with_odd_node(json.loads(good[name]), rng, of_json=True)).encode())

    try_each("results of MTEB", 150, damaged, attempt, is_dear=True)


class _StopError(Exception):
    """Ends a bootstrap in its midst."""


def test_what_was_kept() -> None:
    collection = load(QREL, {"a": RUN, "b": RUN})
    again = partial(bootstrap, collection, "AP", images=4, keep="kept", workers=1)
    with suppress(_StopError):
        again(progress=_stop)
    unfinished = f"kept{kept.UNFINISHED}"
    good = files_in(unfinished)
    assert len(good) >= 2

    def attempt(file: File) -> None:
        shutil.rmtree("kept", ignore_errors=True)
        write(unfinished, good | {file.name: file.data})
        again()
        assert Scores.load(*sorted(Path("kept").glob("*.parquet"))).systems == ("a", "b")

    try_each("kept scores", 60, partial(damaged_file, good), attempt, is_dear=True)


def _stop(done: int, total: int) -> None:
    if done == total:
        raise _StopError
