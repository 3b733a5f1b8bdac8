"""Nested mappings: {system: {topic: score}}, {measure: {system: {topic: score}}}, or the measures innermost."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from irgauge.reading.cells import text_of
from irgauge.reading.tables.form import IsMeasure
from irgauge.reading.tables.sheet import Origin, Sheet, sheet_of
from irgauge.reading.tables.text import listed

Path = tuple[str, ...]  # keys, from the outermost
ALLOWED = "give {system: {topic: score}} or {measure: {system: {topic: score}}}"


def nested_sheet(given: Mapping[Any, Any], origin: Origin, is_measure: IsMeasure, *, is_one_system: bool) -> Sheet:
    """The table that mappings in mappings hold; `is_one_system` says that there are others beside it.

    >>> sheet = nested_sheet({"a": {"q1": 0.5}}, Origin(), {"AP"}.__contains__, is_one_system=False)
    >>> sheet.frame.select("system", "topic", "score").rows()
    [('a', 'q1', 0.5)]
    """
    leaves = list(_leaves(given, (), origin))
    if not leaves:
        raise origin.error(f"there are no scores; {ALLOWED}")
    _refuse_uneven(leaves, origin)
    levels = [list(dict.fromkeys(keys)) for keys in zip(*(path for path, _ in leaves), strict=True)]
    roles = _roles(levels, origin, is_measure, is_one_system=is_one_system)
    columns = {role: [path[level] for path, _ in leaves] for level, role in enumerate(roles)}
    return sheet_of(columns | {"score": [score for _, score in leaves]}, origin)


def _leaves(given: Mapping[Any, Any], above: Path, origin: Origin) -> Iterator[tuple[Path, object]]:
    for key, value in given.items():
        path = (*above, text_of(key))
        if isinstance(value, Mapping):
            yield from _leaves(value, path, origin)
        elif isinstance(value, list | tuple | dict):
            raise origin.error(f"{'.'.join(path)} holds a {type(value).__name__}, not a score; {ALLOWED}")
        else:
            yield path, value


def _refuse_uneven(leaves: Sequence[tuple[Path, object]], origin: Origin) -> None:
    depth = len(leaves[0][0])
    for path, _ in leaves:
        if len(path) != depth:
            raise origin.error(f"{'.'.join(path)} is {len(path)} levels deep, and others are {depth}; {ALLOWED}")
    if depth not in (2, 3):
        what = "one number for each name, such as averages" if depth == 1 else f"mappings {depth} levels deep"
        raise origin.error(f"these are {what}, not scores of systems on topics; {ALLOWED}")


def _roles(
    levels: Sequence[Sequence[str]], origin: Origin, is_measure: IsMeasure, *, is_one_system: bool
) -> tuple[str, ...]:
    """What the keys of each level are: the level of known measures, and systems before topics."""
    measures = [level for level, keys in enumerate(levels) if all(map(is_measure, keys))]
    if len(levels) == 2 and not measures:
        return ("system", "topic")
    if len(levels) == 2:
        if not is_one_system:
            raise _averages(levels, measures[0], origin)
        return ("measure", "topic") if measures[0] == 0 else ("topic", "measure")
    at = measures[0] if measures else 0
    others = iter(("system", "topic"))
    return tuple("measure" if level == at else next(others) for level in range(3))


def _averages(levels: Sequence[Sequence[str]], at: int, origin: Origin) -> Exception:
    measures, others = listed(levels[at], 3), listed(levels[1 - at], 3)
    return origin.error(
        f"these scores of {measures} can be read in two ways: as averages of the systems {others}, or as scores of "
        f"one system on the topics {others}; if they are scores of topics, name the system: "
        "{system: {topic: {measure: score}}}"
    )
