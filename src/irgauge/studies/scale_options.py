"""Options of studies that can be asked of scores on another scale."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import KW_ONLY, dataclass
from typing import Annotated, Literal

from irgauge.names import Transform
from irgauge.options.fields import Help


def _transforms() -> Iterable[str]:
    """The scales that scores can be set on."""
    from irgauge.scoring.transforms import TRANSFORMS

    return TRANSFORMS


def scales() -> Iterable[str]:
    """The scales on which ratios are compared."""
    return ("log",)


@dataclass(frozen=True)
class Scaled:
    """A study that can compare ratios."""

    _: KW_ONLY
    scale: Annotated[
        Literal["log"] | None,
        Help(
            "log: compare ratios of scores above 0, such as latencies, by their logarithms; means are geometric, and "
            "a margin is in per cent.",
            names=scales,
        ),
    ] = None


@dataclass(frozen=True)
class Transforming:
    """A study that can be asked of scores on another scale."""

    _: KW_ONLY
    transform: Annotated[
        Transform | None,
        Help("Ask it of transformed scores; undefined ones are filled before.", names=_transforms),
    ] = None
