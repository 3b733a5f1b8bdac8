"""Several p-values of one hypothesis, as of several splits of one corpus: rules that make one p-value of them.

The splits are of the same documents, topics and runs, so that their p-values depend on each other. A rule is valid if
its p-value then still errs with probability α at most, whatever the dependence, where each p-value that it takes does;
others say what they rest on. Of p-values that err more often than they say, as those of Voorhees et al. do, no rule
makes a valid one. Where every split is corrected for many hypotheses, all this holds for the chance of any error too.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from scipy.special import gammaincc, xlogy

from irgauge.choices import known
from irgauge.compute.arrays import Floats
from irgauge.errors import DesignError

VALID = "twice-median"  # what to use instead of a rule that is not


@dataclass(frozen=True)
class Rule:
    """A way to combine p[split, ...] into one p-value each; it rejects where that is at most α."""

    name: str
    explanation: str
    reference: str
    combine: Callable[[Floats], Floats]
    caution: str | None = None  # why it is not a valid p-value under dependence; None if it is

    def stored(self) -> dict[str, str]:
        """Its name, by which it is found again."""
        return {"name": self.name}

    @staticmethod
    def restored(name: str) -> Rule:
        """The rule of that name."""
        return aggregation(name)

    @property
    def is_valid(self) -> bool:
        """Whether it errs with probability α at most however the splits depend on each other."""
        return self.caution is None

    @property
    def warning(self) -> str | None:
        """What a user who chose it should know."""
        return None if self.caution is None else f"{self.caution}; '{VALID}' is valid under any dependence"

    def __call__(self, p: Floats) -> Floats:
        """The combined p-values of p[split, ...], without the first axis."""
        return np.minimum(self.combine(_checked(p)), 1.0)


def largest(p: Floats) -> Floats:
    """All splits reject: max p_j.

    >>> largest(np.array([0.01, 0.04, 0.02])).item()
    0.04
    """
    return np.asarray(np.max(p, axis=0))


def majority(p: Floats) -> Floats:
    """More than half of the splits reject: the k-th smallest p-value, k = ⌊J/2⌋ + 1.

    >>> majority(np.array([0.01, 0.04, 0.02, 0.5])).item()
    0.04
    """
    middle = len(p) // 2
    return np.asarray(np.partition(p, middle, axis=0)[middle])


def median(p: Floats) -> Floats:
    """The median of the p-values.

    >>> round(median(np.array([0.01, 0.04, 0.02, 0.5])).item(), 4)
    0.03
    """
    return np.asarray(np.median(p, axis=0))


def twice_median(p: Floats) -> Floats:
    """Twice the median: P(2 median ≤ α) ≤ α under any dependence, as half of the p-values are then at most α/2.

    >>> round(twice_median(np.array([0.01, 0.04, 0.02, 0.5])).item(), 4)
    0.06
    """
    return 2 * median(p)


def fisher(p: Floats) -> Floats:
    """P(χ² ≥ −2 Σ ln p_j) with 2J degrees of freedom.

    >>> round(fisher(np.array([0.1, 0.1])).item(), 4)
    0.0561
    """
    with np.errstate(divide="ignore"):
        return np.asarray(gammaincc(len(p), -xlogy(1.0, p).sum(axis=0)))


def harmonic(p: Floats) -> Floats:
    """The harmonic mean J / Σ (1 / p_j); 0 where a p-value is 0.

    >>> round(harmonic(np.array([0.01, 0.04])).item(), 4)
    0.016
    """
    with np.errstate(divide="ignore", over="ignore"):
        return np.asarray(len(p) / (1 / p).sum(axis=0))


RULES = {
    rule.name: rule
    for rule in (
        Rule("all", "every split rejects: the largest p-value", "Voorhees et al. (TOIS 2017), section 5", largest),
        Rule(
            "majority",
            "more than half of the splits reject",
            "Rüger (Metrika 1978)",
            majority,
            "a majority of splits that depend on each other can reject with a probability of nearly 2α",
        ),
        Rule(
            "median-p",
            "the median of the p-values",
            "Rüger (Metrika 1978)",
            median,
            "the median of p-values that depend on each other can be at most α with a probability of 2α",
        ),
        Rule(
            VALID,
            "twice the median of the p-values",
            "Rüger (Metrika 1978); Meinshausen, Meier and Bühlmann (JASA 2009)",
            twice_median,
        ),
        Rule(
            "fisher",
            "Fisher's sum of logarithms",
            "Fisher, Statistical Methods for Research Workers (4th ed., 1932)",
            fisher,
            "Fisher's rule is for independent p-values: splits of one corpus repeat the same evidence, which it counts "
            "as often as there are splits",
        ),
        Rule(
            "harmonic",
            "the harmonic mean of the p-values",
            "Wilson (PNAS 2019); Vovk and Wang (Biometrika 2020)",
            harmonic,
            "the harmonic mean of p-values that depend on each other is a p-value only once it is multiplied, by at "
            "most e ln J for J splits",
        ),
    )
}


def aggregation(name: str) -> Rule:
    """The rule of that name.

    >>> aggregation("all")(np.array([[0.01, 0.2], [0.03, 0.1]])).tolist()
    [0.03, 0.2]
    >>> aggregation("fisher").is_valid
    False
    """
    return RULES[known(name, RULES, "rule")]


def _checked(p: Floats) -> Floats:
    p = np.asarray(p, np.float64)
    if p.ndim == 0 or len(p) == 0:
        raise DesignError("there are no p-values to aggregate; give those of one split at least")
    if not ((p >= 0) & (p <= 1)).all():  # NaN is neither
        wrong = p[~((p >= 0) & (p <= 1))]
        raise DesignError(f"p-values are between 0 and 1; {wrong.size} of {p.size} are not, such as {wrong[0]}")
    return p
