"""The options of `calibrate`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any

from irgauge.inference.margins import GivenMargin, Margin, check_level_of_margin
from irgauge.names import Correction
from irgauge.options.fields import Help, refuse
from irgauge.studies.sampling_options import OfSampling
from irgauge.studies.shared_options import (
    MARGIN,
    Covering,
    Levelled,
    OfSlices,
    OfTables,
    OneMeasure,
    Scheduled,
    Sharded,
    corrections,
)


@dataclass(frozen=True, kw_only=True)
class CalibrateOptions(OneMeasure, Scheduled, Sharded, Covering, Levelled, OfTables, OfSampling, OfSlices):
    """What is asked of a calibration."""

    baseline: Annotated[
        str | None, Help("Compare all systems with this one only, as in `compare`, by its name or its file.")
    ] = None
    margin: Annotated[GivenMargin | None, MARGIN] = None
    correction: Annotated[
        Correction | None, Help("A correction of p-values to try beside none, holm and bh.", names=corrections)
    ] = None
    quick: Annotated[bool, Help("Draw few experiments: seconds for a first look.")] = False
    trials: Annotated[
        int | None,
        Help(
            "Experiments drawn of each kind; by default 400 to 2000, the fewer the more systems.", least=2, most=10**6
        ),
    ] = None
    page: Annotated[
        int,
        Help(
            "Also make the claims of a report again on so many copies of the data without differences, such as 200, "
            "and say how often such a page says something false.",
            least=0,
            most=10**6,
        ),
    ] = 0
    against: Annotated[
        str | Any | None,
        Help(
            "Also look claims up under other judgments (a qrels file: other assessors, a shallower pool), or in a "
            "table of other scores of the same systems.",
            read=str,
            metavar="FILE",
        ),
    ] = None

    def __post_init__(self) -> None:
        if self.margin is not None:
            Margin.parse(self.margin)
            check_level_of_margin(self.alpha)
        if self.is_sampled:
            refuse(
                self, ("against", "page"), "topics drawn one by one, not of clusters, weights or shares; leave it out"
            )
