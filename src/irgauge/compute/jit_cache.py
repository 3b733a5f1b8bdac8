"""Compiled code kept between processes: what is damaged is compiled again, and a folder that fails done without.

It is loaded only from places that are the user's own, since it is run.
"""

from __future__ import annotations

import inspect
import os
import stat
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import cache, cached_property
from hashlib import sha256
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np

from irgauge.compute.compilation import TROUBLE
from irgauge.compute.jit_compiler import caching, numba, runtime

_MOST_LINKS = 40  # as the kernel of Linux follows
_CONSTANT = (bool, int, float, str, bytes, tuple, np.generic, np.ndarray)


def make_own(folder: Path) -> None:
    """Make a folder, and those above it that are not there, for the user alone; one that is there is checked."""
    try:
        check_own(folder)
    except FileNotFoundError:
        for place in (*reversed(folder.parents), folder):
            if not place.exists():
                with suppress(FileExistsError):
                    place.mkdir(mode=0o700)
        check_own(folder)


def check_own(path: Path) -> None:
    """Raise a PermissionError where anyone but the user and root could have written a file, or put it there.

    The file or folder, every folder above it and every link on the way must belong to the user or to root, and be
    writable by nobody else. Folders above may be such as /tmp, where each can remove only what is theirs. Windows keeps
    owners and rights elsewhere; there only a relative path is refused.
    """
    if not path.is_absolute():
        raise PermissionError(f"{path} is no absolute path, so that the working folder would decide what it is")
    if os.name == "posix":
        _check_way(path)


def _check_way(path: Path) -> None:
    """Go from the root to a path as the system would, and look at all that is passed."""
    place, waiting, links = Path("/"), list(reversed(path.parts)), 0
    while waiting:
        name = waiting.pop()
        if name == "..":
            place = place.parent
            continue
        step = place / name
        state = step.lstat()
        _check(step, state, is_last=not waiting)
        if stat.S_ISLNK(state.st_mode):
            links += 1
            if links > _MOST_LINKS:
                raise PermissionError(f"{path} has too many links")
            waiting += reversed(step.readlink().parts)
        else:
            place = step


def _check(path: Path, state: os.stat_result, *, is_last: bool) -> None:
    if state.st_uid not in (os.getuid(), 0):
        raise PermissionError(f"{path} belongs to another user")
    is_shared_safely = not is_last and state.st_mode & stat.S_ISVTX
    if not stat.S_ISLNK(state.st_mode) and state.st_mode & 0o022 and not is_shared_safely:
        raise PermissionError(f"others can write to {path}")


class _Locator(caching._SourceFileBackedLocatorMixin, caching._CacheLocator):  # type: ignore[misc]  # numba has no types
    """A folder for the compiled code of a source file."""

    def __init__(self, function: Any, path: str, folder: Path) -> None:  # noqa: ANN401  # any function
        self._py_file = path
        self._lineno = function.__code__.co_firstlineno
        self._folder = folder

    def get_cache_path(self) -> str:
        """The folder."""
        return str(self._folder)

    def ensure_cache_path(self) -> None:
        """Make the folder; one that others could have put code into is not used."""
        make_own(self._folder)
        super().ensure_cache_path()


def _folders(path: str) -> Iterator[Path]:
    """Where the compiled code of a source file may be kept, the best place first.

    Numba's own settings are not asked: whoever imported it may have let a file in the working folder make them.
    """
    of_file = caching._CacheLocator.get_suitable_cache_subpath(path)
    if os.environ.get("NUMBA_CACHE_DIR"):
        yield Path(os.environ["NUMBA_CACHE_DIR"]) / of_file
    yield Path(path).parent / "__pycache__"
    yield Path(caching.AppDirs(appname="irgauge", appauthor=False).user_cache_dir) / of_file
    yield Path(tempfile.gettempdir()) / f"irgauge-compiled-{_installation()}" / of_file


def _installation() -> str:
    """A name that nobody can know who packs an archive, which may be unpacked among temporary files."""
    state = Path(__file__).stat()
    user = os.getuid() if hasattr(os, "getuid") else 0  # Windows gives each user a temporary folder
    return _digest((user, state.st_dev, state.st_ino, state.st_ctime_ns))[:16]


def _locator(function: Any) -> _Locator:  # noqa: ANN401  # any function
    """The first place that can be used."""
    path = inspect.getfile(function)
    Path(path).stat()  # what was typed at a prompt has no file
    for folder in _folders(path):
        locator = _Locator(function, path, folder)
        with suppress(OSError):
            locator.ensure_cache_path()
            return locator
    raise PermissionError("no folder of the user's own can be written")


