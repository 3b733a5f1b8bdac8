"""Experiments drawn from a world, and what every method says of them: how often it errs, and what it finds."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Literal
from zlib import crc32

import numpy as np
from numpy.typing import ArrayLike

from irgauge.calibrating.claims import Claims, Experiments, Verdicts, claimed, judged
from irgauge.calibrating.methods import MANY, Method, Setting, methods
from irgauge.calibrating.worlds import Drawn, Rng, World
from irgauge.compute.arrays import Bools, Floats, Indices
from irgauge.compute.tasks import each

Counted = Literal["error", "power", "lacking", "verdict"]
Key = tuple[Method, Counted]
Seen = Mapping[Key, Floats]  # what was counted in each experiment: a share, or 0 or 1
_NEARLY = 1 - 1e-9  # differences of truths are rounded
_COLUMNS, _MOST = 8192, 25  # pairs at once, and experiments


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
    some = Experiments(tuple(_some(one, setting, rng) for one, rng in zip(every, rngs, strict=True)), setting)
    seed = int(rngs[0].integers(2**32))
    by_test: dict[str, list[Method]] = {}
    for method in methods(setting):
        by_test.setdefault(method.test, []).append(method)
    for test, given in by_test.items():
        shown = some if setting.is_sampled(test) else drawn
        if margin is not None:
            yield from _by_verdict(given, shown, seed, margin)
            continue
        found = claimed(test, shown, seed)
        yield from _errors(given, found)
        if world.is_resampled:
            yield from _lacking(test, given, found, shown, seed)


def _some(drawn: Drawn, setting: Setting, rng: Rng) -> Drawn:
    """Of many systems some, the first among them if it is the baseline."""
    systems: Indices = rng.permutation(drawn.values.shape[1])
    if setting.baseline is not None:
        systems = np.concatenate([[0], systems[systems > 0]])
    return drawn.of(systems[:MANY])


def _errors(methods: Sequence[Method], found: Claims) -> Iterator[tuple[Key, Floats]]:
    """Errors of each method, and what it finds, where there is something."""
    for method in methods:
        claims = found.significant(method.corrected_by)
        wrong = found.wrong(claims)
        yield (method, "error"), _numbers(_limited(method, wrong, claims))
        if found.true.any():
            there = found.true != 0
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
    test: str, methods: Sequence[Method], claims: Claims, drawn: Experiments, seed: int
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


def are_false(verdicts: Verdicts, true: Floats, margin: float) -> Bools:
    """Which verdicts are false of the differences that there are; [experiment, pair]."""
    at = margin * _NEARLY
    return verdicts.each([np.abs(true) >= at, true <= 0, true >= 0, true <= -at, true >= at], otherwise=False)
