"""`irgauge calibrate` as a process, reading included."""

from __future__ import annotations

from collections.abc import Iterator

from benchmarks.clock import irgauge, run_process
from benchmarks.data import Data
from benchmarks.figures import Figure


def run(data: Data) -> Iterator[Figure]:
    """At a glance."""
    command = irgauge("calibrate", *data.files, "-m", "AP", "--quiet", "--quick")
    run_process([*command, "--trials", "2"])  # fills the cache of compiled code
    yield Figure("calibrate --quick", run_process(command).seconds, "s")
