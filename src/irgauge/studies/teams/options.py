"""The options of `teams`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from irgauge.options.fields import Help
from irgauge.reading.groups import Groups
from irgauge.studies.shared_options import Levelled, OfTables, OneMeasure, Working


@dataclass(frozen=True, kw_only=True)
class TeamsOptions(OneMeasure, Working, Levelled, OfTables):
    """What is asked of teams."""

    groups: Annotated[
        Groups | None,
        Help(
            "The teams: a file with a system and its team on each line. A system that it does not name is a team of "
            "its own.",
            metavar="FILE",
        ),
    ] = None
