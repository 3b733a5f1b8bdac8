"""The verb `report`: every study of the registry on one bench, so that each measure is scored once on each split."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from irgauge.compute.tasks import counting
from irgauge.files.made import Made, noting_files, read_from
from irgauge.files.writing import write
from irgauge.inference.assertions import Assertion
from irgauge.inference.facts import alpha
from irgauge.options.progress import Progress
from irgauge.options.verbs import verb
from irgauge.provenance import Provenance, named
from irgauge.reading.facts import missing
from irgauge.reading.groups import Grouping
from irgauge.reading.judges import judges_of
from irgauge.replicates import facts as data_facts
from irgauge.replicates.given import Given, ScoreTable, judgments_and_runs, opened_tables
from irgauge.reporting.options import MEASURES_OF_RUNS, ReportOptions
from irgauge.reporting.reported_data import check_no_runs, of_scores
from irgauge.reporting.reported_runs import Files, of_needs, of_runs
from irgauge.reporting.sections import sections, unanswerable
from irgauge.studies.page_rate import PageRate, claims_made, page_rate, worlds_of
from irgauge.studies.report_part import Ran, Reporting, ReportPart, standings
from irgauge.studies.result import Result
from irgauge.visible import visible

if TYPE_CHECKING:
    from irgauge.show.figure import Figure
    from irgauge.show.finding import Finding, Findings
    from irgauge.show.page import Page
    from irgauge.show.table import Table

_SHOWN = 5  # findings of a report at the prompt and in a notebook


@dataclass(frozen=True, eq=False, repr=False)
class Report(Result):
    """What all studies found, and the page that shows it."""

    study: ClassVar[str] = "report"
    part: ClassVar[str] = "study"

    reporting: Reporting
    ran: Mapping[str, Ran]  # the name of a study -> what it found, and why some of it is not there
    left_out: Mapping[str, str]  # a measure -> why it is not in the report
    source: Mapping[str, object]  # where the data came from
    made: Made = field(default_factory=Made)  # when, by which command, of which files
    prints_all: bool = False  # whether the page prints what is closed too
    null: PageRate | None = None  # how often a page like it says something false, if that was asked for

    @property
    def parts(self) -> Mapping[str, tuple[Any, ...]]:
        """Study -> its results, by each measure or by all."""
        return {name: ran.results for name, ran in self.ran.items() if ran.results}

    def made_by(self, words: Sequence[str]) -> Report:
        """The same report with the command line that asked for it."""
        return replace(self, made=self.made.by(words))

    def how_made(self) -> Made:
        """When, by which command, of which files: what the page says too."""
        return self.made

    @cached_property
    def page(self) -> Page:
        """The page, not yet HTML."""
        from irgauge.reporting.page import page_of

        return page_of(self)

    def _names(self) -> Sequence[str]:
        return (*self.reporting.systems, *self.reporting.topics)

    def findings(self) -> Findings:
        """The headlines of the page, then what its sections answer: by each measure in turn, then by all."""
        from irgauge.show.finding import Findings

        claims = (claim.finding for claim in self.page.claims)
        findings = (*self.page.front.headlines, *claims, *self.page_rate())
        nouns = self.nouns
        return Findings(replace(finding, nouns=nouns) for finding in findings)

    def page_rate(self) -> Iterator[Finding]:
        """How often a page like this one says something false, if that was asked for."""
        from irgauge.show.standing import page_told

        if self.null is not None:
            yield page_told(self.null.worst)

    @property
    def provenance(self) -> Provenance:
        """What was asked for, of which data."""
        asked = self.reporting
        return Provenance.of(
            data_facts.measures(tuple(map(str, asked.measures))),
            data_facts.systems(len(asked.systems)),
            data_facts.topics(len(asked.topics)),
            *(named(name, value) for name, value in {**asked.draws, **asked.against}.items()),
            alpha(asked.alpha),
            data_facts.seed(asked.seed),
            missing(asked.missing),
            asked.source,
        )

    def tables(self) -> tuple[Table, ...]:
        """What is claimed, then every table of the page under the name of its file in a bundle."""
        from irgauge.reporting.page import tables_of

        return tables_of(self.page)

    def charts(self) -> Mapping[str, Callable[..., Figure]]:
        """Every chart of the page under the name of its file in a bundle; the first is that of its first screen."""
        from irgauge.show.bundle import forms

        figures = {name: form.figure for name, form in forms(self.page) if form.figure is not None}
        return {name: lambda _, figure=figure: figure for name, figure in figures.items()}

    def to_dict(self) -> dict[str, Any]:
        """Settings, claims and warnings, then the results of every study in full precision."""
        from irgauge.reporting.page import results_of

        return results_of(self)

    def to_html(self) -> str:
        """The page: one file that needs no server and no network."""
        from irgauge.show.html import render

        return render(self.page)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the page (.html), whole or not at all; or what other results write, such as .json for everything."""
        if Path(path).suffix.lower() in (".html", ".htm"):
            write(path, self.to_html())
        else:
            super().save(path)

    def bundle(self, place: str | os.PathLike[str], *, progress: Progress | None = None) -> Sequence[str]:
        """Write the page, every chart, every table and the results into a new folder, all or nothing.

        To a file that ends in .zip goes what has the size of a mail: the page, and of the results those that are
        short. What is not in it is given back.
        """
        from irgauge.reporting.page import small_results_of
        from irgauge.show.bundle import is_small, write_bundle, write_small
        from irgauge.show.saving import filed

        if is_small(place):
            results = small_results_of(self)
            write_small(place, self.to_html(), results)
            return results["without"]
        write_bundle(place, self.page, self.to_html(), filed(self), workers=self.reporting.workers, progress=progress)
        return ()

    def __repr__(self) -> str:
        findings = self.findings()
        more = f"… {len(findings) - _SHOWN} more findings" if len(findings) > _SHOWN else ""
        first = [f"- {finding}" for finding in findings[:_SHOWN]]
        return visible("\n".join(filter(None, [f"Report: {self.page.subtitle}", *first, more, _HOW])), keep="\n")

    def _repr_html_(self) -> str:
        findings = self.findings()
        items = "".join(f"<li>{escape(str(finding))}</li>" for finding in findings[:_SHOWN])
        more = f"… {len(findings) - _SHOWN} more findings. " if len(findings) > _SHOWN else ""
        head = f"<p><b>{escape(self.page.subtitle)}</b></p>"
        return visible(f"{head}<ul>{items}</ul><p><small>{more}{escape(_HOW)}</small></p>")


