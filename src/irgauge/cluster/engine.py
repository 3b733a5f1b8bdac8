"""The engine on a Dask cluster: tasks go out a few at a time, and their results come back in order."""

from __future__ import annotations

import pickle
import warnings
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import CancelledError
from contextlib import suppress
from itertools import count, islice
from typing import Any, NamedTuple, NoReturn, TypeVar
from uuid import uuid4

import numpy as np
from distributed import Client, Future
from distributed.comm.core import CommClosedError
from distributed.scheduler import KilledWorker

from irgauge.cluster.worker import VERSION, done, unpacked
from irgauge.compute.tasks import Task
from irgauge.errors import DesignError
from irgauge.extensions.registry import sent

R = TypeVar("R")
_AHEAD = 2  # tasks of each thread that are out, so that none waits and memory does not grow with their number
_HELD = 8  # data that workers hold, the last that were sent
_FEWEST = 4  # tasks that are out, so that clusters which grow see that there is work


class _Out(NamedTuple):
    """A task that was sent."""

    task: Task[Any, Any, Any]
    future: Future[Any]
    worker: str | None  # that it was meant for; None if there was none


class _Sent(NamedTuple):
    """Data that tasks share, and where workers have them."""

    data: object  # kept, so that its identity stays its own
    future: Future[Any]


class Cluster:
    """Does tasks on the workers of a scheduler."""

    def __init__(self, client: Client, name: str) -> None:
        self._client, self._name = client, name
        self._shared: list[_Sent] = []  # the last first
        self._numbers = count()  # of tasks

    def results(self, tasks: Iterable[Task[Any, Any, R]]) -> Iterator[R]:
        """What each task gives, in their order; tasks that nobody waits for any more are cancelled."""
        out: deque[_Out] = deque()
        sending = iter(tasks)
        try:
            while True:
                threads = self._threads()
                for task in islice(sending, max(_AHEAD * sum(threads.values()), _FEWEST) - len(out)):
                    out.append(self._sent(task, _freest(threads, out)))
                if not out:
                    return
                first = out.popleft()
                yield self._result(first)
        finally:
            with suppress(CommClosedError, CancelledError, TimeoutError, RuntimeError):  # there may be no scheduler
                self._client.cancel([task.future for task in out])

    def _sent(self, task: Task[Any, Any, Any], worker: str | None) -> _Out:
        data = self._future_of(task.data)
        return _Out(task, self._submit(done, task.do, data, task.item, VERSION, sent(), workers=worker), worker)

    def _future_of(self, data: object) -> Future[Any]:
        """Data in a task that holds them whole, so that a worker that dies takes nothing with it; sent once."""
        sent = next((entry for entry in self._shared if entry.data is data), None)
        if sent is None:
            packed = np.frombuffer(pickle.dumps(data, protocol=5), np.uint8)  # Dask copies arrays less often than bytes
            sent = _Sent(data, self._submit(unpacked, packed))
        self._shared = [sent, *(entry for entry in self._shared if entry is not sent)][:_HELD]
        return sent.future

    def _submit(self, function: Callable[..., Any], *arguments: Any, workers: str | None = None) -> Future[Any]:  # noqa: ANN401  # of any task
        """Have it done, by the worker named if that is there: Dask itself leaves all to the one that has the data."""
        where: dict[str, Any] = {} if workers is None else {"workers": workers, "allow_other_workers": True}
        where["priority"] = -next(self._numbers)  # else the order of tasks that are sent together is any
        try:
            with warnings.catch_warnings():
                warnings.filterwarnings("ignore", "Sending large graph")  # it is sent once
                return self._client.submit(
                    function, *arguments, key=f"{function.__name__}-{uuid4().hex}", pure=False, **where
                )
        except (CommClosedError, OSError, RuntimeError) as error:
            self._refuse_lost(error)

    def _threads(self) -> Mapping[str, int]:
        """The workers at hand, and how many threads each has."""
        try:
            return self._client.nthreads()
        except (CommClosedError, OSError, ValueError, RuntimeError, CancelledError) as error:
            self._refuse_lost(error)

    def _result(self, out: _Out) -> Any:  # noqa: ANN401  # of any task
        try:
            return out.future.result()
        except KilledWorker as error:
            raise DesignError(
                f"the task '{out.task.name}' ended {error.allowed_failures + 1} workers, the last {_address(error)}; "
                "see their logs: is there memory enough? Give workers fewer threads or more memory"
            ) from None
        except (CancelledError, CommClosedError) as error:
            self._refuse_lost(error)

    def _refuse_lost(self, error: BaseException) -> NoReturn:
        raise DesignError(
            f"the scheduler {self._name} is gone ({type(error).__name__}); start it again, and the command"
        ) from None


def _freest(threads: Mapping[str, int], out: Iterable[_Out]) -> str | None:
    """The worker with the fewest tasks for each of its threads."""
    busy = Counter(task.worker for task in out if not task.future.done())
    return min(threads, key=lambda worker: busy[worker] / threads[worker], default=None)


def _address(error: KilledWorker) -> str:
    return str(getattr(error.last_worker, "address", error.last_worker))
