"""How long the first things take: the help text, the first use, which compiles, and the parts of a short command."""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Callable
from functools import partial
from pathlib import Path

from benchmarks.clock import best_of, run_process

_ALL_MEASURES = (
    "import irgauge\n"
    "from irgauge.scoring.catalogue import RECORDS\n"
    "plain = [record for record in RECORDS if record.diversity is None]\n"
    "ends = ['@10' if record.cutoff == 'required' else '@0.1' if record.at == 'recall' else '' for record in plain]\n"
    "names = [record.name + end for record, end in zip(plain, ends)]\n"
    "irgauge.score(irgauge.load({'q': {'d': 1, 'e': 0}}, {'q': {'d': 1.0, 'f': 0.5}}), names)\n"
)


_COMMANDS = (("score",), ("compare",), ("report", "-o"))
_PARTS = {
    "Python": "",
    "+ numpy": "import numpy",
    "+ numba": "import numba",
    "+ the modules of the command": "import irgauge.cli.program, irgauge.cli.app, irgauge.studies.score.study",
}


def startup() -> None:
    """Times of `irgauge --help`, of the first use of commands and measures, and of the start of `irgauge score`."""
    executable = str(Path(sys.executable).with_name("irgauge"))
    help_time = best_of({"help": lambda: run_process([executable, "--help"])}, 5)["help"]
    print(f"\nirgauge --help: {help_time:.2f} s")
    with tempfile.TemporaryDirectory() as folder:
        run_process([executable, "simulate", "-o", folder, "--quiet"])
        _first_use(executable, Path(folder))
        _start(executable, Path(folder))
    _every_measure()


def _first_use(executable: str, folder: Path) -> None:
    """What `score`, `compare` and `report` take more, one after the other, on a machine that has compiled nothing."""
    data, total = [str(folder / "qrels.txt"), str(folder / "runs"), "--quiet"], 0.0
    for command, *output in _COMMANDS:
        line = [executable, command, *data, *output, *(str(folder / "report.html") for _ in output)]
        cold, warm = (run_process(line, NUMBA_CACHE_DIR=str(folder / "cache")) for _ in range(2))
        total += cold.processor - warm.processor
        print(f"first use of irgauge {command}: {cold.seconds:.1f} s, afterwards {warm.seconds:.1f} s")
    print(f"compiling for these three together: {total:.1f} s of a processor")


def _start(executable: str, folder: Path) -> None:
    """What a command takes that has next to nothing to do: the least time of any, part by part."""
    short = [executable, "score", str(folder / "qrels.txt"), str(folder / "runs" / "F1-1.run"), "--quiet"]
    run_process(short)  # fills the cache of compiled code
    code = [list(_PARTS.values())[: i + 1] for i in range(len(_PARTS))]
    peers: dict[str, Callable[[], object]] = {
        name: partial(
            run_process, [sys.executable, "-c", "\n".join(["import gc", "gc.set_threshold(200_000)", *lines])]
        )
        for name, lines in zip(_PARTS, code, strict=True)
    }
    times = best_of(peers | {"+ compiled code, one small run": partial(run_process, short)}, 5)
    print("the start of irgauge score (best of 5):")
    for name, seconds in times.items():
        print(f"  {name:<32} {seconds:.2f} s")


def _every_measure() -> None:
    first_use = [sys.executable, "-c", _ALL_MEASURES]
    with tempfile.TemporaryDirectory() as cache:
        cold = run_process(first_use, NUMBA_CACHE_DIR=cache).seconds
        warm = run_process(first_use, NUMBA_CACHE_DIR=cache).seconds
    print(f"first use, every measure: {cold:.1f} s, of which {cold - warm:.1f} s compiling; afterwards {warm:.2f} s")
