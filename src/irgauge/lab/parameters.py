"""Parameters of models and of feedback, and the values that a text such as k1=0.9,b=0.4 gives them."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

from irgauge.choices import known
from irgauge.errors import InputError

Values = Mapping[str, float]  # of parameters, by their names


@dataclass(frozen=True)
class Parameter:
    """A number that a model, or feedback, takes."""

    default: float
    least: float
    most: float
    told: str
    is_whole: bool = False

    def read(self, text: str, name: str) -> float:
        """The value that a text gives; refuses what is no number, or out of range."""
        try:
            value = float(text)
        except ValueError:
            raise InputError(f"{name} is '{text}'; it is a number, such as {self.default:g}") from None
        if not math.isfinite(value) or not self.least <= value <= self.most:
            raise InputError(f"{name} is {text}; it lies between {self.least:g} and {self.most:g}")
        if self.is_whole and value != int(value):
            raise InputError(f"{name} is {text}; it is a whole number")
        return value


@dataclass(frozen=True)
class Chosen:
    """One of several, by its name, with a value for each of its parameters."""

    name: str
    given: tuple[tuple[str, float], ...]  # by the order of the parameters

    @property
    def values(self) -> Values:
        """The values by the names of parameters."""
        return dict(self.given)

    def text(self, parameters: Mapping[str, Parameter]) -> str:
        """As it is written: values that are the usual ones are left out."""
        settings = [f"{name}={_number(value)}" for name, value in self.given if value != parameters[name].default]
        return f"{self.name}({','.join(settings)})" if settings else self.name


def _number(value: float) -> str:
    return str(int(value)) if value == int(value) else repr(value)


def choose(name: str, text: str | None, registry: Mapping[str, Mapping[str, Parameter]], what: str) -> Chosen:
    """The one of this name, with values such as k1=0.9,b=0.4; parameters not given have their defaults."""
    owner = known(name, registry, what, error=InputError)
    parameters = registry[owner]
    read = [_pair(part, owner, parameters) for part in text.split(",")] if text else []
    pairs = dict(read)
    if len(pairs) < len(read):
        raise InputError(f"'{name}({text})' gives a parameter twice; leave one out")
    values = {key: pairs.get(key, parameter.default) for key, parameter in parameters.items()}
    return Chosen(owner, tuple(values.items()))


def _pair(text: str, owner: str, parameters: Mapping[str, Parameter]) -> tuple[str, float]:
    """A parameter and its value, from a text such as k1=0.9."""
    name, _, value = text.partition("=")
    parameter = known(name.strip(), parameters, f"parameter of {owner}", error=InputError)
    return parameter, parameters[parameter].read(value.strip(), f"{parameter} of {owner}")
