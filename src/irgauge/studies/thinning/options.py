"""The options of `thinning`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass
from typing import TYPE_CHECKING, Annotated, Literal, NamedTuple, get_args

from irgauge.choices import known
from irgauge.errors import DesignError
from irgauge.options.fields import Help
from irgauge.studies.shared_options import MEASURES, Levelled, Measures, Seeded, numbers

if TYPE_CHECKING:
    from irgauge.scoring.measures import Measure


WayName = Literal["stratified", "random", "depth"]


class Way(NamedTuple):
    """A way to thin judgments."""

    explanation: str
    sizes: tuple[int, ...]  # that are usual
    is_drawn: bool = True  # else it is the same each time


_MOST_SHARE = 99  # per cent: all judgments are there in any case
_SHARES = (90, 70, 50, 30, 10)
WAYS: Mapping[WayName, Way] = {
    "stratified": Way("a share of each grade of a topic", _SHARES),
    "random": Way("a share of all judgments of a topic, one of them relevant", _SHARES),
    "depth": Way("what some run has in its top documents", (100, 50, 25, 10, 5), is_drawn=False),
}


def _ways() -> Iterable[str]:
    return get_args(WayName)


def _way_told() -> str:
    return f"What is kept: {'; '.join(f'{name}: {way.explanation}' for name, way in WAYS.items())}."


@dataclass(frozen=True)
class ThinningOptions(Measures, Seeded, Levelled):
    """What is asked of thinned judgments."""

    measures: Annotated[Sequence[str | Measure] | str | Measure, MEASURES] = ("AP", "Bpref", "nDCG@10")
    _: KW_ONLY
    way: Annotated[WayName, Help(_way_told, names=_ways)] = "stratified"
    sizes: Annotated[
        Sequence[int] | None,
        Help(
            "Per cent of judgments that are kept, or depths of pools; if not given 90,70,50,30,10, or depths "
            "100,50,25,10,5.",
            read=numbers,
        ),
    ] = None
    repeats: Annotated[int, Help("How often judgments are drawn; pools of depths are not.", least=1, most=100_000)] = 10
    draws: Annotated[int, Help("Draws of each randomised Tukey test.", least=1, most=1_000_000)] = 1000

    def __post_init__(self) -> None:
        """Refuse a way that there is not, and sizes that are none."""
        object.__setattr__(self, "way", known(self.way, get_args(WayName), "way"))
        sizes = WAYS[self.way].sizes if self.sizes is None else self.sizes
        if not sizes or min(sizes) < 1 or (self.way != "depth" and max(sizes) > _MOST_SHARE):
            allowed = "depths from 1" if self.way == "depth" else f"per cent from 1 to {_MOST_SHARE}"
            given = ", ".join(map(str, sizes))
            raise DesignError(f"the sizes '{given}' are not possible; they are {allowed}, such as 50,10")

    @property
    def kept_sizes(self) -> tuple[int, ...]:
        """The sizes, the largest first."""
        return tuple(sorted(set(self.sizes or WAYS[self.way].sizes), reverse=True))

    @property
    def times(self) -> int:
        """How often judgments are thinned."""
        return self.repeats if WAYS[self.way].is_drawn else 1

    def named(self, size: int) -> str:
        """A size as tables say it."""
        return str(size) if self.way == "depth" else f"{size} %"
