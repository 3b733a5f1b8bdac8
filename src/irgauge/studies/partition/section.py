"""The part of a report that says which systems differ by random splits of the documents."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from irgauge.errors import DesignError
from irgauge.reading.collection import Collection
from irgauge.show.abridged import of_best
from irgauge.show.finding import Finding, remark, remarks
from irgauge.show.page import Panel, Variant, of_measure, panel
from irgauge.show.standing import tested_by
from irgauge.show.table import Table
from irgauge.show.words import counted, listed
from irgauge.studies.partition import charts, matrices, tables
from irgauge.studies.partition.findings import findings
from irgauge.studies.partition.study import Partitioned, partition
from irgauge.studies.report_part import BEST, FEW, Ran, Reporting, ReportPart, Shown

PARTS, SPLITS = 2, 11
_TESTED = 1 << 15  # pairs of systems times topics, that tests are set side by side of
_CHANCE = 0.05  # of a split with relevant documents of every topic in every part: if less, topics are dropped
_ADVICE = ("drawing-topics",)  # kinds of findings that say what else can be asked for
_TABLES = {
    "splits": ("partition-splits", "p-values, split by split"),
    "disagreement": ("partition-levels", "How far the splits disagree"),
    "tests": ("partition-tests", "Tests side by side"),
    "lengths": ("partition-lengths", "Lengths of intervals"),
    "systems": ("partition-systems", "Effects of systems"),
}
_GAPS = {
    "redraw": "A split was drawn again until every topic had relevant documents in every part",
    "drop": "Topics without relevant documents in some part were left out of that split",
}


_NO_SPLITS = "random splits of the documents need judgments and runs; a table of scores is not enough"


def run(reporting: Reporting) -> Ran:
    """The partition method by each measure."""
    if not reporting.data.has_runs:
        return Ran((), {"runs": _NO_SPLITS})
    collection = reporting.bench.collection
    n = len(collection.systems)
    few = n * (n - 1) // 2 * len(collection.topics) <= _TESTED
    options: dict[str, Any] = {
        "parts": PARTS,
        "splits": SPLITS,
        "tests_of": (PARTS,) if few else None,
        "lengths_of": (PARTS,),
        **reporting.common,
    }
    return reporting.each_measure(
        lambda measure: _divided(reporting, measure, options), "partition method", _undivided(collection)
    )


def _divided(reporting: Reporting, measure: str, options: dict[str, Any]) -> Partitioned:
    """Splits are drawn again until every topic has relevant documents in every part; else topics are dropped."""
    if _whole_split_chance(reporting.bench.collection) < _CHANCE:
        return partition(reporting.bench, measure, fill="drop", **options)
    try:
        return partition(reporting.bench, measure, fill="redraw", **options)
    except DesignError:
        return partition(reporting.bench, measure, fill="drop", **options)


def _undivided(collection: Collection) -> str | None:
    """Why documents cannot be split so that topics have relevant ones in every part."""
    count = int(np.count_nonzero(collection.relevant_counts() >= PARTS))
    needed = f"splits into {PARTS} parts need at least 2 topics with {PARTS} relevant documents or more"
    return f"{needed}, and there {'is' if count == 1 else 'are'} {count}" if count < 2 else None


def _whole_split_chance(collection: Collection) -> float:
    """The chance that a random split into two parts gives each relevant documents of every topic."""
    return float(np.prod(1 - 2.0 ** (1 - collection.relevant_counts())))


def shown(ran: Ran, reporting: Reporting) -> Shown:  # noqa: ARG001  # as every section has it
    """Sentences, charts and tables."""
    return (*_told(ran.results), *remarks(ran.reasons())), _panels(ran.results)


def _told(results: Sequence[Partitioned]) -> Iterator[Finding]:
    """What was found by each measure, then what holds for all, once."""
    splits = results[0].first.splits
    drawn = f"{counted(len(splits.splits), 'random split')} of the documents into {splits.parts} parts"
    yield tested_by(shown=f"What {drawn} find of each pair stands in the charts and tables.", command="partition")
    said = (finding for result in results for finding in findings(result))
    sentences = [finding for finding in said if finding.tone != "finding" and finding.kind not in _ADVICE]
    yield from (finding for finding in sentences if finding.measure is not None)
    yield from {finding.text: finding for finding in sentences if finding.measure is None}.values()
    if results[0].first.tests is None:
        systems = len(results[0].first.splits.systems)
        yield remark(text=f"Tests over topics are not set beside these: of {systems} systems they take long.")


def _panels(results: Sequence[Partitioned]) -> Iterator[Panel]:
    n = len(results[0].first.splits.systems)
    best = BEST if n > FEW else None
    yield from panel(
        "partition-effects",
        "Effects of systems with their intervals",
        "By ANOVA of one split, without and with interactions of system and topic.",
        (Variant(_of(result), charts.effects(result)) for result in results),
    )
    yield from panel(
        "partition-agreement",
        "What the splits agree on",
        "Cells that stand out are pairs whose decision depends on the split.",
        (Variant(_of(result), matrices.agreement(result, best=best)) for result in results),
    )
    yield from panel(
        "partition-densities",
        "What the p of a pair is",
        "Of the best neighbours that overlap.",
        (Variant(_of(result), charts.densities(result)) for result in results),
    )
    yield from panel(
        "partition-decisions",
        "Which tests find pairs different",
        "The same pairs by tests over topics and by a split of the documents.",
        (Variant(_of(result), matrices.decisions(result)) for result in results if result.first.tests is not None),
    )
    yield from _table_panels(results)
    yield from panel(
        "partition-pairs",
        "Decisions on pairs",
        "Which system is better by all splits together.",
        (_table(result, of_best(tables.of_one(_pairs(result), result.first.measure))) for result in results),
    )


def _pairs(result: Partitioned) -> Table:
    return tables.pair_table([result.first.splits])


def _of(result: Partitioned) -> tuple[tuple[str, str], ...]:
    return of_measure(result.first.measure)


def _table(result: Partitioned, table: Table) -> Variant:
    return Variant(_of(result), table=table, provenance=result.provenance)


def _table_panels(results: Sequence[Partitioned]) -> Iterator[Panel]:
    made = [{table.name: table for table in tables.few_tables(result)} for result in results]
    for name, (key, title) in _TABLES.items():
        forms = (_table(result, own[name]) for result, own in zip(results, made, strict=True) if name in own)
        yield from panel(key, title, "By the partition method.", forms)


def methods(ran: Ran, reporting: Reporting) -> Iterator[tuple[str, str]]:  # noqa: ARG001  # as every section has it
    """How it was done, fit for an appendix."""
    if ran.results:
        yield "Partition method", _method(ran.results)


def _method(results: Sequence[Partitioned]) -> str:
    drawn = results[0].first.splits
    gaps = dict.fromkeys(_GAPS[result.first.splits.fill] for result in results)
    tests = (
        " Beside them stand unpaired and paired t-tests and randomization tests over topics, without correction."
        if results[0].first.tests is not None
        else ""
    )
    return (
        f"The documents were split at random into {drawn.parts} parts, {counted(len(drawn.splits), 'time')} (after "
        f"Voorhees, Samarov and Soboroff 2017). {listed(list(gaps))}. In each split scores were modelled as score = "
        "mean + topic + system + topic:system + error. p of a pair is that of a two-sided t-test of the difference of "
        "the two systems, against the spread of that difference over the parts or against that of all pairs, whichever "
        "is larger, with Welch's degrees of freedom, and corrected over all pairs by Benjamini and Hochberg's "
        f"procedure. Systems differ where all splits say so (rule '{drawn.rule.name}': {drawn.rule.explanation}), at α "
        f"= {drawn.alpha:g}. Topics are fixed.{tests}"
    )


PART = ReportPart(
    key="partitions",
    title="What do random splits of the documents say?",
    run=run,
    shown=shown,
    methods=methods,
    references=("voorhees-2017",),
)
