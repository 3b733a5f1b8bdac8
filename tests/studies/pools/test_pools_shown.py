from __future__ import annotations

import json
import math
import re
from dataclasses import fields, replace
from statistics import median
from typing import Any

import numpy as np
import pytest
import vl_convert
from altair.typing import ChartType

from irgauge.errors import DesignError
from irgauge.present import pool_charts
from irgauge.present.pool_findings import findings
from irgauge.present.pools import pools_json, pools_tables
from irgauge.present.tables import to_json
from irgauge.simulation.collections import Design, simulate
from irgauge.studies.pools import ALL, PairPools, Pools, pool_pair, pool_pairs

POOLS = ("10", "25", ALL)
SETTING = (
    "paired t-test over topics in images of the corpus",
    "α = 0.05",
    "seed 7",
    "order: score descending, ties by docno descending, scores in single precision",
    "scores 0 for both runs",
    "population: a p-value is about other topics",
    "these topics, other documents of the kind",
    "more confidence: in most images p is lower than with all judgments, and its median at most 0.5 times theirs",
)


def by_hand(
    *p: list[list[float]], root_p: list[list[float]] | None = None, difference: list[list[list[float]]] | None = None
) -> PairPools:
    """A pair with p[measure][pool][image]."""
    values = np.array(p)
    differences = np.full_like(values, 0.1) if difference is None else np.array(difference)
    root = values[..., 0] if root_p is None else np.array(root_p)
    return PairPools("mine", "yours", differences[..., 0], root, differences, values)


def of(*pairs: PairPools, measures: tuple[str, ...] = ("AP",)) -> Pools:
    images = pairs[0].p.shape[2]
    judged = np.array([15.5, 40.0, 1000.0])
    sizes = (528_155, 80_000)
    return Pools(measures, ("1", "2"), POOLS, images, 7, 0.05, "single", *sizes, pairs, judged, None, None, ("a note",))


LOW, MIDDLE, HIGH = [0.01, 0.02, 0.03, 0.04], [0.03, 0.03, 0.05, 0.9], [0.2, 0.2, 0.22, 0.5]


@pytest.fixture(scope="module")
def pair() -> Pools:
    collection = simulate(Design(systems=2, families=2, topics=9, depth=60, corpus_size=600)).collection()
    return pool_pair(collection, ["AP", "RBP(p=0.95)"], depths=(3, 10), images=20, seed=7)


@pytest.fixture(scope="module")
def pairs() -> Pools:
    collection = simulate(Design(systems=5, families=2, topics=9, depth=60, corpus_size=600)).collection()
    return pool_pairs(collection, ["AP", "RBP(p=0.95)"], depths=(2, 5), images=20, seed=7)


def test_a_gain_is_told_with_shares_and_medians() -> None:
    result = of(by_hand([LOW, MIDDLE, HIGH], root_p=[[0.2, 0.3, 0.4]]))
    assert findings(result)[0] == (
        "With pools of depth 10, AP's p-value is lower than with all judgments in 4 of 4 images (median 0.025 against "
        "0.21) and with depth 25 in 3 of 4 images (median 0.04): fewer judgments, more confidence; do not trust AP on "
        "shallow pools here."
    )


def test_a_difference_by_the_pool_alone_is_told() -> None:
    result = of(by_hand([LOW, HIGH, HIGH], root_p=[[0.01, 0.3, 0.4]]))
    assert findings(result)[0].endswith(
        "On the collection as it is the runs differ in AP with pools of depth 10 (p 0.01), and do not with all "
        "judgments (p 0.4)."
    )


def test_no_gain_is_told_with_medians() -> None:
    assert findings(of(by_hand([HIGH, HIGH, HIGH])))[0] == (
        "AP does not gain confidence as judgments shrink: its median p-value is 0.21 and 0.21 with pools of depth 10 "
        "and 25, against 0.21 with all judgments."
    )
    losing = of(by_hand([HIGH, LOW, LOW]))
    assert findings(losing)[0].endswith(
        "against 0.025 with all judgments (less confidence with depth 10, as it should be)."
    )
    almost = of(by_hand([[0.19, 0.19, 0.21, 0.4], HIGH, HIGH]))
    assert findings(almost)[0].startswith("AP does not clearly gain confidence")


