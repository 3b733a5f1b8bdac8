"""Tables of a suite: systems, pairs for each population, how far collections disagree, and what each says."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator

from irgauge.show.table import LEAST_P, Column, Record, Table
from irgauge.show.verdicts import COLOURS, FOR, SHORT
from irgauge.show.words import listed, percent, some
from irgauge.studies.suite.claims import CORRECTION, SuiteClaims, collection_wins, counting, system_records
from irgauge.studies.suite.findings import span
from irgauge.studies.suite.slice_findings import slice_tables
from irgauge.studies.suite.study import OnCollection, SuiteCompared

_ALL = "all"  # where a row or a column of collections is of all of them
_NAMED = 3  # systems of a top group


def tables(result: SuiteCompared) -> list[Table]:
    """Systems and pairs over collections, with a baseline pairs first; then what each collection says."""
    systems, pairs = system_table(result), pair_table(result)
    over = [systems, pairs] if result.baseline is None else [pairs, systems]
    each = [score_table(result)]
    if not result.is_of_means:
        each = [collection_table(result), *each, collection_pair_table(result)]
    return [*over, *slice_tables(result), *disagreement_tables(result), *each]


def system_table(result: SuiteCompared) -> Table:
    """Every system with its mean over collections, and for each population its ranks and whether it is on top."""
    records: list[Record] = []
    for system_record in system_records(result):
        own = {f"ranks {name}": span(*ends) for name, ends in system_record["ranks"].items()}
        top = {f"top {name}": is_top for name, is_top in system_record["is_top"].items()}
        records.append(
            {
                "rank": system_record["rank"],
                "system": system_record["system"],
                "mean": system_record["mean"],
                **own,
                **top,
            }
        )
    return Table.of(
        "systems",
        f"Systems by {result.measure} over {len(result.on)} collections",
        records,
        [
            Column("rank"),
            Column("system", role="system"),
            Column("mean", explained=f"over collections, {counting(result.weights)}"),
            *(column for claims in result.over for column in _of_population(claims, result.alpha)),
        ],
        is_long=True,
    )


def _of_population(claims: SuiteClaims, alpha: float) -> Iterator[Column]:
    name = claims.population
    ranks = f"between which it lies {FOR[name]}, for all systems together with confidence {percent(1 - alpha)}"
    yield Column(f"ranks {name}", f"ranks, {name}", ranks)
    yield Column(f"top {name}", f"top, {name}", f"not significantly different from the best {FOR[name]}")


def pair_table(result: SuiteCompared, population: str | None = None) -> Table:
    """The pairs over collections, for each population or for one."""
    shown = result.over if population is None else (result.under(population),)
    won = {pair: f"{own.wins}/{own.ties}/{own.losses}" for pair, own in collection_wins(result).items()}
    records = [
        {**record, "won": won[record["system"], record["against"]]}
        for claims in shown
        for record in claims.pair_records()
    ]
    several = len(shown) > 1
    covers = "; ".join(f"{claims.population}: {SHORT[claims.population]}" for claims in shown)
    return Table.of(
        "pairs",
        f"{_what(result)} by {result.measure} over {len(result.on)} collections",
        records,
        [
            *([Column("population", explained=covers)] if several else []),
            *_pair_columns(result),
            Column("won", "won/tied/lost", "collections on which its mean is higher, the same, lower"),
            Column("verdict", explained=_verdict_said(shown[0])),
        ],
        group_by="population" if several else None,
        is_long=True,
        is_main=True,
    )


def disagreement_tables(result: SuiteCompared) -> list[Table]:
    """The table of how far collections disagree, where there are claims about other ones."""
    return [_disagreement(result, claims) for claims in result.over if claims.disagreement is not None]


def _disagreement(result: SuiteCompared, claims: SuiteClaims) -> Table:
    """How far collections disagree about each pair, and what one more would show."""
    records = [{**record, "tau": math.sqrt(record["tau2"])} for record in claims.pair_records()]
    confidence = f"each pair by itself with confidence {percent(1 - result.alpha)}"
    expected = f"between which the difference on one more collection like these would be, {confidence}"
    return Table.of(
        "disagreement",
        f"How far {len(result.on)} collections disagree by {result.measure}",
        records,
        [
            *_named(result),
            Column("difference", explained="of the means over collections"),
            Column("tau", "τ", "the standard deviation of the true difference between collections"),
            Column("i2", "I²", "its part in the variance of the observed differences; the rest is chance of topics"),
            Column("expected_low", "", expected, "expected low, expected high"),
            Column("expected_high"),
        ],
        is_long=True,
    )


def _named(result: SuiteCompared) -> list[Column]:
    """The columns of the names of a pair."""
    both = ("system", "against") if result.baseline is None else ("system",)
    return [Column(name, role="system") for name in both]


def _what(result: SuiteCompared) -> str:
    return "Pairs of systems" if result.baseline is None else f"Systems against {result.baseline}"


def _pair_columns(result: SuiteCompared) -> list[Column]:
    compared = result.over[0].comparison
    of = "system minus the other" if result.baseline is None else f"system minus {result.baseline}"
    whose = f"{CORRECTION.intervals}, for all pairs together"
    interval = f"the {percent(compared.confidence)} interval of the difference ({whose})"
    return [
        *_named(result),
        Column("difference", explained=f"of the means, {of}"),
        Column("low", "", interval, "low, high"),
        Column("high"),
        Column("p_adjusted", "adjusted p", "for the family", below=LEAST_P),
    ]


def _verdict_said(claims: SuiteClaims) -> str:
    if claims.verdicts.confidence is None:
        return "better or worse where adjusted p ≤ α"
    return (
        f"better above 0, worse below 0; not worse where the {percent(claims.verdicts.confidence)} interval is above "
        "−margin, not better where it is below the margin, equivalent where both hold"
    )


def collection_table(result: SuiteCompared) -> Table:
    """What each collection says: the best system and its top group, or verdicts against the baseline."""
    covers = _on_one(result)
    last = (
        Column("top_group", explained=f"not significantly different from the best, {covers}")
        if result.baseline is None
        else Column("verdicts", explained=f"of systems against {result.baseline}, {covers}")
    )
    return Table.of(
        "collections",
        f"Collections, by {result.measure}",
        [_collection(collection, claims) for collection, claims in result.tested],
        [
            Column("collection"),
            Column("topics"),
            Column("best", role="system"),
            Column("mean", explained="of the best"),
            last,
        ],
        is_long=True,
    )


def _on_one(result: SuiteCompared) -> str:
    """What claims on one collection are for."""
    return f"{FOR[result.tested[0][1].population]} of the collection"


def _collection(collection: OnCollection, claims: SuiteClaims) -> Record:
    counts: Counter[str] = Counter(claims.verdicts.verdicts)
    others = claims.top_group[1:]
    return {
        "collection": collection.name,
        "topics": collection.topics,
        "best": claims.every.systems[0],
        "mean": float(claims.every.means[0]),
        "verdicts": listed([f"{counts[verdict]} {verdict}" for verdict in COLOURS if counts[verdict]]),
        "top_group": some(others, _NAMED) if others else "alone",
    }


def score_table(result: SuiteCompared) -> Table:
    """The mean of each system on each collection, and over them; the fewer of both stand in columns."""
    means, over = result.means, result.over_collections.tolist()
    if len(result.systems) <= len(result.on):
        rows = [*zip(result.collections, means.tolist(), strict=True), (_ALL, over)]
        heads, first = list(result.systems), Column("collection")
    else:
        with_all = [[*own, mean] for own, mean in zip(means.T.tolist(), over, strict=True)]
        rows = list(zip(result.systems, with_all, strict=True))
        heads, first = [*result.collections, _ALL], Column("system", role="system")
    records = [
        {first.name: name} | {f"of {head}": cell for head, cell in zip(heads, cells, strict=True)}
        for name, cells in rows
    ]
    return Table.of(
        "scores",
        f"Mean {result.measure} on each collection, and over all of them",
        records,
        [first, *(Column(f"of {head}", head) for head in heads)],
        is_long=True,
    )


def collection_pair_table(result: SuiteCompared) -> Table:
    """The pairs on each collection, each collection a family of its own."""
    records = [
        {"collection": collection.name, **record}
        for collection, claims in result.tested
        for record in claims.pair_records()
    ]
    return Table.of(
        "collection-pairs",
        f"{_what(result)} by {result.measure} on each collection",
        records,
        [
            Column("collection"),
            *_pair_columns(result),
            Column("verdict", explained=_on_one(result)),
        ],
        group_by="collection",
        is_long=True,
    )
