"""The page of a report: sections, claims at its top, methods and settings; and all that it shows as one object."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from altair.utils.schemapi import debug_mode

from irgauge.files.made import FILES
from irgauge.provenance import Provenance, package_versions
from irgauge.reporting.differ import differ_panel
from irgauge.reporting.first_screen import cards, headlines
from irgauge.reporting.picture import picture, rankings, why
from irgauge.reporting.sections import TONES, sections, unanswerable, warnings_of
from irgauge.show import gaps
from irgauge.show.bundle import CHARTS, TABLES, forms
from irgauge.show.finding import Finding, remark
from irgauge.show.page import Claim, Front, Page, Section
from irgauge.show.references import REFERENCES
from irgauge.show.saving import head_of, plain, to_json
from irgauge.show.standing import exploratory, exploratory_section
from irgauge.show.table import Record, Table
from irgauge.show.verdicts import FOR
from irgauge.show.words import counted, listed, percent, some
from irgauge.studies.registry import studies
from irgauge.studies.report_part import Ran, Reporting

if TYPE_CHECKING:
    from irgauge.reporting.report import Report

_LONG = 50_000  # letters of a study's results that are too many for a bundle of mail size


def page_of(report: Report) -> Page:
    """All that stands on the page; altair's checks of each part of a chart would take a fifth of the time."""
    with debug_mode(False):  # noqa: FBT003  # altair's
        return _page(report)


def _page(report: Report) -> Page:
    asked = report.reporting
    systems, topics = counted(len(asked.systems), "system"), counted(len(asked.topics), "topic")
    several = len(asked.systems) > 1
    return Page(
        title=f"Which of {systems} is better, and how sure is it?" if several else "How good is it?",
        subtitle=f"{systems} on {topics} by {listed(list(map(str, asked.measures)))}{_table(asked)}",
        front=Front(headlines(report), picture(report), cards(report), rankings(report), why(report)),
        claims=_claims(report),
        warnings=tuple(warnings_of(report)),
        sections=tuple(_sections(report)),
        methods=tuple(_methods(report)),
        references=_references(report),
        settings=settings(report),
        prints_all=report.prints_all,
        nouns=report.nouns,
    )


def _table(asked: Reporting) -> str:
    """Where scores come from, if there are no runs."""
    if asked.data.has_runs:
        return ""
    return f", from {some(list(asked.data.files))}" if asked.data.files else ", from a table of scores"


def _sections(report: Report) -> Iterable[Section]:
    """The sections in their order; one that joins another is shown there, if both show something."""
    shown: dict[str, Section] = {}
    for name, part in sections().items():
        if not _has(report, name):
            continue
        section, joined = _answered(report, name), shown.get(part.joins)
        if joined is not None and joined.panels and section.panels:
            both = replace(joined, told=(*joined.told, *section.told), panels=(*joined.panels, *section.panels))
            shown[joined.key] = both
        else:
            shown[section.key] = section
    return shown.values()


def _has(report: Report, name: str) -> bool:
    """Whether a part found something, or misses something."""
    ran = report.ran[name]
    return bool(ran.results or ran.missing)


def _section(report: Report, name: str) -> Section:
    """What a study says, or why it cannot say anything of a table of scores."""
    part, why = sections()[name], unanswerable(name, report.reporting)
    if why is None:
        return part.section(report.ran[name], report.reporting)
    return part.without(f"{why}.")


_ALIKE = "Here each topic counts once, and for itself, whatever its cluster or its weight."


def _answered(report: Report, name: str) -> Section:
    """The section with its answers first; before them, where many of the scores are undefined that it rests on."""
    section, ran = _section(report, name), report.ran[name]
    part = sections()[name]
    alike = [remark(text=_ALIKE)] if report.reporting.sampling and part.with_sampling == "alike" and ran.results else []
    answers = (finding for result in ran.results for finding in part.headline(result) if finding.tone not in TONES)
    own = sorted((*answers, *section.told), key=lambda finding: finding.kind not in part.answers)
    findings = (*_told(ran, gaps.sparse_findings), *own, *_told(ran, gaps.sparse_findings_beside), *alike)
    beside = differ_panel(report) if name == "compare" else ()
    whole = replace(section, told=tuple(_once(findings)), panels=(*beside, *section.panels))
    if name in report.reporting.standings:
        return replace(whole, told=tuple(map(exploratory, whole.told)))
    return exploratory_section(whole)


def _once(findings: Iterable[Finding]) -> Iterator[Finding]:
    """Each sentence once; what is said by several measures is of all."""
    by_text: dict[str, list[Finding]] = {}
    for one in findings:
        by_text.setdefault(one.text, []).append(one)
    for alike in by_text.values():
        is_same = len({finding.measure for finding in alike}) == 1
        yield alike[0] if is_same else replace(alike[0], measure=None)


def _told(ran: Ran, findings: Callable[[Provenance], Iterable[Finding]]) -> Iterable[Finding]:
    return {finding.text: finding for result in ran.results for finding in findings(result.provenance)}.values()


def _claims(report: Report) -> tuple[Claim, ...]:
    """What was found by each measure in turn, then by all; first what a section says that leads."""
    order = [*map(str, report.reporting.measures), None]
    has_runs = report.reporting.data.has_runs  # else nothing says whether replicates are instances
    parts = sorted(sections().items(), key=lambda item: not (has_runs and item[1].leads))
    claims = [
        Claim(exploratory(finding), result.provenance_for(finding.population), part.key)
        for name, part in parts
        for result in report.ran[name].results
        for finding in part.headline(result)
        if finding.tone not in TONES
    ]
    return tuple(sorted(claims, key=lambda claim: order.index(claim.finding.measure)))


