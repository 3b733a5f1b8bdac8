"""The options of `history`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

from irgauge.options.fields import LARGEST_SEED, Help
from irgauge.options.progress import Telling
from irgauge.studies.shared_options import Levelled


@dataclass(frozen=True, kw_only=True)
class HistoryOptions(Telling, Levelled):
    """What is asked of a history."""

    measures: Annotated[
        Sequence[str] | str | None,
        Help("A measure of the history; repeatable. All of them if not given.", short="-m", flag="measure"),
    ] = None
    system: Annotated[
        str | None, Help("The system whose scores are followed; the candidate of each gate if not given.")
    ] = None
    reference: Annotated[
        str | None, Help("The system that it is compared with; the baseline of each gate if not given.")
    ] = None
    seed: Annotated[int, Help("Seed of the random orders of entries.", least=0, most=LARGEST_SEED)] = 0
