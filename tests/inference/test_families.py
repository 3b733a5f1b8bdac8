"""Several families corrected together: p against a slow Holm and statsmodels, intervals against scipy."""

from __future__ import annotations

import itertools
from collections.abc import Callable

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import stats

from irgauge.inference.comparison import Comparison
from irgauge.inference.families import corrected_together, level_of
from irgauge.inference.hierarchy import Members, Standing, in_families
from irgauge.inference.tests.flips import max_t
from irgauge.inference.tests.paired_t import paired_t
from irgauge.inference.tests.tukey import tukey
from irgauge.models.anova import fit

Values = NDArray[np.float64]
ALPHA, NAMES = 0.05, ["a", "b", "c", "d"]
FAMILY = Members("secondary", ("one", "two", "three"))
_RNG = np.random.default_rng(9)
MEASURES = [  # values[topic, system] by each
    _RNG.normal(0.4, 0.1, (30, 1)) + _RNG.normal([0.0, 0.02, 0.05, -0.05], 0.1, (30, 4)) for _ in range(3)
]


def by_t(values: Values, correction: str = "holm", baseline: str | None = "a") -> Comparison:
    share = level_of(ALPHA, FAMILY, correction)
    return paired_t(values, NAMES, alpha=share, correction=correction, baseline=baseline)


def p_values(values: Values, names: list[tuple[str, str]]) -> list[float]:
    """Paired t, each pair by itself."""
    columns = ((values[:, NAMES.index(u)], values[:, NAMES.index(v)]) for u, v in names)
    return [stats.ttest_rel(one, other).pvalue for one, other in columns]


def slow_holm(p: list[float]) -> list[float]:
    """The smallest level at which every step up to this p-value rejects."""
    ordered = sorted(p)
    return [min(1.0, max((len(p) - step) * ordered[step] for step in range(ordered.index(one) + 1))) for one in p]


@pytest.mark.parametrize("baseline", ["a", None])
def test_holm_is_over_the_pairs_of_all_families(baseline: str | None) -> None:
    found = corrected_together([by_t(values, baseline=baseline) for values in MEASURES], ALPHA, FAMILY)
    single = [p_values(values, one.names) for values, one in zip(MEASURES, found, strict=True)]
    expected = slow_holm(list(itertools.chain(*single)))
    np.testing.assert_allclose(np.concatenate([one.p_adjusted for one in found]), expected, rtol=1e-9)
    np.testing.assert_allclose(np.concatenate([one.p for one in found]), np.concatenate(single), rtol=1e-9)
    by_itself = [slow_holm(p) for p in single]
    assert any((np.array(alone) < one.p_adjusted).any() for alone, one in zip(by_itself, found, strict=True))


@pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::FutureWarning")  # of statsmodels itself
@pytest.mark.parametrize(("correction", "theirs"), [("holm", "holm"), ("bh", "fdr_bh"), ("bonferroni", "bonferroni")])
def test_corrections_over_families_are_those_of_statsmodels(correction: str, theirs: str) -> None:
    multitest = pytest.importorskip("statsmodels.stats.multitest")
    found = corrected_together([by_t(values, correction) for values in MEASURES], ALPHA, FAMILY)
    p = [one for values, each in zip(MEASURES, found, strict=True) for one in p_values(values, each.names)]
    expected = multitest.multipletests(p, ALPHA, method=theirs)
    np.testing.assert_allclose(np.concatenate([one.p_adjusted for one in found]), expected[1], rtol=1e-9)
    assert np.concatenate([one.significant for one in found]).tolist() == expected[0].tolist()


@pytest.mark.parametrize(("correction", "share"), [("holm", 9), ("bonferroni", 9), ("bh", 1), ("none", 1)])
def test_intervals_hold_for_all_families_together(correction: str, share: int) -> None:
    """At α / (families × pairs), or for each pair by itself where the correction promises no more."""
    for values, one in zip(
        MEASURES, corrected_together([by_t(v, correction) for v in MEASURES], ALPHA, FAMILY), strict=True
    ):
        d = values[:, [NAMES.index(first) for first, _ in one.names]] - values[:, [0]]
        low, high = stats.t.interval(1 - ALPHA / share, len(d) - 1, d.mean(axis=0), stats.sem(d))
        np.testing.assert_allclose(one.low, low, rtol=1e-9)
        np.testing.assert_allclose(one.high, high, rtol=1e-9)
        assert (one.alpha, one.families) == (ALPHA, 3)
        assert one.level == pytest.approx(ALPHA / share)


def by_tukey(values: Values, alpha: float) -> Comparison:
    return tukey(fit(values[:, :, None], "MD1"), NAMES, population="topics", alpha=alpha)


