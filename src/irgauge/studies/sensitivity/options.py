"""The options of `sensitivity`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from irgauge.options.fields import Help
from irgauge.studies.shared_options import AnyMeasures, Levelled, OfTables, Seeded


@dataclass(frozen=True, kw_only=True)
class SensitivityOptions(AnyMeasures, Seeded, Levelled, OfTables):
    """What is asked of the discriminative power of measures."""

    draws: Annotated[
        int, Help("Draws of topics, and of permutations of systems, for each measure.", least=1, most=1_000_000)
    ] = 1000
