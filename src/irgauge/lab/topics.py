"""Topics: what is asked, from TREC's topic files, JSON lines, tables, or ir_datasets."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from irgauge.errors import InputError
from irgauge.files.opening import is_there
from irgauge.lab.records import Record, records, without_tags
from irgauge.reading.objects import dataset_items

_NUMBER = re.compile(r"<num>\s*(?:Number:)?\s*([^\s<]*)", re.IGNORECASE)
_TITLE = re.compile(r"<title>\s*(?:Topic:)?([^<]*)", re.IGNORECASE)
_IDS = ("id", "_id", "qid", "query_id", "topic")
_TEXTS = ("title", "text", "query", "contents")


class Topic(NamedTuple):
    """A topic and the text that is searched for."""

    id: str
    text: str


def read_topics(path: str | os.PathLike[str]) -> list[Topic]:
    """The topics of a file, in their order, or of a dataset of ir_datasets; of TREC's topics the title is taken."""
    rows = records(path, "top", _fields, ("id", "text")) if is_there(path) else _of_dataset(str(path))
    topics: dict[str, Topic] = {}
    for record in rows:
        topic = _topic(record)
        if topic.id in topics:
            raise record.error(f"the topic '{topic.id}' appears twice; remove one of the two")
        topics[topic.id] = topic
    if not topics:
        raise InputError("the file has no topics; name a file of topics", path=str(path))
    return list(topics.values())


def _of_dataset(name: str) -> Iterator[Record]:
    for number, query in enumerate(dataset_items(name, "queries"), 1):
        yield Record({"id": query.query_id, "text": query.default_text()}, name, number)


def _fields(block: str) -> Mapping[str, str]:
    """The fields of a <top> block; old ones have no closing tags."""
    matches = {"id": _NUMBER.search(block), "title": _TITLE.search(block)}
    return {name: without_tags(match[1]) for name, match in matches.items() if match is not None}


def _topic(record: Record) -> Topic:
    name = record.name(_IDS, "topic", "num")
    text = next((record.fields[key] for key in _TEXTS if record.fields.get(key, "").strip()), "")
    if not text:
        raise record.error(f"the topic '{name}' has no text; give it a <title>, or a field {' or '.join(_TEXTS[:2])}")
    return Topic(name, " ".join(text.split()))
