"""Tool: how the file of a tool is recognized by what it holds, and which scores of which topics it has."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, NamedTuple

from irgauge.errors import InputError
from irgauge.reading.tables.sheet import KEYS, ROW, SCORE, Origin, Recognized, Sheet, quoted, sheet_of, text_of

Record = Mapping[str, Any]
_MOST_BITS = 1024  # of whole numbers that describe a topic; Python does not write very long ones
Place = int | str  # the number of a record, from 0, or where in an object, such as samples[3].scores


@dataclass(frozen=True)
class Content:
    """What a file holds: one object of JSON, or records: JSON lines, a list of objects, rows of CSV or Parquet."""

    records: Sequence[Record]  # an object is the only one
    origin: Origin
    is_object: bool = False

    @property
    def first(self) -> Record:
        """The object, or the first record; empty where there is none."""
        return self.records[0] if self.records else {}

    def error(self, message: str, place: Place | None = None) -> InputError:
        """An error that names the file, and the line or the place in the object."""
        return self.origin.error(message, place) if isinstance(place, int) else self.origin.error(at(place, message))

    def listed(self, key: str, why: str) -> list[Any]:
        """What an object has under a key, which must be a list that is not empty."""
        values = self.first.get(key)
        if not isinstance(values, list) or not values:
            raise self.error(why)
        return values


def at(place: Place | None, message: str) -> str:
    """A message behind the place in an object that it is about."""
    return message if place is None else f"{place}: {message}"


class Row(NamedTuple):
    """A score, and what is known of it; what is None is not said."""

    topic: object
    measure: str
    score: object  # a number, a boolean, or None where there is none
    place: Place
    system: str | None = None
    replicate: object = None
    about: Record = MappingProxyType({})  # of the topic; what is no text, number or boolean is left out
    asks: str = ""  # what the topic is, where its name may be a number that another file gives to another one


@dataclass(frozen=True)
class ToolScores:
    """The scores of a file, and what it says of all of them."""

    rows: Iterable[Row]
    system: str | None = None  # of all rows that name none
    task: str | None = None  # topics of different tasks are different ones, though their names may be the same
    lower: frozenset[str] = field(default_factory=frozenset)  # measures of which less is better


@dataclass(frozen=True)
class Tool:
    """A kind of file that a tool writes."""

    name: str  # with its article: 'an Inspect AI log'
    becomes: str  # what is read as systems, topics, measures and replicates
    looks: Callable[[Content], bool]  # must bear any content
    scores: Callable[[Content], ToolScores]
    replicate: str | None = None  # what it calls a replicate

    def sheet(self, content: Content) -> Sheet:
        """The long table of a file, with a column for each thing that is known of topics."""
        scored = self.scores(content)
        rows = list(scored.rows)
        if not rows:
            raise content.error(f"{self.name} without scores; was it written to the end?")
        keys = {key: [_label(getattr(row, key), row.place, content) for row in rows] for key in KEYS}
        about = _described([row.about for row in rows])
        columns = keys | {SCORE: [_number(row.score) for row in rows]} | about
        places = [row.place for row in rows]
        asked: dict[str, str] = {}
        for topic, row in zip(keys["topic"], rows, strict=True):
            if row.asks and asked.setdefault(str(topic), row.asks) != row.asks:
                what = f"topic {topic} is {quoted(row.asks)} here, and {quoted(asked[str(topic)])} before"
                raise content.error(f"{what}; give what all systems were evaluated on alike", row.place)
        recognized = Recognized(
            self.name, self.becomes, scored.task, scored.lower, asked=asked, replicate=self.replicate
        )
        sheet = sheet_of(columns, _origin(content.origin, places))
        return Sheet(sheet.frame, sheet.origin, scored.system, recognized=recognized)


def _label(value: object, place: Place, content: Content) -> str | None:
    try:
        return None if value is None else text_of(value)
    except InputError as error:
        raise content.error(error.message, place) from None


def _number(value: object) -> object:
    """A score; what is neither a number nor text is refused later, as text."""
    if isinstance(value, bool):
        return float(value)
    return value if value is None or isinstance(value, int | float | str) else str(value)


def _described(about: Sequence[Record]) -> dict[str, list[str | None]]:
    """Column -> its values as text; names that scores have too are written otherwise."""
    names = list(dict.fromkeys(name for record in about for name, value in record.items() if _is_plain(value)))
    taken = {*KEYS, SCORE, ROW}
    return {
        f"{name} (other)" if name in taken else str(name): [_plain(record.get(name)) for record in about]
        for name in names
    }


def _is_plain(value: object) -> bool:
    return isinstance(value, str | float) or (isinstance(value, int) and value.bit_length() < _MOST_BITS)


def _plain(value: object) -> str | None:
    return text_of(value) if _is_plain(value) else None


def _origin(origin: Origin, places: Sequence[Place]) -> Origin:
    """The origin whose rows are scores, each of a record or of a place in an object."""

    def line_of(row: int) -> int | None:
        place = places[row]
        return origin.line_of(place) if isinstance(place, int) and origin.line_of is not None else None

    def place_of(row: int) -> str | None:
        place = places[row]
        return place if isinstance(place, str) else None

    return Origin(origin.path, origin.name, line_of, place_of)


def records_of(value: object, of: str, content: Content) -> Iterator[tuple[str, Record]]:
    """The objects of a list under a key, each with its place; what is none is refused."""
    for number, record in enumerate(value if isinstance(value, list) else []):
        place = f"{of}[{number}]"
        if not isinstance(record, Mapping):
            raise content.error(f"a {type(record).__name__} where an object is needed; fix the file", place)
        yield place, record
