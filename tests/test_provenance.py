"""Facts of how a result came about, and how they read."""

from __future__ import annotations

import pickle

from hypothesis import given
from hypothesis import strategies as st

from irgauge.provenance import Fact, Provenance, fact, named

VALUES = st.none() | st.integers() | st.text(max_size=3)
FACTS = st.lists(st.builds(Fact, st.sampled_from("abcdef"), VALUES), unique_by=lambda one: one.name)


@given(FACTS, FACTS)
def test_more_facts_replace_those_of_the_same_name_where_they_stand(one: list[Fact], two: list[Fact]) -> None:
    found = Provenance.of(*one) | two
    values = {each.name: each.value for each in (*(each for each in one if each.value is not None), *two)}
    assert dict(found) == {name: value for name, value in values.items() if value is not None}
    kept = [each.name for each in one if each.name in found and each.value is not None]
    assert list(found)[: len(kept)] == kept
    assert dict(Provenance.of(*one, *two)) == dict(found)


def test_facts_are_chosen_and_left_out_by_name() -> None:
    facts = Provenance.of(Fact("test", "t"), Fact("alpha", 0.05), Fact("seed", 1))
    assert list(facts.only("seed", "nothing", "test")) == ["seed", "test"]
    assert dict(facts.without("alpha", "nothing")) == {"test": "t", "seed": 1}
    assert (len(facts), facts["seed"], facts.get("nothing")) == (3, 1, None)
    assert "seed" in facts


def test_facts_stay_as_they_are() -> None:
    facts = Provenance.of(Fact("a", 1))
    assert dict(facts | [Fact("a", 2), Fact("b", 3)]) == {"a": 2, "b": 3}
    assert dict(facts | Fact("a", None)) == {}
    assert dict(facts) == {"a": 1}


def test_equal_facts_are_equal_however_they_read() -> None:
    one, other = Provenance.of(Fact("a", [1], "one")), Provenance.of(Fact("a", [1], "two"))
    assert one == other
    assert hash(one) == hash(other)
    assert one != Provenance.of(Fact("a", [2]))


@fact("size")
def things(count: int, *, noun: str = "thing") -> str:
    """Some things."""
    return f"{count} {noun}s"


def test_facts_say_themselves_each_in_its_place() -> None:
    facts = Provenance.of(
        things(3), named("time_budget", 0.5), Fact("silent", 1), Fact("order", "up", "order: up", "reading")
    )
    assert (things(3).name, things(3).value) == ("things", 3)
    assert (things(None).value, things(2, noun="cat").text) == (None, "2 cats")
    assert facts.text == "time budget: 0.5; order: up; 3 things"
    assert facts.without_reading.text == "time budget: 0.5; 3 things"
    assert pickle.loads(pickle.dumps(facts)).text == facts.text  # noqa: S301  # its own


def test_what_other_claims_differ_in_is_told_last() -> None:
    first = Provenance.of(named("test", "t"), things(3))
    both = first.with_others([Provenance.of(named("test", "u"), things(3))])
    assert both.text == "test: t; 3 things; also computed: test: u"
    assert [dict(one) for one in both.others] == [{"test": "u"}]
    assert (both.alone, first.with_others([]), first.others) == (first, first, ())


def test_notes_and_records_are_found_without_a_name() -> None:
    facts = Provenance.of(Fact("a", 1, note="beside a number", record=2.5), Fact("b", 1, under_table="under a table"))
    assert (facts.notes, facts.under_tables) == (("beside a number",), ("under a table",))
    assert (facts.record(float), facts.record(str)) == (2.5, None)
