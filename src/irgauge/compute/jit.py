"""The one compile policy of all numba functions, and a way to be told of compilation: see `jit_compiler`."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable
from functools import cache
from typing import Any, NoReturn, TypeVar, cast, overload

from irgauge.compute.jit_cache import cache_of
from irgauge.compute.jit_compiler import event, intrinsic, numba

F = TypeVar("F", bound=Callable[..., Any])


@overload
def kernel(function: F) -> F: ...
@overload
def kernel(*, makes_arrays: bool = False, from_python: bool = True) -> Callable[[F], F]: ...
def kernel(function: F | None = None, *, makes_arrays: bool = False, from_python: bool = True) -> F | Callable[[F], F]:
    """Compile on first use, cache on disk, release the GIL, divide as numpy does.

    It fills arrays that it is given, and makes and gives back none: without numba's memory manager it compiles and
    loads faster. One that makes arrays, or calls one that gives some back, says so. Of one that only kernels call, what
    Python would need to call it is not compiled. What else compiles slowly is better left to numpy, before or after: a
    slice assigned to a slice and quotients of arrays (1 to 2 s each, for the message of an error), np.sort and
    np.argsort (1 s), sums, maxima and other reductions (0.3 s), and each kind of array that is made (0.1 s).
    """

    def compiled(function: F) -> F:
        return _compiled(function, from_python=from_python, makes_arrays=makes_arrays)

    return compiled if function is None else compiled(function)


@overload
def inlined(function: F) -> F: ...
@overload
def inlined(*, before_compilation: bool) -> Callable[[F], F]: ...
def inlined(function: F | None = None, *, before_compilation: bool = False) -> F | Callable[[F], F]:
    """Compile what only kernels call, and whose code goes into theirs.

    Before they are compiled, it takes longer and is not cached, but may make arrays.
    """

    def compiled(function: F) -> F:
        if before_compilation:
            return numba.njit(nogil=True, error_model="numpy", inline="always")(function)  # type: ignore[return-value]  # called like the function
        return _compiled(function, from_python=False, is_inlined=True)

    return compiled if function is None else compiled(function)


def for_others(function: F) -> F:
    """Compile what calls functions that are not ours, each time anew: what is kept would not follow their changes."""
    return numba.njit(nogil=True, error_model="numpy")(function)  # type: ignore[return-value]  # called like the function


def _compiled(function: F, *, from_python: bool, makes_arrays: bool = False, is_inlined: bool = False) -> F:
    wrappers = {"no_cfunc_wrapper": True, "no_cpython_wrapper": not from_python}  # no C code calls it
    options = {"_nrt": makes_arrays, "forceinline": is_inlined, **wrappers}
    compiled: Any = numba.njit(nogil=True, error_model="numpy", **options)(function)  # type: ignore[call-overload]  # numba's types lack these
    compiled._cache = cache_of(function, manages_memory=makes_arrays)
    if not from_python:
        compiled._insert, compiled._compile_for_args = _hide, _refuse
    return cast(F, compiled)  # it is called like the function


def _hide(*_: object, **__: object) -> None:
    """Keep compiled code from what looks for it when Python calls."""


def _refuse(*_: object, **__: object) -> NoReturn:
    raise TypeError("only kernels can call this function; it has no code for calls from Python")


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


def makes_arrays(kernel: Any) -> bool:  # noqa: ANN401  # numba's types
    """Whether a kernel is one that makes arrays."""
    return bool(kernel.targetoptions["_nrt"])


class _Compilation(event.Listener):
    """Does what is to be done before anything is compiled, each thing once, and tells of each function."""

    def __init__(self) -> None:
        self.waiting: dict[Callable[[], None], None] = {}  # in their order
        self.tell: Callable[..., None] | None = None
        self.functions = 0
        self.nested = 0  # functions that are being compiled: each may need others

    def on_start(self, event: object) -> None:  # noqa: ARG002  # numba's interface
        """Before a function is compiled."""
        waiting, self.waiting = self.waiting, {}
        for do in waiting:
            do()
        self.functions += 1
        self._step(1)

    def on_end(self, event: object) -> None:  # noqa: ARG002  # numba's interface
        """After that."""
        self._step(-1)

    def _step(self, by: int) -> None:
        self.nested += by
        if self.tell is not None:
            self.tell(self.functions, is_under_way=self.nested > 0)


@cache
def _listener() -> _Compilation:
    listener = _Compilation()
    event.register("numba:compile", listener)
    return listener


def on_compilation(tell: Callable[..., None]) -> None:
    """Call `tell(functions, is_under_way=...)` with their number whenever a function begins or ends to be compiled."""
    _listener().tell = tell


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
