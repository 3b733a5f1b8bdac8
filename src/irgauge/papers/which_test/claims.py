"""Each claim as a rule that rates keep or break, under each null hypothesis."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from functools import partial

from irgauge.calibrating.trials import TOLERATED
from irgauge.papers.entry import Dataset, Entry, Reason, Recomputed
from irgauge.papers.published import Key
from irgauge.papers.which_test.rates import (
    ALPHA,
    BETTER,
    DRAWS,
    FAMILIES,
    FEW,
    MANY,
    MAX_T,
    SOME,
    SYSTEMS,
    TESTS,
    TRIALS,
    Method,
    Rates,
    rates,
)
from irgauge.papers.which_test.worlds import EQUAL_MEANS, NULLS
from irgauge.scoring.measures import parse_measures

Rule = Callable[[Rates, str], bool]  # of a null hypothesis
COLLECTION, MEASURE = "trec8", "AP"
_MEAN_TESTS = ("t", "permutation", "bootstrap")
_RANK_TESTS = ("wilcoxon", "sign")
_KEPT = TOLERATED * ALPHA
_ERRORS = 2  # Monte Carlo errors
_POINT = 0.01
_SAME = 0.05  # powers that differ by no more are the same
_MANY_MORE = 3  # times
_RETAINED = 0.66  # of what single tests find: the least that the paper has
_UNCORRECTED: Method = ("t", "none")
_OTERO: Method = ("wilcoxon", "bh")
_FAMILY_WISE: tuple[Method, ...] = (("permutation", "holm"), (MAX_T, ""))


def _is_kept(rate: float, trials: int) -> bool:
    """Whether a rate is not surely above what is tolerated."""
    return rate <= _KEPT + _ERRORS * math.sqrt(_KEPT * (1 - _KEPT) / trials)


def _keep(topics: int, *tests: str) -> Rule:
    return lambda rates, null: all(_is_kept(rates.errors[null, topics, test], TRIALS) for test in tests)


def _grow(*tests: str) -> Rule:
    """They err more with more topics, and then too often."""
    return lambda rates, null: all(
        max(rates.errors[null, SOME, test], _KEPT) < rates.errors[null, MANY, test] for test in tests
    )


def _bootstrap_is_liberal(rates: Rates, null: str) -> bool:
    """By more than t, on the same experiments."""
    return rates.errors[null, FEW, "bootstrap"] > rates.errors[null, FEW, "t"] + _POINT


def _finds_more(test: str) -> Rule:
    return lambda rates, null: (
        rates.power[null, SOME, test] > max(rates.power[null, SOME, other] for other in ("t", "permutation"))
    )


def _bootstrap_finds_least(rates: Rates, null: str) -> bool:
    return min(TESTS, key=lambda test: rates.power[null, SOME, test]) == "bootstrap"


def _ranks_err_more(rates: Rates, null: str) -> bool:
    worst = max(rates.errors[null, MANY, test] for test in _MEAN_TESTS)
    return all(rates.errors[null, MANY, test] > worst + _POINT for test in _RANK_TESTS)


def _same_power(rates: Rates, null: str) -> bool:
    power = [rates.power[null, MANY, test] for test in TESTS]
    return max(power) - min(power) <= _SAME


def _families_keep(*methods: Method) -> Rule:
    return lambda rates, null: all(_is_kept(rates.any_error[null, method], FAMILIES) for method in methods)


def _otero_finds_most(rates: Rates, null: str) -> bool:
    corrected = [share for (of, method), share in rates.found.items() if of == null and method != _UNCORRECTED]
    return rates.found[null, _OTERO] == max(corrected)


def _uncorrected_err(rates: Rates, null: str) -> bool:
    worst = max(rates.any_error[null, method] for method in _FAMILY_WISE)
    return rates.any_error[null, _UNCORRECTED] > _MANY_MORE * worst


def _most_is_retained(rates: Rates, null: str) -> bool:
    least = min(rates.found[null, method] for method in _FAMILY_WISE)
    return least >= _RETAINED * rates.found[null, _UNCORRECTED]


CLAIMS: Mapping[str, Mapping[str, Rule]] = {
    "urbano-lima-hanjalic-2019": {
        "t and the permutation test keep their rate": _keep(SOME, "t", "permutation"),
        "Wilcoxon's and the sign test err more with more topics": _grow(*_RANK_TESTS),
        "the bootstrap errs too often with few topics": _bootstrap_is_liberal,
    },
    "parapar-2020": {
        "Wilcoxon's and the sign test keep their rate": _keep(SOME, *_RANK_TESTS),
        "the bootstrap keeps its rate": _keep(SOME, "bootstrap"),
        "Wilcoxon's test finds more than t and the permutation test": _finds_more("wilcoxon"),
        "the sign test finds more than t and the permutation test": _finds_more("sign"),
        "the bootstrap finds least": _bootstrap_finds_least,
    },
    "otero-2025": {
        "Wilcoxon's test with Benjamini-Hochberg keeps its rate": _families_keep(_OTERO),
        "no other corrected test finds more": _otero_finds_most,
    },
    "ihemelandu-ekstrand-2023": {
        "with many topics t, the permutation test and the bootstrap keep their rate": _keep(MANY, *_MEAN_TESTS),
        "with many topics Wilcoxon's and the sign test err more often than these": _ranks_err_more,
        "with many topics all tests have the same power": _same_power,
    },
    "boytsov-2013": {
        "max-t and Holm's correction of permutation tests keep their rate": _families_keep(*_FAMILY_WISE),
        "tests without a correction make many more false claims": _uncorrected_err,
        "corrected tests keep most of what single tests find": _most_is_retained,
    },
}


def asked(paper: str, dataset: Dataset) -> Recomputed:
    """Whether each claim of a paper holds, under each null hypothesis."""
    counted = dataset.once("which test", lambda: _counted(dataset))
    values: dict[Key, bool] = {
        (claim, null): rule(counted, null) for claim, rule in CLAIMS[paper].items() for null in NULLS
    }
    return Recomputed(values, beside=tuple(_shown(counted, null) for null in NULLS))


def _counted(dataset: Dataset) -> Rates:
    scores = dataset.bench.whole(parse_measures([MEASURE])).filled("zero")
    return rates(scores.values[0, :, :, 0], dataset.seed)


def _shown(counted: Rates, null: str) -> str:
    """The rates behind the verdicts."""
    texts = [
        f"{topics} topics: " + ", ".join(f"{test} {100 * counted.errors[null, topics, test]:.1f}" for test in TESTS)
        for topics in (FEW, SOME, MANY)
    ]
    what = f"Under the null hypothesis '{null}' two equal systems are called different in so many percent"
    return f"{what}: {'; '.join(texts)}"


_REASONS = (
    Reason(
        (EQUAL_MEANS,),
        "where means alone are equal, differences of these systems are skewed: Wilcoxon's and the sign test reject "
        "because they are not about means; docs/why-tests-disagree.md says what follows",
    ),
    *(
        Reason(
            (null,),
            "differences are symmetric in this world, so that tests of ranks and of means have the same null "
            "hypothesis, and only power tells them apart; docs/why-tests-disagree.md says what follows",
        )
        for null in NULLS
        if null != EQUAL_MEANS
    ),
)
_HOW = (
    f"the paper's claim in words of ours, asked of experiments drawn from {MEASURE} of the track's distinct systems "
    "(population: other topics), under each null hypothesis: exchangeable (scores change places on each topic), "
    "symmetric (means taken out, signs drawn) and equal means (means taken out); topics drawn with replacement: "
    f"{FEW} (few), {SOME}, and {MANY} (many); α = {ALPHA:g}; a rate is kept if it is not above {100 * _KEPT:g} % by "
    f"{_ERRORS} Monte Carlo errors; {TRIALS:,} "
    f"experiments of two systems and {FAMILIES} of all pairs of {SYSTEMS}, with a difference of {BETTER:g} standard "
    f"deviations where power is asked; {DRAWS} draws; most is {_RETAINED:.0%}, many more {_MANY_MORE} times, the same "
    f"power within {100 * _SAME:g} points"
)

ENTRIES = tuple(
    Entry(f"{paper}/claims", _HOW, {COLLECTION: ()}, partial(asked, paper), reasons=_REASONS) for paper in CLAIMS
)
