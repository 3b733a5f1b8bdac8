"""The page of a report: the sections of the studies, their claims at its top, methods, references and settings."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from irgauge.reporting.sections import sections
from irgauge.show.methods import READING, said
from irgauge.show.page import Claim, Page
from irgauge.show.references import REFERENCES
from irgauge.show.versions import package_versions
from irgauge.show.words import counted, listed, sentence

if TYPE_CHECKING:
    from irgauge.reporting.report import Report

_WARN = ("error", "warning")  # tones of what stands among the warnings


def page_of(report: Report) -> Page:
    """All that stands on the page."""
    collection = report.reporting.bench.collection
    systems, topics = counted(len(collection.systems), "system"), counted(len(collection.topics), "topic")
    several = len(collection.systems) > 1
    return Page(
        title=f"Which of {systems} is better, and how sure is it?" if several else "How good is it?",
        subtitle=f"{systems} on {topics} by {listed(list(map(str, report.reporting.measures)))}",
        claims=_claims(report),
        warnings=tuple(_warnings(report)),
        sections=tuple(part.section(report.ran[name], report.reporting) for name, part in sections().items()),
        methods=tuple(_methods(report)),
        references=_references(report),
        settings=settings(report),
    )


def _claims(report: Report) -> tuple[Claim, ...]:
    """What was found by each measure in turn, then by all; first what a section says that leads."""
    order = [*map(str, report.reporting.measures), None]
    parts = sorted(sections().items(), key=lambda item: not getattr(item[1], "LEADS", False))
    told = [
        Claim(finding, result.provenance_for(finding.population), part.KEY)
        for name, part in parts
        for result in report.ran[name].results
        for finding in part.headline(result)
        if finding.tone not in _WARN
    ]
    return tuple(sorted(told, key=lambda claim: order.index(claim.finding.measure)))


def _warnings(report: Report) -> Iterator[str]:
    """What studies warn of, what was noted when data were read that no one checked, and measures left out."""
    for name, part in sections().items():
        for result in report.ran[name].results:
            yield from (finding.text for finding in part.headline(result) if finding.tone in _WARN)
    if report.reporting.checked is None:
        yield from (sentence(str(note)) for note in report.reporting.bench.collection.notes)
    for measure, reason in report.left_out.items():
        yield f"{measure} is left out: {reason}."


def _methods(report: Report) -> Iterator[tuple[str, str]]:
    for name, part in sections().items():
        yield from part.methods(report.ran[name], report.reporting)
    versions = ", ".join(f"{name} {number}" for name, number in package_versions().items())
    seed = report.reporting.seed
    yield (
        "Reproduction",
        f"All draws depend on seed {seed} and on their own number, not on the number of threads. Software: {versions}.",
    )


def _references(report: Report) -> tuple[str, ...]:
    """The papers behind the studies that ran."""
    used: dict[str, None] = {}
    for name, part in sections().items():
        if report.ran[name].results:
            own = part.references(report.reporting) if hasattr(part, "references") else part.REFERENCES
            used |= dict.fromkeys(own)
    return tuple(REFERENCES[key] for key in used)


def settings(report: Report) -> dict[str, object]:
    """Where the data came from, what was asked for, how each study was run, and the versions."""
    asked, collection = report.reporting, report.reporting.bench.collection
    return {
        **report.source,
        "measures": list(map(str, asked.measures)),
        "systems": len(collection.systems),
        "topics": len(collection.topics),
        "corpus size": collection.corpus_size,
        "precision of scores": collection.precision,
        "missing topics": collection.missing.rule,
        "shards": asked.shards,
        "resamples": asked.resamples,
        "images": asked.images,
        "alpha": asked.alpha,
        "seed": asked.seed,
        **dict(_studies(report)),
        "versions": package_versions(),
    }


def _studies(report: Report) -> Iterator[tuple[str, str]]:
    """How each study was run, measure by measure."""
    for name, ran in report.ran.items():
        for number, result in enumerate(ran.results, 1):
            of: Any = result.provenance.get("measures", ())
            what = ", ".join(of) if len(ran.results) > 1 and len(of) == 1 else str(number) * (len(ran.results) > 1)
            if how := said(result.provenance.without("measures", *READING)):
                yield f"{name} {what}".strip(), how
