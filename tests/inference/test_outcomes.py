"""What tests of pairs have in common: blocks, draws that are enough, and questions that cannot be answered."""

from __future__ import annotations

import numpy as np
import pytest

from irgauge.errors import DesignError
from irgauge.inference import outcomes
from irgauge.inference.outcomes import allowed
from irgauge.inference.tests import flips
from irgauge.inference.tests.flips import max_t, randomization
from irgauge.inference.tests.paired_t import paired_t
from irgauge.inference.tests.randomised_tukey import randomised_tukey
from oracles.pairs_given import CORRECTED, NAMES, ON_VALUES, VALUES, Options, Test, Values


@pytest.mark.parametrize("block", [1, 700, 1 << 14])
@pytest.mark.parametrize(("test", "options"), ON_VALUES)
def test_blocks_change_nothing(test: Test, options: Options, block: int, monkeypatch: pytest.MonkeyPatch) -> None:
    before = test(VALUES, NAMES, **options)
    for module in (outcomes, flips):
        monkeypatch.setattr(module, "BLOCK", block)
    after = test(VALUES, NAMES, **options)
    for field in ("statistic", "p_adjusted", "low", "high", "effect"):
        np.testing.assert_array_equal(getattr(before, field), getattr(after, field))


# what cannot be answered


@pytest.mark.parametrize(
    ("values", "names", "options", "message"),
    [
        (VALUES[:, :1], ["a"], {}, "2 topics and 2 systems; given: topics: 20, systems: 1"),
        (VALUES[:1], NAMES, {}, "2 topics and 2 systems"),
        (VALUES[0], NAMES, {}, "2 topics and 2 systems"),
        (np.where(VALUES > 0.5, np.nan, VALUES), NAMES, {}, "undefined"),
        (VALUES, NAMES[:4], {}, "5 systems need as many different names; 4"),
        (VALUES, ["a", "a", "b", "c", "d"], {}, "different names"),
        (VALUES, ["bm25", "ql", "rm3", "dense", "fused"], {"baseline": "bm52"}, "did you mean 'bm25'"),
        (VALUES, NAMES, {"alpha": 0.0}, "alpha is 0.0"),
    ],
)
@pytest.mark.parametrize(("test", "settings_"), ON_VALUES)
def test_a_question_that_cannot_be_answered(
    test: Test, settings_: Options, values: Values, names: list[str], options: Options, message: str
) -> None:
    with pytest.raises(DesignError, match=message):
        test(values, names, **{**settings_, **options})


@pytest.mark.parametrize(("test", "options"), CORRECTED)
def test_an_unknown_correction_names_the_nearest(test: Test, options: Options) -> None:
    with pytest.raises(DesignError, match="did you mean 'holm'"):
        test(VALUES, NAMES, correction="holms", **options)


def test_draws_that_no_p_value_can_come_from() -> None:
    with pytest.raises(DesignError, match=r"at least 199 can, or the correction bh, or the test max-t$"):
        randomization(VALUES, NAMES, draws=198, seed=1, correction="holm")
    assert randomization(VALUES, NAMES, draws=199, seed=1, correction="holm").p_adjusted.min() == 0.05
    for test in (randomization, randomised_tukey, max_t):
        with pytest.raises(DesignError, match=r"18 draws cannot give a p-value of 0.05; at least 19 can$"):
            test(VALUES, NAMES, draws=18, seed=1)
        with pytest.raises(DesignError, match="0 draws"):
            test(VALUES, NAMES, draws=0, seed=1)


@pytest.mark.parametrize(("sides", "alpha"), [(0, 0.05), (3, 0.05), (1, 0.5)])
def test_a_test_has_one_side_or_two(sides: int, alpha: float) -> None:
    with pytest.raises(DesignError, match="a test has 1 or 2 sides"):
        randomization(VALUES, NAMES, seed=1, sides=sides, alpha=alpha)  # type: ignore[arg-type]  # a literal


@pytest.mark.parametrize("draws", [19, 20, 99, 999, 10_000])
@pytest.mark.parametrize("level", [0.05, 0.01, 0.2])
def test_so_many_draws_may_reach_what_was_observed(draws: int, level: float) -> None:
    most = max((count for count in range(draws + 1) if (1 + count) / (1 + draws) <= level + 1e-12), default=-1)
    assert allowed(draws, level) == most


def test_scores_that_are_all_the_same_do_not_differ() -> None:
    comparison = paired_t(np.full((4, 5), 0.3), NAMES, correction="holm")
    np.testing.assert_array_equal(comparison.p_adjusted, 1.0)
    np.testing.assert_array_equal(comparison.high - comparison.low, 0.0)
