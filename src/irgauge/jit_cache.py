"""Compiled code kept between processes: what is damaged is compiled again, and a folder that fails done without."""

from __future__ import annotations

import inspect
import os
import stat
import tempfile
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import cache, cached_property
from hashlib import sha256
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

import numba
import numpy as np

_caching: Any = import_module("numba.core.caching")  # which has no types
_runtime: Any = import_module("numba.core.runtime").rtsys


_CONSTANT = (bool, int, float, str, bytes, tuple, np.generic, np.ndarray)


class _Trouble:
    """Why compiled code cannot be kept, if so, and who wants to know."""

    reason: str | None = None
    tell: Callable[[str], None] | None = None

    def note(self, reason: str) -> None:
        """Keep the first reason, and tell it."""
        if self.reason is None:
            self.reason = reason
            if self.tell is not None:
                self.tell(reason)


_TROUBLE = _Trouble()


def on_trouble(tell: Callable[[str], None]) -> None:
    """Call `tell` with the reason once compiled code cannot be kept: at once if that is known."""
    _TROUBLE.tell = tell
    if _TROUBLE.reason is not None:
        tell(_TROUBLE.reason)


class _TemporaryLocator(_caching._SourceFileBackedLocatorMixin, _caching._CacheLocator):  # type: ignore[misc]  # numba has no types
    """A folder of the user's own among temporary files: where neither the installation nor the home can be written."""

    def __init__(self, function: Any, path: str) -> None:  # noqa: ANN401  # numba's interface
        self._py_file = path
        self._lineno = function.__code__.co_firstlineno
        self._folder = Path(tempfile.gettempdir()) / f"irgauge-compiled-{_user()}"

    def get_cache_path(self) -> str:
        """The folder of this source file."""
        return str(self._folder / self.get_suitable_cache_subpath(self._py_file))

    def ensure_cache_path(self) -> None:
        """Make the folder; one that others could have put code into is not used."""
        with suppress(FileExistsError):
            self._folder.mkdir(mode=0o700)
        found = self._folder.lstat()
        is_open = os.name == "posix" and (found.st_uid != _user() or found.st_mode & 0o022)
        if not stat.S_ISDIR(found.st_mode) or is_open:
            raise PermissionError(f"{self._folder} belongs to others")
        super().ensure_cache_path()


def _user() -> int:
    return os.getuid() if hasattr(os, "getuid") else 0  # Windows gives each user a temporary folder


class _Places(_caching.CompileResultCacheImpl):  # type: ignore[misc]  # numba has no types
    """Numba's places for compiled code, and one more."""

    _locator_classes = [*_caching.CompileResultCacheImpl._locator_classes, _TemporaryLocator]  # noqa: RUF012  # numba's interface


class _Cache(_caching.FunctionCache):  # type: ignore[misc]  # numba has no types
    """Numba's cache of a function, whose failures cost time alone."""

    _impl_class = _Places

    def __init__(self, function: Any, *, manages_memory: bool) -> None:  # noqa: ANN401  # numba's interface
        super().__init__(function)
        self._manages_memory = manages_memory
        self._cache_file._source_stamp = (self._cache_file._source_stamp, _used(function), manages_memory)

    def load_overload(self, sig: Any, target_context: Any) -> Any:  # noqa: ANN401  # numba's interface
        """The compiled function; None, so that it is compiled, where none is kept or what is kept is damaged.

        Numba would set up all that its compiler needs, 0.1 s; for compiled code its memory manager is enough, and that
        for code which makes arrays.
        """
        try:
            if self._manages_memory:
                _runtime.initialize(target_context)
            return self._load_overload(sig, target_context)
        except Exception:  # noqa: BLE001  # a damaged pickle may raise anything
            self._remove()
            return None

    def save_overload(self, sig: Any, data: Any) -> None:  # noqa: ANN401  # numba's interface
        """Keep the compiled function if that is possible."""
        try:
            super().save_overload(sig, data)
        except OSError as error:
            _TROUBLE.note(str(error.strerror or error))

    def _remove(self) -> None:
        """Remove what is kept of the function, whatever its state."""
        index = Path(self._cache_file._index_path)
        with suppress(OSError):
            for path in index.parent.glob(f"{index.stem}.*"):
                path.unlink(missing_ok=True)


def _used(function: Any) -> tuple[object, ...]:  # noqa: ANN401  # any function
    """What goes into a function's compiled code from beyond its own file, so that it is compiled again if that changes.

    Numba looks at the file of the function alone. Here are the files of the kernels that it calls, what they use, and
    the constants.
    """
    found: dict[str, object] = {}
    waiting = [function]
    while waiting:
        one = waiting.pop()
        for name, value in _globals(one):
            of_kernel = getattr(value, "py_func", None)
            key = f"{one.__module__}.{name}"
            if key not in found and (of_kernel is not None or isinstance(value, _CONSTANT)):
                found[key] = _stamp(of_kernel) if of_kernel is not None else _digest(value)
                waiting += [] if of_kernel is None else [of_kernel]
    return tuple(sorted(found.items()))


def _globals(function: Any) -> Iterator[tuple[str, Any]]:  # noqa: ANN401  # any function
    """The global names that a function uses and what they stand for, also those of the modules among them."""
    names = function.__code__.co_names
    for name in names:
        value = function.__globals__.get(name)
        yield name, value
        if isinstance(value, ModuleType) and value is not np:
            yield from ((f"{name}.{attribute}", getattr(value, attribute, None)) for attribute in names)


def _stamp(function: Any) -> str:  # noqa: ANN401  # any function
    return _file_digest(inspect.getfile(function))


@cache
def _file_digest(path: str) -> str:
    return sha256(Path(path).read_bytes()).hexdigest()


def _digest(constant: Any) -> str:  # noqa: ANN401  # any constant
    return sha256(constant.tobytes() if isinstance(constant, np.ndarray) else repr(constant).encode()).hexdigest()


class _KeptCode:
    """The cache of a function, looked for when it is first needed: most functions never are."""

    def __init__(self, function: Callable[..., Any], *, manages_memory: bool) -> None:
        self._function = function
        self._manages_memory = manages_memory

    @cached_property
    def _cache(self) -> Any:  # noqa: ANN401  # numba has no types
        """None, which is noted, where no folder can be written."""
        try:
            return _Cache(self._function, manages_memory=self._manages_memory)
        except (RuntimeError, OSError):  # numba says that there is no locator
            _TROUBLE.note("no folder for it can be written")
            return _caching.NullCache()

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401  # what numba asks of a cache
        return getattr(self._cache, name)


def cache_of(function: Callable[..., Any], *, manages_memory: bool) -> Any:  # noqa: ANN401  # numba has no types
    """The cache of a function's compiled code, which may need numba's memory manager."""
    return _KeptCode(function, manages_memory=manages_memory)


def is_first_use() -> bool:
    """Whether nothing was compiled before by this version; the folder of compiled code notes that now it was."""
    try:
        place = _Places(is_first_use).locator
        made_by = _digest((*place.get_source_stamp(), numba.__version__))
        with (Path(place.get_cache_path()) / f"first-use-{made_by[:16]}").open("x"):
            return True
    except FileExistsError:
        return False
    except (RuntimeError, OSError):
        return True
