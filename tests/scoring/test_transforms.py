"""Transformations against slow definitions, one score at a time, and what they refuse."""

from __future__ import annotations

import math
import statistics
from pathlib import Path

import numpy as np
import pytest
from scipy import stats

from irgauge import Scores
from irgauge.compute.arrays import Floats
from irgauge.errors import DesignError
from irgauge.scoring.measures import Measure
from irgauge.scoring.transforms import TRANSFORMS, transformed


def scores_of(values: Floats, measure: str = "AP") -> Scores:
    """Of values[topic, system, replicate]."""
    topics, systems, replicates = (tuple(map(str, range(size))) for size in values.shape)
    return Scores(values[None], (Measure.asked(measure),), topics, systems, replicates)


def drawn() -> Floats:
    """With ties, with a topic on which all are the same, and with scores of 0 and 1."""
    values = np.random.default_rng(3).integers(0, 6, (7, 4, 2)) / 5
    values[2] = 0.4
    return np.asarray(values)


def slow(name: str, score: float, of_topic: list[float], topics: int) -> float:
    """The definition of a transformation for one score."""
    if name == "arcsine":
        return math.asin(math.sqrt(score))
    if name == "log":
        return math.log(score)
    if name == "logit":
        inside = (score * (topics - 1) + 0.5) / topics
        return math.log(inside / (1 - inside))
    below, same = sum(other < score for other in of_topic), sum(other == score for other in of_topic)
    if name == "ranks":
        return below + (same + 1) / 2
    if name == "z-empirical":
        return (below + same) / len(of_topic)
    sd = statistics.stdev(of_topic)
    z = 0.0 if max(of_topic) == min(of_topic) else (score - statistics.mean(of_topic)) / sd
    uniform = stats.uniform(-math.sqrt(3), 2 * math.sqrt(3))  # of mean 0 and standard deviation 1
    return float({"z": z, "z-normal": stats.norm.cdf(z), "z-uniform": uniform.cdf(z)}[name])


@pytest.mark.parametrize("name", TRANSFORMS)
def test_each_is_its_definition(name: str) -> None:
    values = drawn() + (0.01 if TRANSFORMS[name].is_of_positive else 0.0)
    expected = [
        [[slow(name, score, topic.ravel().tolist(), len(values)) for score in system] for system in topic.tolist()]
        for topic in values
    ]
    np.testing.assert_allclose(transformed(scores_of(values), name).values[0], expected, rtol=1e-12, atol=1e-12)


def test_the_measure_is_a_name_with_its_direction_and_without_bounds() -> None:
    (measure,) = transformed(scores_of(drawn(), "latency:lower"), "ranks").measures
    assert (str(measure), measure.direction, measure.range) == ("ranks(latency)", "lower", None)


@pytest.mark.parametrize("name", ["arcsine", "logit"])
def test_scores_out_of_their_range_are_refused(name: str) -> None:
    with pytest.raises(DesignError, match=f"{name} is of scores from 0 to 1, and those of clicks go from 0 to 12"):
        transformed(scores_of(12 * drawn(), "clicks"), name)
    almost = drawn() * (1 + 1e-12)  # a perfect nDCG may come out as 1 + 2e-16
    np.testing.assert_allclose(
        transformed(scores_of(almost), name).values, transformed(scores_of(drawn()), name).values, atol=1e-5
    )


def test_two_systems_cannot_be_set_against_each_other() -> None:
    with pytest.raises(DesignError, match="there are 2; it needs at least 3"):
        transformed(scores_of(drawn()[:, :2]), "z")
    assert transformed(scores_of(drawn()[:, :2]), "logit").systems == ("0", "1")


def test_the_logit_of_a_single_topic_is_refused() -> None:
    with pytest.raises(DesignError, match="at least 2 topics, and there is 1; use arcsine"):
        transformed(scores_of(drawn()[:1]), "logit")


def test_an_unknown_one_is_refused() -> None:
    with pytest.raises(DesignError, match="did you mean 'arcsine'"):
        transformed(scores_of(drawn()), "arcsin")


def test_the_page_of_the_docs_has_all() -> None:
    page = (Path(__file__).parents[2] / "docs" / "questions" / "anova.md").read_text(encoding="utf-8")
    assert all(f"| `{name}` |" in page for name in TRANSFORMS)
