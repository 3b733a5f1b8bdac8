"""Shallow pools as objects: what JSON holds."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from irgauge.studies.pools.pair import PairPools

if TYPE_CHECKING:
    from irgauge.studies.pools.study import Pooled


def content(result: Pooled) -> dict[str, Any]:
    """Counts of pairs, and every pair by measure and pool."""
    axes = (result.measures, result.pools)
    return {
        "measures": result.measures,
        "topics": result.topics,
        "pools": result.pools,
        "judged": _named(result.judged, (result.pools,)),
        "summary": {
            "pairs": len(result.pairs),
            "significant": _named(result.significant(), axes),
            "only_shallow": _named(result.only_shallow(), axes),
            "gains": _named(result.gains(), axes),
            "loses": _named(result.loses(), axes),
            "worst": {measure: _worst(result, m) for m, measure in enumerate(result.measures)},
        },
        "pairs": [_pair(result, pair) for pair in result.pairs],
        **_of_topics(result),
        "alike": result.alike,
        "too_deep": result.too_deep,
    }


def _worst(result: Pooled, m: int) -> list[dict[str, Any]]:
    return [{"first": pair.first, "second": pair.second, "pool": result.pools[k]} for pair, k in result.worst(m)]


def _pair(result: Pooled, pair: PairPools) -> dict[str, Any]:
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
        "chance_gain": pair.chance_gain,
        "chance_loss": pair.chance_loss,
        "gains": pair.gains(result.alpha),
        "loses": pair.loses(result.alpha),
        "difference": pair.difference,  # measure, pool, image
        "p": pair.p,
    }
    axes = (result.measures, result.pools)
    return {"first": pair.first, "second": pair.second} | {name: _named(a, axes) for name, a in arrays.items()}


def _of_topics(result: Pooled) -> dict[str, Any]:
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
