"""Margins: the smallest difference that matters, as a number or as a share of the baseline's mean."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

from irgauge.choices import known
from irgauge.errors import DesignError

_HOW = "write 0.01, or 2% of the baseline's mean"


@dataclass(frozen=True)
class Margin:
    """An amount of the measure, or a share of the baseline's mean."""

    amount: float
    is_share: bool = False

    @classmethod
    def parse(cls, given: float | str) -> Margin:
        """A margin as people write it.

        >>> str(Margin.parse("2%")), str(Margin.parse(0.01))
        ('2%', '0.01')
        >>> Margin.parse("small")
        Traceback (most recent call last):
        irgauge.errors.DesignError: the margin 'small' is no number; write 0.01, or 2% of the baseline's mean
        """
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
        return cls(amount, is_share)

    def of(self, mean: float | None) -> float:
        """The margin in the unit of the measure, where the baseline has this mean.

        >>> Margin.parse("2%").of(0.5)
        0.01
        """
        if not self.is_share:
            return self.amount
        if mean is None:
            raise DesignError(f"the margin {self} is a share of the baseline's mean; name a baseline, or give a number")
        if mean == 0:
            raise DesignError(f"the margin {self} is a share of the baseline's mean, and that is 0; give a number")
        return self.amount * abs(mean)

    def __str__(self) -> str:
        return f"{100 * self.amount:g}%" if self.is_share else f"{self.amount:g}"


def margin_of(given: float | str | Mapping[str, float | str] | None, measure: str) -> Margin | None:
    """The margin of a measure: the one of all measures, or its own; None where there is none.

    >>> str(margin_of({"AP": "2%", "RR": 0.05}, "RR"))
    '0.05'
    """
    if given is None:
        return None
    if isinstance(given, Mapping):
        from irgauge.scoring.measures import Measure

        own = {str(Measure.read(name)): one for name, one in given.items()}
        return Margin.parse(own[known(measure, tuple(own), "measure with a margin")])
    return Margin.parse(given)
