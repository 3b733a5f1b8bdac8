"""Judges: who judged besides the people whose judgments count, such as language models, and what they said.

Nothing is repaired that was not asked for: a pair that is judged twice and a grade off people's scale are named with
their place, how many there are, and the option that settles them.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from numbers import Integral
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from irgauge.compute.arrays import Ints
from irgauge.errors import DesignError, InputError
from irgauge.files.opening import expand, is_there
from irgauge.reading.byte_strings import hashes
from irgauge.reading.collection import judgments_of
from irgauge.reading.judgments import differs, entries_of, only_rows
from irgauge.reading.numbering import Names
from irgauge.reading.objects import qrels_of
from irgauge.reading.run_names import file_name
from irgauge.reading.trec import Qrels
from irgauge.wording import counted

GivenJudges = Sequence[str | os.PathLike[str]] | Mapping[str, object] | str | os.PathLike[str]
DuplicateRule = Literal["first", "max", "mean", "refuse"]
DUPLICATES: Mapping[DuplicateRule, str] = {
    "first": "the first grade counts",
    "max": "the highest does",
    "mean": "their mean does, rounded, halves up",
    "refuse": "an error",
}
_SUFFIX = ".qrels"
_HOW = "write them like 0=0,1=0,2=1"


@dataclass(frozen=True, eq=False)
class Judge:
    """A judge, and where the judgments come from: a path, or an object that holds them."""

    name: str
    source: object

    @property
    def is_file(self) -> bool:
        """Whether the judgments are in a file."""
        return isinstance(self.source, str | os.PathLike)

    def read(self) -> Qrels:
        """The judgments as they are."""
        return judgments_of(self.source) if self.is_file else qrels_of(self.source, f"judge '{self.name}'")


def judges_of(judges: GivenJudges) -> tuple[Judge, ...]:
    """The judges that are given, by name, or as files, folders and patterns; a file may have a name, as NAME=FILE.

    >>> [judge.name for judge in judges_of({"gpt": {"1": {"a": 1}}})]
    ['gpt']
    """
    if isinstance(judges, Mapping):
        named = [Judge(str(name), source) for name, source in judges.items()]
    else:
        places = [judges] if isinstance(judges, str | os.PathLike) else judges
        named = [judge for place in places for judge in _at(place)]
    if not named:
        raise DesignError("there is no judge; name one, such as --judge gpt-4o=gpt-4o.qrels")
    for name, count in Counter(judge.name for judge in named).items():
        if count > 1:
            raise DesignError(f"two judges have the name '{name}'; give other names, as in --judge NAME=FILE")
    return tuple(named)


def _at(place: str | os.PathLike[str]) -> Iterator[Judge]:
    name, sign, path = str(place).partition("=")
    if sign and not is_there(place):
        files = expand([path])
        if len(files) > 1:
            raise InputError(f"this is {len(files)} files, and NAME=FILE names one; leave '{name}=' out", path=path)
        yield Judge(name, files[0])
        return
    yield from (Judge(file_name(file).removesuffix(_SUFFIX), file) for file in expand([place]))


def grades_of(text: str) -> dict[int, int]:
    """What grades mean on people's scale, such as 0=0,1=0,2=1.

    >>> grades_of("2=1, 3=1")
    {2: 1, 3: 1}
    """
    pairs = [part.partition("=") for part in text.split(",")]
    try:
        mapping = [(int(grade), int(meaning)) for grade, _, meaning in pairs]
    except ValueError:
        raise InputError(f"'{text}' are not pairs of grades; {_HOW}") from None
    if len(dict(mapping)) < len(mapping):
        raise InputError(f"'{text}' names a grade twice; {_HOW}")
    return dict(mapping)


def check_grades(grades: Mapping[int, int]) -> None:
    """Refuse a mapping that is not from whole numbers to whole numbers."""
    for grade in (*grades, *grades.values()):
        if isinstance(grade, bool) or not isinstance(grade, Integral):
            raise DesignError(f"grades are whole numbers, and {grade!r} is none; give them like {{0: 0, 1: 0, 2: 1}}")


def mapped(qrels: Qrels, grades: Mapping[int, int]) -> Qrels:
    """The judgments with some of their grades replaced; others stay."""
    changed = qrels.grades.copy()
    for grade, meaning in grades.items():
        changed[qrels.grades == grade] = meaning
    return replace(qrels, grades=changed)


def check_scale(qrels: Qrels, least: int, most: int, meant: Mapping[int, int]) -> None:
    """Refuse grades off people's scale that no mapping asked for, with the option that maps them to its nearest end."""
    is_off = (qrels.grades < least) | (qrels.grades > most)
    bad = np.flatnonzero(is_off & ~np.isin(qrels.grades, list(meant.values())))
    if not len(bad):
        return
    values, counts = np.unique(qrels.grades[bad], return_counts=True)
    each = ", ".join(f"{value}: {count:,}" for value, count in zip(values, counts, strict=True))
    nearest = ",".join(f"{value}={least if value < least else most}" for value in values)
    message = (
        f"{counted(len(bad), 'grade')} off people's scale, which is {least} to {most} ({each}); say what these mean, "
        f"such as --grades{'=' if nearest.startswith('-') else ' '}{nearest}"
    )
    raise qrels.error(int(bad.min()), message)


