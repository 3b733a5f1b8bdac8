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
    components: dict[str, float] = {}
    for part in text.split(","):
        name, equals, value = (piece.strip() for piece in part.partition("="))
        if not equals:
            raise InputError(f"'{part.strip()}' is no component; write name=variance, such as topic:system=0.01")
        if name in components:
            raise InputError(f"'{name}' is there twice; write it once")
        try:
            components[name] = float(value)
        except ValueError:
            raise InputError(f"'{value}' of {name} is not a number; write it like 0.01") from None
    return components


def checked_components(components: Mapping[str, float]) -> dict[str, float]:
    """Components that an experiment can have; names have their factors in one order."""
    variances = {_name(name): float(variance) for name, variance in components.items()}
    for name, variance in variances.items():
        if not 0 <= variance < math.inf:
            raise DesignError(f"the variance {variance} of {name} is not possible; it is 0 or more, such as 0.01")
    if "instance" in variances and any("shard" in name for name in variances):
        raise DesignError("shards and instances were both given; plan for one of them, and leave the other out")
    if sum(variances.get(name, 0.0) for name in OF_DIFFERENCES) == 0:
        raise DesignError(f"no variance of differences was given; name one of {', '.join(OF_DIFFERENCES)}")
    return variances


def _name(text: str) -> str:
    order = {"topic": 0, "system": 1, "shard": 2}
    name = ":".join(sorted(text.strip().lower().split(":"), key=lambda factor: order.get(factor, 3)))
    if name not in NAMES:
        message = f"there is no component '{text}'; did you mean '{nearest(text, NAMES)}'?"
        raise DesignError(f"{message} There are {', '.join(NAMES)}")
    return name
