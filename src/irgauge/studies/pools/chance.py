"""How often would exchangeable runs gain or lose as much confidence? Two runs swapped on random topics."""

from __future__ import annotations

import numpy as np

from irgauge.compute.arrays import Floats

SWAPS = 999  # random ways to swap the two runs, topic by topic
_LEAST = 1e-12  # a variance, as a part of the mean square: so that t is finite where all differences are the same
_SAME = 1e-9  # t values as near as this are ties


def swaps(topics: int, seed: int) -> Floats:
    """−1 where the runs are swapped, else 1: draw, topic; nothing is swapped in the first draw."""
    rng = np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(0, 2)))  # images draw with (i,) and (i, 1)
    signs = np.ones((1 + SWAPS, topics))
    for draw in signs[1:]:  # one after the other takes a third of the memory
        draw[:] = rng.choice((-1.0, 1.0), topics)
    return signs


def swapped_t(differences: Floats, signs: Floats) -> Floats:
    """Student's t over topics, summed over images, in every draw: draw, measure, pool.

    From differences[measure, pool, topic, image] and signs[draw, topic]. On a swapped topic the difference has the
    other sign with every pool and in every image; its square stays.
    """
    topics = differences.shape[2]
    total = np.empty((len(signs), *differences.shape[:2]))
    for place in np.ndindex(*differences.shape[:2]):
        square = np.square(differences[place]).mean(axis=0)  # image
        mean = signs @ differences[place] / topics  # draw, image
        variance = np.maximum(square - mean * mean, _LEAST * square) / (topics - 1)
        total[(slice(None), *place)] = np.divide(mean, np.sqrt(variance), where=variance > 0, out=mean).sum(axis=1)
    return total


def chances(t: Floats) -> tuple[Floats, Floats]:
    """The share of draws that gain, and that lose, with some pool as much as the first: measure, pool.

    From t[draw, measure, pool], the last pool all judgments. With t_k by a pool and t by all judgments, a gain is
    r = (t_k − t) sign(t_k + t), above 0 where p is lower with the pool, over the root mean square of r in all draws.
    Under exchangeable runs no draw differs from another, so that some pool's share is at most α in at most α of pairs
    of runs.

    >>> gain, loss = chances(np.array([[[3.0, 2.0]], [[1.0, 1.5]], [[-0.5, 0.2]], [[0.1, 0.0]]]))
    >>> gain.tolist(), loss.tolist()
    ([[0.25, 1.0]], [[1.0, 1.0]])
    """
    shallow, complete = t[..., :-1], t[..., -1:]
    gain = (shallow - complete) * np.sign(shallow + complete)  # draw, measure, pool
    spread = np.sqrt(np.square(gain).mean(axis=0))
    gain = np.divide(gain, spread, where=spread > 0, out=np.zeros_like(gain))
    return _share(gain), _share(-gain)


def _share(gain: Floats) -> Floats:
    """The share of draws whose largest gain reaches that of the first draw, and 1 for all judgments."""
    reaches = gain.max(axis=2, keepdims=True) >= gain[:1] - _SAME
    shares = reaches.mean(axis=0)  # measure, pool
    return np.concatenate([shares, np.ones((len(shares), 1))], axis=1)
