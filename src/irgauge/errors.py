"""What can be wrong with what a user gave us."""

from __future__ import annotations

import warnings
from collections.abc import Iterable

from irgauge.visible import visible

_LEAST_ALPHA = 1e-9


class InputError(ValueError):
    """A file or an object that cannot be used: says where, what is wrong and what to do.

    >>> print(InputError("the score 'high' is not a number", path="a.run", line=3))
    a.run:3: the score 'high' is not a number
    """

    def __init__(self, message: str, *, path: str | None = None, line: int | None = None) -> None:
        self.message = message
        self.path = path
        self.line = line
        shown = "" if path is None else visible(path)
        place = "" if path is None else f"{shown}: " if line is None else f"{shown}:{line}: "
        super().__init__(place + visible(message, keep="\n"))


class DesignError(ValueError):
    """A question that these data, or these settings, cannot answer."""

    def __init__(self, message: str) -> None:
        super().__init__(visible(message, keep="\n"))


class DataWarning(UserWarning):
    """Something in the data that a careful reader of the results should know."""


class ExtensionWarning(UserWarning):
    """Something that another package adds to irgauge cannot be used."""


def warn_of(notes: Iterable[str]) -> None:
    """Give notes on the data as warnings to whoever called the verb that calls this."""
    for note in notes:
        warnings.warn(visible(note), DataWarning, stacklevel=4)


def check_alpha(alpha: float) -> None:
    """Alpha is a probability that can be reached and missed."""
    if not 0 < alpha < 1:
        raise DesignError(f"alpha is {alpha}; it lies between 0 and 1, such as 0.05")


def check_asked_alpha(alpha: float) -> None:
    """Alpha is not so near 0 or 1 that its share of many tests, or what is left to 1, is lost to rounding."""
    check_alpha(alpha)
    if not _LEAST_ALPHA <= alpha <= 1 - _LEAST_ALPHA:
        near = f"at least {_LEAST_ALPHA:g}" if alpha < 0.5 else f"at most 1 - {_LEAST_ALPHA:g}"
        raise DesignError(f"alpha is {alpha}; {near} can be computed with, such as 0.05")
