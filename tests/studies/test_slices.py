"""Kinds of topics: verdicts on each, corrected together, against tests of scipy; a gate that is worse on one fails."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import polars as pl
import pytest
from scipy import stats
from scipy.optimize import brentq

import irgauge as ig
from irgauge.compute.arrays import Floats
from irgauge.inference.slices import sliced, welch
from irgauge.inference.tests.record import Experiment
from irgauge.inference.tests.skewed_t import SKEWED_T
from irgauge.inference.verdicts import Parts
from irgauge.reading.topic_slices import Slice
from irgauge.reading.topic_table import TopicTable
from irgauge.show.words import listed
from irgauge.studies.compare.github import github
from oracles.compared_systems import rows_of


def kinds(seed: int = 3, topics: int = 90) -> pl.DataFrame:
    """New is better than old on short queries, and worse on long ones; four are odd."""
    rng = np.random.default_rng(seed)
    kind = ["odd" if t >= topics - 4 else "long" if t % 6 == 0 else "short" for t in range(topics)]
    base = rng.random(topics)
    gain = np.where(np.array(kind) == "long", -0.12, 0.08) + 0.05 * rng.normal(size=topics)
    other = base + 0.05 * rng.normal(size=topics)
    names = {"topic": [f"q{t}" for t in range(topics)], "type": kind, "lang": ["de", "en"] * (topics // 2)}
    return pl.DataFrame({**names, "old": base, "new": base + gain, "same": other})


def holm(p: list[float]) -> list[float]:
    order, adjusted, most = np.argsort(p), [0.0] * len(p), 0.0
    for rank, place in enumerate(order.tolist()):
        most = max(most, min(1.0, (len(p) - rank) * p[place]))
        adjusted[place] = most
    return adjusted


def test_slices_and_pairs_are_one_family_of_paired_t_tests() -> None:
    data = kinds()
    rows = ig.compare(data, baseline="old", test="t", by=["type", "lang"]).frame("slices").to_dicts()
    parts = [("type", "short"), ("type", "long"), ("lang", "de"), ("lang", "en")]
    expected = {}
    for column, value in parts:
        own = data.filter(pl.col(column) == value)
        for system in ("new", "same"):
            expected[column, value, system] = stats.ttest_rel(own[system], own["old"]).pvalue
    adjusted = dict(zip(expected, holm(list(expected.values())), strict=True))
    assert {(row["column"], row["slice"], row["system"]) for row in rows} == set(expected)
    for row in rows:
        key = row["column"], row["slice"], row["system"]
        assert row["p"] == pytest.approx(expected[key], rel=1e-6)
        assert row["p_adjusted"] == pytest.approx(adjusted[key], rel=1e-6)
        own = data.filter(pl.col(key[0]) == key[1])
        d = (own[key[2]] - own["old"]).to_numpy()
        half = stats.t.ppf(1 - 0.05 / 16, len(d) - 1) * d.std(ddof=1) / np.sqrt(len(d))
        assert (row["low"], row["high"]) == pytest.approx((d.mean() - half, d.mean() + half))


def test_the_sentence_says_where_it_is_worse_and_which_slices_are_too_small() -> None:
    compared = ig.compare(kinds().drop("same"), baseline="old", by="type")
    texts = {finding.kind: finding.text for finding in compared.findings()}
    assert "new against old in score: better overall" in texts["slices"]
    assert "; but worse on long (−0.097, 15 topics)" in texts["slices"]
    assert "Welch's test: p < 0.001" in texts["slices"]
    assert texts["small-slices"] == (
        "By type, odd (4 topics, could have found 0.23) is too small to test (under 5 topics)."
    )
    assert compared.chart("slices").title


def test_of_all_pairs_the_first_is_told_of() -> None:
    compared = ig.compare(kinds(), by="lang", margin=0.05)
    assert len(compared.frame("slices")) == 6
    assert sum(finding.kind == "slices" for finding in compared.findings()) == 1


def test_welch_is_that_of_scipy() -> None:
    rng = np.random.default_rng(1)
    for sizes in ((5, 8), (6, 30, 9), (5, 5, 5, 40)):
        groups = [rng.normal(rng.normal(), rng.uniform(0.1, 3), size) for size in sizes]
        expected = stats.f_oneway(*groups, equal_var=False)
        f, _, p = welch(groups) or (0, 0, 0)
        assert (f, p) == pytest.approx((expected.statistic, expected.pvalue))
    assert welch([np.ones(5), np.arange(5.0)]) is None


def test_any_false_word_on_any_slice_is_rare() -> None:
    rng, false, trials = np.random.default_rng(7), 0, 300
    parts = [Slice("kind", str(k), np.arange(20 * k, 20 * k + 20)) for k in range(4)]
    for _ in range(trials):
        values = rng.normal(size=(80, 3, 1)) + rng.normal(size=(80, 1, 1))
        experiment = Experiment(values, ["a", "b", "c"], "topics", 0.05, "holm", "a")
        (said,) = sliced([experiment], parts, SKEWED_T, [None])
        false += any(verdict != "inconclusive" for own in said.slices for verdict in own.verdicts.verdicts)
    assert false / trials <= 0.05 + 3 * np.sqrt(0.05 * 0.95 / trials)


def test_a_gate_fails_where_a_slice_is_worse_and_says_which(tmp_path: Path) -> None:
    data = kinds()
    whole, by_type = (ig.gate(data, "old", "new", margin=0.02, by=by) for by in (None, "type"))
    assert (whole.verdict, by_type.verdict, by_type.exit_code) == ("pass", "fail", 1)
    assert "better than old in score" in by_type.findings()[0].text
    assert "but worse on type long (−0.097, 15 topics)" in by_type.findings()[0].text
    assert "| long |" in by_type.summary()
    assert ig.gate(data, "old", "same", margin=0.05, by=["type", "lang"]).verdict == "pass"
    by_type.save(tmp_path / "gate.json")
    assert ig.read(tmp_path / "gate.json").frame("slices").equals(by_type.frame("slices"))


def hard_and_easy(hard_mean: float = 0.05) -> pl.DataFrame:
    """New loses 40 % on hard topics, and nothing on easy ones."""
    rng = np.random.default_rng(5)
    easy = np.arange(120) % 2 == 0
    base = np.where(easy, 0.8, hard_mean) * rng.uniform(0.9, 1.1, 120)
    new = base * np.where(easy, 1.0, 0.6) + np.where(easy, 0.004, 0.02) * rng.normal(size=120)
    kind = np.where(easy, "easy", "hard")
    return pl.DataFrame({"topic": [f"q{t}" for t in range(120)], "kind": kind, "old": base, "new": new})


def test_a_margin_in_per_cent_is_a_share_of_the_mean_on_the_slice() -> None:
    data = hard_and_easy()
    compared = ig.compare(data, baseline="old", test="t", by="kind", margin="10%", alpha=0.01)
    gated = ig.gate(data, "old", "new", margin="10%", by="kind", alpha=0.01)
    for rows in (compared.frame("slices"), gated.frame("slices")):
        for row in rows.to_dicts():
            own = data.filter(pl.col("kind") == row["slice"])
            assert row["margin"] == pytest.approx(0.1 * own["old"].to_numpy().mean())
            p = stats.ttest_1samp(own["new"] - 0.9 * own["old"], 0, alternative="greater").pvalue
            assert (row["verdict"] in ("equivalent", "not worse", "better")) == (p < 0.01 / 2)
    none = ig.compare(hard_and_easy(0.0), baseline="old", by="kind", margin="10%").frame("slices")
    assert none.filter(pl.col("slice") == "hard")["margin"].to_list() == [None]


def test_claims_on_slices_are_secondary_and_the_same_scores_are_none_without_a_margin() -> None:
    data = kinds().drop("same").with_columns(new=pl.when(pl.col("lang") == "de").then("old").otherwise("new"))
    (finding,) = ig.compare(data, baseline="old", by="lang").findings().of("slices")
    assert "equivalent on de" in finding.text
    assert {claim.place for claim in finding.claims} <= {"secondary"}
    assert not [claim for claim in finding.claims if claim.verdict == "equivalent"]
    (finding,) = ig.compare(data, baseline="old", by="lang", margin=0.02).findings().of("slices")
    assert [claim.place for claim in finding.claims if claim.verdict == "equivalent"] == ["secondary"]


def test_a_gate_says_on_how_many_kinds_nothing_is_shown() -> None:
    undecided = ig.gate(kinds(), "old", "same", margin=0.001, by=["type", "lang"]).findings()[0].text
    assert "with nothing shown on 3 of 3 kinds of type and 2 of 2 kinds of lang; " in undecided  # odd is too small
    assert "(−0.097, 15 topics), with nothing shown on 1 of 3 kinds of type" in (
        ig.gate(kinds(), "old", "new", margin=0.02, by="type").findings()[0].text
    )
    assert "nothing shown" not in ig.gate(kinds(), "old", "new", margin=0.02, by="lang").findings()[0].text


def test_a_comment_on_github_has_the_kinds() -> None:
    text = github(ig.compare(kinds(), baseline="old", by="type"))
    assert "- By type, new against old in score: " in text
    assert "| type | long |" in text
    assert text.count("too small to test") == 1


def test_a_gate_that_is_worse_says_but_of_no_slice() -> None:
    text = ig.gate(kinds(), "new", "old", margin=0.02, by="type").findings()[0].text
    assert "worse than new" in text
    assert ", also on type short (" in text
    assert "but" not in text


def test_the_forest_says_which_rows_are_corrected_together() -> None:
    chart = ig.compare(kinds(), baseline="old", by="type").chart("slices")
    assert "intervals, of kinds for all kinds and pairs together" in " ".join(chart.caption)


def test_the_forest_has_the_rows_of_pairs_together_the_same_system_first() -> None:
    compared = ig.compare(kinds(), by="type")
    chart = compared.chart("slices")
    best = compared.comparison.systems[0]
    frames = [compared.frame(), compared.frame("slices")]
    tested = [row for frame in frames for row in frame.iter_rows(named=True)]
    rows = rows_of(chart)
    assert {row["system"] for row in rows} == {best}
    assert len(rows) == sum(best in (row["system"], row["against"]) for row in tested)
    for row in rows:
        (same,) = (
            one
            for one in tested
            if {one["system"], one["against"]} == {row["system"], row["against"]}
            and one.get("slice", "all topics") == row["slice"]
        )
        sign = 1 if same["system"] == row["system"] else -1
        assert row["difference"] == pytest.approx(sign * same["difference"])
        assert sorted((row["low"], row["high"])) == pytest.approx(sorted((sign * same["low"], sign * same["high"])))
        assert row["verdict"] == (same["verdict"] if sign == 1 else MIRRORED.get(same["verdict"], same["verdict"]))
    different = dict.fromkeys(("all topics", *(row["slice"] for row in tested if "slice" in row)), 0)
    for row in tested:
        different[row.get("slice", "all topics")] += row["verdict"] in MIRRORED
    counts = [f"{count} on {kind}" for kind, count in different.items()]
    assert chart.title == f"Of 3 pairs, different in score: {listed(counts)}"


MIRRORED = {"better": "worse", "worse": "better"}


def test_slices_follow_the_direction() -> None:
    data = kinds().with_columns(-pl.col("old"), -pl.col("new"), -pl.col("same"))
    higher = ig.compare(kinds(), baseline="old", by="type").frame("slices")
    lower = ig.compare(data, "score:lower", baseline="old", by="type").frame("slices")
    assert lower["verdict"].to_list() == higher["verdict"].to_list()
    assert lower["low"].to_list() == pytest.approx((-higher["high"]).to_list())
    assert ig.gate(data, "old", "new", "score:lower", margin=0.02, by="type").verdict == "fail"


def test_a_column_that_tells_no_kinds_apart_is_refused() -> None:
    with pytest.raises(ig.DesignError, match="column of topics 'kind' is unknown"):
        ig.compare(kinds(), by="kind")
    with pytest.raises(ig.DesignError, match="the column 'type' has 1 values on these topics; slices need 2 to 50"):
        ig.compare(kinds().filter(pl.col("type") == "long"), by="type")
    with pytest.raises(ig.DesignError, match="nothing is known of topics, and 'type' is asked for"):
        ig.compare({"a": {"1": 0.1, "2": 0.3, "3": 0.2}, "b": {"1": 0.2, "2": 0.2, "3": 0.3}}, by="type")


def test_a_small_slice_is_named_with_what_it_could_have_found() -> None:
    data = kinds()
    (small,) = ig.compare(data, baseline="old", by="type")["score"].sliced.small
    assert (small.column, small.value, small.topics) == ("type", "odd", 4)
    least = min((data[system] - data["old"]).to_numpy().std(ddof=1) for system in ("new", "same")) / 2
    critical = stats.t.ppf(1 - 0.05 / 2 / 4, 3)  # two slices of two pairs are tested
    assert stats.nct.sf(critical, 3, small.detectable / least) == pytest.approx(0.8, abs=1e-4)
    alone = data.with_columns(type=pl.when(pl.col("topic") == "q89").then(pl.lit("one")).otherwise("lang"))
    texts = [finding.text for finding in ig.compare(alone, baseline="old", by="type").findings()]
    assert any("one (1 topic, too few topics to find any difference) is too small" in text for text in texts)


def test_a_slice_that_shows_nothing_says_what_it_could_have_found() -> None:
    data = kinds()
    compared = ig.compare(data.drop("new"), baseline="old", by="lang")
    row = compared.frame("slices").to_dicts()[0]
    (finding,) = compared.findings().of("slices")
    assert (
        f"{row['slice']} ({row['difference']:.3f}, 45 topics, could have found {row['detectable']:.2g})" in finding.text
    )
    gate = ig.gate(data, "old", "same", margin=0.001, by="type")
    texts = {finding.kind: finding.text for finding in gate.findings()}
    assert texts["unclear-slices"].startswith(
        "In score, it is neither shown to be worse nor to be as good on type short"
    )
    assert "odd (4 topics, could have found" in texts["small-slices"]


def test_a_kind_may_have_a_margin_of_its_own(tmp_path: Path) -> None:
    data, lock = kinds(), tmp_path / "lock.json"
    strict = ig.gate(data, "old", "new", margin=0.02, by="type", lock=lock)
    lenient = ig.gate(data, "old", "new", margin=0.02, by="type", slice_margins="type=long:0.3")
    assert (strict.verdict, lenient.verdict) == ("fail", "pass")
    margins = lenient.frame("slices").select("slice", "margin").rows()
    assert margins == [("short", 0.02), ("long", 0.3)]
    with pytest.raises(ig.InputError, match="the setting slice_margins changed"):
        ig.gate(data, "old", "new", margin=0.02, by="type", slice_margins=["type=long:0.3"], lock=lock)
    for wrong, message in {
        "long:0.3": "write column=value:margin, as in type=long:5%",
        "type=lang:0.3": "value of 'type' with a margin 'lang' is unknown; did you mean",
        "kind=long:0.3": "column of a slice's margin 'kind' is unknown",
    }.items():
        with pytest.raises(ig.DesignError, match=message):
            ig.gate(data, "old", "new", margin=0.02, by="type", slice_margins=wrong)
    with pytest.raises(ig.DesignError, match="need the columns of these"):
        ig.gate(data, "old", "new", margin=0.02, slice_margins="type=long:0.3")


def test_score_has_the_means_on_each_kind() -> None:
    data = kinds()
    scored = ig.score(data, by=["type", "lang"])
    rows = scored.frame("slices").to_dicts()
    assert len(rows) == 3 * 5
    for row in rows:
        own = data.filter(pl.col(row["column"]) == row["slice"])
        alone = ig.score(own.drop("type", "lang")).frame().filter(pl.col("system") == row["system"]).to_dicts()[0]
        assert {name: row[name] for name in alone} == alone
    assert [table.name for table in scored.tables()] == ["means", "slices"]
    assert "slices" in scored.to_dict()


@pytest.mark.parametrize("baseline", [None, "old"])
def test_a_report_says_what_kinds_of_topics_say(baseline: str | None) -> None:
    page = ig.report(kinds(), baseline=baseline, by="type", margin=0.02)
    finding, *_ = page.findings().of("slices")
    assert "worse on long" in finding.text or "better on long" in finding.text
    assert {claim.place for claim in finding.claims} == {"secondary"}
    assert any(table.name.endswith("slices-score") for table in page.tables())
    assert any(name.endswith("slices-chart-score") for name in page.charts())
    parts = page.parts["compare" if baseline is None else "baseline"]
    assert " % for all kinds of topics by type together" in str(parts[0].provenance)


def test_slices_on_a_page_have_their_share_of_alpha() -> None:
    """Pairs with the baseline have α; all pairs, and slices, have α together."""
    page = ig.report(kinds(), baseline="old", by="type")
    slices = page.parts["baseline"][0].first.sliced.slices
    pairs = page.parts["compare"][0].comparison
    assert (pairs.share, {own.comparison.share for own in slices}) == (0.5, {0.5})


def test_the_spread_of_all_kinds_counts_where_it_is_larger() -> None:
    """By the plain and the pooled t-test of scipy's t, of differences without skewness: the more cautious of both."""
    spreads = {"calm": 0.01, "wild": 0.2}
    shape = np.array([-1.0, -0.5, 0.0, 0.0, 0.5, 1.0])
    d = np.concatenate([0.02 + spread * shape for spread in spreads.values()])
    table = {"topic": list(map(str, range(12))), "kind": np.repeat(list(spreads), 6), "old": np.zeros(12), "new": d}
    rows = {row["slice"]: row for row in ig.compare(pl.DataFrame(table), by="kind").frame("slices").to_dicts()}
    pooled = np.sqrt(sum(np.square(spread * shape).sum() for spread in spreads.values()) / 10)
    for kind, spread in spreads.items():
        own = (spread * shape).std(ddof=1)
        p = [2 * stats.t.sf(0.02 * np.sqrt(6) / s, df) for s, df in ((own, 5), (pooled, 10))]
        halves = [stats.t.ppf(1 - 0.05 / 4, df) * s / np.sqrt(6) for s, df in ((own, 5), (pooled, 10))]
        assert rows[kind]["p"] == pytest.approx(max(p))
        assert abs(rows[kind]["low"] - 0.02) == pytest.approx(max(halves))
    by_t = ig.compare(pl.DataFrame(table), by="kind", test="t").frame("slices").filter(pl.col("slice") == "calm")
    assert by_t["p"].item() == pytest.approx(stats.ttest_1samp(0.02 + 0.01 * shape, 0).pvalue)


