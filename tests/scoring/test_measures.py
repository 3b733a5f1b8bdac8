"""Measures as texts: parsing, printing, names in trec_eval, and what a user is told of a text that is none."""

from __future__ import annotations

import re
from collections.abc import Callable
from types import MappingProxyType
from typing import Any

import ir_measures
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from irgauge import DesignError, InputError, Measure
from irgauge.scoring.catalogue import RECORDS, Record
from irgauge.scoring.measures import named, parse_measures
from irgauge.scoring.parsing import MEASURES

BY_NAME = {record.name: record for record in RECORDS}

_whole = st.integers(1, 30)
_number = st.one_of(st.integers(1, 30), st.floats(0.01, 30, allow_nan=False))
_gains = st.dictionaries(st.integers(-2, 6), st.one_of(st.integers(0, 9), st.floats(0, 9)), min_size=1, max_size=4)
_share = st.floats(0, 0.99)
VALUES: dict[str, st.SearchStrategy[Any]] = {
    "rel": _whole,
    "min_rel": st.integers(0, 30),
    "max_rel": st.one_of(_whole, st.just("qrels")),
    "dcg": st.sampled_from(["log2", "exp-log2", "jk"]),
    "base": st.one_of(st.integers(2, 30), st.floats(1.01, 30)),
    "gains": _gains,
    "p": st.floats(0.001, 0.999),
    "T": _number,
    "multiple": _number,
    "recall": _share,
    "alpha": _share,
    "beta": _share,
    "relevant": _number,
    "other": _number,
    "missed": _number,
    "q": _share,
    "thresholds": st.dictionaries(st.integers(1, 6), st.floats(0.1, 9), min_size=1, max_size=4),
    "states": st.sampled_from(["relevant", "all"]),
    "steps": st.sampled_from(["global", "local"]),
    "distance": st.sampled_from(["inverse", "log", "none"]),
    **dict.fromkeys(("judged_only", "residual", "relative", "normalize", "times_recall"), st.booleans()),
}


def needs_at(record: Record) -> bool:
    """Whether what comes after @ is no cut-off, and is needed."""
    return record.at is not None and record.parameters[record.at].default is None


@st.composite
def given_values(draw: st.DrawFn, record: Record) -> dict[str, Any]:
    """Some parameters of a measure, in any order."""
    names = draw(st.permutations(sorted(record.parameters)))
    needed = record.at if needs_at(record) else None
    values = {name: draw(VALUES[name]) for name in names if name == needed or draw(st.booleans())}
    if values.get("dcg") != "jk":
        values.pop("base", None)
    return values


@st.composite
def cutoffs(draw: st.DrawFn, record: Record) -> int | None:
    """A cut-off, where the measure takes one."""
    if record.cutoff == "none" or (record.cutoff == "optional" and draw(st.booleans())):
        return None
    return draw(st.integers(1, 10_000))


@st.composite
def texts(draw: st.DrawFn) -> tuple[Record, dict[str, Any], int | None, str]:
    """A measure's record, parameters and cut-off, and a text that names them with spaces as one likes."""
    record = draw(st.sampled_from(RECORDS))
    values, cutoff = draw(given_values(record)), draw(cutoffs(record))
    space = draw(st.sampled_from(["", " "]))
    listed = f"{space},{space}".join(f"{name}{space}={space}{value!r}" for name, value in values.items())
    empty = draw(st.sampled_from(["", "()"]))
    brackets = f"({space}{listed}{space})" if values else empty
    cut = "" if cutoff is None else f"{space}@{space}{cutoff}"
    return record, values, cutoff, f"{space}{record.name}{brackets}{cut}{space}"


@given(texts())
def test_measure_has_what_its_text_says(drawn: tuple[Record, dict[str, Any], int | None, str]) -> None:
    record, values, cutoff, text = drawn
    measure = Measure.parse(text)
    defaults = {name: parameter.default for name, parameter in record.parameters.items()}
    assert measure.record is record
    assert measure.cutoff == cutoff
    assert measure.values == defaults | values


