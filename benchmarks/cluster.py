"""A bootstrap on workers of Dask, against threads: what it costs to send tasks and results, and memory of a worker."""

from __future__ import annotations

import resource
import tempfile
from functools import partial
from pathlib import Path
from typing import Any

import irgauge
from benchmarks import passages
from benchmarks.clock import best_of
from benchmarks.data import Data
from irgauge.cluster.connecting import connected

_IMAGES = 1000
_IMAGES_OF_LARGE = 512
_MEASURES = ("AP", "nDCG@10")


def run(data: Data, rounds: int = 3) -> None:
    """Threads, and worker processes of one thread each that are there already; on small data, and on large."""
    _compare(data, _IMAGES, 1.1, rounds)
    with tempfile.TemporaryDirectory() as folder:
        _compare(passages.write(Path(folder)), _IMAGES_OF_LARGE, 1.2, rounds)


def _compare(data: Data, images: int, at_most: float, rounds: int) -> None:
    runs = irgauge.load(data.qrels, list(data.runs), warn=False)

    def ask(**how: Any) -> object:  # noqa: ANN401  # options
        return irgauge.bootstrap(runs, _MEASURES, images=images, **how).standard_error

    print(f"\n{images} images of {data.name}, {len(data.runs)} runs, {len(_MEASURES)} measures (best of {rounds}):")
    with connected("local:1") as (alone, _), connected("local:2") as (both, _):
        peers = {
            "1 thread": partial(ask, workers=1),
            "2 threads": partial(ask, workers=2),
            "1 worker": partial(ask, scheduler=alone),
            "2 workers": partial(ask, scheduler=both),
        }
        ask(scheduler=both)  # loads the compiled code
        times = best_of(peers, rounds)
        peaks = both.run(_peak)
    for name, seconds in times.items():
        print(f"  {name:<10} {seconds:7.2f} s   {seconds / times['2 threads']:5.2f} times 2 threads")
    told = f"2 workers at most {at_most} times"
    print(f"  (asked: {told}) a worker of the two holds at most {max(peaks.values()):,.0f} MiB")


def _peak() -> float:
    """The largest memory of this process, in MiB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
