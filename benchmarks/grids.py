"""Grids of systems, many of them or many topics: time and memory of compare, bootstrap and report, and the page."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path

from benchmarks.clock import irgauge, run_process
from benchmarks.figures import Figure
from irgauge.simulation.collections import Design, simulate

_DESIGNS = (
    Design(systems=100, families=20, topics=1000, depth=100, corpus_size=100_000),
    Design(systems=1000, families=60, topics=50, depth=100, corpus_size=20_000),
)
_MEASURES = ("-m", "AP", "-m", "nDCG@10")
_COMMANDS = (("compare",), ("bootstrap", "--images", "200"), ("report",))


def run() -> Iterator[Figure]:
    """Each command on each grid."""
    for design in _DESIGNS:
        with tempfile.TemporaryDirectory() as name:
            simulate(design).write(Path(name) / "data")
            for command in _COMMANDS:
                yield from _measured(command, Path(name), design)


def _measured(command: tuple[str, ...], folder: Path, design: Design) -> Iterator[Figure]:
    verb, *options = command
    page, data = folder / "report.html", folder / "data"
    to = ["-o", page] if verb == "report" else []
    files = [data / "qrels.txt", data / "runs", "--corpus-size", design.corpus_size]
    took = run_process(irgauge(verb, *files, *_MEASURES, *options, *to, "--quiet"))
    what = f"{verb}, {design.systems:,} systems on {design.topics:,} topics"
    yield Figure(what, took.seconds, "s")
    yield Figure(f"memory of {what}", took.megabytes, "MiB")
    if to:
        yield Figure(f"page of {what}", page.stat().st_size / 1e6, "MB", 8)
