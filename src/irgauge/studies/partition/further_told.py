"""What is asked of the partition method besides, as sentences that claim nothing and as tables."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict

from irgauge.show.finding import Finding, sentence
from irgauge.show.table import Column, Record, Table
from irgauge.show.words import capital, counted, listed, percent
from irgauge.studies.partition.further import OfSplitCount, OfSystemCount, TermEffects
from irgauge.studies.partition.study import OfMeasure, Partitioned

_ALIKE = 0.99  # the share of pairs that two sets of splits decide alike, from which there are enough
_TERMS = {"topic": "topics", "topic:system": "systems on topics"}
_MEASURE = Column("measure")
_ALONE = (
    "Residuals are drawn one by one, as in the paper: where all systems are better or worse in a part together, the "
    "intervals of topics are too short; MD6 takes that out."
)


def further_findings(measure: OfMeasure) -> Iterator[Finding]:
    """Of one measure."""
    if measure.terms:
        counts = {_TERMS[term.term]: (term.away_from_zero, len(term.levels)) for term in measure.terms}
        yield other_effects(measure=measure.measure, counts=counts, alpha=measure.terms[0].alpha)
    if measure.by_splits:
        yield _enough(measure.measure, measure.splits.rule.name, measure.by_splits)
    if measure.by_systems:
        yield models_of_few(measure=measure.measure, rows=measure.by_systems)


@sentence("other-effects", claims=())
def other_effects(*, measure: str, counts: dict[str, tuple[int, int]], alpha: float) -> str:
    """How many effects of other terms are away from 0."""
    each = [f"{away:,} of {levels:,} effects of {name}" for name, (away, levels) in counts.items()]
    return (
        f"In {measure}, the {percent(1 - alpha)} intervals of {listed(each)} do not hold 0 in the first split, each "
        "interval by itself."
    )


def _enough(measure: str, rule: str, rows: Sequence[OfSplitCount]) -> Finding:
    told = {row.splits: row.as_others for row in rows if row.as_others is not None}
    enough = next((number for number, share in told.items() if share >= _ALIKE), None)
    return enough_splits(measure=measure, rule=rule, alike=told, enough=enough)


@sentence("enough-splits", claims=())
def enough_splits(*, measure: str, rule: str, alike: dict[int, float], enough: int | None) -> str:
    """From how many splits on another set of splits decides nearly the same."""
    (number, share), first_share = list(alike.items())[-1], next(iter(alike.values()))
    last = f"two sets of {counted(number, 'split')} without a common one decide {percent(share)} of pairs alike"
    if enough is None and len(alike) > 1 and share <= first_share:
        return f"In {measure}, {last}, no more than two single ones do: by the rule '{rule}' more splits do not help."
    if enough is None:
        return f"In {measure}, {last}: more splits are needed for {percent(_ALIKE)}."
    first = f"{counted(enough, 'split')} {'is' if enough == 1 else 'are'} enough for two sets of them to decide"
    return f"In {measure}, {first} {percent(alike[enough])} of pairs alike" + (
        "." if enough == number else f"; {last}."
    )


@sentence("models-of-few", claims=())
def models_of_few(*, measure: str, rows: Sequence[OfSystemCount]) -> str:
    """What models of few systems decide, beside that of all."""
    each = [f"{row.systems} {row.kind} {percent(row.as_all)}" for row in rows]
    return (
        f"In {measure}, of the pairs of so many systems a model of these alone decides as the model of all does, in "
        f"the first split: {listed(each)}."
    )


def further_tables(result: Partitioned) -> Iterator[Table]:
    """By each measure, where they were asked for."""
    every = result.measures
    yield from _term_tables([(measure.measure, term) for measure in every for term in measure.terms])
    splits: list[Record] = [
        {"measure": measure.measure} | asdict(row) for measure in every for row in measure.by_splits
    ]
    if splits:
        yield _split_count_table(splits)
    systems: list[Record] = [
        {"measure": measure.measure} | asdict(row) for measure in every for row in measure.by_systems
    ]
    if systems:
        yield _system_count_table(systems)


def _term_tables(terms: Sequence[tuple[str, TermEffects]]) -> Iterator[Table]:
    for name, of in _TERMS.items():
        own = [(measure, term) for measure, term in terms if term.term == name]
        if own:
            records: list[Record] = [record for measure, term in own for record in _term_records(measure, term)]
            yield Table.of(
                f"effects-of-{name.replace(':', '-')}",
                f"Effects of {of} in the first split",
                records,
                [
                    _MEASURE,
                    Column("level", capital(name.replace(":", ", "))),
                    Column("effect"),
                    Column(
                        "low",
                        explained=f"the {percent(1 - own[0][1].alpha)} interval over draws of residuals, each by "
                        "itself",
                        explained_as="low, high",
                    ),
                    Column("high"),
                ],
                [_ALONE] if name == "topic" else [],
                is_long=True,
            )


def _term_records(measure: str, term: TermEffects) -> Iterator[Record]:
    columns = (term.effects.tolist(), term.low.tolist(), term.high.tolist())
    for level, effect, low, high in zip(term.levels, *columns, strict=True):
        yield {"measure": measure, "level": level, "effect": effect, "low": low, "high": high}


def _split_count_table(records: Sequence[Record]) -> Table:
    return Table.of(
        "by-splits",
        "Decisions by number of splits",
        records,
        [
            _MEASURE,
            Column("splits", explained="of sets that are drawn from all splits"),
            Column("least", explained="pairs that differ, by the set that finds fewest"),
            Column("mean", decimals=1),
            Column("most"),
            Column("as_all", "as all", "share of pairs that are decided as by all splits"),
            Column("as_others", "as others", "share that two sets without a common split decide alike"),
        ],
    )


def _system_count_table(records: Sequence[Record]) -> Table:
    return Table.of(
        "by-systems",
        "Models of few systems beside the model of all",
        records,
        [
            _MEASURE,
            Column("systems"),
            Column("kind", "chosen"),
            Column("sets", explained="of systems, over which shares and lengths are means"),
            Column("length", explained="of plain intervals of effects"),
            Column("length_of_all", "by all", "the same systems by the model of all"),
            Column("significant", explained="share of their pairs, corrected over these alone"),
            Column("significant_of_all", "by all", "corrected over all pairs"),
            Column("as_all", "as all", "share of their pairs that both decide alike"),
        ],
    )


def parts_told(noun: str) -> Iterator[Finding]:
    """What is to be said of a table's replicates of this name, unless it is one of parts of the documents."""
    if noun not in ("shards", "parts", "sources"):
        yield taken_as_parts(noun=noun)


@sentence("taken-as-parts", "warning")
def taken_as_parts(*, noun: str) -> str:
    """That the question is of parts of the documents, and a table's replicates may be none."""
    return (
        f"The {noun} of the table are taken as parts of the documents. Where they are something else, such as repeated "
        "runs or judges, these claims do not hold: use `irgauge instances` or `irgauge compare`."
    )
