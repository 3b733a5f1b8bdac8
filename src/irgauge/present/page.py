"""What a report consists of: findings, sections with charts and tables, and the methods; no HTML yet."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from irgauge.present.tables import Table

if TYPE_CHECKING:
    import altair as alt


@dataclass(frozen=True)
class Finding:
    """A sentence that can be quoted, with what it covers and how it was found."""

    text: str
    population: str
    method: str
    section: str  # the key of the section that shows it


@dataclass(frozen=True)
class Variant:
    """One of the forms of a chart or a table between which a reader switches."""

    choices: tuple[tuple[str, str], ...]  # what is switched and to what: (("measure", "AP"), ("population", "topics"))
    chart: alt.TopLevelMixin | None = None
    table: Table | None = None


@dataclass(frozen=True)
class Panel:
    """A chart or a table, in one form or several."""

    key: str  # names its files: letters, digits and hyphens
    title: str
    caption: str  # how it was computed
    alternative: str  # what is seen, for those who do not see it
    variants: tuple[Variant, ...]


@dataclass(frozen=True)
class Section:
    """The answer to one question; `reason` says why a study could not be run, and stands in its place."""

    key: str
    title: str
    lead: tuple[str, ...]  # sentences
    panels: tuple[Panel, ...]
    reason: str | None = None


@dataclass(frozen=True)
class Page:
    """A whole report."""

    title: str
    subtitle: str
    findings: tuple[Finding, ...]
    warnings: tuple[str, ...]
    sections: tuple[Section, ...]
    methods: tuple[tuple[str, str], ...]  # heading, text fit for an appendix
    references: tuple[str, ...]
    settings: dict[str, object] = field(default_factory=dict)  # seeds, versions, files
