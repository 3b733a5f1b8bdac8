"""From a text to a measure: its name in the catalogue or elsewhere, its parameters, and its cut-off."""

from __future__ import annotations

import ast
import re
from difflib import SequenceMatcher
from functools import lru_cache
from typing import Any, NamedTuple

from irgauge.choices import advice, nearest
from irgauge.errors import InputError
from irgauge.scoring.catalogue import RECORDS, Record
from irgauge.scoring.spellings import OTHERS, OWN, canonical

_SYNTAX = re.compile(
    r"(?P<head>[^\s()@]+?)\s*(\((?P<parameters>[^()#]*)\))?\s*(@\s*(?P<at>\S+?))?(-l(?P<level>[0-9]{1,4}))?"
)
_NEAR = 0.65  # of so many names, one is half like nearly anything
_LONGEST = 3000  # characters; a longer text may have a number of more digits than Python prints
_SETS_REL = re.compile(r"\brel\s*=|-l[0-9]+$")
_BY_NAME = {record.name: record for record in RECORDS}
NAMES = tuple(_BY_NAME)
Given = tuple[tuple[str, Any], ...]


class Parsed(NamedTuple):
    """What a text says of one measure."""

    record: Record
    given: Given  # parameters that are not at their default, in the record's order
    cutoff: int | None


class _Written(NamedTuple):
    """The parts of a text."""

    head: str
    parameters: dict[str, Any] | None  # None without brackets
    at: str | None
    level: int | None  # the lowest relevant grade, as ranx writes it: map@10-l2


@lru_cache(maxsize=2048)
def parsed(text: str, rel: int | None = None) -> tuple[Parsed, ...]:
    """The measures that a text names; a cut-off that one needs may still lack.

    `rel` is the lowest relevant grade of measures whose text sets none.

    >>> [(one.record.name, one.cutoff) for one in parsed("P.5,10")]
    [('P', 5), ('P', 10)]
    """
    written = _written(text, text)
    meant = canonical(written.head, written.at, text, is_bare=written.parameters is None)
    if meant is None:
        raise InputError(f"the measure '{text}' is unknown; {_advice(written.head)}")
    lowest = None if _SETS_REL.search(text) else rel
    return tuple(_parsed(one, written, text, lowest) for one in meant)


def is_known(text: str) -> bool:
    """Whether a text names measures that there are, as far as can be told before its parameters are read.

    >>> is_known("map"), is_known("click rate")
    (True, False)
    """
    try:
        written = _written(text, text)
        return canonical(written.head, written.at, text, is_bare=written.parameters is None) is not None
    except InputError:
        return False


def record_of(name: str) -> Record:
    """The record of a measure by its name in the catalogue."""
    return _BY_NAME[name]


def _advice(head: str) -> str:
    theirs = (one.name.format(k="10") for one in (*OTHERS, *OWN) if "@" not in one.name and not one.unclear)
    near = nearest(head, [*theirs, *_BY_NAME])  # of names alike but for case, ours
    is_near = SequenceMatcher(None, near.lower(), head.lower()).ratio() >= _NEAR
    return f"did you mean '{near}'? `irgauge measures` lists all" if is_near else "`irgauge measures` lists all"


def _written(text: str, shown: str) -> _Written:
    match = _SYNTAX.fullmatch(text.strip()) if len(text) <= _LONGEST else None
    if match is None:
        raise InputError(f"'{shown}' is not a measure; write it like AP, P@10, nDCG(dcg='exp-log2')@10 or map")
    level = None if match["level"] is None else int(match["level"])
    parameters = None if match["parameters"] is None else _literals(match["parameters"], shown)
    return _Written(match["head"], parameters, match["at"], level)


def _parsed(meant: str, written: _Written, text: str, rel: int | None) -> Parsed:
    """One measure of what a text means, with the parameters that the text has besides."""
    own = _written(meant, text)
    record = _BY_NAME[own.head]
    values = (own.parameters or {}) | (written.parameters or {})
    named = values.pop(record.at or "cutoff", None)  # as a parameter; what comes after @ goes first
    at = own.at if own.at is not None or named is None else str(named)
    values |= _levelled(record, values, written.level, text)
    if rel is not None and _has_rel(record, values):
        values["rel"] = rel
    if record.at is not None and at is not None:
        values[record.at], at = _number(at, record, text), None
    return Parsed(record, _given(record, values, text), _cutoff(record, at, text))


def _levelled(record: Record, values: dict[str, Any], level: int | None, text: str) -> dict[str, Any]:
    """What ranx's lowest grade sets: `rel`, or the gains of the grades below."""
    if level is None:
        return {}
    if _has_rel(record, values):
        return {"rel": level}
    if "gains" in record.parameters:
        return {"gains": dict.fromkeys(range(1, level), 0)} if level > 1 else {}
    raise InputError(f"measure '{text}': {record.name} has no lowest relevant grade; leave out -l{level}")


def _has_rel(record: Record, values: dict[str, Any]) -> bool:
    """Whether documents count as relevant from some grade on."""
    return "rel" in record.parameters and values.get("rel", record.parameters["rel"].default) is not None


def _number(at: str, record: Record, text: str) -> float:
    try:
        return float(at)
    except ValueError:
        raise InputError(f"measure '{text}': {record.at} '{at}' is not a number, as in {record.name}@0.1") from None


def _cutoff(record: Record, cutoff: str | None, text: str) -> int | None:
    if cutoff is None:
        return None
    if record.cutoff == "none":
        raise InputError(f"measure '{text}': {record.name} takes no cut-off; write {record.name}")
    if not re.fullmatch("0*[1-9][0-9]{0,8}", cutoff):
        raise InputError(f"measure '{text}': the cut-off '{cutoff}' is not a whole number from 1 to 999999999")
    return int(cutoff)


def _given(record: Record, values: dict[str, Any], text: str) -> Given:
    for name, value in values.items():
        _check_parameter(record, name, value, text)
    if "base" in values and values.get("dcg") != "jk":
        raise InputError(f"measure '{text}': base= is for dcg='jk' only; with other bases {record.name} stays the same")
    return tuple(
        (name, tuple(sorted(values[name].items())) if isinstance(values[name], dict) else values[name])
        for name, parameter in record.parameters.items()
        if name in values and values[name] != parameter.default
    )


def _check_parameter(record: Record, name: str, value: object, text: str) -> None:
    if not record.parameters:
        raise InputError(f"measure '{text}': {record.name} takes no parameters")
    if name not in record.parameters:
        takes = f"it takes {', '.join(f'{parameter}=' for parameter in record.parameters)}"
        raise InputError(f"measure '{text}': parameter '{name}' is unknown; {advice(name, record.parameters, takes)}")
    parameter = record.parameters[name]
    if not (value is None and parameter.default is None) and not parameter.accepts(value):
        raise InputError(f"measure '{text}': {name}={value!r} is not allowed; {name} is {parameter.allowed}")


def _literals(parameters: str, text: str) -> dict[str, Any]:
    """The keyword arguments in the brackets, which must be literals."""
    try:
        call = ast.parse(f"f({parameters})", mode="eval").body
        if isinstance(call, ast.Call) and not call.args and all(k.arg for k in call.keywords):
            values = {str(k.arg): ast.literal_eval(k.value) for k in call.keywords}
            if len(values) == len(call.keywords):
                return values
    except (SyntaxError, TypeError, ValueError, RecursionError):
        pass
    raise InputError(f"measure '{text}': write parameters like (name=value), such as RBP(p=0.8) or nDCG(dcg='jk')")
