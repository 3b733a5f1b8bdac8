"""Sections of a report that only some comparisons have: against the baseline, and of two systems on each topic."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np

from irgauge.compute.arrays import Floats
from irgauge.inference.by_topic import PairOnTopics, pairs_told
from irgauge.inference.tests.registry import default_test
from irgauge.scoring.direction import HIGHER, Direction, opposite
from irgauge.show import gaps
from irgauge.show.abridged import ends, ends_note
from irgauge.show.finding import Finding, remarks, sentence
from irgauge.show.page import Choices, Panel, Variant, of_measure, panel
from irgauge.show.queries import query_column
from irgauge.show.saving import plain
from irgauge.show.table import Column, Record, Table
from irgauge.show.words import counted, listed, signed
from irgauge.studies.compare import charts, tables
from irgauge.studies.compare.claims import claims_of
from irgauge.studies.compare.findings import findings, topics_told
from irgauge.studies.compare.records import pair_columns
from irgauge.studies.compare.slice_findings import slices_told
from irgauge.studies.compare.slice_panels import slice_panels
from irgauge.studies.compare.study import Compared, MeasureCompared, compare, compare_on_page
from irgauge.studies.compare.tables import topic_table
from irgauge.studies.compare.topic_charts import topics
from irgauge.studies.compare.verdict_findings import counts_against, zeros_decide
from irgauge.studies.report_part import BEST, FEW, Ran, Reporting, ReportPart, Shown, ranked

_REFERENCES = (
    *default_test("topics").references,
    *default_test("topics").corrected_by.references,
    "schuirmann-1987",
    "satterthwaite-1946",
)


def run_baseline(reporting: Reporting) -> Ran:
    """A comparison with the baseline by each measure."""
    if reporting.baseline is None:
        return Ran(())
    options = {"standing": reporting.standing("baseline"), **reporting.replicated}
    options |= {name: getattr(reporting, name) for name in ("baseline", "margin", "shards", "by")}
    compared = partial(compare_on_page, reporting.data, **options)
    return by_measure(reporting.all_measures(compared, "baseline"))


def by_measure(ran: Ran) -> Ran:
    """What was compared by all measures together, measure by measure."""
    return replace(ran, results=tuple(one for result in ran.results for one in result.by_measure()))


def _rank(reporting: Reporting) -> int | None:
    return None if reporting.baseline is None else 1


def headline(result: Compared) -> Iterator[Finding]:
    """How many systems have each verdict, for each population and on kinds of topics; and whether zeros decide."""
    yield from counts_against(result.first)
    yield from (finding for finding in slices_told(result) if finding.tone != "note")
    yield from zeros_decide(result.first)


def show_baseline(ran: Ran, reporting: Reporting) -> Shown:  # noqa: ARG001  # as every section has it
    """Sentences, charts and tables; first the counts of verdicts."""
    sentences = (finding for result in ran.results for finding in (*headline(result), *_more(result)))
    once = {(finding.text, finding.measure): finding for finding in sentences}.values()
    return (*once, *remarks(ran.reasons())), _baseline_panels(ran.results)


def _more(result: Compared) -> Iterator[Finding]:
    """What else was found; of one system the verdicts are told already, and need no counts."""
    is_one = len(result.comparison.first) == 1
    yield from (finding for finding in findings(result) if not (is_one and finding.kind == "verdicts"))


def _baseline_panels(results: Sequence[Compared]) -> Iterator[Panel]:
    yield from panel(
        "baseline-differences",
        "Differences from the baseline",
        "Each system's difference from the baseline with its interval, coloured by its verdict.",
        (form for result in results for form in _difference_forms(result.first)),
    )
    yield from panel(
        "baseline-pairs",
        "Systems against the baseline",
        "Differences from the baseline, their intervals, p and verdicts.",
        (
            _table(result.first, choices, tables.pair_table([result.first], population))
            for result in results
            for population, choices in populations(result.first)
        ),
    )
    yield from slice_panels("baseline-slices", [result.first for result in results])
    yield from _topic_panels(results)


def _topic_panels(results: Sequence[Compared]) -> Iterator[Panel]:
    yield from panel(
        "baseline-topics",
        "Topics on which systems gain and lose",
        "Differences from the baseline on each topic, of the best systems.",
        (Variant(of_measure(result.first.measure), topics(result)) for result in results),
    )
    yield from panel(
        "baseline-gains",
        "Topics with the largest gains and losses",
        "Of each system against the baseline.",
        (_table(result.first, of_measure(result.first.measure), _largest(result)) for result in results),
    )


def _largest(result: Compared) -> Table:
    """The largest gains and losses; of many systems those of the best."""
    table, systems = topic_table(result), result.comparison.systems
    if len(systems) <= FEW:
        return table
    best = set(systems[:BEST])
    rows = tuple(row for row, system in zip(table.rows, table.column("system"), strict=True) if system in best)
    return replace(table, rows=rows, notes=(*table.notes, f"Shown: the best {BEST} of {len(systems)} systems."))


def populations(result: MeasureCompared) -> Iterator[tuple[str, Choices]]:
    """Each population that was compared, as a choice on the page."""
    for comparison in result.comparisons:
        yield comparison.population, (*of_measure(result.measure), ("population", comparison.population))


def _difference_forms(result: MeasureCompared) -> Iterator[Variant]:
    for population, choices in populations(result):
        for more, best in ranked(len(result.comparison.first)):
            yield Variant((*choices, *more), charts.intervals_of(result, population, best))


def _table(result: MeasureCompared, choices: Choices, table: Table) -> Variant:
    comparison = result.under(dict(choices).get("population"))
    return Variant(choices, table=table, provenance=result.provenance_of(comparison))


def cited(reporting: Reporting) -> tuple[str, ...]:
    """Two one-sided tests where there is a margin; without shards no degrees of freedom to be approximated."""
    unused = {"schuirmann-1987": reporting.margin is None, "satterthwaite-1946": not reporting.has_replicates}
    return tuple(reference for reference in _REFERENCES if not unused.get(reference))


def baseline_methods(ran: Ran, reporting: Reporting) -> Iterator[tuple[str, str]]:
    """How it was done, fit for an appendix."""
    if ran.results:
        yield "Comparison with the baseline", "".join(_method(ran.results[0].first, reporting))


def _method(result: MeasureCompared, reporting: Reporting) -> Iterator[str]:
    systems, on = counted(len(result.comparison.first), "system"), " on the whole corpus"
    yield (
        f"{systems} {'was' if len(result.comparison.first) == 1 else 'were'} compared with {reporting.baseline}: for "
        f"other topics{on if reporting.data.has_runs else ''} by {default_test('topics').cited} with "
        f"{default_test('topics').corrected_by.cited} over the pairs with the baseline, at α = {reporting.alpha:g}."
    )
    if reporting.has_replicates:
        yield " Other populations were tested as in the comparison of all pairs, over the pairs with the baseline only."
    if reporting.margin is None:
        yield " A system is better or worse where the test finds a difference, else the comparison is inconclusive."
    else:
        yield (
            " A system is better or worse where the interval of its difference excludes 0. It is not worse where the "
            "interval at 2α lies above −margin, not better where it lies below the margin, and equivalent where both "
            "hold (two one-sided tests: Schuirmann 1987). Intervals hold for all these pairs together."
        )


def record(result: Compared) -> dict[str, Any]:
    """All numbers, with the pairs under every population as columns, instead of those of one population as records."""
    first, content = result.first, result.to_dict()
    measures = [{name: value for name, value in each.items() if name != "pairs"} for each in content["measures"]]
    pairs = {comparison.population: pair_columns(first, comparison.population) for comparison in first.comparisons}
    return content | {"measures": measures, "pairs": plain(pairs)}


BASELINE = ReportPart(
    key="baseline",
    title="Which systems are better than the baseline?",
    run=run_baseline,
    shown=show_baseline,
    methods=baseline_methods,
    headline=headline,
    references=_REFERENCES,
    cited=cited,
    rank=_rank,
    claims=claims_of,
    record=record,
)


WORST = 10  # topics in the tables of the largest gains and losses


@dataclass(frozen=True)
class TopicSide:
    """The topics on which one system gains, or loses, against the other."""

    topics: int
    total: float

    @classmethod
    def of(cls, differences: Floats) -> TopicSide:
        """Of the differences on these topics."""
        return cls(len(differences), float(differences.sum()))

    @property
    def mean(self) -> float | None:
        """None where there is no topic."""
        return self.total / self.topics if self.topics else None


def run_pair(reporting: Reporting) -> Ran:
    """The two systems on the whole corpus by each measure; a table of scores over its replicates."""
    if len(reporting.systems) != 2 or len(reporting.topics) < 2:
        return Ran(())
    options = {"baseline": reporting.baseline, **reporting.common}
    return reporting.each_measure(lambda measure: compare(reporting.data, measure, **options), "topics")


def pair_of(result: Compared) -> PairOnTopics:
    """The two systems on each topic: the better one first, or the one that is no baseline."""
    return pairs_told(result.first.basis, result.comparison)[0]


def show_pair(ran: Ran, reporting: Reporting) -> Shown:  # noqa: ARG001  # as every section has it
    """Sentences, a chart and tables."""
    sentences = [finding for result in ran.results for finding in (_answer(result), *topics_told(result))]
    return (*sentences, *remarks(ran.reasons())), _pair_panels(ran.results)


def _answer(result: Compared) -> Finding:
    pair = pair_of(result)
    finding = gains_and_losses(
        measure=pair.measure,
        system=pair.system,
        against=pair.against,
        gains=TopicSide.of(pair.difference[pair.gain > 0]),
        losses=TopicSide.of(pair.difference[pair.gain < 0]),
        ties=pair.ties,
        direction=pair.direction,
    )
    return finding.about(measure=pair.measure)


@sentence("gains-and-losses", claims=())
def gains_and_losses(
    *,
    measure: str,
    system: str,
    against: str,
    gains: TopicSide,
    losses: TopicSide,
    ties: int,
    direction: Direction = HIGHER,
) -> str:
    """On how many topics a system wins and loses, and by how much in the mean."""
    total = gains.topics + losses.topics + ties
    if ties == total:
        return f"{system} and {against} have the same {measure} on all {counted(total, 'topic')}."
    parts = [f"{direction} than {against} on {gains.topics:,} of {counted(total, 'topic')}{_by('gain', gains)}"]
    if losses.topics:
        parts.append(f"{opposite(direction)} on {losses.topics:,}{_by('loss', losses)}")
    if ties:
        parts.append(f"the same on {ties:,}")
    return f"By {measure}, {system} scores {listed(parts)}."


def _by(what: str, side: TopicSide) -> str:
    return "" if side.mean is None else f" (mean {what} {signed(abs(side.mean))})"


# panels


def _pair_panels(results: Sequence[Compared]) -> Iterator[Panel]:
    yield from panel(
        "pair-topics",
        "Differences on topics, sorted",
        "A bar is a topic; the largest gain stands first, the largest loss last.",
        (Variant(of_measure(result.first.measure), topics(result)) for result in results),
    )
    for key, title, caption, make in _TABLES:
        yield from panel(key, title, caption, (_form(result, make) for result in results))


def _form(result: Compared, make: Callable[[PairOnTopics], Table]) -> Variant:
    first = result.first
    table = make(pair_of(result))
    return Variant(of_measure(first.measure), table=table, provenance=first.provenance_of(first.comparison))


def outcome_table(pair: PairOnTopics) -> Table:
    """Wins, ties and losses with what they add up to."""
    return Table.of(
        "outcomes",
        f"{pair.system} against {pair.against} in {pair.measure}",
        _outcomes(pair),
        [
            Column("outcome"),
            Column("topics"),
            Column("share", explained="of all topics", decimals=3),
            Column("total", explained="the sum of these differences"),
            Column("mean", explained="over these topics"),
            Column("of_mean", "of the mean", "what these topics add to the mean difference over all topics"),
        ],
    )


def _outcomes(pair: PairOnTopics) -> Iterator[Record]:
    d, gain = pair.difference, pair.gain
    for name, kept in {"win": gain > 0, "tie": gain == 0, "loss": gain < 0, "all": np.isfinite(d)}.items():
        side = TopicSide.of(d[kept])
        share = side.topics / len(d)
        of = {"total": side.total, "mean": side.mean, "of_mean": side.total / len(d)}
        yield {"outcome": name, "topics": side.topics, "share": share, **of}


def worst_table(pair: PairOnTopics) -> Table:
    """The topics with the largest losses."""
    return _topic_table("losses", f"Largest losses of {pair.system}", pair, pair.largest_losses(WORST).tolist())


def best_table(pair: PairOnTopics) -> Table:
    """The topics with the largest gains."""
    return _topic_table("gains", f"Largest gains of {pair.system}", pair, pair.largest_gains(WORST).tolist())


def all_table(pair: PairOnTopics) -> Table:
    """All topics from the largest gain to the largest loss."""
    order = pair.order.tolist()
    table = _topic_table("topics", f"{pair.system} and {pair.against} on all topics", pair, ends(order))
    return replace(table, is_long=True, notes=(*table.notes, *ends_note(len(order))))


def _topic_table(name: str, title: str, pair: PairOnTopics, chosen: Sequence[int]) -> Table:
    records = list(pair.records(chosen))
    return Table.of(
        name,
        f"{title} in {pair.measure}",
        records,
        [
            Column("topic"),
            *query_column(records),
            Column("score", pair.system),
            Column("other", pair.against),
            Column("difference", explained=f"{pair.system} − {pair.against}"),
            *([gaps.MISSING_COLUMN] if pair.is_missing.any() else []),
        ],
    )


_TABLES: tuple[tuple[str, str, str, Callable[[PairOnTopics], Table]], ...] = (
    ("pair-outcomes", "Wins, ties and losses", "How many topics, and what they add up to.", outcome_table),
    ("pair-losses", "Topics with the largest losses", "Where the first system is worst against it.", worst_table),
    ("pair-gains", "Topics with the largest gains", "Where the first system is best against it.", best_table),
    ("pair-all", "All topics", "From the largest gain to the largest loss.", all_table),
)


def pair_record(result: Compared) -> dict[str, Any]:
    """The two systems on every topic; what the tests say stands with the comparisons."""
    pair = pair_of(result)
    rows = [{name: row[name] for name in _KEPT} for row in pair.records(pair.order.tolist())]
    return {"measure": pair.measure, "system": pair.system, "against": pair.against, "topics": rows}


_KEPT = ("topic", "score", "other", "difference", "missing")


def pair_methods(ran: Ran, reporting: Reporting) -> Iterator[tuple[str, str]]:
    """How it was done, fit for an appendix."""
    if ran.results:
        pair = pair_of(ran.results[0])
        yield (
            "Differences on topics",
            f"Differences on topics are {pair.system} − {pair.against}, or the other way round by measures in which "
            "that is the better one. They describe these topics and are not tested one by one."
            if reporting.baseline is None
            else f"Differences on topics are {pair.system} − {pair.against}. They describe these topics and are not "
            "tested one by one.",
        )


PAIR = ReportPart(  # without a headline: what happened on these topics says nothing of a population
    key="pair",
    title="How do the two systems differ, topic by topic?",
    run=run_pair,
    shown=show_pair,
    methods=pair_methods,
    record=pair_record,
)
