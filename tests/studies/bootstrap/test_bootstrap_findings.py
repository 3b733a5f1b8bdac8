from __future__ import annotations

import dataclasses
import json
import math
from pathlib import Path

import numpy as np
import pytest

from conftest import Golden
from irgauge.replicates.bench import Bench
from irgauge.scoring.measures import parse_measures
from irgauge.show.table import Table
from irgauge.simulation.collections import Design, simulate
from irgauge.studies.bootstrap.findings import biased, no_interval
from irgauge.studies.bootstrap.precision import Bias, Swap, mean_boxes, precision, rank_boxes, topic_boxes
from irgauge.studies.bootstrap.root import Kept
from irgauge.studies.bootstrap.section import PART
from irgauge.studies.bootstrap.study import Bootstrapped, bootstrap
from irgauge.studies.report_part import Reporting

DESIGN = Design(systems=6, families=2, topics=70, depth=50, corpus_size=1000, relevant_median=30, seed=3)
MEASURES = ["AP", "P@5"]


@pytest.fixture(scope="module")
def result() -> Bootstrapped:
    return bootstrap(simulate(DESIGN).collection(), MEASURES, images=60, seed=4)


@pytest.fixture(scope="module")
def of_topics() -> Bootstrapped:
    return bootstrap(simulate(DESIGN).collection(), MEASURES, images=60, draw="topics")


def made_up(result: Bootstrapped, means: list[list[float]], **changes: object) -> Bootstrapped:
    """A result of one measure whose systems have these means in the images."""
    systems = tuple("abcdef"[: len(means)])
    root = np.repeat(np.array(means).mean(axis=1)[None, None], len(result.topics), axis=1)
    made: dict[str, object] = {"measures": ("AP",), "systems": systems, "images": len(means[0]), "root": root}
    made |= {"means": np.array([means]), "moments": None, "leaving": None, "draw": "topics"}
    made |= {"undefined_share": {"AP": 0.0}}
    return dataclasses.replace(result, **(made | changes))  # type: ignore[arg-type]  # whatever a test changes


def test_boxes_are_quartiles_over_images_and_intervals(result: Bootstrapped) -> None:
    box = mean_boxes(result, 1)
    for system in range(6):
        low, *quartiles, high = (end[system] for end in box)
        np.testing.assert_allclose(quartiles, np.percentile(result.means[1, system], [25, 50, 75]))
        np.testing.assert_array_equal([low, high], result.interval[:, 1, system])
    ranks = rank_boxes(result, 0)
    order = np.argsort(np.argsort(-result.means[0], axis=0), axis=0) + 1  # no ties among means of AP
    np.testing.assert_allclose(ranks.median, np.median(order, axis=1))


def test_whiskers_of_topics_are_two_deviations_long(result: Bootstrapped) -> None:
    box = topic_boxes(result, 0, 2)
    np.testing.assert_allclose(box.high - box.low, 4 * result.topic_sd()[0, :, 2])
    assert (box.lower <= box.median).all()
    assert (box.median <= box.upper).all()


def test_a_summary_has_the_medians_and_the_means(result: Bootstrapped) -> None:
    ap, p5 = precision(result)
    assert (ap.measure, p5.measure) == ("AP", "P@5")
    assert ap.mean_sd == pytest.approx(np.median(result.means[0].std(axis=1, ddof=1)))
    cells = result.topic_sd()[1]
    assert p5.cell is not None
    assert (p5.cell.mean, p5.cell.sd) == pytest.approx((cells.mean(), cells.std(ddof=1)))
    assert ap.neighbours == 5
    assert all(swap.share > 0.05 for swap in ap.swapped)
    assert ap.bias.score == pytest.approx(np.median(result.means[0].mean(axis=1) - result.root[0].mean(axis=0)))
    assert ap.bias.on_topics == result.bias_on_topics[0]
    assert ap.mean_error == np.median(result.standard_error[0])
    assert ap.intervals == p5.intervals == 6


