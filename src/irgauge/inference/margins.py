"""Margins: the smallest difference that matters, as a number or as a share of the baseline's mean."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from irgauge.choices import known
from irgauge.compute.arrays import Floats
from irgauge.errors import DesignError
from irgauge.inference.comparison import Comparison
from irgauge.scoring.direction import HIGHER, LOWER, Direction, sign_of
from irgauge.scoring.measures import Measure, Range

_HOW = "write 0.01, or 2% of the baseline's mean"


@dataclass(frozen=True)
class Margin:
    """An amount of the measure, or a share of the baseline's mean."""

    amount: float
    is_share: bool = False
    written: str | None = None  # as it was, of one that is on another scale now

    @classmethod
    def parse(cls, given: GivenMargin) -> Margin:
        """A margin as people write it; one that is read already stays as it is.

        >>> str(Margin.parse("2%")), str(Margin.parse(0.01))
        ('2%', '0.01')
        >>> Margin.parse("small")
        Traceback (most recent call last):
        irgauge.errors.DesignError: the margin 'small' is no number; write 0.01, or 2% of the baseline's mean
        """
        if isinstance(given, Margin):
            return given
        text = str(given).strip()
        number, is_share = text.removesuffix("%").strip(), text.endswith("%")
        try:
            amount = float(number) / (100 if is_share else 1)
        except ValueError:
            raise DesignError(f"the margin '{given}' is no number; {_HOW}") from None
        if not (math.isfinite(amount) and amount > 0):
            raise DesignError(
                f"the margin {given} is not possible; it is the smallest difference that matters, above 0: {_HOW}"
            )
        if is_share and amount >= 1:
            raise DesignError(f"the margin {given} is too large: no score could be worse by so much; {_HOW}")
        return cls(amount, is_share)

    def of(self, mean: float | None, within: Range | None) -> float:
        """The margin in the unit of the measure, where the baseline has this mean and scores lie within a range.

        >>> Margin.parse("2%").of(0.5, (0.0, 1.0))
        0.01
        """
        if not self.is_share:
            return self._amount_within(within)
        if mean is None:
            raise DesignError(f"the margin {self} is a share of the baseline's mean; name a baseline, or give a number")
        if mean == 0:
            raise DesignError(f"the margin {self} is a share of the baseline's mean, and that is 0; give a number")
        return self.amount * abs(mean)

    def factors(self, mean: float, direction: Direction = HIGHER) -> tuple[float, float]:
        """By what the baseline's scores are multiplied to be worse, and better, by the share: 1 − m and 1 + m.

        Where its mean is below 0, or lower scores are better, it is the other way round.

        >>> Margin.parse("2%").factors(0.5, "higher"), Margin.parse("2%").factors(0.5, "lower")
        ((0.98, 1.02), (1.02, 0.98))
        """
        share = math.copysign(self.amount, mean * sign_of(direction))
        return 1 - share, 1 + share

    def of_logs(self, direction: Direction) -> Margin:
        """The same share as a difference of logarithms: ln(1 + m) where lower is better, else −ln(1 − m).

        Being worse by the margin is a ratio of exactly 1 + m, or 1 − m; the other way it is one over that.

        >>> round(Margin.parse("5%").of_logs("lower").amount, 6), round(math.log(1.05), 6)
        (0.04879, 0.04879)
        """
        if not self.is_share:
            raise DesignError(f"the margin {self} is no share; on a log scale it is one of ratios: write it as 5%")
        amount = math.log1p(self.amount) if direction == LOWER else -math.log1p(-self.amount)
        return Margin(amount, written=str(self))

    def _amount_within(self, within: Range | None) -> float:
        """The amount, which may be a percentage without its sign."""
        if within is not None and self.amount >= within[1] - within[0]:
            raise DesignError(
                f"the margin {self} is too large: no two scores differ by more than {within[1] - within[0]:g}; "
                f"write a smaller number, or {self}% for a share of the baseline's mean"
            )
        return self.amount

    def fact(self, amount: float | None) -> dict[str, object]:
        """What a provenance holds: as it was given, and the amount in the unit of the measure."""
        on_logs = {} if self.written is None else {"on_logs": True}
        return {"given": str(self), "is_share": self.is_share, "amount": amount, **on_logs}

    def __str__(self) -> str:
        if self.written is not None:
            return self.written
        return f"{100 * self.amount:.12g}%" if self.is_share else f"{self.amount:.12g}"


