"""Named facts of how a result came about."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from irgauge.provenance import Provenance

FACTS = st.dictionaries(st.sampled_from("abcdef"), st.none() | st.integers() | st.text(max_size=3))


@given(FACTS, FACTS)
def test_more_facts_replace_those_of_the_same_name_where_they_stand(
    one: dict[str, object], two: dict[str, object]
) -> None:
    found = Provenance(one) | two
    assert dict(found) == {name: fact for name, fact in {**one, **two}.items() if fact is not None}
    kept = [name for name in one if name in found]
    assert list(found)[: len(kept)] == kept


def test_facts_are_chosen_and_left_out_by_name() -> None:
    facts = Provenance({"test": "t", "alpha": 0.05, "seed": 1})
    assert list(facts.only("seed", "nothing", "test")) == ["seed", "test"]
    assert dict(facts.without("alpha", "nothing")) == {"test": "t", "seed": 1}
    assert (len(facts), facts["seed"], facts.get("nothing")) == (3, 1, None)
    assert "seed" in facts


def test_facts_stay_as_they_are() -> None:
    facts = Provenance({"a": 1})
    assert dict(facts | {"a": 2, "b": 3}) == {"a": 2, "b": 3}
    assert dict(facts) == {"a": 1}


def test_equal_facts_are_equal_whatever_holds_them() -> None:
    one, other = Provenance({"a": [1]}), Provenance({"a": [1]})
    assert one == other
    assert hash(one) == hash(other)
    assert one != Provenance({"a": [2]})