def test_a_single_system_and_topics_alone_have_no_differences(of_topics: Bootstrapped) -> None:
    assert all(one.difference is None and one.cell is None for one in precision(of_topics))
    assert all(one.bias.on_topics is None for one in precision(of_topics))
    alone = bootstrap(simulate(DESIGN).collection(), ["AP"], images=5, keep_systems="1", per_topic=True)
    (one,) = precision(alone)
    assert (one.difference, one.neighbours) == (None, 0)
    assert {finding.kind for finding in alone.findings()} <= {"digits", "bias", "no-interval"}
    assert [table.name for table in alone.tables()] == ["measures", "systems", "topics"]  # no neighbours


# findings


WHERE = "For other documents on these topics, "


def test_findings_name_the_steadier_measure_with_the_numbers(result: Bootstrapped) -> None:
    ap, p5 = precision(result)
    assert ap.difference is not None
    assert p5.difference is not None
    assert ap.difference.mean < p5.difference.mean  # as everywhere: P@5 counts five documents
    told = result.findings()
    assert [one.kind for one in told] == [
        "differences",
        "ranking",
        "digits",
        "bias",
        "swaps",
        "swaps",
    ]
    assert told[0].fields["deviations"] == {"AP": ap.difference, "P@5": p5.difference}
    assert told[0].text == (
        f"{WHERE}differences between systems vary least in AP: the standard deviation of the difference between two "
        f"systems on a topic is {ap.difference.mean:.3f} ± {ap.difference.sd:.3f} (mean ± standard deviation over "
        f"15 pairs and 70 topics), against {p5.difference.mean:.3f} ± {p5.difference.sd:.3f} in P@5."
    )
    widths = {one.measure: one.rank_width for one in (ap, p5) if one.rank_width is not None}
    first, second = sorted(widths, key=widths.__getitem__)
    assert told[1].text == (
        f"{WHERE}the ranking of 6 systems is most stable by {first}: 95 % intervals of a system's rank are "
        f"{widths[first]:.1f} places wide on average, against {widths[second]:.1f} in {second}."
    )
    assert [one.measure for one in told] == [None, None, None, None, "AP", "P@5"]
    assert list(told[2].fields["decimals"]) == list(told[3].fields["biases"]) == ["AP", "P@5"]
    assert {one.population for one in told} == {"documents"}
    assert all(one.text.startswith(WHERE) for one in told if one.kind != "bias")


def test_one_measure_is_told_without_others(result: Bootstrapped) -> None:
    one = bootstrap(simulate(DESIGN).collection(), "AP", images=60, seed=4)
    (spread,) = [finding.text for finding in one.findings().of("differences")]
    assert spread.startswith(f"{WHERE}the standard deviation of the difference between two systems on a topic is ")
    assert " in AP (mean ± standard deviation over 15 pairs and 70 topics)." in spread
    assert {finding.measure for finding in one.findings()} == {"AP"}
    assert one.findings().of("swaps")[0] == result.findings().of("swaps")[0]


