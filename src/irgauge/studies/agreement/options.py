"""The options of `agreement`."""

from __future__ import annotations

from dataclasses import dataclass

from irgauge.studies.shared_options import AnyMeasures, OfTables, Working


@dataclass(frozen=True, kw_only=True)
class AgreementOptions(AnyMeasures, Working, OfTables):
    """What is asked of the agreement of measures."""
