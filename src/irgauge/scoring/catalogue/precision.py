"""Precision, recall, and what is made of them at some rank."""

from __future__ import annotations

import numpy as np

from irgauge.compute.arrays import Floats, Ints
from irgauge.compute.jit import inlined, kernel
from irgauge.scoring.catalogue.record import RELEVANCE, Parameter, Record, Values, is_number, no_discount
from irgauge.scoring.catalogue.unjudged import Counted, Weighed, all_relevant, down_to_cutoff
from irgauge.scoring.kernels import RELEVANT, Base, Hits, Scale


@kernel
def average_precision(hits: Hits, base: Base, scale: Scale) -> float:
    """The precision at each relevant document, averaged over all of them."""
    relevant, total = 0, 0.0
    for h in range(len(hits.ranks)):
        if hits.ranks[h] > scale.cutoff:
            break
        if scale.kinds[hits.levels[h]] == RELEVANT:
            relevant += 1
            total += relevant / hits.ranks[h]
    return total / base.relevant


@inlined
def found_down_to(hits: Hits, scale: Scale, cutoff: int) -> int:
    """The number of relevant documents down to a rank."""
    relevant = 0
    for h in range(len(hits.ranks)):
        if hits.ranks[h] > cutoff:
            break
        relevant += scale.kinds[hits.levels[h]] == RELEVANT
    return relevant


@kernel
def _precision(hits: Hits, base: Base, scale: Scale) -> float:  # noqa: ARG001  # one signature for all kernels
    return found_down_to(hits, scale, scale.cutoff) / scale.cutoff


@kernel
def _recall(hits: Hits, base: Base, scale: Scale) -> float:
    return found_down_to(hits, scale, scale.cutoff) / base.relevant


@kernel
def _capped_recall(hits: Hits, base: Base, scale: Scale) -> float:
    return found_down_to(hits, scale, scale.cutoff) / min(scale.cutoff, base.relevant)


@kernel
def _f1(hits: Hits, base: Base, scale: Scale) -> float:
    return 2 * found_down_to(hits, scale, scale.cutoff) / (scale.cutoff + base.relevant)


@kernel
def _success(hits: Hits, base: Base, scale: Scale) -> float:  # noqa: ARG001  # one signature for all kernels
    return 1.0 * (found_down_to(hits, scale, scale.cutoff) > 0)


@kernel
def _r_precision(hits: Hits, base: Base, scale: Scale) -> float:
    rank = int(scale.constants[0] * base.relevant + 0.9)  # as trec_eval rounds
    return found_down_to(hits, scale, rank) / rank if rank > 0 else 0.0


@kernel
def _reciprocal_rank(hits: Hits, base: Base, scale: Scale) -> float:  # noqa: ARG001  # one signature for all kernels
    for h in range(len(hits.ranks)):
        if hits.ranks[h] > scale.cutoff:
            break
        if scale.kinds[hits.levels[h]] == RELEVANT:
            return 1.0 / hits.ranks[h]
    return 0.0


@kernel
def _accuracy(hits: Hits, base: Base, scale: Scale) -> float:  # noqa: ARG001  # one signature for all kernels
    relevant, above = 0, 0
    for h in range(len(hits.ranks)):
        if hits.ranks[h] > scale.cutoff:
            break
        if scale.kinds[hits.levels[h]] == RELEVANT:
            relevant += 1
            above += hits.ranks[h] - relevant
    others = min(scale.cutoff, hits.length) - relevant
    return 0.0 if relevant == 0 else 1.0 if others == 0 else 1.0 - above / (others * relevant)


def _multiple(values: Values) -> tuple[float, ...]:
    return (float(values["multiple"]),)


def _reciprocals(ranks: Floats, values: Values, cutoff: int) -> Floats:  # noqa: ARG001  # one signature for all
    return np.asarray(1 / ranks, np.float64)


def _alike(ranks: Floats, values: Values, cutoff: int) -> Floats:  # noqa: ARG001  # one signature for all
    return no_discount(ranks, values)


def _capped(relevant: Ints, length: int, values: Values, cutoff: int) -> Ints:  # noqa: ARG001  # one signature for all
    return np.minimum(relevant, cutoff)


def _halves(relevant: Ints, length: int, values: Values, cutoff: int) -> Floats:  # noqa: ARG001  # one signature for all
    return np.asarray((cutoff + relevant) / 2, np.float64)


def _multiples(relevant: Ints, values: Values, cutoff: int) -> Ints:  # noqa: ARG001  # one signature for all
    return (float(values["multiple"]) * relevant + 0.9).astype(np.int64)


