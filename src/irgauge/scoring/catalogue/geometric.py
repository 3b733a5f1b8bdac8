"""Measures whose mean over topics is geometric: the score of a topic is a logarithm."""

from __future__ import annotations

import math

from irgauge.compute.jit import kernel
from irgauge.scoring.catalogue.incomplete import binary_preference
from irgauge.scoring.catalogue.precision import average_precision
from irgauge.scoring.catalogue.record import RELEVANCE, Record
from irgauge.scoring.kernels import Base, Hits, Scale

_LEAST = 0.00001  # trec_eval's floor, as 0 has no logarithm
_RANGE = (math.log(_LEAST), 0.0)
_SCORES = (
    "The score of a topic is the logarithm, of at least 0.00001: means, tests and intervals are of logarithms, and the "
    "mean that is shown is geometric, as in trec_eval."
)


@kernel
def _log_average_precision(hits: Hits, base: Base, scale: Scale) -> float:
    return math.log(max(_LEAST, average_precision(hits, base, scale) if base.relevant > 0 else 0.0))


@kernel
def _log_preference(hits: Hits, base: Base, scale: Scale) -> float:
    return math.log(max(_LEAST, binary_preference(hits, base, scale) if base.relevant > 0 else 0.0))


RECORDS: tuple[Record, ...] = (
    Record(
        "GMAP",
        "geometric mean average precision",
        f"AP, averaged over topics by the geometric mean, in which hard topics count more. {_SCORES}",
        _log_average_precision,
        cutoff="none",
        parameters=RELEVANCE,
        aliases=("gm_map",),
        needs_relevant=False,
        range=_RANGE,
        over_topics="geometric mean",
        formula=r"\ln \max(\text{AP}, 10^{-5})",
    ),
    Record(
        "GMBpref",
        "geometric mean binary preference",
        f"Bpref, averaged over topics by the geometric mean. {_SCORES}",
        _log_preference,
        cutoff="none",
        parameters=RELEVANCE,
        aliases=("gm_bpref",),
        judged=True,
        needs_relevant=False,
        range=_RANGE,
        over_topics="geometric mean",
        formula=r"\ln \max(\text{Bpref}, 10^{-5})",
    ),
)
