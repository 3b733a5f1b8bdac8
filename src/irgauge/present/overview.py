"""Tables of the first questions: what the data are, and how effective each system is."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

import numpy as np

from irgauge.present.tables import Table
from irgauge.reading.ordering import TIE_RULE
from irgauge.scoring.catalogue import RECORDS, Parameter, Record
from irgauge.scoring.scores import Scores
from irgauge.studies.preflight import Preflight
from irgauge.studies.summary import Summary


def summary_table(summary: Summary, precision: str) -> Table:
    """Mean, standard error and interval of every system."""
    columns = ("measure", "system", "mean", "se", "low", "high", "topics")
    rows = tuple(tuple(getattr(mean, column) for column in columns) for mean in summary.means)
    interval = f"low and high bound the mean with {1 - summary.alpha:.4g} confidence by t over topics (other topics)"
    return Table(
        title=_title(summary.systems, summary.topics),
        columns=columns,
        rows=rows,
        caption=f"{interval}; {_scoring(precision)}; {summary.filled} undefined scores filled with {summary.fill}.",
        group_by=0,
    )


def topic_table(scores: Scores, precision: str, *, fill: object, undefined: int) -> Table:
    """The score of every system on every topic."""
    frame = scores.frame().drop("replicate")
    return Table(
        title=_title(len(scores.systems), len(scores.topics)),
        columns=tuple(frame.columns),
        rows=tuple(frame.iter_rows()),
        caption=f"{_scoring(precision)}; {undefined} undefined scores filled with {fill}.",
        group_by=1 if len(scores.systems) > 1 else 0,
    )


def _title(systems: int, topics: int) -> str:
    return f"{systems} system{'s' * (systems != 1)} on {topics} topic{'s' * (topics != 1)}"


def _scoring(precision: str) -> str:
    return f"order: {TIE_RULE}, scores in {precision} precision; a topic missing from a run scores 0"


def undefined_notes(scores: Scores, fill: object) -> list[str]:
    """What to know of topics on which a measure has no score."""
    counts = np.isnan(scores.values[:, :, 0, 0]).sum(axis=1)  # measure: undefined for all systems alike
    return [
        f"{measure}: {count} of {len(scores.topics)} topics have no document that it takes as relevant; fill {fill}"
        for measure, count in zip(scores.measures, counts, strict=True)
        if count
    ]


def trec_lines(scores: Scores) -> str:
    """The lines of `trec_eval -q -c`: every topic, then `all`; a line with the run's name if there are several."""
    lines = []
    names = [f"{measure.trec_name:<22}" for measure in scores.measures]
    values = scores.values.mean(axis=3)  # measure, topic, system
    for s, system in enumerate(scores.systems):
        if len(scores.systems) > 1:
            lines.append(f"{'runid':<22}\tall\t{system}")
        for topic, of_topic in zip(
            (*scores.topics, "all"), (*values[:, :, s].T, values[:, :, s].mean(axis=1)), strict=True
        ):
            lines += [f"{name}\t{topic}\t{value:6.4f}" for name, value in zip(names, of_topic, strict=True)]
    return "\n".join(lines) + "\n"


def preflight_json(report: Preflight) -> dict[str, Any]:
    """The report as an object."""
    return asdict(report) | {"usable": report.usable}


def preflight_tables(report: Preflight) -> list[Table]:
    """What the data are, run by run, and what is remarkable."""
    return [_data_table(report), _run_table(report), _finding_table(report)]


def _data_table(report: Preflight) -> Table:
    grades = ", ".join(map(str, report.grades))
    rows = (
        ("topics with a relevant document", report.topics),
        ("systems", report.systems),
        ("documents in runs and qrels", report.documents),
        ("judgments", report.judgments),
        ("grades", grades),
        ("relevant documents", report.relevant),
        ("relevant documents of the median topic", report.relevant_median),
        ("topics with fewer than 5 relevant documents", len(report.few_relevant)),
    )
    return Table("The data", ("what", "value"), rows, "Counted over the topics of the qrels.", decimals=1)


def _run_table(report: Preflight) -> Table:
    columns = ("system", "topics", "missing", "depth", "shallowest", "judged@10", "judged@100", "tied")
    rows = tuple(
        (r.system, r.topics, r.missing, r.depth, r.shallowest, r.judged_10, r.judged_100, r.tied) for r in report.runs
    )
    caption = (
        "depth: median length of a list; judged: share of the top 10 and 100, mean over topics; "
        "tied: share of documents that share their score with another one of their list."
    )
    return Table("The runs", columns, rows, caption, decimals=3)


def _finding_table(report: Preflight) -> Table:
    order = {"error": 0, "warning": 1, "note": 2}
    findings = sorted(report.findings, key=lambda finding: order[finding.severity])
    rows = tuple((finding.severity, finding.message) for finding in findings)
    verdict = "The data can be used." if report.usable else "The data cannot be used before the errors are mended."
    return Table("What to know" if rows else "Nothing remarkable", ("severity", "finding"), rows, verdict)


def measure_table() -> Table:
    """All measures, how to write them and what they mean."""
    rows = tuple((_syntax(record), record.title, _explanation(record), _trec_names(record)) for record in RECORDS)
    caption = "k is a cut-off, such as nDCG@10; parameters are written like RBP(p=0.95) or nDCG(dcg='exp-log2')@10."
    return Table("Measures", ("measure", "name", "explanation", "in trec_eval"), rows, caption)


def _syntax(record: Record) -> str:
    return record.name + {"none": "", "optional": "[@k]", "required": "@k"}[record.cutoff]


def _explanation(record: Record) -> str:
    parameters = "; ".join(_parameter(name, parameter) for name, parameter in record.parameters.items())
    return record.explanation + (f" Parameters: {parameters}." if parameters else "")


def _parameter(name: str, parameter: Parameter) -> str:
    default = "" if parameter.default is None else f" (default {parameter.default!r})"
    return f"{name}= {parameter.explanation}{default}"


def _trec_names(record: Record) -> str:
    return ", ".join(alias.format(k="k") for alias in record.aliases)
