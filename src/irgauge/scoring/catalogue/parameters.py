"""Parameters that several measures take."""

from __future__ import annotations

from irgauge.scoring.catalogue.record import QRELS, Parameter

_LARGEST = 1e100  # of a parameter
_LARGEST_WHOLE = 2**53  # all whole numbers up to here are exact


def is_whole(value: object) -> bool:
    """Whether a value is a whole number that can be computed with."""
    return isinstance(value, int) and not isinstance(value, bool) and abs(value) <= _LARGEST_WHOLE


def is_number(value: object) -> bool:
    """Whether a value is a finite number."""
    return isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < _LARGEST


def _is_gain_mapping(value: object) -> bool:
    return (
        isinstance(value, dict)
        and bool(value)
        and all(is_whole(g) and is_number(v) and v >= 0 for g, v in value.items())
    )


def switch(explanation: str) -> Parameter:
    """A parameter that is off unless it is set."""
    return Parameter(default=False, allowed="True or False", accepts=_is_bool, explanation=explanation)


def _is_bool(value: object) -> bool:
    return isinstance(value, bool)


REL = Parameter(1, "a whole number from 1", lambda v: is_whole(v) and v >= 1, "lowest grade that counts as relevant")
MAX_REL = Parameter(
    QRELS,
    "a whole number from 1, or 'qrels'",
    lambda v: v == QRELS or (is_whole(v) and v >= 1),
    "highest grade; 'qrels': that of the qrels",
)
MIN_REL = Parameter(0, "a whole number from 0", lambda v: is_whole(v) and v >= 0, "highest grade that gains nothing")
JUDGED_ONLY = switch("leave documents that are not judged out of the lists")
GOAL = Parameter(1, "a number from 0.01 to 1e6", lambda v: is_number(v) and 0.01 <= v <= 1e6, "gain looked for")
PERSISTENCE = Parameter(0.8, "a number between 0 and 1", lambda v: is_number(v) and 0 < v < 1, "persistence")
GAINS = Parameter(
    None,
    "a mapping from grades to gains of at least 0, such as {1: 1, 2: 5}",
    _is_gain_mapping,
    "gains of grades, in place of those that they have",
)
BINARY = {"rel": REL}
RELEVANCE = {"rel": REL, "judged_only": JUDGED_ONLY}
GRADES = {"min_rel": MIN_REL, "max_rel": MAX_REL, "judged_only": JUDGED_ONLY}
