"""Figures 1, 3, 4 and 5 of Ferro and Sanderson 2019, drawn again, and what the text says is seen in them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from irgauge.inference.intervals import Series, tukey_interval
from irgauge.inference.orders import kendall_tau
from irgauge.inference.studentized import cdf, ppf
from irgauge.models.anova import Population
from irgauge.papers.entry import Dataset, Entry, Reason, Recomputed
from irgauge.papers.ferro_sanderson_2019.tables import COUNTS, PAPER, RESAMPLES, over_splits
from irgauge.papers.published import Computed, Key
from irgauge.replicates.measured import Measured, Measuring
from irgauge.scoring.measures import Measure
from irgauge.show.words import listed
from irgauge.studies.compare.study import MeasureCompared, compare
from irgauge.studies.interval_series import intervals_by_model, intervals_by_shards
from irgauge.studies.robustness.outcomes import MeanOverSplits
from irgauge.studies.robustness.study import robustness

_ALPHA = 0.05
_SYSTEMS, _FREEDOM = (5, 25, 75), (100, 500)  # of Figure 1
_KINDS = ("Tukey", "SEM", "ANOVA")
_THREE = "even:3"  # the shards of Figure 3
_TEN = "even:10"  # the shards of Figure 4
_MEASURES = {"AP": "AP", "P@10": "P@10", "RBP": "RBP(p=0.8, rel=1)", "nDCG": "nDCG(dcg='jk', base=10)"}
_SPLITS = 10  # for τ in Figure 4
_DRAWN = (2, 5, 10, 50)  # shards in Figure 5: more bands hide each other
_WIDER = (2, 10, 50)  # shards at which the intervals of Figure 5 are widened to other topics
_NEAR = 0.05  # "nearly the same": curves and, relative to their size, critical values differ by no more
_MUCH = 0.2  # "substantially narrower" is by at least this share, "much like" by no more
_SAME_ORDER = 0.9  # Kendall's τ above which the paper takes two rankings as equivalent


def _holds(stated: Mapping[str, bool | np.bool_], *under: str) -> dict[Key, Computed | bool]:
    return {(*under, words, "stated"): bool(holds) for words, holds in stated.items()}


# Figure 1


def _figure_1(_: Dataset) -> Recomputed:
    from irgauge.inference.studentized import range_curves
    from irgauge.show.shared_charts import range_chart

    q = np.linspace(0, 10, 501)
    curves = np.array([[cdf(q, systems, df) for df in _FREEDOM] for systems in _SYSTEMS])  # systems, df, q
    critical = np.array([ppf(1 - _ALPHA, systems, _FREEDOM) for systems in _SYSTEMS])  # systems, df
    stated = {
        "curves of 100 and 500 degrees of freedom nearly coincide": np.ptp(curves, axis=1).max() <= _NEAR,
        "critical values depend little on the degrees of freedom": np.all(
            np.ptp(critical, axis=1) <= _NEAR * critical.min(axis=1)
        ),
        "more systems move the curve to the right": np.all(np.diff(curves, axis=0) <= 0)
        and np.all(np.diff(critical, axis=0) > 0),
    }
    return Recomputed(_holds(stated), charts=(range_chart(range_curves(_SYSTEMS, _FREEDOM, _ALPHA)),))


# Figure 3


def _figure_3(data: Dataset) -> Recomputed:
    from irgauge.studies.compare.charts import intervals_of

    whole, shards = _compared(data, None, "topics"), _compared(data, _THREE, "documents")
    charts = (intervals_of(whole), intervals_of(shards))
    beside = (_narrower_sentence(shards), _figure_3_widened(whole, shards))
    return Recomputed(_holds(_seen_in_figure_3(whole, shards)), charts, beside)


def _compared(data: Dataset, shards: str | None, population: Population) -> MeasureCompared:
    asked: dict[str, Any] = {"test": "tukey", "population": population, "alpha": _ALPHA, "sparse": True}
    return compare(data.bench, "AP", shards=shards, seed=data.seed, **asked).first


def _seen_in_figure_3(whole: MeasureCompared, shards: MeasureCompared) -> dict[str, bool | np.bool_]:
    on_whole, on_shards = _typical(whole), _typical(shards)
    return {
        "whole corpus: Tukey intervals are wider than ANOVA ones": on_whole["Tukey"] > on_whole["ANOVA"],
        "whole corpus: Tukey intervals are much like SEM ones": abs(on_whole["SEM"] / on_whole["Tukey"] - 1) <= _MUCH,
        "TIP_RNDE_03: Tukey intervals are narrower than SEM ones": on_shards["Tukey"] < on_shards["SEM"],
        "TIP_RNDE_03: ANOVA intervals are narrower than SEM ones": on_shards["ANOVA"] < on_shards["SEM"],
        "all three kinds are narrower on TIP_RNDE_03 than on the whole corpus": all(
            on_shards[kind] < on_whole[kind] for kind in on_whole
        ),
        "Tukey intervals are 2 to 3 times as wide as ANOVA ones": 2 <= on_whole["Tukey"] / on_whole["ANOVA"] <= 3,
    }


def _widths(compared: MeasureCompared) -> dict[str, NDArray[np.float64]]:
    """The widths of each kind of interval in the paper, by system."""
    intervals = compared.intervals[compared.comparison.population]
    return {interval.name: interval.length for interval in intervals if interval.name in _KINDS}


def _typical(compared: MeasureCompared) -> dict[str, float]:
    """The median width of each kind of interval: that of SEM differs from system to system."""
    return {kind: float(np.median(width)) for kind, width in _widths(compared).items()}


def _narrower_sentence(shards: MeasureCompared) -> str:
    widths = _widths(shards)
    shares = [f"{(widths[kind] < widths['SEM']).mean():.1%} ({kind})" for kind in ("Tukey", "ANOVA")]
    return f"On three shards the interval is narrower than SEM's for {listed(shares)} of the systems"


def _figure_3_widened(whole: MeasureCompared, shards: MeasureCompared) -> str:
    widths = [
        f"{_tukey_width(whole, 'topics'):.4f} by MD1 on the whole corpus (population: topics)",
        f"{_tukey_width(shards, 'documents'):.4f} by MD6 on three shards (documents)",
        f"{_tukey_width(shards, 'topics'):.4f} by MD6 on three shards for other topics",
        f"{_tukey_width(shards, 'both'):.4f} by MD6 on three shards for both",
    ]
    return f"The Tukey intervals of AP have the widths {listed(widths)}"


def _tukey_width(compared: MeasureCompared, population: Population) -> float:
    interval = tukey_interval(compared.fit, compared.measured.scores.systems, population=population, alpha=_ALPHA)
    return float(np.median(interval.length))


# Figure 4


def _figure_4(data: Dataset) -> Recomputed:
    from irgauge.show.shared_charts import READABLE, interval_series

    by_measure = {name: _by_model(data, measure, "documents") for name, measure in _MEASURES.items()}
    taus = {name: _tau(data, measure, 10) for name, measure in _MEASURES.items()}
    stated = _seen_in_figure_4([_series_widths(series) for series in by_measure.values()], list(by_measure.values()))
    stated["tau is above 0.9 for three of them"] = sum(tau.mean > _SAME_ORDER for tau in taus.values()) == 3
    charts = tuple(
        interval_series(series, name, READABLE).noting(f"Ten random even shards; seed {data.seed}.")
        for name, series in by_measure.items()
    )
    beside = (_taus_sentence(data, taus), *_figure_4_widened(data, by_measure))
    return Recomputed(_holds(stated, "all four measures"), charts, beside)


def _by_model(data: Dataset, measure: str, population: Population) -> Series:
    whole, ten = _measured(data, measure, None), _measured(data, measure, _TEN)
    return intervals_by_model(whole, ten, population=population, alpha=_ALPHA)


def _measured(data: Dataset, measure: str, shards: str | None) -> Measured:
    return data.bench.measured(Measuring((Measure.parse(measure),), shards, seed=data.seed, sparse=True))


def _tau(data: Dataset, measure: str, count: int) -> MeanOverSplits:
    """Kendall's τ of the means on shards against those on the whole corpus, over splits."""
    result = robustness(data.bench, measure, shards=(count,), resamples=_SPLITS, seed=data.seed, sparse=True)
    return result.stability[0].tau


