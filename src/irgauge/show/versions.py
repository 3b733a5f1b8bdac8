"""The versions of what computes and draws."""

from __future__ import annotations

import platform
from importlib.metadata import PackageNotFoundError, version

_PACKAGES = ("irgauge", "numpy", "scipy", "numba", "polars", "altair", "vl-convert-python")


def package_versions() -> dict[str, str]:
    """Python and the packages, each with its version."""
    return {"Python": platform.python_version()} | {name: _version(name) for name in _PACKAGES}


def _version(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return "unknown"
