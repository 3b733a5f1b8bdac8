"""A reproduction as tables: what there is, how each table came out, and every value."""

from __future__ import annotations

import textwrap
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

from irgauge.papers.entry import Entry
from irgauge.papers.judging import CONFIDENCE, Judged, Verdict
from irgauge.papers.published import Printed, papers
from irgauge.papers.reproduce import Outcome
from irgauge.papers.sources import SOURCES
from irgauge.present import sentences, tables
from irgauge.present.sentences import counted, listed
from irgauge.present.tables import Cell, Table

RULE = (
    "exact: our value rounds to the printed digits, or a statement holds; within sampling: ours is a mean over draws, "
    f"and the printed value is inside the interval for it (Student's t, {CONFIDENCE:.0%} for all values of a table "
    "together); z: what rounding leaves of the difference, in its standard errors; differs: neither; needs data: not "
    "computed."
)
_VALUES = ("data", "value", "printed", "ours", "difference", "z", "verdict")
_SAID = ("stated", "holds")  # columns of statements


def place(name: str) -> str:
    """A table as readers call it: the paper's short name, and which table."""
    key, _, which = name.partition("/")
    return f"{papers()[key].short}, {which.replace('-', ' ').capitalize()}"


def list_text(entries: Iterable[Entry], width: int) -> str:
    """All tables and figures for a terminal: a paragraph each."""
    blocks = [
        "\n".join(
            [
                f"{entry.name}  ({', '.join(entry.needs)})",
                *_indented(f"{entry.exhibit.shows}.", width),
                *_indented(f"Method: {entry.method}.", width),
                *(line for file, what in entry.files.items() for line in _indented(f"File {file}: {what}.", width)),
            ]
        )
        for entry in entries
    ]
    return "\n\n".join(blocks) + "\n"


def _indented(text: str, width: int) -> list[str]:
    return textwrap.wrap(text, width, initial_indent="  ", subsequent_indent="  ")


def list_table(entries: Iterable[Entry]) -> Table:
    """All tables and figures that can be computed again."""
    rows = tuple((entry.name, entry.exhibit.shows, entry.method, _data(entry)) for entry in entries)
    caption = f"{len(rows)} tables and figures of {len({row[0].partition('/')[0] for row in rows})} papers."
    return Table("Tables and figures", ("name", "shows", "method", "data"), rows, caption)


def _data(entry: Entry) -> str:
    """The test collections of an entry, with the files that it takes beside judgments and runs."""
    return ", ".join(f"{key} ({', '.join(files)})" if files else key for key, files in entry.needs.items())


def summary_table(outcomes: Sequence[Outcome]) -> Table:
    """How each table came out."""
    rows = tuple((one.entry.name, *_counts(one), _largest_z(one), str(one.verdict)) for one in outcomes)
    total = [sum(one.counts[verdict] for one in outcomes) for verdict in Verdict]
    told = [f"{count:,} {verdict}" for count, verdict in zip(total, Verdict, strict=True) if count]
    title = f"Of {counted(sum(total), 'printed value')}: {', '.join(told)}"
    columns = ("table", *map(str, Verdict), "largest z", "verdict")
    caption = (
        "Numbers of printed values by verdict, the largest z (without its sign) of those within sampling, and the "
        f"worst verdict of what was computed. {RULE}"
    )
    return Table(title, columns, rows, caption, decimals=1)


def _counts(outcome: Outcome) -> list[int]:
    return [outcome.counts[verdict] for verdict in Verdict]


def _largest_z(outcome: Outcome) -> float | None:
    """Of the values within sampling."""
    within = [abs(one.z) for one in outcome.values if one.verdict == Verdict.SAMPLING and one.z is not None]
    return max(within, default=None)


def value_table(outcome: Outcome) -> Table:
    """Every printed value beside ours."""
    entry = outcome.entry
    rows = tuple(map(_row, outcome.values))
    title = f"{place(entry.name)} ({entry.name}): {outcome.verdict}"
    seed = "" if outcome.seed is None else f"; seed {outcome.seed}"
    return Table(title, _VALUES, rows, f"{entry.exhibit.shows}. Method: {entry.method}{seed}.", decimals=2)


def needs_table(outcomes: Sequence[Outcome]) -> Table | None:
    """The data that are not there: what they are, how to get them, how to lay them out."""
    values = Counter(
        value.printed.collection for one in outcomes for value in one.values if value.verdict == Verdict.NEEDS
    )
    if not values:
        return None
    rows = tuple((key, count, _how(key, outcomes)) for key, count in values.items())
    caption = "Folders are those of --data; files may be compressed. Values are those that need what is not there."
    return Table("Data that are not there", ("folder", "values", "what, from where, laid out how"), rows, caption)


def _how(key: str, outcomes: Sequence[Outcome]) -> str:
    files = {file: one.entry.files[file] for one in outcomes for file in one.entry.needs.get(key, ())}
    layout = "".join(f"; {key}/{file}: {what}" for file, what in files.items())
    return f"{SOURCES[key].title}: {SOURCES[key].obtain}; {key}/qrels, {key}/runs/{layout}"


