"""The options of `check`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import KW_ONLY, dataclass
from typing import Annotated

from irgauge.reading.options import Limited, ReadsCorpus
from irgauge.studies.shared_options import COLUMNS, Working


@dataclass(frozen=True)
class CheckOptions(Working, ReadsCorpus, Limited):
    """What is asked of a check: how runs are read, as in `load`, or which columns of a table hold what."""

    runs: object = None  # None: data are judgments and runs, or a table of scores, or were loaded before
    _: KW_ONLY
    columns: Annotated[str | Mapping[str, str] | None, COLUMNS] = None
