"""What a bootstrap says, in sentences that can be quoted."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple

from irgauge.show.finding import Finding, sentence
from irgauge.show.populations import FOR
from irgauge.show.words import counted, listed, percent, two_digits
from irgauge.studies.bootstrap.gathering import HeldOut
from irgauge.studies.bootstrap.precision import SWAPS, MeanAndSd, MeasurePrecision, precision
from irgauge.studies.bootstrap.study import Bootstrapped, Swap

_NAMED = 3  # neighbours that swap
_OFF = 0.4  # of alpha: so far may the share of held-out differences be from what is expected
_ENOUGH = 1000  # differences to judge that share by


class Decimals(NamedTuple):
    """How many decimals of a mean are justified, and its standard deviation over images."""

    digits: int
    sd: float


def findings(result: Bootstrapped) -> Iterator[Finding]:
    """Which measure is the most stable, how many digits are justified, which neighbours swap, and the check."""
    measures = precision(result)
    if len(result.systems) > 1:
        yield from _differences(result, measures)
        yield _ranking(result, measures)
    yield digits(result)
    if len(result.systems) > 1:
        yield from (_swaps(result, one) for one in measures)
        yield from _validity(result, measures)
    if result.moments is None:
        yield not_of_topics().about(population=result.draw)


def _starting(population: str) -> str:
    """The beginning of a sentence: what the claim covers."""
    return f"{FOR[population].capitalize()}, "


def _differences(result: Bootstrapped, measures: Sequence[MeasurePrecision]) -> Iterator[Finding]:
    deviations = {one.measure: one.difference for one in measures if one.difference is not None}
    if deviations:
        told = differences(deviations=deviations, pairs=_pairs(result), topics=len(result.topics))
        yield told.about(population="documents", measure=_only(result))


def _pairs(result: Bootstrapped) -> int:
    return len(result.systems) * (len(result.systems) - 1) // 2


def _only(result: Bootstrapped) -> str | None:
    """The measure, where there is one."""
    return result.measures[0] if len(result.measures) == 1 else None


@sentence("differences")
def differences(*, deviations: Mapping[str, MeanAndSd], pairs: int, topics: int) -> str:
    """By which measure the difference of two systems on a topic varies least."""
    first, *others = sorted(deviations, key=lambda name: deviations[name].mean)
    texts = {name: spread_text(one) for name, one in deviations.items()}
    over = f"(mean ± standard deviation over {counted(pairs, 'pair')} and {counted(topics, 'topic')})"
    what = "the standard deviation of the difference between two systems on a topic is"
    if not others:
        return f"{_starting('documents')}{what} {texts[first]} in {first} {over}."
    least = f"differences between systems vary least in {first}"
    return f"{_starting('documents')}{least}: {what} {texts[first]} {over}, against {_rest(others, texts.__getitem__)}."


def _rest(others: Sequence[str], text: Callable[[str], str]) -> str:
    """The measures after the first with their numbers; of many, the next and the last."""
    told = others if len(others) < 5 else [others[0], others[-1]]
    return listed([f"{text(name)} in {name}" for name in told])


def spread_text(spread: MeanAndSd) -> str:
    """Mean and standard deviation."""
    return f"{spread.mean:.3f} ± {spread.sd:.3f}"


def _ranking(result: Bootstrapped, measures: Sequence[MeasurePrecision]) -> Finding:
    widths = {one.measure: one.rank_width for one in measures}
    told = ranking(widths=widths, systems=len(result.systems), confidence=1 - result.alpha, population=result.draw)
    return told.about(population=result.draw, measure=_only(result))


@sentence("ranking")
def ranking(*, widths: Mapping[str, float], systems: int, confidence: float, population: str) -> str:
    """By which measure ranks vary least."""
    first, *others = sorted(widths, key=widths.__getitem__)
    texts = {name: f"{width:.1f}" for name, width in widths.items()}
    what = f"{percent(confidence)} intervals of a system's rank are {texts[first]} places wide on average"
    if not others:
        return f"{_starting(population)}{what} by {first}, among {systems} systems."
    most_stable = f"the ranking of {systems} systems is most stable by {first}"
    return f"{_starting(population)}{most_stable}: {what}, against {_rest(others, texts.__getitem__)}."


def digits(result: Bootstrapped) -> Finding:
    """How many decimals of a mean are justified."""
    told = justified(
        decimals={name: Decimals(result.digits(m), result.typical_sd(m)) for m, name in enumerate(result.measures)},
        topics=len(result.topics),
        systems=len(result.systems),
        population=result.draw,
    )
    return told.about(population=result.draw, measure=_only(result))


@sentence("digits")
def justified(*, decimals: Mapping[str, Decimals], topics: int, systems: int, population: str) -> str:
    """How many decimals of a mean are justified by each measure."""
    names = list(decimals)
    each = [f"to {decimals[name].digits or 'none'} in {name} ({two_digits(decimals[name].sd)})" for name in names[1:]]
    first, sd = decimals[names[0]].digits, two_digits(decimals[names[0]].sd)
    of = f", median of {systems} systems" if systems > 1 else ""
    to = f"to {first or 'no'} decimal{'s' * (first != 1)} in {names[0]} (standard deviation over images {sd}{of})"
    return (
        f"{_starting(population)}a system's mean over {counted(topics, 'topic')} can be given {listed([to, *each])}: "
        "more decimals would be noise."
    )


def _swaps(result: Bootstrapped, one: MeasurePrecision) -> Finding:
    told = swaps(measure=one.measure, swapped=one.swapped, neighbours=one.neighbours, population=result.draw)
    return told.about(population=result.draw, measure=one.measure)


@sentence("swaps")
def swaps(*, measure: str, swapped: Sequence[Swap], neighbours: int, population: str) -> str:
    """Which neighbours in the ranking swap."""
    often = f"in more than {percent(SWAPS)} of images"
    where, count = _starting(population), len(swapped)
    if not count:
        return f"{where}no neighbours in the ranking by {measure} swap {often}."
    some = [f"{swap.upper} and {swap.lower} ({percent(swap.share)})" for swap in swapped[:_NAMED]]
    which = "the highest of them are" if count > _NAMED else "namely"
    verb = "swaps" if count == 1 else "swap"
    found = f"{count} of {counted(neighbours, 'pair')} of neighbours in the ranking by {measure} {verb} {often}"
    return f"{where}{found}: {which} {listed(some)}."


def _validity(result: Bootstrapped, measures: Sequence[MeasurePrecision]) -> Iterator[Finding]:
    shares = {one.measure: one.held_out for one in measures if one.held_out is not None}
    if not shares:
        return
    count = _pairs(result) * len(result.topics)
    off = [name for name, share in shares.items() if _is_off(share, result.alpha)]
    told = (
        intervals_off(shares=shares, alpha=result.alpha, off=off)
        if off and count >= _ENOUGH
        else intervals_hold(shares=shares, alpha=result.alpha, differences=count)
    )
    yield told.about(population="documents", measure=_only(result))


def _is_off(share: HeldOut, alpha: float) -> bool:
    return not abs(share.inside - (1 - alpha)) <= _OFF * alpha


@sentence("validity")
def intervals_hold(*, shares: Mapping[str, HeldOut], alpha: float, differences: int) -> str:
    """That intervals from images hold what one more image shows, or that there is too little to say so."""
    few = f"{counted(differences, 'difference')} are too few to judge by"
    return f"{_held_out(shares, alpha)}; {few if differences < _ENOUGH else _near(alpha)}."


@sentence("validity-off", "warning")
def intervals_off(*, shares: Mapping[str, HeldOut], alpha: float, off: Sequence[str]) -> str:
    """That intervals from images do not hold what one more image shows."""
    said = f"in {listed(list(off))} not {_near(alpha)}, so that intervals are to be read with care"
    return f"{_held_out(shares, alpha)}; {said}."


def _held_out(shares: Mapping[str, HeldOut], alpha: float) -> str:
    found = listed([f"{percent(share.inside)} in {name}" for name, share in shares.items()])
    return (
        f"Validity check: of the differences between two systems on a topic in the image held out, {found} lie in "
        f"their {percent(1 - alpha)} intervals from the other images"
    )


def _near(alpha: float) -> str:
    return f"within {round(100 * _OFF * alpha, 1):g} points of the {percent(1 - alpha)} expected"


@sentence("not-of-topics", "note")
def not_of_topics() -> str:
    """What drawing topics alone does not show."""
    return (
        "Where only topics are drawn, the scores on a topic stay as they are: what varies on single topics, "
        "differences on them and the validity check are left out; draw documents or both to have them."
    )
