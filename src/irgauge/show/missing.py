"""Topics that runs do not answer, and what was done about them: in a finding, under tables and in the method."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from irgauge.provenance import Provenance
from irgauge.reading.missing import MissingTopics
from irgauge.show.finding import Finding, sentence
from irgauge.show.table import Column, Table
from irgauge.show.words import counted, some

COLUMN = Column("missing", explained="a run does not answer the topic, and scores 0 there")


def noted(table: Table, provenance: Provenance) -> Table:
    """The table with a note on missing topics, where there are any."""
    return replace(table, notes=(*table.notes, *provenance.under_tables))


def findings(provenance: Provenance) -> Iterator[Finding]:
    """A warning of missing topics, where there are any; an error, where runs cannot be used for them."""
    record = provenance.record(MissingTopics)
    if record is not None and record.topics_of:
        say = refused if record.is_refused else missing
        yield say(rule=record.rule, topics=len(record.topics), of=record.of, systems=record.counts)


@sentence("missing", "warning")
def missing(*, rule: str, topics: int, of: int, systems: Mapping[str, int]) -> str:
    """Topics that runs do not answer, and what was done about them."""
    judged = counted(of, "topic")
    if rule == "drop":
        verb, them = ("is", "it") if topics == 1 else ("are", "them")
        why = f"as not all runs answer {them}: {_named(systems)}"
        return f"{topics:,} of {judged} {verb} left out for all systems (missing: drop), {why}."
    if len(systems) == 1:
        they = "it scores 0" if topics == 1 else "they score 0"
        return f"{next(iter(systems))} does not answer {topics:,} of {judged}; {they} there (missing: zero)."
    whom = f"{len(systems):,} systems do not answer all {judged}"
    return f"{whom}; the missing ones score 0 there (missing: zero): {_named(systems)}."


@sentence("missing", "error")
def refused(*, rule: str, topics: int, of: int, systems: Mapping[str, int]) -> str:
    """Missing topics for which runs cannot be used."""
    if rule == "drop":
        return f"No topic of {of:,} is answered by all runs, so that none is left (missing: drop): {_named(systems)}."
    return f"{topics:,} of {counted(of, 'topic')} must not be missing (missing: fail): {_named(systems)}."


def _named(systems: Mapping[str, int]) -> str:
    return some([f"{system} ({count:,})" for system, count in systems.items()])
