"""The options of `holes`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import KW_ONLY, dataclass
from typing import TYPE_CHECKING, Annotated

from irgauge.inference.margins import GivenMargin, margins_in
from irgauge.options.fields import Help
from irgauge.studies.shared_options import MARGIN, MEASURES, Measures, Working

if TYPE_CHECKING:
    from irgauge.scoring.measures import Measure


@dataclass(frozen=True)
class HolesOptions(Measures, Working):
    """What is asked of unjudged documents."""

    measures: Annotated[Sequence[str | Measure] | str | Measure, MEASURES] = ("nDCG@10", "P@10")
    _: KW_ONLY
    baseline: Annotated[
        str | None, Help("Compare all systems with this one only, by its name or its file; else all pairs.")
    ] = None
    margin: Annotated[GivenMargin | None, MARGIN] = None

    def __post_init__(self) -> None:
        """Refuse a margin that is none."""
        margins_in(self.margin)
