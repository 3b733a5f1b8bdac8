"""What a report consists of: findings, sections with charts and tables, and the methods; no HTML yet."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import accumulate
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
    measure: str | None = None  # None: of all measures


@dataclass(frozen=True)
class FindingGroup:
    """Findings of one measure, or of all."""

    measure: str | None
    start: int  # the number of the first among all
    findings: tuple[Finding, ...]


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

    @property
    def finding_groups(self) -> tuple[FindingGroup, ...]:
        """The findings, those of one measure together.

        >>> told = tuple(Finding("", "", "", "", measure) for measure in ("AP", "AP", "RR", None))
        >>> [(group.measure, group.start) for group in Page("", "", told, (), (), (), ()).finding_groups]
        [('AP', 1), ('RR', 3), (None, 4)]
        """
        groups: dict[str | None, list[Finding]] = {}
        for finding in self.findings:
            groups.setdefault(finding.measure, []).append(finding)
        starts = accumulate((len(each) for each in groups.values()), initial=1)
        pairs = zip(groups.items(), starts, strict=False)  # there is one start more
        return tuple(FindingGroup(measure, start, tuple(each)) for (measure, each), start in pairs)
