"""The log scale: tests, intervals and margins of logarithms against scipy, told as ratios."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from scipy import stats

import irgauge as ig
from irgauge.compute.arrays import Floats
from irgauge.inference.margins import Margin
from irgauge.show.figure import Figure
from irgauge.studies.result import Result


def latencies(ratio: float = 1.6, spread: float = 0.2, topics: int = 60, seed: int = 3) -> pl.DataFrame:
    """A system that takes so many times as long as another."""
    rng = np.random.default_rng(seed)
    old = rng.lognormal(5, 0.6, topics)
    new = old * ratio * rng.lognormal(0, spread, topics)
    kind = np.where(np.arange(topics) % 3 == 0, "long", "short")
    wide = pl.DataFrame({"topic": [f"q{t}" for t in range(topics)], "type": kind, "old": old, "new": new})
    return wide.unpivot(["old", "new"], index=["topic", "type"], variable_name="system", value_name="latency")


def of(data: pl.DataFrame, system: str) -> Floats:
    return data.filter(pl.col("system") == system)["latency"].to_numpy()


def logs(data: pl.DataFrame) -> Floats:
    return np.asarray(np.log(of(data, "new")) - np.log(of(data, "old")))


def test_a_comparison_is_one_of_logarithms_told_as_ratios() -> None:
    data = latencies()
    compared = ig.compare(data, "latency:lower", baseline="old", scale="log", test="t")
    (row,) = compared.frame().to_dicts()
    d = logs(data)
    ends = stats.t.interval(0.95, len(d) - 1, d.mean(), stats.sem(d))
    assert row["measure"] == "ln(latency)"
    assert (row["difference"], row["low"], row["high"]) == pytest.approx((d.mean(), *ends))
    assert (row["ratio"], row["ratio_low"], row["ratio_high"]) == pytest.approx(np.exp((d.mean(), *ends)))
    assert row["p"] == pytest.approx(stats.ttest_1samp(d, 0).pvalue, rel=1e-6)
    text = compared.findings().of("verdict").texts()[0]
    ratio, low, high = (f"{row[name]:#.3g}" for name in ("ratio", "ratio_low", "ratio_high"))
    assert f"new is worse than old in latency (lower is better): {ratio} times as much" in text
    assert f"95 % interval {low} to {high}" in text
    systems = compared.tables()[-1]
    assert dict(zip(systems.column("system"), systems.column("mean"), strict=True))["old"] == pytest.approx(
        float(stats.gmean(of(data, "old")))
    )


@pytest.mark.parametrize("direction", ["lower", "higher"])
def test_a_margin_in_per_cent_is_exact(direction: str) -> None:
    """Not worse by 5 % is a ratio below 1.05, or above 0.95, by a one-sided t-test of logarithms."""
    edge = np.log(1.05) if direction == "lower" else np.log(0.95)
    seen = set()
    for seed in range(40):
        data = latencies(1.0, 0.12, 50, seed)
        compared = ig.compare(data, f"latency:{direction}", baseline="old", scale="log", margin="5%", test="t")
        side = "less" if direction == "lower" else "greater"
        p = stats.ttest_1samp(logs(data), edge, alternative=side).pvalue
        (verdict,) = compared.frame()["verdict"].to_list()
        assert (verdict in ("better", "equivalent", "not worse")) == (p < 0.05)
        seen.add(p < 0.05)
    assert seen == {True, False}
    assert Margin.parse("5%").of_logs("higher").amount == pytest.approx(-np.log(0.95))


def test_a_gate_fails_what_is_slower_and_passes_what_is_not(tmp_path: Path) -> None:
    slow, same = latencies(), latencies(1.0, 0.02)
    gate = ig.gate(slow, "old", "new", "latency:lower:5%", scale="log", by="type", lock=tmp_path / "lock")
    assert gate.verdict == "fail"
    text = gate.findings()[0].text
    assert text.startswith("fail: new is worse than old in latency (lower is better, ratio 1.58, 95 % interval 1.49")
    assert "margin a factor of 1.05" in text
    assert "also on type short (1." in text
    assert (gate.frame()["ratio"].item(), gate.passed) == (pytest.approx(np.exp(logs(slow).mean())), False)
    assert ig.gate(same, "old", "new", "latency:lower:5%", scale="log").verdict == "pass"
    for chart in (gate.chart(), ig.compare(slow, "latency:lower", baseline="old", scale="log").chart()):
        assert isinstance(chart, Figure)
        assert "exp(datum.value)" in chart.chart.to_json()
    with pytest.raises(ig.InputError, match="the setting scale changed"):
        ig.gate(slow, "old", "new", "latency:lower:5%", by="type", lock=tmp_path / "lock")
    topics = next(table for table in gate.tables() if table.name == "topics")
    assert topics.column("other")[0] in [pytest.approx(value) for value in of(slow, "old")]


def test_several_runs_are_compared_by_ratios_too() -> None:
    rng = np.random.default_rng(5)
    rows = [
        {"topic": t, "system": s, "replicate": r, "latency": level * (1.5 if s == "new" else 1) * rng.lognormal(0, 0.1)}
        for t, level in enumerate(rng.lognormal(4, 0.5, 20))
        for s in ("old", "new")
        for r in range(3)
    ]
    gate = ig.gate(pl.DataFrame(rows), "old", "new", "latency:lower:5%", scale="log")
    assert gate.verdict == "fail"
    assert gate.frame()["ratio"].item() == pytest.approx(1.5, rel=0.1)


def test_what_has_no_logarithm_or_no_share_is_refused() -> None:
    data = latencies()
    is_first = (pl.col("topic") == "q3") & (pl.col("system") == "old")
    zero = data.with_columns(latency=pl.when(is_first).then(0.0).otherwise("latency"))
    message = "a log scale is of scores above 0, and of 120 scores of latency 1 are not"
    with pytest.raises(ig.DesignError, match=message):
        ig.compare(zero, "latency:lower", scale="log")
    with pytest.raises(ig.DesignError, match=message):
        ig.gate(zero, "old", "new", "latency:lower:5%", scale="log")
    for margin in (0.05, {"latency": 0.05}):
        with pytest.raises(ig.DesignError, match="on a log scale it is one of ratios: write it as 5%"):
            ig.compare(data, "latency:lower", scale="log", margin=margin)
    with pytest.raises(ig.DesignError, match="the scale log and the transform z are given; leave one out"):
        ig.compare(data, "latency:lower", scale="log", transform="z")


def test_titles_name_the_measure_and_say_that_ratios_are_compared() -> None:
    compared = ig.compare(latencies(), "latency:lower", baseline="old", scale="log", by="type")
    tables = {table.name: table.title for table in compared.tables()}
    assert tables["systems"] == "Systems by latency (ratios)"
    assert tables["pairs"] == "Systems against old by latency (ratios)"
    charts = [compared.chart(name).title for name in ("intervals", "topics", "slices")]
    texts = [finding.text for finding in compared.findings()]
    assert not [text for text in (*tables.values(), *charts, *texts) if "ln(" in text]


def test_a_mean_of_logarithms_is_one_in_every_form() -> None:
    data = latencies()
    scored = ig.score(data, "latency:lower", transform="log")
    rows = {row["system"]: row for row in scored.frame().to_dicts()}
    own = np.log(of(data, "old"))
    assert (rows["old"]["mean"], rows["old"]["se"]) == pytest.approx((own.mean(), stats.sem(own)))
    assert f"old has the lowest mean ln(latency) of 2 systems, {own.mean():.4f}." in scored.findings().texts()
    compared = ig.compare(data, "latency:lower", scale="log")
    assert {row["system"]: row["mean"] for row in compared.frame("systems").to_dicts()} == pytest.approx(
        {system: row["mean"] for system, row in rows.items()}
    )
    assert not [note for table in compared.tables() for note in table.notes if "logarithms" in note]


def test_scores_that_are_all_the_same_have_no_error() -> None:
    same = latencies().with_columns(latency=pl.lit(0.1))
    assert ig.score(same, "latency:lower", transform="log").frame()["se"].to_list() == [0.0, 0.0]


def captions(result: Result, table: str) -> dict[str, str]:
    """Column -> what is said of it below a table."""
    (shown,) = (own for own in result.tables() if own.name == table)
    return {column.explained_as or column.shown: column.explained for column in shown.columns if column.explained}


def test_captions_are_of_ratios() -> None:
    asked: dict[str, Any] = {"baseline": "old", "scale": "log", "margin": "5%", "by": "type"}
    lower = ig.compare(latencies(), "latency:lower", **asked)
    pairs = captions(lower, "pairs")
    assert pairs["verdict"] == (
        "better below 1, worse above 1; not worse where the 90 % interval is below the margin, not better where it is "
        "above 1/margin, equivalent where both hold; margin a factor of 1.05"
    )
    assert pairs["W/T/L"] == "the topics with a ratio below 1, of 1, and above 1 (wins, ties, losses)"
    assert captions(lower, "slices")["low, high"] == "the 95 % interval, for all slices together"
    assert captions(lower, "slices")["smallest detectable"].startswith("the smallest true ratio above 1 that")
    higher = captions(ig.compare(latencies(), "latency:higher", **asked), "pairs")
    assert higher["verdict"].startswith("better above 1, worse below 1; not worse where the 90 % interval is above 1/")
    forest = lower.chart("slices")
    assert isinstance(forest, Figure)
    assert forest.title.startswith("Of 1 system, better than old in latency: ")
    assert "new / old\\nall topics (60)" in forest.chart.to_json()


def test_a_gate_on_a_log_scale_speaks_of_ratios_too() -> None:
    gate = ig.gate(latencies(), "old", "new", "latency:lower:5%", scale="log", by="type")
    said = captions(gate, "measures")
    assert said["low (margin)"] == "the 90 % interval: not worse above 1/margin; below the margin by latency"
    (table,) = (own for own in gate.tables() if own.name == "measures")
    (row,) = gate.frame().to_dicts()
    assert table.column("margin_low") == pytest.approx([np.exp(row["margin_low"])])
    chart = gate.chart()
    assert isinstance(chart, Figure)
    assert "better above 1 and worse below 1; thick lines: 90 % intervals, not worse above 1/margin" in chart.caption[0]
    assert "bands: from 1/margin to the margin of each measure" in chart.caption[0]


def test_sentences_of_many_systems_name_the_measure_and_its_geometric_mean() -> None:
    third = latencies(1.1, 0.3, seed=4).filter(system="new").with_columns(system=pl.lit("other"))
    data = pl.concat([latencies(), third])
    compared = ig.compare(data, "latency:lower", scale="log")
    best = compared.findings().of("best")[0].text
    systems = {system: float(stats.gmean(of(data, system))) for system in ("old", "new", "other")}
    assert f"(geometric mean {min(systems.values()):.3f})" in best
    assert not [text for text in compared.findings().texts() if "ln(" in text]
    assert compared.findings().of("survives-transform")[0].text == (
        "With differences of scores, not ratios, of 3 pairs by latency the same is concluded of all for other topics."
    )


def test_ratios_that_are_the_same_everywhere_are_told_as_ratios() -> None:
    constant = ig.compare(latencies(1.5, 0.0), "latency:lower", baseline="old", scale="log")
    assert "By latency, new and old differ by the same amount on all 60 topics (1.50 times)" in "".join(
        constant.findings().texts()
    )
