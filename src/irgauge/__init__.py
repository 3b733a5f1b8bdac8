"""A gauge for information-retrieval experiments: which differences are real, how sure, and what they cover."""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from irgauge.collection import Collection, load
    from irgauge.errors import DesignError, InputError
    from irgauge.measures import Measure
    from irgauge.scores import Scores, score

_HOME = {
    "Collection": "collection",
    "load": "collection",
    "DesignError": "errors",
    "InputError": "errors",
    "Measure": "measures",
    "Scores": "scores",
    "score": "scores",
}
__all__ = ["Collection", "DesignError", "InputError", "Measure", "Scores", "load", "score"]


def __getattr__(name: str) -> object:
    """Import a public name on its first use, so that `irgauge --help` need not import numba."""
    if name not in _HOME:
        raise AttributeError(f"module 'irgauge' has no attribute '{name}'")
    return getattr(import_module(f"irgauge.{_HOME[name]}"), name)


def __dir__() -> list[str]:
    return __all__