class _CodePlace(caching.CompileResultCacheImpl):  # type: ignore[misc]  # numba has no types
    """A function's place for compiled code: numba's would be one that its settings name."""

    def __init__(self, function: Any) -> None:  # noqa: ANN401  # any function
        self._lineno = function.__code__.co_firstlineno
        self._locator = _locator(function)
        name = f"{Path(inspect.getfile(function)).stem}.{function.__qualname__}"
        self._filename_base = self.get_filename_base(name, getattr(sys, "abiflags", ""))


class _Files(caching.IndexDataCacheFile):  # type: ignore[misc]  # numba has no types
    """The files of a function's compiled code, which are pickles: only the user's own are read."""

    def _load_index(self) -> Any:  # noqa: ANN401  # numba's interface
        with suppress(FileNotFoundError):
            check_own(Path(self._index_path))
        return super()._load_index()

    def _load_data(self, name: str) -> Any:  # noqa: ANN401  # numba's interface
        check_own(Path(self._data_path(name)))
        return super()._load_data(name)

    @contextmanager
    def _open_for_write(self, filepath: str) -> Iterator[Any]:
        with super()._open_for_write(filepath) as file:
            Path(file.name).chmod(0o600)  # whatever files are by default
            yield file


class _Cache(caching.FunctionCache):  # type: ignore[misc]  # numba has no types
    """Numba's cache of a function, whose failures cost time alone."""

    _impl_class = _CodePlace

    def __init__(self, function: Any, *, manages_memory: bool) -> None:  # noqa: ANN401  # numba's interface
        super().__init__(function)
        self._manages_memory = manages_memory
        stamp = (self._impl.locator.get_source_stamp(), _used(function), manages_memory)
        self._cache_file = _Files(self.cache_path, self._impl.filename_base, stamp)

    def load_overload(self, sig: Any, target_context: Any) -> Any:  # noqa: ANN401  # numba's interface
        """The compiled function; None, so that it is compiled, where none is kept or what is kept is damaged.

        Numba would set up all that its compiler needs, 0.1 s; for compiled code its memory manager is enough, and that
        for code which makes arrays.
        """
        try:
            if self._manages_memory:
                runtime.initialize(target_context)
            return self._load_overload(sig, target_context)
        except Exception:  # noqa: BLE001  # a damaged pickle may raise anything
            self._remove()
            return None

    def save_overload(self, sig: Any, data: Any) -> None:  # noqa: ANN401  # numba's interface
        """Keep the compiled function if that is possible."""
        try:
            super().save_overload(sig, data)
        except OSError as error:
            TROUBLE.note(str(error.strerror or error))

    def _remove(self) -> None:
        """Remove what is kept of the function, whatever its state."""
        index = Path(self._cache_file._index_path)
        with suppress(OSError):
            check_own(index.parent)
            for path in index.parent.glob(f"{index.stem}.*"):
                path.unlink(missing_ok=True)


def _used(function: Any) -> tuple[object, ...]:  # noqa: ANN401  # any function
    """What goes into a function's compiled code from beyond its own file, so that it is compiled again if that changes.

    Numba looks at the file of the function alone. Here are the files of the kernels that it calls, what they use, and
    the constants.
    """
    stamps: dict[str, object] = {}
    waiting = [function]
    while waiting:
        kernel = waiting.pop()
        for name, value in _globals(kernel):
            of_kernel = getattr(value, "py_func", None)
            key = f"{kernel.__module__}.{name}"
            if key not in stamps and (of_kernel is not None or isinstance(value, _CONSTANT)):
                stamps[key] = _stamp(of_kernel) if of_kernel is not None else _digest(value)
                waiting += [] if of_kernel is None else [of_kernel]
    return tuple(sorted(stamps.items()))


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
        except OSError:
            TROUBLE.note("no folder for it can be written by you alone")
            return caching.NullCache()

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401  # what numba asks of a cache
        return getattr(self._cache, name)


def cache_of(function: Callable[..., Any], *, manages_memory: bool) -> Any:  # noqa: ANN401  # numba has no types
    """The cache of a function's compiled code, which may need numba's memory manager."""
    return _KeptCode(function, manages_memory=manages_memory)


def is_first_use() -> bool:
    """Whether nothing was compiled before by this version; the folder of compiled code notes that now it was."""
    try:
        place = _CodePlace(is_first_use).locator
        made_by = _digest((*place.get_source_stamp(), numba.__version__))
        with (Path(place.get_cache_path()) / f"first-use-{made_by[:16]}").open("x"):
            return True
    except FileExistsError:
        return False
    except OSError:
        return True
