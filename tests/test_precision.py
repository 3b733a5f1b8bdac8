from __future__ import annotations

import dataclasses

import numpy as np
import pytest

from irgauge.present.precision import reliability_tables, setting
from irgauge.present.precision_findings import findings
from irgauge.present.sentences import render
from irgauge.simulation.collections import Design, simulate
from irgauge.studies.boxes import mean_boxes, rank_boxes, topic_boxes
from irgauge.studies.precision import precision
from irgauge.studies.reliability import HeldOut, Reliability, bootstrap

DESIGN = Design(systems=6, families=2, topics=70, depth=50, corpus_size=1000, relevant_median=8, seed=3)
MEASURES = ["AP", "P@5"]


@pytest.fixture(scope="module")
def result() -> Reliability:
    return bootstrap(simulate(DESIGN).collection(), MEASURES, images=60, seed=4)


@pytest.fixture(scope="module")
def of_topics() -> Reliability:
    return bootstrap(simulate(DESIGN).collection(), MEASURES, images=60, resample="topics")


def made_up(result: Reliability, means: list[list[float]], **changes: object) -> Reliability:
    """A result of one measure whose systems have these means in the images."""
    systems = tuple("abcdef"[: len(means)])
    root = np.repeat(np.array(means).mean(axis=1)[None, None], len(result.topics), axis=1)
    made: dict[str, object] = {"measures": ("AP",), "systems": systems, "images": len(means[0]), "root": root}
    made |= {"means": np.array([means]), "moments": None, "held_out": (), "resample": "topics"}
    return dataclasses.replace(result, **(made | changes))  # type: ignore[arg-type]  # whatever a test changes


def test_boxes_are_quantiles_over_images(result: Reliability) -> None:
    box = mean_boxes(result, 1)
    for system in range(6):
        expected = np.percentile(result.means[1, system], [2.5, 25, 50, 75, 97.5])
        np.testing.assert_allclose([end[system] for end in box], expected)
    ranks = rank_boxes(result, 0)
    order = np.argsort(np.argsort(-result.means[0], axis=0), axis=0) + 1  # no ties among means of AP
    np.testing.assert_allclose(ranks.median, np.median(order, axis=1))


def test_whiskers_of_topics_are_two_deviations_long(result: Reliability) -> None:
    box = topic_boxes(result, 0, 2)
    np.testing.assert_allclose(box.high - box.low, 4 * result.topic_sd()[0, :, 2])
    assert (box.lower <= box.median).all()
    assert (box.median <= box.upper).all()


def test_a_summary_has_the_medians_and_the_means(result: Reliability) -> None:
    ap, p5 = precision(result)
    assert (ap.measure, p5.measure) == ("AP", "P@5")
    assert ap.mean_sd == pytest.approx(np.median(result.means[0].std(axis=1, ddof=1)))
    cells = result.topic_sd()[1]
    assert p5.cell is not None
    assert (p5.cell.mean, p5.cell.sd) == pytest.approx((cells.mean(), cells.std(ddof=1)))
    assert ap.neighbours == 5
    assert all(swap.share > 0.05 for swap in ap.swapped)
    assert ap.held_out == result.held_out[0]


def test_a_single_system_and_topics_alone_have_no_differences(of_topics: Reliability) -> None:
    assert all(one.difference is None and one.cell is None and one.held_out is None for one in precision(of_topics))
    alone = bootstrap(simulate(DESIGN).collection(), ["AP"], images=5, top=1)
    (one,) = precision(alone)
    assert (one.difference, one.held_out, one.neighbours) == (None, None, 0)
    (sentence,) = findings(alone)
    assert "is justified to" in sentence
    assert len(reliability_tables(alone, 0)) == 3  # no neighbours


