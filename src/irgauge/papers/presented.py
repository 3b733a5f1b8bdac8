"""A reproduction as tables: what there is, how each table came out, and every value."""

from __future__ import annotations

import textwrap
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby
from typing import TYPE_CHECKING, Any

from irgauge.papers.entry import SOURCES, Entry
from irgauge.papers.published import CONFIDENCE, JudgedValue, Printed, Verdict, papers
from irgauge.show import saving
from irgauge.show.escapes import latex_text
from irgauge.show.finding import Finding, Findings, sentence
from irgauge.show.table import FORMS, Column, Record, Table
from irgauge.show.words import capital, counted, listed

if TYPE_CHECKING:
    from irgauge.papers.reproduce import EntryOutcome, Reproduction

RULE = (
    "exact: our value rounds to the printed digits, or a statement holds; within sampling: ours is a mean over draws, "
    f"and the printed value is inside the interval for it (Student's t, {CONFIDENCE:.0%} for all values of a table "
    "together); z: what rounding leaves of the difference, in its standard errors; differs: neither; needs data: not "
    "computed."
)
_COLUMNS = [
    Column("data"),
    Column("value"),
    Column("printed"),
    Column("ours"),
    Column("difference", is_minor=True),
    Column("z", explained="what rounding leaves of the difference, in standard errors", is_minor=True),
    Column("verdict"),
]
RULE_SENTENCE = capital(RULE)
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
    records: list[Record] = [
        {"name": entry.name, "shows": entry.exhibit.shows, "method": entry.method, "data": _data(entry)}
        for entry in entries
    ]
    papers_of = {str(record["name"]).partition("/")[0] for record in records}
    title = f"{len(records)} tables and figures of {counted(len(papers_of), 'paper')}"
    return Table.of("list", title, records, ["name", "shows", "method", "data"], is_main=True)


def _data(entry: Entry) -> str:
    """The test collections of an entry, with the files that it takes beside judgments and runs."""
    return ", ".join(f"{key} ({', '.join(files)})" if files else key for key, files in entry.needs.items())


def summary_table(outcomes: Sequence[EntryOutcome]) -> Table:
    """How each table came out."""
    records: list[Record] = [
        {
            "table": outcome.entry.name,
            **{verdict.name.lower(): outcome.counts[verdict] for verdict in Verdict},
            "largest_z": _largest_z(outcome),
            "verdict": str(outcome.verdict),
        }
        for outcome in outcomes
    ]
    total = [sum(outcome.counts[verdict] for outcome in outcomes) for verdict in Verdict]
    parts = [f"{count:,} {verdict}" for count, verdict in zip(total, Verdict, strict=True) if count]
    return Table.of(
        "summary",
        f"Of {counted(sum(total), 'printed value')}: {', '.join(parts)}",
        records,
        [
            Column("table"),
            *(Column(verdict.name.lower(), str(verdict)) for verdict in Verdict),
            Column("largest_z", explained="without its sign, of the values within sampling", decimals=1),
            Column("verdict", explained="the worst of what was computed"),
        ],
        ["Numbers of printed values by verdict.", RULE_SENTENCE],
    )


def _largest_z(outcome: EntryOutcome) -> float | None:
    """Of the values within sampling."""
    within = [abs(value.z) for value in outcome.values if value.verdict == Verdict.SAMPLING and value.z is not None]
    return max(within, default=None)


def value_table(outcome: EntryOutcome) -> Table:
    """Every printed value beside ours."""
    entry = outcome.entry
    seed = "" if outcome.seed is None else f"; seed {outcome.seed}"
    return Table.of(
        entry.name.replace("/", "-"),
        f"{place(entry.name)} ({entry.name}): {outcome.verdict}",
        map(_record, outcome.values),
        _COLUMNS,
        [f"{entry.exhibit.shows}.", f"Method: {entry.method}{seed}."],
        decimals=2,
    )


def needs_table(outcomes: Sequence[EntryOutcome]) -> Table | None:
    """The data that are not there: what they are, how to get them, how to lay them out."""
    values = Counter(
        value.printed.collection for outcome in outcomes for value in outcome.values if value.verdict == Verdict.NEEDS
    )
    if not values:
        return None
    records: list[Record] = [
        {"folder": key, "values": count, "how": _how(key, outcomes)} for key, count in values.items()
    ]
    columns = [
        Column("folder", explained="in that of the data; files may be compressed"),
        Column("values", explained="printed ones that need what is not there"),
        Column("how", "what, from where, laid out how"),
    ]
    return Table.of("needs", "Data that are not there", records, columns)


def _how(key: str, outcomes: Sequence[EntryOutcome]) -> str:
    files = {file: outcome.entry.files[file] for outcome in outcomes for file in outcome.entry.needs.get(key, ())}
    layout = "".join(f"; {key}/{file}: {what}" for file, what in files.items())
    return f"{SOURCES[key].title}: {SOURCES[key].obtain}; {key}/qrels, {key}/runs/{layout}"


def tables(outcomes: Sequence[EntryOutcome]) -> tuple[Table, ...]:
    """Every table, then the data that are not there, and how each table came out."""
    needed = needs_table(outcomes)
    return (*map(value_table, outcomes), *([needed] if needed is not None else []), summary_table(outcomes))


def text_of(reproduction: Reproduction, form: str, width: int) -> str:
    """The comparison in one of the forms that are text."""
    if form == "json":
        return saving.to_json(saving.filed(reproduction))
    if form == "csv":
        return flat_table(reproduction.outcomes).to_csv()
    return render(reproduction.outcomes, form, width)


