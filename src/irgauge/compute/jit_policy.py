"""How numba compiles our functions: imported with the first function that is called, as numba takes 0.2 s."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NoReturn

from irgauge.compute.compilation import COMPILATION
from irgauge.compute.jit_cache import cache_of
from irgauge.compute.jit_compiler import event, intrinsic, numba, targets
from irgauge.compute.jit_pipeline import Compiler

__all__ = ["intrinsic", "kept", "type_of", "unkept"]


def kept(
    function: Callable[..., Any], *, from_python: bool, makes_arrays: bool = False, is_inlined: bool = False
) -> Any:  # noqa: ANN401  # numba's types
    """Compiled on first use, and kept on disk; what only kernels call is part of their code, which is kept."""
    wrappers = {"no_cfunc_wrapper": True, "no_cpython_wrapper": not from_python}  # no C code calls it
    options: dict[str, Any] = {"_nrt": makes_arrays, "forceinline": is_inlined, **wrappers}
    options |= {} if makes_arrays else {"pipeline_class": Compiler}
    compiled: Any = numba.njit(nogil=True, error_model="numpy", **options)(function)
    if from_python:
        compiled._cache = cache_of(function, manages_memory=makes_arrays)
    else:
        compiled._insert, compiled._compile_for_args = _hide, _refuse
    return compiled


def unkept(function: Callable[..., Any], **options: Any) -> Any:  # noqa: ANN401  # numba's types
    """Compiled on first use in each process."""
    return numba.njit(nogil=True, error_model="numpy", **options)(function)


def type_of(compiled: Any) -> Any:  # noqa: ANN401  # numba's types
    """The type that kernels know something by which they call."""
    context = targets.cpu_target.typing_context
    context.refresh()  # it may have been made just now
    return context.resolve_value_type(compiled)


def _hide(*_: object, **__: object) -> None:
    """Keep compiled code from what looks for it when Python calls."""


def _refuse(*_: object, **__: object) -> NoReturn:
    raise TypeError("only kernels can call this function; it has no code for calls from Python")


class _Listener(event.Listener):
    """Passes numba's events on."""

    def on_start(self, event: object) -> None:  # noqa: ARG002  # numba's interface
        """Before a function is compiled."""
        COMPILATION.start()

    def on_end(self, event: object) -> None:  # noqa: ARG002  # numba's interface
        """After that."""
        COMPILATION.end()


event.register("numba:compile", _Listener())
