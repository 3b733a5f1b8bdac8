"""The one compile policy of all numba functions, and a way to be told of compilation."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable
from functools import cache
from typing import Any, TypeVar, cast

import numba
from numba.core import event
from numba.extending import intrinsic

from irgauge.jit_cache import cache_of

F = TypeVar("F", bound=Callable[..., Any])


def kernel(function: F) -> F:
    """Compile on first use, cache on disk, release the GIL, divide as numpy does.

    What compiles slowly is better left to numpy, before or after: a slice assigned to a slice and quotients of arrays
    (1 to 2 s each, for the message of an error), np.sort and np.argsort (1 s), sums, maxima and other reductions
    (0.3 s), and each kind of array that is made (0.1 s).
    """
    compiled: Any = numba.njit(nogil=True, error_model="numpy", no_cfunc_wrapper=True)(function)  # type: ignore[call-overload]  # no C code calls it
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
    """Does what is to be done before anything is compiled, each thing once."""

    def __init__(self) -> None:
        self.waiting: dict[Callable[[], None], None] = {}  # in their order

    def on_start(self, event: object) -> None:  # noqa: ARG002  # numba's interface
        waiting, self.waiting = self.waiting, {}
        for do in waiting:
            do()

    def on_end(self, event: object) -> None:
        """Only the start is of interest."""


@cache
def _listener() -> _FirstCompilation:
    listener = _FirstCompilation()
    event.register("numba:compile", listener)
    return listener


def on_first_compilation(do: Callable[[], None]) -> None:
    """Call `do` before the next thing is compiled rather than taken from the cache."""
    _listener().waiting[do] = None


def forgo_blas() -> None:
    """Keep numba from importing scipy.linalg, which takes longer than many commands: no kernel multiplies matrices.

    For a process of our own only, before anything is compiled: in others compiled code may need np.dot.
    """
    blas = "scipy.linalg.cython_blas"
    if blas not in sys.modules:
        sys.modules[blas] = None  # type: ignore[assignment]  # Python's way to say that a module cannot be imported
        importlib.import_module("numba.np.arraymath")  # it looks for BLAS once, when it is imported
        del sys.modules[blas]
