"""Moments of scores over images, against numpy on all scores at once."""

from __future__ import annotations

import pickle

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from irgauge import DesignError
from irgauge.studies.bootstrap.moments import Moments, Sums
from oracles.slow_bootstrap import assert_close, sd_of

Floats = NDArray[np.float64]
MEASURES, TOPICS, SYSTEMS, IMAGES = 2, 4, 5, 40


def random_scores(seed: int, undefined: float = 0.0) -> Floats:
    """measure, topic, system, image: related scores; a share of images leaves a topic undefined for all systems."""
    rng = np.random.default_rng(seed)
    shared = rng.normal(0, 0.1, (MEASURES, TOPICS, 1, IMAGES))
    values = np.clip(0.5 + shared + rng.normal(0, 0.15, (MEASURES, TOPICS, SYSTEMS, IMAGES)), 0, 1)
    values[np.broadcast_to(rng.random((MEASURES, TOPICS, 1, IMAGES)) < undefined, values.shape)] = np.nan
    return values


def moments_of(values: Floats, root: Floats, size: int = IMAGES) -> Moments:
    """The moments of values[measure, topic, system, image], added in batches of a size."""
    moments = Moments(root)
    moments.add(sums_of(values, moments, size))
    return moments


def sums_of(values: Floats, moments: Moments, size: int = IMAGES) -> Sums:
    frame = moments.frame()
    sums = Sums(frame)
    for first in range(0, values.shape[3], size):
        sums.add(frame, np.ascontiguousarray(values[..., first : first + size]))
    return sums


@pytest.fixture(params=[0.0, 0.3], ids=["all defined", "some undefined"])
def values(request: pytest.FixtureRequest) -> Floats:
    return random_scores(1, request.param)


@pytest.fixture
def root() -> Floats:
    return np.random.default_rng(2).random((MEASURES, TOPICS, SYSTEMS))


def test_means_and_deviations_are_those_of_the_images_that_define_the_topic(values: Floats, root: Floats) -> None:
    moments = moments_of(values, root)
    np.testing.assert_array_equal(moments.counts, (~np.isnan(values[:, :, 0])).sum(axis=2))
    assert_close(moments.mean, np.nanmean(values, axis=3))
    assert_close(moments.sd, np.nanstd(values, axis=3, ddof=1))


def test_differences_of_pairs_have_their_own_means_and_deviations(values: Floats, root: Floats) -> None:
    moments = moments_of(values, root)
    for measure in range(MEASURES):
        pairs = [(a, b) for a in range(SYSTEMS) for b in range(a + 1, SYSTEMS)]
        differences = [values[measure, :, a] - values[measure, :, b] for a, b in pairs]  # topic, image each
        means = np.stack([np.nanmean(one, axis=1) for one in differences], axis=1)
        sds = np.stack([np.nanstd(one, axis=1, ddof=1) for one in differences], axis=1)
        assert_close(moments.difference_mean(measure), means)
        assert_close(moments.difference_sd(measure), sds)


@pytest.mark.parametrize("size", [1, 7, 39])
def test_moments_do_not_depend_on_the_size_of_batches(size: int, values: Floats, root: Floats) -> None:
    one, other = moments_of(values, root), moments_of(values, root, size)
    for name in ("counts", "sums", "squares", "products", "histograms"):
        np.testing.assert_array_equal(getattr(one, name), getattr(other, name), err_msg=name)


@pytest.mark.parametrize("size", [1, 7, 40])
def test_sums_can_be_packed_and_sent(size: int, values: Floats, root: Floats) -> None:
    one, other = moments_of(values, root), Moments(root)
    for topics in (slice(0, 1), slice(1, TOPICS)):  # as blocks of topics are
        sums = Sums(other.frame(topics))
        for first in range(0, IMAGES, size):
            sums.add(other.frame(topics), np.ascontiguousarray(values[:, topics, :, first : first + size]))
        sums.pack()
        other.add(pickle.loads(pickle.dumps(sums)), topics)  # noqa: S301  # our own
    for name in ("counts", "sums", "squares", "products", "histograms"):
        np.testing.assert_array_equal(getattr(one, name), getattr(other, name), err_msg=name)


def test_what_is_sent_does_not_grow_with_images(root: Floats) -> None:
    rng, sizes = np.random.default_rng(7), []
    moments = Moments(root)
    for images in (64, 512):
        sums = sums_of(rng.integers(11, size=(*root.shape, images)) / 10, moments)  # as P@10 has them
        sums.pack()
        sizes.append(len(pickle.dumps(sums)))
    assert sizes[1] < 1.1 * sizes[0]
    assert sizes[1] < root.size * 512 * 8 / 20, "a twentieth of the scores"


def test_a_step_that_is_seen_very_often_is_counted_as_often() -> None:
    moments = Moments(np.zeros((1, 1, 2)))
    sums = Sums(moments.frame())
    for _ in range(3):
        sums.add(moments.frame(), np.full((1, 1, 2, 100), 0.5))
    sums.pack()
    moments.add(sums)
    assert moments.histograms[0, 0, :, 500].tolist() == [300, 300]
    assert moments.histograms.sum() == 600


