"""The options of `report`."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import KW_ONLY, dataclass, replace
from typing import TYPE_CHECKING, Annotated

from irgauge.inference.margins import GivenMargin, check_level_of_margin, margins_in
from irgauge.options.fields import Help
from irgauge.options.progress import Progress
from irgauge.reading.groups import Groups
from irgauge.reading.judges import GivenJudges
from irgauge.reading.options import Limited, ReadsCorpus
from irgauge.studies.report_part import FEWER_IMAGES, USUAL_IMAGES
from irgauge.studies.sampling_options import OfSampling
from irgauge.studies.shared_options import (
    MANIFEST,
    MARGIN,
    MEASURES,
    PATTERN,
    AllowsSparse,
    Levelled,
    OfSlices,
    OfWordings,
    Scheduled,
    Seeded,
    schemes,
)

if TYPE_CHECKING:
    from irgauge.scoring.measures import Measure

USUAL = "even:5"  # shards
MEASURES_OF_RUNS = ("AP", "nDCG@10")  # where none is named
NONE = "none"


def _shards(text: str) -> str | None:
    return None if text == NONE else text


def _schemes() -> Sequence[str]:
    return [*schemes(), NONE]


@dataclass(frozen=True)
class ReportOptions(OfWordings, OfSampling, OfSlices, AllowsSparse, Scheduled, Seeded, Levelled, ReadsCorpus, Limited):
    """What is asked of a report."""

    measures: Annotated[
        Sequence[str | Measure] | str | Measure | None,
        replace(MEASURES, text=f"{MEASURES.text} AP and nDCG@10, or all of a table, if not given."),
    ] = None
    _: KW_ONLY
    baseline: Annotated[
        str | None,
        Help("Compare all systems with this one too, by its name or its file; differences are system − baseline."),
    ] = None
    margin: Annotated[GivenMargin | Mapping[str, GivenMargin] | None, MARGIN] = None
    shards: Annotated[
        str | None, Help("How to split the documents, or none for the whole corpus only.", forms=_schemes, read=_shards)
    ] = USUAL
    resamples: Annotated[int, Help("Independent splits, to see whether conclusions hold.", least=1, most=100_000)] = 10
    images: Annotated[
        int | None,
        Help(
            f"Bootstrap samples of the corpus and of the topics. {USUAL_IMAGES} if not given, or {FEWER_IMAGES} where "
            "lists hold more than 16 million documents.",
            least=2,
            most=1_000_000,
        ),
    ] = None
    manifest: Annotated[str | os.PathLike[str] | None, MANIFEST] = None
    pattern: Annotated[Sequence[str] | str | None, PATTERN] = None
    groups: Annotated[
        Groups | None,
        Help(
            "Also compare the best runs of teams: a file with a system and its team on each line. A system that it "
            "does not name is a team of its own.",
            metavar="FILE",
        ),
    ] = None
    judges: Annotated[
        GivenJudges | None,
        Help(
            "Also say what becomes of claims by judgments of someone else: a file, NAME=FILE, or a folder; repeatable.",
            flag="judge",
        ),
    ] = None
    calibrate: Annotated[
        bool,
        Help("Also try every test on experiments like this one whose truth is known, as `calibrate --quick` does."),
    ] = False
    null: Annotated[
        int,
        Help(
            "Also make the claims of the page again on so many copies of the data without differences, such as 200, "
            "and say how often a page says something false.",
            least=0,
            most=1_000_000,
        ),
    ] = 0
    print_all: Annotated[bool, Help("Let the page print everything, not only what is open.")] = False
    telling: Callable[[str], AbstractContextManager[Progress | None]] | None = None  # a study's name -> its progress

    def __post_init__(self) -> None:
        _check_margin(self.margin, self.baseline, self.alpha)


def _check_margin(
    margin: GivenMargin | Mapping[str, GivenMargin] | None, baseline: str | None, alpha: float = 0.05
) -> None:
    """Refuse a margin that is none, a share without a baseline, and one at a level that has no verdicts."""
    margins = margins_in(margin)
    for share in (candidate for candidate in margins if candidate.is_share and baseline is None):
        share.of(None, None)  # which says so
    if margins:
        check_level_of_margin(alpha)