def test_findings_name_the_steadier_measure_with_the_numbers(result: Reliability) -> None:
    ap, p5 = precision(result)
    assert ap.difference is not None
    assert p5.difference is not None
    assert ap.difference.mean < p5.difference.mean  # as everywhere: P@5 counts five documents
    differences, ranking, digits, swaps, *_, check = findings(result)
    where = "For these topics and other documents (corpus bootstrap, 60 images), "
    assert differences == (
        f"{where}differences between systems vary least under AP: the standard deviation of the difference between two "
        f"systems on a topic is {ap.difference.mean:.3f} ± {ap.difference.sd:.3f} (mean ± standard deviation over "
        f"15 pairs and 70 topics), against {p5.difference.mean:.3f} ± {p5.difference.sd:.3f} under P@5."
    )
    first, second = sorted((ap, p5), key=lambda one: one.rank_width)
    assert ranking == (
        f"{where}the ranking of 6 systems is steadiest under {first.measure}: 95 % intervals of a system's rank are "
        f"{first.rank_width:.1f} places wide on average, against {second.rank_width:.1f} under {second.measure}."
    )
    assert digits.startswith(f"{where}a mean over 70 topics is justified to ")
    assert "(median of 6 systems), and the unit of the last decimal should not be below it." in digits
    assert swaps.startswith(where)
    assert "ranking by AP" in swaps
    assert check.startswith("Validity check (corpus bootstrap, 60 images; these topics, other documents): of the ")


@pytest.mark.parametrize(
    ("spread", "expected"),
    [(0.2, "to no decimals under AP"), (0.05, "to 1 decimal under AP"), (0.0003, "to 3 decimals under AP")],
)
def test_digits_follow_the_deviation(spread: float, expected: str, result: Reliability) -> None:
    means = [[0.4 - spread, 0.4, 0.4 + spread], [0.3 - spread, 0.3, 0.3 + spread]]
    told = findings(made_up(result, means))[1]  # the ranking comes first
    assert expected in told
    assert f"its standard deviation over images is {spread:#.2g} under AP" in told


def test_the_highest_neighbours_that_swap_are_named_and_all_are_counted(result: Reliability) -> None:
    means = [[0.9, 0.8, 0.7, 0.9], [0.82, 0.81, 0.8, 0.79], [0.5, 0.5, 0.5, 0.5]]  # b is ahead of a in 2 of 4
    told = findings(made_up(result, means))[2]
    assert told == (
        "For other topics and these documents (topic bootstrap, 4 images), 1 of 2 pairs of neighbours in the ranking "
        "by AP swaps in more than 5 % of images: namely a and b (50 %)."
    )
    apart = [[0.9, 0.8], [0.2, 0.1]]
    assert "no neighbours in the ranking by AP swap in more than 5 % of images" in findings(made_up(result, apart))[2]
    close = [[0.60 - 0.01 * s, 0.50 + 0.01 * s] for s in range(5)]
    told = findings(made_up(result, close))[2]
    assert "4 of 4 pairs of neighbours" in told
    assert "the highest of them are a and b (50 %), b and c (50 %) and c and d (50 %)." in told


def test_the_check_says_where_intervals_fail(result: Reliability) -> None:
    def told(ap: float, p5: float) -> str:
        held = tuple(HeldOut((1 - share) / 2, share, (1 - share) / 2) for share in (ap, p5))
        return findings(dataclasses.replace(result, held_out=held))[-1]

    assert told(0.94, 0.955).endswith(
        "94 % under AP and 95.5 % under P@5 lie in their 95 % intervals from the other images; within 2 points of the "
        "95 % expected."
    )
    assert "; under P@5 not within 2 points of the 95 % expected" in told(0.94, 0.90)
    few = dataclasses.replace(result, topics=result.topics[:10])
    assert "150 differences are too few to judge by" in findings(few)[-1]


def test_topics_alone_say_what_is_left_out(of_topics: Reliability) -> None:
    told = findings(of_topics)
    assert all("For other topics and these documents (topic bootstrap, 60 images)" in one for one in told[:-1])
    assert "--resample documents or both has them" in told[-1]
    assert not any("differences between systems vary" in one or "Validity" in one for one in told)
    assert reliability_tables(of_topics)[0].columns == ("measure", "mean sd", "digits", "rank width", "swaps")


