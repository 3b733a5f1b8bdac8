"""A bootstrap on workers of Dask, against threads: what it costs to send tasks and results, and memory of a worker."""

from __future__ import annotations

import resource
from collections.abc import Callable, Iterator
from typing import Any

import irgauge
from benchmarks.clock import best_of
from benchmarks.data import Data
from benchmarks.figures import Figure, times
from irgauge.cluster.connecting import connected

_IMAGES = 1000
_MEASURES = ("AP", "nDCG@10")


def run(data: Data, rounds: int = 2) -> Iterator[Figure]:
    """Threads, and worker processes of one thread each that are there already."""
    runs = irgauge.load(data.qrels, list(data.runs), warn=False)
    peers: dict[str, Callable[[], object]] = {"two threads": lambda: _asked(runs, workers=2)}
    with connected("local:2") as (both, _):
        peers |= {"two workers": lambda: _asked(runs, scheduler=both)}
        _asked(runs, scheduler=both)  # loads the compiled code
        seconds = best_of(peers, rounds)
        peaks = both.run(_peak)
    threads, workers = (Figure(f"1,000 images with {name}", seconds[name], "s") for name in seconds)
    yield from (threads, workers, times("two workers over two threads", workers, threads, 1.1))
    yield Figure("memory of one of two workers", max(peaks.values()), "MiB")


def _asked(runs: irgauge.Collection, **how: Any) -> object:  # noqa: ANN401  # options
    return irgauge.bootstrap(runs, _MEASURES, images=_IMAGES, **how).standard_error


def _peak() -> float:
    """The largest memory of this process, in MiB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
