"""Effects of topics and of systems on topics over draws: against draws of a residual for every cell, and new fits."""

from __future__ import annotations

import numpy as np
import pytest

from irgauge.errors import DesignError
from irgauge.models.anova import fit
from irgauge.models.least_squares import fitted
from irgauge.models.level_draws import Term, level_changes

VALUES = np.random.default_rng(6).gamma(2, 0.1, (5, 4, 2)) + np.random.default_rng(7).random((5, 1, 1))


@pytest.mark.parametrize(("term", "scale"), [("topic", 1.0), ("topic:system", 1.0), ("topic:system", np.sqrt(40 / 20))])
def test_levels_change_as_in_draws_of_every_cell(term: Term, scale: float) -> None:
    draws, rng = 20_000, np.random.default_rng(1)
    cells = VALUES.mean(axis=2, keepdims=True)
    residuals = (VALUES - cells) * scale  # 40 cells, 20 degrees of freedom
    new = (cells + rng.choice(residuals.ravel(), (draws, 5, 4, 2))).mean(axis=3)  # draw, topic, system
    mean, topics, systems = new.mean(axis=(1, 2)), new.mean(axis=2), new.mean(axis=1)
    own = topics - mean[:, None]
    if term == "topic:system":
        own = new - topics[:, :, None] - systems[:, None] + mean[:, None, None]
    slow = np.sort((own - own.mean(axis=0)).reshape(draws, -1)[:, 3])  # any level changes alike
    found = level_changes(fit(VALUES, "MD3"), term, draws=draws, seed=3, is_scaled=scale > 1)
    for share in (0.025, 0.2, 0.5, 0.8, 0.975):
        place = int(share * draws)
        assert found[place] == pytest.approx(slow[place], abs=0.04 * slow.std())


@pytest.mark.parametrize("term", ["topic", "topic:system"])
def test_their_variance_is_known(term: Term) -> None:
    fitted_ = fit(VALUES, "MD3")
    variance = np.square(fitted_.residuals()).mean()
    expected = {"topic": variance / 8 * (1 - 1 / 5), "topic:system": variance / 2 * (1 - 1 / 5) * (1 - 1 / 4)}[term]
    found = level_changes(fitted_, term, draws=100_000, seed=2, is_scaled=False)
    assert found.var() == pytest.approx(expected, rel=0.02)


def test_unbalanced_designs_are_refused() -> None:
    gaps = VALUES.copy()
    gaps[0, :, 1] = np.nan
    with pytest.raises(DesignError, match="redraw splits, or drop topics"):
        level_changes(fitted(gaps, "MD3"), "topic", draws=10, seed=1)
