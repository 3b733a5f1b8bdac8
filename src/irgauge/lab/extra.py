"""Packages of the extra irgauge[lab], which are imported only where they are used."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from irgauge.errors import InputError

_PACKAGES = {"Stemmer": "PyStemmer", "sklearn": "scikit-learn", "threadpoolctl": "threadpoolctl"}


def of_extra(module: str) -> Any:  # noqa: ANN401  # a module
    """A module of the extra, such as sklearn.cluster."""
    try:
        return import_module(module)
    except ModuleNotFoundError:
        package = _PACKAGES[module.partition(".")[0]]
        raise InputError(f'this needs {package}; install it with: pip install "irgauge[lab]"') from None
