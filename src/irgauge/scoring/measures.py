"""Measure: a value that parses and prints (`nDCG@10`), knows its explanation, and scales levels and ranks."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from irgauge.arrays import Bools, Floats, Ints
from irgauge.choices import known, nearest
from irgauge.errors import DesignError, InputError
from irgauge.scoring.catalogue import RECORDS, Record
from irgauge.scoring.kernels import NONRELEVANT, RELEVANT, UNSAMPLED, Scale

NO_CUTOFF = 2**31 - 1  # deeper than any list
_SYNTAX = re.compile(r"(?P<name>[\w.]+)\s*(\((?P<parameters>[^()#]*)\))?\s*(@\s*(?P<cutoff>\S+))?")
_TREC_CUTOFF = re.compile(r"(?P<name>[A-Za-z_]+)[_.](?P<k>\d+)")
_BY_NAME = {record.name: record for record in RECORDS}
NAMES = tuple(_BY_NAME)


@dataclass(frozen=True)
class Measure:
    """A measure with its parameters and cut-off, read from a text or composed in Python.

    >>> Measure.parse("ndcg_cut_10"), Measure.parse("nDCG( dcg = 'log2' )@10")
    (nDCG@10, nDCG@10)
    >>> RBP = named("RBP")
    >>> RBP(p=0.95) @ 1000 == Measure.parse("RBP(p=0.95)@1000")
    True
    """

    name: str
    given: tuple[tuple[str, Any], ...] = ()  # parameters that are not at their default, in the record's order
    cutoff: int | None = None
    is_opaque: bool = False  # only a name, of scores that others computed

    @classmethod
    def parse(cls, text: str) -> Measure:
        """Read a measure as ir_measures writes it, or by its name in trec_eval."""
        measure = _composed(text)
        if measure.cutoff is None and measure.record.cutoff == "required":
            raise InputError(f"measure '{text}' needs a cut-off, such as {measure.name}@10")
        return measure

    @classmethod
    def opaque(cls, name: str) -> Measure:
        """A name of scores that others computed."""
        return cls(name, is_opaque=True)

    @classmethod
    def read(cls, text: str) -> Measure:
        """The measure that a text names, or else the text as an opaque name.

        >>> Measure.read("map"), Measure.read("click rate"), Measure.read("click rate").is_opaque
        (AP, click rate, True)
        """
        try:
            return cls.parse(text)
        except InputError:
            return cls.opaque(text)

    def __call__(self, *unnamed: object, **parameters: object) -> Measure:
        """The measure with these parameters, as its text would have them: `RBP(p=0.8)`."""
        arguments = [*map(_literal, unnamed), *(f"{name}={_literal(value)}" for name, value in parameters.items())]
        return _composed(f"{self}({', '.join(arguments)})")

    def __matmul__(self, cutoff: object) -> Measure:
        """The measure with a cut-off: `nDCG @ 10`."""
        return _composed(f"{self}@{cutoff}")

    def __str__(self) -> str:
        parameters = ", ".join(f"{name}={value!r}" for name, value in self._printable())
        cutoff = "" if self.cutoff is None else f"@{self.cutoff}"
        return self.name + (f"({parameters})" if parameters else "") + cutoff

    __repr__ = __str__

    @property
    def record(self) -> Record:
        """The measure's entry in the catalogue."""
        if self.is_opaque:
            raise DesignError(f"'{self}' is only a name in a table of scores: irgauge cannot compute it from runs")
        return _BY_NAME[self.name]

    @property
    def trec_name(self) -> str:
        """The name that trec_eval prints, where it has the measure; otherwise ours."""
        if self.is_opaque or self.given:
            return str(self)
        names = [alias for alias in self.record.aliases if ("{k}" in alias) == (self.cutoff is not None)]
        return names[0].format(k=self.cutoff) if names else str(self)

    @cached_property
    def values(self) -> Mapping[str, Any]:
        """All parameters, defaults included."""
        defaults = {name: parameter.default for name, parameter in self.record.parameters.items()}
        given = {name: dict(value) if isinstance(value, tuple) else value for name, value in self.given}
        return defaults | given

    def kinds(self, grades: Ints) -> NDArray[np.int8]:
        """Which levels are relevant, judged not relevant, or not sampled."""
        judged = np.where(grades >= self.values.get("rel", 1), RELEVANT, NONRELEVANT)
        return np.where(grades < 0, UNSAMPLED, judged).astype(np.int8)

    def gains(self, grades: Ints) -> Floats:
        """The gain of each level."""
        highest = self.values.get("max_rel")
        if highest is not None and grades.max() > highest:
            raise DesignError(f"{self}: the qrels have grade {grades.max()}, above max_rel={highest}; raise max_rel")
        with np.errstate(over="ignore"):
            gains = self.record.gains(grades, self.values)
        if not np.isfinite(gains).all():
            raise DesignError(f"{self}: grade {grades.max()} of the qrels has no finite gain; give it one with gains=")
        return gains

    def hit_levels(self, grades: Ints) -> Bools:
        """The levels whose documents the kernel needs to see; the last place is for the unjudged."""
        needed = (self.kinds(grades) == RELEVANT) | (self.gains(grades) > 0) | self.record.judged
        return np.append(needed, False)  # a value, not an option

    def scale(self, grades: Ints, strata: Ints, depth: int) -> Scale:
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