def test_a_turn_to_the_other_run_is_told() -> None:
    one = by_hand([LOW, HIGH, HIGH], difference=[[[-0.2] * 4, [0.1] * 4, [0.1] * 4]])
    assert findings(of(one))[0].endswith("With depth 10 the median difference even favours the other run.")


def test_the_last_finding_says_what_is_claimed() -> None:
    assert findings(of(by_hand([LOW, HIGH, HIGH])))[-1] == (
        "Paired t-tests of the difference mine − yours on 2 topics, in 4 images of the corpus (seed 7); a p-value is "
        "about other topics; its spread over images is about these topics, other documents of the kind."
    )


def test_findings_of_many_pairs_count_them_and_name_the_worst() -> None:
    gains, stays = by_hand([LOW, HIGH, HIGH]), by_hand([HIGH, HIGH, HIGH])
    told = findings(of(gains, stays, replace(stays, first="other"), measures=("AP",)))
    assert told[0] == (
        "AP gains confidence as judgments shrink in 1 and 0 of 3 pairs with pools of depth 10 and 25; none loses "
        "confidence. On the collection as it is 1 pair differs with pools of depth 10 and not with all judgments. "
        "The worst is mine − yours: median p 0.025 with pools of depth 10, against 0.21 with all."
    )
    assert told[1].startswith("Paired t-tests of the differences of 3 pairs of runs on 2 topics")
    assert findings(of(stays, stays))[0] == (
        "AP gains confidence as judgments shrink in none of 2 pairs, with pools of depth 10 and 25; none loses "
        "confidence."
    )


def test_the_table_of_a_pair_has_its_numbers(pair: Pools) -> None:
    (table,) = pools_tables(pair)
    one, records = pair.pairs[0], table.records()
    assert [(row["measure"], row["pool"]) for row in records] == [
        (measure, pool) for measure in pair.measures for pool in ("3", "10", "all")
    ]
    for i, row in enumerate(records):
        m, k = divmod(i, 3)
        p, differences = one.p[m, k].tolist(), one.difference[m, k].tolist()
        assert (row["root"], row["root p"]) == (one.root_difference[m, k], one.root_p[m, k])
        assert [row["median"], row["median p"]] == pytest.approx([median(differences), median(p)])
        assert [row["low"], row["high"]] == pytest.approx(np.quantile(differences, [0.05, 0.95]).tolist())
        assert [row["p low"], row["p high"]] == pytest.approx(np.quantile(p, [0.05, 0.95]).tolist())
        assert row["p ≤ α"] == sum(value <= 0.05 for value in p) / 20
        assert row["judged"] == pair.judged[k]
        lower = sum(a < b for a, b in zip(p, one.p[m, -1].tolist(), strict=True)) / 20
        assert row["p lower"] == (None if k == 2 else lower)
    caption = table.caption.replace("double", "single")
    assert all(part in caption for part in SETTING)
    assert "20 images" in caption
    assert "9 topics" in caption
    assert f"each of {pair.corpus_size:,} documents" in caption
    assert f"{pair.documents:,} of them seen in runs and qrels" in caption


def test_verdicts_stand_in_the_table() -> None:
    (table,) = pools_tables(of(by_hand([LOW, MIDDLE, HIGH], [HIGH, LOW, LOW]), measures=("AP", "RR")))
    assert [row["verdict"] for row in table.records()] == [
        *("more confidence", "more confidence", ""),
        *("less confidence", "about as much", ""),
    ]


