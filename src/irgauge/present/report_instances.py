"""The section of a report on random algorithms, each run of which is one instance."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from irgauge.present import instance_charts
from irgauge.present import report_findings as told
from irgauge.present.instance_findings import Answer, findings
from irgauge.present.instance_topics import topic_scores
from irgauge.present.instances import instance_tables
from irgauge.present.page import Panel, Section, Variant
from irgauge.present.report_absent import absent, reasons, there
from irgauge.present.report_panels import Choices, of_measure, panel, tables
from irgauge.present.tables import Table
from irgauge.studies.report import OverInstances, Report

_TITLE = "Which algorithm is better when each run of it differs?"
_CHARTS = (
    (
        "instance-margins",
        "Differences of algorithms",
        instance_charts.margins,
        "Intervals of differences against the margin.",
    ),
    ("instance-topics", "Scores over instances", topic_scores, "Box plots of two algorithms on topics."),
    ("instance-variance", "Where the noise comes from", instance_charts.variance, "Bars of shares of the variance."),
    ("instance-needed", "Topics and instances needed", instance_charts.needed, "Topics needed by instances."),
)
_CAPTION = "By mixed models of instances and topics."
_TABLES = {
    "differences": ("instance-differences", "Differences in numbers"),
    "margin": ("instance-margin-table", "Differences against the margin"),
    "algorithms": ("instance-algorithms", "Algorithms"),
    "components": ("instance-components", "Components of the variance"),
    "singles": ("instance-singles", "What single instances would have said"),
    "needed": ("instance-sizes", "What an interval needs"),
    "diagnostics": ("instance-diagnostics", "How far the draws can be relied upon"),
}


def instances(report: Report) -> Section:
    """Which algorithm is better, or as good, over its instances."""
    found = there((one, one.instances) for one in report.measures)
    if not found:
        return absent(told.INSTANCES, _TITLE, [one.instances for one in report.measures])
    answers = [(of_measure(one.measure), told.instance_answer(result, report)) for one, result in found]
    lead = [*_compared(found[0][1])]
    for (one, _), (_, answer) in zip(found, answers, strict=True):
        lead += [finding.text for finding in told.over_instances(report, one)]
        lead += [sentence for sentence in findings(answer) if not _is_verdict(sentence, answer)]
    lead += reasons((one.measure, one.instances) for one in report.measures)
    return Section(told.INSTANCES, _TITLE, tuple(lead), tuple(_panels(answers)))


def _is_verdict(sentence: str, answer: Answer) -> bool:
    """Whether it is of one pair; pairs stand in a chart and in tables."""
    return sentence.startswith(f"For {answer.found.population}")


def _compared(result: OverInstances) -> Iterator[str]:
    yield "Here runs are instances of algorithms; all other sections take each run as a system of its own."
    compared = len(result.found.scores.algorithms)
    if compared < result.algorithms:
        yield f"Compared are the best {compared} of {result.algorithms} algorithms by their means, measure by measure."


def _panels(answers: Sequence[tuple[Choices, Answer]]) -> Iterator[Panel]:
    for key, title, draw, seen in _CHARTS:
        yield panel(key, title, _CAPTION, seen, [Variant(choices, chart=draw(answer)) for choices, answer in answers])
    made = [(choices, _by_name(answer)) for choices, answer in answers]
    for name, (key, title) in _TABLES.items():
        forms = [(choices, of[name]) for choices, of in made if name in of]
        if forms:
            yield panel(key, title, _CAPTION, "A table.", tables(forms))


def _by_name(answer: Answer) -> dict[str, Table]:
    there = {"singles": bool(answer.singles), "diagnostics": answer.found.posterior is not None}
    names = [name for name in _TABLES if there.get(name, True)]
    return dict(zip(names, instance_tables(answer), strict=True))
