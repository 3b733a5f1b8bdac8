"""Which scores of a measure are better, higher or lower ones: how it is written, and what names of columns tell."""

from __future__ import annotations

import re
from typing import Literal, get_args

from irgauge.errors import DesignError

Direction = Literal["higher", "lower"]
HIGHER: Direction = "higher"
LOWER: Direction = "lower"
_SIGNS: dict[Direction, int] = {HIGHER: 1, LOWER: -1}
# fmt: off
_LOWER_WORDS = frozenset((
    "latency", "latencies", "time", "times", "duration", "elapsed", "runtime", "delay", "seconds", "secs", "msec",
    "millis", "milliseconds", "cost", "costs", "price", "usd", "error", "errors", "err", "rmse", "mse", "mae", "wer",
    "cer", "loss", "losses", "perplexity", "ppl", "tokens", "hallucination", "hallucinations", "toxicity", "regret",
))  # what columns of which less is better are called
# fmt: on
_UNITS = ("ms", "sec", "s")  # behind a number's name, such as p95_ms
_WORDS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")


def sign_of(direction: Direction) -> int:
    """1 where more is better, −1 where less is."""
    return _SIGNS[direction]


def opposite(direction: Direction) -> Direction:
    """The other one."""
    return LOWER if direction == HIGHER else HIGHER


def parted(text: str) -> tuple[str, Direction | None]:
    """A measure and its direction, as they are written in options; None where none is.

    >>> parted("latency_ms:lower"), parted("nDCG(gains={1: 2})@10")
    (('latency_ms', 'lower'), ('nDCG(gains={1: 2})@10', None))
    """
    name, _, last = text.rpartition(":")
    for direction in get_args(Direction):
        if name and last.strip() == direction:
            return name.strip(), direction
    return text, None


def is_usually_lower(name: str) -> bool:
    """Whether columns of such a name usually hold what is better when there is less of it.

    >>> is_usually_lower("latency_ms"), is_usually_lower("responseTime"), is_usually_lower("timely")
    (True, True, False)
    """
    words = [word.lower() for word in _WORDS.findall(name)]
    return not _LOWER_WORDS.isdisjoint(words) or (len(words) > 1 and words[-1] in _UNITS)


def checked(direction: str, name: str) -> Direction:
    """A direction by its name; another is refused."""
    if direction not in _SIGNS:
        raise DesignError(f"the direction of {name} is '{direction}'; it is 'higher' or 'lower'")
    return direction
