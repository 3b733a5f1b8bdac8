"""Components of variance that are given instead of data."""

from __future__ import annotations

import math
from collections.abc import Mapping

from irgauge.choices import nearest
from irgauge.errors import DesignError, InputError

NAMES = (
    "topic",
    "system",
    "shard",
    "topic:system",
    "topic:shard",
    "system:shard",
    "instance",
    "residual",
)


OF_DIFFERENCES = ("topic:system", "system:shard", "instance", "residual")  # the others cancel in a difference


def read_components(text: str) -> dict[str, float]:
    """Components as they are typed.

    >>> read_components("topic:system=0.01, residual=0.004")
    {'topic:system': 0.01, 'residual': 0.004}
    """
    found: dict[str, float] = {}
    for part in text.split(","):
        name, equals, value = (one.strip() for one in part.partition("="))
        if not equals:
            raise InputError(f"'{part.strip()}' is no component; write name=variance, such as topic:system=0.01")
        if name in found:
            raise InputError(f"'{name}' is there twice; write it once")
        try:
            found[name] = float(value)
        except ValueError:
            raise InputError(f"'{value}' of {name} is not a number; write it like 0.01") from None
    return found


def checked_components(given: Mapping[str, float]) -> dict[str, float]:
    """Components that an experiment can have; names have their factors in one order."""
    found = {_name(name): float(variance) for name, variance in given.items()}
    for name, variance in found.items():
        if not 0 <= variance < math.inf:
            raise DesignError(f"the variance {variance} of {name} is not possible; it is 0 or more, such as 0.01")
    if "instance" in found and any("shard" in name for name in found):
        raise DesignError("shards and instances were both given; plan for one of them, and leave the other out")
    if sum(found.get(name, 0.0) for name in OF_DIFFERENCES) == 0:
        raise DesignError(f"no variance of differences was given; name one of {', '.join(OF_DIFFERENCES)}")
    return found


def _name(given: str) -> str:
    order = {"topic": 0, "system": 1, "shard": 2}
    name = ":".join(sorted(given.strip().lower().split(":"), key=lambda one: order.get(one, 3)))
    if name not in NAMES:
        message = f"there is no component '{given}'; did you mean '{nearest(given, NAMES)}'?"
        raise DesignError(f"{message} There are {', '.join(NAMES)}")
    return name
