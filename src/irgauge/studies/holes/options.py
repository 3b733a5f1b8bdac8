"""The options of `holes`."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import KW_ONLY, dataclass
from typing import TYPE_CHECKING, Annotated

from irgauge.errors import check_asked_alpha
from irgauge.inference.margins import GivenMargin, margins_in
from irgauge.options.fields import Help
from irgauge.reading.groups import Groups
from irgauge.studies.shared_options import MARGIN, MEASURES, Measures, Seeded

if TYPE_CHECKING:
    from irgauge.scoring.measures import Measure


@dataclass(frozen=True)
class HolesOptions(Measures, Seeded):
    """What is asked of unjudged documents."""

    measures: Annotated[Sequence[str | Measure] | str | Measure, MEASURES] = ("nDCG@10", "P@10")
    _: KW_ONLY
    baseline: Annotated[
        str | None, Help("Compare all systems with this one only, by its name or its file; else all pairs.")
    ] = None
    margin: Annotated[GivenMargin | None, MARGIN] = None
    groups: Annotated[
        Groups | None,
        Help(
            "Also say how far the runs of each group fall where what it alone brought to the pool is not judged: a "
            "file with a system and its group on each line. A system that it does not name is a group of its own. "
            "Likely grades are then checked by hiding what half of the groups alone brought.",
            metavar="FILE",
        ),
    ] = None
    likely: Annotated[
        bool,
        Help(
            "Also say what is likely: draw grades of unjudged documents from a model of those that were judged, which "
            "is checked where judgments are hidden."
        ),
    ] = False
    judge: Annotated[
        str | os.PathLike[str] | None,
        Help(
            "With likely grades, and asks for them: judgments by someone else, such as a language model, which are "
            "trusted as far as they agree with people's where both judged.",
            metavar="FILE",
        ),
    ] = None
    draws: Annotated[int, Help("With likely grades: how often they are drawn.", least=20, most=100_000)] = 200
    next_documents: Annotated[
        int | None,
        Help(
            "Also say which documents to judge next, so many, to settle the pairs with the baseline, or with the best "
            "system, by the first measure.",
            flag="next",
            least=1,
            metavar="N",
        ),
    ] = None
    judged: Annotated[
        str | os.PathLike[str] | None,
        Help("Add the judgments that were made since: a folder of files like the QRELS.", metavar="FOLDER"),
    ] = None
    alpha: Annotated[
        float,
        Help(
            "With groups or likely grades: level of their tests; intervals have confidence 1 − alpha.",
            check=check_asked_alpha,
        ),
    ] = 0.05

    def __post_init__(self) -> None:
        """Refuse a margin that is none."""
        margins_in(self.margin)

    @property
    def is_likely(self) -> bool:
        """Whether likely grades are asked for."""
        return self.likely or self.judge is not None
