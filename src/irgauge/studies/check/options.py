"""The options of `check`."""

from __future__ import annotations

from dataclasses import dataclass

from irgauge.reading.options import Limited, ReadsCorpus
from irgauge.studies.asked import Working


@dataclass(frozen=True)
class Asked(Working, ReadsCorpus, Limited):
    """What is asked of a check: how runs are read, as in `load`."""

    runs: object
