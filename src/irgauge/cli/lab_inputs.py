"""What commands of the lab read, write and tell, each declared once."""

from __future__ import annotations

import inspect
from collections.abc import Iterable
from pathlib import Path
from typing import Annotated

import typer

from irgauge.cli.frame import keyword

_REQUIRED = inspect.Parameter.empty
_TOPICS = (
    "Topics: <top> blocks with <num> and <title>, JSON lines (id, title or text), id and text with a tab, or a name of "
    "ir_datasets."
)


def index() -> inspect.Parameter:
    """An index."""
    return _argument("index", "INDEX", "The folder that lab index wrote.")


def topics() -> inspect.Parameter:
    """Topics."""
    return _argument("topics", "TOPICS", _TOPICS)


def qrels() -> inspect.Parameter:
    """Judgments."""
    return _argument("qrels", "QRELS", "Judgments (topic 0 docno grade).")


def output(told: str) -> inspect.Parameter:
    """Where the results go."""
    return keyword("output", Annotated[Path, typer.Option("--output", "-o", help=told)], _REQUIRED)


def left_out(topics: Iterable[str]) -> list[str]:
    """What is told of topics for which nothing is found."""
    return [f"no document has a term of topic '{topic}' that is searched; runs leave it out" for topic in topics]


def _argument(name: str, metavar: str, told: str) -> inspect.Parameter:
    return keyword(name, Annotated[str, typer.Argument(metavar=metavar, help=told, show_default=False)], _REQUIRED)