_HOW = "save('report.html') writes the page, bundle('folder') also every chart and table"


@verb(ReportOptions)
def report(data: Given, options: ReportOptions) -> Report:
    """Ask all questions of the same data: which systems differ, for which population, how precise measures are.

    `data` is what `load` gives, or a pair of judgments and runs as `load` takes them; then files are checked as they
    are read. Or it is a table of scores. Every study runs on one bench. One that cannot answer says why in its place on
    the page.

    >>> from irgauge import load
    >>> qrels = {f"{t}": {f"d{t}": 1, f"e{t}": 1} for t in range(4)}
    >>> good = {f"{t}": {f"d{t}": 3, f"e{t}": 2, "x": 1} for t in range(4)}
    >>> poor = {f"{t}": {"x": 3, f"d{t}": 2 + t, "y": 1} for t in range(4)}
    >>> found = report(load(qrels, {"good": good, "poor": poor}, warn=False), "AP", shards=None, images=2)
    >>> found.findings().of("verdict").texts()[0][:47]
    'good is better than poor in AP by 0.625 (95 % i'
    """
    made = Made()
    with noting_files() as paths:
        reporting, left_out = asked_of(data, options)
    source = _source(judgments_and_runs(data), reporting, options)
    made = made.of([*read_from(data), *paths]).hashed(options.workers)
    ran: dict[str, Ran] = {}
    for name, part in sections().items():
        ran[name] = _ran(name, part, reporting)
        if options.told is not None:
            options.told(len(ran), len(sections()))
    null = _null(reporting, options.null) if options.null else None
    return Report(reporting, ran, left_out, source, made, options.print_all, null)


def _ran(name: str, part: ReportPart, reporting: Reporting) -> Ran:
    """What a part finds, nothing where topics are not as it takes them, or why it cannot answer."""
    if not part.answers_of(reporting):
        return Ran(())
    why = unanswerable(name, reporting)
    return part.run(reporting) if why is None else Ran((), {"runs": why})


def page_claims(data: Given, options: ReportOptions) -> list[Assertion]:
    """What the page of these data would claim, without the page."""
    reporting, _ = asked_of(data, options)
    return list(claims_made(reporting, sections()))


def asked_of(data: Given, options: ReportOptions) -> tuple[Reporting, dict[str, str]]:
    """What the report is of, and how its parts stand; and why some measures are left out."""
    groups = None if options.groups is None else Grouping.of(options.groups)  # read before the runs: it may be wrong
    pair = judgments_and_runs(data)
    if options.variants is not None:
        reporting, left_out = of_scores(of_needs(data, options), options, groups)
    else:
        reporting, left_out = _of_data(data, options, groups) if pair is None else of_runs(pair, options, groups)
    return replace(reporting, standings=standings(sections(), reporting)), left_out


def _null(reporting: Reporting, copies: int) -> PageRate:
    with reporting.telling("copies without differences") as progress:
        total = copies * len(worlds_of(reporting))
        return page_rate(reporting, sections(), copies, then=counting(progress, total))


def _of_data(data: Given, options: ReportOptions, groups: Grouping | None) -> tuple[Reporting, dict[str, str]]:
    measures = MEASURES_OF_RUNS if options.measures is None else options.measures
    opened_data = opened_tables(data, options.workers, measures, missing=options.missing, columns=options.columns)
    if opened_data.has_runs:
        return of_runs(opened_data, options, groups)
    check_no_runs(options)
    scores = opened_data.table("a report measures")
    made_of = None if scores.wordings is None else opened_data.whole_source
    return of_scores(ScoreTable(scores, made_of=made_of), options, groups)


def _source(pair: Files | None, reporting: Reporting, options: ReportOptions) -> dict[str, object]:
    """What was read, for the settings."""
    judgments = str(pair[0]) if pair is not None and isinstance(pair[0], str | os.PathLike) else None
    data = reporting.data
    patterns = [options.pattern] if isinstance(options.pattern, str) else options.pattern
    read = {
        "judgments": judgments,
        "runs": data.files if data.has_runs else None,
        "scores": None if data.has_runs else list(data.files) or "a table",
        "manifest of instances": None if options.manifest is None else str(options.manifest),
        "teams": None if reporting.groups is None else reporting.groups.path or "a mapping",
        "pattern of instances": list(patterns) if patterns else None,
        "other judgments": None if reporting.judges is None else [judge.name for judge in judges_of(reporting.judges)],
    }
    return {name: value for name, value in read.items() if value}
