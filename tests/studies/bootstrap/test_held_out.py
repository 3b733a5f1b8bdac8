"""Further images as the truth, and the shape of deviations, against all scores at once."""

from __future__ import annotations

from typing import get_args

import numpy as np
import pytest
from scipy import stats

from irgauge import Collection
from irgauge.errors import DesignError
from irgauge.simulation.collections import Design, simulate
from irgauge.studies.bootstrap.options import Undefined
from irgauge.studies.bootstrap.study import bootstrap
from oracles import slow_bootstrap as slow

MEASURES = ["AP", "RR"]
IMAGES, SEED, ALPHA = 70, 4, 0.1


@pytest.fixture(scope="module")
def collection() -> Collection:
    design = Design(systems=5, families=2, topics=8, depth=40, corpus_size=300, relevant_median=3, seed=5)
    return simulate(design).collection()


@pytest.mark.parametrize("undefined", get_args(Undefined))
def test_an_image_is_held_out_of_those_before(collection: Collection, undefined: Undefined) -> None:
    values = slow.image_scores(collection, MEASURES, IMAGES + 1, SEED, undefined)
    result = bootstrap(
        collection, MEASURES, images=IMAGES, held_out=1, seed=SEED, undefined=undefined, alpha=ALPHA, sparse=True
    )
    assert [(shares.measure, shares.images) for shares in result.held_out] == [("AP", 1), ("RR", 1)]
    expected = slow.held_out(values, ALPHA)
    assert min(inside for _, inside, _ in expected) < 1
    assert [shares[2:] for shares in result.held_out] == [pytest.approx(shares) for shares in expected]


def test_several_images_are_the_mean_of_each(collection: Collection) -> None:
    values = slow.image_scores(collection, MEASURES, IMAGES + 3, SEED, "zero")
    result = bootstrap(collection, MEASURES, images=IMAGES, held_out=3, seed=SEED, alpha=ALPHA, sparse=True)
    alone = [slow.held_out(values[..., [*range(IMAGES), IMAGES + image]], ALPHA) for image in range(3)]
    assert [shares[2:] for shares in result.held_out] == [pytest.approx(row) for row in np.mean(alone, axis=0)]
    without = bootstrap(collection, MEASURES, images=IMAGES, seed=SEED, alpha=ALPHA, sparse=True)
    np.testing.assert_array_equal(result.means, without.means)
    assert without.held_out == ()
    assert "held_out" not in [table.name for table in without.tables()]


def test_it_is_shown_and_stored(collection: Collection) -> None:
    result = bootstrap(collection, "AP", images=20, held_out=2, seed=SEED, sparse=True)
    [shares] = result.held_out
    table = result.table("held_out")
    assert table.title == "Differences on topics in 2 images held out"
    assert result.frame("held_out").row(0) == ("AP", 2, *shares[2:], 0.05)
    assert result.to_dict()["held_out"] == [{**shares._asdict(), "alpha": 0.05}]


def test_the_skewness_of_deviations(collection: Collection) -> None:
    result = bootstrap(collection, MEASURES, images=IMAGES, seed=SEED, sparse=True)
    sd = slow.cell_sd(slow.image_scores(collection, MEASURES, IMAGES, SEED, "zero"))
    expected = stats.skew(sd.reshape(len(MEASURES), -1), axis=1)
    np.testing.assert_allclose(result.deviation_skewness(), expected, rtol=1e-6)
    assert [precise.skewness for precise in result.parts.values()] == pytest.approx(expected.tolist(), rel=1e-6)


def test_what_cannot_be_held_out_is_refused(collection: Collection) -> None:
    with pytest.raises(DesignError, match="hold no image out"):
        bootstrap(collection, "AP", images=9, held_out=1, draw="topics")
    with pytest.raises(DesignError, match="-1 images cannot be held out; give 1 or more"):
        bootstrap(collection, "AP", images=9, held_out=-1)
    with pytest.raises(DesignError, match="there is one; give two or more"):
        bootstrap(collection.only([0]), "AP", images=9, held_out=1, sparse=True)
