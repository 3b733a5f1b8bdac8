"""Between which scores measures lie; that scores of the catalogue do, test_properties holds."""

from __future__ import annotations

import numpy as np
import pytest

from irgauge.scoring.measures import Measure, range_of
from oracles.slow_measures import MEASURES

WITHOUT = ("DCG", "CRP", "Utility", "NumRet", "NumRel", "NumNonrelRet", "NumQ")
LOGARITHMS = ("GMAP", "GMBpref")


def test_a_measure_of_the_catalogue_lies_between_0_and_1_or_says_otherwise() -> None:
    for measure in map(Measure.read, MEASURES):
        if measure.name in LOGARITHMS:
            assert range_of(measure, np.log([0.00001, 0.3, 1.0])) == (np.log(0.00001), 0.0), measure
            assert range_of(measure, np.array([0.0, 0.3, 1.0])) is None, measure
        else:
            expected = None if measure.name in WITHOUT else (0.0, 1.0)
            assert range_of(measure, np.array([0.0, 0.3, 1.0])) == expected, measure


@pytest.mark.parametrize("values", [[10.0, 50.0], [-0.1, 0.5], [0.5, np.nan]])
def test_scores_that_leave_the_range_are_of_another_scale(values: list[float]) -> None:
    assert range_of(Measure.read("AP"), np.array(values)) is None


def test_of_a_measure_that_is_only_a_name_nothing_is_known() -> None:
    assert range_of(Measure.read("my own score"), np.array([0.1, 0.5])) is None
