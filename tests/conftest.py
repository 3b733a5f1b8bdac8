from __future__ import annotations

import gc
import os
import re
import signal
import sys
from collections.abc import Callable, Generator, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from golden import sentences
from irgauge import Collection, Scores, load
from irgauge.cli.program import main
from irgauge.papers.entry import SOURCES, Dataset
from irgauge.scoring.scores import score
from irgauge.simulation.collections import Design, simulate
from irgauge.studies.check.study import Checked, check

Irgauge = Callable[..., tuple[int, str, str]]
Golden = sentences.Sentences
LONGEST = (
    *(
        "test_lowest_versions.py",
        "test_reproduction_trec8.py",
        "test_installed.py",
        "test_readme.py",
        "test_examples.py",
    ),
    *("test_posterior.py", "test_instances.py", "test_readers.py", "test_trec8.py", "test_commands.py"),
)
# what make quick leaves out: many experiments, processes, packages, pages played, and what needs data or programs
SLOW_FOLDERS = {"calibration", "cluster", "faults", "fuzz", "package", "tests_of_means", "website"}
SLOW_FILES = {
    *("test_compiling.py", "test_contributing.py", "test_conversion.py", "test_error_rates.py", "test_examples.py"),
    *("test_extending.py", "test_jit.py", "test_posterior.py", "test_readme.py", "test_spellings.py"),
}
SLOW_FIXTURES = {"browser", "dl20", "judges_data", "trec8", "vaswani"}
DESIGN = Design(systems=4, families=2, topics=6, depth=30, corpus_size=300, relevant_median=6, seed=2)


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Collect no garbage among modules and tests, which all stay to the end: that takes a fifth of the time."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "slow: left out by make quick")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Begin with what takes longest, so that no process is left with it when the others have ended."""
    places = {name: place for place, name in enumerate(LONGEST)}
    items.sort(key=lambda item: places.get(item.path.name, len(places)))
    for item in filter(_is_slow, items):
        item.add_marker(pytest.mark.slow)
    if sentences.WRITES:
        items[:] = [item for item in items if "golden" in getattr(item, "fixturenames", ())]


def _is_slow(item: pytest.Item) -> bool:
    is_there = item.path.name in SLOW_FILES or not SLOW_FOLDERS.isdisjoint(item.path.parts)
    return is_there or not SLOW_FIXTURES.isdisjoint(getattr(item, "fixturenames", ()))


def without_made(json: str) -> str:
    """A result as JSON without when and by which command it was made, in which two commands differ."""
    return re.sub(r'\n  "made": \{.*?\n  \},', "", json, flags=re.DOTALL)


@pytest.fixture
def heard() -> Iterator[None]:
    """A job in the background ignores Ctrl-C, and so would what the tests start."""
    old = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, old)


@pytest.fixture(scope="session")
def trec8() -> Path:
    """The folder of the TREC-8 data."""
    folder = os.environ.get("IRGAUGE_TREC8")
    if folder is None:
        pytest.skip("IRGAUGE_TREC8 does not name a folder with the TREC-8 data")
    return Path(folder)


@pytest.fixture(scope="session")
def vaswani() -> Path:
    """The folder of the Vaswani collection: documents.trec.gz, topics.trec, qrels.txt."""
    folder = os.environ.get("IRGAUGE_VASWANI")
    if folder is None:
        pytest.skip("IRGAUGE_VASWANI does not name a folder with the Vaswani collection")
    return Path(folder)


@pytest.fixture(scope="session")
def dl20(trec8: Path) -> Path:
    """The folder of the data of TREC 2020's deep learning track, passages: beside that of TREC-8."""
    folder = trec8.parent / "dl20"
    if not folder.is_dir():
        pytest.skip("the folder that IRGAUGE_TREC8 names has no dl20 beside it")
    return folder


@pytest.fixture(scope="session")
def judges_data() -> Path:
    """The folder of judgments by people and by language models: dl21 with runs, dl20, llmjudge."""
    folder = os.environ.get("IRGAUGE_JUDGES")
    if folder is None:
        pytest.skip("IRGAUGE_JUDGES does not name a folder with judgments by people and by models")
    return Path(folder)


@pytest.fixture(scope="session")
def trec8_dataset(trec8: Path) -> Dataset:
    """TREC-8 as the papers have it; what their tables share is computed once."""
    return Dataset(SOURCES["trec8"], trec8)


@pytest.fixture(scope="session")
def trec8_runs(trec8_dataset: Dataset) -> Collection:
    """All runs of TREC-8, ordered by 32-bit scores as the papers' trec_eval did."""
    return trec8_dataset.collection


@pytest.fixture(scope="session")
def trec8_ap(trec8_runs: Collection) -> Scores:
    """AP of all runs of TREC-8."""
    return score(trec8_runs, ["AP"])


@pytest.fixture(scope="session")
def trec8_in_64_bits(trec8: Path) -> Collection:
    """All runs of TREC-8, ordered by their scores as they stand in the files."""
    return load(trec8 / "qrels.txt.gz", trec8 / "runs", corpus_size=528_155)


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Irgauge:
    """Runs the command line; gives the exit code, stdout and stderr."""
    monkeypatch.setenv("COLUMNS", "100")  # whatever terminal the tests run in

    def irgauge(*arguments: object) -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "argv", ["irgauge", *map(str, arguments)])
        code = 0
        try:
            main()
        except SystemExit as exit_:
            code = exit_.code if isinstance(exit_.code, int) else 0
        out, err = capsys.readouterr()
        return code, out, err.replace("compiling for the first use; each command takes a few seconds more, once\n", "")

    return irgauge


@pytest.fixture
def golden(request: pytest.FixtureRequest) -> Iterator[Golden]:
    """Holds what is said against the page of the study: sentences of results that are made by hand."""
    page = Golden(request.path.parent.name, f"{request.path.stem}::{request.node.name}")
    yield page
    page.check_end()


@pytest.fixture(scope="session")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a small simulated collection: qrels.txt and runs."""
    folder = tmp_path_factory.mktemp("demo")
    simulate(DESIGN).write(folder)
    return folder


@pytest.fixture(scope="session")
def suite(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with three small collections, as `reproduce` and `simulate` lay them out."""
    made = tmp_path_factory.mktemp("collections")
    for seed, name in enumerate(("one", "two", "three")):
        simulate(replace(DESIGN, topics=12, seed=seed)).write(made / name)
    return made


@pytest.fixture(scope="session")
def checked(demo: Path) -> Checked:
    """What the check says of the small collection."""
    return check(demo / "qrels.txt", demo / "runs")
