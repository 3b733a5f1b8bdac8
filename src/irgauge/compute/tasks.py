"""Tasks whose results come in their order: done in threads here, or wherever the engine at hand has them done.

A task is pure: what it gives depends on what it is given alone, so that it can be done anywhere, and done again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, Generic, NamedTuple, Protocol, TypeVar

from irgauge.compute.threads import in_threads

S = TypeVar("S")
T = TypeVar("T")
R = TypeVar("R")


class Task(NamedTuple, Generic[S, T, R]):
    """Something to do with an item, and with data that many tasks share: these travel once."""

    do: Callable[[S, T], R]  # of a module, so that it can be sent
    data: S
    item: T
    name: str  # what an error calls it, such as "images 1 to 64"


class Engine(Protocol):
    """What does tasks elsewhere."""

    def results(self, tasks: Iterable[Task[Any, Any, R]]) -> Iterator[R]:
        """What each task gives, in their order."""


_ENGINE: ContextVar[Engine | None] = ContextVar("engine", default=None)


@contextmanager
def done_by(engine: Engine) -> Iterator[None]:
    """Have tasks done by an engine, meanwhile."""
    token = _ENGINE.set(engine)
    try:
        yield
    finally:
        _ENGINE.reset(token)


def are_elsewhere() -> bool:
    """Whether tasks are done elsewhere."""
    return _ENGINE.get() is not None


def one_by_one(tasks: Iterable[Task[Any, Any, R]]) -> Iterator[R]:
    """What each task gives, in their order; here one after the other, each with all threads.

    >>> list(one_by_one(Task(divmod, 7, number, f"number {number}") for number in (2, 3)))
    [(3, 1), (2, 1)]
    """
    engine = _ENGINE.get()
    if engine is not None:
        yield from engine.results(tasks)
        return
    for task in tasks:
        yield task.do(task.data, task.item)


def each(
    do: Callable[[T], R],
    items: Iterable[T],
    workers: int | None = None,
    *,
    named: str,
    then: Callable[[R], None] | None = None,
) -> list[R]:
    """What `do` gives for each item, in their order; here each in one of some threads.

    `then` is told each result as soon as it and those before it are there.

    >>> each(abs, [-1, 2, -3], workers=2, named="number")
    [1, 2, 3]
    """
    engine = _ENGINE.get()
    if engine is None:
        return in_threads(do, items, workers, then=then)
    tasks = (Task(_call, do, item, f"{named} {number}") for number, item in enumerate(items, 1))
    found = []
    for result in engine.results(tasks):
        found.append(result)
        if then is not None:
            then(result)
    return found


def _call(do: Callable[[T], R], item: T) -> R:
    return do(item)
