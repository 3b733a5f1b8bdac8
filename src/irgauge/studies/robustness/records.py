"""Outcomes as flat records: what tables and frames are made of."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from irgauge.studies.robustness.outcomes import ModelOutcome, Stability

Record = dict[str, str | int | float | None]


def outcome_records(
    whole: ModelOutcome, outcomes: Sequence[ModelOutcome], stability: Sequence[Stability]
) -> list[Record]:
    """A record a number of shards and model; MD1 on the whole corpus is the first, and has no splits."""
    stable: list[Stability | None] = [None, *stability]
    return [_record(one, over) for one, over in zip((whole, *outcomes), stable, strict=True)]


def _record(one: ModelOutcome, over: Stability | None) -> Record:
    record: Record = {"shards": one.shards, "model": one.model, "omega2": one.omega2}
    record |= {"significant": one.significant} | _ends("significant", over)
    record |= {"not_significant": one.not_significant, "top_group": one.top_group}
    record |= {"width": one.width} | _ends("width", over)
    record |= {"tau": None if over is None else _defined(over.tau.mean)} | _ends("tau", over)
    return record | {name: None if over is None else getattr(over, name) for name in ("common", "undefined")}


def _ends(name: str, over: Stability | None) -> Record:
    """The ends of the interval of a mean over splits; one split has none."""
    ends = [None if over is None else _defined(getattr(getattr(over, name), end)) for end in ("low", "high")]
    return dict(zip((f"{name}_low", f"{name}_high"), ends, strict=True))


def _defined(value: float) -> float | None:
    return None if math.isnan(value) else value


def change_records(outcomes: Sequence[ModelOutcome]) -> Iterator[Record]:
    """A record for each model and each simpler one: the changes in per cent."""
    for one in outcomes:
        for other, changes in one.changes.items():
            yield {"shards": one.shards, "model": one.model, "against": other, **changes}
