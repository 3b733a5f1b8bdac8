"""Precision interpolated at levels of recall."""

from __future__ import annotations

from irgauge.compute.jit import inlined, kernel
from irgauge.scoring.catalogue.record import RELEVANCE, Parameter, Record, Values, is_number
from irgauge.scoring.kernels import RELEVANT, Base, Hits, Scale

_POINTS = tuple(tenth / 10 for tenth in range(11))


@inlined
def _highest_precision(hits: Hits, scale: Scale, needed: int) -> float:
    """The highest precision at any rank where that many relevant documents are found."""
    relevant, best = 0, 0.0
    for h in range(len(hits.ranks)):
        if scale.kinds[hits.levels[h]] == RELEVANT:
            relevant += 1
            if relevant >= needed:
                best = max(best, relevant / hits.ranks[h])
    return best


@kernel
def _interpolated_precision(hits: Hits, base: Base, scale: Scale) -> float:
    total = 0.0
    for recall in scale.constants:
        total += _highest_precision(hits, scale, int(recall * base.relevant + 0.9))  # as trec_eval 9 rounds
    return total / len(scale.constants)


def _level(values: Values) -> tuple[float, ...]:
    return (float(values["recall"]),)


def _levels(values: Values) -> tuple[float, ...]:  # noqa: ARG001  # one signature for all
    return _POINTS


_RECALL = Parameter(None, "a number from 0 to 1", lambda v: is_number(v) and 0 <= v <= 1, "level of recall")

RECORDS: tuple[Record, ...] = (
    Record(
        "IPrec",
        "interpolated precision",
        "The highest precision at any rank where the recall is at least that after the @, such as IPrec@0.1; 0 where "
        "it is not reached. Recall is counted in whole documents, rounded as in trec_eval 9.",
        _interpolated_precision,
        cutoff="none",
        at="recall",
        parameters={"recall": _RECALL, **RELEVANCE},
        constants=_level,
        formula=r"\max \left\{ \frac{F_i}{i} : F_i \ge \lfloor \text{recall} \cdot R + 0.9 \rfloor \right\}",
    ),
    Record(
        "IAP",
        "11-point interpolated average precision",
        "The mean of the interpolated precision at recall 0, 0.1, ..., 1.",
        _interpolated_precision,
        cutoff="none",
        parameters=RELEVANCE,
        aliases=("11pt_avg",),
        constants=_levels,
        formula=r"\frac{1}{11} \sum_{x = 0, 0.1, \ldots, 1} \text{IPrec@}x",
    ),
)
