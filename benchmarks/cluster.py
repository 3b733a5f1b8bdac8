"""A bootstrap on workers of Dask, against threads: what it costs to send tasks and results, and memory of a worker."""

from __future__ import annotations

import resource
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import irgauge
from benchmarks.clock import best_of
from benchmarks.data import Data
from benchmarks.figures import Figure, times
from irgauge.cluster.connecting import connected

_IMAGES = (1000, 4000)
_MEASURES = ("AP", "nDCG@10")


def run(data: Data, rounds: int = 2) -> Iterator[Figure]:
    """Threads, and worker processes of one thread each that are there already."""
    runs = irgauge.load(data.qrels, list(data.runs), warn=False)
    with connected("local:2") as (both, _):
        _asked(runs, _IMAGES[0], scheduler=both)  # loads the compiled code
        for images in _IMAGES:
            peers: dict[str, Callable[[], object]] = {
                "two threads": partial(_asked, runs, images, workers=2),
                "two workers": partial(_asked, runs, images, scheduler=both),
            }
            seconds = best_of(peers, rounds)
            threads, workers = (Figure(f"{images:,} images with {name}", seconds[name], "s") for name in peers)
            yield from (threads, workers)
            yield times(f"two workers over two threads, {images:,} images", workers, threads, 1.1)
        peaks = both.run(_peak)
    yield Figure("memory of one of two workers", max(peaks.values()), "MiB")


def _asked(runs: irgauge.Collection, images: int, **how: Any) -> object:  # noqa: ANN401  # options
    return irgauge.bootstrap(runs, _MEASURES, images=images, **how).standard_error


def _peak() -> float:
    """The largest memory of this process, in MiB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
