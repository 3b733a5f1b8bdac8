"""Outcomes as flat records: what tables and frames are made of."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from irgauge.studies.robustness.outcomes import MeanOverSplits, MethodOutcome, Stability

Record = dict[str, str | int | float | None]


def outcome_records(
    whole: MethodOutcome, outcomes: Sequence[MethodOutcome], stability: Sequence[Stability]
) -> list[Record]:
    """A record a number of shards and method; the whole corpus is the first, and has no splits."""
    stable: list[Stability | None] = [None, *stability]
    return [_record(one, over) for one, over in zip((whole, *outcomes), stable, strict=True)]


def _record(one: MethodOutcome, over: Stability | None) -> Record:
    pairs = one.significant + one.not_significant
    record: Record = {"shards": one.shards, "method": one.method, "omega2": one.omega2}
    record |= {"significant": one.significant} | _ends("significant", over, (0.0, pairs))
    record |= {"not_significant": one.not_significant, "top_group": one.top_group}
    record |= {"width": one.width} | _ends("width", over)
    record |= {"tau": None if over is None else _defined(over.tau.mean)} | _ends("tau", over, (-1.0, 1.0))
    return record | {name: None if over is None else getattr(over, name) for name in ("common", "undefined")}


def _ends(name: str, over: Stability | None, possible: tuple[float, float] = (0.0, math.inf)) -> Record:
    """The ends of the interval of a mean over splits, cut to what is possible; one split has none."""
    mean: MeanOverSplits | None = None if over is None else getattr(over, name)
    if mean is None or math.isnan(mean.low):
        return {f"{name}_low": None, f"{name}_high": None}
    cut = mean.within(*possible)
    return {f"{name}_low": cut.low, f"{name}_high": cut.high}


def _defined(value: float) -> float | None:
    return None if math.isnan(value) else value


def change_records(outcomes: Sequence[MethodOutcome]) -> Iterator[Record]:
    """A record for each method and each simpler one: the changes in per cent."""
    for one in outcomes:
        for other, changes in one.changes.items():
            yield {"shards": one.shards, "method": one.method, "against": other, **changes}