def named(name: str) -> Measure:
    """A measure of the catalogue to compose others from; it may still need a cut-off.

    >>> P = named("P")
    >>> P @ 10, P(rel=2) @ 10
    (P@10, P(rel=2)@10)
    """
    return Measure(known(name, NAMES, "measure", error=InputError))


def parse_measures(given: str | Measure | Iterable[str | Measure]) -> tuple[Measure, ...]:
    """One or several measures, each once. One that is composed in Python must have the cut-off that it needs."""
    several = [given] if isinstance(given, str | Measure) else given
    return tuple(dict.fromkeys(_complete(one) for one in several))


def _complete(given: str | Measure) -> Measure:
    return given if isinstance(given, Measure) and given.is_opaque else Measure.parse(str(given))


def _composed(text: str) -> Measure:
    """The measure that a text names, which may still need a cut-off."""
    match = _SYNTAX.fullmatch(text.strip())
    if match is None:
        raise InputError(f"'{text}' is not a measure; write it like AP, P@10, nDCG(dcg='exp-log2')@10 or map")
    record, cutoff = _record(match["name"], match["cutoff"], text)
    return Measure(record.name, _given(record, match["parameters"], text), _cutoff(record, cutoff, text))


def _literal(value: object) -> str:
    """A value as a text has it; numpy's numbers print with their type, which a text has not."""
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{_literal(key)}: {_literal(one)}" for key, one in value.items()) + "}"
    return repr(value.item() if isinstance(value, np.generic) else value)


def _record(name: str, cutoff: str | None, text: str) -> tuple[Record, str | None]:
    """The record of a name or alias; an alias may carry the cut-off."""
    if name in _BY_NAME:
        return _BY_NAME[name], cutoff
    trec = _TREC_CUTOFF.fullmatch(name)
    if trec is not None and cutoff is None and (found := _by_alias(trec["name"] + "_{k}")):
        return found, trec["k"]
    if found := _by_alias(name):
        return found, cutoff
    near = nearest(name, [alias.format(k="10") for record in RECORDS for alias in record.aliases] + list(_BY_NAME))
    raise InputError(f"the measure '{text}' is unknown; did you mean '{near}'? `irgauge measures` lists all")


def _by_alias(name: str) -> Record | None:
    for record in RECORDS:
        if name.lower() in (record.name.lower(), *(alias.lower() for alias in record.aliases)):
            return record
    return None


def _cutoff(record: Record, cutoff: str | None, text: str) -> int | None:
    if cutoff is None:
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
    if not record.parameters:
        raise InputError(f"measure '{text}': {record.name} takes no parameters")
    if name not in record.parameters:
        near, takes = nearest(name, record.parameters), ", ".join(f"{one}=" for one in record.parameters)
        raise InputError(f"measure '{text}': parameter '{name}' is unknown; did you mean '{near}'? It takes {takes}")
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
