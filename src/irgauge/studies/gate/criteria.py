"""What a gate asks for: measures, each with its margin, as they are written."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from irgauge.errors import DesignError
from irgauge.inference.margins import Margin
from irgauge.scoring.measures import Measure, parse_measures

Reader = Callable[[Sequence[str | Measure]], tuple[Measure, ...]]  # of names of measures


class Wanted(NamedTuple):
    """A measure and its margin."""

    measure: Measure
    margin: Margin


def wanted(
    measures: Sequence[str | Measure] | str | Measure, margin: str | float | None, read: Reader = parse_measures
) -> tuple[Wanted, ...]:
    """The measures with their margins; `margin` is that of measures that have none of their own.

    >>> [(str(one.measure), str(one.margin)) for one in wanted(["nDCG@10:1%", "RR"], 0.02)]
    [('nDCG@10', '1%'), ('RR', '0.02')]
    """
    specs = [measures] if isinstance(measures, str | Measure) else list(measures)
    if not specs:
        raise DesignError("no measure was given; name one, such as nDCG@10")
    criteria = tuple(criterion for each in specs for criterion in _each(each, margin, read))
    twice = [name for name, count in Counter(str(criterion.measure) for criterion in criteria).items() if count > 1]
    if twice:
        raise DesignError(f"the measure {twice[0]} is given twice; leave one of them out")
    return criteria


def _each(spec: str | Measure, margin: str | float | None, read: Reader) -> Iterator[Wanted]:
    name, own = _parted(spec) if isinstance(spec, str) else (spec, None)
    chosen = margin if own is None else own
    for measure in read([name]):
        if chosen is None:
            raise DesignError(
                f"{measure} has no margin, and a gate needs one: the smallest difference that matters; give it for all "
                f"measures, such as 1% of the baseline's mean, or with the measure, such as '{measure}:1%'"
            )
        yield Wanted(measure, Margin.parse(chosen))


def _parted(text: str) -> tuple[str, str | None]:
    """A measure and its margin, as in nDCG@10:1%; a colon within brackets is the measure's own."""
    name, colon, margin = text.rpartition(":")
    return (name, margin) if colon and ")" not in margin else (text, None)
