"""Findings: data until a sentence is made of them."""

from __future__ import annotations

import pytest

from irgauge.show.finding import Finding, Findings, sentence


@sentence("greeting")
def greeting(*, name: str, times: int) -> str:
    """A greeting."""
    return " ".join([f"Hello {name}."] * times)


@sentence("doubt", "warning")
def doubt(*, name: str) -> str:
    """A doubt."""
    return f"Is it {name}?"


def test_a_finding_is_its_kind_and_its_fields() -> None:
    found = greeting(name="you", times=2)
    assert isinstance(found, Finding)
    assert (found.kind, found.fields, found.tone) == ("greeting", {"name": "you", "times": 2}, "finding")
    assert found.text == str(found) == "Hello you. Hello you."
    assert (doubt(name="you").tone, doubt(name="you").text) == ("warning", "Is it you?")


def test_fields_have_names() -> None:
    with pytest.raises(TypeError, match="the fields of a finding are named; doubt was given 1 without a name"):
        doubt("you")  # type: ignore[call-arg]  # what is tested


def test_findings_are_equal_where_they_say_the_same() -> None:
    assert greeting(name="you", times=1) == greeting(name="you", times=1)
    assert greeting(name="you", times=1) != greeting(name="me", times=1)
    assert "say" not in repr(greeting(name="you", times=1))


def test_what_it_covers_is_added_and_kept() -> None:
    found = greeting(name="you", times=1).about(population="topics")
    assert (found.population, found.measure) == ("topics", None)
    more = found.about(measure="AP")
    assert (more.population, more.measure) == ("topics", "AP")
    assert more.about(population="both").population == "both"


def test_an_object_has_the_fields_and_the_sentence() -> None:
    assert doubt(name="you").about(measure="AP").to_dict() == {
        "kind": "doubt",
        "tone": "warning",
        "measure": "AP",
        "population": None,
        "place": None,
        "claims": [],
        "text": "Is it you?",
        "fields": {"name": "you"},
    }


def test_findings_in_their_order_and_by_kind() -> None:
    found = Findings([doubt(name="b"), greeting(name="a", times=1), doubt(name="c")])
    assert [one.fields["name"] for one in found.of("doubt")] == ["b", "c"]
    assert isinstance(found.of("doubt"), Findings)
    assert found.texts() == ["Is it b?", "Hello a.", "Is it c?"]
    assert repr(found) == "- Is it b?\n- Hello a.\n- Is it c?"
    assert len(Findings()) == 0


def test_a_notebook_gets_them_escaped() -> None:
    shown = Findings([doubt(name="<script>")])._repr_html_()
    assert shown == "<ul><li>Is it &lt;script&gt;?</li></ul>"
