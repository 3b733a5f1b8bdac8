"""Several measures in one comparison: one table, one set of findings, and one family where asked for."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import stats

from irgauge import DesignError, Scores
from irgauge.scoring.measures import parse_measures
from irgauge.studies.compare.study import Compared, compare

Irgauge = Callable[..., tuple[int, str, str]]
SYSTEMS = ("base", "near", "far", "low")
MEASURES = ("AP", "nDCG@10")


@cache
def values() -> NDArray[np.float64]:
    """values[measure, topic, system, replicate]: `far` is above `base`, `low` below it, `near` close to it."""
    rng = np.random.default_rng(6)
    topics = rng.normal(0.4, 0.1, (1, 30, 1, 1))
    means = np.array([0.0, 0.012, 0.05, -0.05])[:, None]
    return np.asarray(topics + means + rng.normal(0, 0.05, (2, 30, 4, 1)))


@cache
def table() -> Scores:
    return Scores(values(), parse_measures(list(MEASURES)), tuple(map(str, range(30))), SYSTEMS, ("whole",))


@cache
def compared(**options: Any) -> Compared:  # noqa: ANN401  # of compare
    return compare(table(), list(MEASURES), **options)


def slow_holm(p: list[float]) -> list[float]:
    """Holm's adjustment, step by step."""
    left = sorted(range(len(p)), key=lambda i: p[i])
    adjusted, largest = [0.0] * len(p), 0.0
    for step, i in enumerate(left):
        largest = max(largest, min(1.0, (len(p) - step) * p[i]))
        adjusted[i] = largest
    return adjusted


def columns(measure: int, first: str, second: str) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    y = values()[measure, :, :, 0]
    return y[:, SYSTEMS.index(first)], y[:, SYSTEMS.index(second)]


def test_each_measure_says_what_it_says_alone() -> None:
    found = compared()
    assert found.measures == MEASURES
    assert found.first is found.of("AP") is found.of()
    for measure in MEASURES:
        alone = compare(table(), measure).first
        assert found.of(measure).comparison.p_adjusted.tolist() == alone.comparison.p_adjusted.tolist()
        assert found.of(measure).verdict.verdicts == alone.verdict.verdicts
    with pytest.raises(DesignError, match="the measure 'RR' is unknown"):
        found.of("RR")
    assert compare(table()).measures == MEASURES  # of a table, all


@pytest.mark.parametrize("baseline", [None, "base"])
def test_measures_as_one_family_are_corrected_over_all_pairs_of_all_measures(baseline: str | None) -> None:
    found = compared(baseline=baseline, family="together", test="t")
    pairs = [(i, *pair) for i, one in enumerate(found.each) for pair in one.comparison.names]
    assert len(pairs) == 2 * (6 if baseline is None else 3)
    alone = [stats.ttest_rel(*columns(*pair)) for pair in pairs]
    p = [value for one in found.each for value in one.comparison.p_adjusted.tolist()]
    assert p == pytest.approx(slow_holm([float(one.pvalue) for one in alone]), rel=1e-9)
    ends = [value for one in found.each for value in zip(one.comparison.low, one.comparison.high, strict=True)]
    expected = [one.confidence_interval(1 - 0.05 / len(pairs)) for one in alone]
    np.testing.assert_allclose(ends, expected)
    assert {one.alpha for one in found.each} == {0.05}
    family = "3 pairs with baseline base" if baseline else "all 6 pairs"
    assert found.provenance["family"] == f"{family}, together with those of 1 more comparison"
    alone = [value for one in compared(baseline=baseline, test="t").each for value in one.comparison.p_adjusted]
    assert (np.array(p) >= alone).all()


def test_each_measure_may_be_a_family_of_its_own() -> None:
    for i, one in enumerate(compared(baseline="base", family="each", test="t").each):
        alone = [stats.ttest_rel(*columns(i, *pair)).pvalue for pair in one.comparison.names]
        assert one.comparison.p_adjusted.tolist() == pytest.approx(slow_holm(alone), rel=1e-9)
        assert one.comparison.family == "3 pairs with baseline base"


def test_there_is_one_table_with_a_column_of_measures() -> None:
    found = compared(baseline="base")
    table_ = found.table()
    assert (table_.name, table_.names[:2]) == ("pairs", ("measure", "system"))
    assert table_.column("measure") == ["AP"] * 3 + ["nDCG@10"] * 3
    assert table_.column("p_adjusted") == [value for one in found.each for value in one.comparison.p_adjusted.tolist()]
    assert table_.title == "Systems against base by AP and nDCG@10"
    assert found.table("systems").column("measure") == ["AP"] * 4 + ["nDCG@10"] * 4
    assert set(found.table("topics").column("measure")) == set(MEASURES)
    assert "measure" not in compare(table(), "AP").table().names


