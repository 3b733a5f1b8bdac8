"""What a gate asks for: measures, each with its margin, as they are written."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from typing import NamedTuple

from irgauge.errors import DesignError
from irgauge.inference.margins import Margin
from irgauge.scoring.direction import is_usually_higher, parted
from irgauge.scoring.measures import Measure, parse_measures

Reader = Callable[[Sequence[str | Measure]], tuple[Measure, ...]]  # of names of measures


class Wanted(NamedTuple):
    """A measure and its margin."""

    measure: Measure
    margin: Margin

    @property
    def terms(self) -> str:
        """As they are written behind the measure: the margin, and before it the direction where that was written."""
        return f"{self.margin}" if self.measure.better is None else f"{self.measure.better}:{self.margin}"

    def __str__(self) -> str:
        return f"{self.measure}:{self.terms}"

    def of_logs(self, measure: Measure) -> Wanted:
        """The same of the measure's logarithms."""
        return Wanted(measure, self.margin.of_logs(measure.claimed_direction))


def wanted(
    measures: Sequence[str | Measure] | str | Measure,
    margin: str | float | None,
    read: Reader = parse_measures,
    of_files: Collection[str] = (),
) -> tuple[Wanted, ...]:
    """The measures with their margins; `margin` is that of measures that have none of their own.

    `of_files`: names that are those of files, as tables name no measure; such a name need not tell a direction.

    >>> [(str(one.measure), str(one.margin)) for one in wanted(["nDCG@10:1%", "RR"], 0.02)]
    [('nDCG@10', '1%'), ('RR', '0.02')]
    >>> [(str(one.measure), one.measure.direction) for one in wanted("Unjudged@10:lower:5%", None)]
    [('Unjudged@10', 'lower')]
    """
    specs = [measures] if isinstance(measures, str | Measure) else list(measures)
    if not specs:
        raise DesignError("no measure was given; name one, such as nDCG@10")
    criteria = tuple(criterion for each in specs for criterion in _each(each, margin, read, of_files))
    twice = [name for name, count in Counter(str(criterion.measure) for criterion in criteria).items() if count > 1]
    if twice:
        raise DesignError(f"the measure {twice[0]} is given twice; leave one of them out")
    return criteria


def slice_margins(texts: Sequence[str] | str | None) -> dict[tuple[str, str], Margin]:
    """The margins on kinds of topics: column and value -> margin.

    >>> {kind: str(margin) for kind, margin in slice_margins("type=long:5%").items()}
    {('type', 'long'): '5%'}
    """
    margins: dict[tuple[str, str], Margin] = {}
    for text in [texts] if isinstance(texts, str) else texts or ():
        kind, colon, margin = text.rpartition(":")
        column, equals, value = kind.partition("=")
        if not (colon and equals and column and value):
            raise DesignError(
                f"the margin '{text}' on a kind of topics cannot be read; write column=value:margin, as in type=long:5%"
            )
        if (column, value) in margins:
            raise DesignError(f"the kind of topics '{kind}' has two margins; leave one of them out")
        margins[column, value] = Margin.parse(margin)
    return margins


def _each(spec: str | Measure, margin: str | float | None, read: Reader, of_files: Collection[str]) -> Iterator[Wanted]:
    name, own = _parted(spec) if isinstance(spec, str) else (spec, None)
    chosen = margin if own is None else own
    for measure in read([name]):
        _refuse_undirected(measure, own, of_files)
        if chosen is None:
            example = Wanted(measure, Margin.parse("1%"))
            raise DesignError(
                f"{measure} has no margin, and a gate needs one: the smallest difference that matters; give it for all "
                f"measures, such as 1% of the baseline's mean, or with the measure, such as '{example}'"
            )
        yield Wanted(measure, Margin.parse(chosen))


def _parted(text: str) -> tuple[str, str | None]:
    """A measure and its margin, as in nDCG@10:1% and latency:lower:5%; a colon within brackets is the measure's own."""
    name, colon, margin = text.rpartition(":")
    is_margin = colon and ")" not in margin and parted(text)[1] is None
    return (name, margin) if is_margin else (text, None)


def _refuse_undirected(measure: Measure, margin: str | None, of_files: Collection[str]) -> None:
    """Refuse a name that does not tell that more is better, unless it is written which scores are."""
    _ = measure.claimed_direction
    is_unknown = measure.is_opaque and measure.better is None and not is_usually_higher(measure.name)
    if not measure.needs_direction and (not is_unknown or str(measure) in of_files):
        return
    is_lower = "sounds as if lower scores were better"
    sounds = is_lower if measure.needs_direction else "does not tell which scores are better"
    rest = "" if margin is None else f":{margin}"
    raise DesignError(
        f"'{measure}' {sounds}, and a gate must know: write '{measure}:lower{rest}', or '{measure}:higher{rest}'"
    )
