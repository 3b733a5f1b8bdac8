"""The command that gives the same result."""

from __future__ import annotations

import os
import shlex
from collections.abc import Iterator, Sequence

from irgauge.studies.gate.options import Asked
from irgauge.studies.gate.sides import Side
from irgauge.studies.gate.wanted import Wanted

_USUAL = ("alpha", "missing", "precision", "undecided")  # options that are named where they are not as usual


def command_of(qrels: object, sides: Sequence[Side], wanted: Sequence[Wanted], asked: Asked) -> str | None:
    """The command line; None where what was given are not files, or a baseline in several places."""
    baseline, candidate = (side.given for side in sides)
    if not isinstance(qrels, str | os.PathLike) or candidate is None or baseline is None or len(baseline) > 1:
        return None
    measures = [part for one in wanted for part in ("-m", f"{one.measure}:{one.margin}")]
    return shlex.join(["irgauge", "gate", str(qrels), *baseline, *candidate, *measures, *_options(asked)])


def _options(asked: Asked) -> Iterator[str]:
    for name in _USUAL:
        if (given := getattr(asked, name)) != getattr(Asked, name):
            yield from (f"--{name}", str(given))
    if asked.lock is not None:
        yield from ("--lock", str(asked.lock))
