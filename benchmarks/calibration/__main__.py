"""Try everything, and write docs/calibration.md: python -m benchmarks.calibration; --help says what else."""

from __future__ import annotations

import argparse

from benchmarks.calibration import page, table
from benchmarks.calibration.cells import Asked
from benchmarks.calibration.groups import GROUPS
from benchmarks.calibration.running import try_all

_QUICK = 0.05, 5  # of all draws; of cells, one in so many


def main() -> None:
    """Try the groups asked for; a quick try is printed, a full one is kept with what other groups found before."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="few draws; prints the page, writes nothing")
    parser.add_argument("--group", action="append", choices=GROUPS, help="only this group (repeatable)")
    parser.add_argument("--world", action="append", help="only this world, of these groups (repeatable)")
    parser.add_argument("--method", action="append", help="only methods whose names begin so (repeatable)")
    parser.add_argument("--share", type=float, default=1.0, help="of all draws")
    parser.add_argument("--page", action="store_true", help="try nothing; write the page again, from the table")
    options = parser.parse_args()
    if options.page:
        page.write(table.merged([], Asked(())))
        return
    asked = Asked(options.group or list(GROUPS), options.world, options.method)
    share, step = _QUICK if options.quick else (options.share, 1)
    rows = try_all(asked, share, step)
    if options.quick:
        print(page.text(rows))
    else:
        page.write(table.merged(rows, asked))


if __name__ == "__main__":
    main()
