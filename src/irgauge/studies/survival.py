"""Do conclusions survive a transformation of scores? What is concluded on the transformed scores and without it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from irgauge.inference.comparison import Comparison
from irgauge.models.anova import Row
from irgauge.models.f_tests import TermTest

Unit = Literal["pair", "effect"]
NOT_SIGNIFICANT = "not significant"


@dataclass(frozen=True)
class ChangedConclusion:
    """A conclusion that is another one without the transformation."""

    of: str  # the pair or the effect
    transformed: str
    as_they_are: str  # on the scores as they are


@dataclass(frozen=True)
class Survival:
    """How many conclusions by a measure for a population are the same without the transformation."""

    measure: str  # transformed
    population: str
    unit: Unit
    conclusions: int
    changed: tuple[ChangedConclusion, ...]
    drawn: str | None = None  # what conclusions are for, where that is said otherwise than by the population

    @classmethod
    def of(
        cls,
        measure: str,
        population: str,
        unit: Unit,
        transformed: Mapping[str, str],
        as_they_are: Mapping[str, str],
        *,
        drawn: str | None = None,
    ) -> Survival:
        """From what is concluded of each pair or effect on both scales.

        >>> Survival.of("z(AP)", "topics", "pair", {"a and b": "a is better"}, {"a and b": "a is better"}).changed
        ()
        """
        changed = tuple(
            ChangedConclusion(name, conclusion, as_they_are[name])
            for name, conclusion in transformed.items()
            if as_they_are[name] != conclusion
        )
        return cls(measure, population, unit, len(transformed), changed, drawn)


def pair_conclusions(comparison: Comparison) -> dict[str, str]:
    """Pair -> which system is significantly better, if one is."""
    conclusions = {}
    for pair, is_significant, gain in zip(comparison.names, comparison.significant, comparison.gain, strict=True):
        better = pair[0] if gain > 0 else pair[1]
        conclusions[" and ".join(sorted(pair))] = f"{better} better" if is_significant else NOT_SIGNIFICANT
    return conclusions


def effect_conclusion(row: Row, test: TermTest, alpha: float) -> str:
    """The size of an effect, if it is significant."""
    return row.size if test.p <= alpha else NOT_SIGNIFICANT
