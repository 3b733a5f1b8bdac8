"""Measure: a value that parses and prints (`nDCG@10`), knows its explanation, and scales levels and ranks."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from irgauge.errors import DesignError, InputError
from irgauge.scoring.catalogue import RECORDS, Record
from irgauge.scoring.kernels import NONRELEVANT, RELEVANT, UNSAMPLED, Scale

NO_CUTOFF = 2**31 - 1  # deeper than any list
_SYNTAX = re.compile(r"(?P<name>[\w.]+)\s*(\((?P<parameters>[^()#]*)\))?\s*(@\s*(?P<cutoff>\S+))?")
_TREC_CUTOFF = re.compile(r"(?P<name>[A-Za-z_]+)[_.](?P<k>\d+)")
_BY_NAME = {record.name: record for record in RECORDS}


@dataclass(frozen=True)
class Measure:
    """A measure with its parameters and cut-off.

    >>> Measure.parse("ndcg_cut_10"), Measure.parse("nDCG( dcg = 'log2' )@10")
    (nDCG@10, nDCG@10)
    >>> print(Measure.parse("RBP(p=0.95)@1000"))
    RBP(p=0.95)@1000
    """

    name: str
    given: tuple[tuple[str, Any], ...] = ()  # parameters that are not at their default, in the record's order
    cutoff: int | None = None

    @classmethod
    def parse(cls, text: str) -> Measure:
        """Read a measure as ir_measures writes it, or by its name in trec_eval."""
        match = _SYNTAX.fullmatch(text.strip())
        if match is None:
            raise InputError(f"'{text}' is not a measure; write it like AP, P@10, nDCG(dcg='exp-log2')@10 or map")
        record, cutoff = _record(match["name"], match["cutoff"], text)
        return cls(record.name, _given(record, match["parameters"], text), _cutoff(record, cutoff, text))

    def __str__(self) -> str:
        parameters = ", ".join(f"{name}={value!r}" for name, value in self._printable())
        cutoff = "" if self.cutoff is None else f"@{self.cutoff}"
        return self.name + (f"({parameters})" if parameters else "") + cutoff

    __repr__ = __str__

    @property
    def record(self) -> Record:
        """The measure's entry in the catalogue."""
        return _BY_NAME[self.name]

    @property
    def trec_name(self) -> str:
        """The name that trec_eval prints, where it has the measure; otherwise ours."""
        pattern = "{k}" if self.cutoff is not None else ""
        names = [alias for alias in self.record.aliases if ("{k}" in alias) == bool(pattern)]
        return names[0].format(k=self.cutoff) if names and not self.given else str(self)

    @cached_property
    def values(self) -> Mapping[str, Any]:
        """All parameters, defaults included."""
        defaults = {name: parameter.default for name, parameter in self.record.parameters.items()}
        given = {name: dict(value) if isinstance(value, tuple) else value for name, value in self.given}
        return defaults | given

    def kinds(self, grades: NDArray[np.int64]) -> NDArray[np.int8]:
        """Which levels are relevant, judged not relevant, or not sampled."""
        judged = np.where(grades >= self.values.get("rel", 1), RELEVANT, NONRELEVANT)
        return np.where(grades < 0, UNSAMPLED, judged).astype(np.int8)

    def gains(self, grades: NDArray[np.int64]) -> NDArray[np.float64]:
        """The gain of each level."""
        highest = self.values.get("max_rel")
        if highest is not None and grades.max() > highest:
            raise DesignError(f"{self}: the qrels have grade {grades.max()}, above max_rel={highest}; raise max_rel")
        with np.errstate(over="ignore"):
            gains = self.record.gains(grades, self.values)
        if not np.isfinite(gains).all():
            raise DesignError(f"{self}: grade {grades.max()} of the qrels has no finite gain; give it one with gains=")
        return gains

    def hit_levels(self, grades: NDArray[np.int64]) -> NDArray[np.bool_]:
        """The levels whose documents the kernel needs to see; the last place stands for the unjudged."""
        needed = (self.kinds(grades) == RELEVANT) | (self.gains(grades) > 0) | self.record.judged
        return np.append(needed, False)  # a value, not an option

    def scale(self, grades: NDArray[np.int64], strata: NDArray[np.int64], depth: int) -> Scale:
        """The values of levels, and of ranks down to `depth`, for the kernel."""
        gains = self.gains(grades)
        discounts = np.zeros(depth + 1)  # rank 0 is never used and counts nothing
        discounts[1:] = self.record.discounts(np.arange(1.0, depth + 1), self.values)
        return Scale(
            kinds=self.kinds(grades),
            gains=gains,
            order=np.argsort(-gains, kind="stable"),
            strata=np.unique(strata, return_inverse=True)[1].reshape(-1).astype(np.int64),
            discounts=discounts,
            cumulated=np.cumsum(discounts),
            cutoff=NO_CUTOFF if self.cutoff is None else self.cutoff,
        )

    def _printable(self) -> Iterable[tuple[str, Any]]:
        return ((name, dict(value) if isinstance(value, tuple) else value) for name, value in self.given)


