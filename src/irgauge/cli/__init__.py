"""The command line: parse, one call, print. The only package that prints or exits."""

from __future__ import annotations

import gc
import os
import sys
from contextlib import suppress
from typing import NoReturn

from irgauge.cli.app import app_for
from irgauge.cli.terminal import claim_process, tell
from irgauge.errors import DesignError, InputError

_STOPPED = 130  # the exit code after Ctrl-C, as shells have it


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
    with suppress(BrokenPipeError):
        sys.stdout.flush()
    os._exit(code if isinstance(code, int) else int(code is not None))


def main() -> None:
    """Run the command line: exit 0, 2 for bad input, or 130 after Ctrl-C."""
    try:
        app_for(sys.argv[1:])()
    except SystemExit as end:
        if end.code == _STOPPED:
            tell("irgauge: stopped; no file is left half-written")
        raise
    except (InputError, DesignError) as error:
        tell(f"irgauge: {error}")
        sys.exit(2)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # what reads our output has had enough
        sys.exit(0)
