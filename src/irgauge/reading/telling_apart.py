"""Which documents are told apart where runs are read: all, or judged ones only, which is several times as fast."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from irgauge.errors import InputError
from irgauge.files.opening import expand
from irgauge.reading.options import Documents

LARGE = 128 * 2**20  # bytes of run files, as they are stored: to tell all documents apart takes seconds more


def documents_needed(runs: Sequence[str], *, are_drawn: bool) -> Documents:
    """All where documents are drawn, or files are not large; else what scores on the whole corpus need.

    >>> documents_needed(["no such file"], are_drawn=False)
    'all'
    """
    return "all" if are_drawn or _size(runs) < LARGE else "judged"


def _size(names: Sequence[str]) -> int:
    """Of all files that names mean; 0 where some cannot be read, which is said when they are."""
    try:
        return sum(Path(path).stat().st_size for path in expand(names)) if names else 0
    except (InputError, OSError):
        return 0