def test_one_sentence_says_what_all_measures_say_of_a_system() -> None:
    found = compared(baseline="base")
    told = found.findings().of("by-measures")
    assert [one.fields["system"] for one in told] == [system for system, _ in found.comparison.names]
    for finding in told:
        by = finding.fields["verdicts"]
        for one in found.each:
            pair = one.comparison.names.index((finding.fields["system"], "base"))
            assert (one.measure, one.comparison.difference[pair], None) in by[one.verdict.verdicts[pair]]
    far = next(one for one in told if one.fields["system"] == "far")
    ap, ndcg = (float(np.diff(values()[i].mean(axis=0)[[0, 2], 0])[0]) for i in range(2))
    assert far.text == (
        f"far against base, for other topics like these: better in AP ({ap:.3f}) and nDCG@10 ({ndcg:.3f}) "
        "(guarded t-test, Holm's correction over 3 systems, 30 topics)."
    )
    together = compared(baseline="base", family="together").findings().of("by-measures")[0]
    assert "Holm's correction over 3 systems of 2 comparisons, 30 topics" in together.text


def test_what_is_said_of_a_margin_names_it() -> None:
    found = compare(table(), MEASURES, baseline="base", margin={"AP": 0.03, "nDCG@10": 0.05})
    for told in found.findings().of("by-measures"):
        for said, by in told.fields["verdicts"].items():
            for measure, difference, margin in by:
                at = "" if said in ("better", "worse") else f", margin {margin:.2f}"
                number = f"{difference:.3f}".replace("-", "−")
                assert f"{measure} ({number}{at})" in told.text


def test_frames_have_full_precision() -> None:
    found = compared(baseline="base", margin=0.03)
    frame = found.frame()
    assert frame.equals(found.frame("pairs"))
    assert frame["measure"].to_list() == ["AP"] * 3 + ["nDCG@10"] * 3
    assert {"difference", "low", "high", "p", "p_adjusted", "wins", "ties", "losses", "verdict", "detectable"} <= set(
        frame.columns
    )
    assert frame["p_adjusted"].to_list() == [
        value for one in found.each for value in one.comparison.p_adjusted.tolist()
    ]
    assert frame["verdict"].to_list() == [verdict for one in found.each for verdict in one.verdict.verdicts]
    assert (
        frame["margin_low"].to_list()
        == np.concatenate([one.verdict.low for one in found.each if one.verdict.low is not None]).tolist()
    )
    topics = found.frame("topics")
    assert len(topics) == 2 * 3 * 30
    assert topics["difference"].mean() == pytest.approx(frame["difference"].mean())
    systems = found.frame("systems")
    assert (len(systems), systems["measure"].unique(maintain_order=True).to_list()) == (8, list(MEASURES))
    with pytest.raises(DesignError, match="the frame 'topic' is unknown; did you mean 'topics'"):
        found.frame("topic")


def test_the_command_takes_measures_a_family_and_a_margin(demo: Path, run: Irgauge) -> None:
    given = ["compare", demo / "qrels.txt", demo / "runs", "-m", "AP", "-m", "nDCG@10", "--baseline", "F1-2"]
    code, out, _ = run(*given, "--family", "together", "--margin", "10%", "--format", "json")
    assert code == 0
    shown = json.loads(out)
    assert [one["measure"] for one in shown["measures"]] == list(MEASURES)
    assert shown["provenance"]["family"] == "3 pairs with baseline F1-2, together with those of 1 more comparison"
    alone = [pair["p"] for one in shown["measures"] for pair in one["pairs"]]
    p = [pair["p_adjusted"] for one in shown["measures"] for pair in one["pairs"]]
    assert p == pytest.approx(slow_holm(alone), rel=1e-9)
    for one in shown["measures"]:
        mean = next(system["mean"] for system in one["systems"] if system["system"] == "F1-2")
        assert one["margin"] == pytest.approx(0.1 * mean)
        assert {"verdict", "margin_low", "margin_high", "wins"} <= set(one["pairs"][0])
    code, out, _ = run(*given)
    assert code == 0
    assert "the default test: " in " ".join(out.split())


def test_charts_have_a_panel_for_each_measure_or_one_that_is_named() -> None:
    for name, found in {"intervals": compared(baseline="base"), "pairs": compared()}.items():
        assert name in found.charts()
        both, alone = found.chart(name), found.chart(name, measure="nDCG@10")
        assert len(both.to_dict()["vconcat"]) == 2
        assert "vconcat" not in alone.to_dict()
        assert both.to_svg().startswith("<svg")
    with pytest.raises(DesignError, match="the measure 'RR' is unknown"):
        found.chart(measure="RR")
