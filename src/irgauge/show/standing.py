"""How what is said stands on a page: what is exploratory is marked so; and how often such a page errs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Protocol

from irgauge.calibrating.trials import Rate
from irgauge.show.finding import Finding, sentence
from irgauge.show.page import Section, Variant
from irgauge.show.words import percent

MARK = "Exploratory: it describes these data, and is no part of what this page tests."


@sentence("tested-by", tone="note")
def tested_by(*, shown: str, command: str) -> str:
    """What is shown, and which command tests it."""
    return f"{shown} `irgauge {command}` tests it."


def exploratory(finding: Finding) -> Finding:
    """A finding that claims nothing, as it stands on a page; one that says what is claimed stays as it is."""
    is_description = finding.tone == "finding" and finding.place is None
    return replace(finding, place="exploratory") if is_description else finding


def exploratory_section(section: Section) -> Section:
    """A section of which nothing is claimed on the page: its charts and tables say so."""
    told = (replace(finding, place=None, claims=()) for finding in section.told)
    panels = tuple(replace(panel, variants=tuple(map(_marked, panel.variants))) for panel in section.panels)
    return replace(section, told=tuple(map(exploratory, told)), panels=panels, place="exploratory")


def _marked(variant: Variant) -> Variant:
    figure, table = variant.figure, variant.table
    return replace(
        variant,
        figure=None if figure is None else figure.noting(MARK),
        table=None if table is None else replace(table, notes=(MARK, *table.notes)),
    )


class NullWorld(Protocol):
    """What pages said of copies of data without differences."""

    @property
    def explained(self) -> str:
        """How the copies were made."""

    @property
    def page(self) -> Rate:
        """Pages that say anything false."""

    @property
    def places(self) -> Mapping[str, Rate]:
        """Primary, secondary -> pages that say anything false there."""


def page_told(world: NullWorld) -> Finding:
    """How often a page on data without differences says something false."""
    return page_errs(errs=world.page, primary=world.places["primary"], copies=world.explained)


@sentence("page-rate", tone="note")
def page_errs(*, errs: Rate, primary: Rate, copies: str) -> str:
    """How often a page on data without differences says something false, and how often it does in its first claim."""
    ends = f"{percent(errs.low)} to {percent(errs.high)}"
    return (
        f"On data like yours without differences, {percent(errs.observed)} ({ends}) of such pages say something false, "
        f"and {percent(primary.observed)} in their first claim ({errs.trials:,} copies in which {copies})."
    )
