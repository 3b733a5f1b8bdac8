"""Notes on the data as sentences, each once however many systems it is of."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from irgauge.wording import counted, some


@dataclass(frozen=True)
class Note:
    """What a careful reader should know of the data: of one system, or of the judgments."""

    system: str | None
    text: str

    def __str__(self) -> str:
        return self.text if self.system is None else f"{self.system}: {self.text}"


def together(notes: Iterable[Note]) -> list[str]:
    """Notes as sentences: those that say the same of several systems, numbers aside, as one.

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