@given(texts())
def test_printed_measure_parses_to_itself(drawn: tuple[Record, dict[str, Any], int | None, str]) -> None:
    measure = Measure.parse(drawn[-1])
    again = Measure.parse(str(measure))
    assert again == measure
    assert hash(again) == hash(measure)
    assert str(again) == repr(again) == str(measure)


@given(texts())
def test_parameters_print_in_the_records_order_without_defaults(
    drawn: tuple[Record, dict[str, Any], int | None, str],
) -> None:
    record, values, _, text = drawn
    printed = re.findall(r"(?:\(|, )(\w+)=", str(Measure.parse(text)))
    given = [name for name, known in record.parameters.items() if name in values and values[name] != known.default]
    expected = [name for name in given if name != record.at]  # that one comes after @
    assert printed == expected


@pytest.mark.parametrize(
    ("text", "printed"),
    [
        ("RBP(rel=2, p=0.5)", "RBP(p=0.5, rel=2)"),
        ("nDCG(gains={2: 5, 1: 1}, base=3, dcg='jk')@10", "nDCG(dcg='jk', base=3, gains={1: 1, 2: 5})@10"),
        ('nDCG( dcg = "jk" ) @ 10', "nDCG(dcg='jk')@10"),
        ("AP(rel=1)", "AP"),
        ("AP()", "AP"),
        ("RBP(p=.80)@5", "RBP@5"),
        ("nDCG(dcg='jk', base=2)", "nDCG(dcg='jk')"),
        ("P@010", "P@10"),
    ],
)
def test_text_prints_in_its_one_form(text: str, printed: str) -> None:
    assert str(Measure.parse(text)) == printed


def test_measures_that_are_the_same_are_kept_once_in_the_order_given() -> None:
    measures = parse_measures(["P_10", "map", Measure.parse("P@10"), "AP(rel=1)", "AP(rel=2)"])
    assert [str(measure) for measure in measures] == ["P@10", "AP", "AP(rel=2)"]


# composed in Python


@given(texts())
def test_composed_measure_is_that_of_its_text(drawn: tuple[Record, dict[str, Any], int | None, str]) -> None:
    record, values, cutoff, text = drawn
    measure = named(record.name)(**values)
    if cutoff is not None:
        measure = measure @ cutoff
    assert measure == Measure.parse(text)
    assert str(measure) == str(Measure.parse(text))
    assert Measure.parse(str(measure)) == measure


@pytest.mark.parametrize("name", BY_NAME)
def test_every_measure_of_the_catalogue_composes(name: str) -> None:
    measure, record = named(name), BY_NAME[name]
    assert str(measure) == repr(measure) == name
    assert measure() == measure
    for parameter, known in record.parameters.items():
        if known.default is not None and parameter != "base":
            assert measure(**{parameter: known.default}) == measure
    if record.at is not None:
        assert measure @ 0.5 == Measure.parse(f"{name}@0.5") == measure(**{record.at: 0.5})
    elif record.cutoff == "none":
        with pytest.raises(InputError, match=f"measure '{name}@10': {name} takes no cut-off; write {name}"):
            measure @ 10
    else:
        assert measure @ 10 == Measure.parse(f"{name}@10")


def test_names_are_those_of_the_catalogue() -> None:
    assert tuple(BY_NAME) == tuple(MEASURES)
    with pytest.raises(InputError, match="the measure 'nDGC' is unknown; did you mean 'nDCG'"):
        named("nDGC")