def test_a_gate_does_not_fail_on_small_kinds_that_have_not_shown_rare_losses_yet() -> None:
    """The baseline loses much on few topics, and gains a little on all others: with 12 kinds some show gains alone."""
    rng, failed = np.random.default_rng(11), 0
    kind = np.repeat([f"k{k}" for k in range(12)], 8)
    for _ in range(20):
        base = 0.5 + np.where(rng.random(96) < 0.08, -0.46, 0.04) + 0.01 * rng.normal(size=96)
        table = {"topic": [f"q{t}" for t in range(96)], "kind": kind, "old": base, "new": np.full(96, 0.5)}
        gate = ig.gate(pl.DataFrame(table), "old", "new", margin=0.01, by="kind")
        failed += bool(gate["score"].worse_slices)
    assert failed <= 2


def test_a_plan_says_what_each_kind_needs() -> None:
    """Each as if it were alone, at a level for all kinds, by the larger of its spread and that on all kinds."""
    rng = np.random.default_rng(8)
    kind = np.repeat(["calm", "wild", "tiny"], [20, 30, 3])
    d = np.concatenate([0.02 * rng.normal(size=20), 0.2 * rng.normal(size=30), rng.normal(size=3)])
    table = pl.DataFrame({"topic": [f"q{t}" for t in range(53)], "kind": kind, "old": 0 * d, "new": d})
    planned = ig.plan(table, by="kind", difference=0.1)
    rows = {row["slice"]: row for row in planned.frame("slices").to_dicts()}
    assert {value: row["n"] for value, row in rows.items()} == {"wild": 30, "calm": 20}

    def needed(differences: Floats) -> int | None:
        alone = {"topic": [f"q{t}" for t in range(len(differences))], "old": 0 * differences, "new": differences}
        return ig.plan(pl.DataFrame(alone), difference=0.1, alpha=0.05 / 2).first.designs[0].topics

    common = np.concatenate([d[kind == value] - d[kind == value].mean() for value in ("calm", "wild", "tiny")])
    for value, row in rows.items():
        assert row["topics"] == max(needed(d[kind == value]) or 0, needed(common) or 0)
    (text,) = planned.findings().of("needed-on-kinds").texts()
    assert f"wild {rows['wild']['topics']} (there are 30)" in text
    with pytest.raises(ig.DesignError, match="planned for without clusters"):
        ig.plan(table.with_columns(user=pl.Series([f"u{t // 4}" for t in range(53)])), by="kind", cluster="user")
    with pytest.raises(
        ig.DesignError, match="kinds of topics are planned for from scores of topics, not of components"
    ):
        ig.plan(components="topic:system=0.01", by="kind", difference=0.1)


