"""What a gate of many looks takes: who is planned for, what is told of it, and in which table."""

from __future__ import annotations

from collections.abc import Iterator

from irgauge.planning.looks import TRIALS, LooksForecast, LooksPlan, Truth
from irgauge.show.finding import Finding, sentence
from irgauge.show.table import Column, Record, Table
from irgauge.show.words import percent, rounded_up
from irgauge.studies.plan.pilot import PlannedPair
from irgauge.studies.plan.study import Planned

_TOLD: tuple[Truth, ...] = ("as good", "worse by twice the margin")  # in the sentence
_UNTOLD = "nothing can be told of a candidate that is as good or worse"


def looks_told(result: Planned) -> Iterator[Finding]:
    """Topics until a decision, and what looking costs."""
    if result.looks is not None:
        yield many_looks(pair=result.first.pair, measure=result.measure, looks=result.looks)


@sentence("many-looks", claims=("forecast",))
def many_looks(*, pair: PlannedPair, measure: str | None, looks: LooksPlan) -> str:
    """How long it takes if the candidate is as good, and if it is worse; against one look."""
    by = "" if measure is None else f" in {measure}"
    asked = f"A gate of many looks with a margin of {looks.margin:.3g}{by}, for differences as of"
    told = [_until(looks, own) for truth in _TOLD if (own := looks.of(truth))] or [_UNTOLD]
    return f"{asked} {pair.system} and {pair.against}: {'; '.join(told)}. {_cost(looks)}"


def _until(looks: LooksPlan, own: LooksForecast) -> str:
    """On average, and for most."""
    most = f"{looks.most:,} topics"
    ninety = f"not 90 % by {most}" if own.undecided > 0.1 else f"90 % by {rounded_up(round(own.ninety))}"
    at_least = "at least " if own.undecided > 0 else ""
    after = f"is decided after {at_least}{rounded_up(round(own.mean))} topics on average ({ninety})"
    verdict, share = ("passes", own.passes) if own.difference == 0 else ("fails", own.fails)
    return f"a candidate that is {own.truth} {after}, and {verdict} in {percent(round(share, 2))} of trials"


def _cost(looks: LooksPlan) -> str:
    """Of looking, against a number of topics that is fixed before."""
    equal = looks.of("as good")
    if equal is None:
        return (
            "What one look needs cannot be told, as the pilot has no losses or no gains; a larger pilot may have both."
        )
    if looks.once is None:
        return f"One look needs more than {looks.most:,} topics too."
    passing = f"to pass a candidate that is as good with a power of {percent(looks.power)}, if differences vary as here"
    one = f"One look needs {rounded_up(looks.once)} topics {passing}"
    if equal.undecided > 0.5:
        return f"{one}."
    return f"{one}; many looks take {equal.mean / looks.once:.1f} times as many on average."


def looks_tables(result: Planned) -> Iterator[Table]:
    """A row for each truth, where it was asked for."""
    looks = result.looks
    if looks is None:
        return
    rows: list[Record] = [dict(own._asdict()) for own in looks.forecasts]
    yield Table.of(
        "looks",
        f"Topics until a gate of many looks is decided, with a margin of {looks.margin:.3g}",
        rows,
        [
            Column("truth", "the candidate is"),
            Column("difference", explained="true, above 0 where it is better"),
            Column("passes", explained=f"share of {TRIALS} trials"),
            Column("fails"),
            Column("undecided", explained=f"after {looks.most:,} topics"),
            Column("mean", "topics", "mean number until it is decided, or all", decimals=0),
            Column("median", decimals=0),
            Column("ninety", "90 %", "of trials are decided by then", decimals=0),
        ],
    )
