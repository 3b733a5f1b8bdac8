"""The commands of the lab, several in each file; and what they read, write and tell, each declared once."""

from __future__ import annotations

import inspect
from collections.abc import Iterable
from pathlib import Path
from typing import Annotated

import typer

from irgauge.cli.app import CommandGroup

COMMAND = CommandGroup(
    question="Make runs of known systems from text: the lab.",
    about="From documents to an index, from an index and topics to runs. Stemmers, the long stop list and clusters "
    "need the packages of the extra 'lab'.",
    example="irgauge lab index documents.trec.gz -o index, then irgauge lab run index topics.trec -o runs",
    place=315,
    folder=__name__,
)
_TOPICS = (
    "Topics: <top> blocks with <num> and <title>, JSON lines (id, title or text), id and text with a tab, or a name of "
    "ir_datasets."
)


def index_argument() -> inspect.Parameter:
    """An index."""
    return _argument("index", "INDEX", "The folder that lab index wrote.")


def topics_argument() -> inspect.Parameter:
    """Topics."""
    return _argument("topics", "TOPICS", _TOPICS)


def qrels_argument() -> inspect.Parameter:
    """Judgments."""
    return _argument("qrels", "QRELS", "Judgments (topic 0 docno grade).")


def output_option(help_text: str) -> inspect.Parameter:
    """Where the results go."""
    return required("output", Annotated[Path, typer.Option("--output", "-o", help=help_text)])


def _argument(name: str, metavar: str, help_text: str) -> inspect.Parameter:
    return required(name, Annotated[str, typer.Argument(metavar=metavar, help=help_text, show_default=False)])


def required(name: str, kind: object) -> inspect.Parameter:
    """A parameter that must be given."""
    from irgauge.cli.frame import keyword

    return keyword(name, kind, inspect.Parameter.empty)


def unmatched_notes(topics: Iterable[str]) -> list[str]:
    """What is told of topics for which nothing is found."""
    return [f"no document has a term of topic '{topic}' that is searched; runs leave it out" for topic in topics]
