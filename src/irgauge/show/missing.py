"""Topics that runs do not answer, and what was done about them: in a finding, under tables and in the method."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from irgauge.provenance import Provenance
from irgauge.show.finding import Finding, sentence
from irgauge.show.table import Column, Table
from irgauge.show.words import counted, some

COLUMN = Column("missing", explained="a run does not answer the topic, and scores 0 there")
Fact = Mapping[str, Any]  # of a provenance: rule, topics (that some system lacks), of (how many), systems -> count


def said(fact: Fact) -> str:
    """Among the facts of a method.

    >>> said({"rule": "zero", "topics": 7, "of": 200, "systems": {"new": 7}})
    'topics missing from a run score 0 there: new (7)'
    """
    if fact["rule"] == "drop":
        count = f"{fact['topics']:,} of {counted(fact['of'], 'topic')}"
        return f"{count} left out, missing from a run: {_named(fact['systems'])}"
    if fact["rule"] == "fail":
        return f"topics missing from a run refused: {_named(fact['systems'])}"
    return f"topics missing from a run score 0 there: {_named(fact['systems'])}"


def noted(table: Table, provenance: Provenance) -> Table:
    """The table with a note on missing topics, where there are any."""
    fact: Any = provenance.get("missing")
    if fact is None:
        return table
    done = {"zero": "score 0", "drop": "are left out for all systems", "fail": "are refused"}[fact["rule"]]
    return replace(table, notes=(*table.notes, f"Missing topics {done}: {_named(fact['systems'])}."))


def findings(provenance: Provenance) -> Iterator[Finding]:
    """A warning of missing topics, where there are any; an error, where runs cannot be used for them."""
    fact: Any = provenance.get("missing")
    if fact is None:
        return
    is_refused = fact["rule"] == "fail" or (fact["rule"] == "drop" and fact["topics"] == fact["of"])
    yield (refused if is_refused else missing)(**fact)


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
