"""A gauge for information-retrieval experiments: which differences are real, how sure, and what they cover."""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from irgauge.errors import DesignError, InputError
    from irgauge.reading.collection import Collection, load
    from irgauge.scoring.measures import Measure
    from irgauge.scoring.scores import Scores, score

_HOME = {
    "Collection": "reading.collection",
    "load": "reading.collection",
    "DesignError": "errors",
    "InputError": "errors",
    "Measure": "scoring.measures",
    "Scores": "scoring.scores",
    "score": "scoring.scores",
}
__all__ = ["Collection", "DesignError", "InputError", "Measure", "Scores", "load", "score"]


def __getattr__(name: str) -> object:
    """Import a public name on its first use, so that `irgauge --help` need not import numba."""
    if name not in _HOME:
        raise AttributeError(f"module 'irgauge' has no attribute '{name}'")
    return getattr(import_module(f"irgauge.{_HOME[name]}"), name)


def __dir__() -> list[str]:
    return __all__
