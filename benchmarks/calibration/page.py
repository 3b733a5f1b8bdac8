"""The page docs/calibration.md: what was tried, what came out, and which method is for which claim."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from benchmarks.calibration import ROOT, claims
from benchmarks.calibration.cells import Group, Row, What
from benchmarks.calibration.groups import GROUPS

PAGE = ROOT / "docs" / "calibration.md"
HEAD = Path(__file__).with_name("head.md")  # what was done, how to read it, which method is for which claim
PROMISES: dict[What, str] = {
    "any pair": "any wrong pair: at most 5 %",
    "each pair": "each pair wrong: at most 5 %",
    "false alarm": "equal, but called worse: at most 2.5 %",
    "false discoveries": "false share of what is found: at most 5 %",
    "coverage": "interval holds the truth: at least 95 %",
    "power": "what is true is found",
    "assurance": "comes out as planned: at least 80 %",
    "any claim": "anything false: at most 10 %",
    "each claim": "false: at most 5 %",
}
_MARKS = {"liberal": "**{}**", "conservative": "_{}_", "kept": "{}", "unclear": "{} ?", "": "{}"}


class Claim(NamedTuple):
    """What a method promises."""

    method: str
    population: str
    what: What


def write(rows: Sequence[Row]) -> None:
    """Write the page."""
    PAGE.write_text(text(rows))


def text(rows: Sequence[Row]) -> str:
    """The page."""
    found = [group for group in GROUPS.values() if any(row.group == group.name for row in rows)]
    ordered = sorted(rows, key=lambda row: _sizes(row.design))  # the smallest design has all worlds, in their order
    sections = [_section(group, [row for row in ordered if row.group == group.name]) for group in found]
    return "\n\n".join([HEAD.read_text().strip(), every_claim(rows), *sections]) + "\n"


def every_claim(rows: Sequence[Row]) -> str:
    """The verdict on every sentence that claims something."""
    return "\n\n".join([claims.TITLE, claims.TEXT, _table(claims.HEAD, merged(list(claims.lines(rows)), 1))])


def _section(group: Group, rows: Sequence[Row]) -> str:
    return "\n\n".join([f"## {group.title}", group.text, _glance(rows)])


def _claims(rows: Sequence[Row]) -> list[Claim]:
    return list(dict.fromkeys(Claim(row.method, row.population, row.what) for row in rows))


def _of(rows: Sequence[Row], claim: Claim) -> list[Row]:
    return [row for row in rows if Claim(row.method, row.population, row.what) == claim]


def _glance(rows: Sequence[Row]) -> str:
    """A line a method: the range of what was observed, and where it does not keep its promise."""
    head = ("method", "population", "promise", "lowest", "highest", "verdict")
    return _table(head, merged([_summary(claim, _of(rows, claim)) for claim in _claims(rows)], 0))


def merged(lines: Sequence[Sequence[str]], column: int) -> list[Sequence[str]]:
    """Lines that differ in one column alone are one; those of what is liberal stay apart, as tests count them.

    >>> merged([("a", "1"), ("b", "2"), ("c", "1")], 0)
    [('a, c', '1'), ('b', '2')]
    """
    alike: dict[tuple[str, ...], list[str]] = {}
    for line in lines:
        others = (*line[:column], *line[column + 1 :])
        alike.setdefault(others if not line[-1].startswith("liberal") else (*others, line[column]), []).append(
            line[column]
        )
    width = len(lines[0]) - 1
    return [
        (*others[:column], ", ".join(dict.fromkeys(names)), *others[column:width]) for others, names in alike.items()
    ]


def _summary(claim: Claim, rows: Sequence[Row]) -> tuple[str, ...]:
    known = [row for row in rows if not math.isnan(row.observed)]
    if not known:
        return (claim.method, claim.population, PROMISES[claim.what], "", "", "no answer")
    low, high = min(known, key=lambda row: row.observed), max(known, key=lambda row: row.observed)
    return (claim.method, claim.population, PROMISES[claim.what], _cell(low), _cell(high), verdict(known))


def verdict(rows: Sequence[Row]) -> str:
    """What is said of a method over all cells: never that it keeps its promise if it fails in any."""
    if math.isnan(rows[0].nominal):
        return ""
    counts = Counter(row.verdict for row in rows)
    if counts["liberal"]:
        worst = max((row for row in rows if row.verdict == "liberal"), key=lambda row: abs(row.observed - row.nominal))
        return f"liberal in {counts['liberal']} of {len(rows)}, most in: {worst.world}, {worst.design}"
    kept = "keeps its promise where that can be told" if counts["unclear"] else "keeps its promise"
    few = f"; too few draws in {counts['unclear']} of {len(rows)}" if counts["unclear"] else ""
    careful = f"; conservative in {counts['conservative']} of {len(rows)}" if counts["conservative"] else ""
    return f"{kept}{few}{careful}"


def _sizes(design: str) -> tuple[list[int], str]:
    """Designs in the order of their numbers."""
    return [int(one) for one in "".join(c if c.isdigit() else " " for c in design).split()], design


def _cell(row: Row) -> str:
    if math.isnan(row.observed):
        return "no answer"
    shown = _MARKS[row.verdict].format(f"{100 * row.observed:.1f} ± {100 * row.error:.1f}")
    total = row.trials + row.refused
    return shown if not row.refused else f"{shown} (no answer in {row.refused / total:.0%})"


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)
