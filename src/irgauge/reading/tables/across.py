"""What the columns of a wide table are: systems, measures, or measures of systems, such as ndcg_control."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from irgauge.reading.tables.named_columns import are_measures, named_measures

if TYPE_CHECKING:
    from irgauge.reading.tables.sheet import Sheet

_BETWEEN = re.compile(r"__|[_.:/|\- ]")  # the parts of a name
_MOST = 200  # columns; so many measures of systems stand in a row, more are systems
Crossing = Mapping[str, tuple[str, str]]  # column -> measure, system


def crossing_of(names: Sequence[str], is_measure: Callable[[str], bool]) -> Crossing:
    """The measure and the system of each column that names both, where each measure has each system; else none.

    >>> crossing = crossing_of(["ndcg_new", "ms_new", "ndcg_old", "ms_old", "searches"], lambda name: name == "ndcg")
    >>> list(crossing), crossing["ms_old"]
    (['ndcg_new', 'ms_new', 'ndcg_old', 'ms_old'], ('ms', 'old'))
    >>> crossing_of(["bm25_k1", "bm25_k2", "dph_k1", "dph_k2"], lambda name: name == "ndcg")
    {}
    """
    there = set(names)
    crossings: list[Crossing] = []
    for name in names if len(names) <= _MOST else ():
        for cut in _BETWEEN.finditer(name):
            first, mark, last = name[: cut.start()], cut.group(), name[cut.end() :]
            firsts = [own.removesuffix(mark + last) for own in names if own.endswith(mark + last)]
            lasts = [own.removeprefix(first + mark) for own in names if own.startswith(first + mark)]
            is_first = _has_measure(firsts, is_measure)
            if is_first == _has_measure(lasts, is_measure) or min(len(firsts), len(lasts)) < 2:
                continue
            of = {f"{one}{mark}{two}": (one, two) if is_first else (two, one) for one in firsts for two in lasts}
            crossings += [{own: of[own] for own in names if own in of}] if of.keys() <= there else []
    return max(crossings, key=lambda own: _fitting(own, is_measure), default={})


def _has_measure(parts: Sequence[str], is_measure: Callable[[str], bool]) -> bool:
    return bool(named_measures(parts)) or any(map(is_measure, parts))


def _fitting(crossing: Crossing, is_measure: Callable[[str], bool]) -> tuple[int, int]:
    """How many columns it explains, and of how many it knows the measure."""
    return len(crossing), sum(_has_measure([measure], is_measure) for measure, _ in crossing.values())


def across_of(sheet: Sheet, labels: Mapping[str, str], scores: Sequence[str], is_measure: Callable[[str], bool]) -> str:
    """Whether the columns of a wide table are systems or measures, where no name says both."""
    if "system" in labels:
        return "measure"
    if "measure" in labels:
        return "system"
    others = [name for name in scores if not is_measure(name)]
    if not others or len(scores) == 1 or are_measures(scores, others):
        return "measure"
    if len(others) < len(scores):
        known = next(name for name in scores if name not in others)
        raise sheet.origin.error(
            f"the columns can be read in two ways: '{known}' is a measure, and '{others[0]}' may be a measure or a "
            f"system; if they are measures, name them (-m {others[0]}), or the column of systems (--columns "
            "system=NAME); add a column 'measure' if they are systems"
        )
    return "system"
