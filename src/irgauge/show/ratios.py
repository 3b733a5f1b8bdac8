"""Differences of logarithms, which are shown as ratios, and the names of their measures without the logarithm."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from irgauge.scoring.measures import Measure
from irgauge.show.table import Column
from irgauge.show.words import percent, signed, two_digits

if TYPE_CHECKING:
    import altair as alt


def is_ratio(measure: str) -> bool:
    """Whether differences by the measure are shown as ratios: its scores are logarithms of positive ones."""
    return Measure.read(measure).logged is not None


def plain_name(measure: str) -> str:
    """The measure whose ratios these are; any other as it is.

    >>> plain_name("ln(latency_ms)"), plain_name("AP")
    ('latency_ms', 'AP')
    """
    return Measure.read(measure).logged or measure


def titled(measure: str) -> str:
    """The measure in a title, where it is said that ratios are compared.

    >>> titled("ln(latency_ms)"), titled("AP")
    ('latency_ms (ratios)', 'AP')
    """
    return f"{plain_name(measure)} (ratios)" if is_ratio(measure) else measure


def difference_of(measure: str) -> str:
    """What an axis shows."""
    return f"ratio in {plain_name(measure)}" if is_ratio(measure) else f"difference in {measure}"


def axis_of(measure: str) -> alt.Axis:
    """The axis of differences, with ratios as labels where they are of logarithms."""
    import altair as alt

    return (
        alt.Axis(grid=True, labelExpr="format(exp(datum.value), '.3~g')") if is_ratio(measure) else alt.Axis(grid=True)
    )


def shown_mean(measure: str, mean: float) -> float:
    """A mean as it is shown: of logarithms the geometric one."""
    return math.exp(mean) if is_ratio(measure) else mean


def amount(difference: float, *, is_ratio: bool) -> str:
    """A difference, or the ratio that it is.

    >>> amount(0.5, is_ratio=False), amount(math.log(1.6), is_ratio=True)
    ('0.500', '1.60 times')
    """
    return f"{ratio(difference)} times" if is_ratio else signed(difference)


def size_told(difference: float, *, is_ratio: bool) -> str:
    """What a difference is, with its name.

    >>> size_told(0.5, is_ratio=False), size_told(math.log(1.6), is_ratio=True)
    ('difference 0.500', 'ratio 1.60')
    """
    return f"ratio {ratio(difference)}" if is_ratio else f"difference {signed(difference)}"


def ratio(difference: float) -> str:
    """To three digits.

    >>> ratio(math.log(0.625)), ratio(math.log(12345))
    ('0.625', '12,345')
    """
    value = math.exp(difference)
    return f"{value:,.0f}" if value >= 1000 else f"{value:#.3g}"


def of_logs(record: Mapping[str, Any]) -> Mapping[str, Any]:
    """A row of a topic as it is shown: on a log scale the scores themselves, and their ratio."""
    if not is_ratio(record["measure"]):
        return record
    scores = {name: math.exp(record[name]) for name in ("score", "other")}
    return {**record, **scores, "ratio": math.exp(record["difference"]), "measure": plain_name(record["measure"])}


def of_ratios(record: dict[str, Any]) -> dict[str, Any]:
    """A row of a pair as it is shown: on a log scale what could be found, and the margin, are factors.

    So are the ends of the interval that is held against the margin.
    """
    if record["ratio"] is None:
        return record
    names = ("detectable", "margin", "margin_low", "margin_high")
    factors = {name: math.exp(record[name]) for name in names if record.get(name) is not None}
    return {**record, **factors, "measure": plain_name(record["measure"])}


def geometric(record: dict[str, Any]) -> dict[str, Any]:
    """A row of a system as it is shown: on a log scale with geometric means, and their intervals."""
    if not is_ratio(record["measure"]):
        return record
    own = (name for name, value in record.items() if name.endswith(("mean", "low", "high")) and value is not None)
    return {**record, **{name: math.exp(record[name]) for name in own}}


def difference_column(measure: str) -> Column:
    """Of differences, or of the ratios that they are."""
    return Column("ratio", decimals=3) if is_ratio(measure) else Column("difference")


def interval_columns(record: Mapping[str, Any], ends: str, what: str = "") -> list[Column]:
    """Of differences with their intervals, or of the ratios that they are."""
    if record["ratio"] is None:
        return [Column("difference", explained=what), Column("low", "", ends, "low, high"), Column("high")]
    return [
        Column("ratio", decimals=3),
        Column("ratio_low", "low", ends, "low, high", decimals=3),
        Column("ratio_high", "high", decimals=3),
    ]


def least_told(*, is_ratio: bool) -> str:
    """What the smallest thing that could be found is called."""
    return f"the smallest true {'ratio above 1' if is_ratio else 'difference'}"


def ends_told(confidence: float, low: float, high: float, *, is_ratio: bool) -> str:
    """An interval in a sentence, which there may not be."""
    if not math.isfinite(high - low):
        return "no interval"
    shown = ratio if is_ratio else signed
    return f"{percent(confidence)} interval {shown(low)} to {shown(high)}"


def margin_size(margin: float | None, *, is_ratio: bool = False) -> str | None:
    """A margin to three digits, or the factor that it is; None where there is none."""
    if margin is None:
        return None
    return margin_told(margin, is_ratio=True) if is_ratio else f"{margin:.3g}"


def margin_told(margin: float, *, is_ratio: bool) -> str:
    """A margin, or the factor that it is.

    >>> margin_told(math.log(1.05), is_ratio=True), margin_told(0.05, is_ratio=False)
    ('a factor of 1.05', '0.050')
    """
    return f"a factor of {ratio(margin)}" if is_ratio else two_digits(margin)
