"""Differences where people judged a sample of each topic's documents, corrected by a judge who judged all of them.

On topic t let y_t be a pair's difference by people's sample, x_t by the judge's judgments of the same documents, both
weighed so that their expectations are the differences on all documents, and X_t the judge's difference on all of them:

    θ = mean over t of y_t + λ_t (X_t − x_t)

has no bias whatever the judge says, as x_t has the expectation X_t: with λ = 1 it is the difference estimator. The
variance is least at λ = Cov(y, x − X) / Var(x − X), kept from 0, people alone, to 1; each topic has its λ from the
others. Topics are a sample, and documents are drawn on each by themselves: the variance over topics is of both.
"""

from __future__ import annotations

import numpy as np

from irgauge.compute.arrays import Floats
from irgauge.errors import DesignError
from irgauge.inference.prediction_powered import LEAST_TOPICS, Corrected, tuned
from irgauge.inference.verdicts import Parts


def corrected_by_documents(people: Floats, sample: Floats, whole: Floats, weight: float | None = None) -> Corrected:
    """Correct people[topic, pair] by sample[topic, pair] and whole[topic, pair]; `weight` is a λ that is given."""
    n = len(people)
    if n < LEAST_TOPICS:
        raise DesignError(f"{n} topics by people are too few; {LEAST_TOPICS} are needed")
    off = sample - whole
    weights = tuned(people, off, 0.0) if weight is None else np.full(people.shape, weight)
    each = people - weights * off  # topic, pair
    freedom = n - 1.0 if weight is not None else n - 2.0  # one is spent on the tuning
    return Corrected(
        each=each,
        parts=Parts(np.var(each, axis=0, ddof=1)[None] / n, np.full((1, people.shape[1]), freedom)),
        weight=weights.mean(axis=0),
        people=people.mean(axis=0),
        people_variance=np.var(people, axis=0, ddof=1) / n,
        topics=n,
        judged=0,
    )