def render(outcomes: Sequence[EntryOutcome], form: str, width: int) -> str:
    """Every table with its remarks, then the data that are not there, and how each table came out."""
    parts: list[str] = []
    for outcome in outcomes:
        parts.append(_shown(value_table(outcome), form, width))
        if sentences := remarks(outcome):
            parts.append(_listed(sentences, form, width))
    last = [table for table in (needs_table(outcomes), summary_table(outcomes)) if table is not None]
    return "\n".join([*parts, *(_shown(table, form, width) for table in last)])


def _shown(table: Table, form: str, width: int) -> str:
    return FORMS[form](table) if form in FORMS else table.to_text(width=width)


def _listed(sentences: Sequence[str], form: str, width: int) -> str:
    """Sentences one under the other."""
    if form == "latex":
        items = [f"\\item {latex_text(text)}" for text in sentences]
        return "\n".join([r"\begin{itemize}", *items, r"\end{itemize}", ""])
    if form == "markdown":
        return "\n".join([*(f"- {text}" for text in sentences), ""])
    wrapped = (textwrap.fill(text, width, initial_indent="- ", subsequent_indent="  ") for text in sentences)
    return "\n".join([*wrapped, ""])


def flat_table(outcomes: Sequence[EntryOutcome]) -> Table:
    """Every printed value of every table, in full precision."""
    records: list[Record] = [
        {
            "table": outcome.entry.name,
            **_head(value),
            "ours": value.ours,
            "difference": value.difference,
            "z": value.z,
            "verdict": str(value.verdict),
            "reason": value.reason,
        }
        for outcome in outcomes
        for value in outcome.values
    ]
    names = ["table", "data", "value", "printed", "ours", "difference", "z", "verdict", "reason"]
    return Table.of("values", "All printed values", records, names, [RULE_SENTENCE], is_main=True)


def _record(value: JudgedValue) -> Record:
    record: Record = {
        "ours": shown(value),
        "difference": None if value.difference is None else float(f"{value.difference:.2g}"),
        "z": value.z,
        "verdict": str(value.verdict),
    }
    return {**_head(value), **record}


def _head(value: JudgedValue) -> dict[str, str]:
    printed = value.printed
    return {"data": printed.collection, "value": label(printed), "printed": printed.text}


def label(printed: Printed) -> str:
    """The name of a value in its table: such as row and column, or what is stated."""
    return " · ".join(printed.key[:-1] if printed.key[-1] in _SAID else printed.key)


def shown(value: JudgedValue) -> str:
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


def remarks(outcome: EntryOutcome) -> list[str]:
    """Why values differ, what data are needed, and the conclusion under the other population."""
    differ = Counter(value.reason for value in outcome.values if value.verdict == Verdict.DIFFERS)
    computed = {value.printed.collection for value in outcome.values if value.verdict != Verdict.NEEDS}
    needy = Counter(
        value.reason if value.printed.collection in computed else value.printed.collection
        for value in outcome.values
        if value.verdict == Verdict.NEEDS
    )
    sentences = [f"{_values(count, 'differ')}: {why.rstrip('.')}." for why, count in differ.items()]
    if needy:
        each = [f"{_values(count, 'need')} {what}" for what, count in needy.items()]
        sentences.append(f"Not computed: {listed(each)}.")
    if outcome.entry.exhibit.illegible:
        sentences.append(f"{counted(outcome.entry.exhibit.illegible, 'printed value')} cannot be read in our copy.")
    return sentences + [f"{sentence.rstrip('.')}." for sentence in outcome.beside]


def _values(count: int, verb: str) -> str:
    return f"{counted(count, 'value')} {verb}{'s' * (count == 1)}"


def by_paper(outcomes: Sequence[EntryOutcome]) -> dict[str, list[EntryOutcome]]:
    """The outcomes of each paper."""
    return {
        paper: list(group) for paper, group in groupby(outcomes, lambda outcome: outcome.entry.name.partition("/")[0])
    }


def findings(outcomes: Sequence[EntryOutcome]) -> Findings:
    """How each paper came out."""
    return Findings(_paper(paper, paper_outcomes) for paper, paper_outcomes in by_paper(outcomes).items())


def _paper(paper: str, outcomes: Sequence[EntryOutcome]) -> Finding:
    counts = {str(verdict): sum(outcome.counts[verdict] for outcome in outcomes) for verdict in Verdict}
    where = f"{len(outcomes)} tables and figures" if len(outcomes) > 1 else place(outcomes[0].entry.name)
    beside = sum(bool(outcome.beside) for outcome in outcomes)
    as_printed = "as in the paper"
    covers = f"{as_printed}; {counted(beside, 'table')} with another population beside" if beside else as_printed
    return paper_reproduced(paper=papers()[paper].short, where=where, counts=counts).about(population=covers)


_PHRASES = {
    Verdict.EXACT: "are reproduced exactly",
    Verdict.SAMPLING: "within sampling",
    Verdict.DIFFERS: "differ",
    Verdict.NEEDS: "need data that were not given",
}


@sentence("paper", claims=())
def paper_reproduced(*, paper: str, where: str, counts: Mapping[str, int]) -> str:
    """How a paper came out, in one sentence."""
    phrases = [f"{counts[str(verdict)]:,} {phrase}" for verdict, phrase in _PHRASES.items() if counts[str(verdict)]]
    return f"{paper}: of {counted(sum(counts.values()), 'printed value')} in {where}, {listed(phrases)}."


def reproduction_json(outcomes: Sequence[EntryOutcome], settings: dict[str, Any]) -> dict[str, Any]:
    """Every value of every table in full precision."""
    return {"settings": settings, "rule": RULE, "tables": [_object(outcome) for outcome in outcomes]}


def _object(outcome: EntryOutcome) -> dict[str, Any]:
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
