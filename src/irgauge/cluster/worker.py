"""What workers do: take what tasks share, once, and do one task after the other, each in one thread."""

from __future__ import annotations

import pickle
from collections.abc import Callable, Iterable
from importlib.metadata import version
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from irgauge.compute.tasks import in_one_thread
from irgauge.errors import InputError
from irgauge.extensions.installed import packages
from irgauge.extensions.registry import take

S = TypeVar("S")
T = TypeVar("T")
R = TypeVar("R")


def version_here() -> str:
    """The irgauge of this process, and the packages that add to it."""
    return ", ".join([f"irgauge {version('irgauge')}", *packages()])


VERSION = version_here()


def unpacked(packed: NDArray[np.uint8]) -> Any:  # noqa: ANN401  # whatever tasks share
    """What several tasks share; a task of its own, which Dask does again where it was lost."""
    return pickle.loads(packed.data)  # noqa: S301  # what our own client packed


def done(do: Callable[[S, T], R], data: S, item: T, client: str, registered: Iterable[bytes]) -> R:
    """What a task gives, with what the client's program registered; refused for a client that has another irgauge."""
    if client != VERSION:
        raise InputError(f"a worker has {VERSION}, and the client {client}; install the same")
    take(registered)
    with in_one_thread():
        return do(data, item)
