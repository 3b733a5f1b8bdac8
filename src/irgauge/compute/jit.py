"""The one compile policy of all numba functions; numba itself is imported when the first of them is called."""

from __future__ import annotations

import gc
import importlib
import sys
from collections.abc import Callable, Mapping
from functools import cached_property, update_wrapper
from typing import Any, TypeVar, cast, overload

F = TypeVar("F", bound=Callable[..., Any])


class Deferred:
    """What numba makes of a function, once it is called or a kernel that calls it is compiled."""

    def __init__(self, function: Callable[..., Any], make: str, options: Mapping[str, bool | str]) -> None:
        update_wrapper(self, function)
        self.py_func = function  # as numba names it
        self._make, self._options = make, options

    def __call__(self, *arguments: Any, **named: Any) -> Any:  # noqa: ANN401  # as the function
        """Call what was made."""
        return self.made(*arguments, **named)

    @cached_property
    def made(self) -> Any:  # noqa: ANN401  # numba's types
        """What numba made."""
        return getattr(_policy(), self._make)(self.py_func, **self._options)

    @property
    def targetoptions(self) -> dict[str, Any]:
        """Where numba looks whether code goes into a kernel before that is compiled."""
        return getattr(self.made, "targetoptions", {})

    @property
    def _numba_type_(self) -> Any:  # noqa: ANN401  # numba's types
        """Where numba looks for the type of what a kernel calls."""
        return _policy().type_of(self.made)

    def __reduce__(self) -> str | tuple[Any, ...]:
        """By its name, as functions are pickled; one inside a function, which numba's cache asks for, by its code."""
        name = self.py_func.__qualname__
        return (Deferred, (self.py_func, self._make, self._options)) if "<locals>" in name else name


def _policy() -> Any:  # noqa: ANN401  # a module
    return importlib.import_module("irgauge.compute.jit_policy")  # which imports numba


@overload
def kernel(function: F) -> F: ...
@overload
def kernel(*, makes_arrays: bool = False, from_python: bool = True) -> Callable[[F], F]: ...
def kernel(function: F | None = None, *, makes_arrays: bool = False, from_python: bool = True) -> F | Callable[[F], F]:
    """Compile on first use, cache on disk, release the GIL, divide as numpy does.

    It fills arrays that it is given, and makes and gives back none: without numba's memory manager it compiles and
    loads faster. One that makes arrays, or calls one that gives some back, says so, and is compiled by all steps of
    numba. Of one that only kernels call, what Python would need to call it is not compiled, and its code is kept with
    theirs. What else compiles slowly is better left to numpy, before or after: a slice assigned to a slice and
    quotients of arrays (1 to 2 s each, for the message of an error), np.sort and np.argsort (1 s), sums, maxima and
    other reductions (0.3 s), and each kind of array that is made (0.1 s).
    """

    def compiled(function: F) -> F:
        deferred = Deferred(function, "kept", {"from_python": from_python, "makes_arrays": makes_arrays})
        return cast(F, deferred)  # it is called like the function

    return compiled if function is None else compiled(function)


@overload
def inlined(function: F) -> F: ...
@overload
def inlined(*, before_compilation: bool) -> Callable[[F], F]: ...
def inlined(function: F | None = None, *, before_compilation: bool = False) -> F | Callable[[F], F]:
    """Compile what only kernels call, and whose code goes into theirs.

    Before they are compiled, it takes longer, but may make arrays.
    """

    def compiled(function: F) -> F:
        if before_compilation:
            return cast(F, Deferred(function, "unkept", {"inline": "always"}))
        return cast(F, Deferred(function, "kept", {"from_python": False, "is_inlined": True}))

    return compiled if function is None else compiled(function)


def for_others(function: F) -> F:
    """Compile what calls functions that are not ours, each time anew: what is kept would not follow their changes."""
    return cast(F, Deferred(function, "unkept", {}))


def intrinsic(function: Callable[..., Any]) -> Any:  # noqa: ANN401  # called by kernels, as its code says
    """What kernels call and numba has no word for: a function that is given numba's types, and gives back code."""
    return Deferred(function, "intrinsic", {})


def _borrow(_: Any, array: Any) -> Any:  # noqa: ANN401  # numba's types
    """In a kernel: the same array, its references not counted, which takes longer than to score a short list.

    Something else has to hold the array meanwhile.
    """

    def code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:  # noqa: ANN401  # numba's types
        copy = context.make_array(signature.args[0])(context, builder, value=arguments[0])
        copy.meminfo = copy.meminfo.type(None)
        return copy._getvalue()

    return array(array), code


borrowed: Callable[[Any], Any] = intrinsic(_borrow)


def makes_arrays(kernel: Any) -> bool:  # noqa: ANN401  # numba's types
    """Whether a kernel is one that makes arrays."""
    return bool(kernel.targetoptions["_nrt"])


def prepare_process() -> None:
    """For a process of our own only, before anything is compiled: for 60 MB more, compilation takes 0.2 s less."""
    gc.set_threshold(1_000_000)  # what a compiler makes is mostly kept, and is looked through each time
    forgo_blas()


def forgo_blas() -> None:
    """Keep numba from importing scipy.linalg, which takes longer than many commands: no kernel multiplies matrices.

    For a process of our own only, before anything is compiled: in others compiled code may need np.dot.
    """
    importlib.import_module("irgauge.compute.jit_compiler")  # as numba is to be imported
    blas = "scipy.linalg.cython_blas"
    if blas not in sys.modules:
        sys.modules[blas] = None  # type: ignore[assignment]  # Python's way to say that a module cannot be imported
        importlib.import_module("numba.np.arraymath")  # it looks for BLAS once, when it is imported
        del sys.modules[blas]
