"""The options of `topics`."""

from __future__ import annotations

from dataclasses import dataclass

from irgauge.studies.shared_options import OfTables, OneMeasure, Working


@dataclass(frozen=True, kw_only=True)
class TopicsOptions(OneMeasure, Working, OfTables):
    """What is asked of topics."""
