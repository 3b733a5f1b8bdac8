"""Plans with a judge are kept; and people's next topics are shared out as well as whole numbers allow."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from scipy import stats

from irgauge.errors import DesignError
from irgauge.inference.prediction_powered import corrected
from irgauge.planning.allocation import next_strata
from irgauge.planning.judged import PeopleAndJudge
from irgauge.planning.sizes import Goal, Kind, Size, topics_for

SD, RHO, OTHERS, DRAWS = 0.15, 0.7, 300, 600


def drawn(rng: np.random.Generator, topics: int, pairs: int) -> tuple[np.ndarray, np.ndarray]:
    """Differences by people, and a judge's, which are half as large and agree by RHO."""
    f = rng.standard_normal((topics, pairs))
    return SD * (RHO * f + np.sqrt(1 - RHO**2) * rng.standard_normal((topics, pairs))), SD / 2 * f


def test_the_width_expected_is_that_of_the_formula() -> None:
    rng = np.random.default_rng(3)
    d, f = (values[:, 0] for values in drawn(rng, 40, 1))
    further = drawn(rng, 90, 1)[1][:, 0]
    slope, _, r, *_ = stats.linregress(f, d)
    left = d.var(ddof=1) * (1 - r**2) * 39 / 38
    of_judge = np.concatenate([f, further]).var(ddof=1)
    weight = min(1.0, slope / (1 + 25 / 200))
    parts = (left * (1 + 1 / 22) + (slope - weight) ** 2 * of_judge) / 25, weight**2 * of_judge / 200
    half = np.sqrt(stats.t.isf(0.025, 23) ** 2 * parts[0] + stats.t.isf(0.025, 199) ** 2 * parts[1])
    certain = PeopleAndJudge.of(d, f, further, is_certain=True)
    assert certain.expected(Size(25, 200), 0.05).half_width == pytest.approx(half)
    alone = stats.t.isf(0.025, 24) * np.sqrt((left + slope**2 * of_judge) / 25)
    assert certain.expected(Size(25, 0), 0.05).half_width == pytest.approx(alone)


@pytest.mark.parametrize(("kind", "value"), [("width", 0.05), ("difference", 0.06)])
def test_plans_with_a_judge_are_kept(kind: Kind, value: float) -> None:
    rng, goal, kept = np.random.default_rng(5), Goal(kind, value), []
    for _ in range(60):
        d, f = (values[:, 0] for values in drawn(rng, 25, 1))
        topics = topics_for(PeopleAndJudge.of(d, f, drawn(rng, 100, 1)[1][:, 0]), OTHERS, goal)
        assert topics is not None
        result = corrected(*drawn(rng, topics, DRAWS), drawn(rng, OTHERS, DRAWS)[1])
        half = result.parts.half_width(goal.level)
        kept.append(float((half <= value).mean() if kind == "width" else (result.difference + value > half).mean()))
    error = 3 * np.sqrt(0.8 * 0.2 / len(kept))
    if kind == "width":
        assert 0.8 - error <= np.mean(kept) <= 0.95
    else:
        assert np.mean(np.array(kept) >= 0.8 - 2 * np.sqrt(0.16 / DRAWS)) >= 0.8 - error


def test_few_topics_reach_nothing_and_few_of_a_pilot_are_refused() -> None:
    rng = np.random.default_rng(1)
    d, f = (values[:, 0] for values in drawn(rng, 25, 1))
    assert np.isinf(PeopleAndJudge.of(d, f, f).half_widths(Size(4, 100), 0.05)).all()
    with pytest.raises(DesignError, match="4 topics by people are too few"):
        PeopleAndJudge.of(d[:4], f[:4], f)


def test_every_beginning_of_the_list_is_the_best_allocation_of_its_length() -> None:
    rng = np.random.default_rng(2)
    weight, people, waiting = rng.random(3), [2, 1, 3], [4, 5, 3]
    order = next_strata(weight, people, waiting)
    assert np.bincount(order).tolist() == waiting
    for length in range(1, len(order)):
        added = [extra for extra in product(*(range(count + 1) for count in waiting)) if sum(extra) == length]
        variances = [
            sum(w**2 / (n + more) for w, n, more in zip(weight, people, extra, strict=True)) for extra in added
        ]
        own = np.bincount(order[:length], minlength=3)
        assert sum(weight**2 / (np.array(people) + own)) == pytest.approx(min(variances))