def render(outcomes: Sequence[Outcome], form: str, width: int) -> str:
    """Every table with its remarks, then the data that are not there, and how each table came out."""
    parts = []
    for outcome in outcomes:
        parts.append(tables.render([value_table(outcome)], form, width=width))
        if told := remarks(outcome):
            parts.append(sentences.render(told, form, width=width))
    last = [table for table in (needs_table(outcomes), summary_table(outcomes)) if table is not None]
    return "\n".join([*parts, tables.render(last, form, width=width)])


def flat_table(outcomes: Sequence[Outcome]) -> Table:
    """Every printed value of every table, in full precision."""
    rows = tuple(
        (one.entry.name, *_head(value), value.ours, value.difference, value.z, str(value.verdict), value.reason)
        for one in outcomes
        for value in one.values
    )
    return Table("All printed values", ("table", *_VALUES, "reason"), rows, RULE)


def _row(value: Judged) -> tuple[Cell, ...]:
    return (*_head(value), shown(value), _difference(value), value.z, str(value.verdict))


def _head(value: Judged) -> tuple[str, str, str]:
    printed = value.printed
    return printed.collection, label(printed), printed.text


def label(printed: Printed) -> str:
    """The name of a value in its table: such as row and column, or what is stated."""
    return " · ".join(printed.key[:-1] if printed.key[-1] in _SAID else printed.key)


def shown(value: Judged) -> str:
    """Our value in the form of the printed one; a mean over draws with one digit more."""
    number, ours = value.printed.number, value.ours
    if ours is None:
        return "–"
    if number is None:
        return "yes" if ours else "no"
    text = value.printed.text.lstrip("<")
    mantissa, power, _ = text.rstrip("%").partition("e")
    decimals = len(mantissa.partition(".")[2]) + (value.z is not None)
    if power or 0 < abs(ours) < number.unit / 2:
        return f"{ours:.{max(1, decimals)}e}"
    sign, percent = "+" if text[0] in "+-" else "", "%" if text.endswith("%") else ""
    return f"{ours:{sign}.{decimals}f}{percent}"


def _difference(value: Judged) -> Cell:
    return None if value.difference is None else float(f"{value.difference:.2g}")


def remarks(outcome: Outcome) -> list[str]:
    """Why values differ, what data are needed, and the conclusion under the other population."""
    differ = Counter(value.reason for value in outcome.values if value.verdict == Verdict.DIFFERS)
    needy = Counter(value.printed.collection for value in outcome.values if value.verdict == Verdict.NEEDS)
    told = [f"{_values(count, 'differ')}: {why.rstrip('.')}." for why, count in differ.items()]
    if needy:
        each = [f"{_values(count, 'need')} {collection}" for collection, count in needy.items()]
        told.append(f"Not computed: {listed(each)}.")
    if outcome.entry.exhibit.illegible:
        told.append(f"{counted(outcome.entry.exhibit.illegible, 'printed value')} cannot be read in our copy.")
    return told + [f"{sentence.rstrip('.')}." for sentence in outcome.beside]


def _values(count: int, verb: str) -> str:
    return f"{counted(count, 'value')} {verb}{'s' * (count == 1)}"


def paper_sentence(paper: str, outcomes: Sequence[Outcome]) -> str:
    """How a paper came out, in one sentence."""
    counts = {verdict: sum(one.counts[verdict] for one in outcomes) for verdict in Verdict}
    total = sum(counts.values())
    phrases = {
        Verdict.EXACT: "are reproduced exactly",
        Verdict.SAMPLING: "within sampling",
        Verdict.DIFFERS: "differ",
        Verdict.NEEDS: "need data that were not given",
    }
    told = [f"{counts[verdict]:,} {phrase}" for verdict, phrase in phrases.items() if counts[verdict]]
    where = f"{len(outcomes)} tables and figures" if len(outcomes) > 1 else place(outcomes[0].entry.name)
    return f"{papers()[paper].short}: of {counted(total, 'printed value')} in {where}, {listed(told)}."


def reproduction_json(outcomes: Sequence[Outcome], settings: dict[str, Any]) -> dict[str, Any]:
    """Every value of every table in full precision."""
    return {"settings": settings, "rule": RULE, "tables": [_object(one) for one in outcomes]}


def _object(outcome: Outcome) -> dict[str, Any]:
    entry = outcome.entry
    return {
        "name": entry.name,
        "shows": entry.exhibit.shows,
        "method": entry.method,
        "seed": outcome.seed,
        "verdict": str(outcome.verdict),
        "counts": {str(verdict): outcome.counts[verdict] for verdict in Verdict},
        "illegible": entry.exhibit.illegible,
        "other_population": outcome.beside,
        "values": [
            {
                "collection": value.printed.collection,
                "key": list(value.printed.key),
                "printed": value.printed.text,
                "ours": value.ours,
                "difference": value.difference,
                "z": value.z,
                "verdict": str(value.verdict),
                "reason": value.reason,
            }
            for value in outcome.values
        ],
    }
