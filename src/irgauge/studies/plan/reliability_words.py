"""How sources of variance and reliabilities are called."""

from __future__ import annotations

from collections.abc import Mapping

from irgauge.models.generalizability import SYSTEM, Kind
from irgauge.studies.plan.reliability import RESIDUAL, Reliability

SYMBOLS: Mapping[Kind, str] = {"relative": "Eρ²", "absolute": "Φ"}
PLURALS = {"topic": "topics", SYSTEM: "systems", "shard": "shards", RESIDUAL: "the residual"}
MEANINGS = {
    "topic": "some topics are harder than others",
    SYSTEM: "some systems are better than others",
    "shard": "some shards are harder than others",
    "topic:system": "systems suit some topics better than others",
    "system:shard": "systems suit some shards better than others",
    "topic:shard": "topics are harder on some shards",
    RESIDUAL: "what nothing else explains",
}


def whole(found: Reliability, measure: str | None = None) -> str:
    """What the shares of sources are of: of typed components some may be left out."""
    return f"the variance of one {measure or 'score'}" if found.is_complete else "the variances given"
