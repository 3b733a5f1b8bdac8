"""Tasks whose results come in their order: done in threads here, or wherever the engine at hand has them done.

A task is pure: what it gives depends on what it is given alone, so that it can be done anywhere, and done again.
Whatever stops threads, Ctrl-C too, drops what none of them has begun, at every depth.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import CancelledError, ThreadPoolExecutor
from contextlib import contextmanager
from contextvars import ContextVar, copy_context
from itertools import count
from typing import Any, Generic, NamedTuple, Protocol, TypeVar

from irgauge.errors import DesignError

S = TypeVar("S")
T = TypeVar("T")
R = TypeVar("R")
_WORTH_THREADS = 1 << 22  # steps: some milliseconds


class _Work:
    """What threads share; it may be a part of other work, and stops with it."""

    def __init__(self, whole: _Work | None) -> None:
        self._whole = whole
        self._is_stopped = False

    @property
    def is_stopped(self) -> bool:
        return self._is_stopped or (self._whole is not None and self._whole.is_stopped)

    def stop(self) -> None:
        self._is_stopped = True


_work: ContextVar[_Work | None] = ContextVar("work", default=None)  # what a thread is busy with
_is_alone: ContextVar[bool] = ContextVar("alone", default=False)  # whether work may have no threads but its own


def in_threads(
    do: Callable[[T], R], items: Iterable[T], workers: int | None = None, *, then: Callable[[R], None] | None = None
) -> list[R]:
    """What `do` gives for each item, in their order; `then` is told each as soon as it and those before it are there.

    What is done must not depend on the order. Long work for one item calls `check_stop` now and then.

    >>> in_threads(abs, [-1, 2, -3], workers=2)
    [1, 2, 3]
    """
    jobs = list(items)
    threads = min(thread_count(workers), len(jobs))
    if threads <= 1:
        return [_told(do(_next(job)), then) for job in jobs]
    work, context = _Work(_work.get()), copy_context()
    context.run(_work.set, work)

    def do_next(job: T) -> R:
        return context.copy().run(lambda: do(_next(job)))

    with ThreadPoolExecutor(threads) as pool:
        try:
            return [_told(result, then) for result in pool.map(do_next, jobs)]
        except BaseException:
            work.stop()
            pool.shutdown(wait=False, cancel_futures=True)
            raise


def check_stop() -> None:
    """End here, if this thread works for others and they have stopped."""
    work = _work.get()
    if work is not None and work.is_stopped:
        raise CancelledError


@contextmanager
def in_one_thread() -> Iterator[None]:
    """Let work have one thread, meanwhile, whatever was asked for: others have the other cores."""
    token = _is_alone.set(True)
    try:
        yield
    finally:
        _is_alone.reset(token)


def thread_count(workers: int | None) -> int:
    """How many threads work: as many as asked for, or one a core."""
    if workers is not None and workers < 1:
        raise DesignError(f"workers is {workers}; it is at least 1")
    if _is_alone.get():
        return 1
    return workers or os.cpu_count() or 1


def worth_threads(workers: int | None, steps: int) -> int | None:
    """The threads asked for; where nobody asked, one for so few steps of some nanosecond that more cost than they gain.

    >>> worth_threads(None, 1000), worth_threads(2, 1000), worth_threads(None, 1 << 30)
    (1, 2, None)
    """
    return 1 if workers is None and steps < _WORTH_THREADS else workers


def counting(progress: Callable[[int, int], None] | None, total: int) -> Callable[[object], None]:
    """What counts results for `progress`, to be used as `then`."""
    done = count(1)

    def tell(_: object) -> None:
        if progress is not None:
            progress(next(done), total)

    return tell


def _next(job: T) -> T:
    check_stop()
    return job


def _told(result: R, then: Callable[[R], None] | None) -> R:
    if then is not None:
        then(result)
    return result


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
    results = []
    for result in engine.results(tasks):
        results.append(result)
        if then is not None:
            then(result)
    return results


def _call(do: Callable[[T], R], item: T) -> R:
    return do(item)
