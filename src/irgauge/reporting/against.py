"""What a report compares with: a baseline and a margin, refused before the long work where they cannot be."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from irgauge.inference.margins import GivenMargin, check_level_of_margin, margin_of, margins_in
from irgauge.replicates.data import Data, baseline_of
from irgauge.scoring.measures import range_of
from irgauge.scoring.scores import Scores

if TYPE_CHECKING:
    from irgauge.reporting.options import ReportOptions


def check_margin(
    margin: GivenMargin | Mapping[str, GivenMargin] | None, baseline: str | None, alpha: float = 0.05
) -> None:
    """Refuse a margin that is none, a share without a baseline, and one at a level that has no verdicts."""
    margins = margins_in(margin)
    for share in (candidate for candidate in margins if candidate.is_share and baseline is None):
        share.of(None, None)  # which says so
    if margins:
        check_level_of_margin(alpha)


def against(data: Data, whole: Scores, options: ReportOptions) -> dict[str, Any]:
    """The baseline by the name that it has among the systems, and the margin, if it is possible by every measure."""
    baseline = None if options.baseline is None else baseline_of(data, options.baseline)
    for number, measure in enumerate(whole.measures if options.margin is not None else ()):
        margin = margin_of(options.margin, str(measure))
        values = whole.values[number]  # topic, system, replicate
        if margin is not None:
            mean = None if baseline is None else _mean(values[:, whole.systems.index(baseline)])
            margin.of(mean, range_of(measure, np.nan_to_num(values)))
    return {"baseline": baseline, "margin": options.margin}


def _mean(values: np.ndarray[Any, np.dtype[np.float64]]) -> float:
    """Undefined scores count as 0, as they do in comparisons."""
    return float(np.nan_to_num(values).mean())
