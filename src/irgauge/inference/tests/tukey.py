"""Tukey's honestly significant difference: all pairs together, against the error term of a model."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import get_args

import numpy as np

from irgauge.compute.arrays import Floats
from irgauge.inference.comparison import Comparison, Name
from irgauge.inference.corrections import BUILT_IN, NONE
from irgauge.inference.intervals import standard_error
from irgauge.inference.outcomes import Names, Outcome, compared_together, pairs_of
from irgauge.inference.studentized import ppf, sf
from irgauge.inference.tests.record import Test
from irgauge.models.anova import Fit, Population

NAME = "tukey"


def tukey(
    fit: Fit, systems: Names, *, population: Population, alpha: float = 0.05, baseline: Name = None
) -> Comparison:
    """Tukey's honestly significant difference, all pairs together, with the error term of the population.

    |μ_u − μ_v| / √(MS / TS) > Q(α; R, df), p = P(Q(R, df) ≥ it), and the interval μ_u − μ_v ± Q(α; R, df) √(MS / TS):
    Ferro and Sanderson (2019), eq. 1 and 2. The effect is (μ_u − μ_v) / √MS.

    >>> from irgauge.models.anova import fit
    >>> values = np.array([[0.2, 0.5, 0.6], [0.3, 0.4, 0.4], [0.1, 0.6, 0.7], [0.2, 0.5, 0.6]])
    >>> tukey(fit(values[:, :, None], "MD1"), ["a", "b", "c"], population="topics").p_adjusted.round(4).tolist()
    [0.6201, 0.0068, 0.0191]
    """
    error, (topics, r, shards) = fit.error_term(population), fit.shape
    pairs = pairs_of(fit.means("system"), systems, (topics, shards), alpha, NONE.name, baseline, population=population)
    se, root = standard_error(error), math.sqrt(error.ms)
    q, margin = pairs.difference / se, float(ppf(1 - alpha, r, error.df)) * se
    of_pair = np.full(q.shape, math.sqrt(2) * se)
    outcome = Outcome.around(pairs.difference, margin, q, sf(np.abs(q), r, error.df), pairs.difference / root, of_pair)
    return replace(compared_together(pairs, NAME, outcome, BUILT_IN), error_ms=error.ms, df=error.df)


def all_pairs_p(fit: Fit, population: Population) -> Floats:
    """p of every pair, by the places of its systems; system, system."""
    error, means = fit.error_term(population), fit.means("system")
    q = np.abs(means[:, None] - means) / standard_error(error)
    return np.asarray(sf(q, len(means), error.df))


TUKEY = Test(
    name=NAME,
    function=tukey,
    title="Tukey's HSD test",
    explanation="Tukey's honestly significant difference, from a model",
    place=50,
    needs="fit",
    takes=("population",),
    corrected_by=BUILT_IN,
    covers=get_args(Population),
    is_equal_spread=True,
    planned_by="range",
    when="to repeat papers; they take it for granted that systems vary alike",
    assumes="the model's errors are normal, and vary alike for all systems",
    how={
        "shards": "Tukey's HSD test (Tukey 1949) against MS(system:shard) from the model of topics, systems, shards "
        "and their interactions (MD6; Ferro and Sanderson 2019)",
    },
    references=("tukey-1949", "ferro-sanderson-2019"),
)
RECORDS = (TUKEY,)
