"""Memory: too little of it is said plainly, whatever libraries make of that."""

from __future__ import annotations

import os
from collections.abc import Iterator

from irgauge.errors import DesignError

if os.name == "posix":
    import resource

LEAST = 2 << 30  # bytes of addresses: with fewer, libraries end the process when they are loaded, OpenBLAS with 1
_SIGNS = ("can't start new thread", "failed to map segment", "cannot allocate memory", "could not find/load shared")
SENTENCE = "there is not enough memory for this; ask for fewer images, draws, runs or threads (--workers 1)"


def check_limits() -> None:
    """Refuse a limit that leaves no room for libraries; under any, matrices have one thread, as each takes room."""
    limit = _limit()
    if limit is None:
        return
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    if limit < LEAST:
        raise DesignError(
            f"there is not enough memory: the limit of this process is {limit >> 20:,} MiB (ulimit -v), and its "
            f"libraries need {LEAST >> 20:,}; raise it"
        )


def _limit() -> int | None:
    """The bytes that this process may address; None without a limit."""
    if os.name != "posix":
        return None
    limits = [resource.getrlimit(kind)[0] for kind in (resource.RLIMIT_AS, resource.RLIMIT_DATA)]
    return min((limit for limit in limits if limit != resource.RLIM_INFINITY), default=None)


def is_lacking(error: BaseException) -> bool:
    """Whether an error is what a library made of too little memory."""
    return any(
        isinstance(cause, MemoryError) or any(sign in str(cause).lower() for sign in _SIGNS) for cause in _causes(error)
    )


def _causes(error: BaseException | None) -> Iterator[BaseException]:
    """An error, and those from which or during which it came up."""
    while error is not None:
        yield error
        error = error.__cause__ or error.__context__