def by_max_t(values: Values, alpha: float) -> Comparison:
    return max_t(values, NAMES, draws=999, seed=2, alpha=alpha)


@pytest.mark.parametrize("test", [by_tukey, by_max_t])
def test_tests_of_a_whole_family_are_corrected_over_families(test: Callable[[Values, float], Comparison]) -> None:
    share = level_of(ALPHA, FAMILY, test(MEASURES[0], ALPHA).correction)
    assert share == pytest.approx(ALPHA / 3)
    alone = [test(values, share) for values in MEASURES]
    for before, after in zip(alone, corrected_together(alone, ALPHA, FAMILY), strict=True):
        assert after.p_adjusted.tolist() == np.minimum(1, 3 * before.p_adjusted).tolist()
        assert (after.low.tolist(), after.high.tolist()) == (before.low.tolist(), before.high.tolist())
        is_off_0 = (after.low > 0) | (after.high < 0)
        assert after.significant.tolist() == is_off_0.tolist()


def test_tukey_over_families_is_that_of_scipy() -> None:
    found = corrected_together([by_tukey(values, ALPHA / 3) for values in MEASURES], ALPHA, FAMILY)
    for one in found:
        assert one.df is not None
        assert one.error_ms is not None
        q = one.difference / np.sqrt(one.error_ms / 30)
        np.testing.assert_allclose(
            one.p_adjusted, np.minimum(1, 3 * stats.studentized_range.sf(q, 4, one.df)), rtol=1e-6
        )


def test_one_family_stays_as_it_is() -> None:
    alone = by_t(MEASURES[0])
    (after,) = corrected_together([alone], ALPHA, Members("primary", ("one",)))
    assert (after.p_adjusted is alone.p_adjusted, after.low is alone.low, after.families, after.place) == (
        True,
        True,
        1,
        "primary",
    )
    assert alone.family == "3 pairs with baseline a"


def test_the_family_is_said() -> None:
    found = corrected_together([by_t(values, baseline=None) for values in MEASURES], ALPHA, FAMILY)
    assert found[0].family == "all 6 pairs, together with those of 2 more comparisons"
    assert {one.place for one in found} == {"secondary"}


def test_a_share_of_alpha_is_that_of_bonferroni() -> None:
    """Half of α: as if every p were twice as large, and intervals at half the level."""
    half = Members("secondary", FAMILY.members, share=0.5)
    level = level_of(ALPHA, half, "holm")
    assert level == pytest.approx(ALPHA / 6)
    each = [paired_t(values, NAMES, alpha=level, correction="holm", baseline="a") for values in MEASURES]
    single = [p_values(values, one.names) for values, one in zip(MEASURES, each, strict=True)]
    expected = np.minimum(1, 2 * np.array(slow_holm(list(itertools.chain(*single)))))
    found = corrected_together(each, ALPHA, half)
    np.testing.assert_allclose(np.concatenate([one.p_adjusted for one in found]), expected, rtol=1e-9)
    assert {round(ALPHA / one.level) for one in found} == {18}
    assert "with 0.5 of α" in found[0].family


def test_tests_with_other_corrections_share_alpha_by_their_number() -> None:
    """Two families by Holm have two thirds of α, a third one that corrects by itself one third."""
    level = level_of(ALPHA, FAMILY, "holm")
    by_holm = [paired_t(values, NAMES, alpha=level, correction="holm") for values in MEASURES[:2]]
    third = by_tukey(MEASURES[2], level)
    found = corrected_together([*by_holm, third], ALPHA, FAMILY)
    single = [p_values(values, one.names) for values, one in zip(MEASURES[:2], by_holm, strict=True)]
    expected = np.minimum(1, 1.5 * np.array(slow_holm(list(itertools.chain(*single)))))
    np.testing.assert_allclose(np.concatenate([one.p_adjusted for one in found[:2]]), expected, rtol=1e-9)
    np.testing.assert_allclose(found[2].p_adjusted, np.minimum(1, 3 * third.p_adjusted))


def test_the_first_has_alpha_for_itself_and_all_others_share_it() -> None:
    asked = ["AP", "nDCG", "P@10"]
    places = [(group.place, group.members, group.share) for group in in_families(asked, "order", Standing(share=0.5))]
    assert places == [("primary", ("AP",), 1.0), ("secondary", ("nDCG", "P@10"), 0.5)]
    behind = in_families(asked, "order", Standing(has_primary=False, share=0.5))
    assert [(group.place, group.members) for group in behind] == [("secondary", ("AP", "nDCG", "P@10"))]
    assert [group.members for group in in_families(asked, "together", Standing())] == [("AP", "nDCG", "P@10")]
    assert [group.members for group in in_families(asked, "each", Standing())] == [("AP",), ("nDCG",), ("P@10",)]
