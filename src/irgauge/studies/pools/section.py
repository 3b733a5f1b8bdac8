"""The part of a report that says what fewer judgments would have done."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from irgauge.options.progress import Progress
from irgauge.replicates.bench import Bench
from irgauge.replicates.facts import measures
from irgauge.scoring.measures import Measure
from irgauge.show.page import Panel, Variant, of_measure, panel
from irgauge.show.standing import tested_by
from irgauge.show.table import Table
from irgauge.show.words import counted, listed
from irgauge.studies.pools import charts, tables
from irgauge.studies.pools import findings as told
from irgauge.studies.pools.pairs import FALLS_TO
from irgauge.studies.pools.study import Pooled, falls_to, pools
from irgauge.studies.report_part import Missing, Ran, Reporting, ReportPart, Shown, ran, tried

_HEAVY = ("topics", "topic_differences")  # every topic in every image
_POOLED = 5  # systems whose pairs are compared under shallow pools
_IMAGES = 100
_POOLED_TOPICS = 1 << 13  # pairs of systems times topics and measures, compared under shallow pools
_TOPICS = 250  # that a chart shows side by side


def run(reporting: Reporting) -> Ran:
    """The best two systems by the first measure, and all pairs of the best few."""
    best = _best_first(reporting.bench, reporting.measures[0])
    few = min(max(2, len(best)), _systems_pooled(len(reporting.bench.collection.topics) * len(reporting.measures)))
    with reporting.telling("pools") as progress:
        results = {
            f"the best {count} systems": _pooled(reporting, best[:count], progress, all_pairs=count == few)
            for count in dict.fromkeys((2, few))
        }
    return ran(results)


def _best_first(on_bench: Bench, measure: Measure) -> list[int]:
    """The systems by their means in a measure."""
    means = np.nanmean(on_bench.whole([measure]).values[0, :, :, 0], axis=0)
    return np.argsort(-means, kind="stable").tolist()


def _systems_pooled(size: int) -> int:
    """Of how many systems all pairs are compared under pools, on so many topics by so many measures."""
    return next((n for n in range(_POOLED, 2, -1) if n * (n - 1) // 2 * size <= _POOLED_TOPICS), 2)


def _pooled(
    reporting: Reporting, systems: Sequence[int], progress: Progress | None, *, all_pairs: bool
) -> Pooled | Missing:
    return tried(
        lambda: pools(
            reporting.bench.collection.only(systems),
            reporting.measures,
            images=min(reporting.images, _IMAGES),
            all_pairs=all_pairs,
            progress=progress,
            **reporting.replicated,
        )
    )


def shown(ran: Ran, reporting: Reporting) -> Shown:
    """Sentences, charts and tables."""
    which = _compared(ran.results[-1], len(reporting.bench.collection.systems))
    notes = {finding.text: finding for result in ran.results for finding in told.findings(result)}
    kept = (finding for finding in notes.values() if finding.tone != "finding")
    return (tested_by(shown=which, command="pools"), *kept), _panels(ran.results)


def _compared(result: Pooled, systems: int) -> str:
    which = f"the best {len(result.systems)} of {counted(systems, 'system')} by {result.measures[0]}"
    return (
        f"Compared are {which}, pair by pair, as if only the documents in the top {_depths(result, 'or')} of one of "
        "the two runs were judged: how p changes stands in the charts and tables."
    )


def _depths(result: Pooled, last: str) -> str:
    *first, deepest = result.pools[:-1]
    return f"{', '.join(first)} {last} {deepest}" if first else deepest


def _panels(results: Sequence[Pooled]) -> Iterator[Panel]:
    single = next((result for result in results if len(result.pairs) == 1), None)
    many = next((result for result in results if len(result.pairs) > 1), None)
    if single is not None:
        yield from _pair_panels(single)
    if many is not None:
        yield from panel(
            "pool-pairs",
            "p-values of all pairs with fewer judgments",
            "Points below the line have a lower p with fewer judgments.",
            (Variant(of_measure(name), charts.p_values(many, name)) for name in many.measures),
        )
        yield from _by_measure("pool-counts", "Pairs with fewer judgments", many, tables.count_table(many))
        for table in tables.worst_tables(many):
            yield from _by_measure("pool-gains", "Pairs that look surer", many, table)


def _pair_panels(result: Pooled) -> Iterator[Panel]:
    pair = result.pairs[0]
    yield from panel(
        "pool-images",
        f"{pair.system} against {pair.against} with fewer judgments",
        "p-values against differences, in images of the corpus.",
        (Variant(of_measure(name), charts.p_values(result, name)) for name in result.measures),
    )
    if len(result.topics) <= _TOPICS:
        yield from panel(
            "pool-topics",
            "Differences on topics with fewer judgments",
            "How far the difference on a topic moves with other documents, by pool.",
            (Variant(of_measure(name), charts.topics(result, name)) for name in result.measures),
        )
    yield from _by_measure("pool-table", "The pair with fewer judgments", result, tables.pair_table(result))


def _by_measure(key: str, title: str, result: Pooled, table: Table) -> Iterator[Panel]:
    """A table measure by measure."""
    forms = [
        Variant(
            of_measure(name),
            table=replace(table.where(measure=name), title=f"{table.title} ({name})"),
            provenance=result.provenance | measures((name,)),
        )
        for name in result.measures
    ]
    yield from panel(key, title, "Paired t-tests in images of the corpus.", forms)


def record(result: Pooled) -> dict[str, Any]:
    """The numbers without those of single topics, which are many."""
    return {name: value for name, value in result.to_dict().items() if name not in _HEAVY}


def methods(ran: Ran, _: Reporting) -> Iterator[tuple[str, str]]:
    """How it was done, fit for an appendix."""
    if not ran.results:
        return
    result = ran.results[-1]
    is_single = len(result.pairs) == 1
    which = "The two best systems" if is_single else f"All pairs of the best {len(result.systems)} systems"
    definition = falls_to(FALLS_TO).text
    yield (
        "Shallow pools",
        f"{which} by {result.measures[0]} were compared by two-sided paired t-tests over topics, with the judgments of "
        f"only the documents in the top {listed(result.pools[:-1])} of either run, and with all judgments (Zobel and "
        f"Rashidi 2020). This was done on the collection as it is and in {counted(result.images, 'bootstrap image')} "
        f"of the corpus, without correction for the number of pairs. Of shallow pools is said: {definition}.",
    )


PART = ReportPart(
    key="pools",
    title="What if fewer documents had been judged?",
    run=run,
    shown=shown,
    methods=methods,
    record=record,
    references=("zobel-rashidi-2020",),
)
