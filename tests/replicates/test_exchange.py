"""Null copies: systems change places, all else stays; against runs that are given to each other's names."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from irgauge import Collection, Scores
from irgauge.replicates.bench import Bench
from irgauge.replicates.exchange import Exchange
from irgauge.replicates.given import ScoreTable
from irgauge.replicates.measured import Measuring
from irgauge.scoring.measures import parse_measures
from irgauge.simulation.collections import Design, simulate

MEASURES = parse_measures(["AP", "nDCG@10"])


@pytest.fixture(scope="module")
def runs() -> Collection:
    return simulate(Design(systems=4, families=2, topics=12, depth=40, corpus_size=600)).collection()


def test_lists_that_changed_places_are_scored_as_they_are(runs: Collection) -> None:
    """On the whole corpus and on shards: as if the lists themselves had been given to other systems."""
    exchange = Exchange("topics", seed=3, number=5)
    order = exchange.order(12, 4, 1)[:, :, 0]
    firsts, lengths = (np.take_along_axis(each, order, axis=1) for each in (runs.firsts, runs.lengths))
    theirs, ours = Bench(replace(runs, firsts=firsts, lengths=lengths)), Bench(runs).exchanged(exchange)
    np.testing.assert_array_equal(ours.whole(MEASURES).values, theirs.whole(MEASURES).values)
    wanted = Measuring(MEASURES, "even:3", seed=1)
    np.testing.assert_array_equal(ours.measured(wanted).scores.values, theirs.measured(wanted).scores.values)
    assert (ours.whole(MEASURES).values != Bench(runs).whole(MEASURES).values).any()


def test_cells_change_places_each_for_itself_but_by_all_measures_alike() -> None:
    values = np.arange(2.0 * 6 * 5 * 3).reshape(2, 6, 5, 3)
    table = Scores(values, MEASURES, tuple("123456"), tuple("abcde"), tuple("xyz"))
    copies = {within: ScoreTable(table).exchanged(Exchange(within, 1, 2)).whole(()) for within in ("topics", "cells")}
    for copy in copies.values():
        np.testing.assert_array_equal(np.sort(copy.values, axis=2), values)
        np.testing.assert_array_equal(copy.values[1] - copy.values[0], values[1] - values[0])
    assert (np.diff(copies["topics"].values, axis=3) == 1).all()  # replicates of a list stay together
    assert (np.diff(copies["cells"].values, axis=3) != 1).any()


def test_a_copy_depends_on_its_number_alone() -> None:
    orders = [Exchange("cells", 7, number).order(20, 6, 2) for number in (0, 1, 0)]
    np.testing.assert_array_equal(orders[0], orders[2])
    assert (orders[0] != orders[1]).any()
    many = np.mean([Exchange("topics", 7, number).order(1, 4, 1)[0, 0, 0] for number in range(2000)])
    assert abs(many - 1.5) < 4 * np.sqrt(1.25 / 2000)  # any of the four, as often as another
