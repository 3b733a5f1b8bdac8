"""The options of `check`."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import KW_ONLY, dataclass

from irgauge.studies.asked import Working


@dataclass(frozen=True)
class Asked(Working):
    """What is asked of a check: how runs are read, as in `load`."""

    runs: object
    _: KW_ONLY
    precision: str = "double"
    corpus_size: int | Iterable[str] | None = None
