"""The whole report as a process, reading included."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator

from benchmarks.clock import irgauge, run_process
from benchmarks.data import Data
from benchmarks.figures import Figure


def run(data: Data, rounds: int = 2) -> Iterator[Figure]:
    """Two measures."""
    with tempfile.TemporaryDirectory() as folder:
        size = ["--corpus-size", str(data.corpus_size)] if data.corpus_size else []
        command = irgauge(
            "report", *data.files, *size, "-m", "AP", "-m", "nDCG@10", "-o", f"{folder}/p.html", "--quiet"
        )
        run_process(command)  # fills the cache of compiled code
        took = min((run_process(command) for _ in range(rounds)), key=lambda usage: usage.seconds)
    yield Figure("report, two measures", took.seconds, "s")
    yield Figure("memory of report", took.megabytes, "MiB")
