"""Choices: a name out of several. One that is unknown is refused, and the nearest that is known is named."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from difflib import get_close_matches
from typing import TypeVar

from irgauge.errors import DesignError

Name = TypeVar("Name", bound=str)
_MOST_LISTED = 10  # names in an error
_FEW = 5  # names in an error, where there are more
_ALIKE = 0.5  # a name less like the given one than this is no help


def known(
    name: str,
    names: Iterable[Name],
    what: str,
    *,
    error: Callable[[str], Exception] = DesignError,
    hint: str | None = None,
) -> Name:
    """The one of `names` that is meant, upper and lower case aside; otherwise an error that names the nearest.

    `what` says what it is the name of. The error ends with `hint`, or with the names; of many, with the first.

    >>> known("Holm", ["holm", "bh"], "correction")
    'holm'
    >>> known("hlom", ["holm", "bh"], "correction")
    Traceback (most recent call last):
    irgauge.errors.DesignError: the correction 'hlom' is unknown; did you mean 'holm'? Choose from holm, bh
    """
    allowed = list(dict.fromkeys(names))
    text = str(name)  # from Python it may be anything
    same = [word for word in allowed if word == text] or [word for word in allowed if word.lower() == text.lower()]
    if len(same) == 1:
        return same[0]
    raise error(f"the {what} '{text}' is unknown; {advice(text, allowed, hint)}")


def nearest(name: str, names: Iterable[str]) -> str:
    """The name most like the given one, upper and lower case aside.

    >>> nearest("NDGC", ["AP", "nDCG"])
    'nDCG'
    """
    return _alike(name, names, least=0.0)[0]


def near(name: str, names: Iterable[str]) -> list[str]:
    """The name most like the given one, if it is near; else none.

    >>> near("nDCGG", ["AP", "nDCG"]), near("clicks", ["AP", "nDCG"])
    (['nDCG'], [])
    """
    return _alike(name, names, least=_ALIKE)


def _alike(name: str, names: Iterable[str], least: float) -> list[str]:
    """The name most like the given one, if it is at least so much like it."""
    folded = {name.lower(): name for name in names}
    return [folded[one] for one in get_close_matches(name.lower(), folded, n=1, cutoff=least)]


def advice(name: str, names: Iterable[str], hint: str | None = None) -> str:
    """What to write in place of an unknown name: the nearest, if it is near, then `hint`, or else the names.

    >>> advice("nDGC", ["AP", "nDCG"]), advice("clicks", ["AP", "nDCG"])
    ("did you mean 'nDCG'? Choose from AP, nDCG", 'choose from AP, nDCG')
    """
    allowed = list(names)
    if not allowed:
        return "there is none to choose from"
    rest = hint or f"choose from {_some(allowed)}"
    near = _alike(name, allowed, least=_ALIKE)
    return f"did you mean '{near[0]}'? {rest[:1].upper()}{rest[1:]}" if near else rest


def _some(names: Sequence[str]) -> str:
    """All names; of many, the first few and how many more there are."""
    if len(names) <= _MOST_LISTED:
        return ", ".join(names)
    return f"{', '.join(names[:_FEW])} and {len(names) - _FEW} more"
