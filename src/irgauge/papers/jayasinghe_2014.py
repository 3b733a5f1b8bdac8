"""Jayasinghe et al. (SIGIR 2014): algorithms each of whose runs differs, beside a fixed one; also on the lab's runs."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import get_args

import numpy as np
from numpy.typing import NDArray

from irgauge.compute.arrays import Floats
from irgauge.errors import InputError
from irgauge.inference.instance_tests import POPULATIONS, ModelName
from irgauge.inference.verdicts import smallest_setting
from irgauge.models.mixed.reml import ContrastTest, Freedom
from irgauge.papers.entry import Dataset, Entry, Reason, Recomputed
from irgauge.papers.published import Computed, Key, Lacking
from irgauge.replicates.instances import InstanceScores, score_instances
from irgauge.replicates.labels import labelling
from irgauge.studies.instances.further_questions import LEVELS, SingleTests, setting_of, single_tests
from irgauge.studies.instances.study import AlgorithmsCompared, instances

PAPER = "jayasinghe-2014"
MEASURE, MARGIN = "nDCG@10", 0.01
TOPICS = range(826, 851)  # of Figure 1
_RATE, _SHOWN = 0.5, 4.0  # percent: of which the text gives numbers, and that of Figure 1
_AGREE, _DISAGREE = 0.05, 0.2  # the range over instances, within which they agree and beyond which they do not
_SHIFT = 0.01  # of a mean from the median
_SEVERAL = 3  # topics
_WHISKER = 1.5  # times the distance of the quartiles: an instance beyond is an outlier
_FREEDOM: Freedom = "n-f"  # degrees of freedom as in the paper
_MODEL: ModelName = "nested"


def _scores(dataset: Dataset) -> InstanceScores:
    return dataset.once(f"{PAPER} scores", lambda: _scored(dataset))


def _scored(dataset: Dataset) -> InstanceScores:
    label = labelling(dataset.path("manifest"))
    scores = score_instances(dataset.collection, MEASURE, label, workers=dataset.workers)
    return replace(scores, groups=())  # the paper's model has no level for the maps of shards


def _exhaustive(dataset: Dataset) -> str:
    """The one algorithm that has a single instance."""
    single = _scores(dataset).deterministic
    if len(single) != 1:
        message = f"{len(single)} algorithms have one instance; it must be one, exhaustive search"
        raise InputError(message, path=str(dataset.path("manifest")))
    return single[0]


def _rates(dataset: Dataset) -> dict[float, str]:
    """The algorithms that sample, by their rates in percent, the lowest first."""
    names = [name for name in _scores(dataset).algorithms if name != _exhaustive(dataset)]
    by_rate = {rate: name for name in names if (rate := setting_of(name)) is not None}
    if len(by_rate) < len(names) or not {_RATE, _SHOWN} <= set(by_rate):
        message = (
            f"the algorithms that sample are named by their rates in percent, such as csi-0.5, {_RATE:g} and {_SHOWN:g}"
        )
        raise InputError(f"{message} among them; there are {', '.join(names)}", path=str(dataset.path("manifest")))
    return dict(sorted(by_rate.items()))


# table 1


def single_instances(dataset: Dataset) -> Recomputed:
    """Table 1."""
    tests = {rate: _tests(dataset, name) for rate, name in _rates(dataset).items()}
    shares = {rate: [100 * test.significant for test in of_rate] for rate, of_rate in tests.items()}
    rising = np.diff([share[0] for share in shares.values()])  # from rate to rate, the lowest first
    values: dict[Key, Computed | bool] = {
        (f"rate {_RATE:g}", f"instances at {alpha:g}"): Computed(share)
        for alpha, share in zip(LEVELS, shares[_RATE], strict=True)
    }
    values["the lower the rate, the more instances differ", "holds"] = bool((rising <= 0).all() and (rising < 0).any())
    values["instances of one rate contradict each other", "holds"] = any(
        test.contradict > 0 for of_rate in tests.values() for test in of_rate
    )
    texts = [f"{rate:g} %: {share[0]:.0f} % and {share[1]:.0f} %" for rate, share in shares.items()]
    single = f"Instances that differ from {_exhaustive(dataset)} at 0.05 and 0.1 (other topics, this instance): "
    beside = (f"{single}{', '.join(texts)}.", *_p_values(dataset))
    return Recomputed(values, beside=beside)


def _tests(dataset: Dataset, name: str) -> list[SingleTests]:
    return [single_tests(_scores(dataset), name, _exhaustive(dataset), alpha) for alpha in LEVELS]


def _p_values(dataset: Dataset) -> list[str]:
    """p of each rate by each model, for its population."""
    rates, exhaustive = _rates(dataset), _exhaustive(dataset)
    sentences = []
    for model in get_args(ModelName):
        tests = {rate: _test(dataset, name, exhaustive, model) for rate, name in rates.items()}
        sentences.append(_p_text(f"against {exhaustive}", model, tests))
    of_sampled = {
        rate: _test(dataset, name, rates[_SHOWN], _MODEL) for rate, name in rates.items() if name != rates[_SHOWN]
    }
    return [*sentences, _p_text(f"against {_SHOWN:g} %", _MODEL, of_sampled)]


def _test(dataset: Dataset, first: str, second: str, model: ModelName) -> ContrastTest:
    """The test of two algorithms by the model of them alone."""
    pair = _scores(dataset).only([first, second])
    result = instances(
        pair, model=model, baseline=second, correction="none", variances="common", df=_FREEDOM, posterior=False
    )
    return result.contrasts[0]


def _p_text(against: str, model: ModelName, tests: Mapping[float, ContrastTest]) -> str:
    texts = ", ".join(f"{rate:g} % {test.p:.3g}" for rate, test in tests.items())
    return f"For {POPULATIONS[model]} (model {model}), p {against}: {texts}."


# figure 1


def topic_variance(dataset: Dataset) -> Recomputed:
    """Figure 1."""
    return variance_on(dataset, [str(number) for number in TOPICS])


def variance_on(dataset: Dataset, topics: Sequence[str]) -> Recomputed:
    """Figure 1 on some topics."""
    shown, exhaustive = _rates(dataset)[_SHOWN], _exhaustive(dataset)
    scores = _on_topics(dataset, [shown, exhaustive], topics)
    cells = scores.only([shown]).cells()  # instance, topic
    spans = np.ptp(cells, axis=0)
    values: dict[Key, Computed | bool] = {
        ("instances agree on some topics", "holds"): bool((spans <= _AGREE).any()),
        ("instances disagree on others", "holds"): bool((spans >= _DISAGREE).any()),
        ("outliers shift the mean on several topics", "holds"): int(_shifted(cells).sum()) >= _SEVERAL,
    }
    result = instances(scores, baseline=exhaustive, model=_MODEL, margin=MARGIN, posterior=False)
    over_instances, over_topics = cells.std(axis=0, ddof=1).mean(), cells.mean(axis=0).std(ddof=1)
    beside = (
        f"For other instances, these topics: scores on a topic have a standard deviation over instances (mean over "
        f"topics) of {over_instances:.3f}. For other topics: means over instances have one over topics of "
        f"{over_topics:.3f}."
    )
    return Recomputed(values, (result.chart("topics", pair=(shown, exhaustive)),), (beside,))


def _on_topics(dataset: Dataset, algorithms: list[str], topics: Sequence[str]) -> InstanceScores:
    """The scores of some algorithms on the topics of Figure 1."""
    import polars as pl

    scores = _scores(dataset).only(algorithms)
    if len(set(topics) & set(scores.topics)) < _SEVERAL:
        message = f"topics {topics[0]} to {topics[-1]} are shown, and too few of them have relevant documents"
        raise InputError(message, path=str(dataset.path("qrels")))
    frame = scores.frame().filter(pl.col("topic").is_in(topics))
    return InstanceScores.from_frame(frame, measure=scores.measure)


def _shifted(cells: Floats) -> NDArray[np.bool_]:
    """The topics that have an outlier, and a mean away from the median."""
    lower, median, upper = np.quantile(cells, (0.25, 0.5, 0.75), axis=0)
    reach = _WHISKER * (upper - lower)
    is_outlier = (cells < lower - reach) | (cells > upper + reach)
    return np.asarray(is_outlier.any(axis=0) & (np.abs(cells.mean(axis=0) - median) >= _SHIFT))


# figure 2


def hpd_intervals(dataset: Dataset) -> Recomputed:
    """Figure 2."""
    result = _rate_by_rate(dataset)
    low, high = _hpd(result, _rates(dataset))
    rates = list(low)
    smallest = smallest_setting(rates, [low[rate] > -MARGIN for rate in rates])
    values: dict[Key, Computed | bool | Lacking] = {
        ("below 0.05 % the interval is below the margin", "holds"): _all(
            (high[rate] < -MARGIN for rate in rates if rate < 0.05), "a rate below 0.05 %"
        ),
        ("above 0.1 % part of the interval is above the lower end of the margin", "holds"): _all(
            (high[rate] > -MARGIN for rate in rates if rate > 0.1), "a rate above 0.1 %"
        ),
        (
            "1 % is the smallest rate at and above which all of the interval is above the lower end of the margin",
            "holds",
        ): _all((smallest == 1 for rate in rates if rate == 1), "the rate 1 %"),
        ("from 1 % on part of the interval is above the margin", "holds"): _all(
            (high[rate] > MARGIN for rate in rates if rate >= 1), "a rate of 1 % or more"
        ),
    }
    beside = tuple(_intervals(dataset, model) for model in get_args(ModelName))
    return Recomputed(values, (result.chart("margins"),), beside)


def _rate_by_rate(dataset: Dataset) -> AlgorithmsCompared:
    """All rates, each with the intervals by the model of it and exhaustive search alone."""
    scores, exhaustive = _scores(dataset), _exhaustive(dataset)
    every = _compared(dataset, scores)
    alone = [_compared(dataset, scores.only([pair.system, exhaustive])) for pair in every.pairs]
    return replace(
        every,
        contrasts=tuple(result.contrasts[0] for result in alone),
        intervals=np.concatenate([result.intervals for result in alone], axis=1),
        hpd=np.concatenate([result.hpd for result in alone if result.hpd is not None], axis=1),
    )


def _compared(dataset: Dataset, scores: InstanceScores) -> AlgorithmsCompared:
    return instances(
        scores,
        model=_MODEL,
        baseline=_exhaustive(dataset),
        margin=MARGIN,
        correction="none",
        variances="common",
        df=_FREEDOM,
        seed=dataset.seed,
        workers=dataset.workers,
    )


def _hpd(result: AlgorithmsCompared, rates: Mapping[float, str]) -> tuple[dict[float, float], dict[float, float]]:
    """The ends of the interval of each rate."""
    if result.hpd is None:
        raise ValueError("the comparison has no posterior")
    places = [[pair.system for pair in result.pairs].index(name) for name in rates.values()]
    low, high = (dict(zip(rates, ends[places].tolist(), strict=True)) for ends in result.hpd)
    return low, high


def _all(claims: Iterable[bool], rate: str) -> bool | Lacking:
    """Whether it holds of all rates of which it is claimed, if there are runs at such a rate."""
    held = list(claims)
    return all(held) if held else Lacking(f"runs at {rate}, which these are not")


def _intervals(dataset: Dataset, model: ModelName) -> str:
    """The intervals by t of each rate alone, and from which rate on it is not worse."""
    ends = {
        rate: _test(dataset, name, _exhaustive(dataset), model).interval() for rate, name in _rates(dataset).items()
    }
    smallest = smallest_setting(list(ends), [low > -MARGIN for low, _ in ends.values()])
    texts = ", ".join(f"{rate:g} % {low:.3f} to {high:.3f}" for rate, (low, high) in ends.items()).replace("-", "−")
    from_on = "no rate is shown to be not worse" if smallest is None else f"not worse from {smallest:g} % on"
    return f"For {POPULATIONS[model]} (model {model}), 95 % intervals by t, each rate alone: {texts}; {from_on}."


_NEEDS = {"gov2-csi": ("manifest",)}
_FILES = {
    "manifest": "a line `run algorithm instance` for each run, the manifest of `irgauge instances`; the one run of "
    "exhaustive search without an instance, the others named by their sampling rates in percent, such as csi-0.5"
}
_HOW = f"{MEASURE}, undefined topics 0; runs ordered by 32-bit scores"

ENTRIES = (
    Entry(
        f"{PAPER}/table-1",
        "two-sided paired t-test of each instance against exhaustive search, α = 0.05 and 0.1, no correction "
        "(population: other topics, this instance); statements: more instances at 0.05, contradict at either level; "
        "mixed models of two algorithms by REML, t with n − f degrees of freedom, for the populations named beside; "
        f"{_HOW}",
        _NEEDS,
        single_instances,
        files=_FILES,
    ),
    Entry(
        f"{PAPER}/figure-1",
        f"scores of all instances at {_SHOWN:g} % on topics {TOPICS.start} to {TOPICS.stop - 1}; agree: range at most "
        f"{_AGREE:g}, disagree: at least {_DISAGREE:g}; shifted: an instance beyond {_WHISKER:g} times the distance of "
        f"the quartiles, and mean and median {_SHIFT:g} apart, on {_SEVERAL} topics or more; population: other "
        f"instances, these topics; {_HOW}",
        _NEEDS,
        topic_variance,
        files=_FILES,
    ),
    Entry(
        f"{PAPER}/figure-2",
        "posterior of a mixed model of each rate and exhaustive search alone, instances nested in the rate "
        f"(population: {POPULATIONS[_MODEL]}); 95 % intervals of highest posterior density, margin {MARGIN:g}, no "
        f"correction; 4 chains × 2,000 draws; {_HOW}",
        _NEEDS,
        hpd_intervals,
        files=_FILES,
    ),
)


LAB_PAPER = "jayasinghe-2014-lab"
LAB_DATA = "lab-csi"
_LAST = 25  # topics of Figure 1, the last of the paper's as well
_OTHER_DATA = Reason(
    (LAB_DATA,),
    "the lab's data are another corpus, with other topics, another ranking and other shards: a rate in percent is "
    "another number of documents there",
)


def _last_topics(dataset: Dataset) -> Recomputed:
    return variance_on(dataset, dataset.collection.topics[-_LAST:])


def _lab_entry(of_paper: Entry, recompute: Callable[[Dataset], Recomputed]) -> Entry:
    """An entry of the paper, on the lab's data."""
    which = of_paper.name.partition("/")[2]
    wording = of_paper.method.replace(f"topics {TOPICS.start} to {TOPICS.stop - 1}", f"the last {_LAST} topics")
    method = f"that of {of_paper.name}, on the lab's data: {wording}"
    return Entry(
        f"{LAB_PAPER}/{which}",
        method,
        {LAB_DATA: ("manifest",)},
        recompute,
        files=of_paper.files,
        reasons=(_OTHER_DATA,),
    )


_TABLE_1, _FIGURE_1, _FIGURE_2 = ENTRIES

LAB_ENTRIES = (
    _lab_entry(_TABLE_1, single_instances),
    _lab_entry(_FIGURE_1, _last_topics),
    _lab_entry(_FIGURE_2, hpd_intervals),
)
