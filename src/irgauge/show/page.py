"""What a page consists of: findings, sections with charts and tables, and the methods; no HTML yet."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from irgauge.inference.assertions import Place
from irgauge.nouns import NONE, Nouns
from irgauge.provenance import Provenance
from irgauge.show import gaps, verdicts
from irgauge.show.finding import Finding
from irgauge.show.table import Table

if TYPE_CHECKING:
    from irgauge.show.figure import Figure  # altair is slow to import, and many pages' parts have no chart

Choices = tuple[tuple[str, str], ...]  # what is switched and to what: (("measure", "AP"), ("population", "topics"))
_PLACES = ("warnings", "methods", "references", "settings")  # of the page that are no sections


@dataclass(frozen=True)
class Claim:
    """A finding that answers, how it was found, and the section that shows it."""

    finding: Finding
    provenance: Provenance
    section: str  # its key

    @property
    def text(self) -> str:
        """The sentence."""
        return self.finding.text

    @property
    def population(self) -> str:
        """What it covers, in words."""
        return "" if self.finding.population is None else verdicts.said(self.finding.population)

    @property
    def method(self) -> str:
        """Whether many of its scores are undefined, and how it was found; the population stands beside it."""
        text = self.provenance.without_reading.without("population").text
        return " ".join([*gaps.sparse_notes(self.provenance), text])


@dataclass(frozen=True)
class Variant:
    """One of the forms of a panel between which a reader switches: a chart, a table, or both."""

    choices: Choices = ()
    figure: Figure | None = None
    table: Table | None = None
    provenance: Provenance | None = None  # of the table; a figure has its own


@dataclass(frozen=True)
class Panel:
    """A chart or a table, in one form or several."""

    key: str  # names its files: letters, digits and hyphens
    title: str
    caption: str  # how to read it
    variants: tuple[Variant, ...]

    @property
    def alternative(self) -> str:
        """What is seen, for those who do not see it."""
        for variant in self.variants:
            if variant.figure is not None:
                return f"{variant.figure.alternative} {variant.figure.title}.".strip()
            if variant.table is not None:
                return f"A table. {variant.table.title}."
        return ""


@dataclass(frozen=True)
class Section:
    """The answer to one question; `reason` says why a study could not be run, and stands in its place."""

    key: str
    title: str
    told: tuple[Finding, ...]  # of what is chosen the first is the answer; the others are told on demand
    panels: tuple[Panel, ...]  # the first is shown with the answer, the others on demand
    reason: str | None = None
    is_folded: bool = False  # whether the first panel too is shown on demand only
    place: Place | None = None  # exploratory where nothing of it is claimed

    @property
    def is_minor(self) -> bool:
        """Whether it is shown small, as nothing of it is claimed."""
        return self.place == "exploratory"

    @property
    def texts(self) -> tuple[str, ...]:
        """All its sentences."""
        return tuple(finding.text for finding in self.told)


@dataclass(frozen=True)
class Card:
    """A fact of the first screen: a number, what it is of, what it covers, and the section that says more."""

    value: str
    label: str
    covers: str  # such as `for other topics`; empty where it claims nothing beyond the data
    section: str  # the key of the section that it links to; empty for none
    measure: str | None = None  # None: whatever is chosen
    population: str | None = None
    method: str = ""
    detail: str = ""  # a short second line, such as what other populations say
    kind: str = ""  # what it is of, whatever is chosen; the label, if not given
    place: Place | None = None  # of what it claims

    @property
    def address(self) -> str:
        """Where it links to."""
        return f"#{self.section}" if self.section in _PLACES else f"#section-{self.section}" if self.section else ""


@dataclass(frozen=True)
class Ranking:
    """All systems by a measure, best first, which paper shows where the picture has the best only."""

    measure: str
    systems: tuple[tuple[str, float], ...]  # with their means
    population: str | None = None  # whatever is chosen


@dataclass(frozen=True)
class Reasons:
    """Why each system stands where it does, by a measure and for a population."""

    measure: str
    population: str | None
    title: str  # what they are of
    systems: tuple[tuple[str, str], ...]  # with what is said behind their names


@dataclass(frozen=True)
class Front:
    """The first screen: the answer in a sentence, a picture of it, and a few facts; all follow what is chosen."""

    headlines: tuple[Finding, ...]  # by measure and population; the first that fits what is chosen is the answer
    picture: Panel | None = None
    cards: tuple[Card, ...] = ()
    rankings: tuple[Ranking, ...] = ()
    reasons: tuple[Reasons, ...] = ()


@dataclass(frozen=True)
class Page:
    """A whole page."""

    title: str
    subtitle: str
    front: Front
    claims: tuple[Claim, ...]  # what sections answer, with how it was found
    warnings: tuple[str, ...]
    sections: tuple[Section, ...]
    methods: tuple[tuple[str, str], ...]  # heading, text fit for an appendix
    references: tuple[str, ...]
    settings: dict[str, object] = field(default_factory=dict)  # seeds, versions, files
    prints_all: bool = False  # printing opens what is closed
    nouns: Nouns = NONE  # what people read for topics and shards

    @property
    def answered(self) -> tuple[Section, ...]:
        """The sections that show something."""
        return tuple(section for section in self.sections if section.told or section.panels)

    @property
    def left_out(self) -> tuple[tuple[str, list[Section]], ...]:
        """Why the others do not: each reason once, with its sections."""
        reasons: dict[str, list[Section]] = {}
        for section in self.sections:
            if not (section.told or section.panels):
                reasons.setdefault(section.reason or "", []).append(section)
        return tuple(reasons.items())

    @property
    def panels(self) -> tuple[Panel, ...]:
        """All panels, in their order."""
        first = () if self.front.picture is None else (self.front.picture,)
        panels = (*first, *(panel for section in self.sections for panel in section.panels))
        return tuple(_called(panel, self.nouns) for panel in panels)


def _called(panel: Panel, nouns: Nouns) -> Panel:
    """The panel, its charts and tables with the nouns of the page."""
    if not nouns.words:
        return panel
    variants = (
        replace(
            form,
            figure=None if form.figure is None else replace(form.figure, nouns=nouns),
            table=None if form.table is None else replace(form.table, nouns=nouns),
        )
        for form in panel.variants
    )
    return replace(panel, variants=tuple(variants))


def of_measure(measure: str) -> Choices:
    """The choice of a measure."""
    return (("measure", measure),)


def panel(key: str, title: str, caption: str, variants: Iterable[Variant]) -> Iterator[Panel]:
    """A panel, if it has any form; tables without rows are left out, the others say what is missing or undefined."""
    forms = tuple(
        variant
        for variant in variants
        if variant.figure is not None or (variant.table is not None and variant.table.rows)
    )
    if forms:
        yield Panel(key, title, caption, tuple(map(_noted, forms)))


def _noted(form: Variant) -> Variant:
    facts = form.provenance or (form.figure.provenance if form.figure is not None else None)
    if form.table is None or facts is None:
        return form
    return replace(form, table=gaps.note_sparse(gaps.note_missing(form.table, facts), facts))