def _at_multiples(relevant: Ints, length: int, values: Values, cutoff: int) -> Ints:  # noqa: ARG001  # one signature for all
    return _multiples(relevant, values, cutoff)


_MULTIPLE = Parameter(
    1, "a number from 0.01 to 1e6", lambda v: is_number(v) and 0.01 <= v <= 1e6, "the rank, as a multiple of R"
)


def _over_cutoff(discounts: Floats, cutoff: int) -> Floats:
    return discounts / cutoff


RECORDS: tuple[Record, ...] = (
    Record(
        "AP",
        "average precision",
        "The mean, over all relevant documents, of the precision at their ranks; 0 for those not retrieved.",
        average_precision,
        parameters=RELEVANCE,
        aliases=("map", "map_cut_{k}"),
        unjudged=Weighed("average"),
        formula=r"\frac{1}{R} \sum_{i=1}^{k} r_i \cdot \frac{1}{i} \sum_{j=1}^{i} r_j",
    ),
    Record(
        "P",
        "precision",
        "The share of relevant documents among the top k; a shorter list is padded with others.",
        _precision,
        cutoff="required",
        parameters=RELEVANCE,
        aliases=("P_{k}",),
        weights=_over_cutoff,
        unjudged=Weighed("gains"),
        formula=r"\frac{1}{k} \sum_{i=1}^{k} r_i",
    ),
    Record(
        "R",
        "recall",
        "The share of the relevant documents that are in the top k.",
        _recall,
        cutoff="required",
        parameters=RELEVANCE,
        aliases=("recall_{k}",),
        unjudged=Counted(down_to_cutoff, all_relevant),
        formula=r"\frac{1}{R} \sum_{i=1}^{k} r_i",
    ),
    Record(
        "R_cap",
        "capped recall",
        "The relevant documents in the top k over the most that are possible there: k, or all if there are fewer "
        "(BEIR's R_cap@k; trec_eval's relative precision).",
        _capped_recall,
        cutoff="required",
        parameters=RELEVANCE,
        aliases=("relative_P_{k}",),
        unjudged=Counted(down_to_cutoff, _capped),
        formula=r"\frac{1}{\min(k, R)} \sum_{i=1}^{k} r_i",
    ),
    Record(
        "F1",
        "F1",
        "The harmonic mean of precision and recall in the top k, as in ranx; SetF is that of the whole list.",
        _f1,
        cutoff="required",
        parameters=RELEVANCE,
        unjudged=Counted(down_to_cutoff, _halves),
        formula=r"\frac{2}{k + R} \sum_{i=1}^{k} r_i",
    ),
    Record(
        "Success",
        "success",
        "1 if a relevant document is among the top k, or in the list, else 0; elsewhere also called hit rate.",
        _success,
        parameters=RELEVANCE,
        aliases=("success_{k}",),
        unjudged=Weighed("first", _alike),
        formula=r"\max_{i \le k} r_i",
    ),
    Record(
        "Rprec",
        "R-precision",
        "The precision at rank R, where R is the number of relevant documents of the topic; or at a multiple of R "
        "(trec_eval's Rprec_mult).",
        _r_precision,
        cutoff="none",
        parameters={"multiple": _MULTIPLE, **RELEVANCE},
        aliases=("Rprec",),
        constants=_multiple,
        unjudged=Counted(_multiples, _at_multiples),
        formula=r"\frac{1}{M} \sum_{i=1}^{M} r_i, \quad M = \lfloor \text{multiple} \cdot R + 0.9 \rfloor",
    ),
    Record(
        "RR",
        "reciprocal rank",
        "One over the rank of the first relevant document; 0 if there is none.",
        _reciprocal_rank,
        parameters=RELEVANCE,
        aliases=("recip_rank", "MRR"),
        unjudged=Weighed("first", _reciprocals),
        formula=r"\max_{i \le k} \frac{r_i}{i}",
    ),
    Record(
        "PairAccuracy",
        "accuracy of pairs",
        "The share of pairs of a relevant and another document of the list, or of its top k, in which the relevant one "
        "comes first, as in ir_measures; not the hit rate, which is Success@k. It is 0 where no relevant document is "
        "retrieved; ir_measures leaves such topics out of the mean.",
        _accuracy,
        parameters=RELEVANCE,
        aliases=("Accuracy",),
        length=True,
        formula=r"1 - \frac{\sum_{i=1}^{m} r_i (i - F_i)}{F_m (m - F_m)}, \quad m = \min(k, n)",
    ),
)
