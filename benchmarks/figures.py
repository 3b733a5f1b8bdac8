"""What the benchmarks measure: printed, kept in docs/speed.csv, from where docs/speed.md and README.md have it."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Literal

ROOT = Path(__file__).parents[1]
TABLE = ROOT / "docs" / "speed.csv"
PAGE, TEMPLATE = ROOT / "docs" / "speed.md", Path(__file__).with_name("speed.md")
README = ROOT / "README.md"
_MARKS = "<!-- speed -->\n", "<!-- end of speed -->\n"  # around what README.md takes from the template
_SECOND = 1000  # ms
PEERS = ("numba", "pytrec_eval-terrier", "ir_measures", "ranx", "scipy", "statsmodels")


@dataclass(frozen=True)
class Figure:
    """A figure, with what was asked of it, if anything."""

    name: str
    value: float
    unit: str  # s, ms, MiB or times
    asked: float | None = None
    side: Literal["at most", "at least"] = "at most"

    @property
    def is_met(self) -> bool:
        """Whether it is as asked."""
        return self.asked is None or (self.value <= self.asked if self.side == "at most" else self.value >= self.asked)

    @property
    def bound(self) -> str:
        """What was asked."""
        return "" if self.asked is None else f"{self.side} {self.asked:,g}"

    @property
    def shown(self) -> str:
        """The value with its unit, milliseconds as seconds where they are many."""
        is_long = self.unit == "ms" and self.value >= _SECOND
        return f"{rounded(self.value / _SECOND)} s" if is_long else f"{rounded(self.value)} {self.unit}"


def rounded(value: float) -> str:
    """To two digits, or to whole numbers."""
    return f"{value:,.0f}" if value >= 10 else f"{float(f'{value:.2g}'):g}"  # two digits


def times(name: str, first: Figure, second: Figure, asked: float | None = None) -> Figure:
    """How many times as much the first is as the second."""
    return Figure(name, first.value / second.value, "times", asked)


def show(benchmark: str, figures: Iterable[Figure]) -> list[Figure]:
    """Print figures as they come."""
    print(f"\n{benchmark}:", flush=True)
    shown = []
    for figure in figures:
        asked = f"  ({figure.bound}{'' if figure.is_met else ': not met'})" if figure.asked is not None else ""
        print(f"  {figure.name:<60} {figure.value:10.4g} {figure.unit}{asked}", flush=True)
        shown.append(figure)
    return shown


def versions() -> dict[str, str]:
    """Of the peers."""
    return {peer: version(peer) for peer in PEERS}


def keep(measured: Mapping[str, Sequence[Figure]]) -> None:
    """Write the table, in which benchmarks that did not run keep their rows, and the pages made of it."""
    figures = {**(stored() if TABLE.exists() else {}), **measured}
    with TABLE.open("w", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["benchmark", "figure", "value", "unit", "asked"])
        for peer, number in versions().items():
            writer.writerow(["version", peer, number, "", ""])
        for benchmark in sorted(figures):
            for each in figures[benchmark]:
                writer.writerow([benchmark, each.name, f"{each.value:.4g}", each.unit, each.bound])
    write_pages()


def stored() -> dict[str, list[Figure]]:
    """The figures of the table, by benchmark."""
    figures: dict[str, list[Figure]] = {}
    for row in _rows():
        if row["benchmark"] != "version":
            figures.setdefault(row["benchmark"], []).append(_figure(row))
    return figures


def _figure(row: Mapping[str, str]) -> Figure:
    side, _, asked = row["asked"].rpartition(" ")
    figure = Figure(row["figure"], float(row["value"]), row["unit"])
    if not asked:
        return figure
    return Figure(*(figure.name, figure.value, figure.unit), float(asked.replace(",", "")), _side(side))


def _side(said: str) -> Literal["at most", "at least"]:
    return "at least" if said == "at least" else "at most"


def _rows() -> list[dict[str, str]]:
    with TABLE.open(newline="") as file:
        return list(csv.DictReader(file))


def page() -> str:
    """docs/speed.md: the template, in which {a name} is a figure with its unit."""
    figures = [figure for each in stored().values() for figure in each]
    values = {figure.name: figure.shown for figure in figures}
    values |= {f"version of {row['figure']}": row["value"] for row in _rows() if row["benchmark"] == "version"}
    asked = "".join(_row(figure) for figure in figures if figure.asked is not None)
    return TEMPLATE.read_text().format_map(_Shown(values | {"all that is asked": asked}))


class _Shown(dict[str, str]):
    """What the page has, and a dash for what was not measured yet."""

    def __missing__(self, name: str) -> str:
        return "–"


def _row(figure: Figure) -> str:
    return f"| {figure.name} | {figure.shown} | {figure.bound} | {'yes' if figure.is_met else '**no**'} |\n"


def readme() -> str:
    """README.md with the first table of the page."""
    before, rest = README.read_text().split(_MARKS[0])
    after = rest.split(_MARKS[1])[1]
    lines = page().splitlines(keepends=True)
    first = next(i for i, line in enumerate(lines) if line.startswith("|"))
    last = next(i for i in range(first, len(lines)) if not lines[i].startswith("|"))
    return "".join([before, _MARKS[0], *lines[first:last], _MARKS[1], after])


def write_pages() -> None:
    """Both pages."""
    PAGE.write_text(page())
    README.write_text(readme())


if __name__ == "__main__":
    write_pages()
