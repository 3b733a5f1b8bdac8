"""What to judge next, in sentences, in a table and as a file."""

from __future__ import annotations

from collections.abc import Iterator

from irgauge.errors import DesignError
from irgauge.show.finding import Finding, sentence
from irgauge.show.table import Column, Table
from irgauge.show.words import all_of, counted
from irgauge.studies.holes.study import Bounded


def next_told(result: Bounded) -> Iterator[Finding]:
    """How many judgments were added, and what to judge next, if anything."""
    if result.added is not None:
        yield judgments_added(judgments=result.added)
    asked = result.to_judge
    if asked is None:
        return
    if not asked.unsettled:
        finding = nothing_to_judge(measure=asked.measure, system=asked.system, pairs=asked.pairs)
    else:
        finding = judge_next(
            measure=asked.measure,
            system=asked.system,
            unsettled=asked.unsettled,
            pairs=asked.pairs,
            documents=len(asked.documents),
        )
    yield finding.about(measure=asked.measure)


@sentence("judgments-added", tone="note")
def judgments_added(*, judgments: int) -> str:
    """Judgments that were made since."""
    return f"{counted(judgments, 'judgment')} {'was' if judgments == 1 else 'were'} added to those of the collection."


@sentence("nothing-to-judge", claims=())
def nothing_to_judge(*, measure: str, system: str, pairs: int) -> str:
    """That all pairs are settled."""
    every, verb = ("the pair", "is") if pairs == 1 else (all_of(pairs, "pair"), "are")
    return (
        f"By {measure}, {every} with {system} {verb} settled on these topics whatever unjudged documents are: no more "
        "judgments are needed."
    )


@sentence("judge-next", claims=())
def judge_next(*, measure: str, system: str, unsettled: int, pairs: int, documents: int) -> str:
    """Which documents to judge next."""
    if not documents:
        return f"By {measure}, no single document is known to help settle the pairs with {system}."
    if unsettled == pairs:
        state = (
            f"the pair with {system} is not settled"
            if pairs == 1
            else f"none of {pairs:,} pairs with {system} is settled"
        )
    else:
        state = f"{unsettled:,} of {pairs:,} pairs with {system} {'is' if unsettled == 1 else 'are'} not settled"
    return (
        f"By {measure}, {state}: judge the {counted(documents, 'document')} below next, then ask again with these "
        "judgments (--judged)."
    )


def next_table(result: Bounded) -> Table:
    """The documents, the most useful first."""
    return Table.of(
        "next",
        "Documents to judge next",
        [{**row, "why": f"rank {row['rank']} of {row['system']}"} for row in result.frame_rows("next")],
        [
            Column("topic"),
            Column("docno"),
            Column("why", explained="who of the systems compared ranks it highest"),
            Column("pairs", explained="that it could change, of those not settled"),
            Column(
                "chance",
                explained="to be relevant, by what was judged (0.5 where that does not tell); of the highest gain "
                "where grades count",
            ),
            Column(
                "use",
                explained="how far its judgment is expected to lift the least differences, over these pairs",
                decimals=5,
            ),
        ],
        is_long=True,
    )


def queue(result: Bounded) -> str:
    """The table as a file for those who judge."""
    if result.to_judge is None:
        raise DesignError("it was not asked what to judge next; say how many documents (--next 20)")
    return next_table(result).to_csv()