def algorithms(seed: int = 4, topics: int = 40) -> pl.DataFrame:
    """Two random algorithms with three instances: the second is better on short queries, and worse on long ones."""
    rng = np.random.default_rng(seed)
    level, rows = rng.random(topics), []
    for a, name in enumerate(("old", "new")):
        for i in range(3):
            shared = 0.01 * rng.normal()
            for t in range(topics):
                kind = "long" if t % 3 == 0 else "short"
                gain = a * (-0.15 if kind == "long" else 0.12)
                score = level[t] + gain + shared + 0.05 * rng.normal()
                rows.append({"topic": f"q{t}", "type": kind, "system": name, "replicate": i, "f1": score})
    return pl.DataFrame(rows)


def with_spread_on_all_kinds(data: pl.DataFrame, alone: Parts, topics: int) -> list[tuple[float, float]]:
    """The parts of the variance on a kind, that of topics by the spread within all kinds; and degrees of freedom."""
    means = data.group_by("topic", "type", "system").agg(pl.col("f1").mean())
    d = means.pivot("system", index=["topic", "type"], values="f1").with_columns(d=pl.col("new") - pl.col("old"))
    left = d.select(pl.col("d") - pl.col("d").mean().over("type"))["d"]
    df = len(d) - d["type"].n_unique()
    of_instances = zip(alone.variance[1:, 0].tolist(), alone.df[1:, 0].tolist(), strict=True)
    return [(float((left**2).sum()) / df / topics, df), *of_instances]