def test_the_tables_of_many_pairs_count_them_and_show_the_worst() -> None:
    gains, stays, loses = by_hand([LOW, HIGH, HIGH]), by_hand([HIGH, HIGH, HIGH]), by_hand([HIGH, LOW, LOW])
    counts, worst = pools_tables(of(gains, stays, loses))
    rows = [tuple(row.values())[1:] for row in counts.records()]
    assert rows == [
        ("10", 15.5, 3, 1, 1, 1, 1),
        ("25", 40.0, 3, 1, 0, 0, 0),
        ("all", 1000.0, 3, 1, None, None, None),
    ]
    assert len(worst.rows) == 1
    assert worst.rows[0][:3] == ("AP", "mine − yours", "10")
    assert list(worst.rows[0][3:]) == pytest.approx([0.01, 0.2, 0.025, 0.21, 1.0])
    for table in (counts, worst):
        assert all(part in table.caption for part in SETTING)
    assert len(pools_tables(of(stays, stays))) == 1


def test_json_has_every_field_of_the_result(pair: Pools) -> None:
    shown = json.loads(to_json(pools_json(pair)))
    assert {field.name for field in fields(Pools)} <= set(shown)
    one = shown["pairs"][0]
    assert {field.name for field in fields(PairPools)} <= set(one)
    assert one["p"]["AP"]["3"] == pair.pairs[0].p[0, 0].tolist()  # full precision
    assert one["root_difference"]["RBP(p=0.95)"]["all"] == pair.pairs[0].root_difference[1, 2]
    assert one["gains"]["AP"]["all"] is False
    assert pair.topic_differences is not None
    assert pair.root_topic_differences is not None
    topic = pair.topics[4]
    assert shown["topic_differences"]["AP"]["10"][topic] == pair.topic_differences[0, 1, 4].tolist()
    assert shown["root_topic_differences"]["AP"]["10"][topic] == pair.root_topic_differences[0, 1, 4]
    assert shown["findings"] == findings(pair)
    assert (shown["fill"], shown["falls_to"], shown["order"]) == (
        "zero",
        0.5,
        "score descending, ties by docno descending",
    )


def test_json_of_many_pairs_has_their_counts(pairs: Pools) -> None:
    shown = json.loads(to_json(pools_json(pairs)))
    assert len(shown["pairs"]) == shown["summary"]["pairs"] == 10
    assert shown["topic_differences"] is None
    for m, measure in enumerate(pairs.measures):
        for k, pool in enumerate(pairs.pools):
            counted = sum(pair["gains"][measure][pool] for pair in shown["pairs"])
            assert shown["summary"]["gains"][measure][pool] == counted == pairs.gains()[m, k]
            significant = sum(pair["root_p"][measure][pool] <= 0.05 for pair in shown["pairs"])
            assert shown["summary"]["significant"][measure][pool] == significant


def test_json_has_null_for_what_is_not_a_number() -> None:
    shown = json.loads(to_json(pools_json(of(by_hand([[math.nan] * 4, HIGH, HIGH])))))
    assert shown["pairs"][0]["p"]["AP"]["10"] == [None] * 4


def spec_of(chart: ChartType) -> dict[str, Any]:
    spec: dict[str, Any] = chart.to_dict()
    json.dumps(spec, allow_nan=False)
    return spec


def rows_of(chart: ChartType) -> list[dict[str, Any]]:
    return [row for rows in spec_of(chart)["datasets"].values() for row in rows]


def heading(chart: ChartType) -> tuple[str, str]:
    title = spec_of(chart)["title"]
    return tuple(" ".join(title[part]).replace("\u00a0", " ") for part in ("text", "subtitle"))  # type: ignore[return-value]


def assert_drawn(chart: ChartType) -> None:
    svg = vl_convert.vegalite_to_svg(spec_of(chart))
    assert svg.startswith("<svg")
    assert "NaN" not in svg
    assert not re.search("undefined(?! )", svg)
    caption = heading(chart)[1].replace("double", "single")
    assert all(part in caption.lower() for part in map(str.lower, SETTING))


