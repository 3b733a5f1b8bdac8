"""How often a gate of many looks errs, and what it finds: writes docs/many-looks.md.

`PYTHONPATH=tests python -m benchmarks.looks`

It takes a few minutes. Worlds are those of tests/calibration/looks.py, looked at after every topic.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np

from calibration.looks import ALPHA, LOST, WORLDS, Floats, PairWorld, false_claims, shown
from irgauge.inference.tests.skewed_t import skewed_t_outcome

PAGE = Path(__file__).parent.parent / "docs" / "many-looks.md"
TOPICS, TRIALS, BLOCK = 1000, 2000, 250
EVERY = 20  # topics after which the gate of one look is asked again, which it is not made for
SIZES = (50, 200, 1000)  # topics at which the gate of one look is asked

HEAD = f"""# Many looks: how often they err, and what they find

`irgauge gate --sequential` may be looked at after every topic. Here it is, for {TOPICS:,} topics, in {TRIALS:,} trials
of each world, at α = {ALPHA:g}. Written by `PYTHONPATH=tests python -m benchmarks.looks`; the tests have a shorter
version (`tests/calibration/test_looks.py`).

## How often something false is claimed at any look, in per cent

*Better or worse*: of two that are equally good. *Not worse*: of a candidate that is worse by exactly the margin, which
is {100 * LOST:g} % of the baseline's mean, as a number or in per cent. Each may be 5 % at most. Without a range the
sequence is asymptotic, and that is a promise for many topics only. The last column is *not worse (number)* by the gate
of one look, if it is asked every {EVERY} topics until it passes, which it is not made for.

| world | better or worse | not worse (number) | not worse (per cent) | one look, asked again and again |
|---|---:|---:|---:|---:|
"""
POWER = f"""
## What it finds, against a gate of one look

How many of 100 candidates that are as good as the baseline pass, with a margin of {100 * LOST:g} % of its mean: at a
single look at a number of topics that was fixed before (the guarded t-test), and by that many topics if it is looked at
after each. Then the number of topics after which half of them have passed.

| world | {" | ".join(f"{size:,} topics, one look | {size:,}, many looks" for size in SIZES)} | half have passed after |
|---|{"---:|" * (2 * len(SIZES) + 1)}
"""
TAIL = """
A gate of one look is the better choice where the number of topics is settled anyway, and nobody looks before. Many
looks pay where candidates may be clearly better or worse, where topics cost money, or where people look anyway.
"""


class Power(NamedTuple):
    """Of equally good candidates."""

    once: tuple[float, ...]  # size: the share that passes at one look
    looks: tuple[float, ...]  # size: the share that passes by then
    half: float  # topics after which half have passed; infinite where fewer do


def rates(world: PairWorld) -> Floats:
    """In blocks of trials."""
    blocks = [false_claims(world, np.random.default_rng(seed), (TOPICS, BLOCK)) for seed in range(TRIALS // BLOCK)]
    return np.mean(blocks, axis=0)


def asked_again(world: PairWorld) -> float:
    """How often the gate of one look passes a candidate that is worse by the margin, if it is asked until it does."""
    rng = np.random.default_rng(3)
    baseline, candidate = world.pairs(rng, (TOPICS, 4 * BLOCK))
    d = world.worse(rng, candidate) - baseline
    sizes = range(EVERY, TOPICS + 1, EVERY)
    passed = [skewed_t_outcome(d[:size], 2 * ALPHA).low > -LOST * world.mean for size in sizes]
    return float(np.any(passed, axis=0).mean())


def power(world: PairWorld) -> Power:
    """By one look, and by many."""
    margin = LOST * world.mean
    blocks = [np.subtract(*world.pairs(np.random.default_rng((1, seed)), (TOPICS, BLOCK))) for seed in range(4)]
    d = np.concatenate(blocks, axis=1)  # topic, trial
    first = shown(d, -margin, ALPHA, world.range)
    once = [float((skewed_t_outcome(d[:size], 2 * ALPHA).low > -margin).mean()) for size in SIZES]
    half = float(np.median(first))
    return Power(
        tuple(once), tuple(float((first <= size).mean()) for size in SIZES), half if half <= TOPICS else np.inf
    )


def page() -> Iterator[str]:
    """The page, part by part."""
    yield HEAD
    for name, world in WORLDS.items():
        yield f"| {name} | {' | '.join(f'{100 * rate:.1f}' for rate in (*rates(world), asked_again(world)))} |\n"
    yield POWER
    for name, world in WORLDS.items():
        of_world = power(world)
        cells = [f"{100 * share:.0f}" for both in zip(of_world.once, of_world.looks, strict=True) for share in both]
        half = f"{of_world.half:,.0f}" if np.isfinite(of_world.half) else f"more than {TOPICS:,}"
        yield f"| {name} | {' | '.join(cells)} | {half} |\n"
    yield TAIL


if __name__ == "__main__":
    PAGE.write_text("".join(page()), encoding="utf-8")
