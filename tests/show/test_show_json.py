"""JSON of whatever a result holds."""

from __future__ import annotations

import json
import math
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from irgauge.provenance import Provenance
from irgauge.replicates.facts import seed
from irgauge.scoring.measures import Measure
from irgauge.show.saving import plain, to_json


class Pair(NamedTuple):
    first: str
    p: float


@dataclass(frozen=True)
class Held:
    name: str
    values: object


_LEAVES = st.none() | st.booleans() | st.integers() | st.floats() | st.text()
_TREES = st.recursive(
    _LEAVES, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4), max_leaves=20
)


def expected(value: Any) -> Any:  # noqa: ANN401  # whatever was drawn
    """What has gone through JSON: None for what is not finite."""
    if isinstance(value, dict):
        return {key: expected(one) for key, one in value.items()}
    if isinstance(value, list):
        return [expected(one) for one in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value


@given(_TREES)
@settings(deadline=None)
def test_values_come_back_as_they_were(value: object) -> None:
    read = json.loads(to_json(value))
    assert read == expected(value)


@given(st.floats(allow_nan=False, allow_infinity=False))
@settings(deadline=None)
def test_numbers_have_full_precision(value: float) -> None:
    assert json.loads(to_json([np.float64(value), np.array([value])])) == [value, [value]]


def test_what_results_hold_becomes_plain() -> None:
    held = Held("x", (Pair("a", math.nan), np.array([[1, 2]]), np.int64(3), np.array([True])[0], {"k": math.inf}))
    assert plain(held) == {"name": "x", "values": [{"first": "a", "p": None}, [[1, 2]], 3, True, {"k": None}]}
    assert plain({1: Path("a/b"), Measure.parse("AP"): range(2)}) == {"1": "a/b", "AP": [0, 1]}
    assert plain(Provenance.of(seed(1))) == {"seed": 1}


def test_sets_have_one_order() -> None:
    assert plain({"c", "a", "b"}) == plain(frozenset("bca")) == ["a", "b", "c"]


def test_lists_of_numbers_stand_on_one_line() -> None:
    text = to_json({"numbers": [1, 2, 3], "pairs": [{"a": 1}, {"a": 2}], "nothing": [], "empty": {}})
    assert text == (
        '{\n  "numbers": [1, 2, 3],\n  "pairs": [\n    {\n      "a": 1\n    },\n    {\n      "a": 2\n    }\n  ],\n'
        '  "nothing": [],\n  "empty": {}\n}\n'
    )


def test_letters_stay_as_they_are() -> None:
    assert "ω²" in to_json({"τ": "ω²"})
