"""Measures, systems and topics of a bootstrap as records: what tables and JSON are made of."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from irgauge.scoring.direction import HIGHER
from irgauge.studies.bootstrap.precision import SWAPS, MeasurePrecision, precision, topic_means

if TYPE_CHECKING:
    from irgauge.studies.bootstrap.study import Bootstrapped

SHARE = 0.95  # of systems, whose deviations on a topic are at most what is shown
Cells = dict[str, str | int | float | None]


def content(result: Bootstrapped) -> dict[str, Any]:
    """What JSON holds."""
    measures = precision(result)
    return {
        "measures": [_measure(measure) for measure in measures],
        "systems": list(system_records(result)),
        **_of_topics(result),
        "pairs": list(_pairs(result, measures)) if result.has_pairs else None,
        "swaps": list(swap_records(result)),
        "held_out": list(held_out_records(result)),
    }


def swap_records(result: Bootstrapped) -> Iterator[Cells]:
    """Every two neighbours that swap in some images."""
    for m, measure in enumerate(result.measures):
        for swap in result.swaps(m):
            yield {"measure": measure, **swap._asdict(), "is_frequent": swap.share > SWAPS}


def held_out_records(result: Bootstrapped) -> Iterator[Cells]:
    """Every measure in images that were held out."""
    for shares in result.held_out:
        yield {**shares._asdict(), "alpha": result.alpha}


def _measure(measure_precision: MeasurePrecision) -> dict[str, Any]:
    return {
        "measure": measure_precision.measure,
        "difference": measure_precision.difference,
        "cell": measure_precision.cell,
        "skewness": measure_precision.skewness,
        "mean_sd": measure_precision.mean_sd,
        "bias": measure_precision.bias,
        "intervals": measure_precision.intervals,
        "mean_error": measure_precision.mean_error,
        "digits": measure_precision.digits,
        "rank_width": measure_precision.rank_width,
        "neighbours": measure_precision.neighbours,
        "swapped": len(measure_precision.swapped),
    }


def system_records(result: Bootstrapped) -> Iterator[Cells]:
    """Every measure and system, best first."""
    (low, high), (rank_low, rank_high) = result.interval.tolist(), result.rank_interval.tolist()
    columns = {
        "mean": result.root_means,
        "image_mean": result.image_means,
        "sd": result.sd,
        "bias": result.bias,
        "bias_in_sds": result.bias_in_sds,
        "error": result.standard_error,
    }
    numbers = {name: values.tolist() for name, values in columns.items()}
    mean = numbers.pop("mean")
    same: Cells = {"n": len(result.topics), "alpha": result.alpha, "direction": HIGHER}
    same["population"] = result.draw
    rank = result.root_ranks.tolist()
    for m, measure in enumerate(result.measures):
        for s in result.order(m).tolist():
            yield {
                "measure": measure,
                "system": result.systems[s],
                "mean": mean[m][s],
                "low": _there(low[m][s]),
                "high": _there(high[m][s]),
                **same,
                **{name: values[m][s] for name, values in numbers.items()},
                "is_biased": bool(result.is_biased[m, s]),
                "rank": _place(rank[m][s]),
                "rank_low": _place(rank_low[m][s]),
                "rank_high": _place(rank_high[m][s]),
            }


def _there(bound: float) -> float | None:
    """A bound, None where there is no interval."""
    return None if math.isnan(bound) else bound


def _place(rank: float) -> int | float | None:
    """A rank, whole where it is."""
    return int(rank) if rank.is_integer() else _there(rank)


def topic_records(result: Bootstrapped, systems: Sequence[int]) -> Iterator[Cells]:
    """The scores on every topic of some systems."""
    root, mean, sd = (values.tolist() for values in (result.root, topic_means(result), result.topic_sd()))
    lower, median, upper = result.topic_quartiles().tolist()
    for m, measure in enumerate(result.measures):
        for t, topic in enumerate(result.topics):
            for s in systems:
                yield {
                    "measure": measure,
                    "topic": topic,
                    "system": result.systems[s],
                    "root": root[m][t][s],
                    "image_mean": mean[m][t][s],
                    "sd": sd[m][t][s],
                    "q25": lower[m][t][s],
                    "median": median[m][t][s],
                    "q75": upper[m][t][s],
                }


def topic_rows(result: Bootstrapped, systems: Sequence[int]) -> Iterator[Cells]:
    """The same, with how much most systems vary on the topic."""
    spread = result.spread_by_topic(SHARE).tolist()
    places = {topic: t for t, topic in enumerate(result.topics)}
    for record in topic_records(result, systems):
        of_measure = spread[result.measures.index(str(record["measure"]))]
        yield record | {"sd_95": of_measure[places[str(record["topic"])]]}


def _of_topics(result: Bootstrapped) -> dict[str, Any]:
    """What varies on single topics; nothing where documents are not drawn."""
    if result.moments is None:
        return {"topics": [], "topic_spread": [], "system_spread": []}
    mean, sd = (values.tolist() for values in result.system_spread())
    spread = result.spread_by_topic(SHARE).tolist()
    return {
        "topics": list(topic_records(result, range(len(result.systems)))),
        "topic_spread": [
            {"measure": measure, "topic": topic, "percentile": SHARE, "sd": spread[m][t]}
            for m, measure in enumerate(result.measures)
            for t, topic in enumerate(result.topics)
        ],
        "system_spread": [
            {"measure": measure, "system": system, "mean": mean[m][s], "sd": sd[m][s]}
            for m, measure in enumerate(result.measures)
            for s, system in enumerate(result.systems)
        ],
    }


def _pairs(result: Bootstrapped, measures: Sequence[MeasurePrecision]) -> Iterator[dict[str, Any]]:
    """For each measure the pairs, and the standard deviation of their differences: topic, pair."""
    pairs = [[first, second] for i, first in enumerate(result.systems) for second in result.systems[i + 1 :]]
    for m, measure in enumerate(measures):
        if measure.difference is not None and result.moments is not None:
            deviations = result.moments.difference_sd(m).tolist()
            yield {
                "measure": measure.measure,
                "pairs": pairs,
                "difference_sd": deviations,
                **measure.difference._asdict(),
            }


def _topics(result: Bootstrapped) -> Iterator[Cells]:
    """Every system on every topic, or the one asked for; nothing where documents are not drawn."""
    chosen = result.systems if result.topics_of is None else (result.topics_of,)
    if result.moments is not None:
        yield from topic_rows(result, [result.systems.index(system) for system in chosen])


ROWS: Mapping[str, Callable[[Bootstrapped], Iterator[Cells]]] = {
    "systems": system_records,
    "swaps": swap_records,
    "topics": _topics,
    "held_out": held_out_records,
}
