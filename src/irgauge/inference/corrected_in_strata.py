"""Differences corrected by a judge's where people's topics are drawn within strata, of some more than of others.

With the share W_h of all topics, people's and others, that are in stratum h,

    θ = Σ_h W_h θ_h,    θ_h = mean over people's topics i in h of d_i + λ_i (f̄_h − f_i),

where f̄_h is the judge's mean on the other topics of the stratum, and λ_i is tuned on all topics but i (see
`prediction_powered`). It has no bias where people's topics are drawn by chance within each stratum, and strata are set
without people's judgments. Its variance is Σ_h W_h² s_h²/n_h of people's topics, Σ_h W_h² λ² Var_h(f)/N_h of the
judge's others, and Σ_h W_h (θ_h − θ)²/M, as M topics in all show how large strata are (double sampling: Neyman,
"Contribution to the theory of sampling human populations", Journal of the American Statistical Association 33, 1938).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from irgauge.compute.arrays import Floats, Ints
from irgauge.errors import DesignError
from irgauge.inference.prediction_powered import LEAST_FURTHER, LEAST_TOPICS, Corrected, tuned
from irgauge.inference.verdicts import Parts


@dataclass(frozen=True, eq=False)
class Strata:
    """The stratum of each topic that people judged, and of each other one; from 0 on."""

    people: Ints  # topic
    further: Ints  # topic

    def __post_init__(self) -> None:
        each = (self.people, "people", LEAST_TOPICS), (self.further, "the judge alone", LEAST_FURTHER)
        for strata, whose, least in each:
            if (fewest := int(self.counts(strata).min())) < least:
                raise DesignError(f"a stratum has {fewest} topics by {whose}; {least} are needed, so join strata")

    def counts(self, strata: Ints) -> Floats:
        """Topics of each stratum."""
        number = int(max(self.people.max(), self.further.max())) + 1
        return np.bincount(strata, minlength=number).astype(float)

    @property
    def shares(self) -> Floats:
        """W_h."""
        sizes = self.counts(self.people) + self.counts(self.further)
        return np.asarray(sizes / sizes.sum())


def corrected_in_strata(people: Floats, judged: Floats, further: Floats, strata: Strata) -> Corrected:
    """Correct people[topic, pair] by judged[topic, pair] and further[topic, pair], as `corrected` does, in strata.

    What it is the mean of has the mean θ, and varies as topics would that are drawn without strata with the same
    error, so that it is guarded against skewness in the same way.
    """
    shares = strata.shares
    weights = tuned(people, judged, len(people) / len(further))
    each = people - weights * (judged - _means(further, strata.further)[strata.people])  # topic, pair
    of_strata = _means(each, strata.people)  # stratum, pair
    estimate = shares @ of_strata
    of_people, of_judge = _error(each, strata.people, shares), _error(further, strata.further, shares)
    between = shares @ np.square(of_strata - estimate) / (len(people) + len(further))
    others = np.square(weights.mean(axis=0)) * of_judge.sum(axis=0) + between
    df = np.array([_freedom(of_people, strata.counts(strata.people)), np.full(len(others), len(further) - 1.0)])
    return Corrected(
        each=estimate + _lengths(strata)[:, None] * (each - of_strata[strata.people]),
        parts=Parts(np.array([of_people.sum(axis=0), others]), df),
        weight=weights.mean(axis=0),
        people=shares @ _means(people, strata.people),
        people_variance=_error(people, strata.people, shares).sum(axis=0),
        topics=len(people),
        judged=len(further),
    )


def _means(values: Floats, strata: Ints) -> Floats:
    """stratum, pair."""
    return np.array([values[strata == h].mean(axis=0) for h in range(int(strata.max()) + 1)])


def _error(values: Floats, strata: Ints, shares: Floats) -> Floats:
    """W_h² s_h² / n_h; stratum, pair."""
    each = [values[strata == h] for h in range(len(shares))]
    return np.array([share**2 * own.var(axis=0, ddof=1) / len(own) for share, own in zip(shares, each, strict=True)])


def _freedom(errors: Floats, counts: Floats) -> Floats:
    """Satterthwaite's, less one for the tuning; pair."""
    with np.errstate(divide="ignore", invalid="ignore"):
        df = np.square(errors.sum(axis=0)) / (np.square(errors) / (counts - 1)[:, None]).sum(axis=0)
    return np.maximum(np.where(np.isfinite(df), df, counts.sum() - len(counts)) - 1, 1.0)


def _lengths(strata: Strata) -> Floats:
    """How much longer deviations within strata are made, so that n topics without strata have the same error; topic."""
    n = strata.counts(strata.people)
    return np.asarray((strata.shares / n * n.sum() * np.sqrt(n / (n - 1)))[strata.people])
