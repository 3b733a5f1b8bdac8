"""Threads that share work: order, errors, and what is dropped when the work is stopped."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

import pytest

from irgauge.compute.tasks import counting, in_threads, thread_count
from irgauge.errors import DesignError


@pytest.mark.parametrize("workers", [None, 1, 2, 50])
def test_results_come_in_the_order_of_the_items(workers: int | None) -> None:
    def late_first(item: int) -> int:
        time.sleep(0.01 * (5 - item))
        return item * item

    told: list[int] = []
    assert in_threads(late_first, range(5), workers, then=told.append) == [0, 1, 4, 9, 16]
    assert told == [0, 1, 4, 9, 16]
    assert in_threads(late_first, [], workers) == []


def test_progress_counts_results() -> None:
    told: list[tuple[int, int]] = []
    in_threads(abs, range(3), 2, then=counting(lambda done, total: told.append((done, total)), 3))
    assert told == [(1, 3), (2, 3), (3, 3)]
    in_threads(abs, range(3), 2, then=counting(None, 3))


@pytest.mark.parametrize("workers", [0, -1])
def test_less_than_one_thread_is_refused(workers: int) -> None:
    with pytest.raises(DesignError, match=f"workers is {workers}; it is at least 1"):
        thread_count(workers)


def interrupt(_: object) -> None:
    raise KeyboardInterrupt


@pytest.mark.parametrize("stop", [interrupt, None], ids=["by the caller", "by an item"])
def test_what_is_not_begun_is_dropped(stop: Callable[[object], None] | None) -> None:
    begun: list[int] = []

    def work(item: int) -> None:
        begun.append(item)
        time.sleep(0.02)
        if stop is None:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        in_threads(work, range(200), 2, then=stop)
    assert len(begun) < 20


def test_work_within_work_is_dropped_too() -> None:
    inner: list[int] = []
    is_running = threading.Event()

    def one(item: int) -> None:
        inner.append(item)
        is_running.set()
        time.sleep(0.02)

    def outer(item: int) -> None:
        if item == 0:
            is_running.wait(5)
            raise DesignError("the first fails")
        in_threads(one, range(200), 2)

    began = time.monotonic()
    with pytest.raises(DesignError, match="the first fails"):
        in_threads(outer, range(3), 2)
    assert len(inner) < 50
    assert time.monotonic() - began < 1
