"""The page of frames, from their contract: docs/frames.md, which `python -m website.frames` writes anew."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from irgauge.studies.frame_columns import FrameColumn
from irgauge.studies.frames import FRAMES, PAIRS, SYSTEMS, VERSION, Rows
from irgauge.studies.registry import studies

PAGE = Path(__file__).parents[1] / "docs" / "frames.md"
_INTRO = f"""# Frames

`result.frame()` gives the main rows of a result as a polars data frame, `result.frame("systems")` those of another
name; `result.frames` names them all. CSV and Parquet (`save`, `-o`) hold the main rows, the same in both, and rows in
JSON have the same names. This page is the contract, version {VERSION}, made from `irgauge.studies.frames`; JSON says it
as `schema`.

- A frame has the same columns in the same order and of the same types, whatever was asked for. A cell is null where
  there is nothing: what was not asked for, what a test does not give, a number that is not finite.
- Rows of pairs start with the same {len(PAIRS)} columns in all studies, rows of systems with the same {len(SYSTEMS)}.
  A difference is always *system* minus *against*.
- All populations are in one frame, that asked for first: choose with `population`.
- `p` is of the pair alone. `p_adjusted` is adjusted for the family, and is what `alpha` is held against. A test of all
  pairs together (Tukey's, max-t) gives no p of a pair alone: `p` is null, but for two systems, where it is the same.
- The version is raised where a column goes, or changes its name, type or meaning. New columns come at the end, and new
  frames may come, without that.
- Types: text is `String`, number `Float64`, count `Int64`, yes or no `Boolean`.
"""


def page() -> str:
    """The rules, the columns that many frames share, then those of each study."""
    return "\n".join([_INTRO, *_shared(), *(part for name in studies() if name in FRAMES for part in _study(name))])


def _shared() -> Iterator[str]:
    compare = FRAMES["compare"]
    yield "## Rows of pairs\n"
    yield _table(compare["pairs"].columns[: len(PAIRS)])
    yield "## Rows of systems\n"
    yield _table(compare["systems"].columns[: len(SYSTEMS)])


def _study(study: str) -> Iterator[str]:
    yield f"## {study}\n"
    for place, (name, rows) in enumerate(FRAMES[study].items()):
        head = _head(rows)
        first = ", the main frame" if place == 0 else ""
        shared = {PAIRS: " After the columns of all rows of pairs:", SYSTEMS: " After those of all rows of systems:"}
        yield f"**{name}**{first}: a row is {rows.of}.{shared.get(head, '')}\n"
        yield _table(rows.columns[len(head) :])


def _head(rows: Rows) -> tuple[str, ...]:
    """The columns that rows of their kind share."""
    return next((head for head in (PAIRS, SYSTEMS) if rows.names[: len(head)] == head), ())


def _table(columns: tuple[FrameColumn, ...]) -> str:
    lines = [f"| `{column.name}` | {column.holds} | {column.meaning} |" for column in columns]
    return "\n".join(["| column | holds | meaning |", "|---|---|---|", *lines, ""])


if __name__ == "__main__":
    PAGE.write_text(page())
