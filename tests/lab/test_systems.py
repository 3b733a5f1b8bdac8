"""Systems and grids as texts, there and back."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from irgauge.errors import InputError
from irgauge.lab.analysis import Analyser
from irgauge.lab.models import MODELS, Chosen, ModelParameter
from irgauge.lab.ranking import FEEDBACK
from irgauge.lab.systems import FULL_GRID, MODEL_GRID, System, default_grid, systems_of


def value_of(parameter: ModelParameter) -> st.SearchStrategy[float]:
    if parameter.is_whole:
        return st.integers(int(parameter.least), int(parameter.most)).map(float)
    return st.floats(parameter.least, parameter.most)


def chosen(name: str, parameters: dict[str, ModelParameter]) -> st.SearchStrategy[Chosen]:
    drawn = st.tuples(*(value_of(parameter) for parameter in parameters.values()))
    return drawn.map(lambda values: Chosen(name, tuple(zip(parameters, values, strict=True))))


systems = st.builds(
    System,
    st.one_of(*(chosen(name, dict(model.parameters)) for name, model in MODELS.items())),
    st.one_of(st.none(), *(chosen(name, dict(parameters)) for name, parameters in FEEDBACK.items())),
    st.none() | st.builds(Analyser, st.sampled_from(["none", "short", "long"]), st.sampled_from(["none", "porter"])),
)


@given(systems)
def test_the_text_of_a_system_says_all_of_it(system: System) -> None:
    assert System.of(str(system)) == system
    assert not any(sign in str(system) for sign in ' \t\n/\\:*?"<>|')  # it names a file and stands in a run


def test_values_that_are_the_usual_ones_are_left_out() -> None:
    assert str(System.of("bm25(k1=0.9,b=0.4)+rm3(docs=10)")) == "bm25+rm3"
    assert str(System.of(" bm25( b=0.75 ) + rm3(terms=20) ")) == "bm25(b=0.75)+rm3(terms=20)"
    assert str(System.of("Short-Porter-BM25+RM3")) == "short-porter-bm25+rm3"
    assert str(System.of("dirichlet(mu=1e+6)")) == "dirichlet(mu=1000000)"
    assert System.of("bm25").chosen.values == {"k1": 0.9, "b": 0.4}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("bm52", "the model 'bm52' is unknown; did you mean 'bm25'?"),
        ("bm25(k2=1)", "the parameter of bm25 'k2' is unknown; did you mean 'k1'?"),
        ("bm25(k1=much)", "k1 of bm25 is 'much'; it is a number, such as 0.9"),
        ("bm25(k1)", "k1 of bm25 is ''; it is a number"),
        ("bm25(b=1.5)", "b of bm25 is 1.5; it lies between 0 and 1"),
        ("bm25(b=-1)", "b of bm25 is -1; it lies between 0 and 1"),
        ("bm25(b=nan)", "b of bm25 is nan; it lies between"),
        ("dirichlet(mu=0)", "mu of dirichlet is 0; it lies between 0.001 and"),
        ("bm25+rm3(docs=2.5)", "docs of rm3 is 2.5; it is a whole number"),
        ("bm25+rm4", "the feedback 'rm4' is unknown; did you mean 'rm3'?"),
        ("porter-bm25", "'porter-bm25' is no system; write it like bm25, short-porter-bm25"),
        ("short-prter-bm25", "the stemmer 'prter' is unknown"),
        ("bm25(k1=1", "'bm25(k1=1' is no system; write it like bm25"),
        ("bm25+", "'bm25+' is no system"),
        ("bm25(k1=1,k1=2)", "'bm25(k1=1,k1=2)' gives a parameter twice; leave one out"),
        ("bm25(k1=1,)", "the parameter of bm25 '' is unknown"),
        ("", "'' is no system; write it like bm25"),
    ],
)
def test_a_text_that_is_no_system_is_refused(text: str, message: str) -> None:
    with pytest.raises(InputError) as caught:
        System.of(text)
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("grid", "texts"),
    [
        ("bm25", ["bm25"]),
        ("bm25,jm", ["bm25", "jm"]),
        ("{bm25,pl2}{,+rm3}", ["bm25", "bm25+rm3", "pl2", "pl2+rm3"]),
        ("bm25(k1={0.5,0.9},b={0.4,1})", ["bm25(k1=0.5)", "bm25(k1=0.5,b=1)", "bm25", "bm25(b=1)"]),
        ("{none,short}-porter-jm", ["none-porter-jm", "short-porter-jm"]),
        ("{bm25(k1=1,b={0.1,0.2}),jm}", ["bm25(k1=1,b=0.1)", "bm25(k1=1,b=0.2)", "jm"]),
        ("bm25,bm25(k1=0.9)", ["bm25"]),
        ("bm25, {jm, pl2}", ["bm25", "jm", "pl2"]),
        ("{{bm25,jm}+rm3,pl2}", ["bm25+rm3", "jm+rm3", "pl2"]),
    ],
)
def test_braces_hold_alternatives(grid: str, texts: list[str]) -> None:
    assert [str(system) for system in systems_of(grid)] == texts


@pytest.mark.parametrize(
    ("grid", "message"),
    [
        ("{bm25,jm", "the grid has a '{' without a '}'"),
        ("bm25}", "the grid has a '}' without a '{'"),
        ("bm25,", "'' is no system"),
        ("bm25(k1=" + "{1,2}" * 15 + ")", "the grid has more than 10,000 systems; ask for fewer alternatives"),
    ],
)
def test_a_text_that_is_no_grid_is_refused(grid: str, message: str) -> None:
    with pytest.raises(InputError) as caught:
        systems_of(grid)
    assert message in str(caught.value)


def test_the_grids_are_all_that_there_is() -> None:
    assert len(systems_of(MODEL_GRID)) == 10
    assert len({str(system) for system in systems_of(FULL_GRID)}) == 90
    assert default_grid(Analyser()) == FULL_GRID
    assert default_grid(Analyser("short", "porter")) == MODEL_GRID
