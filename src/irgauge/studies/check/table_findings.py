"""What a check says of a table of scores: whether it can be used, how it was understood, what is missing."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from irgauge.reading.missing import counted_topics
from irgauge.show.finding import Finding, sentence
from irgauge.show.table import Column, Table
from irgauge.show.words import counted, listed, some
from irgauge.studies.check.study import Checked
from irgauge.studies.check.table_facts import TableFacts


def findings_of_table(result: Checked, table: TableFacts) -> Iterator[Finding]:
    """The verdict, how the table was read, and what stands in the way."""
    yield table_verdict(usable=result.is_usable, systems=len(result.missing.topics_of))
    counts = [counted(table.count(f"{part}s"), part) for part in ("system", "topic", "measure", "replicate")]
    yield understood(forms=table.forms, counts=counts)
    if result.missing.is_refused:
        lacking = {system: counted_topics(topics) for system, topics in result.missing.topics_of.items()}
        yield from (lacks(system=system, topics=topics) for system, topics in lacking.items())
    if table.doubtful:
        yield doubtful_direction(measures=table.doubtful)
    if table.unused:
        yield unused_columns(columns=table.unused)


@sentence("table-verdict", claims=())
def table_verdict(*, usable: bool, systems: int) -> str:
    """Whether the scores can be used."""
    if usable:
        return "The scores can be used."
    lacking = f"{counted(systems, 'system')} lack{'s' * (systems == 1)} scores"
    return f"The scores cannot be used as they are: {lacking}. Complete them, or say --missing zero or --missing drop."


@sentence("understood", claims=())
def understood(*, forms: Sequence[str], counts: Sequence[str]) -> str:
    """As what a table was read."""
    return f"Read as {'; and '.join(forms)}: {listed(counts)}."


@sentence("lacks", "error")
def lacks(*, system: str, topics: str) -> str:
    """A system without scores of some topics."""
    return f"{system} has no score of {topics}."


@sentence("doubtful-direction", "warning")
def doubtful_direction(*, measures: Sequence[str]) -> str:
    """Measures of which less is probably better."""
    name = measures[0]
    return (
        f"{some(measures)} {'is' if len(measures) == 1 else 'are'} treated as lower-is-better, as names sound so. "
        f"If so, say -m '{name}:lower', which `gate` needs; if not, -m '{name}:higher'."
    )


@sentence("unused-columns", "note")
def unused_columns(*, columns: Sequence[str]) -> str:
    """Columns that say nothing of a topic."""
    is_one = len(columns) == 1
    reason = f"{'it differs' if is_one else 'they differ'} between rows of a topic"
    return (
        f"{some(columns)} {'is' if is_one else 'are'} not used, as {reason}. If one is a measure, say --columns "
        "score=NAME, or -m NAME beside other measures (true and yes count as 1); if it tells systems apart, --columns "
        "system=NAME; if repetitions, --columns replicate=NAME; if wordings, --variants NAME."
    )


def understood_table(table: TableFacts) -> Table:
    """The parts of the table, where they were found, and how to say it otherwise."""
    columns = [
        Column("part"),
        Column("count"),
        Column("source", "read from"),
        Column("examples"),
        Column("otherwise", "to say otherwise"),
    ]
    rows = [vars(part) for part in table.parts]
    return Table.of("table", "How the scores were read", rows, columns, is_long=True, is_main=True)
