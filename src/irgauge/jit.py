"""The one compile policy of all numba functions, and a way to hear of compilation."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import numba
from numba.core import event

F = TypeVar("F", bound=Callable[..., Any])


def kernel(function: F) -> F:
    """Compile on first use, cache on disk, release the GIL, divide as numpy does."""
    return numba.njit(cache=True, nogil=True, error_model="numpy")(function)  # type: ignore[return-value]


class _FirstCompilation(event.Listener):
    def __init__(self, tell: Callable[[], None]) -> None:
        self._tell: Callable[[], None] | None = tell

    def on_start(self, event: object) -> None:  # noqa: ARG002  # numba's interface
        if self._tell is not None:
            self._tell()
            self._tell = None

    def on_end(self, event: object) -> None:
        """Only the start is of interest."""


def on_first_compilation(tell: Callable[[], None]) -> None:
    """Call `tell` once, when something is compiled rather than taken from the cache."""
    event.register("numba:compile", _FirstCompilation(tell))
