"""What is done and told when kernels are compiled or cannot be kept, which can be said before numba is imported."""

from __future__ import annotations

from collections.abc import Callable


class Compilation:
    """Does what is to be done before anything is compiled, each thing once, and tells of each function."""

    def __init__(self) -> None:
        self.waiting: dict[Callable[[], None], None] = {}  # in their order
        self.tell: Callable[..., None] | None = None
        self.functions = 0
        self.nested = 0  # functions that are being compiled: each may need others

    def start(self) -> None:
        """Before a function is compiled."""
        waiting, self.waiting = self.waiting, {}
        for do in waiting:
            do()
        self.functions += 1
        self._step(1)

    def end(self) -> None:
        """After that."""
        self._step(-1)

    def _step(self, by: int) -> None:
        self.nested += by
        if self.tell is not None:
            self.tell(self.functions, is_under_way=self.nested > 0)


class Trouble:
    """Why compiled code cannot be kept, if so, and who wants to know."""

    reason: str | None = None
    tell: Callable[[str], None] | None = None

    def note(self, reason: str) -> None:
        """Keep the first reason, and tell it."""
        if self.reason is None:
            self.reason = reason
            if self.tell is not None:
                self.tell(reason)


COMPILATION = Compilation()
TROUBLE = Trouble()


def on_compilation(tell: Callable[..., None]) -> None:
    """Call `tell(functions, is_under_way=...)` with their number whenever a function begins or ends to be compiled."""
    COMPILATION.tell = tell


def on_first_compilation(do: Callable[[], None]) -> None:
    """Call `do` before the next thing is compiled rather than taken from the cache."""
    COMPILATION.waiting[do] = None


def on_trouble(tell: Callable[[str], None]) -> None:
    """Call `tell` with the reason once compiled code cannot be kept: at once if that is known."""
    TROUBLE.tell = tell
    if TROUBLE.reason is not None:
        tell(TROUBLE.reason)
