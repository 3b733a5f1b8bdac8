"""Readers who walk up and down a list: Markov precision, and the precision of the documents that they assess."""

from __future__ import annotations

import numpy as np

from irgauge.compute.arrays import Floats
from irgauge.compute.jit import inlined, kernel
from irgauge.errors import DesignError
from irgauge.scoring.catalogue.record import RELEVANCE, Parameter, Record, Values, is_number, switch
from irgauge.scoring.kernels import Base, Hits, Scale

_ALL, _LOCAL, _TIMES_RECALL = 0, 1, 2  # places of the constants of Markov precision


@inlined
def _steps_over_relevant(h: int, hits: Hits, scale: Scale) -> float:
    """The weights of all steps from a relevant document to others, or to the next on each side."""
    total, last = 0.0, len(hits.ranks) - 1
    is_local = scale.constants[_LOCAL] > 0
    for other in range(max(h - 1, 0) if is_local else 0, min(h + 1, last) + 1 if is_local else last + 1):
        if other != h:
            total += scale.discounts[abs(hits.ranks[h] - hits.ranks[other])]
    return total


@inlined
def _steps_over_all(above: int, below: int, scale: Scale) -> float:
    """The weights of all steps to so many ranks above and below, or to the next on each side."""
    if scale.constants[_LOCAL] > 0:
        above, below = min(above, 1), min(below, 1)
    return scale.cumulated[above] + scale.cumulated[below]


@kernel
def _markov_precision(hits: Hits, base: Base, scale: Scale) -> float:
    """Precision at relevant documents, weighted by how often a reader comes there in the long run.

    Steps are as likely one way as the other, before they are made to sum to 1: a place is then visited in proportion
    to the weights of all steps from it.
    """
    if len(hits.ranks) == 0:
        return 0.0
    total, visits = 0.0, 0.0
    for h in range(len(hits.ranks)):
        rank, from_all = int(hits.ranks[h]), scale.constants[_ALL] > 0
        over_all = _steps_over_all(rank - 1, hits.length - rank, scale)
        weight = over_all if from_all else _steps_over_relevant(h, hits, scale)
        weight = 1.0 if len(hits.ranks) == 1 else weight  # the reader stays
        total += weight * (h + 1) / rank
        visits += weight
    recall = len(hits.ranks) / base.relevant if scale.constants[_TIMES_RECALL] > 0 else 1.0
    return total / visits * recall


@kernel
def _assessed_precision(hits: Hits, base: Base, scale: Scale) -> float:  # noqa: ARG001  # one signature for all kernels
    """Precision where relevant documents are assessed, over that of all assessed, as a walk from rank 1 expects them.

    A rank is visited `onward` times as often as the one above it, from the end of the list up.
    """
    if len(hits.ranks) == 0:
        return 0.0
    relevant, every, onward, h = 0.0, 0.0, 0.0, len(hits.ranks) - 1
    for rank in range(hits.length, 0, -1):
        is_relevant = h >= 0 and hits.ranks[h] == rank
        precision = (h + 1) / rank
        relevant = precision * is_relevant + onward * relevant
        every = precision + onward * every
        h -= is_relevant
        onward = scale.constants[0] / (1.0 - scale.constants[1] * onward)
    return relevant / every


def _nearness(ranks: Floats, values: Values) -> Floats:
    """The weight of a step over so many ranks."""
    if values["distance"] == "none":
        return np.ones_like(ranks)
    return np.asarray(1 / (np.log10(ranks + 2) if values["distance"] == "log" else ranks + 1), np.float64)


def _walk(values: Values) -> tuple[float, ...]:
    return (float(values["states"] == "all"), float(values["steps"] == "local"), float(values["times_recall"]))


def _ways(values: Values) -> tuple[float, ...]:
    if values["p"] + values["q"] >= 1:
        raise DesignError(
            f"p={values['p']} and q={values['q']} are 1 or more together: a reader would never stop; lower one of them"
        )
    return (float(values["p"]), float(values["q"]))


def _one_of(default: str, names: tuple[str, ...], explanation: str) -> Parameter:
    allowed = f"{', '.join(map(repr, names[:-1]))} or {names[-1]!r}"
    return Parameter(default, allowed, lambda value: value in names, explanation)


_MARKOV = {
    "states": _one_of("relevant", ("relevant", "all"), "where a reader may be: at relevant documents, or at all"),
    "steps": _one_of("global", ("global", "local"), "global: from any of these to any other; local: to the next ones"),
    "distance": _one_of(
        "inverse",
        ("inverse", "log", "none"),
        "how likely a step over d ranks is: 1/(d + 1), 1/log(d + 2), or all alike",
    ),
    "times_recall": switch("multiply by recall; with distance='none' this is AP"),
}
_P = Parameter(0.8, "a number between 0 and 1", lambda v: is_number(v) and 0 < v < 1, "probability of a step down")
_Q = Parameter(0.15, "a number from 0, below 1", lambda v: is_number(v) and 0 <= v < 1, "probability of a step up")

RECORDS: tuple[Record, ...] = (
    Record(
        "MP",
        "Markov precision",
        "Precision at the relevant documents of the list, weighted by how often a reader who steps between documents "
        "comes to each in the long run (Ferrante, Ferro and Maistro 2014).",
        _markov_precision,
        cutoff="none",
        parameters={**_MARKOV, **RELEVANCE},
        discounts=_nearness,
        constants=_walk,
        length=True,
        formula=r"\sum_{i : r_i = 1} \pi_i \frac{F_i}{i}, \quad \pi_i \propto \sum_{j \ne i} \frac{1}{|i - j| + 1}, "
        r"\quad \sum_{i : r_i = 1} \pi_i = 1",
    ),
    Record(
        "MADP",
        "mean assessed document precision",
        "The precision at relevant documents over that at all documents, as expected of a reader who starts at rank 1, "
        "goes down with probability p and up with q, and else stops (as in MATTERS, which prints no formula).",
        _assessed_precision,
        cutoff="none",
        parameters={"p": _P, "q": _Q, **RELEVANCE},
        constants=_ways,
        length=True,
        formula=r"\frac{\sum_i v_i r_i F_i / i}{\sum_i v_i F_i / i}, \quad v_i = [i = 1] + p v_{i-1} + q v_{i+1}",
    ),
)
