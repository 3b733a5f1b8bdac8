from __future__ import annotations

import json
import math
import re
from dataclasses import fields, replace
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np
import pytest
import vl_convert

from conftest import Golden
from irgauge.errors import DesignError
from irgauge.replicates.bench import Bench
from irgauge.scoring.measures import parse_measures
from irgauge.show.figure import Figure
from irgauge.show.saving import to_json
from irgauge.simulation.collections import Design, simulate
from irgauge.studies.pools import STUDY, charts
from irgauge.studies.pools.findings import PoolP
from irgauge.studies.pools.pairs import PairPools
from irgauge.studies.pools.section import PART
from irgauge.studies.pools.study import ALL, Pooled, pools
from irgauge.studies.report_part import Reporting

POOLS = ("10", "25", ALL)
SETTING = (
    "two-sided paired t-test over topics in images of the corpus",
    "α = 0.05",
    "seed 7",
    "a topic without relevant documents in a pool or an image scores 0",
    "population: other topics for a p-value; these topics, other documents for its spread over images",
    "more confidence: in most images p is lower than with all judgments, its median at most 0.5 times theirs, and t "
    "rises as much in a share of at most α of 999 random swaps of the two runs by topic",
)


def by_hand(
    *p: list[list[float]],
    root_p: list[list[float]] | None = None,
    difference: list[list[list[float]]] | None = None,
    chance: float = 0.014,
) -> PairPools:
    """A pair with p[measure][pool][image], of which exchangeable runs gain or lose as much with this chance."""
    values = np.array(p)
    differences = np.full_like(values, 0.1) if difference is None else np.array(difference)
    root = values[..., 0] if root_p is None else np.array(root_p)
    chances = np.full(values.shape[:2], chance)
    return PairPools("mine", "yours", differences[..., 0], root, differences, values, chances, chances)


def of(*pairs: PairPools, measures: tuple[str, ...] = ("AP",)) -> Pooled:
    judged = np.array([15.5, 40.0, 1000.0])
    images = pairs[0].p.shape[2]
    return Pooled(measures, ("1", "2"), POOLS, pairs, judged, None, None, images, seed=7, alpha=0.05)


def texts(result: Pooled) -> list[str]:
    return result.findings().texts()


LOW, MIDDLE, HIGH = [0.01, 0.02, 0.03, 0.04], [0.03, 0.03, 0.05, 0.9], [0.2, 0.2, 0.22, 0.5]


@pytest.fixture(scope="module")
def pair() -> Pooled:
    collection = simulate(Design(systems=2, families=2, topics=9, depth=60, corpus_size=600)).collection()
    return pools(collection, ["AP", "RBP(p=0.95)"], depths=(3, 10), images=20, seed=7)


@pytest.fixture(scope="module")
def pairs() -> Pooled:
    collection = simulate(Design(systems=5, families=2, topics=9, depth=60, corpus_size=600)).collection()
    return pools(collection, ["AP", "RBP(p=0.95)"], depths=(2, 5), images=20, all_pairs=True, seed=7)


# findings


def test_a_gain_is_told_with_shares_and_medians(golden: Golden) -> None:
    result = of(by_hand([LOW, MIDDLE, HIGH], root_p=[[0.2, 0.3, 0.4]]))
    (told,) = result.findings()
    assert (told.kind, told.measure) == ("gain", "AP")
    assert told.fields["pools"] == [("10", pytest.approx(0.025), 4), ("25", pytest.approx(0.04), 3)]
    golden(told.text)


def test_a_gain_that_exchangeable_runs_show_is_told_as_such(golden: Golden) -> None:
    (told,) = of(by_hand([LOW, MIDDLE, HIGH], root_p=[[0.2, 0.3, 0.4]], chance=0.23)).findings()
    assert (told.kind, told.fields["chance"]) == ("no-gain", 0.23)
    golden(told.text)


def test_a_difference_by_the_pool_alone_is_told(golden: Golden) -> None:
    gain, root = of(by_hand([LOW, HIGH, HIGH], root_p=[[0.01, 0.3, 0.4]])).findings()
    assert (gain.kind, root.kind, root.population) == ("gain", "differs-by-pool", "topics")
    assert root.fields["pools"] == [PoolP("10", 0.01)]
    golden(root.text)


def test_no_gain_is_told_with_medians(golden: Golden) -> None:
    golden(texts(of(by_hand([HIGH, HIGH, HIGH]))))
    (losing,) = of(by_hand([HIGH, LOW, LOW])).findings()
    assert (losing.kind, losing.fields["losing"]) == ("no-gain", ["10"])
    assert losing.text.endswith("against 0.025 with all judgments (less sure with depth 10, as it should be).")
    (almost,) = of(by_hand([[0.19, 0.19, 0.21, 0.4], HIGH, HIGH])).findings()
    assert almost.text.startswith("mine − yours: with fewer judgments AP does not clearly look surer")


