"""Numba, imported so that the working folder has no say: the only module that imports it.

Numba reads settings from a file `.numba_config.yaml` in the working folder, when it is imported and whenever it
compiles. They name modules to import, files to write and folders whose pickles are loaded: a folder of data could run
code.
"""

# What of numba is private and used or patched, and why. pyproject.toml has a bound on its version for as long as this
# list is not empty: a new release is tried first.
# - Its settings (below): no file in the working folder is read.
# - The flags `_nrt`, `forceinline`, `no_cfunc_wrapper` and `no_cpython_wrapper` of a function (`jit_policy`): kernels
#   compile and load in a fraction of the time without a memory manager, and without wrappers that nobody calls.
# - `_cache` of a compiled function (`jit_policy`), and the classes of `numba.core.caching` (`jit_cache`): compiled code
#   is loaded only from places that nobody else can write, is compiled anew where what it calls changed or the file is
#   damaged, and is loaded without setting up the compiler; for that also `numba.core.runtime`.
# - `_numba_type_`, and the typing context of `numba.core.registry` (`jit.Deferred`, `jit_policy`): numba is imported
#   when a kernel is called, and takes longer to import than a command on tables of scores takes.
# - A compiler of our own (`jit_pipeline`): its passes, `_compile_core` and the flag `no_compile`, rewrites, the code of
#   `min` and `max` (`do_minmax` of `numba.cpython.builtins`), the typing context's `resolve_function_type`, and the
#   code library's steps. Numba's own takes 1.7 times as long: it goes through each function 26 times for what kernels
#   do not have, formats the text of errors that it discards, and has LLVM optimise and translate each function that a
#   kernel calls by itself too, with the memory manager.
# - `_insert` and `_compile_for_args` of a function that only kernels call (`jit_policy`): a call from Python would end
#   the process, as it has no wrapper, and is refused.
# - `meminfo` of an array in a kernel (`jit.borrowed`): to count its references takes longer than to score a short list.
# - `numba.np.arraymath` imported while BLAS cannot be (`jit.forgo_blas`): scipy.linalg takes longer than many commands.

from __future__ import annotations

import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from typing import Any


@contextmanager
def _without_settings_file() -> Iterator[None]:
    """Numba looks for the file, but has no YAML to read it with, and no one is told of that."""
    yaml = sys.modules.get("yaml")
    sys.modules["yaml"] = None  # type: ignore[assignment]  # Python's way to say that a module cannot be imported
    try:
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", "A Numba config file is found")
            yield
    finally:
        if yaml is None:
            del sys.modules["yaml"]
        else:
            sys.modules["yaml"] = yaml


with _without_settings_file():
    import numba
    from numba.core import event, ir, types
    from numba.extending import intrinsic

    builtins: Any = import_module("numba.cpython.builtins")  # which has no types, as the others
    caching: Any = import_module("numba.core.caching")
    codegen: Any = import_module("numba.core.codegen")
    compiler: Any = import_module("numba.core.compiler")
    rewrites: Any = import_module("numba.core.rewrites").rewrite_registry
    runtime: Any = import_module("numba.core.runtime").rtsys
    targetconfig: Any = import_module("numba.core.targetconfig")
    targets: Any = import_module("numba.core.registry")
    typed_passes: Any = import_module("numba.core.typed_passes")
    typing: Any = import_module("numba.core.typing")
    untyped_passes: Any = import_module("numba.core.untyped_passes")
    _settings: Any = import_module("numba.core.config")
    _settings._config_fname = ""  # nor does it look again, whoever imported it first

__all__ = [
    "builtins",
    "caching",
    "codegen",
    "compiler",
    "event",
    "intrinsic",
    "ir",
    "numba",
    "rewrites",
    "runtime",
    "targetconfig",
    "targets",
    "typed_passes",
    "types",
    "typing",
    "untyped_passes",
]
