"""The section of a report on two systems, topic by topic."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from irgauge.compute.arrays import Floats
from irgauge.inference.by_topic import PairOnTopics, pairs_told
from irgauge.scoring.direction import HIGHER, Direction, opposite
from irgauge.show import gaps
from irgauge.show.abridged import ends, ends_note
from irgauge.show.finding import Finding, remarks, sentence
from irgauge.show.page import Panel, Variant, of_measure, panel
from irgauge.show.queries import query_column
from irgauge.show.table import Column, Record, Table
from irgauge.show.words import counted, listed, signed
from irgauge.studies.compare.findings import topics_told
from irgauge.studies.compare.study import Compared, compare
from irgauge.studies.compare.topic_charts import topics
from irgauge.studies.report_part import Ran, Reporting, ReportPart, Shown

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
    options = {"baseline": reporting.baseline, **reporting.of_topics}
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
    with_sampling="alike",
    record=pair_record,
)