def parse_measures(given: Iterable[str | Measure]) -> tuple[Measure, ...]:
    """Measures from their texts, each once."""
    measures = (Measure.parse(one) if isinstance(one, str) else one for one in given)
    return tuple(dict.fromkeys(measures))


def _record(name: str, cutoff: str | None, text: str) -> tuple[Record, str | None]:
    """The record of a name or alias; an alias may carry the cut-off."""
    if name in _BY_NAME:
        return _BY_NAME[name], cutoff
    trec = _TREC_CUTOFF.fullmatch(name)
    if trec is not None and cutoff is None and (found := _by_alias(trec["name"] + "_{k}")):
        return found, trec["k"]
    if found := _by_alias(name):
        return found, cutoff
    known = [alias.format(k="10") for record in RECORDS for alias in record.aliases] + list(_BY_NAME)
    near = _nearest(name, known)
    raise InputError(f"measure '{text}' is unknown; did you mean '{near}'? `irgauge measures` lists all")


def _nearest(name: str, known: Iterable[str]) -> str:
    """The known name most like the given one, upper and lower case aside."""
    folded = {one.lower(): one for one in known}
    return folded[get_close_matches(name.lower(), folded, n=1, cutoff=0.0)[0]]


def _by_alias(name: str) -> Record | None:
    for record in RECORDS:
        if name.lower() in (record.name.lower(), *(alias.lower() for alias in record.aliases)):
            return record
    return None


def _cutoff(record: Record, cutoff: str | None, text: str) -> int | None:
    if cutoff is None:
        if record.cutoff == "required":
            raise InputError(f"measure '{text}' needs a cut-off, such as {record.name}@10")
        return None
    if record.cutoff == "none":
        raise InputError(f"measure '{text}': {record.name} takes no cut-off; write {record.name}")
    if not re.fullmatch("0*[1-9][0-9]{0,8}", cutoff):
        raise InputError(f"measure '{text}': the cut-off '{cutoff}' is not a whole number from 1 to 999999999")
    return int(cutoff)


def _given(record: Record, parameters: str | None, text: str) -> tuple[tuple[str, Any], ...]:
    values = _literals(parameters, text)
    for name, value in values.items():
        _check_parameter(record, name, value, text)
    if "base" in values and values.get("dcg") != "jk":
        raise InputError(f"measure '{text}': base= is for dcg='jk' only; with other bases nDCG stays the same")
    return tuple(
        (name, tuple(sorted(values[name].items())) if isinstance(values[name], dict) else values[name])
        for name, parameter in record.parameters.items()
        if name in values and values[name] != parameter.default
    )


def _check_parameter(record: Record, name: str, value: object, text: str) -> None:
    if name not in record.parameters:
        if not record.parameters:
            raise InputError(f"measure '{text}': {record.name} takes no parameters")
        near = _nearest(name, record.parameters)
        known = ", ".join(f"{one}=" for one in record.parameters)
        raise InputError(f"measure '{text}': parameter '{name}' is unknown; did you mean '{near}'? It takes {known}")
    parameter = record.parameters[name]
    if not parameter.accepts(value):
        raise InputError(f"measure '{text}': {name}={value!r} is not allowed; {name} is {parameter.allowed}")


def _literals(parameters: str | None, text: str) -> dict[str, Any]:
    """The keyword arguments in the brackets, which must be literals."""
    try:
        call = ast.parse(f"f({parameters or ''})", mode="eval").body
        if isinstance(call, ast.Call) and not call.args and all(k.arg for k in call.keywords):
            values = {str(k.arg): ast.literal_eval(k.value) for k in call.keywords}
            if len(values) == len(call.keywords):
                return values
    except (SyntaxError, TypeError, ValueError):
        pass
    raise InputError(f"measure '{text}': write parameters like (name=value), such as RBP(p=0.8) or nDCG(dcg='jk')")
