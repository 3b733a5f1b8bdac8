"""The command line: parse, one call, print. The only package that prints or exits."""

from __future__ import annotations

import gc
import os
import sys
import traceback
from contextlib import suppress
from typing import NoReturn

from irgauge.cli.terminal import claim_process, discard_output, tell
from irgauge.errors import DesignError, InputError

_STOPPED = 130  # the exit code after Ctrl-C, as shells have it
_CRASHED = 70  # after an error of the program itself (EX_SOFTWARE), as 1 is a gate that fails and nothing else


def entry() -> NoReturn:
    """The `irgauge` program: run the command line, then end at once.

    All files are closed and all threads are done by then; tearing numba down in good order takes some 0.2 s, longer
    than many commands.
    """
    gc.set_threshold(200_000)  # imports make many objects and no garbage
    claim_process()
    code: object = 0
    try:
        main()
    except SystemExit as end:
        code = end.code
    with suppress(OSError):
        sys.stdout.flush()
    os._exit(code if isinstance(code, int) else _CRASHED if code is not None else 0)


def main() -> None:
    """Run the command line: exit 0, 1 for a gate that fails, 2 for bad input, 3 for a gate that cannot decide.

    And 70 where the program itself fails, also while it is imported, or 130 after Ctrl-C.
    """
    try:
        _run()
    except (InputError, DesignError) as error:
        tell(f"irgauge: {error}")
        sys.exit(2)
    except Exception:  # noqa: BLE001  # whatever it is, it is no verdict
        traceback.print_exc()
        sys.exit(_CRASHED)


def _run() -> None:
    from irgauge.cli.app import app_for

    try:
        app_for(sys.argv[1:])()
    except SystemExit as end:
        if end.code == _STOPPED:
            tell("irgauge: stopped; no file is left half-written")
        if not isinstance(end.__context__, BrokenPipeError):  # what reads our output has had enough
            raise
        discard_output()
