"""Topics in clusters, with weights, in kinds: what worlds keep; rates are those of experiments from the truth."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np
import polars as pl
import pytest
from scipy import stats

import irgauge as ig
from irgauge.calibrating.kinds import kind_worlds, tried_on_kinds
from irgauge.calibrating.methods import AS_ASKED, EACH_KIND_ALONE, KINDS_TOGETHER, ONE_BY_ONE, Setting, Way
from irgauge.calibrating.redrawing import as_drawn, redrawn
from irgauge.calibrating.sampled_worlds import sampled_worlds
from irgauge.compute.arrays import Floats
from irgauge.errors import DesignError
from irgauge.inference.sampling import Sampling, SamplingColumns
from irgauge.reading.topic_slices import Slice
from irgauge.studies.calibrate.study import Calibrated

SIZES = tuple(1 + place % 5 for place in range(60))
CLUSTER = np.repeat(np.arange(len(SIZES)), SIZES)  # topic -> its cluster
N = len(CLUSTER)
ZEROS = np.zeros(N, np.intp)


def clustered(rng: np.random.Generator, common: float = 0.15) -> Floats:
    """values[topic, system] of two systems that are equally good, and vary by cluster and topic."""
    d = common * rng.normal(size=len(SIZES))[CLUSTER] + 0.1 * rng.normal(size=N)
    base = rng.random(N)
    return np.column_stack([base, base + d])


def table(values: Floats, **columns: object) -> pl.DataFrame:
    names = {f"s{i}": values[:, i] for i in range(values.shape[1])}
    return pl.DataFrame({"topic": [f"q{i}" for i in range(len(values))], **columns, **names})


def users() -> Sampling:
    return Sampling(np.full(N, 1 / N), CLUSTER, ZEROS, SamplingColumns(cluster="user"))


def rate_of(result: Calibrated, way: Way, test: str = "t", world: str = "flipped") -> float:
    rows = [row for row in result.first.errors if (row.method.test, row.method.way, row.world) == (test, way, world)]
    return rows[-1].rate.observed


def drawn_sums(world_name: str, sampling: Sampling, values: Floats, draws: int = 400) -> Iterator[tuple[float, float]]:
    """Of each draw the weighted mean of the difference, and the variance of its sums over clusters."""
    rng = np.random.default_rng(5)
    world = next(one for one in sampled_worlds(values[:, :, None], sampling) if one.name == world_name)
    for _ in range(draws):
        drawn = world.draw(rng)
        assert drawn.sampling is not None
        d = drawn.values[:, 1, 0] - drawn.values[:, 0, 0]
        sums = np.bincount(drawn.sampling.cluster, drawn.sampling.weight * d)
        yield float(drawn.sampling.weight @ d), float(np.square(sums).sum())


@pytest.mark.parametrize("world", ["flipped", "resampled"])
def test_worlds_keep_what_topics_of_a_cluster_have_in_common_and_have_equal_means(world: str) -> None:
    values = clustered(np.random.default_rng(1))
    means, squares = np.array(list(drawn_sums(world, users(), values))).T
    left = (d := values[:, 1] - values[:, 0]) - d.mean()
    own = np.square(np.bincount(CLUSTER, left) / N).sum()
    assert squares.mean() == pytest.approx(own, rel=0.15)
    assert means.var() == pytest.approx(own, rel=0.25)
    assert abs(means.mean()) < 4 * np.sqrt(own / len(means))


def test_systems_change_places_on_all_topics_of_a_cluster() -> None:
    values = np.random.default_rng(1).random((N, 3, 1))
    world = next(iter(sampled_worlds(values, users())))
    drawn = world.draw(np.random.default_rng(2)).values[:, :, 0]
    for cluster in range(len(SIZES)):
        own = cluster == CLUSTER
        pairs = zip(drawn[own], values[own, :, 0], strict=True)
        orders = {tuple(np.abs(row[:, None] - old).argmin(axis=0)) for row, old in pairs}
        assert len(orders) == 1


def plain_rate(draws: Iterable[Floats]) -> float:
    """How often the t-test of topics taken one by one finds a difference of values[topic, system]."""
    return float(np.mean([stats.ttest_rel(*values.T).pvalue <= 0.05 for values in draws]))


@pytest.mark.parametrize("world", [0, 1])
def test_clusters_taken_one_by_one_err_as_often_as_experiments_from_the_truth(world: int) -> None:
    """The rates in worlds made of one experiment vary with it; over experiments they are the true one."""
    rng = np.random.default_rng(7)
    true = plain_rate(clustered(rng) for _ in range(1000))
    made = [list(sampled_worlds(clustered(rng)[:, :, None], users()))[world] for _ in range(20)]
    drawn = plain_rate(one.draw(rng).values[:, :, 0] for one in made for _ in range(50))
    assert true > 0.2
    assert drawn == pytest.approx(true, abs=0.06)


def test_tests_that_know_of_clusters_keep_their_promise_and_others_are_told_of() -> None:
    data = table(clustered(np.random.default_rng(4)), user=[f"u{c}" for c in CLUSTER])
    result = ig.calibrate(data, cluster="user", quick=True, trials=100, workers=1)
    for world in ("flipped", "resampled"):
        assert rate_of(result, ONE_BY_ONE, world=world) > 0.15
        assert rate_of(result, AS_ASKED, "skewed-t", world) == pytest.approx(0.05, abs=0.05)
    (finding,) = result.findings().of("design")
    assert finding.text.endswith("do not leave them out.")
    assert result.first.advised.method.way == AS_ASKED
    assert {row.method.way for row in result.first.liberal} <= {AS_ASKED}
    assert result.provenance["clusters"] == "user"


def test_kinds_that_count_otherwise_than_they_are_drawn_make_the_plain_mean_false() -> None:
    """Better by 0.3 on one kind and worse by 0.1 on the other: nothing by shares of 1 to 3, much by as many topics."""
    rng = np.random.default_rng(2)
    kind = np.array(["a", "b"])[np.arange(80) % 2]
    base, d = rng.random(80), np.where(np.arange(80) % 2, -0.1, 0.3) + 0.2 * rng.normal(size=80)
    data = table(np.column_stack([base, base + d]), type=list(kind))
    shares = pl.DataFrame({"type": ["a", "b"], "share": [0.25, 0.75]})
    result = ig.calibrate(data, shares=shares, quick=True, trials=100, workers=1)
    assert rate_of(result, ONE_BY_ONE) > 0.5
    assert rate_of(result, AS_ASKED, "skewed-t") == pytest.approx(0.05, abs=0.05)


def weighted(spread: float = 1.0) -> Sampling:
    weight = np.random.default_rng(4).lognormal(sigma=spread, size=N)
    return Sampling(weight / weight.sum(), np.arange(N), ZEROS, SamplingColumns(weights="hits"))


def test_redrawn_topics_have_the_weights_there_are_and_the_mean_that_is_said() -> None:
    sampling, rng = weighted(), np.random.default_rng(1)
    y = np.sqrt(sampling.weight) + rng.random(N)  # what counts more is larger
    draws = [redrawn(sampling, rng) for _ in range(600)]
    np.testing.assert_allclose(np.sort(draws[0][1].weight), np.sort(sampling.weight))
    means = [float(drawn.weight @ y[rows]) for rows, drawn in draws]
    assert np.mean(means) == pytest.approx(float(as_drawn(sampling).weight @ y), abs=4 * np.std(means) / np.sqrt(600))


def test_weights_that_have_nothing_to_do_with_differences_are_no_cause_for_distrust() -> None:
    """The plain mean of these topics is not 0 where the weighted one is: by chance, not for other topics."""
    data = table(clustered(np.random.default_rng(3), common=0.0))
    about = data.select("topic").with_columns(pl.Series("hits", weighted(0.7).weight))
    result = ig.calibrate(data, topics_table=about, weights="hits", quick=True, trials=100, workers=1)
    assert {row.world for row in result.first.errors if row.method.way == ONE_BY_ONE} == {"flipped"}
    assert rate_of(result, ONE_BY_ONE) < 0.15
    assert {row.method.test for row in result.first.errors} == {"skewed-t", "t"}


def of_kinds() -> Floats:
    """Two systems that differ on the first of eight kinds, by which worlds are not moved."""
    rng = np.random.default_rng(6)
    base = rng.random(160)
    return np.column_stack([base, base + 0.2 * rng.normal(size=160) + 0.3 * (np.arange(160) % 8 == 0)])


@pytest.mark.parametrize("world", ["flipped", "resampled"])
def test_anything_false_on_any_kind_is_counted(world: str) -> None:
    """Of eight kinds each tested alone, 1 − 0.95⁸ of experiments have something false."""
    parts = [Slice("type", str(kind), np.arange(kind, 160, 8)) for kind in range(8)]
    drawn = next(one for one in kind_worlds(of_kinds()[:, :, None], parts, None) if one.name == world)
    tried = tried_on_kinds(drawn, Setting("topics", ("a", "b"), corrections=("holm",)), 150, seed=1, workers=1)
    rates = {(method.test, method.way): shares.mean() for (method, _), shares in tried.found.items()}
    assert rates["t", EACH_KIND_ALONE] == pytest.approx(1 - 0.95**8, abs=0.13)
    assert rates["skewed-t", KINDS_TOGETHER] <= 0.05 + 0.05


def test_claims_on_kinds_are_told_with_the_others() -> None:
    data = table(of_kinds(), type=[f"k{i % 8}" for i in range(160)])
    result = ig.calibrate(data, by="type", quick=True, trials=3, workers=1)
    (finding,) = result.findings().of("kinds")
    assert "On kinds of topics by type" in finding.text
    assert {row["way"] for row in result.frame().iter_rows(named=True)} == {AS_ASKED, KINDS_TOGETHER, EACH_KIND_ALONE}
    assert "any pair, any kind" in result.table("promises").column("promise")


def test_what_is_of_topics_drawn_one_by_one_is_refused() -> None:
    data = table(clustered(np.random.default_rng(3)), user=[f"u{c}" for c in CLUSTER])
    with pytest.raises(DesignError, match="the option 'page' is of topics drawn one by one"):
        ig.calibrate(data, cluster="user", page=2)
    with pytest.raises(DesignError, match="2 to 50"):
        ig.calibrate(data, by="user", quick=True)
    shares = pl.DataFrame({"half": ["a", "b"], "share": [0.5, 0.5]})
    halves = data.with_columns(pl.Series("half", ["a", "b"] * (N // 2)))
    with pytest.raises(DesignError, match="a verdict on each"):
        ig.calibrate(halves, by="half", shares=shares, quick=True)


@pytest.mark.parametrize("shift", [0.0, 0.4])
def test_a_kind_of_two_topics_keeps_a_spread_in_every_draw(shift: float) -> None:
    """Around its own mean it has one residual twice: half of all signs, or draws, would leave it none."""
    kind, rng = np.repeat([0, 1, 2], [40, 18, 2]), np.random.default_rng(6)
    weight = (np.array([0.3, 0.5, 0.2]) / np.bincount(kind))[kind]
    sampling = Sampling(weight, np.arange(60), kind, SamplingColumns(shares="type"))
    base = rng.random(60)
    values = np.stack([base, base + 0.1 * rng.normal(size=60) + shift * (kind == 0)], axis=1)[:, :, None]
    for world in sampled_worlds(values, sampling):
        draws = [world.draw(rng).values[-2:, :, 0] for _ in range(200)]
        spreads = np.array([abs(float(np.ptp(drawn[:, 1] - drawn[:, 0]))) for drawn in draws])
        assert (spreads < 1e-9).mean() == 0, world.name
        assert (spreads < spreads.mean() / 10).mean() < 0.15, world.name
