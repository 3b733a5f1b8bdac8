"""What verdicts of pairs rest on, as it is said under their table, and how a pair was tested."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from irgauge.scoring.direction import LOWER
from irgauge.show.ratios import is_ratio, margin_told, plain_name
from irgauge.show.verdicts import FOR
from irgauge.show.words import listed, percent
from irgauge.studies.compare.study import MeasureCompared
from irgauge.studies.sampling_findings import Basis


def verdict_said(each: Sequence[MeasureCompared]) -> str:
    """What the verdicts rest on."""
    rests_on = each[0].verdict.confidence
    if rests_on is None:
        return "better or worse where adjusted p ≤ α"
    margins = listed(
        [_margin(result) + (f" for {plain_name(result.measure)}" if len(each) > 1 else "") for result in each]
    )
    inner = "" if rests_on == each[0].comparison.confidence else f"{percent(rests_on)} "
    if is_ratio(each[0].measure):
        return f"{_ratios_said(each, inner)}; margin {margins}"
    return _turned(each) + (
        f"better above 0, worse below 0; not worse where the {inner}interval is above −margin, not better "
        f"where it is below the margin, equivalent where both hold; margin {margins}"
    )


def _ratios_said(each: Sequence[MeasureCompared], inner: str) -> str:
    """What the verdicts on ratios rest on; by direction, where measures have both."""
    more = (
        f"better above 1, worse below 1; not worse where the {inner}interval is above 1/margin, not better where it is "
        "below the margin, equivalent where both hold"
    )
    less = (
        f"better below 1, worse above 1; not worse where the {inner}interval is below the margin, not better where it "
        "is above 1/margin, equivalent where both hold"
    )
    lower = [plain_name(result.measure) for result in each if result.direction == LOWER]
    if len(lower) in (0, len(each)):
        return less if lower else more
    return f"of {listed(lower)}, of which less is better: {less}; of others: {more}"


def _margin(result: MeasureCompared) -> str:
    margin = result.margin or 0.0
    return margin_told(margin, is_ratio=True) if is_ratio(result.measure) else f"{margin:.3g}"


def _turned(each: Sequence[MeasureCompared]) -> str:
    """Which measures are better when lower, so that signs are the other way round."""
    lower = [plain_name(result.measure) for result in each if result.direction == LOWER]
    return f"of {listed(lower)}, of which less is better, with the signs the other way round: " if lower else ""


class PairMethod(NamedTuple):
    """How a pair was tested, and on how many topics."""

    text: str
    topics: int
    basis: Basis | None = None  # where topics are in clusters or have weights

    @property
    def tested_on(self) -> str:
        """Topics, in words."""
        return f"{self.topics} topics" if self.basis is None else self.basis.text

    @property
    def unit(self) -> str:
        """What is drawn by itself: topics, or their clusters."""
        return "topics" if self.basis is None or self.basis.clusters is None else "clusters"

    def covers(self, population: str) -> str:
        """What a claim covers, in words."""
        return f"{FOR[population]} like these" if population == "topics" else FOR[population]
