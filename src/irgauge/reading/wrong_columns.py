"""Words on lines of TREC files that have too few columns, or too many."""

from __future__ import annotations

import re
from collections.abc import Sequence

from irgauge.reading.textfile import TextFile

RUN = "a run has 6: topic Q0 docno rank score tag"
QRELS = "qrels have 4: topic 0 docno grade (or 5, with strata: topic 0 docno stratum grade)"
_NUMBER = re.compile(r"[+-]?[0-9.]+(e[+-]?[0-9]+)?", re.IGNORECASE)


def what_lacks(fields: Sequence[str]) -> str:
    """A word on lines of four or five fields: judgments, or runs without one of their columns."""
    if len(fields) not in (4, 5):
        return ""
    if _NUMBER.fullmatch(fields[-1]) and "." not in fields[-1] and not _NUMBER.fullmatch(fields[2]):
        return "; this looks like a qrels file: name the qrels first, then the runs"
    if fields[1] in ("Q0", "0"):
        return "; the tag, the rank or the score is missing: write all six columns"
    return "; the second column, Q0, seems to be missing: write it between topic and docno"


def separated(file: TextFile) -> str:
    """A word on lines whose fields are between commas."""
    line = " ".join(file.first_line())
    mark = max(",;|", key=line.count)
    if line.count(mark) < 2:
        return ""
    return f"; this looks like a table with '{mark}', whose first line must name the columns, as query_id,doc_id,score"


def left_out(file: TextFile, tag: str | None) -> str:
    """A word on columns after the tag; a space in a docno or in a topic, which moves all columns, is refused."""
    if tag is None or _NUMBER.fullmatch(tag):
        moved = f"; more are left out where the sixth is one tag on all lines, and it is {_sixth(tag)}"
        raise file.wrong_width(0, file.width, RUN + moved + ": is there a space in a topic, a docno or a tag?")
    more = file.width - 6
    return f"{'1 column' if more == 1 else f'{more} columns'} after the tag left out"


def _sixth(tag: str | None) -> str:
    return "not the same on all lines" if tag is None else f"the number {tag}"
