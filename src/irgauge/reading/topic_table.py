"""What is known of topics besides their scores: the text of the query, kinds, frequencies, whatever columns there are.

One table for all that reads such columns. Values are kept by topic, so that leaving topics out changes nothing.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from irgauge.choices import known
from irgauge.errors import DesignError, InputError

if TYPE_CHECKING:
    from irgauge.reading.tables.sheet import Origin, Sheet

_QUERY = ("query", "question", "text", "title", "query_text", "prompt", "user_input")  # what the text may be called
_MOST_SAID = 60  # characters of a query in an error
_IDS = ("_id", "id")  # of topics, where no column has a better name
Values = Mapping[str, str]  # topic -> what stands there, as text; a topic without any is not in it


@dataclass(frozen=True)
class TopicTable:
    """Columns of values of topics, and the columns of tables of scores that say nothing of a topic.

    >>> table = TopicTable({"type": {"q1": "long", "q2": "short"}, "query": {"q1": "who sang it"}})
    >>> table.column("type")["q2"], table.query("q1"), table.query("q2")
    ('short', 'who sang it', None)
    """

    columns: Mapping[str, Values] = field(default_factory=dict)
    unused: tuple[str, ...] = ()  # columns that were read, and are not used
    asked: Values = field(default_factory=dict)  # what topics are, where names may be numbers that files give anew

    def column(self, name: str) -> Values:
        """The values of a column; one that there is not is refused."""
        if name in self.unused and name not in self.columns:
            raise DesignError(
                f"the column '{name}' has several values for one topic, so that it says nothing of it; name another"
            )
        if not self.columns:
            raise DesignError(
                f"nothing is known of topics, and '{name}' is asked for; give a table of them (topics_table), or a "
                f"table of scores with such a column, which has one value for each topic"
            )
        return self.columns[known(name, tuple(self.columns), "column of topics")]

    def numbers(self, name: str) -> dict[str, float]:
        """The values of a column as numbers, such as frequencies; others are refused."""
        try:
            return {topic: float(value) for topic, value in self.column(name).items()}
        except ValueError as error:
            raise InputError(f"the column '{name}' of topics does not hold numbers ({error}); fix it") from None

    @property
    def queries(self) -> Values:
        """Topic -> the text of its query, where that is known and not the name of the topic."""
        name = next((name for name in _QUERY for column in self.columns if column.lower() == name), None)
        texts = {} if name is None else next(own for column, own in self.columns.items() if column.lower() == name)
        return {topic: text for topic, text in texts.items() if text != topic}

    def query(self, topic: str) -> str | None:
        """The text of a topic's query, where it is known."""
        return self.queries.get(topic)

    def beside(self, other: TopicTable) -> TopicTable:
        """The columns of both; of one that both have, those of the other go before."""
        both = dict(self.columns)
        for name, values in other.columns.items():
            both[name] = {**both.get(name, {}), **values}
        unused = tuple(dict.fromkeys((*self.unused, *other.unused)))
        return TopicTable(both, tuple(name for name in unused if name not in both), {**self.asked, **other.asked})

    def renumbered(self, other: TopicTable) -> tuple[str, str, str] | None:
        """A topic of another table, which this one has under another name, and what it asks; None if there is none.

        >>> first, second = TopicTable(asked={"1": "who", "2": "when"}), TopicTable(asked={"1": "when"})
        >>> first.renumbered(second), first.renumbered(TopicTable(asked={"1": "Who?"}))
        (('1', '2', 'when'), None)
        """
        own, others = self._asks, other._asks
        topics = {text: topic for topic, text in own.items()}
        moved = (topic for topic, text in others.items() if text in topics and own.get(topic, text) != text)
        return next(((topic, topics[others[topic]], others[topic]) for topic in moved), None)

    @property
    def _asks(self) -> Values:
        """What topics ask, as the tool or a column of queries says; other texts may be those of answers."""
        return self.asked or next((self.columns[name] for name in ("query", "question") if name in self.columns), {})

    def unless_contradicted(self, others: Iterable[TopicTable], named: Sequence[str] = ()) -> TopicTable:
        """Without columns that other tables have other values of, as outcomes of systems are; named ones stay.

        >>> flags = TopicTable({"is_empty": {"q1": "yes"}, "type": {"q1": "long"}})
        >>> list(flags.unless_contradicted([TopicTable({"is_empty": {"q1": "no"}})]).columns)
        ['type']
        """
        differing = {
            name
            for other in others
            for name, values in other.columns.items()
            if name in self.columns and name not in named
            if any(self.columns[name].get(topic, value) != value for topic, value in values.items())
        }
        left = {name: values for name, values in self.columns.items() if name not in differing}
        return TopicTable(left, (*self.unused, *(name for name in self.columns if name in differing)), self.asked)

    def refuse_others(self, topics: Sequence[str]) -> TopicTable:
        """The table, which must say something of some of these topics."""
        if self.columns and not any(topic in values for values in self.columns.values() for topic in topics):
            there = next(iter(next(iter(self.columns.values()))), "none")
            raise InputError(
                f"the table of topics says nothing of any of the {len(topics)} topics ({topics[0]}, ...); it is of "
                f"others ({there}, ...): are its ids written otherwise?"
            )
        return self


