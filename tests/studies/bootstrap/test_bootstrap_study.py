"""The corpus bootstrap: against all scores at once, whatever the batches, and against the published tables."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path
from typing import Any, get_args

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy import special, stats

from irgauge import Collection, DesignError, InputError, Scores, load
from irgauge.replicates.bench import Bench
from irgauge.replicates.images import draw_images
from irgauge.scoring.scores import score
from irgauge.simulation.collections import Design, simulate
from irgauge.studies.bootstrap import gathering
from irgauge.studies.bootstrap.leaving import LeftOut
from irgauge.studies.bootstrap.moments import Moments, Sums
from irgauge.studies.bootstrap.options import Draw, Undefined
from irgauge.studies.bootstrap.precision import are_biased, justified_digits
from irgauge.studies.bootstrap.root import Kept
from irgauge.studies.bootstrap.study import Bootstrapped, bootstrap
from oracles import slow_bootstrap as slow
from oracles.slow_bootstrap import assert_close

Floats = NDArray[np.float64]
Run = dict[str, dict[str, float]]

MEASURES = ["AP", "nDCG@10", "P@5", "RBP(p=0.9)", "RR", "Bpref"]
IMAGES, SEED, ALPHA = 90, 4, 0.1


@pytest.fixture(scope="module")
def collection() -> Collection:
    """Six systems on eight topics of one to about four relevant documents, so that many images lack them."""
    design = Design(
        systems=6, families=3, topics=8, depth=40, corpus_size=300, relevant_median=2, relevant_sd=0.5, seed=5
    )
    collection = simulate(design).collection()
    assert collection.relevant_counts().min() <= 2
    return collection


@pytest.fixture(scope="module", params=get_args(Undefined))
def undefined(request: pytest.FixtureRequest) -> Undefined:
    return request.param


@pytest.fixture(scope="module")
def values(collection: Collection, undefined: Undefined) -> Floats:
    """measure, topic, system, image: all at once."""
    return slow.image_scores(collection, MEASURES, IMAGES, SEED, undefined)


@pytest.fixture(scope="module")
def found(collection: Collection, undefined: Undefined) -> Bootstrapped:
    return bootstrap(collection, MEASURES, images=IMAGES, seed=SEED, undefined=undefined, alpha=ALPHA)


# against all scores at once


def test_some_images_leave_topics_undefined(collection: Collection, found: Bootstrapped) -> None:
    raw = slow.image_scores(collection, MEASURES, IMAGES, SEED, "skip")
    shares = np.isnan(raw).mean(axis=(1, 2, 3)).tolist()
    assert found.undefined_share == pytest.approx(dict(zip(found.measures, shares, strict=True)), rel=1e-12)
    assert min(shares) > 0.05


def test_the_root_is_the_whole_corpus(collection: Collection, found: Bootstrapped) -> None:
    np.testing.assert_array_equal(found.root, slow.root_scores(collection, MEASURES))
    np.testing.assert_allclose(found.root_means, found.root.mean(axis=1), rtol=1e-12)


def test_means_of_images_their_deviation_and_percentiles(values: Floats, found: Bootstrapped) -> None:
    means = slow.means(values)
    np.testing.assert_allclose(found.means, means, rtol=1e-12)
    np.testing.assert_allclose(found.image_means, means.mean(axis=2), rtol=1e-12)
    np.testing.assert_allclose(found.sd, means.std(axis=2, ddof=1), rtol=1e-10)
    for bound, share in enumerate((ALPHA / 2, 1 - ALPHA / 2)):
        np.testing.assert_allclose(found.percentiles[bound], np.quantile(means, share, axis=2), rtol=1e-10)


def test_ranks_and_their_intervals(values: Floats, found: Bootstrapped) -> None:
    ranks = slow.ranks(slow.means(values))
    np.testing.assert_array_equal(found.ranks, ranks)
    np.testing.assert_array_equal(found.root_ranks, slow.ranks(found.root.mean(axis=1)[..., None])[..., 0])
    for bound, share in enumerate((ALPHA / 2, 1 - ALPHA / 2)):
        np.testing.assert_allclose(found.rank_percentiles[bound], np.quantile(ranks, share, axis=2), rtol=1e-6)
    widths = np.quantile(ranks, 1 - ALPHA / 2, axis=2) - np.quantile(ranks, ALPHA / 2, axis=2)
    rough = found.bias_on_topics > 0.4
    for measure, width in enumerate(widths.mean(axis=1)):
        expected = None if rough[measure] else pytest.approx(width, rel=1e-6)
        assert found.rank_width(measure) == expected
        assert np.isnan(found.rank_interval[:, measure]).all() == rough[measure]


def test_swaps_of_neighbours(values: Floats, found: Bootstrapped) -> None:
    means = slow.means(values)
    for measure in range(len(MEASURES)):
        expected = slow.swap_shares(found.root.mean(axis=1)[measure], means[measure])
        assert [(one.upper, one.lower) for one in found.swaps(measure)] == [
            (found.systems[upper], found.systems[lower]) for upper, lower, _ in expected
        ]
        np.testing.assert_allclose([one.share for one in found.swaps(measure)], [share for *_, share in expected])
    assert any(one.share > 0.05 for measure in range(len(MEASURES)) for one in found.swaps(measure))


def test_the_order_is_that_of_root_means_best_first(found: Bootstrapped) -> None:
    for measure, means in enumerate(found.root.mean(axis=1)):
        order = found.order(measure)
        assert sorted(order.tolist()) == list(range(len(found.systems)))
        assert (np.diff(np.round(means[order], slow.DIGITS)) <= 0).all()


def test_deviations_of_systems_on_topics_and_their_summaries(values: Floats, found: Bootstrapped) -> None:
    sd = slow.cell_sd(values)
    assert_close(found.topic_sd(), sd)
    assert_close(found.spread_by_topic(), np.quantile(sd, 0.95, axis=2))
    assert_close(found.spread_by_topic(0.5), np.median(sd, axis=2))
    mean, spread = found.system_spread()
    assert_close(mean, sd.mean(axis=1))
    assert_close(spread, sd.std(axis=1, ddof=1))


def test_deviations_of_differences_for_each_pair_and_topic_and_over_all(values: Floats, found: Bootstrapped) -> None:
    sd = slow.cell_sd(slow.differences(values))  # measure, topic, pair
    assert found.moments is not None
    for measure in range(len(MEASURES)):
        assert_close(found.moments.difference_sd(measure), sd[measure])
    mean, spread = found.difference_spread()
    assert_close(mean, sd.reshape(len(MEASURES), -1).mean(axis=1))
    assert_close(spread, sd.reshape(len(MEASURES), -1).std(axis=1, ddof=1))


def test_quartiles_of_systems_on_topics(values: Floats, found: Bootstrapped) -> None:
    assert found.moments is not None
    for quartile, share in zip(found.topic_quartiles(), (0.25, 0.5, 0.75), strict=True):
        for cell in np.ndindex(values.shape[:3]):
            defined = values[cell][~np.isnan(values[cell])]
            expected = np.quantile(defined, share, method="inverted_cdf")
            assert abs(quartile[cell] - expected) <= 0.5 / found.moments.steps + 1e-12


# bias and intervals


def test_the_bias_is_the_mean_over_images_less_the_root(values: Floats, found: Bootstrapped) -> None:
    means = slow.means(values)
    bias = means.mean(axis=2) - found.root.mean(axis=1)
    np.testing.assert_allclose(found.bias, bias, rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(found.bias_in_sds, bias / means.std(axis=2, ddof=1), rtol=1e-9)
    np.testing.assert_allclose(found.bias_on_topics, slow.bias_on_topics(values, found.root), rtol=1e-6, atol=1e-6)


def test_the_bias_is_that_of_documents_whatever_the_topics(collection: Collection) -> None:
    documents, both, topics = (
        bootstrap(collection, MEASURES, images=IMAGES, seed=SEED, draw=draw) for draw in ("documents", "both", "topics")
    )
    np.testing.assert_allclose(both.bias, documents.bias, rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(both.bias_in_sds, documents.bias / both.sd, rtol=1e-9, atol=1e-9)
    assert not topics.bias.any()


def test_standard_errors_for_other_documents(collection: Collection, undefined: Undefined, found: Bootstrapped) -> None:
    means, topics = slow.left_out(collection, MEASURES, SEED, undefined)
    assert found.leaving is not None
    np.testing.assert_allclose(found.leaving.variances.means, means, rtol=1e-9)
    np.testing.assert_allclose(found.leaving.variances.topics, topics, rtol=1e-9, atol=1e-15)
    np.testing.assert_allclose(found.standard_error, np.sqrt(means), rtol=1e-9)


@pytest.mark.parametrize("draw", get_args(Draw))
def test_intervals_are_around_the_value_on_the_whole_corpus(draw: Draw, collection: Collection) -> None:
    found = bootstrap(collection, MEASURES, images=IMAGES, seed=SEED, draw=draw, alpha=ALPHA)
    df, topics = 180 if draw == "documents" else len(collection.topics) - 1, len(collection.topics)
    reach = stats.t.isf(ALPHA / 2, df)  # documents: twenty splits into ten parts
    for m, s in np.ndindex(found.sd.shape):
        root, error = found.root_means[m, s], found.standard_error[m, s]
        if draw == "documents":
            assert found.leaving is not None
            mean, more = found.root_means[m].mean(), (topics * root + 0.5) / (topics + 1)
            rough = min(1.0, found.leaving.variances.topics[m].mean() / (mean * (1 - mean)))
            error = np.sqrt(error**2 + rough * more * (1 - more) / topics**2)
        low, high = found.interval[:, m, s]
        assert 0 < low < root < high < 1
        assert special.logit(high) - special.logit(root) == pytest.approx(reach * error / (root * (1 - root)))
        assert special.logit(root) - special.logit(low) == pytest.approx(special.logit(high) - special.logit(root))


def test_standard_errors_for_other_topics_are_those_of_students_t(collection: Collection) -> None:
    found = bootstrap(collection, MEASURES, images=5, draw="topics")
    np.testing.assert_allclose(found.standard_error, stats.sem(found.root, axis=1), rtol=1e-10)


def test_standard_errors_for_both_add_what_documents_do_to_topics_together(collection: Collection) -> None:
    found = bootstrap(collection, MEASURES, images=5, seed=SEED, draw="both")
    means, topics = slow.left_out(collection, MEASURES, SEED, "zero")
    together = np.maximum(means - topics.sum(axis=1) / len(found.topics) ** 2, 0)
    expected = np.sqrt(stats.sem(found.root, axis=1) ** 2 + together)
    np.testing.assert_allclose(found.standard_error, expected, rtol=1e-9)
    assert (found.standard_error >= stats.sem(found.root, axis=1) - 1e-12).all()


def test_a_measure_that_images_bias_has_intervals_of_means_but_not_of_ranks() -> None:
    """The first document decides P@1 and RR; AP and RBP have many."""
    design = Design(systems=6, families=3, topics=40, depth=100, corpus_size=2000, relevant_median=30, seed=1)
    measures = ["RBP(p=0.95)", "RR", "P@1"]
    found = bootstrap(simulate(design).collection(), measures, images=200, seed=1)
    assert found.bias_on_topics[1:].min() > 0.4
    assert found.is_biased[1:].all()
    assert np.isfinite(found.interval).all()
    assert [found.digits(m) for m in range(3)] == [round(-math.log10(found.typical_error(m))) for m in range(3)]
    assert [found.rank_width(m) is None for m in range(3)] == [False, True, True]


def test_a_system_that_images_bias_is_said_to_be_so_by_a_measure_that_is_not() -> None:
    of_means = np.array([[0.1, -0.6, 0.2, 0.49], [0.51, -0.6, 0.9, 0.1], [0.0, 0.1, 0.1, 0.1]])
    found = are_biased(of_means, np.array([0.1, 0.1, 0.41]))
    assert found.tolist() == [[False, True, False, False], [True] * 4, [True] * 4]


def test_perfect_systems_have_an_interval_that_ends_at_1() -> None:
    topics = [f"q{topic}" for topic in range(20)]
    runs = {name: {topic: {"a": 1.0} for topic in topics} for name in "xy"}
    found = bootstrap(load({topic: {"a": 1} for topic in topics}, runs), ["AP"], images=9, draw="topics")
    low, high = found.interval[:, 0]
    assert (high == 1).all()
    expected = special.logit(20.5 / 21) - stats.t.isf(0.025, 19) * np.sqrt(21**2 / 20.5 / 0.5) / 20
    assert special.logit(low) == pytest.approx(expected)


# resampling of topics


def test_resampled_topics_give_means_of_root_scores(collection: Collection) -> None:
    found = bootstrap(collection, MEASURES, images=IMAGES, seed=SEED, draw="topics")
    repeated = np.repeat(slow.root_scores(collection, MEASURES)[..., None], IMAGES, axis=3)
    np.testing.assert_allclose(found.means, slow.means(repeated, seed=SEED), rtol=1e-12)
    assert found.sd.min() > 0
    assert (found.moments, found.leaving) == (None, None)
    assert not any(found.undefined_share.values())


def test_resampled_topics_and_documents_give_means_of_image_scores(
    collection: Collection, undefined: Undefined, values: Floats, found: Bootstrapped
) -> None:
    both = bootstrap(collection, MEASURES, images=IMAGES, seed=SEED, draw="both", undefined=undefined, alpha=ALPHA)
    np.testing.assert_allclose(both.means, slow.means(values, seed=SEED), rtol=1e-12)
    np.testing.assert_array_equal(both.topic_sd(), found.topic_sd())  # of documents, whatever the topics


@pytest.mark.parametrize("question", ["topic_sd", "topic_quartiles", "spread_by_topic", "system_spread"])
def test_without_images_of_documents_topics_do_not_vary(question: str, collection: Collection) -> None:
    found = bootstrap(collection, ["AP"], images=5, draw="topics")
    with pytest.raises(DesignError, match="draw documents or both"):
        getattr(found, question)()
    with pytest.raises(DesignError, match="draw documents or both"):
        found.difference_spread()


# the same numbers whatever the batches and workers


def numbers(found: Bootstrapped) -> list[NDArray[Any]]:
    """All that the images are gathered into."""
    names = ("sums", "squares", "products", "histograms")
    moments = [] if found.moments is None else [getattr(found.moments, name) for name in names]
    counts = [] if found.moments is None else [found.moments.counts]
    left_out = [] if found.leaving is None else [*found.leaving.variances]
    return [found.means, np.array([*found.undefined_share.values()]), *left_out, *moments, *counts]


@pytest.mark.parametrize("draw", get_args(Draw))
@pytest.mark.parametrize(("batch", "workers"), [(1, 1), (1, 3), (7, 1), (7, 2), (64, 2), (64, 3)])
def test_the_numbers_are_the_same_bit_for_bit_for_all_batches_and_workers(
    batch: int,
    workers: int,
    draw: Draw,
    collection: Collection,
    undefined: Undefined,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    options: dict[str, Any] = {"images": 75, "seed": 2, "draw": draw, "undefined": undefined}
    monkeypatch.setattr(gathering, "_BATCH", 75)
    plain = bootstrap(collection, MEASURES, workers=1, **options)
    monkeypatch.setattr(gathering, "_BATCH", batch)
    other = bootstrap(collection, MEASURES, workers=workers, **options)
    for one, same in zip(numbers(plain), numbers(other), strict=True):
        np.testing.assert_array_equal(one, same)
    assert plain.moments is None or plain.moments.products.any()


def test_fewer_images_are_the_first_of_more(collection: Collection) -> None:
    few, many = (bootstrap(collection, ["AP"], images=images, seed=2) for images in (10, 25))
    np.testing.assert_array_equal(few.means, many.means[..., :10])


@pytest.mark.parametrize("draw", get_args(Draw))
def test_another_seed_gives_other_numbers(draw: Draw, collection: Collection) -> None:
    one, other = (bootstrap(collection, ["AP"], images=10, seed=seed, draw=draw) for seed in (0, 1))
    assert (one.means != other.means).any()
    np.testing.assert_array_equal(one.root, other.root)


def test_one_system_has_means_and_deviations_but_no_differences(collection: Collection) -> None:
    alone = bootstrap(collection.only([2]), ["AP"], images=9, seed=2)
    every = bootstrap(collection, ["AP"], images=9, seed=2)
    np.testing.assert_array_equal(alone.means, every.means[:, 2:3])
    np.testing.assert_array_equal(alone.topic_sd(), every.topic_sd()[:, :, 2:3])
    np.testing.assert_array_equal(alone.standard_error, every.standard_error[:, 2:3])
    assert alone.swaps(0) == ()
    assert not (alone.rank_percentiles[1] - alone.rank_percentiles[0]).any()


def test_two_images_give_means_and_deviations(collection: Collection) -> None:
    found = bootstrap(collection, ["AP"], images=2, seed=2)
    np.testing.assert_array_equal(found.means, bootstrap(collection, ["AP"], images=5, seed=2).means[..., :2])
    assert found.sd.min() > 0


def test_a_topic_that_one_image_defines_has_no_deviation_and_is_left_out_of_the_summaries(
    collection: Collection,
) -> None:
    seed = next(seed for seed in range(100) if 1 in _defined(collection, images=4, seed=seed))
    found = bootstrap(collection, ["AP"], images=4, seed=seed, undefined="skip")
    values = slow.image_scores(collection, ["AP"], 4, seed, "skip")
    sd, difference = slow.cell_sd(values), slow.cell_sd(slow.differences(values))
    assert np.isnan(sd).any()
    assert_close(found.topic_sd(), sd)
    assert_close(found.spread_by_topic(), np.quantile(sd, 0.95, axis=2))
    assert_close(found.system_spread(), (np.nanmean(sd, axis=1), np.nanstd(sd, axis=1, ddof=1)))
    assert_close(found.difference_spread(), ([np.nanmean(difference)], [np.nanstd(difference, ddof=1)]))


def _defined(collection: Collection, images: int, seed: int) -> list[int]:
    """The number of images that define each topic; none where some image defines no topic."""
    is_defined = ~np.isnan(slow.image_scores(collection, ["AP"], images, seed, "skip")[0, :, 0])
    return is_defined.sum(axis=1).tolist() if is_defined.any(axis=0).all() else []


def test_an_image_that_defines_no_topic_is_refused_where_undefined_topics_are_skipped() -> None:
    given = load({"q": {"a": 1}}, {"x": {"q": {"a": 2.0, "b": 1.0}}, "y": {"q": {"b": 2.0, "a": 1.0}}})
    with pytest.raises(DesignError, match="without a topic that is defined"):
        bootstrap(given, ["AP"], images=50, undefined="skip")
    assert (bootstrap(given, ["AP"], images=50).means == 0).any()


def test_a_topic_that_a_measure_leaves_undefined_on_the_root_is_skipped_there_too() -> None:
    qrels = {"q": {f"d{i}": 2 for i in range(9)}, "r": {"e": 1}}
    given = load(
        qrels, {"x": {"q": {"d1": 2.0, "e": 1.0}, "r": {"e": 1.0}}, "y": {"q": {"e": 2.0, "d1": 1.0}}}, warn=False
    )
    on_q = score(given, ["AP(rel=2)"]).values[0, 0, :, 0]
    skip, zero = (bootstrap(given, ["AP(rel=2)"], images=9, undefined=choice) for choice in get_args(Undefined)[::-1])
    np.testing.assert_allclose(skip.root_means[0], on_q, rtol=1e-12)
    np.testing.assert_allclose(zero.root_means[0], on_q / 2, rtol=1e-12)
    np.testing.assert_allclose(skip.means, 2 * zero.means, rtol=1e-12)


# what is handed on


@pytest.mark.parametrize("batch", [1, 7, 64])
def test_all_scores_are_kept_in_order(
    batch: int, collection: Collection, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(gathering, "_BATCH", batch)
    bootstrap(collection, MEASURES, images=20, seed=SEED, keep=tmp_path / "scores")
    kept = [Scores.load(path) for path in sorted((tmp_path / "scores").iterdir())]
    assert len(kept) == -(-20 // batch)
    every = score(collection, MEASURES, draw_images(collection, 20, seed=SEED))
    np.testing.assert_array_equal(np.concatenate([one.values for one in kept], axis=3), every.values)
    assert [name for one in kept for name in one.replicates] == [str(number) for number in range(1, 21)]
    assert all((one.topics, one.systems) == (collection.topics, collection.systems) for one in kept)
    assert all(one.measures == every.measures for one in kept)
    assert np.isnan(every.values).any()


def test_progress_counts_images(collection: Collection, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gathering, "_BATCH", 8)
    told: list[tuple[int, int]] = []
    bootstrap(collection, ["AP"], images=20, progress=lambda *done: told.append(done))
    assert told == [(8, 20), (16, 20), (20, 20)]


def test_the_result_says_what_was_done(collection: Collection) -> None:
    found = bootstrap(collection, ["map", "P@5"], images=7, seed=3, alpha=0.2, undefined="skip")
    assert (found.measures, found.topics, found.systems) == (("AP", "P@5"), collection.topics, collection.systems)
    assert (found.images, found.seed, found.alpha) == (7, 3, 0.2)
    assert (found.draw, found.undefined) == ("documents", "skip")
    assert found.kept == Kept("all", None, 6)
    told = found.provenance
    assert (told["precision"], told["method"], told["population"]) == ("double", "corpus bootstrap", "documents")
    assert (told["corpus_size"], told["documents"]) == (collection.corpus_size, collection.document_count)
    assert told["undefined_share"] == found.undefined_share


def test_topics_that_a_run_does_not_answer_are_told() -> None:
    runs = {"x": {"q": {"a": 1.0}, "r": {"b": 1.0}}, "y": {"q": {"a": 1.0}}}
    given = load({"q": {"a": 1}, "r": {"b": 1}}, runs, warn=False)
    missing = {"rule": "zero", "topics": 1, "of": 2, "systems": {"y": 1}}
    assert bootstrap(given, ["AP"], images=3).provenance["missing"] == missing
    assert "missing" not in bootstrap(given, ["AP"], images=3, keep_systems="1").provenance


def test_a_bench_scores_the_whole_corpus_once(collection: Collection, monkeypatch: pytest.MonkeyPatch) -> None:
    bench = Bench(collection, MEASURES)
    first = bootstrap(bench, MEASURES, images=3, seed=SEED)
    monkeypatch.setattr(Bench, "_scored", None)  # nothing is scored on the whole corpus again
    again = bootstrap(bench, MEASURES[:2], images=3, seed=SEED, draw="both", keep_systems="3")
    np.testing.assert_array_equal(again.root, first.root[:2][:, :, first.order(0)[:3]])


# the best systems


@pytest.mark.parametrize("by", [None, "RR"])
def test_the_best_systems_are_kept_best_first(by: str | None, collection: Collection) -> None:
    means = slow.root_scores(collection, [by or "nDCG@10"])[0].mean(axis=0)
    best = sorted(range(6), key=lambda system: -means[system])[:3]
    found = bootstrap(collection, ["nDCG@10", "AP"], images=5, seed=1, keep_systems="3", keep_by=by)
    assert found.systems == tuple(collection.systems[system] for system in best)
    assert found.kept == Kept("3", by or "nDCG@10", 6)
    every = bootstrap(collection, ["nDCG@10", "AP"], images=5, seed=1)
    np.testing.assert_array_equal(found.means, every.means[:, best])
    np.testing.assert_array_equal(found.topic_sd(), every.topic_sd()[:, :, best])


def test_systems_that_tie_are_kept_in_the_order_given() -> None:
    lists = {"q": {"a": 2.0, "b": 1.0}}
    collection = load({"q": {"a": 1}}, {"worse": {"q": {"b": 1.0}}, "x": lists, "y": lists, "z": lists}, warn=False)
    assert bootstrap(collection, ["AP"], images=3, keep_systems="2").systems == ("x", "y")


# digits that are justified


def with_means(found: Bootstrapped, means: list[list[float]]) -> Bootstrapped:
    """The same result of one measure with other means: system, image."""
    return replace(found, means=np.array([means]))


def unbiased(root: Floats) -> Moments:
    """Scores on topics that two images leave as they are."""
    moments = Moments(root)
    sums = Sums(moments.frame())
    sums.add(moments.frame(), np.repeat(root[..., None], 2, axis=3))
    moments.add(sums)
    return moments


@pytest.mark.parametrize(
    ("error", "digits"),
    [(3.0, 0), (0.4, 0), (0.2, 1), (0.0999, 1), (0.032, 1), (0.031, 2), (0.0101, 2), (0.0099, 2), (0.004, 2)],
)
def test_the_last_digit_justified_is_the_power_of_ten_next_to_the_error(error: float, digits: int) -> None:
    assert justified_digits(error) == digits


@pytest.mark.parametrize(("error", "digits"), [(0.0004, 3), (0.00005, 4), (1e-9, 4), (0.0, 4)])
def test_no_more_than_four_digits_are_justified(error: float, digits: int) -> None:
    assert justified_digits(error) == digits


def test_digits_go_by_the_standard_error_of_the_median_system(collection: Collection) -> None:
    found = bootstrap(collection.only([0, 1, 2]), ["AP"], images=3)
    assert found.leaving is not None
    errors = np.array([[0.3, 0.0001, 0.02]])
    leaving = replace(found.leaving)
    leaving.__dict__["variances"] = LeftOut(errors**2, np.zeros_like(found.root))  # where the first use keeps them
    means = np.repeat(found.root_means[..., None], 3, axis=2) + np.array([-0.1, 0, 0.1])  # without bias
    assert replace(found, leaving=leaving, means=means, moments=unbiased(found.root)).digits(0) == 2


def test_the_width_of_rank_intervals_by_hand(collection: Collection) -> None:
    found = replace(bootstrap(collection.only([0, 1, 2]), ["AP"], images=3), alpha=0.5)
    ranked = with_means(found, [[0.9, 0.9, 0.1, 0.9, 0.9], [0.5] * 5, [0.1, 0.1, 0.9, 0.1, 0.1]])
    np.testing.assert_array_equal(ranked.ranks[0], [[1, 1, 3, 1, 1], [2] * 5, [3, 3, 1, 3, 3]])
    ranked = replace(ranked, moments=unbiased(found.root))
    assert ranked.rank_width(0) == 0  # quartiles: 1 to 1, 2 to 2, 3 to 3
    assert replace(ranked, alpha=0.02).rank_width(0) == pytest.approx((1.92 + 0 + 1.92) / 3)


def test_means_that_differ_by_rounding_only_tie(collection: Collection) -> None:
    found = bootstrap(collection.only([0, 1]), ["AP"], images=3)
    tied = with_means(found, [[0.1 + 0.2, 0.5], [0.3, 0.4]])
    assert tied.ranks[0].tolist() == [[1.5, 1.0], [1.5, 2.0]]


# properties


def small_data(seed: int) -> tuple[dict[str, dict[str, int]], dict[str, Run]]:
    """Qrels of four topics, and five runs; each document that is retrieved may be relevant."""
    rng = np.random.default_rng(seed)
    docnos = [f"d{number}" for number in range(25)]
    qrels = {
        f"q{topic}": {str(docno): int(rng.integers(0, 3)) for docno in rng.permutation(docnos)[:8]} | {"d0": 1}
        for topic in range(4)
    }
    runs = {
        f"s{system}": {topic: {docno: float(rng.integers(0, 20)) for docno in docnos[system:]} for topic in qrels}
        for system in range(5)
    }
    return qrels, runs


SEEDS = st.integers(0, 10_000)


@settings(deadline=None, max_examples=30)
@given(SEEDS, st.permutations(range(5)))
def test_systems_in_another_order_give_the_same_results_in_that_order(seed: int, order: list[int]) -> None:
    collection = load(*small_data(seed))
    one, other = (bootstrap(c, ["AP", "RR"], images=9, seed=seed) for c in (collection, collection.only(order)))
    assert other.systems == tuple(one.systems[system] for system in order)
    np.testing.assert_array_equal(other.means, one.means[:, order])
    np.testing.assert_array_equal(other.ranks, one.ranks[:, order])
    np.testing.assert_array_equal(other.topic_sd(), one.topic_sd()[:, :, order])
    assert_close(other.difference_spread(), one.difference_spread())
    np.testing.assert_allclose(other.standard_error, one.standard_error[:, order], rtol=1e-12)
    np.testing.assert_allclose(other.interval, one.interval[:, :, order], rtol=1e-9)


@settings(deadline=None, max_examples=30)
@given(SEEDS, st.permutations(range(4)), st.sampled_from(get_args(Undefined)))
def test_topics_in_another_order_leave_all_the_same(seed: int, order: list[int], undefined: Undefined) -> None:
    qrels, runs = small_data(seed)
    shuffled = {topic: qrels[topic] for topic in (list(qrels)[place] for place in order)}
    one, other = (
        bootstrap(load(given, runs), ["AP", "P@5"], images=9, seed=seed, undefined=undefined)
        for given in (qrels, shuffled)
    )
    assert other.topics == one.topics
    np.testing.assert_array_equal(other.means, one.means)
    np.testing.assert_array_equal(other.ranks, one.ranks)
    np.testing.assert_array_equal(other.topic_sd(), one.topic_sd())


@settings(deadline=None, max_examples=30)
@given(SEEDS, st.integers(0, 4))
def test_a_copy_of_a_system_never_differs_from_it_and_never_swaps_with_it(seed: int, system: int) -> None:
    qrels, runs = small_data(seed)
    original, copy = f"s{system}", f"s{system}-copy"  # beside it in the order of names
    copied = runs | {copy: runs[original]}
    found = bootstrap(load(qrels, copied), ["AP", "nDCG@5"], images=9, seed=seed)
    first, second = np.triu_indices(6, 1)
    pair = (first == system) & (second == system + 1)
    assert found.moments is not None
    for measure in range(2):
        assert not found.moments.difference_sd(measure)[:, pair].any()
        assert found.moments.difference_sd(measure).any()
        (swap,) = [one for one in found.swaps(measure) if {one.upper, one.lower} == {original, copy}]
        assert swap.share == 0
    np.testing.assert_array_equal(found.means[:, system], found.means[:, system + 1])
    np.testing.assert_array_equal(found.ranks[:, system], found.ranks[:, system + 1])


# bad input


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"images": 0}, "the number of images is 0; draw at least 2"),
        ({"images": 1}, "the number of images is 1; draw at least 2"),
        ({"images": -3}, "the number of images is -3; draw at least 2"),
        ({"keep_systems": "7"}, "'7' of 6 systems cannot be kept; write all, top75%, or a number up to 6"),
        ({"keep_systems": "0"}, "'0' of 6 systems cannot be kept"),
        ({"keep_by": "RR"}, "systems are kept by RR, but all are kept; say how many, such as 50"),
        ({"draw": "systems"}, "the draw 'systems' is unknown.*hoose from documents, topics, both"),
        ({"undefined": "one"}, "the choice for undefined topics 'one' is unknown.*hoose from zero, skip"),
        ({"draw": "topics", "per_topic": True}, "vary only where documents are drawn; draw documents or both"),
        ({"draw": "topics", "system": "F1-1"}, "vary only where documents are drawn"),
        ({"draw": "topics", "keep": "x"}, "can be kept where documents are drawn"),
        ({"system": "F1-9"}, "the system 'F1-9' is unknown"),
        ({"system": "F3-2", "keep_systems": "1"}, "'F3-2' is not among the 1 best; keep more systems, or all"),
    ],
    ids=lambda given: str(given) if isinstance(given, dict) else "",
)
def test_what_is_not_possible_is_refused(options: dict[str, Any], message: str, collection: Collection) -> None:
    with pytest.raises(DesignError, match=message):
        bootstrap(collection, ["AP"], **options)


def test_no_measure_is_refused(collection: Collection) -> None:
    with pytest.raises(DesignError, match="no measure was given"):
        bootstrap(collection, [])


def test_an_unknown_measure_is_refused(collection: Collection) -> None:
    with pytest.raises(InputError, match="measure 'Ap2' is unknown"):
        bootstrap(collection, ["AP"], keep_systems="2", keep_by="Ap2")


def test_a_collection_of_judged_documents_alone_is_refused_where_documents_are_drawn() -> None:
    ranked = {"a": 1.0, "b": 2.0}
    judged = load({"q": {"a": 1}, "r": {"a": 1}}, {"x": {"q": ranked, "r": ranked}}, documents="judged")
    with pytest.raises(DesignError, match="images need all documents; load the collection with documents='all'"):
        bootstrap(judged, ["AP"], images=5)
    assert bootstrap(judged, ["AP"], images=5, draw="topics").means.tolist() == [[[0.5] * 5]]


def test_too_many_pairs_for_memory_are_left_out_and_refused_where_they_are_asked_for(
    collection: Collection, monkeypatch: pytest.MonkeyPatch
) -> None:
    every = bootstrap(collection, MEASURES, images=3)
    monkeypatch.setattr("irgauge.studies.bootstrap.moments._MOST_BYTES", 6 * 8 * 15 * 8)
    assert bootstrap(collection, MEASURES, images=3, pairs=True).drawn.has_pairs
    monkeypatch.setattr("irgauge.studies.bootstrap.moments._MOST_BYTES", 6 * 8 * 15 * 8 - 1)
    refusal = r"6 systems on 8 topics by 6 measures need .* keep fewer systems, such as"
    with pytest.raises(DesignError, match=refusal):
        bootstrap(collection, MEASURES, images=3, pairs=True)
    assert len(bootstrap(collection, MEASURES, images=3, pairs=True, keep_systems="5").systems) == 5
    without = bootstrap(collection, MEASURES, images=3)
    with pytest.raises(DesignError, match=refusal):
        without.difference_spread()
    assert without.to_dict()["systems"] == every.to_dict()["systems"]
    assert [one["difference"] for one in without.to_dict()["measures"]] == [None] * 6
    columns = [column.name for column in without.tables()[0].columns]
    assert "difference_sd" not in columns
    assert "score_sd" in columns
    assert any("pairs on topics are too many" in note for note in without.tables()[0].notes)


# TREC-8, as published


TREC8 = ["AP", "nDCG@1000", "P@10", "RBP(p=0.95)@1000", "RR", "INSQ(T=5)"]
RUNS_OF_STUDY = 5  # with seeds of their own: one image held out says little
# Table 3: mean and standard deviation over pairs and topics of the difference's standard deviation
TABLE_3 = {
    "AP": (0.046, 0.036),
    "nDCG@1000": (0.045, 0.029),
    "P@10": (0.144, 0.056),
    "RBP(p=0.95)@1000": (0.057, 0.024),
    "RR": (0.201, 0.147),
    "INSQ(T=5)": (0.066, 0.029),  # by the definition; printed is 0.078 ± 0.035
}
# Table 4: the same over topics for the second best system
TABLE_4 = {
    "AP": (0.06, 0.04),
    "nDCG@1000": (0.06, 0.03),
    "P@10": (0.12, 0.06),
    "RBP(p=0.95)@1000": (0.07, 0.02),
    "RR": (0.10, 0.12),
}


@pytest.fixture(scope="module")
def studies(trec8_in_64_bits: Collection) -> list[Bootstrapped]:
    """The best 50 systems in 200 images, several times."""
    best = bootstrap(trec8_in_64_bits, ["RBP(p=0.95)@1000"], images=2, draw="topics", keep_systems="50")
    chosen = trec8_in_64_bits.only([trec8_in_64_bits.systems.index(system) for system in best.systems])
    return [bootstrap(chosen, TREC8, images=200, seed=seed) for seed in range(RUNS_OF_STUDY)]


@pytest.mark.parametrize(
    "measure",
    [
        pytest.param(
            measure,
            marks=pytest.mark.xfail(
                reason="200 images give 0.203 ± 0.143; 0.201 ± 0.147 is what about 60 images give", strict=True
            ),
        )
        if measure == "RR"
        else measure
        for measure in TABLE_3
    ],
)
def test_trec8_deviations_of_differences_are_those_of_table_3(measure: str, studies: list[Bootstrapped]) -> None:
    for found in studies:
        mean, sd = (spread[TREC8.index(measure)] for spread in found.difference_spread())
        assert (mean, sd) == pytest.approx(TABLE_3[measure], abs=0.002)


def test_trec8_reciprocal_ranks_vary_in_100_images_as_printed(trec8_in_64_bits: Collection) -> None:
    """Table 3 prints 0.201 ± 0.145, over 100 images; the standard deviation falls with the number of images."""
    by = "RBP(p=0.95)@1000"
    options: dict[str, Any] = {"images": 100, "keep_systems": "50", "keep_by": by}
    found = [bootstrap(trec8_in_64_bits, ["RR"], seed=seed, **options) for seed in range(RUNS_OF_STUDY)]
    spreads = [[spread[0] for spread in one.difference_spread()] for one in found]
    assert tuple(np.mean(spreads, axis=0)) == pytest.approx((0.201, 0.145), abs=0.002)


@pytest.mark.parametrize("measure", TABLE_4)
def test_trec8_deviations_of_the_second_best_system_are_those_of_table_4(
    measure: str, studies: list[Bootstrapped]
) -> None:
    spreads = [[spread[TREC8.index(measure), 1] for spread in found.system_spread()] for found in studies]
    assert tuple(np.mean(spreads, axis=0)) == pytest.approx(TABLE_4[measure], abs=0.01)


def test_trec8_means_justify_two_digits_but_reciprocal_ranks_one(studies: list[Bootstrapped]) -> None:
    """The paper: reporting of more than 2 decimal places cannot be justified."""
    digits = {name: {found.digits(measure) for found in studies} for measure, name in enumerate(TREC8)}
    assert digits.pop("RR") == {1}
    assert set.union(*digits.values()) == {2}


def test_trec8_images_lower_reciprocal_ranks_by_more_than_a_deviation(studies: list[Bootstrapped]) -> None:
    for found in studies:
        assert np.median(found.bias_in_sds[TREC8.index("RR")]) < -1
        assert np.isfinite(found.interval).all()
