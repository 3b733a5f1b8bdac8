"""One random split of the documents, and what an ANOVA of the scores in its parts says of the pairs of systems.

By default p is of the difference of two systems over the parts, two-sided (`inference.contrasts`). As in the paper
p(A, B) is the share of B's bootstrap effects that reach the effect of A, the better system: Voorhees, Samarov and
Soboroff (TOIS 2017), sections 2 and 3, Figure 3. That takes the effect of A as known, and the residuals, which the fit
has made too small, as they are: it ranks the evidence, and errs far more often than it says.

Both are corrected by Benjamini and Hochberg over all pairs. The corrected p-values are those of the step-up procedure,
which hold for any α; at the α that k belongs to they decide as the paper's N p / k.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import cast

import numpy as np

from irgauge.choices import known
from irgauge.compute.arrays import Floats, Signs
from irgauge.errors import DesignError, check_alpha
from irgauge.inference.comparison import Pairs
from irgauge.inference.contrasts import Contrasts, system_differences, system_effects
from irgauge.inference.corrections import BH
from irgauge.inference.intervals import MeanInterval
from irgauge.models.anova import Fit, Population, decompose
from irgauge.models.residuals import Bootstrap, Resample, bootstrap
from irgauge.scoring.measures import Range, of_differences
from irgauge.studies.partition.options import DRAWN, P_VALUES, PAPER, PartitionOptions

ADJUSTED = "{}, adjusted by k/N"


@dataclass(frozen=True)
class Drawing:
    """How the scores in the parts of a split are modelled and drawn, and at which level intervals are taken."""

    alpha: float
    seed: int
    drawn: str  # residuals, or topics: topics too
    interactions: bool
    p: str = "difference"
    draws: int = 0  # of the bootstrap, for the paper's p alone
    sides: int = 2  # of a test: the paper's p of two sides is twice that of one
    is_given: bool = False  # whether parts are those of a table, of which nothing says that they are random
    within: Range | None = None  # of the scores, where that is known

    def __post_init__(self) -> None:
        check_alpha(self.alpha)
        known(self.drawn, DRAWN, "kind of draws")
        known(self.p, P_VALUES, "p")
        if self.drawn == "topics" and not self.interactions:
            raise DesignError("topics can be drawn in the model with interactions only; draw residuals, or use it")
        if self.is_paper:
            self._check_paper()

    def _check_paper(self) -> None:
        if self.sides not in (1, 2):
            raise DesignError(f"sides are {self.sides}; a test has 1 or 2 sides")
        least = math.ceil(2 / self.alpha - 1e-9)
        if self.draws < least:
            message = f"{self.draws} draws cannot resolve alpha {self.alpha}: intervals leave out the share α/2 of them"
            raise DesignError(f"{message} on each side, which takes at least {least}; 10000 are usual")

    @classmethod
    def of(cls, options: PartitionOptions) -> Drawing:
        """As asked for."""
        common = options.alpha, options.seed, options.drawn, options.interactions, options.p
        return cls(*common, draws=options.draws, sides=options.sides or 1) if options.p == PAPER else cls(*common)

    @property
    def is_paper(self) -> bool:
        """Whether p is the paper's: a ranking of evidence, not an error rate."""
        return self.p == PAPER

    @property
    def population(self) -> Population:
        """What a claim covers: other documents for these topics, or, where topics are drawn too, both.

        Parts that are given may differ in kind, and then it covers other documents of these parts.
        """
        return "both" if self.drawn == "topics" else "sources" if self.is_given else "documents"

    @property
    def models(self) -> tuple[bool, ...]:
        """Without and with interactions; where topics are drawn there is no model without."""
        return (True,) if self.drawn == "topics" else (False, True)

    def of_model(self, *, interactions: bool) -> Drawing:
        """The same of the model with interactions, or of that without."""
        return replace(self, interactions=interactions)

    def fit(self, values: Floats) -> Fit:
        """The model with or without topic:system of values[topic, system, part]."""
        return decompose(values).fit("MD3" if self.interactions else "MD2")

    def bootstrap(self, fit: Fit, key: tuple[int, ...]) -> Bootstrap:
        """The effects of systems over draws, as in the paper."""
        key = (*key, int(self.interactions))
        return bootstrap(fit, draws=self.draws, seed=self.seed, key=key, resample=self._resample)

    def differences(self, fit: Fit, pairs: Pairs) -> Contrasts:
        """The differences of pairs of systems."""
        return system_differences(fit, pairs.first, pairs.second, self._resample)

    def effects(self, fit: Fit) -> Contrasts:
        """The effects of systems."""
        return system_effects(fit, self._resample)

    @property
    def _resample(self) -> Resample:
        return cast(Resample, self.drawn)


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
    """What one split says of the systems and of the pairs."""

    effects: Floats  # system
    direction: Signs  # pair: which system is ahead; 1: the first, −1: the second
    p_single: Floats  # pair: for the system that is ahead
    p: Floats  # pair: corrected over all pairs
    plain: MeanInterval  # of the effects
    adjusted: MeanInterval

    def decisions(self, alpha: float) -> Signs:
        """Which system of the pair is better, or neither (0)."""
        return decided(self.p, self.direction, alpha)


