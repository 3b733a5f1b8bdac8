"""The measures: for each a record (name, explanation, parameters) and the kernel that scores one hit list.

To add a measure, write its kernel and its record here; the command line, the report and the help take it
from the catalogue.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np

from irgauge.arrays import Floats, Ints
from irgauge.jit import inlined, kernel
from irgauge.scoring.kernels import NONRELEVANT, RELEVANT, Base, Hits, MeasureKernel, Scale
from irgauge.scoring.twist import twist

Values = Mapping[str, Any]
_LARGEST = 1e100  # of a parameter
_EPSILON = 0.00001  # trec_eval's smoothing of inferred precision


@dataclass(frozen=True)
class Parameter:
    """A parameter of a measure: its default, what is allowed, and what it means."""

    default: Any
    allowed: str
    accepts: Callable[[Any], bool]
    explanation: str


def _binary_gains(grades: Ints, values: Values) -> Floats:
    return (grades >= values.get("rel", 1)).astype(np.float64)


def _grade_gains(grades: Ints, values: Values) -> Floats:  # noqa: ARG001  # one signature for all
    return np.maximum(grades, 0).astype(np.float64)


def _no_discount(ranks: Floats, values: Values) -> Floats:  # noqa: ARG001  # one signature for all
    return np.ones_like(ranks)


@dataclass(frozen=True)
class Record:
    """All that irgauge knows of a measure."""

    name: str
    title: str
    explanation: str
    kernel: MeasureKernel
    cutoff: Literal["none", "optional", "required"] = "optional"
    parameters: Mapping[str, Parameter] = field(default_factory=dict)
    aliases: tuple[str, ...] = ()  # trec_eval's name first; `{k}` stands for the cut-off
    judged: bool = False  # needs the judged documents that are not relevant too
    gains: Callable[[Ints, Values], Floats] = _binary_gains
    discounts: Callable[[Floats, Values], Floats] = _no_discount


def _is_whole(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < _LARGEST


_REL = Parameter(1, "a whole number from 1", lambda v: _is_whole(v) and v >= 1, "lowest grade that counts as relevant")


@kernel
def _average_precision(hits: Hits, base: Base, scale: Scale) -> float:
    found, total = 0, 0.0
    for h in range(len(hits.ranks)):
        if hits.ranks[h] > scale.cutoff:
            break
        if scale.kinds[hits.levels[h]] == RELEVANT:
            found += 1
            total += found / hits.ranks[h]
    return total / base.relevant


@inlined
def _found(hits: Hits, scale: Scale, cutoff: int) -> int:
    """The number of relevant documents down to a rank."""
    found = 0
    for h in range(len(hits.ranks)):
        if hits.ranks[h] > cutoff:
            break
        found += scale.kinds[hits.levels[h]] == RELEVANT
    return found


@kernel
def _precision(hits: Hits, base: Base, scale: Scale) -> float:  # noqa: ARG001  # one signature for all kernels
    return _found(hits, scale, scale.cutoff) / scale.cutoff


@kernel
def _recall(hits: Hits, base: Base, scale: Scale) -> float:
    return _found(hits, scale, scale.cutoff) / base.relevant


@kernel
def _r_precision(hits: Hits, base: Base, scale: Scale) -> float:
    return _found(hits, scale, base.relevant) / base.relevant


@kernel
def _reciprocal_rank(hits: Hits, base: Base, scale: Scale) -> float:  # noqa: ARG001  # one signature for all kernels
    for h in range(len(hits.ranks)):
        if hits.ranks[h] > scale.cutoff:
            break
        if scale.kinds[hits.levels[h]] == RELEVANT:
            return 1.0 / hits.ranks[h]
    return 0.0


@inlined
def _gain(hits: Hits, scale: Scale) -> float:
    """The discounted gains, summed down to the cut-off."""
    total = 0.0
    for h in range(len(hits.ranks)):
        if hits.ranks[h] > scale.cutoff:
            break
        total += scale.gains[hits.levels[h]] * scale.discounts[hits.ranks[h]]
    return total


@kernel
def _discounted_gain(hits: Hits, base: Base, scale: Scale) -> float:  # noqa: ARG001  # one signature for all kernels
    return _gain(hits, scale)


@kernel
def _normalised_gain(hits: Hits, base: Base, scale: Scale) -> float:
    ideal, rank = 0.0, 0
    for level in scale.order:
        last = min(rank + base.counts[level], scale.cutoff)
        ideal += scale.gains[level] * (scale.cumulated[last] - scale.cumulated[rank])
        rank = last
    return _gain(hits, scale) / ideal if ideal > 0 else 0.0


@kernel
def _expected_reciprocal_rank(hits: Hits, base: Base, scale: Scale) -> float:  # noqa: ARG001  # one signature for all
    total, reaches = 0.0, 1.0
    for h in range(len(hits.ranks)):
        if hits.ranks[h] > scale.cutoff:
            break
        stops = scale.gains[hits.levels[h]]
        total += reaches * stops / hits.ranks[h]
        reaches *= 1.0 - stops
    return total


@kernel
def _binary_preference(hits: Hits, base: Base, scale: Scale) -> float:
    nonrelevant = 0
    for level in range(len(scale.kinds)):
        if scale.kinds[level] == NONRELEVANT:
            nonrelevant += base.counts[level]
    above, total = 0, 0.0
    for h in range(len(hits.ranks)):
        kind = scale.kinds[hits.levels[h]]
        if kind == NONRELEVANT:
            above += 1
        elif kind == RELEVANT:
            wrong = min(above, base.relevant) / min(nonrelevant, base.relevant) if above > 0 else 0.0
            total += 1.0 - wrong
    return total / base.relevant


@kernel
def _inferred_ap(hits: Hits, base: Base, scale: Scale) -> float:
    pooled, relevant, nonrelevant, total = 0, 0, 0, 0.0
    for h in range(len(hits.ranks)):
        kind = scale.kinds[hits.levels[h]]
        if kind == RELEVANT:
            rank = hits.ranks[h]
            share = (relevant + _EPSILON) / (relevant + nonrelevant + 2 * _EPSILON)
            total += 1.0 / rank + pooled / rank * share
            relevant += 1
        elif kind == NONRELEVANT:
            nonrelevant += 1
        pooled += 1
    return total / base.relevant


@kernel
def _strata_weights(base: Base, scale: Scale) -> Floats:
    """How many documents of its stratum a sampled document represents."""
    size = np.zeros(scale.strata.max() + 1)
    sampled = np.zeros(len(size))
    for level in range(len(scale.kinds)):
        size[scale.strata[level]] += base.counts[level]
        if scale.kinds[level] >= NONRELEVANT:
            sampled[scale.strata[level]] += base.counts[level]
    return size / np.maximum(sampled, 1.0)


@kernel
def _extended_inferred_ap(hits: Hits, base: Base, scale: Scale) -> float:
    weights = _strata_weights(base, scale)
    pooled, relevant, nonrelevant = np.zeros(len(weights)), np.zeros(len(weights)), np.zeros(len(weights))
    total, estimated = 0.0, 0.0
    for level in range(len(scale.kinds)):
        if scale.kinds[level] == RELEVANT:
            estimated += weights[scale.strata[level]] * base.counts[level]
    for h in range(len(hits.ranks)):
        kind, stratum = scale.kinds[hits.levels[h]], scale.strata[hits.levels[h]]
        if kind == RELEVANT:
            expected = 1.0
            for s in range(len(weights)):
                expected += pooled[s] * (relevant[s] + _EPSILON) / (relevant[s] + nonrelevant[s] + 2 * _EPSILON)
            total += weights[stratum] * expected / hits.ranks[h]
            relevant[stratum] += 1
        elif kind == NONRELEVANT:
            nonrelevant[stratum] += 1
        pooled[stratum] += 1
    return total / estimated


@kernel
def _judged_share(hits: Hits, base: Base, scale: Scale) -> float:  # noqa: ARG001  # one signature for all kernels
    judged = 0
    for h in range(len(hits.ranks)):
        if hits.ranks[h] > scale.cutoff:
            break
        judged += 1
    return judged / min(scale.cutoff, hits.length) if hits.length > 0 else 0.0


def _dcg_gains(grades: Ints, values: Values) -> Floats:
    gains = 2.0 ** np.maximum(grades, 0) - 1 if values["dcg"] == "exp-log2" else _grade_gains(grades, values)
    for grade, gain in (values["gains"] or {}).items():
        gains[grades == grade] = gain
    return gains


def _dcg_discounts(ranks: Floats, values: Values) -> Floats:
    if values["dcg"] == "jk":
        return 1 / np.maximum(1, np.log(ranks) / math.log(values["base"]))
    return 1 / np.log2(ranks + 1)


def _stop_probabilities(grades: Ints, values: Values) -> Floats:
    highest = grades.max() if values["max_rel"] is None else values["max_rel"]
    return np.exp2(np.clip(grades, 0, highest) - float(highest)) - np.exp2(-float(highest))


def _rbp_weights(ranks: Floats, values: Values) -> Floats:
    return (1 - values["p"]) * values["p"] ** (ranks - 1)


def _insq_weights(ranks: Floats, values: Values) -> Floats:
    from scipy.special import polygamma

    return 1 / (ranks + 2 * values["T"] - 1) ** 2 / float(polygamma(1, 2 * values["T"]))


def _is_gain_mapping(value: object) -> bool:
    return (
        isinstance(value, dict)
        and bool(value)
        and all(_is_whole(g) and _is_number(v) and v >= 0 for g, v in value.items())
    )


_DCG_PARAMETERS = {
    "dcg": Parameter(
        "log2",
        "'log2', 'exp-log2' or 'jk'",
        lambda v: v in ("log2", "exp-log2", "jk"),
        "log2: grade over log2(rank + 1); exp-log2: gain 2^grade − 1; jk: undiscounted before rank `base`, "
        "then over the logarithm of the rank (Järvelin and Kekäläinen 2002)",
    ),
    "base": Parameter(2, "a number above 1", lambda v: _is_number(v) and v > 1, "base of the logarithm, for dcg='jk'"),
    "gains": Parameter(
        None,
        "a mapping from grades to gains of at least 0, such as {1: 1, 2: 5}",
        _is_gain_mapping,
        "gains of grades, in place of those that `dcg` gives them",
    ),
}
_MAX_REL = Parameter(
    None, "a whole number from 1", lambda v: _is_whole(v) and v >= 1, "highest grade; that of the qrels if not given"
)
_PERSISTENCE = Parameter(0.8, "a number between 0 and 1", lambda v: _is_number(v) and 0 < v < 1, "persistence")
_EXPECTED_GOAL = Parameter(
    1, "a number from 0.01 to 1e6", lambda v: _is_number(v) and 0.01 <= v <= 1e6, "relevant documents looked for"
)

_BINARY = {"rel": _REL}
RECORDS: tuple[Record, ...] = (
    Record(
        "AP",
        "average precision",
        "The mean, over all relevant documents, of the precision at their ranks; 0 for those not retrieved.",
        _average_precision,
        parameters=_BINARY,
        aliases=("map", "map_cut_{k}"),
    ),
    Record(
        "P",
        "precision",
        "The share of relevant documents among the top k; a shorter list is padded with others.",
        _precision,
        cutoff="required",
        parameters=_BINARY,
        aliases=("P_{k}", "precision"),
    ),
    Record(
        "R",
        "recall",
        "The share of the relevant documents that are in the top k.",
        _recall,
        cutoff="required",
        parameters=_BINARY,
        aliases=("recall_{k}",),
    ),
    Record(
        "Rprec",
        "R-precision",
        "The precision at rank R, where R is the number of relevant documents of the topic.",
        _r_precision,
        cutoff="none",
        parameters=_BINARY,
        aliases=("Rprec",),
    ),
    Record(
        "RR",
        "reciprocal rank",
        "One over the rank of the first relevant document; 0 if there is none.",
        _reciprocal_rank,
        parameters=_BINARY,
        aliases=("recip_rank", "MRR"),
    ),
    Record(
        "nDCG",
        "normalised discounted cumulated gain",
        "The gains of the documents, each divided by a discount that grows with the rank, over the same sum "
        "for the ideal ranking.",
        _normalised_gain,
        parameters=_DCG_PARAMETERS,
        aliases=("ndcg", "ndcg_cut_{k}"),
        gains=_dcg_gains,
        discounts=_dcg_discounts,
    ),
    Record(
        "ERR",
        "expected reciprocal rank",
        "The expected 1/rank at which a reader stops, who stops at a document of grade g with probability "
        "(2^g − 1) / 2^max_rel (Chapelle et al. 2009).",
        _expected_reciprocal_rank,
        parameters={"max_rel": _MAX_REL},
        gains=_stop_probabilities,
    ),
    Record(
        "RBP",
        "rank-biased precision",
        "The sum of (1 − p) p^(rank − 1) over the relevant documents: a reader goes on to the next document with "
        "probability p (Moffat and Zobel 2008).",
        _discounted_gain,
        parameters={"p": _PERSISTENCE, **_BINARY},
        discounts=_rbp_weights,
    ),
    Record(
        "INSQ",
        "inverse squares",
        "The sum over the relevant documents of a weight proportional to 1/(rank + 2T − 1)²: a reader looks for T "
        "of them (Moffat et al. 2012).",
        _discounted_gain,
        parameters={"T": _EXPECTED_GOAL, **_BINARY},
        discounts=_insq_weights,
    ),
    Record(
        "Twist",
        "twist",
        "The mean of ρ, how long a reader must go on, and σ, how much is displaced, against the ideal ranking "
        "(Ferro et al. 2016); 0 where no relevant document is retrieved.",
        twist,
        cutoff="none",
        gains=_grade_gains,
    ),
    Record(
        "Bpref",
        "binary preference",
        "The share of judged pairs that are in the right order, over the first R documents judged not relevant "
        "(Buckley and Voorhees 2004, as in trec_eval).",
        _binary_preference,
        cutoff="none",
        parameters=_BINARY,
        aliases=("bpref",),
        judged=True,
    ),
    Record(
        "infAP",
        "inferred average precision",
        "AP estimated from a sample of the pool: a grade below 0 marks a document of the pool that was not judged "
        "(Yilmaz and Aslam 2006, as in trec_eval).",
        _inferred_ap,
        cutoff="none",
        parameters=_BINARY,
        aliases=("infAP",),
        judged=True,
    ),
    Record(
        "xinfAP",
        "extended inferred average precision",
        "AP estimated from a stratified sample of the pool, from qrels with strata (Yilmaz, Kanoulas and Aslam "
        "2008); without strata the pool is one stratum.",
        _extended_inferred_ap,
        cutoff="none",
        parameters=_BINARY,
        judged=True,
    ),
    Record(
        "Judged",
        "judged share",
        "The share of the top k, or of the whole list if shorter, that is in the qrels.",
        _judged_share,
        judged=True,
    ),
)