def settled(qrels: Qrels, rule: DuplicateRule) -> tuple[Qrels, tuple[str, ...]]:
    """The judgments with one row a pair, and what is to be noted of pairs that were judged several times."""
    topics = np.repeat(np.arange(len(qrels.topics)), np.diff(qrels.bounds))  # row
    docs = _numbered(qrels)
    order = np.lexsort((docs, topics))  # which is stable: the first of a pair stays first
    is_first = differs(topics[order]) | differs(docs[order])
    if is_first.all():
        return qrels, ()
    again = int(order[~is_first].min())
    told = _told(qrels, order, is_first)
    if rule == "refuse":
        options = ", ".join(name for name in DUPLICATES if name != "refuse")
        message = f"document '{qrels.docno(again)}' appears twice in topic '{qrels.topic(again)}'; in all, {told}"
        raise qrels.error(
            again, f"{message}; remove what is wrong, or say which grade counts by --duplicates {options}"
        )
    grades = _grade(qrels.grades[order], np.flatnonzero(is_first), rule)
    by_row = np.argsort(order[is_first])
    note = f"{told} (the first again: {qrels.place(again)}); {DUPLICATES[rule]}"
    return only_rows(qrels, order[is_first][by_row], grades[by_row]), (f"{note} (see --duplicates)",)


def _numbered(qrels: Qrels) -> Ints:
    """A number for the docno of each row."""
    fields = qrels.text, qrels.starts, qrels.stops
    return Names().intern(*fields, hashes(*fields)).astype(np.int64)


def _told(qrels: Qrels, order: NDArray[np.intp], is_first: NDArray[np.bool_]) -> str:
    """How many pairs are judged several times, and how many of them differently."""
    starts, grades = np.flatnonzero(is_first), qrels.grades[order]
    several = int((np.diff(starts, append=len(order)) > 1).sum())
    unequal = int((np.maximum.reduceat(grades, starts) > np.minimum.reduceat(grades, starts)).sum())
    verb = "is" if several == 1 else "are"
    return f"{counted(several, 'pair')} {verb} judged more than once, {unequal:,} of them with different grades"


def _grade(grades: Ints, starts: NDArray[np.intp], rule: DuplicateRule) -> Ints:
    """The grade of each pair, whose rows start there."""
    if rule == "first":
        return grades[starts]
    if rule == "max":
        return np.maximum.reduceat(grades, starts)
    sizes = np.diff(starts, append=len(grades))
    return np.floor(np.add.reduceat(grades, starts) / sizes + 0.5).astype(np.int64)


def of_topics(qrels: Qrels, topics: Sequence[str]) -> Qrels:
    """The judgments of some of their topics."""
    places = np.array([qrels.topics.index(topic) for topic in topics], np.int64)
    sizes = np.diff(qrels.bounds)[places]
    rows = entries_of(qrels.bounds[places], sizes)
    bounds = np.concatenate([[0], np.cumsum(sizes)])
    return replace(only_rows(qrels, rows, qrels.grades[rows]), topics=tuple(topics), bounds=bounds)