def test_the_root_does_not_matter_but_for_rounding(values: Floats, root: Floats) -> None:
    one, other = moments_of(values, root), moments_of(values, np.zeros_like(root))
    assert_close(one.mean, other.mean)
    assert_close(one.sd, other.sd)


@pytest.mark.parametrize("share", [0.25, 0.5, 0.75, 0.05, 0.95, 1.0])
def test_a_quantile_is_that_of_the_scores_to_half_a_step(share: float, values: Floats, root: Floats) -> None:
    moments = moments_of(values, root)
    found = moments.quantile(share)
    for cell in np.ndindex(values.shape[:3]):
        defined = values[cell][~np.isnan(values[cell])]
        expected = np.quantile(defined, share, method="inverted_cdf")
        assert abs(found[cell] - expected) <= 0.5 / moments.steps + 1e-12


@settings(deadline=None)
@given(st.lists(st.floats(0, 1), min_size=1, max_size=30), st.sampled_from([0.25, 0.5, 0.75]))
def test_quartiles_of_any_scores_are_within_half_a_step(scores: list[float], share: float) -> None:
    values = np.array(scores).reshape(1, 1, 1, -1)
    moments = moments_of(values, np.zeros((1, 1, 1)))
    expected = np.quantile(scores, share, method="inverted_cdf")
    assert abs(moments.quantile(share).item() - expected) <= 0.5 / moments.steps + 1e-12


def test_histograms_count_every_defined_score(values: Floats, root: Floats) -> None:
    moments = moments_of(values, root)
    np.testing.assert_array_equal(moments.histograms.sum(axis=3), np.repeat(moments.counts[..., None], SYSTEMS, axis=2))


def test_scores_at_the_ends_of_the_scale_stand_at_the_ends_of_the_histogram() -> None:
    moments = moments_of(np.array([0.0, 1.0, 1.0 + 1e-15, 1.0]).reshape(1, 1, 1, 4), np.zeros((1, 1, 1)))
    assert moments.histograms[0, 0, 0, 0] == 1
    assert moments.histograms[0, 0, 0, -1] == 3


def test_a_topic_that_no_image_defines_has_no_mean_no_deviation_and_no_quartiles(root: Floats) -> None:
    values = random_scores(3)
    values[1, 2] = np.nan
    moments = moments_of(values, root)
    for found in (moments.mean, moments.sd, moments.quantile(0.5)):
        assert np.isnan(found[1, 2]).all()
        assert np.isfinite(found[0]).all()
    assert np.isnan(moments.difference_mean(1)[2]).all()
    assert np.isnan(moments.difference_sd(1)[2]).all()


def test_one_image_gives_a_mean_but_no_deviation(root: Floats) -> None:
    values = random_scores(4)[..., :1]
    moments = moments_of(values, root)
    assert_close(moments.mean, values[..., 0])
    assert np.isnan(moments.sd).all()


def test_one_image_gives_no_deviation_of_differences(root: Floats) -> None:
    moments = moments_of(random_scores(4)[..., :1], root)
    assert np.isnan(moments.difference_sd(0)).all()


def test_scores_that_are_the_same_in_all_images_do_not_deviate(root: Floats) -> None:
    values = np.repeat(root[..., None], IMAGES, axis=3)
    moments = moments_of(values, root)
    assert not moments.sd.any()
    assert not moments.difference_sd(0).any()


def test_deviations_far_below_the_scores_are_kept(root: Floats) -> None:
    values = root[..., None] + 1e-9 * random_scores(5)
    expected = np.array([[[sd_of(values[m, t, s]) for s in range(SYSTEMS)] for t in range(TOPICS)] for m in range(2)])
    np.testing.assert_allclose(moments_of(values, root).sd, expected, rtol=1e-5)


@pytest.mark.parametrize(("most", "steps"), [(1 << 30, 1000), (1 << 14, 204), (1 << 10, 20)])
def test_histograms_get_coarser_where_memory_is_short_but_not_too_coarse(
    most: int, steps: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("irgauge.studies.bootstrap.moments._HISTOGRAM_BYTES", most)
    values = random_scores(6)[:1]  # 4 topics and 5 systems: 80 bytes for a step
    moments = moments_of(values, values[..., 0])
    assert moments.histograms.shape == (1, TOPICS, SYSTEMS, steps + 1)
    expected = np.quantile(values, 0.75, axis=3, method="inverted_cdf")
    np.testing.assert_allclose(moments.quantile(0.75), expected, rtol=0, atol=0.5 / steps + 1e-12)


def test_what_would_take_too_much_memory_is_refused_with_its_size_and_what_to_do(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    root = np.broadcast_to(0.0, (6, 50, 1000))
    message = (
        r"the differences of 1000 systems on 50 topics by 6 measures need 1\.1 GiB, more than 1; "
        r"keep fewer systems, such as 100, or take fewer measures"
    )
    monkeypatch.setattr("irgauge.studies.bootstrap.moments._COARSEST", 1)
    few = Moments(root)
    assert not few.has_pairs
    with pytest.raises(DesignError, match=message):
        Moments(root, pairs=True)
    with pytest.raises(DesignError, match=message):
        few.difference_sd(0)