GivenMargin = float | str | Margin


def check_level_of_margin(alpha: float) -> None:
    """Refuse a level at which there are no two one-sided tests against a margin, whose intervals are at 2α."""
    if alpha >= 0.25:
        raise DesignError(f"alpha is {alpha}; verdicts against a margin need one below 0.25, such as 0.05")


def against_share(wide: Comparison, worse: Comparison, better: Comparison, amount: float) -> Comparison:
    """The intervals that claims about a share m of the baseline's mean rest on, which is an estimate itself.

    Not worse is μ_c > (1 − m) μ_b, tested on y_c − (1 − m) y_b of each topic; not better is μ_c < (1 + m) μ_b (Fieller,
    "Some problems in interval estimation", Journal of the Royal Statistical Society B 1954). `worse` and `better` are
    the same test with the baseline's scores times 1 − m and 1 + m. Its intervals are moved by the `amount` that m is of
    the observed mean, so that they are of the difference, and above −amount where the test rejects; of a measure of
    which less is better all is mirrored: not worse is μ_c < (1 + m) μ_b. A difference that
    is the same on every topic has no spread to be tested against, and has none here either.
    """
    if wide.direction != HIGHER:
        return against_share(wide.mirrored(), worse.mirrored(), better.mirrored(), amount).mirrored()
    low = np.where(wide.is_constant, -np.inf, worse.low - amount)
    high = np.where(wide.is_constant, np.inf, better.high + amount)
    return replace(wide, low=low, high=high)


def with_factor(values: Floats, system: int, factor: float) -> Floats:
    """The values[topic, system, ...] with those of one system multiplied."""
    factors = np.ones(values.shape[1])
    factors[system] = factor
    return values * factors.reshape(-1, *[1] * (values.ndim - 2))


def margins_in(margins: GivenMargin | Mapping[str, GivenMargin] | None) -> list[Margin]:
    """The margins that were given: none, one of all measures, or one of each; one that is none is refused."""
    each = margins.values() if isinstance(margins, Mapping) else [margins]
    return [Margin.parse(margin) for margin in each if margin is not None]


def check_measures_of(margins: GivenMargin | Mapping[str, GivenMargin] | None, measures: Iterable[str]) -> None:
    """Refuse a margin of a measure that is not asked for.

    >>> check_measures_of({"AP": "2%", "clicks": 0.05}, ["AP", "RR"])
    Traceback (most recent call last):
    irgauge.errors.DesignError: the measure in margin 'clicks' is unknown; choose from AP, RR
    """
    measured = list(measures)
    for name in margins if isinstance(margins, Mapping) else ():
        if _as_measured(name) not in measured:
            known(str(name), measured, "measure in margin")


def _as_measured(name: str) -> str:
    """A measure as results name it; what is no measure as it is."""
    try:
        return str(Measure.read(name))
    except ValueError:
        return str(name)


def margins_of_logs(
    margins: GivenMargin | Mapping[str, GivenMargin] | None, measures: Sequence[Measure]
) -> dict[str, Margin] | None:
    """The margins of measures whose logarithms were taken, by their names; None where there are none."""
    if margins is None:
        return None
    plain = {str(measure): measure.logged or str(measure) for measure in measures}
    check_measures_of(margins, plain.values())
    given = {str(measure): margin_of(margins, plain[str(measure)]) for measure in measures}
    directions = {str(measure): measure.claimed_direction for measure in measures}
    return {name: margin.of_logs(directions[name]) for name, margin in given.items() if margin is not None}


def margin_of(margins: GivenMargin | Mapping[str, GivenMargin] | None, measure: str) -> Margin | None:
    """The margin of a measure: the one of all measures, or its own; None where there is none.

    >>> str(margin_of({"AP": "2%", "RR": 0.05}, "RR"))
    '0.05'
    """
    if margins is None:
        return None
    if isinstance(margins, Mapping):
        own = {str(Measure.read(name)): margin for name, margin in margins.items()}
        if measure not in own:
            others = ", ".join(own) or "none"
            raise DesignError(f"{measure} has no margin (there is one for: {others}); give one for each, or for all")
        return Margin.parse(own[measure])
    return Margin.parse(margins)
