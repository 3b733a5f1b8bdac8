"""Counts of documents and topics."""

from __future__ import annotations

from irgauge.compute.jit import kernel
from irgauge.scoring.catalogue.precision import found_down_to
from irgauge.scoring.catalogue.record import JUDGED_ONLY, REL, RELEVANCE, Parameter, Record, Values
from irgauge.scoring.direction import HIGHER, LOWER
from irgauge.scoring.kernels import NONRELEVANT, Base, Hits, Scale


@kernel
def _retrieved(hits: Hits, base: Base, scale: Scale) -> float:  # noqa: ARG001  # one signature for all kernels
    if scale.constants[0] > 0:
        return 1.0 * found_down_to(hits, scale, scale.cutoff)
    return 1.0 * min(hits.length, scale.cutoff)


@kernel
def _relevant(hits: Hits, base: Base, scale: Scale) -> float:  # noqa: ARG001  # one signature for all kernels
    return 1.0 * base.relevant


@kernel
def _one(hits: Hits, base: Base, scale: Scale) -> float:  # noqa: ARG001  # one signature for all kernels
    return 1.0


@kernel
def _nonrelevant_retrieved(hits: Hits, base: Base, scale: Scale) -> float:  # noqa: ARG001  # one signature for all
    count = 0
    for h in range(len(hits.ranks)):
        if hits.ranks[h] > scale.cutoff:
            break
        count += scale.kinds[hits.levels[h]] == NONRELEVANT
    return 1.0 * count


def _counts_relevant(values: Values) -> tuple[float, ...]:
    return (0.0 if values["rel"] is None else 1.0,)


_ONLY_REL = Parameter(None, REL.allowed, REL.accepts, "count documents of this grade or higher only")

RECORDS: tuple[Record, ...] = (
    Record(
        "NumRet",
        "documents retrieved",
        "The number of documents in the list, or in its top k; with rel= that of relevant ones.",
        _retrieved,
        parameters={"rel": _ONLY_REL, "judged_only": JUDGED_ONLY},
        aliases=("num_ret",),
        needs_relevant=False,
        range=None,
        constants=_counts_relevant,
        over_topics="sum",
        length=True,
        direction=None,
        direction_with={"rel": HIGHER},
        formula=r"\min(k, n)",
    ),
    Record(
        "NumRel",
        "relevant documents",
        "The number of relevant documents in the qrels.",
        _relevant,
        cutoff="none",
        parameters={"rel": REL},
        aliases=("num_rel",),
        needs_relevant=False,
        range=None,
        over_topics="sum",
        direction=None,
        formula=r"R",
    ),
    Record(
        "NumNonrelRet",
        "judged documents retrieved that are not relevant",
        "The number of documents in the list, or in its top k, that were judged not relevant.",
        _nonrelevant_retrieved,
        parameters=RELEVANCE,
        aliases=("num_nonrel_judged_ret",),
        judged=True,
        needs_relevant=False,
        range=None,
        over_topics="sum",
        direction=LOWER,
        formula=r"b_k",
    ),
    Record(
        "NumQ",
        "topics",
        "1 for every topic.",
        _one,
        cutoff="none",
        aliases=("num_q",),
        needs_relevant=False,
        range=None,
        over_topics="sum",
        direction=None,
        formula=r"1",
    ),
)