COMPOSED: dict[str, Callable[[], object]] = {
    "AP(rel=0)": lambda: named("AP")(rel=0),
    "AP(rel=1.5)": lambda: named("AP")(rel=1.5),
    "AP(re=2)": lambda: named("AP")(re=2),
    "AP(2)": lambda: named("AP")(2),
    "RBP(0.8, rel=2)": lambda: named("RBP")(0.8, rel=2),
    "Twist(rel=2)": lambda: named("Twist")(rel=2),
    "IPrec@two": lambda: named("IPrec") @ "two",
    "IPrec@2": lambda: named("IPrec") @ 2,
    "IPrec": lambda: parse_measures(named("IPrec")),
    "nDCG(dcg='log')": lambda: named("nDCG")(dcg="log"),
    "nDCG(gains={1: -1})": lambda: named("nDCG")(gains={1: -1}),
    "nDCG(base=3)": lambda: named("nDCG")(base=3),
    "P@0": lambda: named("P") @ 0,
    "P@-1": lambda: named("P") @ -1,
    "P@1.5": lambda: named("P") @ 1.5,
    "P@ten": lambda: named("P") @ "ten",
    "P@True": lambda: named("P") @ True,
    "P@99999999999": lambda: named("P") @ 99999999999,
    "AP@10@20": lambda: named("AP") @ 10 @ 20,
    "AP@10(rel=2)": lambda: (named("AP") @ 10)(rel=2),
    "AP(rel=2)(rel=3)": lambda: named("AP")(rel=2)(rel=3),
    "Rprec@10": lambda: named("Rprec") @ 10,
    "R(rel=2)": lambda: parse_measures([named("R")(rel=2)]),
}


@pytest.mark.parametrize("text", COMPOSED)
def test_error_of_a_composed_measure_is_that_of_its_text(text: str) -> None:
    with pytest.raises(InputError) as of_text:
        Measure.parse(text)
    with pytest.raises(InputError) as of_python:
        COMPOSED[text]()
    assert str(of_python.value) == str(of_text.value)


def test_numbers_of_numpy_and_other_mappings_compose() -> None:
    assert named("RBP")(p=np.float64(0.95)) @ np.int64(10) == Measure.parse("RBP(p=0.95)@10")
    gains = MappingProxyType({np.int64(1): np.float32(0.5)})
    assert named("nDCG")(dcg=np.str_("jk"), gains=gains) == Measure.parse("nDCG(dcg='jk', gains={1: 0.5})")


def test_one_measure_needs_no_list() -> None:
    assert parse_measures("nDCG@10") == parse_measures(named("nDCG") @ 10) == parse_measures(["ndcg_cut_10"])


def test_measures_of_ir_measures_are_taken() -> None:
    theirs = [ir_measures.AP(rel=2), ir_measures.nDCG(dcg="exp-log2") @ 10, ir_measures.P @ 5]
    assert list(map(str, parse_measures(theirs))) == ["AP(rel=2)", "nDCG(dcg='exp-log2')@10", "P@5"]


# names of scores that others computed


@given(st.text(max_size=12))
def test_text_is_read_as_a_measure_or_kept_as_it_is(text: str) -> None:
    measure = Measure.read(text)
    if measure.is_opaque:
        assert str(measure) == text
        with pytest.raises(InputError):
            Measure.parse(text)
    else:
        assert measure == Measure.parse(text)
    assert Measure.read(str(measure)) == measure


def test_an_opaque_name_is_kept_and_not_computed() -> None:
    clicks = Measure.opaque("clicks")
    assert str(clicks) == clicks.trec_name == "clicks"
    assert parse_measures([clicks, "AP", clicks]) == (clicks, Measure("AP"))
    assert Measure.opaque("P") != named("P")
    with pytest.raises(DesignError, match="'clicks' is only a name in a table of scores"):
        clicks.kinds(np.array([0, 1]))


ALIASES = {
    "map": "AP",
    "map_cut_100": "AP@100",
    "map_cut.100": "AP@100",
    "map@5": "AP@5",
    "map(rel=2)": "AP(rel=2)",
    "P_10": "P@10",
    "P.10": "P@10",
    "precision@10": "P@10",
    "recall_100": "R@100",
    "recall.100": "R@100",
    "Rprec": "Rprec",
    "recip_rank": "RR",
    "recip_rank@5": "RR@5",
    "MRR": "RR",
    "MRR@10": "RR@10",
    "ndcg": "nDCG",
    "ndcg_cut_10": "nDCG@10",
    "ndcg_cut.10": "nDCG@10",
    "ndcg_cut_10(dcg='exp-log2')": "nDCG(dcg='exp-log2')@10",
    "bpref": "Bpref",
    "infAP": "infAP",
}