def test_a_turn_to_the_other_run_is_told(golden: Golden) -> None:
    one = by_hand([LOW, HIGH, HIGH], root_p=[[0.2, 0.3, 0.4]], difference=[[[-0.2] * 4, [0.1] * 4, [0.1] * 4]])
    turned = of(one).findings()[-1]
    assert (turned.kind, turned.fields["pools"]) == ("turns", ["10"])
    golden(turned.text)


def test_findings_of_many_pairs_count_them_and_name_the_worst(golden: Golden) -> None:
    gains, stays = by_hand([LOW, HIGH, HIGH]), by_hand([HIGH, HIGH, HIGH])
    told = of(gains, stays, replace(stays, system="other"), measures=("AP",)).findings()
    assert [one.kind for one in told] == ["pairs-gain", "pairs-by-pool", "worst"]
    assert (told[0].fields["gains"], told[0].fields["loses"]) == ([1, 0], [0, 0])
    golden(told.texts())
    golden(texts(of(stays, stays)))


# tables


def test_the_table_of_a_pair_has_its_numbers(pair: Pooled) -> None:
    (table,) = pair.tables()
    one, records = pair.pairs[0], table.records()
    assert [(row["measure"], row["pool"]) for row in records] == [
        (measure, pool) for measure in pair.measures for pool in ("3", "10", "all")
    ]
    for i, row in enumerate(records):
        m, k = divmod(i, 3)
        p, differences = one.p[m, k].tolist(), one.difference[m, k].tolist()
        assert (row["difference"], row["p"]) == (one.root_difference[m, k], one.root_p[m, k])
        assert [row["median_difference"], row["median_p"]] == pytest.approx([median(differences), median(p)])
        assert [row["difference_low"], row["difference_high"]] == pytest.approx(
            np.quantile(differences, [0.05, 0.95]).tolist()
        )
        assert [row["p_low"], row["p_high"]] == pytest.approx(np.quantile(p, [0.05, 0.95]).tolist())
        assert row["significant"] == sum(value <= 0.05 for value in p) / 20
        assert row["judged"] == pair.judged[k]
        lower = sum(a < b for a, b in zip(p, one.p[m, -1].tolist(), strict=True)) / 20
        assert row["lower"] == (None if k == 2 else lower)
        assert row["chance"] == (None if k == 2 else one.chance_gain[m, k])
    frame = pair.frame().select(table.names)
    assert frame.equals(table.frame().cast(frame.schema))
    assert pair.frame()["p"].to_list() == one.root_p.ravel().tolist()


def test_the_method_is_told(pair: Pooled, pairs: Pooled) -> None:
    for result in (pair, pairs):
        said = result.provenance.text
        assert all(part in said for part in SETTING)
        for part in ("20 images; each draws as many documents as there are", "ties by docno descending", "9 topics"):
            assert part in said
    assert "10 pairs; no correction" in pairs.provenance.text
    assert "judged: the top 3 and 10 of either run, and all judgments" in pair.provenance.text


def test_what_pools_do_to_confidence_stands_in_the_table() -> None:
    (table,) = of(by_hand([LOW, MIDDLE, HIGH], [HIGH, LOW, LOW]), measures=("AP", "RR")).tables()
    assert table.column("confidence") == ["more", "more", None, "less", "same", None]


def test_the_tables_of_many_pairs_count_them_and_show_the_worst() -> None:
    gains, stays, loses = by_hand([LOW, HIGH, HIGH]), by_hand([HIGH, HIGH, HIGH]), by_hand([HIGH, LOW, LOW])
    counts, worst = of(gains, stays, loses).tables()
    rows = [tuple(row.values())[1:] for row in counts.records()]
    assert rows == [
        ("10", 15.5, 3, 1, 1, 1, 1),
        ("25", 40.0, 3, 1, 0, 0, 0),
        ("all", 1000.0, 3, 1, None, None, None),
    ]
    assert len(worst.rows) == 1
    assert worst.rows[0][:4] == ("AP", "mine", "yours", "10")
    assert list(worst.rows[0][4:]) == pytest.approx([0.01, 0.2, 0.025, 0.21, 1.0])
    assert (counts.is_main, worst.is_main) == (True, False)
    assert len(of(stays, stays).tables()) == 1


# the whole


