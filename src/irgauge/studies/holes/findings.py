"""What unjudged documents could change, in sentences and in tables."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple

from irgauge.inference.verdicts import Verdict
from irgauge.show.finding import Finding, sentence
from irgauge.show.table import Column, Table
from irgauge.show.words import listed, signed
from irgauge.studies.holes.likely_findings import likely_findings, likely_tables
from irgauge.studies.holes.next_findings import next_table, next_told, queue
from irgauge.studies.holes.reuse import GroupFall
from irgauge.studies.holes.study import Bounded, PairBounds

_WORDS: Mapping[Verdict, str] = {
    "better": "is ahead of",
    "worse": "is behind",
    "equivalent": "is as good as",
    "not worse": "is not worse than",
    "not better": "is not better than",
}


class Span(NamedTuple):
    """A difference, and between which ends it lies whatever unjudged documents are."""

    difference: float
    least: float
    most: float
    holes: int  # unjudged documents

    @property
    def ends(self) -> str:
        """The ends in a sentence."""
        return f"{signed(self.least)} and {signed(self.most)}"


def findings(result: Bounded) -> Iterator[Finding]:
    """By each measure whether pairs keep their order; then what bounds are not, and whether groups fall."""
    for measure in result.measures:
        systems, pairs = result[measure].systems, result[measure].pairs
        if all(system.least == system.most for system in systems):
            finding = all_judged(measure=measure)
        elif len(pairs) == 1:
            finding = _of_pair(pairs[0], result.margins.get(measure))
        elif pairs:
            finding = _of_pairs(measure, pairs, result)
        else:
            only = systems[0]
            span = Span(only.mean, only.least, only.most, only.holes)
            finding = system_alone(measure=measure, system=only.system, span=span)
        yield finding.about(measure=measure)
    if loose := list(
        dict.fromkeys(pair.measure for pair in result.pairs if not pair.is_exact and pair.least < pair.most)
    ):
        yield too_wide(measures=loose)
    for measure in result.measures:
        if groups := [group for group in result.groups if group.measure == measure]:
            yield _of_groups(measure, groups).about(measure=measure)
    yield from likely_findings(result)
    yield from next_told(result)


def _of_pair(pair: PairBounds, margin: float | None) -> Finding:
    span = Span(pair.difference, pair.least, pair.most, pair.holes)
    names = {"measure": pair.measure, "system": pair.system, "against": pair.against}
    if pair.verdict == "inconclusive":
        return could_turn(**names, span=span, is_exact=pair.is_exact)
    return settled(**names, span=span, verdict=pair.verdict, margin=margin)


def _of_pairs(measure: str, pairs: Sequence[PairBounds], result: Bounded) -> Finding:
    return settled_pairs(
        measure=measure,
        settled=sum(pair.keeps_order for pair in pairs),
        within=sum(pair.verdict != "inconclusive" and not pair.keeps_order for pair in pairs),
        pairs=len(pairs),
        baseline=result.baseline,
        is_exact=pairs[0].is_exact,
    )


def _of_groups(measure: str, groups: Sequence[GroupFall]) -> Finding:
    if not any(group.judged for group in groups):
        return nothing_alone(measure=measure)
    counts = {"changed": sum(group.changed for group in groups), "pairs": sum(group.pairs for group in groups)}
    worst, mean = groups[0], sum(group.difference for group in groups) / len(groups)
    return left_out(measure=measure, group=worst.group, difference=worst.difference, mean=mean, **counts)


@sentence("settled", claims=())
def settled(*, measure: str, system: str, against: str, span: Span, verdict: Verdict, margin: float | None) -> str:
    """A pair whose order no grades change."""
    by = f" by {margin:g}" if margin is not None and verdict in ("not worse", "not better") else ""
    return (
        f"By {measure}, {system} {_WORDS[verdict]} {against}{by} on these topics whatever unjudged documents are"
        f"{_in_lists(span.holes)}: the difference is {signed(span.difference)}, and lies between {span.ends}."
    )


@sentence("could-turn", claims=())
def could_turn(*, measure: str, system: str, against: str, span: Span, is_exact: bool) -> str:
    """A pair whose order unjudged documents could change, or which bounds that are too wide do not settle."""
    which, as_is = f"which of {system} and {against} is ahead", f"the difference is {signed(span.difference)}"
    if not is_exact:
        some = f"bounds do not settle {which} whatever unjudged documents are{_in_lists(span.holes)}"
        return f"By {measure}, {some}: {as_is}, and lies between {span.ends}."
    some = f"unjudged documents{_in_lists(span.holes)} could change {which}"
    return f"By {measure}, {some}: {as_is}, and could lie anywhere between {span.ends}."


@sentence("settled-pairs", claims=())
def settled_pairs(*, measure: str, settled: int, within: int, pairs: int, baseline: str | None, is_exact: bool) -> str:
    """Of how many pairs no grades change the order, and how many more are settled against the margin."""
    against = f" {within:,} more {'is' if within == 1 else 'are'} settled against the margin." if within else ""
    noun = f"pairs with {baseline}" if baseline else "pairs"
    certain = "on these topics whatever unjudged documents are"
    if not settled and not is_exact:
        sure = f"bounds make the order of none of {pairs:,} {noun} certain on these topics"
        return f"By {measure}, {sure}: unjudged documents may change it.{against}"
    if settled in (0, pairs):
        some = f"all {pairs:,} {noun} keep their order" if settled else f"none of {pairs:,} {noun} keeps its order"
        return f"By {measure}, {some} {certain}.{against}"
    keep, others = ("keeps its" if settled == 1 else "keep their"), pairs - settled
    rest = "the other" if others == 1 else f"the other {others:,}"
    last = f"that of {rest} could change" if is_exact else f"bounds do not settle {rest}"
    return f"By {measure}, {settled:,} of {pairs:,} {noun} {keep} order {certain}; {last}.{against}"


@sentence("system-alone", claims=())
def system_alone(*, measure: str, system: str, span: Span) -> str:
    """A single system, whose mean stands for the difference."""
    return (
        f"By {measure}, the mean of {system} is {signed(span.difference)}; unjudged documents{_in_lists(span.holes)} "
        f"could make it lie anywhere between {span.ends}."
    )


@sentence("all-judged", claims=())
def all_judged(*, measure: str) -> str:
    """No unjudged document counts."""
    return f"By {measure}, no unjudged document counts: nothing can change."


@sentence("too-wide", tone="note")
def too_wide(*, measures: Sequence[str]) -> str:
    """Measures whose bounds of differences are not exact."""
    return (
        f"Bounds of differences by {listed(measures)} may be too wide, never too narrow; those of each system are "
        "exact."
    )


@sentence("left-out", claims=())
def left_out(*, measure: str, group: str, difference: float, mean: float, changed: int, pairs: int) -> str:
    """How far groups fall that had come after the pool."""
    down = f"those of {group} fall furthest, by {signed(-difference)}" if difference < 0 else "none fall"
    return (
        f"By {measure}, the runs of a group that is left out of the pool change by {signed(mean)} on average, and "
        f"{down}; {changed:,} of {pairs:,} verdicts on them and runs of other groups change."
    )


@sentence("nothing-alone", claims=())
def nothing_alone(*, measure: str) -> str:
    """No group brought a document that others did not."""
    return f"By {measure}, nothing changes where a group is left out of the pool: none alone brought a judged document."


def _in_lists(holes: int) -> str:
    """How many of them are listed down to the cut-off; others may still add to the ideal list, or to all relevant."""
    return f" ({holes:,} of them listed down to the cut-off)" if holes else ""


def tables(result: Bounded) -> list[Table]:
    """What to judge next, the pairs, then the systems, then the groups, then what is likely."""
    groups = [group_table(result)] if result.groups else []
    first = [next_table(result)] if result.to_judge is not None and result.to_judge.documents else []
    certain = [*([pair_table(result)] if result.pairs else []), system_table(result)]
    return [*first, *certain, *groups, *likely_tables(result)]


FORMS: Mapping[str, Callable[[Bounded], str | bytes]] = {"queue": queue}


def pair_table(result: Bounded) -> Table:
    """Every pair by every measure."""
    return Table.of(
        "pairs",
        "Differences that unjudged documents allow",
        result.frame_rows("pairs"),
        [
            Column("measure"),
            Column("system", role="system"),
            Column("against", role="system"),
            Column("difference", explained="with unjudged documents as not relevant"),
            Column(
                "least",
                explained="the smallest and the largest that any grades allow",
                explained_as="least, most",
            ),
            Column("most"),
            Column("verdict", explained="on these topics, whatever unjudged documents are"),
            Column("holes", explained="unjudged documents of either system down to the cut-off, on all topics"),
        ],
        group_by="measure",
        is_main=True,
        is_long=True,
    )


def system_table(result: Bounded) -> Table:
    """Every system by every measure."""
    return Table.of(
        "systems",
        "Means that unjudged documents allow",
        result.frame_rows("systems"),
        [
            Column("measure"),
            Column("system", role="system"),
            Column("mean", explained="with unjudged documents as not relevant"),
            Column("least", explained="the smallest and the largest that any grades allow", explained_as="least, most"),
            Column("most"),
            Column("holes", explained="unjudged documents down to the cut-off, on all topics"),
        ],
        group_by="measure",
        is_main=not result.pairs,
        is_long=True,
    )


def group_table(result: Bounded) -> Table:
    """Every group by every measure."""
    return Table.of(
        "groups",
        "Groups left out of the pool",
        result.frame_rows("groups"),
        [
            Column("measure"),
            Column("group"),
            Column("runs", is_minor=True),
            Column(
                "depth", explained="so many first documents of a run are judged on every topic, and taken as brought"
            ),
            Column("judged", explained="documents that the group alone brought, on all topics"),
            Column("relevant", explained="those that are relevant"),
            Column("difference", explained="of the mean of its runs, without these judgments minus with them"),
            Column("low", explained="interval for other topics", explained_as="low, high"),
            Column("high"),
            Column("ranks", explained="places that a run of it falls, the most"),
            Column("pairs", explained="of a run of it and one of another group", is_minor=True),
            Column(
                "changed",
                explained="pairs with other groups that differ significantly in one case only",
            ),
        ],
        group_by="measure",
        is_long=True,
    )
