"""Small words of sentences: numbers, names and lists as readers expect them."""

from __future__ import annotations

import math

from irgauge.provenance import Provenance
from irgauge.wording import all_of, counted, digits_of, listed, some

__all__ = [
    "SIZES",
    "all_of",
    "best_note",
    "capital",
    "counted",
    "differing",
    "ended",
    "listed",
    "method_sentence",
    "omega2_text",
    "over_shards",
    "p_text",
    "percent",
    "rounded_up",
    "sentence",
    "signed",
    "some",
    "two_digits",
]

_BOUNDS = (0.01, 0.06, 0.14)  # from which an ω² is small, medium, large
SIZES = "large from 0.14, medium from 0.06, small from 0.01"  # what the sizes of effects mean


def over_shards(measure: str, shards: int) -> str:
    """What a mean over shards is of: another number than the measure on the whole corpus.

    >>> over_shards("AP", 5), over_shards("AP", 1)
    ('AP over 5 shards', 'AP')
    """
    return measure if shards == 1 else f"{measure} over {shards:,} shards"


def lower_told(direction: str, *, is_guessed: bool = False) -> str:
    """That less of a measure is better, behind its name; whether that is a guess; that more is goes without saying.

    >>> lower_told("lower"), lower_told("higher"), lower_told("lower", is_guessed=True)
    (' (lower is better)', '', ' (lower taken as better)')
    """
    if is_guessed:
        return " (lower taken as better)"
    return " (lower is better)" if direction == "lower" else ""


def differing(count: int, total: int, noun: str, of: str = "") -> str:
    """How many of some things differ significantly.

    >>> differing(98, 190, "pair"), differing(1, 1, "pair")
    ('98 of 190 pairs differ significantly', 'the only pair differs significantly')
    >>> differing(1, 190, "pair", " of systems")
    '1 of 190 pairs of systems differs significantly'
    """
    if total == 1:
        return f"the only {noun}{of} {'differs' if count else 'does not differ'} significantly"
    verb = "differs" if count == 1 else "differ"
    return f"{count:,} of {total:,} {noun}s{of} {verb} significantly"


def best_note(shown: int, systems: int) -> tuple[str, ...]:
    """What a chart says that shows the best systems only; nothing where all are shown.

    >>> best_note(30, 129), best_note(4, 4)
    (('Shown: the best 30 of 129 systems.',), ())
    """
    return () if shown >= systems else (f"Shown: the best {shown} of {systems} systems.",)


def percent(share: float) -> str:
    """A share as per cent, no finer than a tenth."""
    return f"{round(100 * share, 1):g} %"


def two_digits(value: float) -> str:
    """A number to two digits; to the last one before the point, where it has more of these.

    >>> two_digits(0.0201), two_digits(0.000041), two_digits(14.3), two_digits(1431.2)
    ('0.020', '0.000041', '14', '1,431')
    """
    if 0 < abs(value) < 0.1:
        return digits_of(value, 2)
    return f"{value:#.2g}".rstrip(".") if abs(value) < 10 else f"{value:,.0f}"


def rounded_up(count: int) -> str:
    """A large number of things to two digits, and no fewer.

    >>> rounded_up(64), rounded_up(1234)
    ('64', '1,300')
    """
    step = 10 ** max(0, len(str(count)) - 2)
    return f"{-(-count // step) * step:,}"


_ROUNDING = 1e-12  # a difference of means below it is 0, but for rounding


def signed(value: float) -> str:
    """A difference with a proper sign, to three decimals or, if small, one digit.

    >>> signed(-0.0312), signed(-0.00004), signed(-1e-16)
    ('−0.031', '−0.00004', '0.000')
    """
    value = 0.0 if abs(value) < _ROUNDING else value
    is_small = 0 < abs(value) < 0.0005
    return (digits_of(value, 1) if is_small else f"{value:.3f}").replace("-", "−")


def interval_text(confidence: float, low: float, high: float) -> str:
    """An interval in a sentence, which there may not be.

    >>> interval_text(0.95, -0.01, 0.2), interval_text(0.95, -math.inf, math.inf)
    ('95 % interval −0.010 to 0.200', 'no interval')
    """
    if not math.isfinite(high - low):
        return "no interval"
    return f"{percent(confidence)} interval {signed(low)} to {signed(high)}"


_LEVELS = (0.01, 0.02, 0.025, 0.05, 0.1)  # an α in use
_FINEST = 9  # decimals


def p_text(p: float, least: float = 0.001, of: str = "") -> str:
    """A p-value in a sentence, and of what it is where that is not plain; just above a level it is not rounded to it.

    >>> p_text(0.0002), p_text(0.0002, least=1e-4), p_text(0.04), p_text(0.0504)
    ('p < 0.001', 'p = 0.0002', 'p = 0.040', 'p = 0.0504')
    >>> p_text(0.17, of="no difference")
    'p for no difference = 0.170'
    """
    name = f"p for {of}" if of else "p"
    if p < least:
        return f"{name} < {least:.4f}".rstrip("0")
    return f"{name} = {p:.1g}" if p < 0.001 else f"{name} = {_decimals(p)}" if p < 0.9995 else f"{name} = 1"


def _decimals(p: float) -> str:
    """Three; as many as it takes to be above a level that three would round it down to."""
    level = float(f"{p:.3f}")
    if level not in _LEVELS or p <= level:
        return f"{p:.3f}"
    finer = (f"{p:.{decimals}f}" for decimals in range(4, _FINEST + 1))
    return next((shown for shown in finer if float(shown) > level), f"{p:.3f}")


def omega2_text(omega2: float) -> str:
    """ω² to three decimals; to four, cut, where three would show a larger size. Below 0 it is to be read as 0."""
    value = max(0.0, omega2)
    shown = f"{value:.3f}"
    return f"{math.floor(1e4 * value) / 1e4:.4f}" if any(value < bound <= float(shown) for bound in _BOUNDS) else shown


def capital(text: str) -> str:
    """With a capital; a symbol stays as it is.

    >>> capital("mean over topics"), capital("ω² of each factor"), capital("p: adjusted"), capital("nDCG@10 and AP")
    ('Mean over topics', 'ω² of each factor', 'p: adjusted', 'nDCG@10 and AP')
    """
    is_word = text[:2].isascii() and text[:2].isalpha() and text[1:2].islower()
    return f"{text[0].upper()}{text[1:]}" if is_word else text


def sentence(text: str) -> str:
    """With a capital and a stop."""
    return ended(capital(text))


def ended(text: str) -> str:
    """With a stop, unless it ends already.

    >>> ended("it is so"), ended("is it so?")
    ('it is so.', 'is it so?')
    """
    return text if text.endswith((".", "?", "!")) else f"{text}."


def method_sentence(provenance: Provenance) -> str:
    """The facts under a chart or a table, without those of how runs were read; empty for none."""
    text = provenance.without_reading.text
    return sentence(text) if text else ""
