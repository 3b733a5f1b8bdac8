"""The form that only a history has: one page, with the answer and its picture, then changes, topics and all points."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from irgauge.inference.change_points import DRAWS
from irgauge.provenance import package_versions
from irgauge.show.finding import Finding
from irgauge.show.html import render
from irgauge.show.page import Card, Claim, Front, Page, Panel, Section, Variant, of_measure, panel
from irgauge.show.references import REFERENCES
from irgauge.show.table import Table
from irgauge.show.words import counted, listed, percent
from irgauge.studies.history.charts import development
from irgauge.studies.history.findings import change_table, point_table, topic_table
from irgauge.studies.history.study import POPULATION, Developed

_CHANGES, _POINTS = "changes", "points"


def page_of(result: Developed) -> Page:
    """All that stands on the page."""
    findings = result.findings()
    told = [finding for finding in findings if finding.tone != "warning"]
    first, last = (min(_times(result)), max(_times(result)))
    return Page(
        title="How did scores develop, and since when do they differ?",
        subtitle=f"{listed(list(result.measures))} in {result.used:,} entries, from {first} to {last}",
        front=Front(tuple(told), next(_picture(result)), tuple(_cards(result))),
        claims=tuple(Claim(finding, result.provenance, _CHANGES) for finding in told if finding.tone == "finding"),
        warnings=tuple(finding.text for finding in findings if finding.tone == "warning"),
        sections=(
            _section(_CHANGES, "Since when do scores differ, and on which topics?", told, _changes(result)),
            _section(_POINTS, "How did each measure develop?", [], _points(result)),
        ),
        methods=tuple(_methods(result)),
        references=(REFERENCES["frick-2014"],),
        settings={
            "entries": result.used,
            "measures": list(result.measures),
            "alpha": result.alpha,
            "seed": result.seed,
            "versions": package_versions(),
        },
    )


def _times(result: Developed) -> list[str]:
    return [point.time[:10] for line in result.lines for point in line.points]


def _picture(result: Developed) -> Iterator[Panel]:
    forms = (Variant(of_measure(measure), development(result, measure)) for measure in result.measures)
    return panel("development", "Differences from the reference", "A point is an entry of the history.", forms)


def _cards(result: Developed) -> Iterator[Card]:
    changes = [(line, change) for line in result.lines for change in line.changes]
    worse = sum(not line.is_better(change) for line, change in changes)
    better = len(changes) - worse
    yield Card(str(worse), f"{_noun(worse, 'change')} for the worse", "for other topics", _CHANGES, kind="worse")
    yield Card(str(better), f"{_noun(better, 'change')} for the better", "for other topics", _CHANGES, kind="better")
    cuts = len({line.points[0].entry for line in result.lines if line.cause is not None})
    yield Card(str(cuts), f"{_noun(cuts, 'place')} where scores cannot be compared", "", _POINTS, kind="cuts")


def _noun(count: int, noun: str) -> str:
    return noun if count == 1 else f"{noun}s"


def _section(key: str, title: str, told: Sequence[Finding], panels: Iterator[Panel]) -> Section:
    return Section(key, title, tuple(told), tuple(panels))


def _changes(result: Developed) -> Iterator[Panel]:
    yield from _table(result, "changes", "Changes", change_table(result))
    yield from _table(result, "changed-topics", "Topics with the largest changes", topic_table(result))


def _points(result: Developed) -> Iterator[Panel]:
    return _table(result, "entries", "Differences at each entry", point_table(result))


def _table(result: Developed, key: str, title: str, table: Table) -> Iterator[Panel]:
    return panel(key, title, "", [Variant((), table=table, provenance=result.provenance)])


def _methods(result: Developed) -> Iterator[tuple[str, str]]:
    lines = counted(len(result.lines), "line")
    yield (
        "Changes",
        "A line is the mean over topics of the difference from the reference, whose scores are those of the first "
        "entry of the line. Each split of a part of a line, and each window of 2, 4, ... entries, was compared with "
        "the rest by two tests that must both find a change: of the entries, the largest contrast held against its "
        f"distribution in {DRAWS:,} random orders of them; of the topics, the guarded t-test with Bonferroni's "
        "correction, alone where nothing varies from entry to entry but at one place. There are as "
        "few changes as leave no part with another one, each part tested at its "
        "share of α by its length (after Frick, Munk and Sieling 2014). Of all "
        f"{lines} together not more changes are said than there are with a chance of {percent(1 - result.alpha)}; "
        f"claims are for other {POPULATION}. Intervals at each entry are for themselves.",
    )


def html(result: Developed) -> str:
    """The page."""
    return render(page_of(result))


FORMS: Mapping[str, Callable[[Developed], str | bytes]] = {"html": html}