def _series_widths(series: Series) -> dict[str, float]:
    """The width of Tukey's interval, which all systems share, in each series."""
    return {name: float(np.median(interval.length)) for name, interval in series.items()}


def _seen_in_figure_4(widths: list[dict[str, float]], series: list[Series]) -> dict[str, bool | np.bool_]:
    return {
        "MD1 has wider intervals than MD2, MD3 and MD6": all(
            width["MD1"] > max(width["MD2"], width["MD3"], width["MD6"]) for width in widths
        ),
        "intervals narrow from MD2 to MD3 to MD6": all(width["MD2"] > width["MD3"] > width["MD6"] for width in widths),
        "MD6 narrows the intervals of MD3 substantially": all(
            width["MD6"] <= (1 - _MUCH) * width["MD3"] for width in widths
        ),
        "MD2, MD3 and MD6 have the same means": all(
            np.allclose(by_model["MD2"].mean, by_model[model].mean) for by_model in series for model in ("MD3", "MD6")
        ),
    }


def _taus_sentence(data: Dataset, taus: Mapping[str, MeanOverSplits]) -> str:
    ten = listed([f"{tau.mean:.3f} ± {tau.high - tau.mean:.3f} ({name})" for name, tau in taus.items()])
    three = listed([f"{_tau(data, measure, 3).mean:.3f} ({name})" for name, measure in _MEASURES.items()])
    return (
        f"Kendall's τ against the whole corpus, mean of {_SPLITS} splits with its 95 % interval: {ten} with ten "
        f"shards; {three} with three"
    )


