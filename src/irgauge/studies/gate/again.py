"""The command that gives the same result."""

from __future__ import annotations

import shlex
from collections.abc import Iterator

from irgauge.options import options_of
from irgauge.studies.gate.given import Given
from irgauge.studies.gate.options import Asked

_OTHERWISE = ("measures", "margin", "workers")  # said with the measures, or not at all


def command_of(given: Given, asked: Asked) -> str | None:
    """The command line; None where what was given has no words."""
    if given.words is None:
        return None
    measures = [part for one in given.wanted for part in ("-m", f"{one.measure}:{one.margin}")]
    return shlex.join(["irgauge", "gate", *given.words, *measures, *_options(asked)])


def _options(asked: Asked) -> Iterator[str]:
    """Those that are not as usual."""
    for option in options_of(Asked):
        value = getattr(asked, option.name)
        if option.name not in _OTHERWISE and value != option.default:
            yield from (option.flag,) if value is True else (option.flag, str(value))