@pytest.mark.parametrize("alias", ALIASES)
def test_alias_names_its_measure_in_any_case(alias: str) -> None:
    name, bracket, rest = alias.partition("(")
    for spelling in (name, name.lower(), name.upper()):
        assert str(Measure.parse(spelling + bracket + rest)) == ALIASES[alias]


OF_OTHERS = ("success", "rbp")  # names that mean something else, unless they are written as ours are


@pytest.mark.parametrize("name", BY_NAME)
def test_name_of_a_measure_is_taken_in_any_case(name: str) -> None:
    record = BY_NAME[name]
    at = "@0.5" if needs_at(record) else "@10" if record.cutoff == "required" else ""
    for spelling in [name] if name.lower() in OF_OTHERS else [name, name.lower(), name.upper()]:
        assert str(Measure.parse(spelling + at)) == name + at


@pytest.mark.parametrize("name", OF_OTHERS)
def test_a_name_that_means_something_else_to_its_owner_is_not_taken_for_ours(name: str) -> None:
    with pytest.raises(InputError, match=f"'{name}'"):
        Measure.parse(name)


def test_no_two_measures_share_a_name_or_alias() -> None:
    for record in RECORDS:
        for name in (record.name, *record.aliases):
            others = [other for other in RECORDS if other is not record]
            taken = {one.lower() for other in others for one in (other.name, *other.aliases)}
            assert name.lower() not in taken


TREC_NAMES = {
    "AP": "map",
    "AP@100": "map_cut_100",
    "P@10": "P_10",
    "R@100": "recall_100",
    "Rprec": "Rprec",
    "RR": "recip_rank",
    "nDCG": "ndcg",
    "nDCG@10": "ndcg_cut_10",
    "Bpref": "bpref",
    "infAP": "infAP",
    # trec_eval has no such measure, or not with these parameters
    "RR@10": "RR@10",
    "AP(rel=2)": "AP(rel=2)",
    "nDCG(dcg='exp-log2')@10": "nDCG(dcg='exp-log2')@10",
    "RBP(p=0.95)": "RBP(p=0.95)",
    "Judged@10": "Judged@10",
    "Twist": "Twist",
}


@pytest.mark.parametrize("measure", TREC_NAMES)
def test_trec_name_is_trec_evals_where_it_has_the_measure(measure: str) -> None:
    assert Measure.parse(measure).trec_name == TREC_NAMES[measure]


@pytest.mark.parametrize("measure", TREC_NAMES)
def test_trec_name_parses_to_the_measure(measure: str) -> None:
    assert str(Measure.parse(TREC_NAMES[measure])) == measure


