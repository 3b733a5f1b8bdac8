"""Run benchmarks, and write docs/speed.csv and what is made of it: python -m benchmarks [NAME...].

Without a name those that take minutes together; `large` takes a quarter of an hour more: a collection of the size of MS
MARCO's dev set, grids of systems, long pages and the lab.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

from benchmarks import (
    calibrate,
    cluster,
    figures,
    grids,
    growth,
    holes,
    images,
    lab,
    large,
    long_pages,
    mixed,
    pages,
    pairs,
    partitions,
    scoring,
    shards,
    startup,
    studentized,
)
from benchmarks.data import Data, prepare

# processes first, before this one grows: a child's peak memory counts its parent's pages
OF_RUNS: Mapping[str, Callable[[Data], Iterable[figures.Figure]]] = {
    "scoring": scoring.run,
    "robustness": shards.run,
    "pages": pages.run,
    "calibrate": calibrate.run,
    "holes": holes.run,
    "images": images.run,
    "cluster": cluster.run,
    "in memory": scoring.alone,
    "pairs": pairs.run,
    "partitions": partitions.run,
}
OTHERS: Mapping[str, Callable[[], Iterable[figures.Figure]]] = {
    "startup": startup.run,
    "growth": growth.run,
    "mixed": mixed.run,
    "studentized": studentized.run,
}
LARGE: Mapping[str, Callable[[], Iterable[figures.Figure]]] = {
    "MS MARCO size": large.run,
    "grids": grids.run,
    "long pages": long_pages.run,
    "lab": lab.run,
}


def main(names: list[str]) -> None:
    """Run what is named, print every figure and keep it."""
    others = {**OTHERS, **LARGE}
    chosen = [name for name in names if name != "large"] + (list(LARGE) if "large" in names else [])
    chosen = chosen or [*OF_RUNS, *OTHERS]
    if unknown := set(chosen) - {*OF_RUNS, *others}:
        sys.exit(f"no benchmark is called {', '.join(unknown)}; there are {', '.join([*OF_RUNS, *others])}")
    measured = {}
    with tempfile.TemporaryDirectory() as folder:
        data = prepare(Path(folder)) if any(name in OF_RUNS for name in chosen) else None
        for name in chosen:
            found = others[name]() if data is None or name in others else OF_RUNS[name](data)
            measured[name] = figures.show(name, found)
    figures.keep(measured)


if __name__ == "__main__":
    main(sys.argv[1:])
