"""Odd values: texts, numbers and objects that readers have to take or to refuse."""

from __future__ import annotations

import datetime as dt
import decimal
import fractions
import uuid
from random import Random
from typing import Any

import numpy as np

NUMBERS = (
    *("0", "1", "-1", "2", "0.5", "-0.0", "1.0", "1.5", "1e3", "1E+03", ".5", "5.", "+1", "00", "0x10", "1_0", "1,5"),
    *("nan", "NaN", "-nan", "inf", "-inf", "Infinity", "1e999", "-1e999", "1e-999", "5e-324", "1.7976931348623157e308"),
    *(str(2**31), str(2**31 - 1), str(-(2**31) - 1), str(2**53 + 1), str(2**63), str(-(2**63) - 1), str(2**64)),
    *("9" * 30, "9" * 400, "0." + "3" * 400, "1e", "1e+", "--1", "１", "٣", "½", "1e5_0", "0b1", "True"),
)
WORDS = (
    *("", " ", "a", "A", "é", "文", "e\u0301", "NA", "null", "None", "true", "all", "map", "AP", "nDCG@10", "#", "#x"),
    *("a b", "a\tb", "a\nb", "a\rb", "a,b", "a;b", "a:b", 'a"b', '"', "'", "\\", "\\n", "%s", "{}", "{0}", "$", "`"),
    *("../x", "/", ".", "..", "*", "?", "[", "]", "~", "-", "--", "-x", "<b>", "&amp;", "\u202e", "\ufeff", "\u2028"),
    *("\x00", "\x07", "\x1b[31m", "\x7f", "\x85", "\xa0", "\u200b", "\ud800", "\udcff", "😀", "x" * 300),
    *("\uffff", "\ufdd0", "\u200d", "https://x.test", "@user", "1" * 300),
    *("query_id", "doc_id", "score", "rank", "system", "runid", "topic", "measure", "replicate", "study", "q1", "d1"),
    *("mteb_model_meta", "number of the row", "iteration", "Q0", "mean", "se"),
)
LEAVES: tuple[Any, ...] = (
    *(None, True, False, 0, 1, -1, 2, 0.5, -0.0, 1e308, 5e-324, 2**31, 2**53 + 1, 2**63, -(2**63) - 1, 10**30, 10**400),
    *(float("nan"), float("inf"), float("-inf"), b"", b"a", b"\xff", [], {}, (), set(), frozenset(), object(), type),
    *(1j, decimal.Decimal("0.5"), decimal.Decimal("sNaN"), fractions.Fraction(1, 3), uuid.UUID(int=1), range(3)),
    *(dt.date(2020, 1, 1), dt.datetime(2020, 1, 1, tzinfo=dt.UTC), dt.timedelta(1), dt.time(1)),
    *(np.float32(0.5), np.float16(0.5), np.int8(1), np.uint64(2**64 - 1), np.bool_(1), np.str_("a"), np.bytes_(b"a")),
    *(np.datetime64("2020"), np.datetime64("NaT"), np.timedelta64(1), np.float64("nan"), np.array(1), np.array([1, 2])),
    *(
        np.array([]),
        np.array(["a"]),
        np.array([[0.5]]),
        np.array([None]),
        np.ma.masked,
        Ellipsis,
        NotImplemented,
        print,
    ),
)


def odd_text(rng: Random) -> str:
    """A number or a word as text."""
    return rng.choice(NUMBERS if rng.random() < 0.5 else WORDS)


def odd_value(rng: Random, *, of_json: bool = False) -> Any:  # noqa: ANN401  # of any type
    """Anything; or what JSON can hold."""
    if rng.random() < 0.5:
        return odd_text(rng)
    if of_json:
        return rng.choice((None, True, False, 0, 1, -1, 0.5, 1e308, 2**63, 10**30, float("nan"), float("inf"), [], {}))
    return rng.choice(LEAVES)


def with_odd_node(value: Any, rng: Random, *, of_json: bool = False) -> Any:  # noqa: ANN401  # of any type
    """The same value of mappings and lists, with one of its nodes, or one of its names, made odd."""
    if not isinstance(value, dict | list) or not value or rng.random() < 0.15:
        return rng.choice([odd_value(rng, of_json=of_json), [value], {"a": value}, {"q1": {"d1": value}}])
    if isinstance(value, list):
        place = rng.randrange(len(value))
        inner = with_odd_node(value[place], rng, of_json=of_json)
        return rng.choice([[*value[:place], inner, *value[place + 1 :]], [*value[:place], inner, *value[place:]]])
    key = rng.choice(list(value))
    others = {name: one for name, one in value.items() if name != key or rng.random() < 0.1}
    if rng.random() < 0.25:
        name = odd_text(rng) if of_json else rng.choice([odd_text(rng), None, 1, 0.5, True, ("a", "b"), b"a"])
        return others | {name: value[key]}
    return others | {key: with_odd_node(value[key], rng, of_json=of_json)}
