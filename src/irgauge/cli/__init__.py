"""The command line: parse, one call, print. The only package that prints or exits."""

from __future__ import annotations

import os
from typing import NoReturn

from irgauge.cli.process import STOPPED, open_all, stop_at_signals

CRASHED = 70  # the exit code after an error of the program itself (EX_SOFTWARE), as 1 is a gate that fails


def entry() -> NoReturn:
    """The `irgauge` program: run the command line, then end at once.

    All files are closed and all threads are done by then; tearing numba down in good order takes some 0.2 s, longer
    than many commands. Nothing is imported before signals are heeded.
    """
    code = CRASHED
    try:
        open_all()
        stop_at_signals()
        from irgauge.cli.program import code_of_main

        code = code_of_main()
    except KeyboardInterrupt:  # before signals are heeded
        code = STOPPED
    except Exception:  # noqa: BLE001  # the process ends below, and would say nothing
        import traceback

        traceback.print_exc()
    finally:
        os._exit(code)
