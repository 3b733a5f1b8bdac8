"""Measures of the retrieved documents as a set, whatever their order."""

from __future__ import annotations

import numpy as np

from irgauge.compute.arrays import Floats, Ints
from irgauge.compute.jit import inlined, kernel
from irgauge.scoring.catalogue.precision import found_down_to
from irgauge.scoring.catalogue.record import JUDGED_ONLY, REL, RELEVANCE, Parameter, Record, Values, is_number, switch
from irgauge.scoring.catalogue.unjudged import Counted, all_relevant, down_to_cutoff
from irgauge.scoring.kernels import Base, Hits, Scale


@inlined
def found_anywhere(hits: Hits, scale: Scale) -> int:
    """The number of relevant documents in the list."""
    return found_down_to(hits, scale, hits.length)


@kernel
def _set_precision(hits: Hits, base: Base, scale: Scale) -> float:
    most = min(hits.length, base.relevant) if scale.constants[0] > 0 else hits.length
    return found_anywhere(hits, scale) / most if most > 0 else 0.0


@kernel
def _set_recall(hits: Hits, base: Base, scale: Scale) -> float:
    return found_anywhere(hits, scale) / base.relevant


@kernel
def _set_f(hits: Hits, base: Base, scale: Scale) -> float:
    beta = scale.constants[0]
    return (1 + beta) * found_anywhere(hits, scale) / (beta * base.relevant + hits.length)


@kernel
def _set_ap(hits: Hits, base: Base, scale: Scale) -> float:
    relevant = found_anywhere(hits, scale)
    return relevant / hits.length * (relevant / base.relevant) if hits.length > 0 else 0.0


@kernel
def _utility(hits: Hits, base: Base, scale: Scale) -> float:
    count = found_anywhere(hits, scale)
    relevant, other, missed = scale.constants[0], scale.constants[1], scale.constants[2]
    return relevant * count + other * (hits.length - count) + missed * (base.relevant - count)


def _is_relative(values: Values) -> tuple[float, ...]:
    return (float(values["relative"]),)


def _beta(values: Values) -> tuple[float, ...]:
    return (float(values["beta"]),)


def _worth(values: Values) -> tuple[float, ...]:
    return float(values["relevant"]), float(values["other"]), float(values["missed"])


def _set_sizes(relevant: Ints, length: int, values: Values, cutoff: int) -> Ints:  # noqa: ARG001  # one signature for all
    return np.minimum(relevant, length) if values["relative"] else np.full_like(relevant, length)


def _both_sizes(relevant: Ints, length: int, values: Values, cutoff: int) -> Floats:  # noqa: ARG001  # one signature for all
    beta = float(values["beta"])
    return np.asarray((beta * relevant + length) / (1 + beta), np.float64)


def _amount(default: int, explanation: str) -> Parameter:
    return Parameter(default, "a number", is_number, explanation)


_RELATIVE = switch("over the most that is possible with so many documents")
_BETA = Parameter(
    1, "a number from 0 to 1e6", lambda v: is_number(v) and 0 <= v <= 1e6, "weight of recall against precision"
)

RECORDS: tuple[Record, ...] = (
    Record(
        "SetP",
        "set precision",
        "The share of relevant documents in the whole list.",
        _set_precision,
        cutoff="none",
        parameters={"rel": REL, "relative": _RELATIVE, "judged_only": JUDGED_ONLY},
        aliases=("set_P",),
        constants=_is_relative,
        length=True,
        unjudged=Counted(down_to_cutoff, _set_sizes),
        formula=r"\frac{F_n}{n}",
    ),
    Record(
        "SetR",
        "set recall",
        "The share of the relevant documents that are in the list.",
        _set_recall,
        cutoff="none",
        parameters=RELEVANCE,
        aliases=("set_recall",),
        unjudged=Counted(down_to_cutoff, all_relevant),
        formula=r"\frac{F_n}{R}",
    ),
    Record(
        "SetF",
        "set F",
        "The weighted harmonic mean of set precision P and set recall R, (β + 1)PR / (βP + R); β is not squared, as "
        "in trec_eval.",
        _set_f,
        cutoff="none",
        parameters={"rel": REL, "beta": _BETA, "judged_only": JUDGED_ONLY},
        aliases=("set_F",),
        constants=_beta,
        length=True,
        unjudged=Counted(down_to_cutoff, _both_sizes),
        formula=r"\frac{(1 + \beta) F_n}{\beta R + n}",
    ),
    Record(
        "SetAP",
        "set average precision",
        "Set precision times set recall.",
        _set_ap,
        cutoff="none",
        parameters=RELEVANCE,
        aliases=("set_map",),
        length=True,
        formula=r"\frac{F_n}{n} \cdot \frac{F_n}{R}",
    ),
    Record(
        "Utility",
        "utility",
        "What the list is worth: so much for each relevant document, for each other document, and for each relevant "
        "document that is missed (trec_eval's utility without its fourth weight).",
        _utility,
        cutoff="none",
        parameters={
            "relevant": _amount(1, "worth of a relevant document"),
            "other": _amount(-1, "worth of another document"),
            "missed": _amount(0, "worth of a relevant document that is missed"),
            **RELEVANCE,
        },
        aliases=("utility",),
        needs_relevant=False,
        range=None,
        constants=_worth,
        length=True,
        formula=r"\text{relevant} \cdot F_n + \text{other} \cdot (n - F_n) + \text{missed} \cdot (R - F_n)",
    ),
)
