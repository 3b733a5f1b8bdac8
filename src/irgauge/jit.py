"""The one compile policy of all numba functions, and a way to be told of compilation."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable
from typing import Any, TypeVar, cast

import numba
from numba.core import event
from numba.extending import intrinsic

from irgauge.jit_cache import cache_of

F = TypeVar("F", bound=Callable[..., Any])


def kernel(function: F) -> F:
    """Compile on first use, cache on disk, release the GIL, divide as numpy does."""
    compiled: Any = numba.njit(nogil=True, error_model="numpy")(function)
    compiled._cache = cache_of(function)  # what cache=True does with numba's own
    return cast(F, compiled)  # it is called like the function


def inlined(function: F) -> F:
    """The same as a kernel whose code goes into that of its caller."""
    return numba.njit(nogil=True, error_model="numpy", inline="always")(function)  # type: ignore[return-value]  # called like the function


def _borrow(_: Any, array: Any) -> Any:  # noqa: ANN401  # numba's types
    """In a kernel: the same array, its references not counted, which takes longer than to score a short list.

    Something else has to hold the array meanwhile.
    """

    def code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:  # noqa: ANN401  # numba's types
        copy = context.make_array(signature.args[0])(context, builder, value=arguments[0])
        copy.meminfo = copy.meminfo.type(None)
        return copy._getvalue()

    return array(array), code


borrowed: Callable[[Any], Any] = intrinsic(_borrow)  # type: ignore[assignment]  # numba gives the first argument


class _FirstCompilation(event.Listener):
    """Tells, once in the life of the process, that something is compiled."""

    tell: Callable[[], None] | None = None
    is_registered = False

    def on_start(self, event: object) -> None:  # noqa: ARG002  # numba's interface
        tell, self.tell = self.tell, None
        if tell is not None:
            tell()

    def on_end(self, event: object) -> None:
        """Only the start is of interest."""


_LISTENER = _FirstCompilation()


def on_first_compilation(tell: Callable[[], None]) -> None:
    """Call `tell` when something is compiled rather than taken from the cache: the first time in this process."""
    if not _LISTENER.is_registered:
        _LISTENER.tell, _LISTENER.is_registered = tell, True
        event.register("numba:compile", _LISTENER)


def forgo_blas() -> None:
    """Keep numba from importing scipy.linalg, which takes longer than many commands: no kernel multiplies matrices.

    For a process of our own only, before anything is compiled: in others compiled code may need np.dot.
    """
    blas = "scipy.linalg.cython_blas"
    if blas not in sys.modules:
        sys.modules[blas] = None  # type: ignore[assignment]  # Python's way to say that a module cannot be imported
        importlib.import_module("numba.np.arraymath")  # it looks for BLAS once, when it is imported
        del sys.modules[blas]
