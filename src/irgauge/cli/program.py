"""The program: runs the command line and says how that ended, in a sentence and an exit code."""

from __future__ import annotations

import errno
import gc
import os
import sys
import traceback
from contextlib import suppress
from typing import NoReturn

from irgauge.cli import CRASHED
from irgauge.cli.memory import SENTENCE, check_limits, is_lacking
from irgauge.cli.terminal import claim_process, discard_output, tell
from irgauge.errors import DesignError, InputError

_WITHOUT_MATRICES = ("check", "score")  # commands that multiply none
_OF_THE_MACHINE = (errno.ENOSPC, errno.EDQUOT, errno.EIO, errno.EMFILE, errno.ENFILE, errno.ENOMEM, errno.EROFS)


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
        if is_lacking(error):
            _refuse(SENTENCE)
        if isinstance(error, OSError) and error.errno in _OF_THE_MACHINE:
            _refuse(f"{error.filename or 'output'}: {error.strerror}")
        traceback.print_exc()
        sys.exit(CRASHED)


def _refuse(message: str) -> NoReturn:
    tell(f"irgauge: {message}")
    sys.exit(2)


def _run() -> None:
    from irgauge.cli.app import app_for

    try:
        app_for(sys.argv[1:])()
    except SystemExit as end:
        if not isinstance(end.__context__, BrokenPipeError):  # what reads our output has had enough
            raise
        discard_output()
