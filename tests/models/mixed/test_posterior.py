"""The sampler: calibrated by simulation, in agreement with REML, and its diagnostics those of arviz-stats."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
import scipy.stats
from numpy.typing import NDArray

from irgauge.errors import DesignError
from irgauge.models.mixed.crossproducts import CrossProducts
from irgauge.models.mixed.diagnostics import Diagnostic, check, hpd_interval
from irgauge.models.mixed.factors import NO_EFFECT, FactorData
from irgauge.models.mixed.posterior import HalfT, Posterior, draw_chains, sample
from irgauge.models.mixed.reml import fit

Floats = NDArray[np.float64]
Codes = NDArray[np.int64]
NAMES = ("topic", "topic:algorithm", "instance", "residual")


def design(shape: tuple[int, int, int]) -> tuple[Codes, dict[str, Codes]]:
    """The codes of topics × algorithms × instances of each."""
    topic, algorithm, run = np.indices(shape).reshape(3, -1)
    return algorithm, {
        "topic": topic,
        "topic:algorithm": topic * shape[1] + algorithm,
        "instance": algorithm * shape[2] + run,
    }


def values(random: dict[str, Codes], sds: Floats, rng: np.random.Generator) -> Floats:
    """Values with these standard deviations and no difference of algorithms."""
    y = sds[-1] * rng.normal(size=len(random["topic"]))
    for codes, sd in zip(random.values(), sds, strict=False):
        y += np.append(sd * rng.normal(size=codes.max() + 1), 0.0)[codes]  # the last is for NO_EFFECT
    return y


@cache
def large() -> tuple[Floats, Posterior]:
    algorithm, random = design((60, 2, 30))
    y = values(random, np.array([0.2, 0.08, 0.05, 0.1]), np.random.default_rng(1)) + 0.03 * algorithm
    return y, sample(y, algorithm, random, seed=3)


def test_mean_and_spread_agree_with_reml_on_many_values() -> None:
    algorithm, random = design((60, 2, 30))
    y, drawn = large()
    model = fit(y, algorithm, random)
    for contrast in (model.difference(1, 0), [1, 0]):
        test, draws = model.test(contrast), drawn.contrast(contrast)
        assert draws.mean() == pytest.approx(test.estimate, abs=0.05 * test.se)
        assert draws.std() == pytest.approx(test.se, rel=0.05)
    for ours, theirs in zip(drawn.components(), model.components, strict=True):
        assert ours.name == theirs.name
        assert ours.mean == pytest.approx(theirs.variance, rel=0.12)
        assert ours.low < theirs.variance < ours.high
    assert sum(one.mean for one in drawn.shares()) == pytest.approx(1)


def test_the_result_says_its_prior_its_diagnostics_and_its_intervals() -> None:
    y, drawn = large()
    better = drawn.difference(1, 0)
    draws = drawn.contrast(better)
    assert drawn.prior.df == 3
    assert drawn.prior.scale == pytest.approx(2.5 * y.std())
    assert [one.name for one in drawn.diagnostics] == ["fixed 0", "fixed 1", *NAMES]
    assert max(one.r_hat for one in drawn.diagnostics) < 1.01
    assert min(one.ess for one in drawn.diagnostics) > 400
    assert drawn.beta.shape == (4, 2000, 2)
    assert drawn.sd.shape == (4, 2000, 4)
    assert drawn.interval(better, alpha=0.1) == hpd_interval(draws, 0.1)
    fixed = drawn.fixed()
    assert [one.mean for one in fixed] == pytest.approx(drawn.beta.mean(axis=(0, 1)))
    assert fixed[0].low < fixed[0].mean < fixed[0].high


def test_seed_and_workers() -> None:
    algorithm, random = design((6, 2, 4))
    y = values(random, np.ones(4), np.random.default_rng(2))
    one, two, other = (sample(y, algorithm, random, seed=s, workers=w) for s, w in ((1, 1), (1, 4), (2, 1)))
    np.testing.assert_array_equal(one.beta, two.beta)
    np.testing.assert_array_equal(one.sd, two.sd)
    assert (one.beta != other.beta).all()
    assert (one.beta[0] != one.beta[1]).all()


def test_codings_say_the_same() -> None:
    algorithm, random = design((6, 2, 4))
    y = values(random, np.ones(4), np.random.default_rng(2))
    means, treatment = sample(y, algorithm, random), sample(y, algorithm, random, coding="treatment")
    np.testing.assert_allclose(
        means.contrast(means.difference(1, 0)), treatment.contrast(treatment.difference(1, 0)), atol=1e-12
    )


def ranks(kind: str, fits: int, *, fitted: HalfT, prior: HalfT) -> Floats:
    """Of each fit and parameter, how many of 100 draws lie below the truth, drawn from the prior.

    A flat prior of β needs no draw: shifting the values by β shifts its draws by β.
    """
    algorithm, random = design((9, 2, 4))
    if kind != "balanced":
        kept = np.random.default_rng(5).random(len(algorithm)) < 0.8
        algorithm, random = algorithm[kept], {name: codes[kept] for name, codes in random.items()}
    if kind == "no effect":
        random["instance"] = np.where(algorithm == 0, NO_EFFECT, random["instance"])
    found = np.empty((fits, 5))
    assert prior.scale is not None
    for i in range(fits):
        rng = np.random.default_rng((7, i))
        sds = prior.scale * np.abs(rng.standard_t(prior.df, size=4))
        cross = CrossProducts.of(FactorData.of(values(random, sds, rng), algorithm, random))
        beta, sd = draw_chains(cross, fitted, chains=2, draws=1000, warmup=300, seed=i, workers=1)
        truth = np.append(sds, 0.0)
        draws = np.concatenate([sd, beta[..., 1:] - beta[..., :1]], axis=2)[:, ::20].reshape(-1, 5)
        found[i] = (draws < truth).sum(axis=0)
    return found


def uniformity(found: Floats) -> float:
    """The p-value of χ² over ten classes of the ranks 0 to 100."""
    edges = np.linspace(0, 101, 11)
    counts, sizes = np.histogram(found, edges)[0], np.histogram(np.arange(101), edges)[0]
    return float(scipy.stats.chisquare(counts, sizes / 101 * len(found)).pvalue)


@pytest.mark.parametrize("kind", ["balanced", "unbalanced", "no effect"])
def test_ranks_of_the_truth_are_uniform(kind: str) -> None:
    """Talts et al., "Validating Bayesian inference algorithms with simulation-based calibration", 2018."""
    prior = HalfT(3, 1.0)
    found = ranks(kind, 200, fitted=prior, prior=prior)
    p = [uniformity(column) for column in found.T]
    assert min(p) > 0.01 / len(p), dict(zip((*NAMES, "difference"), p, strict=True))


def test_ranks_would_show_a_wrong_prior() -> None:
    found = ranks("balanced", 200, fitted=HalfT(3, 0.1), prior=HalfT(3, 1.0))
    assert uniformity(found[:, 2]) < 1e-4


def test_small_components_mix() -> None:
    algorithm, random = design((20, 2, 5))
    y = values(random, np.array([0.2, 1e-4, 1e-4, 0.1]), np.random.default_rng(3))
    drawn = sample(y, algorithm, random)
    assert min(one.ess for one in drawn.diagnostics) > 600
    assert drawn.components()[1].low < 1e-5


@pytest.mark.parametrize("persistence", [0.0, 0.5, -0.3, 0.9])
@pytest.mark.parametrize("draws", [1000, 501])
def test_diagnostics_are_those_of_arviz(persistence: float, draws: int) -> None:
    arviz = pytest.importorskip("arviz_stats.base").array_stats
    x = np.random.default_rng(4).normal(size=(4, draws))
    for i in range(1, draws):
        x[:, i] += persistence * x[:, i - 1]
    ours = Diagnostic.of("x", x)
    assert ours.r_hat == pytest.approx(arviz.rhat(x), abs=1e-5)
    assert ours.ess_bulk == pytest.approx(arviz.ess(x, method="bulk"), rel=1e-6)
    assert ours.ess_tail == pytest.approx(arviz.ess(x, method="tail", prob=(0.05, 0.95)), rel=1e-6)


def test_draws_that_cannot_be_relied_upon_are_refused() -> None:
    apart = np.random.default_rng(1).normal(size=(4, 500)) + np.arange(4)[:, None]
    with pytest.raises(DesignError, match="the chains disagree on 'x': R-hat"):
        check((Diagnostic.of("x", apart),))
    algorithm, random = design((6, 2, 4))
    y = values(random, np.ones(4), np.random.default_rng(2))
    with pytest.raises(DesignError, match=r"take more draws"):
        sample(y, algorithm, random, draws=50)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"chains": 1}, "1 chains of 2000 draws"),
        ({"draws": 3}, "4 chains of 3 draws"),
        ({"prior": HalfT(0)}, "half-t, 0 degrees of freedom, scale 2.5 sd"),
        ({"prior": HalfT(3, -1)}, "above 0"),
    ],
)
def test_settings_that_make_no_sense(options: dict[str, int], message: str) -> None:
    algorithm, random = design((6, 2, 4))
    y = values(random, np.ones(4), np.random.default_rng(2))
    with pytest.raises(DesignError, match=message):
        sample(y, algorithm, random, **options)  # type: ignore[arg-type]  # options of several types


def test_a_contrast_has_a_number_for_each_fixed_effect() -> None:
    with pytest.raises(DesignError, match="must have 2 finite numbers"):
        large()[1].contrast([1, -1, 0])


def test_the_shortest_interval_of_a_skewed_distribution() -> None:
    """That of Γ(3): equal densities at both ends, 95 % between."""
    gamma = scipy.stats.gamma(3)
    draws = gamma.ppf((np.arange(200_000) + 0.5) / 200_000)
    low, high = hpd_interval(draws)
    assert gamma.cdf(high) - gamma.cdf(low) == pytest.approx(0.95, abs=1e-4)
    assert gamma.pdf(low) == pytest.approx(gamma.pdf(high), rel=0.02)
    assert high - low < gamma.ppf(0.975) - gamma.ppf(0.025)
    expo = hpd_interval(scipy.stats.expon.ppf((np.arange(10_000) + 0.5) / 10_000))
    assert expo == pytest.approx((0.0, -np.log(0.05)), abs=2e-3)


def test_the_interval_of_a_normal_distribution_is_its_usual_one() -> None:
    draws = 2 + 3 * scipy.stats.norm.ppf((np.arange(100_000) + 0.5) / 100_000)
    assert hpd_interval(draws, 0.1) == pytest.approx(scipy.stats.norm.interval(0.9, 2, 3), rel=0.01)
    for bad, message in (((draws, 0.0), "alpha is 0"), (([], 0.05), "at least one"), (([np.nan], 0.05), "finite")):
        with pytest.raises(DesignError, match=message):
            hpd_interval(*bad)


# the prior of one component


def few(seed: int = 5) -> tuple[Floats, np.ndarray, dict[str, np.ndarray]]:
    """Two instances of each of two algorithms on 20 topics: little is known of the instances' variance."""
    topic, algorithm, run = np.indices((20, 2, 2)).reshape(3, -1)
    rng = np.random.default_rng(seed)
    instance = 2 * algorithm + run
    y = rng.normal(size=20)[topic] + 0.1 * rng.normal(size=4)[instance] + 0.3 * rng.normal(size=len(topic))
    return y, algorithm, {"instance": instance, "topic": topic}