def test_json_has_every_number_of_the_result(pair: Pooled) -> None:
    shown = json.loads(to_json(pair.to_dict()))
    one = shown["pairs"][0]
    assert {field.name for field in fields(PairPools)} - {"first", "second"} <= set(one)
    assert one["p"]["AP"]["3"] == pair.pairs[0].p[0, 0].tolist()  # full precision
    assert one["root_difference"]["RBP(p=0.95)"]["all"] == pair.pairs[0].root_difference[1, 2]
    assert one["gains"]["AP"]["all"] is False
    assert pair.topic_differences is not None
    assert pair.root_topic_differences is not None
    topic = pair.topics[4]
    assert shown["topic_differences"]["AP"]["10"][topic] == pair.topic_differences[0, 1, 4].tolist()
    assert shown["root_topic_differences"]["AP"]["10"][topic] == pair.root_topic_differences[0, 1, 4]
    assert shown["judged"] == dict(zip(("3", "10", "all"), pair.judged.tolist(), strict=True))
    assert [finding["text"] for finding in shown["findings"]] == texts(pair)
    told = shown["provenance"]
    assert (told["undefined_topics"], told["falls_to"], told["seed"], told["depths"]) == ("zero", 0.5, 7, [3, 10])


def test_json_of_many_pairs_has_their_counts(pairs: Pooled) -> None:
    shown = json.loads(to_json(pairs.to_dict()))
    assert len(shown["pairs"]) == shown["summary"]["pairs"] == 10
    assert shown["topic_differences"] is None
    for m, measure in enumerate(pairs.measures):
        for k, pool in enumerate(pairs.pools):
            counted = sum(pair["gains"][measure][pool] for pair in shown["pairs"])
            assert shown["summary"]["gains"][measure][pool] == counted == pairs.gains()[m, k]
            significant = sum(pair["root_p"][measure][pool] <= 0.05 for pair in shown["pairs"])
            assert shown["summary"]["significant"][measure][pool] == significant


def test_json_has_null_for_what_is_not_a_number() -> None:
    shown = json.loads(to_json(of(by_hand([[math.nan] * 4, HIGH, HIGH])).to_dict()))
    assert shown["pairs"][0]["p"]["AP"]["10"] == [None] * 4


@pytest.mark.parametrize("suffix", [".json", ".csv", ".md", ".tex", ".txt", ".png", ".parquet"])
def test_results_are_saved(suffix: str, pair: Pooled, tmp_path: Path) -> None:
    target = tmp_path / f"pools{suffix}"
    pair.save(target)
    assert target.stat().st_size > 400


def test_a_result_shows_itself_shortly_and_safely() -> None:
    result = of(replace(by_hand([LOW, HIGH, HIGH]), system="<b>x</b>"))
    assert repr(result).startswith("Pooled:\n- <b>x</b> − yours by AP: with pools of depth 10 p is lower")
    assert len(repr(result)) < 1000
    html = result._repr_html_()
    assert "<b>x</b>" not in html
    assert "&lt;b&gt;x&lt;/b&gt;" in html
    assert "<script" not in html


# charts


def test_the_charts_are_those_that_the_study_names() -> None:
    assert list(charts.CHARTS) == list(STUDY.charts)


def spec_of(chart: Figure) -> dict[str, Any]:
    spec: dict[str, Any] = chart.to_dict()
    json.dumps(spec, allow_nan=False)
    return spec


def rows_of(chart: Figure) -> list[dict[str, Any]]:
    return [row for rows in spec_of(chart)["datasets"].values() for row in rows]


def heading(chart: Figure) -> tuple[str, str]:
    title = spec_of(chart)["title"]
    return tuple(" ".join(title[part]).replace("\u00a0", " ") for part in ("text", "subtitle"))  # type: ignore[return-value]  # two texts


def assert_drawn(chart: Figure) -> None:
    svg = vl_convert.vegalite_to_svg(spec_of(chart))
    assert svg.startswith("<svg")
    assert "NaN" not in svg
    assert not re.search("undefined(?! )", svg)
    assert chart.alternative


def test_the_chart_of_p_values_has_a_point_an_image_and_the_root(pair: Pooled) -> None:
    chart = charts.p_values(pair)
    assert_drawn(chart)
    assert all(part in heading(chart)[1].lower() for part in map(str.lower, SETTING))
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
    assert heading(charts.p_values(of(gains)))[0] == (
        "Surer with fewer judgments. AP: median p is 0.025 with pools of depth 10, 0.21 with all judgments"
    )
    assert heading(charts.p_values(of(stays)))[0] == "AP does not clearly look surer with fewer judgments"
    assert heading(charts.p_values(of(gains, stays)))[0] == (
        "Of 2 pairs, surer with fewer judgments: 1 by AP (depth 10)"
    )


