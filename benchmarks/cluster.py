"""A bootstrap on workers of Dask, against threads: what it costs to send tasks and results, and memory of a worker."""

from __future__ import annotations

import resource
from collections.abc import Callable
from typing import Any

import irgauge
from benchmarks.clock import best_of
from benchmarks.data import Data
from irgauge.cluster.connecting import connected

_IMAGES = 1000
_MEASURES = ("AP", "nDCG@10")


def run(data: Data, rounds: int = 3) -> None:
    """Threads, and worker processes of one thread each that are there already."""
    runs = irgauge.load(data.qrels, list(data.runs), warn=False)
    print(f"\n{_IMAGES} images of {data.name}, {len(data.runs)} runs, {len(_MEASURES)} measures (best of {rounds}):")
    peers: dict[str, Callable[[], object]] = {
        f"{workers} thread{'s' * (workers > 1)}": lambda workers=workers: _asked(runs, workers=workers)  # type: ignore[misc]  # a default
        for workers in (1, 2)
    }
    with connected("local:1") as (alone, _), connected("local:2") as (both, _):
        peers |= {"1 worker": lambda: _asked(runs, scheduler=alone), "2 workers": lambda: _asked(runs, scheduler=both)}
        _asked(runs, scheduler=both)  # loads the compiled code
        times = best_of(peers, rounds)
        peaks = both.run(_peak)
    for name, seconds in times.items():
        print(f"  {name:<10} {seconds:7.2f} s   {seconds / times['2 threads']:5.2f} times 2 threads")
    print(f"  (asked: 2 workers at most 1.3 times) a worker of the two holds at most {max(peaks.values()):,.0f} MiB")


def _asked(runs: irgauge.Collection, **how: Any) -> object:  # noqa: ANN401  # options
    return irgauge.bootstrap(runs, _MEASURES, images=_IMAGES, **how).standard_error


def _peak() -> float:
    """The largest memory of this process, in MiB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