def test_random_algorithms_have_verdicts_on_kinds_as_on_each_alone() -> None:
    data = algorithms()
    compared = ig.instances(data, by="type", baseline="old", posterior=False, margin=0.02)
    rows = compared.frame("slices").to_dicts()
    assert [(row["slice"], row["n"], row["verdict"]) for row in rows] == [
        ("short", 26, "better"),
        ("long", 14, "worse"),
    ]
    for row in rows:
        alone = ig.instances(
            data.filter(pl.col("type") == row["slice"]).drop("type"), baseline="old", posterior=False, margin=0.02
        )
        (whole,) = alone.frame().to_dicts()
        common = with_spread_on_all_kinds(data, alone.tests.parts, row["n"])
        reach = row["difference"] ** 2
        p = brentq(
            lambda p, parts, reach: sum(stats.t.isf(p / 2, df) ** 2 * v for v, df in parts) - reach,
            1e-9,
            1,
            (common, reach),
        )
        assert (row["difference"], row["p"]) == pytest.approx((whole["difference"], max(whole["p"], p)))
        assert row["p_adjusted"] == pytest.approx(min(1.0, 2 * row["p"]))
        half = max(
            float(alone.tests.parts.half_width(0.05 / 2)[0]),
            sum(stats.t.isf(0.05 / 4, df) ** 2 * v for v, df in common) ** 0.5,
        )
        assert (row["low"], row["high"]) == pytest.approx((row["difference"] - half, row["difference"] + half))
    (finding,) = compared.findings().of("slices")
    assert "worse on long (" in finding.text
    assert {claim.place for claim in finding.claims} == {"secondary"}
    with pytest.raises(ig.DesignError, match="are tested with own variances"):
        ig.instances(data, by="type", variances="common")


def test_any_false_word_of_random_algorithms_on_any_kind_is_rare() -> None:
    rng, false, trials = np.random.default_rng(9), 0, 40
    names = [f"q{t}" for t in range(40)]
    kind = {"kind": {name: f"k{t % 4}" for t, name in enumerate(names)}}
    for _ in range(trials):
        values = rng.normal(size=(40, 1, 1)) + rng.normal(size=(40, 2, 1)) + 0.3 * rng.normal(size=(1, 2, 4))
        values = values + 0.5 * rng.normal(size=(40, 2, 4))
        rows = {
            "topic": np.repeat(names, 8),
            "system": np.tile(np.repeat(["a", "b"], 4), 40),
            "replicate": np.tile(np.arange(4), 80),
            "score": values.ravel(),
        }
        said = ig.instances(pl.DataFrame(rows), topics_table=TopicTable(kind), by="kind", posterior=False, margin=0.01)
        false += any(verdict in ("better", "worse") for verdict in said.frame("slices")["verdict"])
    assert false / trials <= 0.05 + 3 * np.sqrt(0.05 * 0.95 / trials)