def test_tiny_p_values_are_drawn_at_the_end_of_the_axis() -> None:
    chart = charts.p_values(of(by_hand([[0.0, 1e-12, 0.1, 0.2], HIGH, HIGH])))
    assert_drawn(chart)
    assert "p-values below 1e-06 are drawn at 1e-06." in heading(chart)[1]
    here = [row for row in rows_of(chart) if row["pool"] == "depth 10" and row["kind"] == "image"]
    assert [row["shown"] for row in here] == [1e-6, 1e-6, 0.1, 0.2]
    assert [row["p"] for row in here] == [0.0, 1e-12, 0.1, 0.2]


def test_the_chart_of_many_pairs_has_a_point_a_pair(pairs: Pooled) -> None:
    chart = charts.p_values(pairs)
    assert_drawn(chart)
    rows = [row for row in rows_of(chart) if row["kind"] != "end"]
    assert len(rows) == 2 * 2 * 10
    first = rows[0]
    assert (first["p"], first["p_all"]) == (
        median(pairs.pairs[0].p[0, 0].tolist()),
        pytest.approx(median(pairs.pairs[0].p[0, 2].tolist())),
    )
    assert sum(row["kind"] == "looks surer" for row in rows) == pairs.gains().sum()


def test_the_chart_of_topics_has_boxes_in_order_of_the_root(pair: Pooled) -> None:
    chart = charts.topics(pair)
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
    assert "population: documents (these topics, other documents)" in heading(chart)[1]
    widths = pair.topic_widths()
    assert f"spread {widths[0, 0] / widths[0, -1]:.1f} times as far as with all judgments in AP" in heading(chart)[0]


def test_a_chart_of_topics_is_of_one_pair(pairs: Pooled) -> None:
    with pytest.raises(DesignError, match="of one pair"):
        charts.topics(pairs)


def test_charts_of_one_measure_show_it_alone(pair: Pooled, pairs: Pooled) -> None:
    for result in (pair, pairs):
        every, one = rows_of(charts.p_values(result)), rows_of(charts.p_values(result, "RBP(p=0.95)"))
        assert one == [row for row in every if row["measure"] == "RBP(p=0.95)"]
    widths = pair.topic_widths()[1]
    title = heading(charts.topics(pair, "RBP(p=0.95)"))[0]
    assert title.endswith(f"spread {widths[0] / widths[-1]:.1f} times as far as with all judgments in RBP(p=0.95)")
    assert_drawn(charts.topics(pair, "RBP(p=0.95)"))
    assert "; RBP(p=0.95); 20 images" in heading(charts.topics(pair, "RBP(p=0.95)"))[1]


# the section of a report


DESIGN = Design(systems=6, families=2, topics=9, depth=60, corpus_size=600)


def test_the_section_of_a_report_has_the_best_pair_and_all_pairs_of_the_best() -> None:
    collection = simulate(DESIGN).collection()
    reporting = Reporting(Bench(collection), parse_measures(["AP", "P@5"]), images=12, alpha=0.1, seed=3)
    ran = PART.run(reporting)
    assert [(len(one.pairs), one.images, one.alpha, one.seed) for one in ran.results] == [
        (1, 12, 0.1, 3),
        (10, 12, 0.1, 3),
    ]
    means = reporting.bench.whole(reporting.measures).values[0, :, :, 0].mean(axis=0)
    best = [collection.systems[s] for s in np.argsort(-means)[:5]]
    assert [ran.results[0].systems, ran.results[1].systems] == [tuple(best[:2]), tuple(best)]
    shown = PART.section(ran, reporting)
    keys = [panel.key for panel in shown.panels]
    assert keys[:5] == ["pool-images", "pool-topics", "pool-table", "pool-pairs", "pool-counts"]
    assert shown.texts[0].startswith(
        "Compared are the best 5 of 6 systems by AP, pair by pair, as if only the documents"
    )
    said = {finding.text: finding.tone for one in ran.results for finding in one.findings()}
    assert shown.texts[1:] == tuple(text for text, tone in said.items() if tone != "finding")
    table = shown.panels[2].variants[1].table
    assert table is not None
    assert (table.column("pool"), "measure" in table.names) == (["10", "25", "100", "all"], False)
    assert not [one for result in ran.results for one in PART.headline(result)]
    ((heading_, text),) = PART.methods(ran, reporting)
    assert heading_ == "Shallow pools"
    assert text.startswith("All pairs of the best 5 systems by AP were compared by two-sided paired t-tests")


def test_two_systems_are_one_pair_and_one_is_none(golden: Golden) -> None:
    collection = simulate(DESIGN).collection()
    two = Reporting(Bench(collection.only([0, 1])), parse_measures(["AP"]), images=5)
    ran = PART.run(two)
    assert [len(one.pairs) for one in ran.results] == [1]
    one = Reporting(Bench(collection.only([0])), parse_measures(["AP"]), images=5)
    golden(str(PART.section(PART.run(one), one).reason))
