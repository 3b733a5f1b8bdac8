"""Count the rates of docs/why-tests-disagree.csv, and write the page of them, docs/why-tests-disagree.md.

`python -m benchmarks.tests_of_means.disagreement` takes three minutes of one core, and no data.
"""

from __future__ import annotations

import argparse
import csv
from collections.abc import Iterator, Sequence
from pathlib import Path

from benchmarks.tests_of_means import ROOT, rates
from benchmarks.tests_of_means.decisions import TESTS
from benchmarks.tests_of_means.nulls import FAMILIES, SHAPES
from benchmarks.tests_of_means.rates import (
    ALPHA,
    FALSE_SHARE,
    FAMILY,
    FAMILY_ERROR,
    FAMILY_POWER,
    METHODS,
    OF_FAMILIES,
    PAIR,
    PAIR_POWER,
    POWER_TOPICS,
    TOPICS,
    Rate,
)
from irgauge.papers.which_test.claims import CLAIMS

PAGE = ROOT / "docs" / "why-tests-disagree.md"
VERDICTS = ROOT / "tests" / "oracles" / "trec8_verdicts.csv"  # of `irgauge reproduce` on TREC-8
_HEAD, _END = (
    Path(__file__).with_name(name).read_text(encoding="utf-8").strip()
    for name in ("disagreement_head.md", "disagreement_end.md")
)
_LIMITED = (PAIR, FAMILY, FAMILY_ERROR, FALSE_SHARE)  # rates that α is to limit
_BEYOND = 3  # Monte Carlo errors
_QUICK = 0.02  # of all trials


def main() -> None:
    """Run all; a quick run is printed, a full one is kept."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="few trials; prints the page, writes nothing")
    parser.add_argument("--page", action="store_true", help="run nothing; write the page again, from the table")
    options = parser.parse_args()
    if options.quick:
        print(text(list(rates.counted(_QUICK))))
        return
    if not options.page:
        rates.write(list(rates.counted()))
    PAGE.write_text(text(rates.read()), encoding="utf-8")


def text(rows: Sequence[Rate]) -> str:
    """The page."""
    return "\n\n".join([_HEAD.replace("CLAIMS", _claims()), *_pairs(rows), *_families(rows), _END]) + "\n"


def _claims() -> str:
    """Whether each claim holds in the worlds of TREC-8, a line each."""
    holds: dict[tuple[str, str], list[str]] = {}
    with VERDICTS.open(newline="") as file:
        for row in csv.DictReader(file):
            paper, _, which = row["table"].partition("/")
            if which == "claims" and paper in CLAIMS:
                claim = row["value"].rpartition(" · ")[0]
                holds.setdefault((paper, claim), []).append("yes" if row["verdict"] == "exact" else "**no**")
    return "\n".join(f"| `{paper}` | {claim} | {' | '.join(cells)} |" for (paper, claim), cells in holds.items())


def _pairs(rows: Sequence[Rate]) -> Iterator[str]:
    trials = next(row.trials for row in rows if row.what == PAIR)
    yield "## Two equal systems that are called different"
    yield (
        f"Percent of {trials:,} experiments at α = {ALPHA:g}. **Bold**: too often, by more than {_BEYOND} Monte Carlo "
        "errors."
    )
    lines = [
        (shape, SHAPES[shape].null, str(topics), *(_cell(rows, PAIR, shape, topics, test) for test in TESTS))
        for shape in SHAPES
        for topics in TOPICS
    ]
    yield _table(("differences", "what holds", "topics", *TESTS), lines)
    yield "## Where one of two systems is better"
    yield (
        f"Percent found with {POWER_TOPICS} topics and a difference of 0.4 standard deviations. A test that errs where "
        "systems are equal finds more here for the same reason, so that only the rows of symmetric differences compare "
        "powers."
    )
    lines = [
        (shape, SHAPES[shape].null, *(_cell(rows, PAIR_POWER, shape, POWER_TOPICS, test) for test in TESTS))
        for shape in SHAPES
    ]
    yield _table(("differences", "what holds", *TESTS), lines)


def _families(rows: Sequence[Rate]) -> Iterator[str]:
    trials = next(row.trials for row in rows if row.what == FAMILY)
    yield "## Five systems, all ten pairs"
    yield (
        f"Percent of {trials:,} experiments with any claim, where all five are equally good. Exchangeable: all have "
        "the same skewed noise. Symmetric: normal noise, of unequal spread. Equal means: skewed noise, of unequal "
        "spread and in both directions."
    )
    lines = [
        (null, str(topics), *(_cell(rows, FAMILY, null, topics, method) for method in METHODS))
        for null in FAMILIES
        for topics in OF_FAMILIES
    ]
    yield _table(("what holds", "topics", *METHODS), lines)
    yield (
        f"The same with {POWER_TOPICS} topics, where two systems are better than the others by 0.6 standard "
        "deviations: experiments with any false claim, which Benjamini and Hochberg's correction does not limit; the "
        "false share of claims, which it does; and the true differences found."
    )
    lines = [
        (null, short, *(_cell(rows, what, null, POWER_TOPICS, method) for method in METHODS))
        for null in FAMILIES
        for what, short in (
            (FAMILY_ERROR, "any false claim"),
            (FALSE_SHARE, "false share"),
            (FAMILY_POWER, "found"),
        )
    ]
    yield _table(("what holds", "percent of", *METHODS), lines)


def _cell(rows: Sequence[Rate], what: str, shape: str, topics: int, method: str) -> str:
    """A rate in percent, bold where it is above α and α is its limit."""
    key = (what, shape, topics, method)
    (row,) = (row for row in rows if row[:4] == key)
    shown = f"{100 * row.rate:.1f}"
    is_limited = what in _LIMITED and not (what == FAMILY_ERROR and method.endswith(", bh"))
    return f"**{shown}**" if is_limited and row.rate > ALPHA + _BEYOND * row.error else shown


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


if __name__ == "__main__":
    main()
