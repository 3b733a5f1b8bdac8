"""The options of `check`."""

from __future__ import annotations

from dataclasses import dataclass

from irgauge.reading.options import Limited, ReadsCorpus
from irgauge.studies.shared_options import Working


@dataclass(frozen=True)
class CheckOptions(Working, ReadsCorpus, Limited):
    """What is asked of a check: how runs are read, as in `load`."""

    runs: object = None  # None: data are judgments and runs, or were loaded before
