"""One random split of the documents, and the bootstrap ANOVA of the scores in its parts.

p(A, B) is the share of B's bootstrap effects that reach the effect of A, the better system, corrected by Benjamini and
Hochberg over all pairs: Voorhees, Samarov and Soboroff (TOIS 2017), sections 2 and 3, Figure 3. The corrected p-values
are those of the step-up procedure, which hold for any α; at the α that k belongs to they decide as the paper's N p / k.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import cast

import numpy as np

from irgauge.arrays import Bools, Floats, Signs
from irgauge.choices import known
from irgauge.errors import DesignError, check_alpha
from irgauge.inference.comparison import Pairs
from irgauge.inference.intervals import MeanInterval
from irgauge.inference.multiplicity import benjamini_hochberg
from irgauge.models.anova import decompose
from irgauge.models.residuals import Bootstrap, Resample, bootstrap
from irgauge.studies.partition.options import DRAWN, Asked

PLAIN, ADJUSTED = "percentile", "percentile, adjusted by k/N"


@dataclass(frozen=True)
class Drawing:
    """How the bootstrap is drawn, at which level intervals are taken, and of which model."""

    alpha: float
    draws: int
    seed: int
    drawn: str  # residuals, or topics: topics too
    interactions: bool
    sides: int = 1  # of the test of a pair: 2 doubles its p

    def __post_init__(self) -> None:
        check_alpha(self.alpha)
        known(self.drawn, DRAWN, "kind of draws")
        if self.sides not in (1, 2):
            raise DesignError(f"sides are {self.sides}; a test has 1 or 2 sides")
        if self.drawn == "topics" and not self.interactions:
            raise DesignError("topics can be drawn in the model with interactions only; draw residuals, or use it")
        least = math.ceil(2 / self.alpha - 1e-9)
        if self.draws < least:
            message = f"{self.draws} draws cannot resolve alpha {self.alpha}: intervals leave out the share α/2 of them"
            raise DesignError(f"{message} on each side, which takes at least {least}; 10000 are usual")

    @classmethod
    def of(cls, asked: Asked) -> Drawing:
        """As asked for."""
        return cls(asked.alpha, asked.draws, asked.seed, asked.drawn, asked.interactions, asked.sides)

    @property
    def models(self) -> tuple[bool, ...]:
        """Without and with interactions; where topics are drawn there is no model without."""
        return (True,) if self.drawn == "topics" else (False, True)

    def of_model(self, *, interactions: bool) -> Drawing:
        """The same of the model with interactions, or of that without."""
        return replace(self, interactions=interactions)

    def __call__(self, values: Floats, key: tuple[int, ...]) -> Bootstrap:
        """The bootstrap of values[topic, system, part] under the model with or without topic:system."""
        fit = decompose(values).fit("MD3" if self.interactions else "MD2")
        key, drawn = (*key, int(self.interactions)), cast(Resample, self.drawn)
        return bootstrap(fit, draws=self.draws, seed=self.seed, key=key, resample=drawn)


@dataclass(frozen=True)
class DrawnSplit:
    """A random partition of the documents, and how it came about."""

    parts: int
    number: int
    attempts: int  # draws until every topic had relevant documents in every part
    topics: tuple[str, ...]
    dropped: tuple[str, ...]  # topics without relevant documents in some part


@dataclass(frozen=True, eq=False)
class Inference:
    """What the bootstrap of one split says of the systems and of the pairs."""

    effects: Floats  # system
    direction: Signs  # pair: which system is ahead; 1: the first, −1: the second
    p_single: Floats  # pair: for the system that is ahead
    p: Floats  # pair: corrected over all pairs
    plain: MeanInterval  # of the effects
    adjusted: MeanInterval

    def decisions(self, alpha: float) -> Signs:
        """Which system of the pair is better, or neither (0)."""
        return decided(self.p, self.direction, alpha)

    def best(self, systems: tuple[str, ...], pairs: Bools) -> Inference:
        """What is said of the best systems and of some pairs."""
        return Inference(
            self.effects[: len(systems)],
            self.direction[pairs],
            self.p_single[pairs],
            self.p[pairs],
            self.plain.of(systems),
            self.adjusted.of(systems),
        )


def infer(drawn: Bootstrap, pairs: Pairs, drawing: Drawing) -> Inference:
    """p-values of all pairs, and both intervals of the effects (sections 3.1 and 2.2).

    With one side p is the share of the worse system's draws that reach the better one, as in Figure 3 of the paper;
    with two it is doubled, as the better one is known from the data. With k of N pairs rejected, the adjusted interval
    leaves α k / 2N of the draws out on each side instead of α / 2.
    """
    direction = sign(drawn.effects[pairs.first] - drawn.effects[pairs.second])
    better = np.where(direction > 0, pairs.first, pairs.second)
    worse = np.where(direction > 0, pairs.second, pairs.first)
    p_single = np.minimum(1, drawing.sides * drawn.reached[better, worse])
    p, alpha = benjamini_hochberg(p_single), drawing.alpha
    rejected = float((p <= alpha).mean())
    plain = MeanInterval(pairs.systems, PLAIN, drawn.effects, *drawn.interval(alpha), alpha, drawn.population)
    low, high = drawn.interval(alpha * rejected)
    adjusted = replace(plain, name=ADJUSTED, low=low, high=high)
    return Inference(drawn.effects, direction, p_single, p, plain, adjusted)


def sign(difference: Floats) -> Signs:
    """Who is ahead; the first system where they are level."""
    return np.where(difference >= 0, 1, -1).astype(np.int8)


def decided(p: Floats, direction: Signs, alpha: float) -> Signs:
    """The system that is ahead where p ≤ α, else neither (0)."""
    return np.where(p <= alpha, direction, 0).astype(np.int8)
