"""The options of `agreement`."""

from __future__ import annotations

from dataclasses import dataclass

from irgauge.studies.asked import AnyMeasures, Working


@dataclass(frozen=True, kw_only=True)
class Asked(AnyMeasures, Working):
    """What is asked of the agreement of measures."""
