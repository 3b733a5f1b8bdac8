"""Which chart a command draws: the charts of each result by their names."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from pathlib import Path

from altair.typing import ChartType

from irgauge.errors import InputError
from irgauge.present import charts, precision_charts
from irgauge.studies.effects import Effects
from irgauge.studies.reliability import Reliability
from irgauge.studies.robustness import Robustness
from irgauge.studies.significance import Significance
from irgauge.studies.variance import Variance


def significance_chart(result: Significance, of: str | None) -> ChartType:
    """`intervals` of the systems' means (of the differences from a baseline), or `pairs` as a heat map."""
    comparison = result.comparison
    first = charts.system_intervals if comparison.baseline is None else _baseline
    pairs = partial(charts.pair_heatmap, comparison, note=charts.setting(result))
    return _chosen({"intervals": lambda: first(result), "pairs": pairs}, of)


def _baseline(result: Significance) -> ChartType:
    return charts.baseline_differences(result.comparison, note=charts.setting(result))


def variance_chart(result: Variance, of: str | None) -> ChartType:
    """`main` effects, or the interaction that a term of the model names."""
    split = result.shards if result.shape.shards == 1 else f"shards {result.shards}, seed {result.seed}"
    cells = f"fill {result.fill}, {result.undefined} undefined cells"
    note = f"{result.measure}; {split}; {cells}; systems kept: {result.kept}."
    options = {"measure": result.measure, "note": note}
    made: dict[str, Callable[[], ChartType]] = {
        "main": lambda: charts.main_effects(result.fit, result.labels, **options)
    }
    for term in result.fit.model.terms:
        if ":" in term:
            made[term] = partial(charts.interaction, result.fit, term, result.labels, **options)
    return _chosen(made, of)


def effects_chart(result: Effects, of: str | None) -> ChartType:
    """`sizes` as a heat map, or `curves` against the cut-offs of measures."""
    return _chosen({"sizes": lambda: charts.effect_heatmap(result), "curves": lambda: charts.effect_curves(result)}, of)


def robustness_chart(result: Robustness) -> ChartType:
    """Stability over resamples."""
    return charts.robustness_chart(result)


def series_chart(series: charts.Series, measure: str, note: str) -> ChartType:
    """Intervals by model or by number of shards; `note` says how the scores came about."""
    return charts.model_intervals(series, measure=measure, note=note)


def range_chart(systems: Sequence[int], df: Sequence[float], alpha: float) -> ChartType:
    """The studentized range."""
    return charts.studentized_range(systems, df, alpha)


def reliability_chart(result: Reliability, of: str | None, system: int) -> ChartType:
    """`systems` and `ranks` as box plots, `deviations` of means; where documents are drawn `topics` and `spread`."""
    made: dict[str, Callable[[], ChartType]] = {
        "systems": lambda: precision_charts.system_boxes(result),
        "ranks": lambda: precision_charts.rank_boxes(result),
        "deviations": lambda: precision_charts.deviations(result),
    }
    if result.moments is not None:
        made["topics"] = lambda: precision_charts.topic_boxes(result, system)
        made["spread"] = lambda: precision_charts.topic_spread(result)
    return _chosen(made, of)


def check(path: Path, of: str | None, names: Sequence[str]) -> None:
    """Refuse a file or a name for which there is no chart, before the work that it would show."""
    if path.suffix.lower() not in charts.FORMATS:
        raise InputError(f"no chart has the ending '{path.suffix}'; take {', '.join(charts.FORMATS)}", path=str(path))
    _check_name(of, names)


def _check_name(of: str | None, names: Iterable[str]) -> None:
    if of is not None and of not in names:
        raise InputError(f"there is no chart of '{of}' here; there are {', '.join(names)}")


def _chosen(made: Mapping[str, Callable[[], ChartType]], of: str | None) -> ChartType:
    """The chart of that name, or the first."""
    _check_name(of, made)
    return made[of or next(iter(made))]()