@pytest.mark.parametrize(
    ("error", "digits", "expected"),
    [(0.4, 0, "to no decimals in AP"), (0.05, 1, "to 1 decimal in AP"), (0.0013, 3, "to 3 decimals in AP")],
)
def test_digits_follow_the_standard_error(error: float, digits: int, expected: str, result: Bootstrapped) -> None:
    topics = len(result.topics)
    spread = np.tile([-1, 1], topics // 2) * error * np.sqrt(topics - 1)
    root = 0.4 + np.repeat(spread[None, :, None], 2, axis=2)
    (told,) = made_up(result, [[0.4, 0.4], [0.3, 0.3]], root=root).findings().of("digits")
    assert told.fields["decimals"] == {"AP": (digits, pytest.approx(error))}
    assert told.text == (
        f"For other topics, a system's mean over 70 topics can be given {expected} (standard error "
        f"{error:#.2g}, median of 2 systems): more decimals would be noise."
    )


def test_the_highest_neighbours_that_swap_are_named_and_all_are_counted(result: Bootstrapped, golden: Golden) -> None:
    means = [[0.9, 0.8, 0.7, 0.9], [0.82, 0.81, 0.8, 0.79], [0.5, 0.5, 0.5, 0.5]]  # b is ahead of a in 2 of 4
    (told,) = made_up(result, means).findings().of("swaps")
    assert told.fields["swapped"] == (Swap("a", "b", 0.5),)
    golden(told.text)
    apart = [[0.9, 0.8], [0.2, 0.1]]
    (told,) = made_up(result, apart).findings().of("swaps")
    golden(told.text)
    close = [[0.60 - 0.01 * s, 0.50 + 0.01 * s] for s in range(5)]
    (told,) = made_up(result, close).findings().of("swaps")
    assert "4 of 4 pairs of neighbours" in told.text
    assert told.text.endswith("the highest of them are a and b (50 %), b and c (50 %) and c and d (50 %).")


def test_the_bias_is_told_with_the_measures_whose_ranks_lack_an_interval(golden: Golden) -> None:
    biases = {"AP": Bias(0.0037, 0.41, 0.1), "P@1": Bias(-0.0073, -0.28, 0.41)}
    golden(biased(biases=biases, systems=20, most_on_topics=0.4).text)
    alone = biased(biases={"AP": biases["AP"]}, systems=1, most_on_topics=0.4)
    assert alone.text.endswith("in AP: intervals are around the mean on the whole corpus, not around that over images.")


def test_a_measure_without_intervals_is_told_with_the_reason() -> None:
    told = no_interval(measures=["RR", "P@1"], population="documents")
    assert told.tone == "warning"
    assert told.text == (
        f"{WHERE}means in RR and P@1 have no interval: scores are the same whichever documents are left out."
    )
    assert no_interval(measures=["RR"], population="topics").text.endswith("scores are the same on every topic.")


def test_where_scores_do_not_vary_there_are_no_intervals() -> None:
    root = np.full((1, 70, 2), 0.5)
    found = made_up(bootstrap(simulate(DESIGN).collection(), ["AP"], images=5), [[0.5, 0.5], [0.5, 0.5]], root=root)
    assert [one.kind for one in found.findings().of("no-interval")] == ["no-interval"]
    assert found.table("systems").column("low") == [None] * 2


def test_where_ranks_have_no_interval_the_chart_says_so() -> None:
    result = bootstrap(simulate(DESIGN).collection(), ["P@1"], images=60, seed=4)
    assert [one.kind for one in result.findings()] == ["differences", "digits", "bias", "swaps"]
    assert "Ranks by P@1 have none" in result.findings().of("bias")[0].text
    assert [one.kind for one in PART.headline(result)] == ["digits"]
    assert result.table("measures").column("digits") == [round(-math.log10(np.median(result.standard_error[0])))]
    assert result.chart("ranks").title == "Ranks by P@1 have no interval: images are too biased"


def test_topics_alone_say_what_is_left_out(of_topics: Bootstrapped) -> None:
    told = of_topics.findings()
    assert [one.kind for one in told] == ["ranking", "digits", "swaps", "swaps", "not-of-topics"]
    assert all(one.text.startswith("For other topics, ") for one in told[:-1])
    assert {one.population for one in told} == {"topics"}
    assert told[-1].tone == "note"
    assert "draw documents or both to have them" in told[-1].text
    names = ("measure", "mean_sd", "bias", "bias_in_sds", "error", "digits", "rank_width", "swaps")
    assert of_topics.table("measures").names == names


def test_single_topics_are_always_these_topics() -> None:
    both = bootstrap(simulate(DESIGN).collection(), MEASURES, images=20, draw="both", per_topic=True)
    told = both.findings()
    assert told[0].text.startswith("For other documents on these topics, ")
    assert told[1].text.startswith("For other topics and other documents, ")
    assert [one.population for one in told[:2]] == ["documents", "both"]
    assert both.provenance["population"] == "both"
    assert both.provenance_of([0], by_topic=True)["population"] == "documents"
    assert both.table("measures").notes == (
        "diff sd, score sd and bias are of documents drawn alone, on these topics.",
    )


# tables


def test_tables_and_the_method(result: Bootstrapped) -> None:
    shown = dataclasses.replace(result, topics_of=result.systems[1])
    assert [table.title for table in shown.tables()][:3] == [
        "How precise each measure is",
        "Systems, best first",
        f"{result.systems[1]} topic by topic",
    ]
    assert [table.name for table in shown.tables() if table.is_main] == ["topics"]
    assert [table.name for table in result.tables() if table.is_main] == ["systems"]
    said = result.provenance.text
    for part in (
        "corpus bootstrap; α = 0.05; population: documents (these topics, other documents); AP and P@5; 60 images; "
        "each draws as many documents as there are, with replacement; seed 4",
        "a topic without relevant documents in an image scores 0 (",
        "ties by docno descending, scores in double precision",
        f"corpus of {result.source['corpus_size']:,} documents, {result.source['documents']:,} of them in runs and qr",
        "6 systems × 70 topics",
    ):
        assert part in said
    assert not any("bootstrap" in table.caption or "seed" in table.caption for table in shown.tables())


def test_systems_stand_best_first_with_their_intervals(result: Bootstrapped) -> None:
    rows = result.table("systems").records()
    assert len(rows) == 2 * 6
    for measure, values, root in zip(MEASURES, result.means, result.root.mean(axis=1), strict=True):
        own = [row for row in rows if row["measure"] == measure]
        assert [row["mean"] for row in own] == pytest.approx(sorted(root, reverse=True))
        for row in own:
            of_system = values[result.systems.index(str(row["system"]))]
            assert row["image_mean"] == pytest.approx(of_system.mean())
            assert row["sd"] == pytest.approx(of_system.std(ddof=1))
            place = result.systems.index(str(row["system"]))
            m = MEASURES.index(measure)
            assert row["bias"] == pytest.approx(of_system.mean() - root[place])
            assert row["bias_in_sds"] == pytest.approx((of_system.mean() - root[place]) / of_system.std(ddof=1))
            assert (row["low"], row["high"]) == tuple(result.interval[:, m, place])


def test_frames_and_csv_have_the_main_table(result: Bootstrapped) -> None:
    frame = result.frame()
    assert frame.shape == (12, 18)
    assert frame["mean"].to_list() == result.table("systems").column("mean")
    of_topics = dataclasses.replace(result, topics_of=result.systems[3]).frame()
    assert of_topics.columns == [
        "measure",
        "topic",
        "system",
        "root",
        "image_mean",
        "sd",
        "q25",
        "median",
        "q75",
        "sd_95",
    ]
    np.testing.assert_array_equal(of_topics["sd"].to_numpy(), result.topic_sd()[:, :, 3].ravel())
    np.testing.assert_array_equal(of_topics["sd_95"].to_numpy(), result.spread_by_topic().ravel())


def test_the_table_of_a_system_has_the_mean_and_deviation_over_topics(result: Bootstrapped) -> None:
    sd = result.topic_sd()[1, :, 3]
    table: Table = dataclasses.replace(result, topics_of=result.systems[3]).table("topics")
    assert f"{sd.mean():.3f} ± {sd.std(ddof=1):.3f} in P@5" in table.caption


def test_what_was_kept_and_undefined_is_told(result: Bootstrapped) -> None:
    changed = dataclasses.replace(
        result, kept=Kept("6", "RR", 129), undefined="skip", undefined_share={"AP": 0.001, "P@5": 0.02}
    )
    told = changed.provenance.text
    assert "6 systems (the best of 129 by RR) × 70 topics" in told
    assert "in an image is left out of it (by measure 0.1 to 2 % of topics and images)" in told


# as a whole


@pytest.mark.parametrize("suffix", [".json", ".csv", ".md", ".tex", ".txt", ".png", ".parquet"])
def test_results_are_saved(suffix: str, result: Bootstrapped, tmp_path: Path) -> None:
    target = tmp_path / f"bootstrap{suffix}"
    result.save(target)
    assert target.stat().st_size > 500


def test_json_is_of_full_precision_and_has_pairs_only_where_asked_for(result: Bootstrapped, tmp_path: Path) -> None:
    result.save(tmp_path / "plain.json")
    shown = json.loads((tmp_path / "plain.json").read_text())
    assert shown["pairs"] is None
    assert shown["provenance"]["undefined_share"]["AP"] == result.undefined_share["AP"]
    best = result.order(0)[0]
    assert shown["systems"][0]["image_mean"] == result.image_means[0, best]
    dataclasses.replace(result, has_pairs=True).save(tmp_path / "pairs.json")
    pairs = json.loads((tmp_path / "pairs.json").read_text())["pairs"]
    assert pairs[1]["difference_sd"] == result.drawn.difference_sd(1).tolist()
    assert len(pairs[0]["pairs"]) == 15


def test_a_result_shows_itself_shortly_and_safely(result: Bootstrapped) -> None:
    assert repr(result).startswith(f"Bootstrapped:\n- {WHERE}differences between systems vary least in AP")
    assert len(repr(result)) < 1000
    named = dataclasses.replace(result, systems=("<b>x</b>", *result.systems[1:]))
    html = named._repr_html_()
    assert "<b>x</b>" not in html
    assert "&lt;b&gt;x&lt;/b&gt;" in html
    assert "<script" not in html


# the section of a report


def test_the_section_of_a_report_has_all_populations() -> None:
    bench = Bench(simulate(DESIGN).collection())
    reporting = Reporting(bench, parse_measures(MEASURES), images=20, alpha=0.1, seed=3)
    ran = PART.run(reporting)
    assert [one.draw for one in ran.results] == ["documents", "topics", "both"]
    assert all((one.images, one.alpha, one.seed) == (20, 0.1, 3) for one in ran.results)
    shown = PART.section(ran, reporting)
    keys = ["mean-boxes", "precision", "rank-boxes", "deviations", "topic-boxes", "topic-spread", "image-systems"]
    assert [panel.key for panel in shown.panels] == [*keys, "swaps"]
    by_key = {panel.key: panel for panel in shown.panels}
    assert [form.choices for form in by_key["rank-boxes"].variants][:2] == [
        (("measure", "AP"), ("population", "documents")),
        (("measure", "P@5"), ("population", "documents")),
    ]
    (own,) = [form.table for form in by_key["image-systems"].variants[:1]]
    assert own is not None
    assert own.title == "Systems, best first by AP"
    assert own.column("mean") == ran.results[0].table("systems").where(measure="AP").column("mean")
    digits = [next(iter(PART.headline(one))) for one in ran.results]
    assert [one.population for one in digits] == ["documents", "topics", "both"]
    assert [one.text in shown.texts for one in digits] == [True] * 3
    ((heading, text),) = PART.methods(ran, reporting)
    assert heading == "Precision of measures"
    assert "in 20 bootstrap images (Zobel and Rashidi 2020)" in text


def test_one_topic_says_nothing_of_other_topics(golden: Golden) -> None:
    design = dataclasses.replace(DESIGN, topics=1)
    reporting = Reporting(Bench(simulate(design).collection()), parse_measures(["AP"]), images=5)
    ran = PART.run(reporting)
    assert [one.draw for one in ran.results] == ["documents"]
    golden(PART.section(ran, reporting).texts[-1])


def test_pairs_of_many_systems_are_held_only_as_memory_allows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("irgauge.studies.bootstrap.moments._MOST_BYTES", 1 << 10)
    reporting = Reporting(Bench(simulate(DESIGN).collection()), parse_measures(["P@5"]), images=5)
    ran = PART.run(reporting)
    first = ran.results[0]
    assert first.kept == Kept("all", None, 6)
    assert not first.drawn.has_pairs
    shown = PART.section(ran, reporting)
    assert not any("difference between two systems on a topic" in text for text in shown.texts)
    (precision,) = (one for one in shown.panels if one.key == "precision")
    assert "diff sd is left out" in " ".join(precision.variants[0].table.notes)  # type: ignore[union-attr]  # it is one
