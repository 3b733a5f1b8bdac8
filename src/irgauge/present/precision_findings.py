"""What a bootstrap shows, in sentences that can be quoted, each with its method and its population."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from irgauge.present.sentences import counted, listed
from irgauge.studies.precision import Precision, Spread, precision
from irgauge.studies.reliability import SWAPS, HeldOut, Reliability

POPULATIONS = {
    "documents": "these topics, other documents",
    "topics": "other topics, these documents",
    "both": "other topics, other documents",
}
METHODS = {
    "documents": "corpus bootstrap",
    "topics": "topic bootstrap",
    "both": "bootstrap of corpus and topics",
}
_NAMED = 3  # neighbours that swap
_OFF = 0.4  # of alpha: so far may the share of held-out differences be from what is expected
_ENOUGH = 1000  # differences to judge that share by


def findings(result: Reliability) -> list[str]:
    """Which measure is the most stable, how many digits are justified, which neighbours swap, and the check."""
    measures = precision(result)
    told = [_digits(result, measures)]
    if len(result.systems) > 1:
        told = [*_differences(result, measures), _ranking(result, measures), *told]
        told += [_swaps(result, measure) for measure in measures]
        told += _held_out(result, measures)
    return [*told, *_left_out(result)]


def population(result: Reliability, *, by_topic: bool = False) -> str:
    """What a claim covers; `by_topic` of single topics, which are always these."""
    return POPULATIONS["documents" if by_topic else result.resample]


def _where(result: Reliability, *, by_topic: bool = False) -> str:
    """The beginning of a sentence: population, method and number of images."""
    covers = population(result, by_topic=by_topic).replace(", ", " and ")
    return f"For {covers} ({METHODS[result.resample]}, {counted(result.images, 'image')}),"


def _differences(result: Reliability, measures: Sequence[Precision]) -> list[str]:
    spreads = {one.measure: one.difference for one in measures if one.difference is not None}
    if not spreads:
        return []
    order = sorted(spreads, key=lambda name: spreads[name].mean)
    texts = {name: spread_text(spread) for name, spread in spreads.items()}
    over = (
        f"(mean ± standard deviation over {counted(_pairs(result), 'pair')} and {counted(len(result.topics), 'topic')})"
    )
    what = "the standard deviation of the difference between two systems on a topic is"
    where = _where(result, by_topic=True)
    if len(order) == 1:
        return [f"{where} {what} {texts[order[0]]} under {order[0]} {over}."]
    least = f"differences between systems vary least under {order[0]}"
    return [f"{where} {least}: {what} {texts[order[0]]} {over}, against {_others(order, texts.__getitem__)}."]


def _pairs(result: Reliability) -> int:
    return len(result.systems) * (len(result.systems) - 1) // 2


def _others(order: Sequence[str], text: Callable[[str], str]) -> str:
    """The measures after the first with their numbers; of many, the next and the last."""
    others = order[1:] if len(order) <= 5 else [order[1], order[-1]]
    return listed([f"{text(name)} under {name}" for name in others])


def spread_text(spread: Spread) -> str:
    """Mean and standard deviation."""
    return f"{spread.mean:.3f} ± {spread.sd:.3f}"


def _ranking(result: Reliability, measures: Sequence[Precision]) -> str:
    widths = {one.measure: one.rank_width for one in measures}
    order = sorted(widths, key=widths.__getitem__)
    texts = {name: f"{width:.1f}" for name, width in widths.items()}
    what = f"{percent(1 - result.alpha)} intervals of a system's rank are"
    where, systems = _where(result), len(result.systems)
    if len(order) == 1:
        return f"{where} {what} {texts[order[0]]} places wide on average under {order[0]}, among {systems} systems."
    steadiest = f"the ranking of {systems} systems is steadiest under {order[0]}"
    first = f"{what} {texts[order[0]]} places wide on average"
    return f"{where} {steadiest}: {first}, against {_others(order, texts.__getitem__)}."


def percent(share: float) -> str:
    """A share as per cent, no finer than a tenth."""
    return f"{round(100 * share, 1):g} %"


def _digits(result: Reliability, measures: Sequence[Precision]) -> str:
    by_digits: dict[int, list[str]] = {}
    for one in sorted(measures, key=lambda one: -one.digits):
        by_digits.setdefault(one.digits, []).append(one.measure)
    justified = ", and ".join(f"to {_decimals(digits)} under {listed(names)}" for digits, names in by_digits.items())
    sds = listed([f"{two_digits(one.mean_sd)} under {one.measure}" for one in measures])
    of = f" (median of {len(result.systems)} systems)" if len(result.systems) > 1 else ""
    return (
        f"{_where(result)} a mean over {counted(len(result.topics), 'topic')} is justified {justified}: "
        f"its standard deviation over images is {sds}{of}, and the unit of the last decimal should not be below it."
    )


def two_digits(value: float) -> str:
    """A number to two digits.

    >>> two_digits(0.0201), two_digits(0.00871)
    ('0.020', '0.0087')
    """
    return f"{value:#.2g}"


def _decimals(digits: int) -> str:
    return f"{digits or 'no'} decimal{'s' * (digits != 1)}"


def _swaps(result: Reliability, one: Precision) -> str:
    often = f"in more than {percent(SWAPS)} of images"
    where, count = _where(result), len(one.swapped)
    if not count:
        return f"{where} no neighbours in the ranking by {one.measure} swap {often}."
    some = [f"{swap.upper} and {swap.lower} ({percent(swap.share)})" for swap in one.swapped[:_NAMED]]
    which = "the highest of them are" if count > _NAMED else "namely"
    pairs = counted(one.neighbours, "pair")
    verb = "swaps" if count == 1 else "swap"
    found = f"{count} of {pairs} of neighbours in the ranking by {one.measure} {verb} {often}"
    return f"{where} {found}: {which} {listed(some)}."


def _held_out(result: Reliability, measures: Sequence[Precision]) -> list[str]:
    shares = {one.measure: one.held_out for one in measures if one.held_out is not None}
    if not shares:
        return []
    expected = percent(1 - result.alpha)
    found = listed([f"{percent(share.inside)} under {name}" for name, share in shares.items()])
    return [
        f"Validity check ({METHODS[result.resample]}, {counted(result.images, 'image')}; "
        f"{population(result, by_topic=True)}): of the differences between two systems on a topic in the image held "
        f"out, {found} lie in their {expected} intervals from the other images; {_verdict(result, shares)}."
    ]


def _verdict(result: Reliability, shares: Mapping[str, HeldOut]) -> str:
    differences = _pairs(result) * len(result.topics)
    if differences < _ENOUGH:
        return f"{differences} differences are too few to judge by"
    off = [name for name, share in shares.items() if _is_off(share, result.alpha)]
    near = f"within {round(100 * _OFF * result.alpha, 1):g} points of the {percent(1 - result.alpha)} expected"
    return f"under {listed(off)} not {near}, so that intervals are to be read with care" if off else near


def _is_off(share: HeldOut, alpha: float) -> bool:
    return not abs(share.inside - (1 - alpha)) <= _OFF * alpha


def _left_out(result: Reliability) -> list[str]:
    if result.moments is not None:
        return []
    return [
        "Where only topics are drawn, the scores on a topic stay as they are: what varies on single topics, "
        "differences on them and the validity check are left out; --resample documents or both has them."
    ]


def extremes(measures: Iterable[Precision], value: Callable[[Precision], float]) -> tuple[Precision, Precision]:
    """The measures with the least and the largest value."""
    order = sorted(measures, key=value)
    return order[0], order[-1]
