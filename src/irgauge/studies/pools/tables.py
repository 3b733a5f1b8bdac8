"""Tables of shallow pools: what fewer judgments do to differences and their p-values."""

from __future__ import annotations

from collections.abc import Iterator

from irgauge.show.table import LEAST_P, Cell, Column, Record, Table
from irgauge.show.words import counted
from irgauge.studies.pools.pairs import RANGE
from irgauge.studies.pools.study import Pooled, pair_rows

_SHOWN = 5  # pairs that gain most, for each measure
_RANGE = f"{100 * RANGE[0]:g} % to {100 * RANGE[1]:g} %"
_POOL = Column("pool", explained="depth to which both runs are judged, or all judgments")


def tables(result: Pooled) -> list[Table]:
    """The measures and pools of a pair; of many pairs their counts, then the pairs that gain most."""
    if len(result.pairs) == 1:
        return [pair_table(result)]
    return [count_table(result), *worst_tables(result)]


def pair_table(result: Pooled) -> Table:
    """One pair under each pool."""
    pair = result.pairs[0]
    return Table.of(
        "pools",
        f"{pair.system} − {pair.against} with fewer judgments",
        pair_rows(result, pair),
        [
            Column("measure"),
            _POOL,
            Column("judged", explained="documents judged for a topic, mean", decimals=1),
            Column("difference", "as is", "the difference on the collection as it is, and its p", "as is, p as is"),
            Column("p", "p as is", below=LEAST_P),
            Column("median_difference", "median", "of the difference over images", is_minor=True),
            Column("difference_low", "low", f"{_RANGE} of it", "low, high", is_minor=True),
            Column("difference_high", "high", is_minor=True),
            Column("median_p", explained="over images", below=LEAST_P),
            Column("p_low", "", f"{_RANGE} of it", "p low, high", is_minor=True, below=LEAST_P),
            Column("p_high", is_minor=True, below=LEAST_P),
            Column("significant", "p ≤ α", "share of images in which the runs differ significantly"),
            Column("lower", "p lower", "share of images in which p is lower than with all judgments"),
            Column("chance", explained="share of random swaps of the runs in which t rises as much with some pool"),
            Column(
                "confidence",
                explained="whether p is lower (more) or higher (less) than with all judgments, beyond chance",
            ),
        ],
        group_by="measure",
        is_main=True,
    )


def count_table(result: Pooled) -> Table:
    """How many pairs gain or lose confidence with each pool."""
    return Table.of(
        "pools",
        f"{counted(len(result.pairs), 'pair')} of runs with fewer judgments",
        _count_records(result),
        [
            Column("measure"),
            _POOL,
            Column("judged", explained="documents judged for a topic, mean over topics and pairs", decimals=1),
            Column("pairs"),
            Column("differ", explained="pairs with p ≤ α on the collection as it is"),
            Column("only_by_pool", explained="those that do not differ significantly with all judgments"),
            Column("more_confidence", explained="pairs that look surer, beyond chance; they may also differ with all"),
            Column("less_confidence"),
        ],
        group_by="measure",
        is_main=True,
    )


def _count_records(result: Pooled) -> Iterator[Record]:
    counts = {
        "only_by_pool": result.only_shallow(),
        "more_confidence": result.gains(),
        "less_confidence": result.loses(),
    }  # measure, pool
    differ = result.significant()
    for m, measure in enumerate(result.measures):
        for k, pool in enumerate(result.pools):
            last = k == len(result.pools) - 1
            own: dict[str, Cell] = {name: None if last else int(count[m, k]) for name, count in counts.items()}
            yield {
                "measure": measure,
                "pool": pool,
                "judged": float(result.judged[k]),
                "pairs": len(result.pairs),
                "differ": int(differ[m, k]),
                **own,
            }


def worst_tables(result: Pooled) -> Iterator[Table]:
    """The pairs that gain most, if any do."""
    records = [record for m in range(len(result.measures)) for record in _worst_records(result, m)]
    if records:
        yield Table.of(
            "worst",
            f"The worst pairs that look surer, {_SHOWN} of a measure at most",
            records,
            [
                Column("measure"),
                Column("system", role="system"),
                Column("against", role="system"),
                Column("pool", explained="the one with which the median p falls furthest"),
                Column("root_p", "p as is", "p on the collection as it is, with the pool", below=LEAST_P),
                Column("root_p_all", "with all", "the same with all judgments"),
                Column("median_p", explained="p over images, with the pool", below=LEAST_P),
                Column("median_p_all", "median with all", "the same with all judgments"),
                Column("lower", "p lower", "share of images in which p is lower than with all judgments"),
            ],
            ["First the pairs whose median p is at most α with the pool only, then by how far it falls."],
            group_by="measure",
        )


def _worst_records(result: Pooled, m: int) -> Iterator[Record]:
    for pair, k in result.worst(m)[:_SHOWN]:
        root, median = pair.root_p[m].tolist(), pair.median_p[m].tolist()
        yield {
            "measure": result.measures[m],
            "system": pair.system,
            "against": pair.against,
            "pool": result.pools[k],
            "root_p": root[k],
            "root_p_all": root[-1],
            "median_p": median[k],
            "median_p_all": median[-1],
            "lower": float(pair.lower[m, k]),
        }
