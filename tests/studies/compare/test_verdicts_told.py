"""Verdicts of a comparison: against a baseline, a margin or neither; what they say, and what is refused."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import stats

from conftest import Golden
from irgauge import DesignError, Scores
from irgauge.scoring.measures import parse_measures
from irgauge.show.verdicts import COLOURS
from irgauge.studies.compare.study import Compared, compare
from irgauge.studies.compare.verdict_captions import PairMethod
from irgauge.studies.compare.verdict_findings import Numbers, verdict
from oracles.compared_systems import rows_of

Irgauge = Callable[..., tuple[int, str, str]]
SYSTEMS = ("base", "alike", "far", "low", "vague")
OFFSETS = np.array([0.0, 0.001, 0.1, -0.1, 0.02])
NOISE = np.array([0.05, 0.003, 0.05, 0.05, 0.3])


@cache
def values() -> NDArray[np.float64]:
    """values[topic, system]: one as good as `base`, one far above it, one far below it, one that varies much."""
    rng = np.random.default_rng(8)
    base = rng.normal(0.4, 0.1, (40, 1))
    return np.asarray(base + OFFSETS + rng.normal(0, 1, (40, 5)) * NOISE * (np.arange(5) > 0))


def scores(y: NDArray[np.float64], systems: tuple[str, ...] = SYSTEMS, measures: tuple[str, ...] = ("AP",)) -> Scores:
    """The same values by each measure."""
    by_measure = np.repeat(y[None, :, :, None], len(measures), axis=0)
    return Scores(by_measure, parse_measures(list(measures)), tuple(map(str, range(len(y)))), systems, ("whole",))


@cache
def compared(**options: Any) -> Compared:  # noqa: ANN401  # of compare
    return compare(scores(values()), **options)


def slow_verdict(system: str, margin: float | None) -> str:
    """From scipy's intervals, Bonferroni's over the four systems."""
    y = values()
    test = stats.ttest_rel(y[:, SYSTEMS.index(system)], y[:, 0])
    low, high = test.confidence_interval(1 - 0.05 / 4)
    least, most = test.confidence_interval(1 - 0.1 / 4)
    not_worse, not_better = (margin is not None and end < margin for end in (-least, most))
    if not_worse and not_better:
        return "equivalent"
    if low > 0 or high < 0:
        return "better" if low > 0 else "worse"
    return "not worse" if not_worse else "not better" if not_better else "inconclusive"


@pytest.mark.parametrize("margin", [None, 0.004, 0.01, 0.08, "2%"])
def test_verdicts_are_those_of_the_intervals(margin: float | str | None) -> None:
    found = compared(baseline="base", margin=margin)
    amount = 0.02 * values()[:, 0].mean() if margin == "2%" else margin
    assert found.first.margin == (None if amount is None else pytest.approx(amount))
    for (system, base), told in zip(found.comparison.names, found.first.verdict.verdicts, strict=True):
        assert base == "base"
        assert told == slow_verdict(system, None if amount is None else float(amount)), system
    assert set(found.first.verdict.verdicts) >= {"better", "worse", "inconclusive"}


def test_each_system_has_a_sentence_with_its_numbers() -> None:
    found = compared(baseline="base", margin=0.01)
    one, wide = found.comparison, found.first.verdict
    told = found.findings().of("verdict")
    assert [finding.fields["system"] for finding in told] == [system for system, _ in one.names]
    for pair, finding in enumerate(told):
        fields = finding.fields
        assert (fields["baseline"], fields["measure"], fields["margin"]) == ("base", "AP", 0.01)
        assert (finding.population, finding.measure) == ("topics", "AP")
        assert fields["verdict"] == found.first.verdict.verdicts[pair]
        numbers = fields["numbers"]
        rests_on, confidence = (
            (wide, 0.9) if fields["verdict"] in ("equivalent", "not worse", "not better") else (one, 0.95)
        )
        assert rests_on.low is not None
        assert rests_on.high is not None
        assert (numbers.low, numbers.high) == (rests_on.low[pair], rests_on.high[pair])
        assert (numbers.difference, numbers.p_adjusted) == (one.difference[pair], one.p_adjusted[pair])
        assert numbers.confidence == pytest.approx(confidence)
        assert fields["method"] == ("guarded t-test, Holm's correction over 4 systems", 40, None)
        assert ("It could have found" in finding.text) == (fields["verdict"] == "inconclusive")
    assert next(iter(found.findings())).kind == "verdict"  # the answer first


NUMBERS = Numbers(0.2251, 0.15, 0.3, 0.95, 1e-6, 0.08)
METHOD = PairMethod("paired t-test, Holm's correction over 5 systems", 43)
HOW = "95 % interval 0.150 to 0.300, p < 0.0001, paired t-test, Holm's correction over 5 systems, 43 topics"
SAID = [
    ("better", None, f"mine is better than BM25 in RR by 0.225 ({HOW}; for other topics like these)."),
    ("worse", 0.01, f"mine is worse than BM25 in RR by 0.225 ({HOW}; for other topics like these)."),
    (
        "equivalent",
        0.01,
        "mine is equivalent to BM25 in RR: they differ by less than 0.01 "
        f"(difference 0.225, {HOW.replace('p <', 'p for no difference <')}; for other topics like these).",
    ),
    (
        "inconclusive",
        None,
        f"The comparison of mine and BM25 in RR is inconclusive (difference 0.225, {HOW}; for other topics like these)."
        " It could have found a difference of 0.080 (power 80 %).",
    ),
]


@pytest.mark.parametrize(("said", "margin", "text"), SAID, ids=[one[0] for one in SAID])
def test_sentences_can_be_quoted(said: str, margin: float | None, text: str) -> None:
    told = verdict(
        verdict=said,
        system="mine",
        baseline="BM25",
        measure="RR",
        margin=margin,
        numbers=NUMBERS,
        method=METHOD,
        population="topics",
    )
    assert told.text == text


@pytest.mark.parametrize("margin", [None, 0.01, 1.0])
def test_what_could_be_found_stands_beside_inconclusive_only(margin: float | None) -> None:
    table = compared(baseline="base", margin=margin).table()
    open_ = [told == "inconclusive" for told in table.column("verdict")]
    assert ("could_find" in table.names) == any(open_) == (margin != 1.0)
    if any(open_):
        assert [cell is not None for cell in table.column("could_find")] == open_


def test_many_systems_are_counted_by_their_verdicts() -> None:
    y = np.hstack((values(), values()[:, 1:] + 1e-5))
    names = (*SYSTEMS, *(f"{name}2" for name in SYSTEMS[1:]))
    found = compare(scores(y, names), baseline="base", margin=0.01)
    [told] = found.findings().of("verdicts")
    named = [(system, said) for said, systems in told.fields["systems"].items() for system in systems]
    pairs = zip(found.comparison.names, found.first.verdict.verdicts, strict=True)
    assert sorted(named) == sorted((system, said) for (system, _), said in pairs)
    assert "of 8 systems against base" in told.text
    assert "at a margin of 0.01" in told.text


def test_without_a_baseline_a_margin_counts_pairs() -> None:
    found = compared(margin=0.01)
    [told] = found.findings().of("pair-verdicts")
    assert sum(told.fields["counts"].values()) == 10
    assert dict(told.fields["counts"]) == {
        said: found.first.verdict.verdicts.count(said) for said in set(found.first.verdict.verdicts)
    }
    assert not compared().findings().of("pair-verdicts")


# identical runs


@pytest.mark.parametrize("margin", [None, 0.01])
@pytest.mark.parametrize("baseline", [None, "base"])
def test_identical_runs_are_equivalent_and_said_to_be(margin: float | None, baseline: str | None) -> None:
    y = np.repeat(values()[:, :1], 2, axis=1)
    found = compare(scores(y, ("base", "copy")), baseline=baseline, margin=margin)
    assert found.first.verdict.verdicts == ("equivalent",)
    system, other = found.comparison.names[0]
    [told] = found.findings().of("verdict")
    assert told.text == f"{system} and {other} have the same AP on all 40 topics: they are equivalent."
    assert not found.findings().of("topics")


@pytest.mark.parametrize("margin", [None, 0.01])
@pytest.mark.parametrize("test", ["tukey", "randomised-tukey", "dunnett", "unpaired-t", "t"])
def test_identical_runs_are_equivalent_by_tests_with_one_error_for_all_pairs(
    test: str, margin: float | None, golden: Golden
) -> None:
    y = np.hstack((values(), values()[:, :1]))
    found = compare(scores(y, (*SYSTEMS, "copy")), baseline="base", margin=margin, test=test)  # type: ignore[arg-type]  # any text
    told = {one.fields["system"]: one for one in found.findings().of("verdict")}["copy"]
    assert told.fields["verdict"] == "equivalent"
    golden(told.text)


def test_the_same_mean_is_not_the_same_scores() -> None:
    y = np.repeat(values()[:, :1], 2, axis=1)
    y[:2, 1] = y[1::-1, 1]
    found = compare(scores(y, ("base", "swapped")), baseline="base")
    assert found.first.verdict.verdicts == ("inconclusive",)


# margins


BAD_MARGINS = {
    "small": "the margin 'small' is no number; write 0.01, or 2% of the baseline's mean",
    "-0.01": "the margin -0.01 is not possible; it is the smallest difference that matters, above 0",
    "0": "the margin 0 is not possible",
    "nan": "the margin nan is not possible",
    "inf%": "the margin inf% is not possible",
    "2%": "the margin 2% is a share of the baseline's mean; name a baseline, or give a number",
    "1": "the margin 1 is too large: no two scores differ by more than 1; write a smaller number, or 1% for a share",
    "150%": "the margin 150% is too large: no score could be worse by so much",
}


@pytest.mark.parametrize("margin", BAD_MARGINS)
def test_bad_margins_are_refused(margin: str, demo: Path, run: Irgauge) -> None:
    with pytest.raises(DesignError, match=BAD_MARGINS[margin]):
        compare(scores(values().clip(0, 1)), margin=margin)
    code, out, err = run("compare", demo / "qrels.txt", demo / "runs", f"--margin={margin}")
    assert (code, out) == (2, "")
    assert BAD_MARGINS[margin] in " ".join(err.split())


def test_a_share_of_nothing_is_refused() -> None:
    y = values().copy()
    y[:, 0] = 0
    with pytest.raises(DesignError, match="the margin 2% is a share of the baseline's mean, and that is 0; give a"):
        compare(scores(y), baseline="base", margin="2%")


def test_a_margin_needs_a_level_below_a_quarter() -> None:
    with pytest.raises(DesignError, match=r"alpha is 0\.3; verdicts against a margin need one below 0\.25"):
        compare(scores(values()), margin=0.01, alpha=0.3)


def test_each_measure_may_have_its_margin() -> None:
    table = scores(values(), measures=("AP", "RR"))
    found = compare(table, baseline="base", margin={"RR": 0.05, "AP": "2%"})
    mean = float(values()[:, 0].mean())
    assert [one.margin for one in found.each] == [pytest.approx(0.02 * mean), 0.05]
    told: Any = found.provenance["margins"]
    assert {measure: one["given"] for measure, one in told.items()} == {"AP": "2%", "RR": "0.05"}
    with pytest.raises(DesignError, match=r"RR has no margin \(there is one for: AP\)"):
        compare(table, baseline="base", margin={"AP": 0.01})


# how it was tested


def test_the_method_says_why_the_test_was_taken_where_none_was_named() -> None:
    said = "the default test: it keeps its error rate where systems vary differently"
    assert said in " ".join(compared(baseline="base").to_text().split())
    assert "the default test" not in " ".join(compared(baseline="base", test="t").to_text().split())


def test_one_side_is_for_tests_that_have_it() -> None:
    one, two = (compared(baseline="base", test="randomization", draws=1999, sides=sides) for sides in (1, 2))
    assert (one.provenance["sides"], one.comparison.sides, two.comparison.sides) == (1, 1, 2)
    low = one.comparison.names.index(("low", "base"))
    assert (
        one.comparison.p_adjusted[low] > 0.9 > two.comparison.p_adjusted[low]
    )  # it asks whether `low` is better, and only that
    with pytest.raises(DesignError, match=r"the test skewed-t has two sides; with one side there is .*randomization"):
        compare(scores(values()), baseline="base", sides=1)


# the chart


@pytest.mark.parametrize("margin", [None, 0.01])
def test_the_chart_of_a_baseline_has_its_numbers_and_verdicts(margin: float | None) -> None:
    found = compared(baseline="base", margin=margin)
    figure, one = found.chart(), found.comparison
    rows = rows_of(figure)
    assert [row["system"] for row in rows] == [system for system, _ in one.names]
    for pair, row in enumerate(rows):
        assert (row["difference"], row["low"], row["high"]) == (one.difference[pair], one.low[pair], one.high[pair])
        assert row["verdict"] == found.first.verdict.verdicts[pair]
    spec = figure.to_dict()
    [scale] = {str(layer["encoding"]["color"]["scale"]) for layer in spec["layer"] if "color" in layer["encoding"]}
    seen = [said for said in COLOURS if said in found.first.verdict.verdicts]
    assert scale == str({"domain": seen, "range": [COLOURS[said] for said in seen]})
    bands = [list(data) for data in spec["datasets"].values() if data and "from" in data[0]]
    assert bands == ([] if margin is None else [[{"from": -0.01, "to": 0.01}]])
    said = "Dashed lines: the margin, ± 0.01; thick bars: the 90 % intervals that claims about it rest on."
    assert (said in figure.caption) == (margin is not None)
    assert figure.title.startswith("Of 4 systems against base in AP: 1 better")


def test_the_interval_of_a_margin_in_per_cent_says_that_it_is_from_the_ratio() -> None:
    rng = np.random.default_rng(2)
    old = rng.uniform(0.3, 0.7, 40)
    table = {
        "old": {f"q{t}": score for t, score in enumerate(old.tolist())},
        "new": {f"q{t}": score for t, score in enumerate((old + rng.normal(0, 0.01, 40)).tolist())},
    }
    shared, fixed = (compare(table, baseline="old", margin=margin).findings().texts()[0] for margin in ("10%", 0.05))
    assert "90 % interval" in shared
    assert ", from the ratio to old, p" in shared
    assert "ratio" not in fixed
