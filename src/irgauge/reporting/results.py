"""A report as one object: everything that the page shows, and the results of all studies in full precision."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from irgauge.reporting.made import FILES
from irgauge.reporting.sections import sections
from irgauge.show.bundle import forms
from irgauge.show.saving import plain
from irgauge.show.table import Record, Table

if TYPE_CHECKING:
    from irgauge.reporting.report import Report
    from irgauge.show.page import Claim, Page


def results_of(report: Report) -> dict[str, Any]:
    """What results.json holds; a study that could not run has its reasons."""
    page = report.page
    head = {
        "settings": page.settings | {FILES: dict(report.made.files)},  # in full
        "headlines": [headline.to_dict() for headline in page.front.headlines],
        "claims": list(map(_claim, page.claims)),
        "warnings": page.warnings,
    }
    return {
        **plain(head),
        "left_out": dict(report.left_out),
        "without_shards": report.reporting.unsharded,
        "studies": {
            name: {
                "results": [part.record(result) for result in report.ran[name].results],
                "missing": dict(report.ran[name].missing),
            }
            for name, part in sections().items()
        },
        "methods": dict(page.methods),
        "references": list(page.references),
    }


def tables_of(page: Page) -> tuple[Table, ...]:
    """What is claimed, then every table of the page."""
    records: list[Record] = [
        {
            "section": claim.section,
            "measure": claim.finding.measure,
            "population": claim.finding.population,
            "text": claim.text,
        }
        for claim in page.claims
    ]
    claims = Table.of("claims", "What is claimed", records, ["section", "measure", "population", "text"], is_main=True)
    named = ((name, form.table) for name, form in forms(page) if form.table is not None)
    return (claims, *(replace(table, name=name, is_main=False) for name, table in named))


def _claim(claim: Claim) -> dict[str, object]:
    return claim.finding.to_dict() | {"method": claim.method, "section": claim.section}
