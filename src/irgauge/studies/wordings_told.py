"""How much of the differences between systems is the wording of needs: a sentence and a table that claim nothing."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from irgauge.inference.wordings import WordingSpread, wording_spread
from irgauge.scoring.scores import Scores
from irgauge.show.finding import Finding, sentence
from irgauge.show.page import Panel, Variant, of_measure, panel
from irgauge.show.table import Column, Record, Table
from irgauge.show.words import counted, percent


def spread_of(scores: Scores) -> WordingSpread | None:
    """Of scores by one measure; None where they are not means over wordings."""
    values = None if scores.wordings is None else scores.wordings.behind(scores)
    return None if values is None or len(scores.systems) < 2 else wording_spread(values)


def wordings_told(each: Sequence[Scores]) -> Iterator[Finding]:
    """Of each measure, and what claims cover."""
    for scores in each:
        spread = spread_of(scores)
        if spread is not None and scores.wordings is not None:
            told = of_wordings(measure=str(scores.measures[0]), column=scores.wordings.column, spread=spread)
            yield told.about(measure=str(scores.measures[0]))
    shared = next((scores.wordings for scores in each if scores.wordings is not None), None)
    if shared is not None and shared.is_shared:
        yield shared_wordings(column=shared.column, count=max(shared.counts))


@sentence("wordings", claims=())
def of_wordings(*, measure: str, column: str, spread: WordingSpread) -> str:
    """How much of the spread of differences is the wording, and whether more needs or more wordings pay."""
    needs, wordings = (1 - spread.width(**{what: 2.0}) for what in ("needs", "wordings"))
    return (
        f"By {measure}, the wording ({column}) makes {percent(spread.share)} of how differences between systems vary "
        f"over {counted(spread.needs, 'need')} with {spread.wordings:.2g} wordings each: twice as many wordings would "
        f"make intervals {percent(wordings)} narrower, twice as many needs {percent(needs)}."
    )


@sentence("shared-wordings", tone="note", claims=())
def shared_wordings(*, column: str, count: int) -> str:
    """That wordings which all needs share are not a sample inside each."""
    return (
        f"The same {count} values of '{column}' are used for all needs: claims are for other needs with these. For "
        f"others like these, take them as replicates that all topics share (`compare` with --columns "
        f"replicate={column} --population topics+shards)."
    )


def wording_panels(key: str, each: Sequence[Scores]) -> Iterator[Panel]:
    """The same tables on a page, by each measure."""
    yield from panel(
        key,
        "What makes the difference between two systems vary",
        "From need to need, and from wording to wording.",
        (
            Variant(of_measure(str(scores.measures[0])), table=table)
            for scores in each
            for table in wording_tables([scores])
        ),
    )


def wording_tables(each: Sequence[Scores]) -> Iterator[Table]:
    """The components of the variance of a difference, where scores are means over wordings."""
    records: list[Record] = []
    for scores in each:
        spread = spread_of(scores)
        if spread is not None:
            noise = spread.of_wordings / spread.wordings
            parts = (("need", spread.of_needs, 1 - spread.share), ("wording", spread.of_wordings, spread.share))
            records += [
                {"measure": str(scores.measures[0]), "source": name, "variance": variance, "share": share}
                for name, variance, share in (parts if spread.of_needs + noise > 0 else ())
            ]
    if records:
        yield Table.of(
            "wordings",
            "What makes the difference between two systems vary",
            records,
            [
                Column("measure"),
                Column("source"),
                Column("variance", explained="of the difference of two systems, in the mean over pairs"),
                Column("share", explained="of the variance of means over the wordings of a need"),
            ],
            ["By mean squares, wordings inside needs."],
        )
