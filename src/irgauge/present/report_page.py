"""The contents of a report from the results of its studies."""

from __future__ import annotations

from collections.abc import Mapping

from irgauge.present.page import Page
from irgauge.present.report_findings import findings, warnings
from irgauge.present.report_methods import methods, package_versions, references
from irgauge.present.report_sections import sections
from irgauge.present.sentences import counted, listed
from irgauge.studies.report import Missing, Report


def page_of(report: Report, files: Mapping[str, object] | None = None) -> Page:
    """The page; `files` says where the data came from."""
    measures = listed([one.measure for one in report.measures])
    systems, topics = counted(len(report.systems), "system"), counted(len(report.topics), "topic")
    return Page(
        title=f"Which of {systems} is better, and how sure is it?" if len(report.systems) > 1 else "How good is it?",
        subtitle=f"{systems} on {topics} by {measures}",
        findings=findings(report),
        warnings=warnings(report),
        sections=sections(report),
        methods=methods(report),
        references=references(report),
        settings=_settings(report, files or {}),
    )


def _settings(report: Report, files: Mapping[str, object]) -> dict[str, object]:
    asked = report.settings
    return {
        **files,
        "measures": [one.measure for one in report.measures],
        "systems": len(report.systems),
        "topics": len(report.topics),
        "corpus size": report.corpus_size,
        "precision of scores": report.precision,
        "shards": asked.shards,
        "resamples": asked.resamples,
        "images": asked.images,
        **_more_settings(report),
        "alpha": asked.alpha,
        "seed": asked.seed,
        "versions": package_versions(),
    }


def _more_settings(report: Report) -> dict[str, object]:
    """The settings of studies that have fixed ones."""
    given: dict[str, object] = {}
    for one in report.measures:
        if not isinstance(one.partitions, Missing):
            found = one.partitions.found
            parts = f"{len(found.splits)} splits into {found.parts} parts, {found.drawing.draws:,} draws"
            given[f"partition method, {one.measure}"] = f"{parts}, fill {found.fill}, rule '{found.rule.name}'"
        if not isinstance(one.instances, Missing):
            compared = one.instances.found
            margin = f"margin {compared.margin:g}, {compared.tests.correction} correction, {compared.freedom} df"
            given[f"instances, {one.measure}"] = f"model '{compared.model}', {margin}"
    if not isinstance(report.pools, Missing):
        last = report.pools[-1]
        given["pools"] = f"depths {', '.join(last.pools[:-1])}, {last.images} images, {len(last.pairs)} pairs"
    return given
