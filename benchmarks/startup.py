"""How long the first things take: the help text, the first use, which compiles, and commands with little to do."""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

from benchmarks.clock import best_of, irgauge, run_process
from benchmarks.figures import Figure

_COMMANDS = (("score",), ("compare",), ("report", "-o", "report.html"))
_PARTS = {
    "Python": "",
    "numpy": "import numpy",
    "numba": "import numba",
    "modules of score": "import irgauge.cli.program, irgauge.cli.app, irgauge.studies.score.study",
}


def run() -> Iterator[Figure]:
    """On a small simulated collection, and on two small tables of scores."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        run_process(irgauge("simulate", "-o", folder, "--quiet"))
        for system in ("old", "new"):
            rows = (f"{topic},{topic % 7 / 10 + (system == 'new') * topic % 3 / 9}\n" for topic in range(50))
            (folder / f"{system}.csv").write_text("topic,score\n" + "".join(rows))
        yield _first_use(folder)
        yield from _short(folder)


def _first_use(folder: Path) -> Figure:
    """What `score`, `compare` and `report` take more, one after the other, on a machine that has compiled nothing."""
    total = 0.0
    for command, *options in _COMMANDS:
        to = [options[0], folder / options[1]] if options else []
        line = irgauge(command, folder / "qrels.txt", folder / "runs", "--quiet", *to)
        cold, warm = (run_process(line, NUMBA_CACHE_DIR=str(folder / "cache")) for _ in range(2))
        total += cold.processor - warm.processor
    return Figure("compiling for score, compare and report, of a processor", total, "s", 5)


def _short(folder: Path) -> Iterator[Figure]:
    """Commands that have next to nothing to do, and the parts of the start of one, each with those before it."""
    tables = folder / "old.csv", folder / "new.csv"
    score = irgauge("score", folder / "qrels.txt", folder / "runs" / "F1-1.run", "--quiet")
    run_process(score)  # fills the cache of compiled code
    code = ["import gc", "gc.set_threshold(200_000)"]
    peers: dict[str, Callable[[], object]] = {}
    for name, line in _PARTS.items():
        code.append(line)
        peers[f"start, {name}"] = partial(run_process, [sys.executable, "-c", "\n".join(code)])
    peers["start, score of one small run"] = partial(run_process, score)
    peers["help"] = partial(run_process, irgauge("--help"))
    peers["gate of two tables"] = partial(run_process, irgauge("gate", *tables, "--margin", "1%", "--quiet"))
    peers["compare of two tables"] = partial(run_process, irgauge("compare", *tables, "--quiet"))
    for name, seconds in best_of(peers, 5).items():
        yield Figure(name, seconds, "s", 0.6 if name.endswith("tables") else None)