BAD = {
    # not a measure at all
    "": "'' is not a measure; write it like AP, P@10, nDCG(dcg='exp-log2')@10 or map",
    "AP(": "'AP(' is not a measure; write it like",
    "AP)": "'AP)' is not a measure; write it like",
    "@10": "'@10' is not a measure; write it like",
    "AP P": "'AP P' is not a measure; write it like",
    # unknown names
    "ndgc_cut_10": "measure 'ndgc_cut_10' is unknown; did you mean 'ndcg_cut_10'? `irgauge measures` lists all",
    "MAPP": "measure 'MAPP' is unknown; did you mean 'map'?",
    "NDCG10": "measure 'NDCG10' is unknown; did you mean 'nDCG@10'?",
    "recall_at10": "measure 'recall_at10' is unknown; did you mean",
    "nDCG@10,AP": "'nDCG@10,AP' names several measures; give each by itself, as in -m nDCG@10 -m AP",
    "RBP(p=0.8,rel=1),P@5": "give each by itself, as in -m RBP(p=0.8,rel=1) -m P@5",
    "BRP(p=0.8)": "measure 'BRP(p=0.8)' is unknown; did you mean 'RBP'?",
    "Sucess@10": "measure 'Sucess@10' is unknown; did you mean 'Success'?",
    "clicks": "measure 'clicks' is unknown; `irgauge measures` lists all",
    # which mean one thing here and another there
    "rbp": "in trec_eval it has p = 0.9 and divides grades by the highest of the topic, in ranx it needs p",
    "recall": "it is R@5, R@10, ... in trec_eval and SetR in ranx; write recall.5,10",
    "Accuracy@10": "it is Success@10 in BEIR and PairAccuracy@10 in ir_measures; write one of these",
    "Hole@10": "in BEIR it counts documents that are judged for no topic at all; write Unjudged@10",
    "recal_100": "measure 'recal_100' is unknown; did you mean 'recall_10'?",
    "ndcg_cut_10@5": "measure 'ndcg_cut_10@5' is unknown; did you mean 'ndcg_cut_10'?",
    # parameters
    "nDCG(bas=2)": "parameter 'bas' is unknown; did you mean 'base'? It takes dcg=, base=, gains=",
    "AP(re=2)": "measure 'AP(re=2)': parameter 're' is unknown; did you mean 'rel'? It takes rel=",
    "Twist(rel=2)": "measure 'Twist(rel=2)': parameter 'rel' is unknown; it takes judged_only=",
    "Judged(rel=2)@10": "measure 'Judged(rel=2)@10': Judged takes no parameters",
    "AP(rel=0)": "measure 'AP(rel=0)': rel=0 is not allowed; rel is a whole number from 1",
    "AP(rel=1.5)": "rel=1.5 is not allowed; rel is a whole number from 1",
    "AP(rel=True)": "rel=True is not allowed; rel is a whole number from 1",
    "AP(rel='2')": "rel='2' is not allowed; rel is a whole number from 1",
    "ERR(max_rel=0)": "max_rel=0 is not allowed; max_rel is a whole number from 1",
    "RBP(p=1)": "p=1 is not allowed; p is a number between 0 and 1",
    "RBP(p=0.0)": "p=0.0 is not allowed; p is a number between 0 and 1",
    "RBP(p=[0.8])": "p=[0.8] is not allowed; p is a number between 0 and 1",
    "INSQ(T=0)": "T=0 is not allowed; T is a number from 0.01 to 1e6",
    "INSQ(T=1e999)": "T=inf is not allowed; T is a number from 0.01 to 1e6",
    "nDCG(dcg='log')": "dcg='log' is not allowed; dcg is 'log2', 'exp-log2' or 'jk'",
    "nDCG(dcg='jk', base=1)": "base=1 is not allowed; base is a number above 1",
    "nDCG(gains={1: -1})": "gains={1: -1} is not allowed; gains is a mapping from grades to gains of at least 0",
    "nDCG(gains={1.5: 1})": "gains={1.5: 1} is not allowed; gains is a mapping from grades to gains",
    "nDCG(gains=[1, 2])": "gains=[1, 2] is not allowed; gains is a mapping from grades to gains",
    "nDCG(base=3)": "measure 'nDCG(base=3)': base= is for dcg='jk' only; with other bases nDCG stays the same",
    "nDCG(dcg='log2', base=3)": "base= is for dcg='jk' only",
    # how parameters are written
    "AP(2)": "measure 'AP(2)': write parameters like (name=value), such as RBP(p=0.8) or nDCG(dcg='jk')",
    "RBP(0.8, rel=2)": "write parameters like (name=value)",
    "AP(rel)": "write parameters like (name=value)",
    "AP(rel=two)": "write parameters like (name=value)",
    "AP(rel=)": "write parameters like (name=value)",
    "AP(**{'rel': 2})": "write parameters like (name=value)",
    "RBP(p=0.8)+(p=0.9)": "is not a measure; write it like AP",
    # cut-offs
    "P()": "measure 'P()' needs a cut-off, such as P@10",
    "P": "'P' names 9 measures (P@5, P@10, P@15, ...); name one of them",
    "R(rel=2)": "measure 'R(rel=2)' needs a cut-off, such as R@10",
    "Precision": "measure 'Precision' needs a cut-off, such as P@10",
    "IPrec": "measure 'IPrec' needs recall=, such as IPrec@0.1",
    "Rprec@10": "measure 'Rprec@10': Rprec takes no cut-off; write Rprec",
    "bpref@10": "measure 'bpref@10': Bpref takes no cut-off; write Bpref",
    "P@0": "measure 'P@0': the cut-off '0' is not a whole number from 1",
    "P_0": "measure 'P_0': the cut-off '0' is not a whole number from 1",
    "P@-1": "the cut-off '-1' is not a whole number from 1",
    "P@ten": "the cut-off 'ten' is not a whole number from 1",
    "P@1.5": "the cut-off '1.5' is not a whole number from 1",
    "P@99999999999": "the cut-off '99999999999' is not a whole number from 1",
    "AP@10(rel=2)": "the cut-off '10(rel=2)' is not a whole number from 1",
}


