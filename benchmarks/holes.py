"""Bounds over all grades of unjudged documents, of all systems and all pairs, against scores: as processes."""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from benchmarks.clock import run_process
from benchmarks.data import Data, prepare

SETS = {"five measures": ("AP", "P@10", "nDCG@10", "RBP", "R@100"), "nDCG to the end of lists": ("nDCG",)}
ROUNDS = 3


def run(data: Data) -> None:
    """Print the seconds of processors, as there may be other work, and the ratios."""
    print(f"\n{len(data.runs)} runs of {data.name}, bounds of systems and of all pairs (best of {ROUNDS}):")
    for name, measures in SETS.items():
        score, holes = (_seconds(command, measures, data) for command in ("score", "holes"))
        print(f"  {name}: score {score:.2f} s, holes {holes:.2f} s of processors, {holes / score:.1f} times as long")


def _seconds(command: str, measures: Sequence[str], data: Data) -> float:
    words = [sys.executable, "-m", "irgauge", command, str(data.qrels), *map(str, data.runs), "--quiet"]
    words += [word for measure in measures for word in ("-m", measure)]
    run_process(words)  # fills the cache of compiled code
    return min(run_process(words).processor for _ in range(ROUNDS))


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        run(prepare(Path(folder)))
