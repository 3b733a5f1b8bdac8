"""The program: runs the command line and says how that ended, in a sentence and an exit code, too little memory too."""

from __future__ import annotations

import errno
import gc
import os
import sys
import traceback
from collections.abc import Iterator
from contextlib import suppress
from typing import NoReturn

from irgauge.cli import CRASHED
from irgauge.cli.terminal import claim_process, discard_output, tell
from irgauge.errors import DesignError, InputError

if os.name == "posix":
    import resource

_WITHOUT_MATRICES = ("check", "score")  # commands that multiply none
_OF_THE_MACHINE = (errno.ENOSPC, errno.EDQUOT, errno.EIO, errno.EMFILE, errno.ENFILE, errno.ENOMEM, errno.EROFS)
LEAST_MEMORY = 2 << 30  # bytes: with fewer addresses, libraries end the process when they are loaded, OpenBLAS with 1
TOO_LITTLE_MEMORY = "there is not enough memory for this; ask for fewer images, draws, runs or threads (--workers 1)"
_OF_MEMORY = ("can't start new thread", "failed to map segment", "cannot allocate memory", "could not find/load shared")


def code_of_main() -> int:
    """Run the command line in a process of its own; the exit code."""
    gc.set_threshold(200_000)  # imports make many objects and no garbage
    claim_process()
    _leave_out_working_folder()
    os.environ.setdefault("NUMBA_DISABLE_ERROR_MESSAGE_HIGHLIGHTING", "1")  # of errors that numba catches itself
    if sys.argv[1:2] and sys.argv[1] in _WITHOUT_MATRICES:
        os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # numpy starts its threads when it is imported, 0.05 s
    code: object = 0
    try:
        main()
    except SystemExit as end:
        code = end.code
    with suppress(OSError):
        sys.stdout.flush()
    return code if isinstance(code, int) else CRASHED if code is not None else 0


def _leave_out_working_folder() -> None:
    """Keep libraries from settings, and processes that they start from modules, in the working folder.

    Where there is no home, libraries take a folder that is named `~`.
    """
    home = "USERPROFILE" if os.name == "nt" else "HOME"
    if not os.path.isabs(os.path.expanduser("~")):  # noqa: PTH111, PTH117  # a path would raise an error
        os.environ[home] = "/nonexistent"
    os.environ["PYTHONSAFEPATH"] = "1"


def main() -> None:
    """Run the command line: exit 0, 1 for a gate that fails, 2 for bad input or too little memory, 3 if undecided.

    And 70 where the program itself fails, also while it is imported; or, after a signal, 128 and its number.
    """
    try:
        check_limits()  # before anything of numpy is imported
        _run()
    except Exception as error:  # noqa: BLE001  # whatever it is, it is no verdict
        if isinstance(error, InputError | DesignError):
            _refuse(str(error))
        if lacks_memory(error):
            _refuse(TOO_LITTLE_MEMORY)
        if isinstance(error, OSError) and error.errno in _OF_THE_MACHINE:
            _refuse(f"{error.filename or 'output'}: {error.strerror}")
        traceback.print_exc()
        sys.exit(CRASHED)


def _refuse(message: str) -> NoReturn:
    tell(f"irgauge: {message}")
    sys.exit(2)


def _run() -> None:
    from irgauge.cli.app import app_for
    from irgauge.cli.completing import words_of

    try:
        app_for(words_of(sys.argv[1:]))()
    except SystemExit as end:
        if not isinstance(end.__context__, BrokenPipeError):  # what reads our output has had enough
            raise
        discard_output()


def check_limits() -> None:
    """Refuse a limit that leaves no room for libraries; under any, matrices have one thread, as each takes room."""
    limit = _memory_limit()
    if limit is None:
        return
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    if limit < LEAST_MEMORY:
        raise DesignError(
            f"there is not enough memory: the limit of this process is {limit >> 20:,} MiB (ulimit -v), and its "
            f"libraries need {LEAST_MEMORY >> 20:,}; raise it"
        )


def _memory_limit() -> int | None:
    """The bytes that this process may address; None without a limit."""
    if os.name != "posix":
        return None
    limits = [resource.getrlimit(kind)[0] for kind in (resource.RLIMIT_AS, resource.RLIMIT_DATA)]
    return min((limit for limit in limits if limit != resource.RLIM_INFINITY), default=None)


def lacks_memory(error: BaseException) -> bool:
    """Whether an error is what a library made of too little memory."""
    return any(
        isinstance(cause, MemoryError) or any(sign in str(cause).lower() for sign in _OF_MEMORY)
        for cause in _causes(error)
    )


def _causes(error: BaseException | None) -> Iterator[BaseException]:
    """An error, and those from which or during which it came up."""
    while error is not None:
        yield error
        error = error.__cause__ or error.__context__
