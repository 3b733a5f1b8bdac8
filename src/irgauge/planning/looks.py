"""How many topics does a gate of many looks take until it is decided? By trials from the differences of a pilot."""

from __future__ import annotations

from typing import Literal, NamedTuple

import numpy as np

from irgauge.compute.arrays import Floats
from irgauge.inference.confidence_sequences import first_shown, mirrored
from irgauge.inference.tests.skewed_t import skewed_t_outcome
from irgauge.scoring.measures import Range

Truth = Literal[
    "as in the pilot", "better by the margin", "as good", "worse by the margin", "worse by twice the margin"
]
TRIALS = 300
FEWEST, MOST = 500, 5000  # topics that are looked at
_TIMES = 5  # as many topics are looked at as one look needs, times this
_STEPS = 60  # of a search
_LARGEST_TILT = 700.0  # whose exponential is finite


class Looking(NamedTuple):
    """A gate of many looks: the differences of a pilot, of which more is better, and what is asked of them."""

    gains: Floats  # topic
    margin: float
    alpha: float
    within: Range | None  # of differences


class LooksForecast(NamedTuple):
    """What becomes of a gate, if the candidate is so good; topics are until it is decided, or given up."""

    truth: Truth
    difference: float
    passes: float
    fails: float
    undecided: float  # after the most topics
    mean: float  # topics
    median: float
    ninety: float  # topics after which 90 % are decided


class LooksPlan(NamedTuple):
    """Forecasts, the most topics that were looked at, and what one look takes."""

    margin: float
    most: int
    once: int | None  # topics with which one look passes a candidate that is as good, with the power; None: more
    power: float
    forecasts: tuple[LooksForecast, ...]

    def of(self, truth: Truth) -> LooksForecast | None:
        """The forecast for a truth; None where the pilot has no such differences."""
        return next((own for own in self.forecasts if own.truth == truth), None)


def looks_plan(looking: Looking, power: float, seed: int = 0) -> LooksPlan:
    """The pilot's differences are drawn again with weights that give them the mean of each truth."""
    once = _once(looking, power, seed)
    most = MOST if once is None else int(np.clip(_TIMES * once, FEWEST, MOST))
    margin, mean = looking.margin, float(looking.gains.mean())
    truths: dict[Truth, float] = {
        "as in the pilot": mean,
        "better by the margin": margin,
        "as good": 0.0,
        "worse by the margin": -margin,
        "worse by twice the margin": -2 * margin,
    }
    possible = {truth: at for truth, at in truths.items() if tilted(looking.gains, at) is not None}
    forecasts = tuple(_forecast(looking, truth, at, (most, seed)) for truth, at in possible.items())
    return LooksPlan(margin, most, once, power, forecasts)


def tilted(gains: Floats, mean: float) -> Floats | None:
    """Weights ∝ exp(θ d) of differences d with which their mean is another; None where it is not among them.

    >>> weights = tilted(np.array([-1.0, 0.0, 0.0, 1.0]), 0.2)
    >>> round(float(weights @ [-1.0, 0.0, 0.0, 1.0]), 6)
    0.2
    """
    if not gains.min() < mean < gains.max():
        return None
    centred = gains - mean
    low, high = (end / np.abs(centred).max() for end in (-_LARGEST_TILT, _LARGEST_TILT))
    for _ in range(_STEPS):
        middle = (low + high) / 2
        low, high = (low, middle) if _weights(middle, centred) @ centred > 0 else (middle, high)
    return _weights((low + high) / 2, centred)


def _weights(theta: float, centred: Floats) -> Floats:
    logs = theta * centred
    weights = np.exp(logs - logs.max())
    return np.asarray(weights / weights.sum())


def _drawn(gains: Floats, mean: float, shape: tuple[int, int], seed: int) -> Floats:
    """Differences[topic, trial] with a mean."""
    return np.random.default_rng(seed).choice(gains, shape, p=tilted(gains, mean))


def _forecast(looking: Looking, truth: Truth, mean: float, trials: tuple[int, int]) -> LooksForecast:
    most, seed = trials
    d = _drawn(looking.gains, mean, (most, TRIALS), seed)
    passed = first_shown(d, -looking.margin, looking.alpha, looking.within)
    failed = first_shown(0.0 - d, 0.0, looking.alpha / 2, mirrored(looking.within))
    decided = np.minimum(passed, failed)
    topics = np.minimum(decided, most)
    shares = ((passed <= failed) & (passed <= most)).mean(), ((failed < passed) & (failed <= most)).mean()
    undecided = (decided > most).mean()
    ends = np.mean(topics), np.median(topics), np.quantile(topics, 0.9)
    return LooksForecast(truth, mean, *map(float, (*shares, undecided, *ends)))


def _once(looking: Looking, power: float, seed: int) -> int | None:
    """The fewest topics with which one look, by the guarded t-test, passes a candidate that is as good."""
    if tilted(looking.gains, 0.0) is None:
        return None
    d = _drawn(looking.gains, 0.0, (MOST, TRIALS), seed)

    def is_enough(topics: int) -> bool:
        low = skewed_t_outcome(d[:topics], 2 * looking.alpha).low
        return bool((low > -looking.margin).mean() >= power)

    enough = 4
    while not is_enough(enough):
        if enough == MOST:
            return None
        enough = min(2 * enough, MOST)
    too_few = enough // 2
    while enough - too_few > 1:
        middle = (too_few + enough) // 2
        too_few, enough = (too_few, middle) if is_enough(middle) else (middle, enough)
    return enough
