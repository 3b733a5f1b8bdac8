"""Progress: how far a verb is, shown in a notebook or at a prompt, and how long it took, in the log."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from contextvars import ContextVar
from dataclasses import KW_ONLY, dataclass
from importlib.util import find_spec
from time import perf_counter
from typing import TYPE_CHECKING

from irgauge.errors import DesignError
from irgauge.log import LOG

if TYPE_CHECKING:
    from rich.progress import Progress as Bar

Progress = Callable[[int, int], None]  # done, total; a total of 0 is not known
DELAY = 0.5  # seconds after which work is long enough for a bar
_SHOWN: ContextVar[Progress | None] = ContextVar("shown", default=None)  # what shows how far the verb at hand is
_IS_WITHIN: ContextVar[bool] = ContextVar("within", default=False)  # whether a verb is at work already


@dataclass(frozen=True)
class Telling:
    """Work that tells how far it is."""

    _: KW_ONLY
    progress: Progress | bool | None = None  # what is told; or whether a bar is shown: at a prompt, if not given

    def while_running(self) -> AbstractContextManager[None]:
        """While a verb runs, show how far it is."""
        if not (self.progress is None or isinstance(self.progress, bool) or callable(self.progress)):
            raise DesignError(f"progress is {self.progress!r}; it is True, False, or a function of two numbers")
        return _shown_and_logged(type(self).__name__.removesuffix("Options").lower(), self.progress)

    @property
    def told(self) -> Progress | None:
        """What is told how far the work is."""
        return self.progress if callable(self.progress) else _SHOWN.get()


@contextmanager
def _shown_and_logged(name: str, progress: object) -> Iterator[None]:
    """Show how far a verb is, and say how long it took; one that works for another is silent."""
    start = perf_counter()
    bar = None if _IS_WITHIN.get() or not is_wanted(progress) else _Shown(name)
    tokens = _IS_WITHIN.set(True), _SHOWN.set(None if bar is None else bar.tell)
    try:
        yield
    finally:
        if bar is not None:
            bar.close()
        _IS_WITHIN.reset(tokens[0])
        _SHOWN.reset(tokens[1])
    LOG.info("%s took %.3f s", name, perf_counter() - start)


def is_wanted(progress: object) -> bool:
    """Whether a bar is shown: never where nobody sees it; in a script only where it is asked for."""
    if progress is None:
        return is_notebook() or (hasattr(sys, "ps1") and sys.stderr.isatty())
    return progress is True and (is_notebook() or sys.stderr.isatty())


def is_notebook() -> bool:
    """Whether a kernel of Jupyter runs us, and has the widgets that a bar is drawn with there."""
    return (
        "ipykernel" in sys.modules and "ipykernel" in type(_shell()).__module__ and find_spec("ipywidgets") is not None
    )


def _shell() -> object:
    from IPython.core.getipython import get_ipython

    return get_ipython()


class _Shown:
    """A bar that appears once work has taken long."""

    def __init__(self, name: str) -> None:
        self._name, self._start = name, perf_counter()
        self._bar: Bar | None = None

    def tell(self, done: int, total: int) -> None:
        """So much is done."""
        if self._bar is None and perf_counter() - self._start >= DELAY:
            self._bar = _bar()
            self._bar.start()
            self._bar.add_task(self._name)
        if self._bar is not None:
            self._bar.update(self._bar.task_ids[0], completed=done, total=total or None)

    def close(self) -> None:
        """Take the bar away."""
        if self._bar is not None:
            self._bar.stop()


def _bar() -> Bar:
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn
    from rich.progress import Progress as Bar

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    return Bar(*columns, console=Console() if is_notebook() else Console(stderr=True), transient=True)
