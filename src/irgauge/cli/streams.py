"""The standard streams of a process: none is closed, so that no other file can take its place."""

from __future__ import annotations

import os
import sys


def open_all() -> None:
    """Let what is read from closed streams be nothing, and what is written to them vanish."""
    for descriptor in range(3):
        try:
            os.fstat(descriptor)
        except OSError:
            os.open(os.devnull, os.O_RDWR)  # takes the lowest number that is free
    sys.stdin = sys.stdin or open(0, encoding="utf-8")  # noqa: SIM115  # open as long as the process runs
    sys.stdout = sys.stdout or open(1, "w", encoding="utf-8")  # noqa: SIM115  # as above
    sys.stderr = sys.stderr or open(2, "w", encoding="utf-8")  # noqa: SIM115  # as above
