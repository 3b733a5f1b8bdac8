"""A comparison as a comment on GitHub: the answer, a table of verdicts, cautions, the method, within its limits."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from irgauge.show.document import said
from irgauge.show.escapes import markdown_text
from irgauge.show.table import Table
from irgauge.studies.compare.answers import answers
from irgauge.studies.compare.paper_sentences import warnings_of
from irgauge.studies.compare.slice_findings import slices_told
from irgauge.studies.compare.slice_tables import slice_table
from irgauge.studies.compare.study import Compared
from irgauge.studies.compare.tables import pair_table

_MOST_ROWS = 50
_LONGEST = 60_000  # characters: GitHub takes comments of 65,536
_LONGEST_PART = 2_000  # characters of a sentence, before signs are written out
_LEFT_OUT = ("statistic", "effect", "won", "effective_topics", "could_find")


def github(result: Compared) -> str:
    """What fits, the most important first; what is left out is said."""
    text = "### irgauge compare\n"
    is_whole = True
    for part in _parts(result):
        fits = len(text) + len(part) < _LONGEST
        text += f"\n{part}\n" if fits else ""
        is_whole &= fits
    return text if is_whole else f"{text}\nWhat was too long for a comment is left out.\n"


def _parts(result: Compared) -> Iterator[str]:
    nouns = result.nouns
    for compared in result.each:
        yield f"**{_sentence(nouns.said(next(answers(compared)).text))}**"
    yield from (f"- {_sentence(said(finding))}" for finding in warnings_of(result.findings()))
    pairs = pair_table(result.each).without(*_LEFT_OUT)
    yield _first_rows(replace(pairs, nouns=nouns), "pairs").to_markdown().rstrip()
    kinds = [finding for finding in slices_told(result) if finding.kind == "slices"]  # notes of them stand above
    yield from (f"- {_sentence(nouns.said(finding.text))}" for finding in kinds)
    for table in slice_table(result.each):
        yield _first_rows(replace(table, nouns=nouns), "slices").to_markdown().rstrip()
    yield f"*Method:* {_sentence(nouns.said(result.provenance.text))}."


def _sentence(text: str) -> str:
    return markdown_text(text if len(text) <= _LONGEST_PART else f"{text[:_LONGEST_PART]} …")


def _first_rows(table: Table, name: str) -> Table:
    """Verdicts, those of the best system first; where they are many, the first of them."""
    if len(table.rows) <= _MOST_ROWS:
        return table
    more = f"{len(table.rows) - _MOST_ROWS:,} more pairs: --table {name}."
    return replace(table.with_rows(table.rows[:_MOST_ROWS]), notes=(more, *table.notes))
