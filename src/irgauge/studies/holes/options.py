"""The options of `holes`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import KW_ONLY, dataclass
from typing import TYPE_CHECKING, Annotated

from irgauge.inference.margins import GivenMargin, margins_in
from irgauge.options.fields import Help
from irgauge.studies.shared_options import MEASURES, Measures, Working

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
    margin: Annotated[
        GivenMargin | None,
        Help(
            "The smallest difference that matters, such as 0.01, or 2% of the baseline's mean: adds the verdicts "
            "equivalent, not worse and not better.",
            read=str,
        ),
    ] = None

    def __post_init__(self) -> None:
        """Refuse a margin that is none."""
        margins_in(self.margin)
