"""Experiments drawn, and what is said of them: how often a method errs in a world, and what it finds there.

And whether intervals of means hold the truth, which is the mean over all topics where these are drawn with replacement;
and how sure such a rate is.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Literal
from zlib import crc32

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import betaincinv, ndtri

from irgauge.calibrating.methods import (
    AS_ASKED,
    MANY,
    ONE_BY_ONE,
    Experiments,
    Method,
    PairClaims,
    PairVerdicts,
    Setting,
    Way,
    claimed,
    judged,
    methods,
)
from irgauge.calibrating.redrawing import as_drawn, redrawn
from irgauge.calibrating.worlds import Drawn, Rng, World
from irgauge.compute.arrays import Bools, Floats, Indices
from irgauge.compute.tasks import each
from irgauge.errors import DesignError
from irgauge.inference.intervals import anova_interval, sem_interval, tukey_interval
from irgauge.inference.mean_bounds import mean_bounds
from irgauge.inference.sampled_bounds import sampled_bounds
from irgauge.models.anova import decompose
from irgauge.scoring.measures import Range

Counted = Literal["error", "power", "lacking", "verdict"]
Key = tuple[Method, Counted]
Seen = Mapping[Key, Floats]  # what was counted in each experiment: a share, or 0 or 1
_NEARLY = 1 - 1e-9  # differences of truths are rounded
_COLUMNS, _MOST = 8192, 25  # pairs at once, and experiments
MEAN = "mean"  # the interval of score
TUKEY_INTERVAL = "tukey"
FOR_COMPARING = (TUKEY_INTERVAL, "sem", "anova")  # intervals of means that are for comparing systems
Verdict = Literal["keeps its promise", "liberal", "conservative", "unclear", "cannot be judged"]
_SHOWN, _JUDGED = 0.95, 0.997  # confidence of the limits that are shown, and of those that a verdict rests on
_TENTH = 0.1  # of the nominal rate: an error within a tenth of it is as promised (Bradley 1978, strictly)
TOLERATED = 1.5  # times the nominal rate: what is surely below it keeps its promise (Bradley 1978, liberally)


@dataclass(frozen=True, eq=False)
class Tried:
    """What was counted in each experiment of a world."""

    world: str
    systems: int
    found: Seen


def tried(
    world: World,
    setting: Setting,
    trials: int,
    *,
    seed: int,
    margin: float | None = None,
    workers: int | None = None,
    then: Callable[[object], None] | None = None,
) -> Tried:
    """Draw experiments, and count; they are the same whatever the threads."""
    size = _at_once(setting)
    numbers = [range(start, min(start + size, trials)) for start in range(0, trials, size)]
    blocks = each(partial(_block, world, setting, seed, margin), numbers, workers, named="block", then=then)
    return Tried(world.name, world.systems, {block: np.concatenate([b[block] for b in blocks]) for block in blocks[0]})


def _block(world: World, setting: Setting, seed: int, margin: float | None, numbers: range) -> Seen:
    key = crc32(f"{setting.population}/{world.name}".encode())
    rngs = [np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(key, i))) for i in numbers]
    return dict(_seen(world, setting, rngs, margin))


def blocks_of(trials: int, setting: Setting) -> int:
    """How often `then` is told of so many experiments."""
    return -(-trials // _at_once(setting))


def _at_once(setting: Setting) -> int:
    return min(_MOST, max(1, _COLUMNS // setting.pairs))


def _seen(world: World, setting: Setting, rngs: Sequence[Rng], margin: float | None) -> Iterator[tuple[Key, Floats]]:
    every = tuple(world.draw(rng) for rng in rngs)
    drawn = Experiments(every, setting)
    some = Experiments(tuple(_some(draw, setting, rng) for draw, rng in zip(every, rngs, strict=True)), setting)
    seed = int(rngs[0].integers(2**32))
    by_test: dict[tuple[str, Way], list[Method]] = {}
    for method in methods(setting):
        if world.tells_of_plain or method.way != ONE_BY_ONE:
            by_test.setdefault((method.test, method.way), []).append(method)
    for (test, way), own_methods in by_test.items():
        shown = (some if setting.is_sampled(test) else drawn).made(way)
        if margin is not None:
            yield from _by_verdict(own_methods, shown, seed, margin)
            continue
        claims = claimed(test, shown, seed)
        yield from _errors(own_methods, claims)
        if world.is_resampled and way == AS_ASKED:
            yield from _lacking(test, own_methods, claims, shown, seed)


def _some(drawn: Drawn, setting: Setting, rng: Rng) -> Drawn:
    """Of many systems some, the first among them if it is the baseline."""
    systems: Indices = rng.permutation(drawn.values.shape[1])
    if setting.baseline is not None:
        systems = np.concatenate([[0], systems[systems > 0]])
    return drawn.of(systems[:MANY])


def _errors(methods: Sequence[Method], results: PairClaims) -> Iterator[tuple[Key, Floats]]:
    """Errors of each method, and what it finds, where there is something."""
    for method in methods:
        claims = results.significant(method.corrected_by)
        wrong = results.wrong(claims)
        yield (method, "error"), _numbers(_limited(method, wrong, claims))
        if results.true.any():
            there = results.true != 0
            yield (method, "power"), _numbers((claims & ~wrong & there).sum(axis=1) / there.sum(axis=1))


def _numbers(found: ArrayLike) -> Floats:
    return np.asarray(found, np.float64)


def _limited(method: Method, wrong: Bools, claims: Bools) -> ArrayLike:
    """What the method promises to limit, in each experiment."""
    if method.promise == "any pair":
        return np.asarray(wrong.any(axis=1))
    if method.promise == "each pair":
        return np.asarray(wrong.mean(axis=1))
    return np.asarray(wrong.sum(axis=1) / np.maximum(1, claims.sum(axis=1)))


def _lacking(
    test: str, methods: Sequence[Method], claims: PairClaims, drawn: Experiments, seed: int
) -> Iterator[tuple[Key, Floats]]:
    """Intervals that lack the truth: of each pair for itself the share, of all together whether any does."""
    alpha, tests = drawn.setting.alpha, drawn.setting.pairs
    tried = set()
    for method in methods:
        correction = method.corrected_by
        interval = correction.interval_level(alpha, tests), correction.is_simultaneous
        if interval not in tried:  # corrections that differ in p alone share it
            tried.add(interval)
            lacking = (claims if interval[0] == alpha else claimed(test, drawn, seed, interval[0])).lacking
            is_of_all = correction.is_simultaneous
            yield (method, "lacking"), _numbers(lacking.any(axis=1) if is_of_all else lacking.mean(axis=1))


def _by_verdict(
    methods: Sequence[Method], drawn: Experiments, seed: int, margin: float
) -> Iterator[tuple[Key, Floats]]:
    """Whether any verdict against the margin is false, of methods that hold for all pairs together."""
    for method in methods:
        if drawn.setting.is_of_all(method):
            false = are_false(judged(method, drawn, seed, margin), drawn.true, margin)
            yield (method, "verdict"), _numbers(false.any(axis=1))


def are_false(verdicts: PairVerdicts, true: Floats, margin: float) -> Bools:
    """Which verdicts are false of the differences that there are; [experiment, pair]."""
    at = margin * _NEARLY
    return verdicts.each([np.abs(true) >= at, true <= 0, true >= 0, true <= -at, true >= at], otherwise=False)


def lacking(
    values: Floats,
    setting: Setting,
    trials: int,
    *,
    within: Range | None,
    seed: int,
    workers: int | None = None,
    then: Callable[[object], None] | None = None,
) -> dict[str, Floats]:
    """The share of intervals of each kind that lack the mean of values[topic, system], in each experiment."""
    every = each(partial(_share_held, values, setting, within, seed), range(trials), workers, named="trial", then=then)
    return {name: np.array([seen[name] for seen in every]) for name in every[0]}


def _share_held(values: Floats, setting: Setting, within: Range | None, seed: int, number: int) -> dict[str, float]:
    rng = np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(3, number)))
    if setting.sampling is not None:
        rows, sampling = redrawn(setting.sampling, rng)
        bounds = sampled_bounds(values[rows], sampling, setting.alpha, within)
        return {MEAN: _share(*bounds, as_drawn(setting.sampling).means(values))}
    drawn, truth = values[rng.integers(len(values), size=len(values))], values.mean(axis=0)
    own = _share(*mean_bounds(drawn, alpha=setting.alpha, within=within), truth)
    return {MEAN: own} | _for_comparing(drawn, truth, setting.alpha)


def _for_comparing(drawn: Floats, truth: Floats, alpha: float) -> dict[str, float]:
    """The intervals of means that are for comparing systems; all lack the truth where systems do not vary."""
    on_shards, systems = drawn[:, :, None], list(map(str, range(drawn.shape[1])))
    try:
        fit = decompose(on_shards).fit("MD1")
    except DesignError:
        return dict.fromkeys(FOR_COMPARING, 1.0)
    intervals = {
        TUKEY_INTERVAL: tukey_interval(fit, systems, population="topics", alpha=alpha),
        "sem": sem_interval(on_shards, systems, alpha=alpha),
        "anova": anova_interval(fit, systems, population="topics", alpha=alpha),
    }
    return {name: _share(interval.low, interval.high, truth) for name, interval in intervals.items()}


def _share(low: Floats, high: Floats, truth: Floats) -> float:
    """Of intervals that lack the truth; an interval without ends lacks it."""
    return float(1 - ((low <= truth) & (truth <= high)).mean())


@dataclass(frozen=True)
class Rate:
    """The mean over experiments of a share, with its Monte Carlo error and interval."""

    observed: float
    error: float  # one standard error
    low: float
    high: float
    trials: int


def rate(shares: Floats) -> Rate:
    """Of the share that was found in each experiment.

    >>> found = rate(np.array([0.0, 0.0, 0.0, 1.0]))
    >>> found.observed, found.error, round(found.low, 4), round(found.high, 4)
    (0.25, 0.25, 0.0063, 0.8059)
    """
    low, high = _limits(shares, _SHOWN)
    return Rate(float(shares.mean()), _error(shares), low, high, len(shares))


def verdict_of(shares: Floats, nominal: float) -> Verdict:
    """Whether errors occur as often as promised, within a tenth of that; unclear if they may be half as many again.

    >>> verdict_of(np.repeat([1.0, 0.0], [30, 170]), 0.05), verdict_of(np.zeros(400), 0.05)
    ('liberal', 'conservative')
    >>> verdict_of(np.repeat([1.0, 0.0], [5, 95]), 0.05), verdict_of(np.repeat([1.0, 0.0], [50, 950]), 0.05)
    ('unclear', 'keeps its promise')
    """
    low, high = _limits(shares, _JUDGED)
    if low > nominal * (1 + _TENTH):
        return "liberal"
    if high < nominal * (1 - _TENTH):
        return "conservative"
    return "unclear" if high > TOLERATED * nominal else "keeps its promise"


def in_all(verdicts: Sequence[Verdict]) -> Verdict:
    """Of several worlds: the promise is kept where it is broken in none, and conservative only in all.

    >>> in_all(["keeps its promise", "liberal", "conservative"]), in_all(["conservative", "keeps its promise"])
    ('liberal', 'keeps its promise')
    """
    for worst in ("liberal", "cannot be judged", "unclear", "keeps its promise"):
        if worst in verdicts:
            return worst
    return "conservative"


def _error(shares: Floats) -> float:
    """Where all experiments say the same, less than one of them is not seen."""
    n = len(shares)
    spread = float(shares.std(ddof=1)) if n > 1 else 0.0
    return spread / math.sqrt(n) if spread else 1 / n


def _limits(shares: Floats, confidence: float) -> tuple[float, float]:
    """Exact where experiments err or do not (Clopper and Pearson 1934); of shares the mean ± z errors."""
    n, tail = len(shares), (1 - confidence) / 2
    if np.isin(shares, (0.0, 1.0)).all():
        k = int(shares.sum())
        low = float(betaincinv(k, n - k + 1, tail)) if k else 0.0
        return low, float(betaincinv(k + 1, n - k, 1 - tail)) if k < n else 1.0
    mean, reach = float(shares.mean()), -float(ndtri(tail)) * _error(shares)
    return max(0.0, mean - reach), min(1.0, mean + reach)
