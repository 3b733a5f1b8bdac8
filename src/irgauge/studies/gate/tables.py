"""Tables of a gate: the measures, and the topics with the largest losses and gains."""

from __future__ import annotations

from collections.abc import Iterator

from irgauge.show import gaps
from irgauge.show.table import LEAST_P, Column, Record, Table
from irgauge.show.words import percent
from irgauge.studies.gate.study import Gated

WORST = 5  # topics with the largest losses, and with the largest gains, by each measure


def tables(result: Gated) -> list[Table]:
    """The measures, then topics."""
    return [measure_table(result), topic_table(result)]


def measure_table(result: Gated) -> Table:
    """What each measure says."""
    together = ", for all measures together" if len(result.each) > 1 else ""
    inside, inner = percent(1 - result.alpha), percent(1 - 2 * result.alpha)
    return Table.of(
        "measures",
        f"{result.candidate} against {result.baseline}",
        _measures(result),
        [
            Column("measure"),
            Column("baseline_mean", "baseline", f"mean of {result.baseline} over topics"),
            Column("candidate_mean", "candidate", f"mean of {result.candidate}"),
            Column("difference", explained="candidate − baseline"),
            Column("low", "", f"the {inside} interval{together}: better above 0, worse below 0", "low, high"),
            Column("high"),
            Column("margin_low", "low (margin)", f"the {inner} interval: not worse above −margin", is_minor=True),
            Column("margin_high", "high (margin)", is_minor=True),
            Column("p", explained=f"two-sided, against 0{together}", below=LEAST_P),
            Column("margin", explained="the smallest difference that matters"),
            Column("verdict"),
            Column("outcome"),
        ],
        is_main=True,
    )


def _measures(result: Gated) -> Iterator[Record]:
    names = ("measure", "baseline_mean", "candidate_mean", "difference", "low", "high", "margin_low", "margin_high")
    for gated in result.each:
        yield {name: getattr(gated, name) for name in (*names, "p", "margin", "verdict", "outcome")}


def topic_table(result: Gated) -> Table:
    """The topics with the largest losses and gains."""
    records = list(_topics(result))
    return Table.of(
        "topics",
        f"Topics with the largest losses and gains of {result.candidate}",
        records,
        [
            Column("measure"),
            Column("topic"),
            Column("other", "baseline"),
            Column("score", "candidate"),
            Column("difference"),
            *([gaps.MISSING_COLUMN] if any(record["missing"] for record in records) else []),
        ],
        group_by="measure",
    )


def _topics(result: Gated) -> Iterator[Record]:
    for gated in result.each:
        topics = gated.topics
        for chosen in (topics.largest_losses(WORST), topics.largest_gains(WORST)[::-1]):
            yield from topics.records(chosen.tolist())