@pytest.mark.parametrize("text", BAD)
def test_error_says_what_was_given_and_what_is_allowed(text: str) -> None:
    with pytest.raises(InputError) as caught:
        Measure.parse(text)
    assert BAD[text] in str(caught.value)
    assert f"'{text}'" in str(caught.value)


ODD = {
    "a digit that is none for int()": "P@²",
    "a cut-off of thousands of digits": "P@" + "9" * 5000,
    "a parameter twice": "RBP(p=0.8, p=0.9)",
    "two brackets": "AP(rel=1)(rel=2)",
    "a comment": "RBP(p=0.9) #)",
    "a gain of a list": "nDCG(gains={[1]: 2})",
    "no gains": "nDCG(gains={})",
    "a number too large for a double": "INSQ(T=1" + "0" * 400 + ")",
}


@pytest.mark.parametrize("name", ODD)
def test_odd_text_is_refused_as_input(name: str) -> None:
    with pytest.raises(InputError):
        Measure.parse(ODD[name])


def test_a_grade_without_a_finite_gain() -> None:
    with pytest.raises(DesignError, match="grade 2000 of the qrels has no finite gain"):
        Measure.parse("nDCG(dcg='exp-log2')").gains(np.array([0, 2000]))


@settings(max_examples=50)
@given(st.text("APRrecnDCGmap@_.()=0123456789'{}:, ", max_size=10))
def test_text_is_a_measure_or_an_input_error_that_shows_it(text: str) -> None:
    measure, message = None, ""
    try:
        measure = Measure.parse(text)
    except InputError as error:
        message = str(error)
    assert Measure.parse(str(measure)) == measure if measure else f"'{text}'" in message


@pytest.mark.parametrize("name", BY_NAME)
def test_record_says_what_it_is(name: str) -> None:
    record = BY_NAME[name]
    assert record.title
    assert record.explanation.endswith(".")
    for parameter in record.parameters.values():
        assert parameter.allowed
        assert parameter.explanation
        assert parameter.default is None or parameter.accepts(parameter.default)


def test_hit_levels_are_those_that_the_measure_looks_at() -> None:
    grades = np.array([-1, 0, 1, 2])
    # grades −1, 0, 1, 2, and documents that are not in the qrels
    assert Measure.parse("AP").hit_levels(grades).tolist() == [False, False, True, True, False]
    assert Measure.parse("AP(rel=2)").hit_levels(grades).tolist() == [False, False, False, True, False]
    assert Measure.parse("Bpref").hit_levels(grades).tolist() == [True, True, True, True, False]
    assert Measure.parse("nDCG(gains={0: 1})").hit_levels(grades).tolist() == [False, True, True, True, False]