def test_a_scale_of_its_own_is_that_of_one_component() -> None:
    data = few()
    all_, each = HalfT(3, 1.5), HalfT(3, 9.0, {"instance": 1.5, "topic": 1.5, "residual": 1.5})
    one, other = (sample(*data, prior=prior, draws=4000, seed=2) for prior in (all_, each))
    assert (one.sd == other.sd).all()
    narrow = sample(*data, prior=HalfT(3, 1.5, {"instance": 0.05}), draws=4000, seed=2)
    assert np.median(narrow.sd[..., 0]) < 0.7 * np.median(one.sd[..., 0])
    assert str(narrow.prior) == "half-t, 3 degrees of freedom, scale 1.5, of instance 0.05"


def test_the_influence_of_the_prior_is_that_of_draws_with_a_wider_one() -> None:
    data = few()
    drawn, wider = (sample(*data, prior=HalfT(3, 5.0, {"instance": a}), draws=8000, seed=3) for a in (0.5, 1.0))
    contrast = drawn.difference(0, 1)
    widths = [float(np.diff(one.interval(contrast))[0]) for one in (drawn, wider)]
    assert drawn.influence(contrast, "instance") == pytest.approx(widths[1] / widths[0], rel=0.08)
    assert drawn.influence(contrast, "instance") > 1.15
    assert drawn.influence(contrast, "residual") == pytest.approx(1, abs=0.02)
