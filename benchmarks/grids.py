"""Grids of systems, many of them or many topics: time and memory of compare, bootstrap and report, and the page."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from benchmarks.clock import run_process
from irgauge.simulation.collections import Design, simulate

_DESIGNS = (
    Design(systems=100, families=20, topics=1000, depth=100, corpus_size=100_000),
    Design(systems=1000, families=60, topics=50, depth=100, corpus_size=20_000),
)
_MEASURES = ("-m", "AP", "-m", "nDCG@10")
_COMMANDS = (("compare",), ("bootstrap", "--images", "200"), ("report",))


def run() -> None:
    """Each command on each grid."""
    for design in _DESIGNS:
        with tempfile.TemporaryDirectory() as name:
            simulate(design).write(Path(name) / "data")
            print(f"\n{design.systems:,} systems on {design.topics:,} topics, by two measures:")
            for command in _COMMANDS:
                _measure(command, Path(name), design)


def _measure(command: tuple[str, ...], folder: Path, design: Design) -> None:
    verb, *options = command
    page = folder / "report.html"
    files = [
        str(folder / "data" / "qrels.txt"),
        str(folder / "data" / "runs"),
        "--corpus-size",
        str(design.corpus_size),
    ]
    to = ["-o", str(page)] if verb == "report" else []
    took = run_process([_executable(), verb, *files, *_MEASURES, *options, *to, "--quiet"])
    size = f", page {page.stat().st_size / 1e6:.2f} MB (asked: at most 8)" if to else ""
    print(f"  {verb:<10} {took.seconds:7.1f} s, peak memory {took.megabytes:6.0f} MiB{size}")


def _executable() -> str:
    return str(Path(sys.executable).with_name("irgauge"))


if __name__ == "__main__":
    run()