def _methods(report: Report) -> Iterator[tuple[str, str]]:
    if report.reporting.standings:
        yield "What this page claims, and how often it errs", " ".join(_hierarchy(report))
    for name, part in sections().items():
        yield from part.methods(report.ran[name], report.reporting)
    versions = ", ".join(f"{name} {number}" for name, number in package_versions().items())
    seed = report.reporting.seed
    yield from _without(report)
    yield (
        "Reproduction",
        f"All draws depend on seed {seed} and on their own number, not on the number of threads. Software: {versions}.",
    )


def _without(report: Report) -> Iterator[tuple[str, str]]:
    """The questions that are not asked where topics were not drawn one by one."""
    left_out = [part.title for part in sections().values() if not part.answers_of(report.reporting)]
    if left_out:
        named = "; ".join(title.rstrip("?") for title in left_out)
        yield "What is left out", f"Studies that take topics as drawn one by one and alike are left out here: {named}."


_CLAIMING = {"baseline": "the pairs with the baseline", "compare": "all pairs", "instances": "the pairs of algorithms"}


def _hierarchy(report: Report) -> Iterator[str]:
    """The order of claims in words, and how often such a page errs, if that was tried."""
    asked = report.reporting
    parts = [_CLAIMING.get(name, sections()[name].title) for name in asked.standings]
    level, both = percent(asked.alpha), percent(2 * asked.alpha)
    yield f"Primary is what is said by {asked.measures[0]} of {parts[0]} {FOR[asked.drawn]}: {level} for itself."
    others = {"other populations": asked.has_replicates, "kinds of topics": bool(asked.by)}
    rest = [*map(str, asked.measures[1:]), *(name for name, is_there in others.items() if is_there), *parts[1:]]
    if rest:
        share = "" if len(parts) == 1 else f" ({listed(parts)} in equal parts)"
        yield f"Secondary is what is said of {listed(rest)}: {level} for all of these together{share}."
        yield f"On data without differences such a page says something false in at most {both} of cases."
    yield "All else is exploratory: it describes these data, and no claim rests on it."
    yield from (finding.text for finding in report.page_rate())


def _references(report: Report) -> tuple[str, ...]:
    """The papers behind the studies that ran."""
    used: dict[str, None] = {}
    for name, part in sections().items():
        if report.ran[name].results:
            used |= dict.fromkeys(part.references_of(report.reporting))
    return tuple(REFERENCES.get(key, key) for key in used)  # a part of another package gives the text itself


def settings(report: Report) -> dict[str, object]:
    """Where the data came from, what was asked for, how each study was run, and the versions."""
    asked = report.reporting
    of_data = {
        **report.source,
        "measures": list(map(str, asked.measures)),
        "systems": len(asked.systems),
        "topics": len(asked.topics),
        **_corpus(asked),
        "missing topics": asked.missing.rule,
        **asked.draws,
        **asked.against,
        "alpha": asked.alpha,
        "seed": asked.seed,
    }
    return {
        **of_data,
        **dict(_studies(report, of_data)),
        **report.made.settings,
        "versions": package_versions(),
    }


def _corpus(asked: Reporting) -> dict[str, object]:
    """Of runs the corpus, of a table its replicates."""
    if not asked.data.has_runs:
        return {"replicates": asked.data.replicate_count}
    collection = asked.bench.collection
    return {"corpus size": collection.corpus_size, "precision of scores": collection.precision}


def _studies(report: Report, taken: Mapping[str, object]) -> Iterator[tuple[str, str]]:
    """How each study was run, measure by measure; one that is called as a setting is, such as topics, is a part."""
    for name, ran in report.ran.items():
        own = name if name in studies() and name not in taken else f"part {name}"
        for number, result in enumerate(ran.results, 1):
            of = result.provenance.measures
            what = ", ".join(of) if len(ran.results) > 1 and len(of) == 1 else str(number) * (len(ran.results) > 1)
            if how := result.provenance.without_reading.without("measures").text:
                yield f"{own} {what}".strip(), how


def results_of(report: Report) -> dict[str, Any]:
    """What results.json holds; a study that could not run has its reasons."""
    page = report.page
    head = {
        "settings": page.settings | {FILES: dict(report.made.files)},  # in full
        "headlines": [headline.to_dict() for headline in page.front.headlines],
        "claims": list(map(_claim, page.claims)),
        "warnings": page.warnings,
        "page_rate": report.null,
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


def small_results_of(report: Report) -> dict[str, Any]:
    """The same without studies whose results are long; `without` says which, and what else a whole bundle has."""
    whole = results_of(report)
    long = [name for name, study in whole["studies"].items() if len(to_json(study)) > _LONG]
    kept = {name: study for name, study in whole["studies"].items() if name not in long}
    return head_of(report) | whole | {"studies": kept, "without": [CHARTS, TABLES, *long]}


def tables_of(page: Page) -> tuple[Table, ...]:
    """What is claimed, then every table of the page."""
    records: list[Record] = [
        {
            "section": claim.section,
            "measure": claim.finding.measure,
            "population": claim.finding.population,
            "place": claim.finding.place,
            "text": claim.text,
        }
        for claim in page.claims
    ]
    columns = ("section", "measure", "population", "place", "text")
    claims = Table.of("claims", "What is claimed", records, columns, is_main=True)
    named = ((name, form.table) for name, form in forms(page) if form.table is not None)
    return (claims, *(replace(table, name=name, is_main=False) for name, table in named))


def _claim(claim: Claim) -> dict[str, object]:
    return claim.finding.to_dict() | {"method": claim.method, "section": claim.section}
