"""Numba, imported so that the working folder has no say: the only module that imports it.

Numba reads settings from a file `.numba_config.yaml` in the working folder, when it is imported and whenever it
compiles. They name modules to import, files to write and folders whose pickles are loaded: a folder of data could run
code.
"""

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
    from numba.core import event, types
    from numba.extending import intrinsic

    caching: Any = import_module("numba.core.caching")  # which has no types
    runtime: Any = import_module("numba.core.runtime").rtsys
    _settings: Any = import_module("numba.core.config")
    _settings._config_fname = ""  # nor does it look again, whoever imported it first

__all__ = ["caching", "event", "intrinsic", "numba", "runtime", "types"]
