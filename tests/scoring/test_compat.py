"""Compatibility, against ir_measures; in shards and images it is tested with all other measures."""

from __future__ import annotations

import ir_measures
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from irgauge import load
from irgauge.scoring.scores import score

MEASURES = ["Compat", "Compat(p=0.8)", "Compat(p=0.5, normalize=False)", "Compat(p=0.99, normalize=False)"]


@pytest.mark.parametrize("measure", MEASURES)
def test_ir_measures_says_the_same(measure: str) -> None:
    rng = np.random.default_rng(2)
    qrels = {
        str(t): {f"d{d}": int(rng.choice([-1, 0, 1, 1, 2, 3])) for d in range(rng.integers(5, 30))} for t in range(25)
    }
    for grades in qrels.values():
        grades["d0"] = 1
    lists = {topic: rng.permutation(40)[: rng.integers(1, 40)] for topic in qrels}
    run = {topic: {f"d{d}": 40.0 - i for i, d in enumerate(docs)} for topic, docs in lists.items()}
    found = {one.query_id: one.value for one in ir_measures.iter_calc([ir_measures.parse_measure(measure)], qrels, run)}
    values = score(load(qrels, {"x": run}, warn=False), measure).values[0, :, 0, 0]
    np.testing.assert_allclose(values, [found[topic] for topic in qrels], rtol=1e-12, atol=1e-13)


@settings(max_examples=30, deadline=None)
@given(st.lists(st.integers(0, 3), min_size=1, max_size=12).filter(any), st.randoms())
def test_an_ideal_list_is_compatible_whatever_the_order_of_equal_grades(grades: list[int], random: object) -> None:
    qrels = {"q": {f"d{i}": grade for i, grade in enumerate(grades)}}
    order = list(range(len(grades)))
    random.shuffle(order)  # type: ignore[attr-defined]  # of random.Random
    ideal = sorted(order, key=lambda i: -grades[i])
    run = {"q": {f"d{i}": float(-place) for place, i in enumerate(ideal)}}
    assert score(load(qrels, {"x": run}), "Compat").values.item() == pytest.approx(1)
