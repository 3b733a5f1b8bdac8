"""How long the first things take: the help text, and the first use, which compiles."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from benchmarks.clock import best_of, run_process

_ALL_MEASURES = (
    "import irgauge\n"
    "from irgauge.scoring.catalogue import RECORDS\n"
    "names = [record.name + '@10' * (record.cutoff == 'required') for record in RECORDS]\n"
    "irgauge.score(irgauge.load({'q': {'d': 1, 'e': 0}}, {'q': {'d': 1.0, 'f': 0.5}}), names)\n"
)


def startup() -> None:
    """Times of `irgauge --help`, and of reading and scoring with every measure before and after compilation."""
    executable = str(Path(sys.executable).with_name("irgauge"))
    help_time = best_of({"help": lambda: run_process([executable, "--help"])}, 5)["help"]
    first_use = [sys.executable, "-c", _ALL_MEASURES]
    with tempfile.TemporaryDirectory() as cache:
        cold = run_process(first_use, NUMBA_CACHE_DIR=cache).seconds
        warm = run_process(first_use, NUMBA_CACHE_DIR=cache).seconds
    print(f"\nirgauge --help: {help_time:.2f} s")
    print(f"first use, every measure: {cold:.1f} s, of which {cold - warm:.1f} s compiling; afterwards {warm:.2f} s")
