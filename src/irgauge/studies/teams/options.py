"""The options of `teams`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from irgauge.options import Told
from irgauge.reading.groups import Groups
from irgauge.studies.asked import Levelled, OneMeasure, Working


@dataclass(frozen=True, kw_only=True)
class Asked(OneMeasure, Working, Levelled):
    """What is asked of teams."""

    groups: Annotated[
        Groups | None,
        Told(
            "The teams: a file with a system and its team on each line. A system that it does not name is a team of "
            "its own.",
            metavar="FILE",
        ),
    ] = None