def test_single_topics_are_always_these_topics() -> None:
    both = bootstrap(simulate(DESIGN).collection(), MEASURES, images=20, resample="both")
    told = findings(both)
    assert told[0].startswith("For these topics and other documents (bootstrap of corpus and topics, 20 images)")
    assert told[1].startswith("For other topics and other documents (bootstrap of corpus and topics, 20 images)")
    assert "population: both (other topics, other documents)" in setting(both)
    assert "population: documents (these topics, other documents)" in setting(both, by_topic=True)
    measures, systems, topics, *_ = reliability_tables(both, 0)
    assert "is under documents drawn alone" in measures.caption
    assert "population: both" in systems.caption
    assert "population: documents" in topics.caption


def test_every_table_names_its_method(result: Reliability) -> None:
    tables = reliability_tables(result, 1)
    assert [table.title for table in tables[:3]] == [
        "How precise each measure is",
        "Systems, best first",
        f"{result.systems[1]} topic by topic",
    ]
    for table in tables:
        for part in (
            "Corpus bootstrap: 60 images, each of ",
            "documents drawn with replacement, seed 4",
            "population: documents (these topics, other documents)",
            "α = 0.05",
            "n = 6 systems (all) × 70 topics",
            f"corpus of {result.corpus_size:,} documents, {result.documents:,} of them in runs and qrels",
            "a topic without relevant documents in an image scores 0 (",
            "ties by docno descending, scores in double precision",
        ):
            assert part in table.caption


def test_systems_stand_best_first_with_their_intervals(result: Reliability) -> None:
    rows = reliability_tables(result)[1].records()
    assert len(rows) == 2 * 6
    for measure, values, root in zip(MEASURES, result.means, result.root.mean(axis=1), strict=True):
        own = [row for row in rows if row["measure"] == measure]
        assert [row["root"] for row in own] == pytest.approx(sorted(root, reverse=True))
        for row in own:
            of_system = values[result.systems.index(str(row["system"]))]
            assert row["mean"] == pytest.approx(of_system.mean())
            assert row["sd"] == pytest.approx(of_system.std(ddof=1))
            assert (row["low"], row["high"]) == pytest.approx(tuple(np.percentile(of_system, [2.5, 97.5])))


def test_the_caption_of_a_system_has_the_mean_and_deviation_over_topics(result: Reliability) -> None:
    sd = result.topic_sd()[1, :, 3]
    caption = reliability_tables(result, 3)[2].caption
    assert f"{sd.mean():.3f} ± {sd.std(ddof=1):.3f} under P@5" in caption


def test_what_was_kept_and_undefined_is_told(result: Reliability) -> None:
    changed = dataclasses.replace(
        result, given=129, kept_by="RR", undefined="skip", undefined_share=np.array([0.001, 0.02]), precision="single"
    )
    told = "; ".join(setting(changed))
    assert "n = 6 systems (the best of 129 by RR) × 70 topics" in told
    assert "is left out of it (by measure 0.1 to 2 % of topics and images)" in told
    assert "scores in single precision" in told


def test_sentences_are_rendered_in_every_form() -> None:
    told = ["The mean_1 is 0.5 ± 0.1 in 95 % of images.", "Short."]
    assert render(told, "markdown", width=20) == "- The mean_1 is 0.5 ± 0.1 in 95 % of images.\n- Short.\n"
    latex = render(told, "latex", width=20)
    assert r"\item The mean\_1 is 0.5 $\pm$ 0.1 in 95 \% of images." in latex
    lines = render(told, "table", width=20).splitlines()
    assert lines == ["- The mean_1 is", "  0.5 ± 0.1 in 95 %", "  of images.", "- Short."]