def test_the_chart_of_p_values_has_a_point_an_image_and_the_root(pair: Pools) -> None:
    chart = pool_charts.p_values(pair)
    assert_drawn(chart)
    rows, one = rows_of(chart), pair.pairs[0]
    for m, measure in enumerate(pair.measures):
        for k, pool in enumerate(("depth 3", "depth 10", "all judgments")):
            here = [row for row in rows if (row["measure"], row["pool"]) == (measure, pool)]
            images = [(row["difference"], row["p"]) for row in here if row["kind"] == "image"]
            assert images == list(zip(one.difference[m, k].tolist(), one.p[m, k].tolist(), strict=True))
            root = [(row["difference"], row["p"]) for row in here if row["kind"] == "root"]
            assert root == [(one.root_difference[m, k], one.root_p[m, k])]


def test_titles_say_what_is_seen() -> None:
    gains, stays = by_hand([LOW, HIGH, HIGH]), by_hand([HIGH, HIGH, HIGH])
    assert heading(pool_charts.p_values(of(gains)))[0] == (
        "Fewer judgments, more confidence. AP: median p is 0.025 with pools of depth 10, 0.21 with all judgments"
    )
    assert heading(pool_charts.p_values(of(stays)))[0] == "AP does not clearly gain confidence as judgments shrink"
    assert heading(pool_charts.p_values(of(gains, stays)))[0] == (
        "Of 2 pairs, fewer judgments bring more confidence in 1 by AP (depth 10)"
    )


def test_tiny_p_values_are_drawn_at_the_end_of_the_axis() -> None:
    chart = pool_charts.p_values(of(by_hand([[0.0, 1e-12, 0.1, 0.2], HIGH, HIGH])))
    assert_drawn(chart)
    assert "p-values below 1e-06 are drawn there" in heading(chart)[1]
    here = [row for row in rows_of(chart) if row["pool"] == "depth 10" and row["kind"] == "image"]
    assert [row["shown"] for row in here] == [1e-6, 1e-6, 0.1, 0.2]
    assert [row["p"] for row in here] == [0.0, 1e-12, 0.1, 0.2]


def test_the_chart_of_many_pairs_has_a_point_a_pair(pairs: Pools) -> None:
    chart = pool_charts.p_values(pairs)
    assert_drawn(chart)
    rows = [row for row in rows_of(chart) if row["kind"] != "end"]
    assert len(rows) == 2 * 2 * 10
    first = rows[0]
    assert (first["p"], first["p_all"]) == (
        median(pairs.pairs[0].p[0, 0].tolist()),
        pytest.approx(median(pairs.pairs[0].p[0, 2].tolist())),
    )
    assert sum(row["kind"] == "gains confidence" for row in rows) == pairs.gains().sum()


def test_the_chart_of_topics_has_boxes_in_order_of_the_root(pair: Pools) -> None:
    chart = pool_charts.topic_differences(pair)
    assert_drawn(chart)
    datasets = sorted(spec_of(chart)["datasets"].values(), key=lambda rows: rows[0]["root"])
    assert len(datasets) == 2
    assert all(len(rows) == 9 * 3 for rows in datasets)
    assert pair.topic_differences is not None
    assert pair.root_topic_differences is not None
    for rows in datasets:
        roots = [row["root"] for row in rows if row["pool"] == "all judgments"]
        assert roots == sorted(roots, reverse=True)
        m = next(m for m in range(2) if roots[0] == pair.root_topic_differences[m, -1].max())
        for row in rows:
            place = ("depth 3", "depth 10", "all judgments").index(row["pool"]), pair.topics.index(row["name"])
            values = pair.topic_differences[m][place].tolist()
            assert row["median"] == pytest.approx(median(values))
            expected = np.quantile(values, [0.05, 0.25, 0.75, 0.95])
            assert [row[end] for end in ("low", "lower", "upper", "high")] == pytest.approx(expected.tolist())
    widths = pair.topic_widths()
    assert f"spread {widths[0, 0] / widths[0, -1]:.1f} times as far as with all judgments in AP" in heading(chart)[0]


def test_a_chart_of_topics_is_of_one_pair(pairs: Pools) -> None:
    with pytest.raises(DesignError, match="of one pair"):
        pool_charts.topic_differences(pairs)
