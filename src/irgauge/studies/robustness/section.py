"""The part of a report that says whether conclusions hold for other splits and numbers of shards."""

from __future__ import annotations

from collections.abc import Iterator

from irgauge.inference.tests.registry import default_test
from irgauge.replicates.measured import Measuring
from irgauge.scoring.measures import parse_measures
from irgauge.show.finding import Finding, remarks
from irgauge.show.page import Panel, Variant, of_measure, panel
from irgauge.show.words import counted
from irgauge.studies.report_part import Missing, Ran, Reporting, ReportPart, Shown, tried
from irgauge.studies.robustness import charts, tables
from irgauge.studies.robustness.findings import findings, over_splits
from irgauge.studies.robustness.methods import CORRECTION
from irgauge.studies.robustness.study import Robustness, robustness


def run(reporting: Reporting) -> Ran:
    """Random even splits into two, into as many parts as there are shards, and into twice as many, by each measure."""
    return reporting.each_measure(
        lambda measure: robustness(
            reporting.bench,
            measure,
            shards=_counts(reporting, measure),
            resamples=reporting.resamples,
            **reporting.replicated,
        ),
        "splits",
        reporting.unsharded,
    )


def _counts(reporting: Reporting, measure: str) -> list[int]:
    """The numbers of shards that are not too many: for the corpus, and for scores to be defined."""
    shards = len(reporting.bench.sharding(str(reporting.shards)).names)
    most = reporting.bench.collection.corpus_size
    possible = [count for count in sorted({2, shards, 2 * shards}) if count <= most]
    return [count for count in possible if _is_defined(reporting, measure, count)] or possible


def _is_defined(reporting: Reporting, measure: str, count: int) -> bool:
    """Whether the first split into so many shards is not refused, as most scores in it would be undefined."""
    wanted = Measuring(parse_measures([measure]), f"even:{count}", seed=reporting.seed, sparse=reporting.sparse)
    return not isinstance(tried(lambda: reporting.bench.measured(wanted)), Missing)


def headline(result: Robustness) -> Iterator[Finding]:
    """What stands at the top of the page."""
    yield over_splits(result)


def shown(ran: Ran, _: Reporting) -> Shown:
    """Sentences, a chart and tables."""
    told = [finding for result in ran.results for finding in findings(result)]
    return (*told, *remarks(ran.reasons())), _panels(ran.results)


def _panels(results: tuple[Robustness, ...]) -> Iterator[Panel]:
    yield from panel(
        "stability",
        "Differences and order over splits",
        "By method and number of shards.",
        (Variant(of_measure(result.measure), charts.stability(result)) for result in results),
    )
    made = (
        ("outcomes", "Outcomes", "By method and number of shards.", tables.outcome_table),
        ("splits", "Over splits", "How much depends on the split.", tables.split_table),
    )
    for key, title, caption, table in made:
        forms = (
            Variant(of_measure(result.measure), table=table(result), provenance=result.provenance) for result in results
        )
        yield from panel(key, title, caption, forms)


def methods(ran: Ran, reporting: Reporting) -> Iterator[tuple[str, str]]:
    """How it was done, fit for an appendix."""
    if ran.results:
        yield "Robustness", _robustness(reporting)


def _robustness(reporting: Reporting) -> str:
    return (
        f"The corpus was split at random into equal parts, {counted(reporting.resamples, 'time')} into each of several "
        "numbers (Voorhees, Samarov and Soboroff 2017; Ferro and Sanderson 2019). On each split, and on the whole "
        f"corpus, all pairs of systems were compared by {default_test('topics').the} over topics with "
        f"{CORRECTION.title}; the score of a topic on a split is its mean over the parts. Reported are means over "
        "splits with 95 % t intervals, the pairs that differ significantly in every split, and Kendall's τ between the "
        "orders of systems on a split and on the whole corpus."
    )


PART = ReportPart(
    key="robustness",
    title="Do conclusions hold whatever the split?",
    run=run,
    shown=shown,
    methods=methods,
    headline=headline,
    references=("voorhees-2017", "ferro-sanderson-2019"),
)
