"""The page of what papers describe, from papers.txt: docs/papers.md, which `python -m website.papers` writes."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from irgauge.papers.published import papers
from website.markup import code, prose, table

RECORDS = Path(__file__).with_name("papers.txt")
PAGE = Path(__file__).parents[1] / "docs" / "papers.md"


@dataclass(frozen=True)
class Described:
    """Something that a section of a paper describes: the command that does it and its test, or why there is none."""

    paper: str
    section: str
    what: str
    command: str
    test: str  # a file or folder of tests
    reason: str

    @property
    def state(self) -> str:
        """Whether it works."""
        return "no" if not self.command else "partly" if self.reason else "yes"


def records() -> Iterator[Described]:
    """All records, in the order of the papers; `\\|` is a bar in a cell."""
    for line in RECORDS.read_text(encoding="utf-8").splitlines():
        if not line.startswith("#"):
            cells = [cell.strip().replace("\\|", "|") for cell in re.split(r"(?<!\\)\|", line)]
            yield Described(*cells)


def page() -> str:
    """How much works, then a table for each paper."""
    rows = list(records())
    return "\n".join(
        [_intro(rows), *(part for key in dict.fromkeys(row.paper for row in rows) for part in _paper(key))]
    )


def _intro(rows: list[Described]) -> str:
    counts = {state: sum(row.state == state for row in rows) for state in ("yes", "partly", "no")}
    return f"""# What the papers describe, section by section

What the papers behind irgauge describe, the command that does it, and the test that holds it. Of {len(rows)} things
{counts["yes"]} work, {counts["partly"]} partly, and {counts["no"]} not; the reason stands there. `qrels` and `runs`
stand for your files, and so do other names. [The papers, value by value](reproduction.md) has every printed number.
"""


def _paper(key: str) -> Iterator[str]:
    own = [row for row in records() if row.paper == key]
    yield f"## {papers()[key].short}\n"
    yield prose(papers()[key].reference) + "\n"
    yield table(["section", "what", "works", "command", "test", "why not, or not wholly"], map(_cells, own))


def _cells(row: Described) -> Sequence[str]:
    command = code(f"irgauge {row.command}") if row.command else ""
    test = code(f"tests/{row.test}") if row.test else ""
    return row.section, prose(row.what), row.state, command, test, prose(row.reason)


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
