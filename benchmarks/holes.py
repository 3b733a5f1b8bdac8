"""Bounds over all grades of unjudged documents, of all systems and all pairs, against scores: as processes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from benchmarks.clock import irgauge, run_process
from benchmarks.data import Data
from benchmarks.figures import Figure, times

_SETS = {"five measures": ("AP", "P@10", "nDCG@10", "RBP", "R@100"), "nDCG to the end of lists": ("nDCG",)}


def run(data: Data) -> Iterator[Figure]:
    """Seconds of processors, as there may be other work."""
    for name, measures in _SETS.items():
        score, holes = (
            Figure(f"{command}, {name}, of a processor", _seconds(command, measures, data), "s")
            for command in ("score", "holes")
        )
        yield from (score, holes, times(f"holes over score, {name}", holes, score))


def _seconds(command: str, measures: Sequence[str], data: Data) -> float:
    words = irgauge(command, *data.files, "--quiet", *(word for measure in measures for word in ("-m", measure)))
    return min(run_process(words).processor for _ in range(2))  # the first fills the cache of compiled code