def infer(fit: Fit, key: tuple[int, ...], pairs: Pairs, drawing: Drawing) -> Inference:
    """p-values of all pairs, and both intervals of the effects; the key makes draws differ."""
    effects = fit.effects("system")
    direction = sign(effects[pairs.first] - effects[pairs.second])
    if drawing.is_paper:
        return _as_in_the_paper(drawing.bootstrap(fit, key), direction, pairs, drawing)
    single, of_effects = drawing.differences(fit, pairs).p, drawing.effects(fit)
    p, alpha = BH.adjusted(single), drawing.alpha
    rejected = max(1, int(np.count_nonzero(p <= alpha))) / len(p)  # an interval of level 0 would be the whole line
    plain = MeanInterval(pairs.systems, "t", effects, *of_effects.interval(alpha), alpha, drawing.population)
    adjusted = _adjusted(plain, *of_effects.interval(alpha * rejected))
    possible = of_differences(drawing.within)  # of a mean and the mean of all
    return Inference(effects, direction, single, p, plain.within(possible), adjusted.within(possible))


def _as_in_the_paper(drawn: Bootstrap, direction: Signs, pairs: Pairs, drawing: Drawing) -> Inference:
    """The p-values and intervals of sections 3.1 and 2.2.

    With one side p is the share of the worse system's draws that reach the better one, as in Figure 3 of the paper;
    with two it is doubled, as the better one is known from the data. With k of N pairs rejected, the adjusted interval
    leaves α k / 2N of the draws out on each side instead of α / 2.
    """
    better = np.where(direction > 0, pairs.first, pairs.second)
    worse = np.where(direction > 0, pairs.second, pairs.first)
    single = np.minimum(1, drawing.sides * drawn.reached[better, worse])
    p, alpha = BH.adjusted(single), drawing.alpha
    rejected = float((p <= alpha).mean())
    ends = drawn.interval(alpha)
    plain = MeanInterval(pairs.systems, "percentile", drawn.effects, *ends, alpha, drawing.population)
    return Inference(drawn.effects, direction, single, p, plain, _adjusted(plain, *drawn.interval(alpha * rejected)))


def _adjusted(plain: MeanInterval, low: Floats, high: Floats) -> MeanInterval:
    return replace(plain, name=ADJUSTED.format(plain.name), low=low, high=high)


def sign(difference: Floats) -> Signs:
    """Who is ahead; the first system where they are level."""
    return np.where(difference >= 0, 1, -1).astype(np.int8)


def decided(p: Floats, direction: Signs, alpha: float) -> Signs:
    """The system that is ahead where p ≤ α, else neither (0)."""
    return np.where(p <= alpha, direction, 0).astype(np.int8)