def _figure_4_widened(data: Dataset, by_measure: Mapping[str, Series]) -> Iterator[str]:
    for name, series in by_measure.items():
        documents = _series_widths(series)
        topics = _series_widths(_by_model(data, _MEASURES[name], "topics"))
        yield (
            f"The Tukey intervals of {name} have the width {documents['MD1']:.4f} by MD1 (population: topics), and by "
            f"MD6 on ten shards {documents['MD6']:.4f} for other documents, {topics['MD6']:.4f} for other topics"
        )


# Figure 5


def _figure_5(data: Dataset) -> Recomputed:
    from irgauge.show.shared_charts import READABLE, interval_series

    rows = [row for row in over_splits(data).stability if row.method == "MD6"]
    trend = kendall_tau(np.array([row.shards for row in rows], float), np.array([row.width.mean for row in rows]))
    stated = {
        "intervals tend to narrow with the number of shards": trend < 0,
        "tau stays above 0.9": all(row.tau.mean > _SAME_ORDER for row in rows),
    }
    series = _by_shards(data, _DRAWN, "documents")
    chart = interval_series(series, "AP", READABLE).noting(f"Random even shards; seed {data.seed}.")
    return Recomputed(_holds(stated), (chart,), (_widths_sentence(data), *_figure_5_widened(data)))


def _by_shards(data: Dataset, counts: tuple[int, ...], population: Population) -> Series:
    splits = [_measured(data, "AP", f"even:{count}") for count in counts]
    return intervals_by_shards(_measured(data, "AP", None), splits, population=population, alpha=_ALPHA)


def _widths_sentence(data: Dataset) -> str:
    result = over_splits(data)
    by_count = [f"{row.width.mean:.4f} ({row.shards})" for row in result.stability if row.method == "MD6"]
    return (
        f"The width of MD6's Tukey interval, mean of {RESAMPLES} splits, is {listed(by_count)} by number of shards, "
        f"{result.whole.width:.4f} by MD1"
    )


def _figure_5_widened(data: Dataset) -> Iterator[str]:
    for population, what in (("topics", "other topics"), ("both", "other topics and documents")):
        widths = _series_widths(_by_shards(data, _WIDER, population))  # type: ignore[arg-type]  # a literal
        text = listed([f"{width:.4f} ({name})" for name, width in widths.items()])
        yield f"For claims that cover {what}, the Tukey intervals of one split have the widths {text}"


_TUKEY = f"Tukey intervals, eq. 3, for all pairs together (no other correction), α = {_ALPHA}"
_FILLED = "undefined cells filled with zero; scores ordered in 32 bits; one split of our own seed is drawn"
_HALF = (
    "the critical value Q is 2 to 3 times t for 5 to 75 systems, but the interval of eq. 3 has half of Q: for 129 "
    "systems it is 1.6 times as wide as that of eq. 5"
)
_THREE_OF_FOUR = (
    "on TREC-8 only AP and nDCG are above 0.9 with ten shards; RBP (p = 0.8) is at 0.85, also if topics with undefined "
    "cells are dropped, and at 0.90 with p = 0.95; with three shards, those of Figure 3, three of four are above"
)
FIGURES = (
    Entry(
        f"{PAPER}/figure-1",
        f"Studentized range of R systems, computed without data (it stands under TREC-8); α = {_ALPHA}; nearly: the "
        f"curves differ by at most {_NEAR} in probability, the critical values by {_NEAR:.0%}; no population",
        {"trec8": ()},
        _figure_1,
    ),
    Entry(
        f"{PAPER}/figure-3",
        f"AP; {_TUKEY}, SEM, eq. 4, and ANOVA, eq. 5 (each system for itself); MD1 on the whole corpus (population: "
        f"topics), MD6 on {_THREE} (population: documents); {_FILLED}; statements hold of medians over systems; much "
        f"like: within {_MUCH:.0%}; times: on the whole corpus",
        {"trec8": ()},
        _figure_3,
        reasons=(Reason(("Tukey intervals are 2 to 3 times as wide as ANOVA ones",), _HALF),),
    ),
    Entry(
        f"{PAPER}/figure-4",
        f"{listed(list(_MEASURES.values()))}; {_TUKEY}; MD1 on the whole corpus (population: topics), MD2, MD3 and MD6 "
        f"on {_TEN} (population: documents); {_FILLED}; substantially: by {_MUCH:.0%}; tau: mean of {_SPLITS} splits",
        {"trec8": ()},
        _figure_4,
        reasons=(Reason(("tau is above 0.9 for three of them",), _THREE_OF_FOUR),),
    ),
    Entry(
        f"{PAPER}/figure-5",
        f"AP; {_TUKEY}; MD1 on the whole corpus (population: topics), MD6 on {listed([str(n) for n in COUNTS])} random "
        f"even shards (population: documents); {_FILLED}; statements hold of means of {RESAMPLES} splits; tend: "
        f"Kendall's τ of width and number of shards is below 0; drawn: {listed([str(n) for n in _DRAWN])} shards",
        {"trec8": ()},
        _figure_5,
    ),
)
