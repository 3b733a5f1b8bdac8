"""Run the study, and write docs/tests-of-means.md: python -m benchmarks.tests_of_means; --help says what else."""

from __future__ import annotations

import argparse
from collections.abc import Iterator

from benchmarks.tests_of_means import page, table
from benchmarks.tests_of_means.running import study
from benchmarks.tests_of_means.scores import folder
from benchmarks.tests_of_means.table import Row

_QUICK = 0.02  # of all trials


def main() -> None:
    """Run all; a quick run is printed, a full one is kept."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="few trials; prints the page, writes nothing")
    parser.add_argument("--page", action="store_true", help="run nothing; write the page again, from the table")
    asked = parser.parse_args()
    if asked.page:
        page.write(table.read())
        return
    rows = list(_told(study(folder(), _QUICK if asked.quick else 1.0)))
    if asked.quick:
        print(page.text(rows))
    else:
        table.write(rows)
        page.write(table.read())


def _told(rows: Iterator[Row]) -> Iterator[Row]:
    """The same rows; says what each took."""
    for row in rows:
        if row.cpu_seconds:
            kind = f"{row.what} {row.measure} {row.topics} topics, {row.difference:g}"
            print(f"{row.cpu_seconds:7.1f} s CPU, {row.seconds:7.1f} s: {kind}", flush=True)
        yield row


if __name__ == "__main__":
    main()
