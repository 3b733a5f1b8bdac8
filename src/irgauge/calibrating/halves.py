"""Does a claim hold up? What half of the topics says, or of the shards, against what the other half says."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Literal, NamedTuple

import numpy as np

from irgauge.calibrating.methods import Experiments, Method, PairClaims, Setting, claimed, judged, methods
from irgauge.calibrating.trials import Rate
from irgauge.calibrating.worlds import Drawn
from irgauge.compute.arrays import Bools, Floats
from irgauge.compute.tasks import each
from irgauge.inference.corrections import Correction

Halved = Literal["topics", "shards"]
FEWEST = 4  # topics or shards that can be halved
_NUMBERS = (1, 2, 3, 4, 5)  # of verdicts
_OF_CLAIMS = ("claimed_same_order", "again", "reversed")


@dataclass(frozen=True)
class HoldsUp:
    """What becomes of the claims of a method; shares over splits, None where it claims nothing."""

    method: Method
    between: str  # such as halves of topics
    splits: int
    claims: float  # pairs that differ significantly by one side, in the mean
    same_order: Rate  # of all pairs: the same system is ahead by both
    claimed_same_order: Rate | None  # of the claims: the same system is ahead by the other side
    again: Rate | None  # of the claims: significant by the other side too, the same system ahead
    reversed: Rate | None  # of the claims: significant by the other side, the other system ahead
    same_verdict: Rate  # of all pairs: better, worse, and so on by both

    @property
    def looked_up(self) -> int:
        """How many claims were looked up, those of both sides of all splits."""
        return round(2 * self.claims * self.splits)


class _HalfCounts(NamedTuple):
    """Of one split, both ways: how many pairs, and of how many what is said is true."""

    pairs: int
    same_order: int
    claims: int
    claimed_same_order: int
    again: int
    reversed: int
    same_verdict: int


class Sides(NamedTuple):
    """Two experiments on the same systems, in the same order."""

    first: Floats  # topic, system, shard
    second: Floats


def halves(values: Floats, of: Halved, count: int, seed: int) -> list[Sides]:
    """Values[topic, system, shard] split at random into halves, so many times.

    >>> one, = halves(np.zeros((5, 2, 1)), "topics", 1, seed=0)
    >>> one.first.shape, one.second.shape
    ((2, 2, 1), (2, 2, 1))
    """
    axis = 0 if of == "topics" else 2
    half = values.shape[axis] // 2
    sides = []
    for i in range(count):
        rng = np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(2, axis, i)))
        order = rng.permutation(values.shape[axis])
        sides.append(Sides(*(np.take(values, order[k * half : (k + 1) * half], axis) for k in range(2))))
    return sides


def held_up(
    sides: Sequence[Sides],
    setting: Setting,
    between: str,
    *,
    margin: float | None = None,
    workers: int | None = None,
    then: Callable[[object], None] | None = None,
) -> list[HoldsUp]:
    """What becomes of the claims of each method, over all splits; slow tests are left out where systems are many."""
    tried = [method for method in methods(setting) if not setting.is_sampled(method.test)]
    splits = each(partial(_split, tried, setting, margin), enumerate(sides), workers, named="split", then=then)
    return [_summed(method, between, [split[method] for split in splits]) for method in tried]


def _split(
    tried: Sequence[Method], setting: Setting, margin: float | None, numbered: tuple[int, Sides]
) -> dict[Method, _HalfCounts]:
    return dict(_counted(tried, setting, margin, *numbered))


def _counted(
    tried: Sequence[Method], setting: Setting, margin: float | None, seed: int, sides: Sides
) -> Iterator[tuple[Method, _HalfCounts]]:
    both = [Experiments((Drawn(values, np.zeros(values.shape[1])),), setting) for values in sides]
    by_test: dict[str, list[PairClaims]] = {}
    for method in tried:
        if method.test not in by_test:
            by_test[method.test] = [claimed(method.test, side, seed) for side in both]
        claims = by_test[method.test]
        verdicts = [claim.significant(method.corrected_by)[0] * np.sign(claim.difference[0]) for claim in claims]
        if margin is not None and setting.is_of_all(method):
            verdicts = [judged(method, side, seed, margin).each(_NUMBERS, otherwise=0)[0] for side in both]
        yield method, _counts(claims, method.corrected_by, verdicts)


def _counts(sides: Sequence[PairClaims], correction: Correction, verdicts: Sequence[Floats | Bools]) -> _HalfCounts:
    """Claims of either side, looked up on the other."""
    first, other = (side.significant(correction)[0] for side in sides)
    same = np.sign(sides[0].difference[0]) == np.sign(sides[1].difference[0])
    return _HalfCounts(
        pairs=len(same),
        same_order=int(same.sum()),
        claims=int(first.sum() + other.sum()),
        claimed_same_order=int((first & same).sum() + (other & same).sum()),
        again=2 * int((first & other & same).sum()),
        reversed=2 * int((first & other & ~same).sum()),
        same_verdict=int((verdicts[0] == verdicts[1]).sum()),
    )


def _summed(method: Method, between: str, counts: Sequence[_HalfCounts]) -> HoldsUp:
    of = {name: np.array([getattr(count, name) for count in counts], float) for name in _HalfCounts._fields}
    pairs, claims = of["pairs"], of["claims"]
    shares = {name: _ratio(of[name], claims) if claims.any() else None for name in _OF_CLAIMS}
    return HoldsUp(
        method,
        between,
        len(counts),
        float(claims.mean() / 2),
        same_order=_ratio(of["same_order"], pairs),
        same_verdict=_ratio(of["same_verdict"], pairs),
        **shares,
    )


def _ratio(part: Floats, whole: Floats) -> Rate:
    """Of all splits together, with the error over splits."""
    n, total = len(part), float(part.sum() / whole.sum())
    left = part - total * whole
    error = float(np.sqrt(np.square(left).sum() / max(1, n * (n - 1))) / whole.mean())
    return Rate(total, error, max(0.0, total - 2 * error), min(1.0, total + 2 * error), n)
