"""Claims as data: which are false, where the truth is known."""

from __future__ import annotations

from dataclasses import replace

import pytest

from irgauge.inference.assertions import Assertion, verdict_kind

PAIR = (("a", "b"),)


@pytest.mark.parametrize(
    ("verdict", "true_of"),
    [
        ("better", [0.02, 0.2]),
        ("worse", [-0.2, -0.02]),
        ("equivalent", [-0.02, 0.0, 0.02]),
        ("not worse", [-0.02, 0.0, 0.02, 0.2]),
        ("not better", [-0.2, -0.02, 0.0, 0.02]),
    ],
)
def test_a_verdict_is_false_where_the_difference_denies_it(verdict: str, true_of: list[float]) -> None:
    claim = Assertion(verdict_kind(verdict) or "difference", verdict, PAIR, margin=0.1)
    held = [d for d in (-0.2, -0.02, 0.0, 0.02, 0.2) if not claim.is_false({"a": d, "b": 0.0})]
    assert held == true_of
    lower = replace(claim, direction="lower")  # the same of scores of which less is better
    assert [d for d in (-0.2, -0.02, 0.0, 0.02, 0.2) if not lower.is_false({"a": -d, "b": 0.0})] == true_of


def test_an_effect_is_false_where_the_term_does_not_matter() -> None:
    claim = Assertion("effect", "there is one", terms=("topic", "system"))
    assert claim.is_false({}, without=frozenset({"system"}))
    assert not claim.is_false({}, without=frozenset({"shard"}))
    assert claim.to_dict() == {
        "kind": "effect",
        "verdict": "there is one",
        "terms": ["topic", "system"],
        "place": "primary",
    }
