"""Notes on the data as sentences, each once however many systems it is of."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from irgauge.wording import counted, some

if TYPE_CHECKING:
    from irgauge.reading.collection import Note


def together(notes: Iterable[Note]) -> list[str]:
    """Notes as sentences: those that say the same of several systems, numbers aside, as one.

    >>> from irgauge.reading.collection import Note
    >>> together([Note("a", "1 line left out"), Note("b", "2 lines left out"), Note("c", "2 lines left out")])
    ['a: 1 line left out', '2 systems (b and c): 2 lines left out']
    >>> together([Note("a", "3 of its topics left out"), Note("b", "2 of its topics left out")])
    ['2 systems (a and b), such as a: 3 of its topics left out']
    """
    alike: dict[tuple[bool, str], list[Note]] = {}
    for note in notes:
        kind = note.text if note.system is None else re.sub(r"\d[\d,]*", "#", note.text)
        alike.setdefault((note.system is None, kind), []).append(note)
    return [_of_all(same) for same in alike.values()]


def _of_all(notes: Sequence[Note]) -> str:
    first, systems = notes[0], [note.system for note in notes if note.system is not None]
    if len(systems) < 2:
        return str(first)
    such_as = "" if all(note.text == first.text for note in notes) else f", such as {first.system}"
    return f"{counted(len(systems), 'system')} ({some(systems)}){such_as}: {first.text}"