def described(sheet: Sheet, topic: str, names: Sequence[str]) -> TopicTable:
    """Those columns of a table that have one value for each topic; the others are not used."""
    from irgauge.reading.tables.longtable import labels_of

    topics = labels_of(sheet, topic, "topic").to_list()
    columns: dict[str, Values] = {}
    for name in names:
        values: dict[str, set[str]] = {}
        for own, value in zip(topics, labels_of(sheet, name, name).to_list(), strict=True):
            if own is not None and value is not None:
                values.setdefault(own, set()).add(value)
        if all(len(each) == 1 for each in values.values()):
            columns[name] = {own: next(iter(each)) for own, each in values.items()}
    asked = {} if sheet.recognized is None else sheet.recognized.asked
    return TopicTable(columns, tuple(name for name in names if name not in columns), asked)


def refuse_renumbered(tables: Iterable[tuple[Origin, TopicTable]]) -> None:
    """Refuse files that give the number of a question to another one: they would be compared as one topic."""
    (first, known), *others = tables
    for origin, table in others:
        if moved := known.renumbered(table):
            topic, there, text = moved
            what = f"its topic {topic} is topic {there} of {first.path or first.name}: {text[:_MOST_SAID]!r}"
            advice = "evaluate all systems on the same ones in the same order"
            raise origin.error(f"{what}; the files number their questions in two ways, so {advice}")


GivenTopics = str | os.PathLike[str] | TopicTable | object  # a file, a data frame, or what was read before


def topic_table(given: GivenTopics) -> TopicTable:
    """A table of topics: CSV, TSV, JSON lines or Parquet, or a data frame, with a row for each topic."""
    from irgauge.reading.tables.read import frame_sheet, read_sheet
    from irgauge.reading.tables.sheet import columns_of

    if isinstance(given, TopicTable):
        return given
    is_path = isinstance(given, str | os.PathLike)
    sheet = read_sheet(str(given), lambda _: False) if is_path else frame_sheet(given)
    of = columns_of(sheet.names).of.get("topic")
    topic = of if of is not None and plain_id(of) else next((name for name in _IDS if name in sheet.names), of)
    if topic is None:
        raise sheet.origin.error(
            f"the table of topics has no column 'topic' (or query_id, qid); it has {', '.join(sheet.names[:8])}"
        )
    table = described(sheet, topic, [name for name in sheet.names if name != topic])
    if table.unused:
        raise sheet.origin.error(
            f"topics appear in several rows with different values of '{table.unused[0]}'; a table of topics has a row "
            "for each"
        )
    return table


def plain_id(name: str) -> bool:
    """Whether a column that may hold topics is not the text of queries."""
    return name.lower() not in _QUERY
