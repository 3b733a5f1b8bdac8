"""Run all benchmarks: python -m benchmarks."""

from __future__ import annotations

import tempfile
from pathlib import Path

from benchmarks import (
    calibrate,
    cluster,
    grids,
    growth,
    holes,
    images,
    lab,
    large,
    long_pages,
    mixed,
    pages,
    partitions,
    scoring,
    shards,
    startup,
    studentized,
)
from benchmarks.data import prepare


def main() -> None:
    """Print every ratio."""
    startup.startup()
    with tempfile.TemporaryDirectory() as folder:
        data = prepare(Path(folder))
        scoring.processes(data)
        scoring.many_topics(Path(folder))
        shards.robustness_study(data)  # before this process grows: a child's peak memory counts its parent's pages
        pages.run(data)
        large.run(data)
        calibrate.run(data)
        holes.run(data)
        images.run(data)
        cluster.run(data)
        scoring.alone(data)
        partitions.run(data)
    long_pages.run()
    grids.run()
    growth.run()
    lab.run()
    mixed.run()
    studentized.run()


if __name__ == "__main__":
    main()
