"""What an ANOVA of the scores in the parts of a split says of pairs of systems.

By default p is of the difference of two systems over the parts, two-sided (`inference.contrasts`). As in the paper
p(A, B) is the share of B's bootstrap effects that reach the effect of A, the better system: Voorhees, Samarov and
Soboroff (TOIS 2017), sections 2 and 3, Figure 3. That takes the effect of A as known, and the residuals, which the fit
has made too small, as they are: it ranks the evidence, and errs far more often than it says.

Both are corrected over all pairs, by Benjamini and Hochberg if nothing else is asked for. The corrected p-values are
those of the step-up procedure, which hold for any α; at the α that k belongs to they decide as the paper's N p / k.
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
from irgauge.inference.contrasts import Contrasts, Fitted, system_differences, system_effects
from irgauge.inference.corrections import BH, Correction, correction
from irgauge.inference.intervals import MeanInterval
from irgauge.models.anova import Model, Population
from irgauge.models.least_squares import fitted
from irgauge.models.residuals import Bootstrap, Resample, bootstrap
from irgauge.scoring.measures import Range, of_differences
from irgauge.studies.partition.options import (
    DRAWN,
    MODELS,
    P_VALUES,
    PAPER,
    PartitionOptions,
)

ADJUSTED = "{}, adjusted by k/N"
PER_CENT = "{}, without α k/N per cent of the draws on each side"


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
    model: str | None = None  # MD4 to MD6; None: MD3, or MD2 without interactions
    correction: str = BH.name  # over all pairs

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
        return cls(
            options.alpha,
            options.seed,
            options.drawn,
            options.has_interactions,
            options.p,
            draws=options.draws if options.p == PAPER else 0,
            sides=options.sides or 2,
            model=options.model if options.has_interactions else None,
            correction=options.correction or BH.name,
        )

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

    @property
    def model_name(self) -> str:
        """The model of scores."""
        return (self.model or MODELS[1]) if self.interactions else MODELS[0]

    @property
    def has_fixed_parts(self) -> bool:
        """Whether how systems change from part to part is no part of the error."""
        return self.drawn == DRAWN[0] and "system:shard" in Model.parse(self.model_name).terms

    @property
    def corrected_by(self) -> Correction:
        """The correction over all pairs."""
        return correction(self.correction)

    def of_model(self, *, interactions: bool) -> Drawing:
        """The same of the model with interactions, or of that without."""
        return replace(self, interactions=interactions)

    def fit(self, values: Floats) -> Fitted:
        """The model of values[topic, system, part]."""
        return fitted(values, self.model_name)

    def adjusted_level(self, p_adjusted: Floats) -> float:
        """The level of intervals that stand beside so many decisions: α k/N, or as the correction has it.

        With k of N pairs rejected that is the share of intervals that may miss (Benjamini and Yekutieli, JASA 2005).
        """
        rejected = int(np.count_nonzero(p_adjusted <= self.alpha))
        if self.corrected_by.promise == "false discoveries":
            return self.alpha * rejected / len(p_adjusted)
        return self.corrected_by.interval_level(self.alpha, len(p_adjusted))

    def bootstrap(self, fit: Fitted, key: tuple[int, ...]) -> Bootstrap:
        """The effects of systems over draws, as in the paper."""
        key = (*key, MODELS.index(self.model_name))
        return bootstrap(fit, draws=self.draws, seed=self.seed, key=key, resample=self._resample)

    def differences(self, fit: Fitted, pairs: Pairs) -> Contrasts:
        """The differences of pairs of systems."""
        return system_differences(fit, pairs.first, pairs.second, self._resample)

    def effects(self, fit: Fitted) -> Contrasts:
        """The effects of systems."""
        return system_effects(fit, self._resample)

    @property
    def _resample(self) -> Resample:
        return cast(Resample, self.drawn)


@dataclass(frozen=True, eq=False)
class Inference:
    """What one split says of the systems and of the pairs."""

    effects: Floats  # system
    direction: Signs  # pair: which system is ahead; 1: the first, −1: the second
    p: Floats  # pair: for the system that is ahead
    p_adjusted: Floats  # pair: corrected over all pairs
    plain: MeanInterval  # of the effects
    adjusted: MeanInterval
    printed: MeanInterval | None = None  # as long as those in the paper's tables; for its p alone

    def decisions(self, alpha: float) -> Signs:
        """Which system of the pair is better, or neither (0)."""
        return decided(self.p_adjusted, self.direction, alpha)


def infer(fit: Fitted, key: tuple[int, ...], pairs: Pairs, drawing: Drawing) -> Inference:
    """p-values of all pairs, and both intervals of the effects; the key makes draws differ."""
    effects = fit.effects("system")
    direction = sign(effects[pairs.first] - effects[pairs.second])
    if drawing.is_paper:
        return _as_in_the_paper(drawing.bootstrap(fit, key), direction, pairs, drawing)
    single, of_effects = drawing.differences(fit, pairs).p, drawing.effects(fit)
    p, alpha = drawing.corrected_by.adjusted(single), drawing.alpha
    level = drawing.adjusted_level(p) or alpha / len(p)  # an interval of level 0 would be the whole line
    plain = MeanInterval(pairs.systems, "t", effects, *of_effects.interval(alpha), alpha, drawing.population)
    adjusted = _adjusted(plain, *of_effects.interval(level), name=_adjusted_name(drawing))
    possible = of_differences(drawing.within)  # of a mean and the mean of all
    return Inference(effects, direction, single, p, plain.within(possible), adjusted.within(possible))


def _as_in_the_paper(drawn: Bootstrap, direction: Signs, pairs: Pairs, drawing: Drawing) -> Inference:
    """The p-values and intervals of sections 3.1 and 2.2.

    With one side p is the share of the worse system's draws that reach the better one, as in Figure 3 of the paper;
    with two it is doubled, as the better one is known from the data. With k of N pairs rejected, the adjusted interval
    leaves α k / 2N of the draws out on each side instead of α / 2. The lengths in the paper's tables are those of
    intervals that leave α k / N per cent out, about 4 of 10,000 draws.
    """
    better = np.where(direction > 0, pairs.first, pairs.second)
    worse = np.where(direction > 0, pairs.second, pairs.first)
    single = np.minimum(1, drawing.sides * drawn.reached[better, worse])
    p, alpha = drawing.corrected_by.adjusted(single), drawing.alpha
    level = drawing.adjusted_level(p)
    ends = drawn.interval(alpha)
    plain = MeanInterval(pairs.systems, "percentile", drawn.effects, *ends, alpha, drawing.population)
    adjusted = _adjusted(plain, *drawn.interval(level), name=_adjusted_name(drawing))
    printed = _adjusted(plain, *drawn.interval(2 * level / 100), name=PER_CENT)
    return Inference(drawn.effects, direction, single, p, plain, adjusted, printed)


def _adjusted_name(drawing: Drawing) -> str:
    return ADJUSTED if drawing.corrected_by.promise == "false discoveries" else f"{{}}, by {drawing.corrected_by.title}"


def _adjusted(plain: MeanInterval, low: Floats, high: Floats, *, name: str) -> MeanInterval:
    return replace(plain, name=name.format(plain.name), low=low, high=high)


def sign(difference: Floats) -> Signs:
    """Who is ahead; the first system where they are level."""
    return np.where(difference >= 0, 1, -1).astype(np.int8)


def decided(p: Floats, direction: Signs, alpha: float) -> Signs:
    """The system that is ahead where p ≤ α, else neither (0)."""
    return np.where(p <= alpha, direction, 0).astype(np.int8)
