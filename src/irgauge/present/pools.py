"""Tables and the JSON object of shallow pools: what fewer judgments do to differences and their p-values."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from irgauge.present.pool_findings import DEFINITION, GAINS, LOSES, METHOD, POPULATION, SAME, findings, setting
from irgauge.present.sentences import counted
from irgauge.present.tables import Cell, Table
from irgauge.reading.ordering import TIE_RULE
from irgauge.studies.pools import FALLS_TO, RANGE, PairPools, Pools

_SHOWN = 5  # pairs that gain most, for each measure
_RANGE = f"{100 * RANGE[0]:g} % to {100 * RANGE[1]:g} %"


def pools_tables(result: Pools) -> list[Table]:
    """The measures and pools of a pair; of many pairs their counts, then the pairs that gain most."""
    if len(result.pairs) == 1:
        return [_pair_table(result, result.pairs[0])]
    return [_count_table(result), *_worst_tables(result)]


def verdict(pair: PairPools, m: int, pool: int) -> str:
    """What a pool does to the confidence."""
    return GAINS if pair.gains[m, pool] else LOSES if pair.loses[m, pool] else SAME


def _caption(result: Pools, *explained: str) -> str:
    return "; ".join((*explained, *setting(result))) + "."


def _pair_table(result: Pools, pair: PairPools) -> Table:
    image = ("median", "low", "high", "median p", "p low", "p high", "p ≤ α", "p lower")
    return Table(
        title=f"{pair.first} − {pair.second} with fewer judgments",
        columns=("measure", "pool", "judged", "root", "root p", *image, "verdict"),
        rows=tuple(_pair_rows(result, pair)),
        caption=_caption(
            result,
            "pool: depth to which both runs are judged, or all judgments",
            "judged: documents judged for a topic, mean",
            "root: the difference on the collection as it is, and its p",
            f"median, low and high: of the difference and of p over images, {_RANGE}",
            "p ≤ α: share of images in which the runs differ",
            "p lower: share of images in which p is lower than with all judgments",
        ),
        group_by=0,
    )


def _pair_rows(result: Pools, pair: PairPools) -> Iterator[tuple[Cell, ...]]:
    significant = pair.significant(result.alpha)
    for m, measure in enumerate(result.measures):
        for k, pool in enumerate(result.pools):
            last = k == len(result.pools) - 1
            yield (
                measure,
                pool,
                float(result.judged[k]),
                float(pair.root_difference[m, k]),
                float(pair.root_p[m, k]),
                float(pair.median_difference[m, k]),
                *pair.difference_range[:, m, k].tolist(),
                float(pair.median_p[m, k]),
                *pair.p_range[:, m, k].tolist(),
                float(significant[m, k]),
                None if last else float(pair.lower[m, k]),
                "" if last else verdict(pair, m, k),
            )


def _count_table(result: Pools) -> Table:
    counts = (result.significant(), result.only_shallow(), result.gains(), result.loses())  # measure, pool
    rows = []
    for m, measure in enumerate(result.measures):
        for k, pool in enumerate(result.pools):
            numbers = [int(count[m, k]) for count in counts]
            shown = numbers if k < len(result.pools) - 1 else [numbers[0], None, None, None]
            rows.append((measure, pool, float(result.judged[k]), len(result.pairs), *shown))
    return Table(
        title=f"{counted(len(result.pairs), 'pair')} of runs with fewer judgments",
        columns=("measure", "pool", "judged", "pairs", "differ", "only by pool", GAINS, LOSES),
        rows=tuple(rows),
        caption=_caption(
            result,
            "pool: depth to which both runs of a pair are judged, or all judgments",
            "judged: documents judged for a topic, mean over topics and pairs",
            "differ: pairs with p ≤ α on the collection as it is, without correction for their number",
            "only by pool: those that do not differ with all judgments",
            "pairs that gain confidence may differ with all judgments too",
        ),
        group_by=0,
    )


def _worst_tables(result: Pools) -> list[Table]:
    rows = [row for m in range(len(result.measures)) for row in _worst_rows(result, m)]
    if not rows:
        return []
    columns = ("measure", "pair", "pool", "root p", "with all", "median p", "with all", "p lower")
    return [
        Table(
            title=f"The worst pairs that gain confidence, {_SHOWN} of a measure at most",
            columns=columns,
            rows=tuple(rows),
            caption=_caption(
                result,
                "first the pairs whose median p over images is at most α with the pool only, then by how far it falls",
                "pool: the one with which it falls furthest",
                "root p and with all: p on the collection as it is, with the pool and with all judgments",
                "median p and with all: the same over images",
                "p lower: share of images in which p is lower than with all judgments",
            ),
            group_by=0,
        )
    ]


def _worst_rows(result: Pools, m: int) -> Iterator[tuple[Cell, ...]]:
    for pair, k in result.worst(m)[:_SHOWN]:
        root, median = pair.root_p[m], pair.median_p[m]
        values = (float(value) for value in (root[k], root[-1], median[k], median[-1], pair.lower[m, k]))
        yield (result.measures[m], f"{pair.first} − {pair.second}", result.pools[k], *values)


def pools_json(result: Pools) -> dict[str, Any]:
    """The result as an object: settings, findings, counts of pairs, and every pair by measure and pool."""
    axes = (result.measures, result.pools)
    return {
        "method": METHOD,
        "population": POPULATION,
        "gains_when": DEFINITION,
        "falls_to": FALLS_TO,
        "findings": findings(result),
        "measures": list(result.measures),
        "topics": list(result.topics),
        "pools": list(result.pools),
        "images": result.images,
        "seed": result.seed,
        "alpha": result.alpha,
        "corpus_size": result.corpus_size,
        "documents": result.documents,
        "precision": result.precision,
        "order": TIE_RULE,
        "fill": "zero",
        "judged": _named(result.judged, (result.pools,)),
        "summary": {
            "pairs": len(result.pairs),
            "significant": _named(result.significant(), axes),
            "only_shallow": _named(result.only_shallow(), axes),
            "gains": _named(result.gains(), axes),
            "loses": _named(result.loses(), axes),
            "worst": {measure: _worst_objects(result, m) for m, measure in enumerate(result.measures)},
        },
        "pairs": [_pair_object(result, pair) for pair in result.pairs],
        **_topics_object(result),
        "notes": list(result.notes),
    }


def _worst_objects(result: Pools, m: int) -> list[dict[str, Any]]:
    return [{"first": pair.first, "second": pair.second, "pool": result.pools[k]} for pair, k in result.worst(m)]


def _pair_object(result: Pools, pair: PairPools) -> dict[str, Any]:
    arrays = {
        "root_difference": pair.root_difference,
        "root_p": pair.root_p,
        "median_difference": pair.median_difference,
        "difference_low": pair.difference_range[0],
        "difference_high": pair.difference_range[1],
        "median_p": pair.median_p,
        "p_low": pair.p_range[0],
        "p_high": pair.p_range[1],
        "significant": pair.significant(result.alpha),
        "lower": pair.lower,
        "gains": pair.gains,
        "loses": pair.loses,
        "difference": pair.difference,  # measure, pool, image
        "p": pair.p,
    }
    axes = (result.measures, result.pools)
    return {"first": pair.first, "second": pair.second} | {name: _named(a, axes) for name, a in arrays.items()}


def _topics_object(result: Pools) -> dict[str, Any]:
    """The differences on topics, of a single pair."""
    if result.topic_differences is None or result.root_topic_differences is None:
        return {"topic_differences": None, "root_topic_differences": None, "topic_widths": None}
    axes = (result.measures, result.pools, result.topics)
    return {
        "topic_differences": _named(result.topic_differences, axes),
        "root_topic_differences": _named(result.root_topic_differences, axes),
        "topic_widths": _named(result.topic_widths(), axes[:2]),
    }


def _named(values: NDArray[Any], axes: Sequence[Sequence[str]]) -> Any:  # noqa: ANN401  # nested to any depth
    """An array as objects by the names of its first axes, and lists of what is left."""
    if not axes:
        return np.asarray(values).tolist()
    return {name: _named(part, axes[1:]) for name, part in zip(axes[0], values, strict=True)}
