"""Dunnett's test: which systems differ from a baseline? All comparisons together, blocked by topic."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Literal

import numpy as np
from scipy.special import stdtr

from irgauge.errors import DesignError
from irgauge.inference.comparison import Comparison, Floats, Name
from irgauge.inference.corrections import MAXIMUM, NONE
from irgauge.inference.many_to_one import ppf, sf
from irgauge.inference.outcomes import Names, Outcome, compared, differences, on_values, ratio
from irgauge.inference.tests.record import Test

NAME = "dunnett"


def dunnett(
    values: Floats, systems: Names, *, alpha: float = 0.05, baseline: Name, sides: Literal[1, 2] = 2
) -> Comparison:
    """Dunnett's test of values[topic, system] against a baseline, with one error term for all systems.

    With d_i = μ_i − μ_baseline of R systems on T topics, and MS the mean square of topic:system with (R − 1)(T − 1)
    degrees of freedom, t_i = d_i / √(2 MS / T) and p_i = P(max |t| ≥ |t_i|); one-sided, P(max t ≥ t_i) asks whether
    system i is better than the baseline. The interval is d_i ± c √(2 MS / T), c from the same distribution: two-sided,
    it holds for all systems together with confidence 1 − α; one-sided, each of its ends does. The effect is d_i / √MS.
    Dunnett, "A multiple comparison procedure for comparing several treatments with a control" (JASA 1955).

    >>> values = np.array([[0.2, 0.5, 0.6], [0.3, 0.4, 0.4], [0.1, 0.6, 0.7], [0.2, 0.5, 0.6]])
    >>> comparison = dunnett(values, ["a", "b", "c"], baseline="a")
    >>> comparison.names, comparison.p.round(4).tolist()
    ([('c', 'a'), ('b', 'a')], [0.0051, 0.0145])
    """
    if baseline is None:
        raise DesignError("Dunnett's test compares systems with a baseline: name one, or use the test t or tukey")
    pairs, y = on_values(values, systems, alpha, NONE.name, baseline, sides)
    k, d = len(pairs.first), pairs.difference
    ms, df = _interaction(differences(y, pairs.first, pairs.second))
    se = np.full(k, math.sqrt(2 * ms / len(y)))
    t = ratio(d, se)
    margin, effect = ppf(1 - alpha, k, df, sides) * se, ratio(d, np.full(k, math.sqrt(ms)))
    outcome = Outcome.around(d, margin, t, _p_single(t, df, sides), effect, se)
    comparison = compared(pairs, NAME, outcome)
    return replace(comparison, correction=MAXIMUM.name, p=sf(t, k, df, sides), error_ms=ms, df=df)


def _interaction(d: Floats) -> tuple[float, float]:
    """The mean square of topic:system and its degrees of freedom, from the differences d[topic, pair] to one system."""
    topics, k = d.shape
    e = np.column_stack((d - d[0], np.zeros(topics)))  # topic, system; less the first topic, constant columns are 0
    e -= e.mean(axis=0)
    e -= e.mean(axis=1, keepdims=True)
    df = float(k * (topics - 1))
    return float(np.square(e).sum()) / df, df


def _p_single(t: Floats, df: float, sides: Literal[1, 2]) -> Floats:
    return np.asarray(stdtr(df, -t) if sides == 1 else 2 * stdtr(df, -np.abs(t)))


DUNNETT = Test(
    name=NAME,
    function=dunnett,
    title="Dunnett's test",
    explanation="Dunnett's test against a baseline, one error term for all systems",
    place=40,
    takes=("sides",),
    corrected_by=MAXIMUM,
    needs_baseline=True,
    is_equal_spread=True,
    when="against a baseline; a little more power with few topics, if all systems vary alike",
    caution="Dunnett's test takes one spread for all systems: where a system or the baseline varies more than the "
    "others it errs too often, and where they vary less it misses differences; the paired t-test does not",
)
RECORDS = (DUNNETT,)
