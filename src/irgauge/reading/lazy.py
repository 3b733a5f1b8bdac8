"""Lazy frames of polars: computed when they are given."""

from __future__ import annotations

from typing import Any

from irgauge.errors import InputError


def is_lazy(given: object) -> bool:
    """Whether an object is a frame that is not computed yet."""
    return hasattr(type(given), "collect_schema") and not hasattr(type(given), "shape")


def collected(given: Any) -> Any:  # noqa: ANN401  # any object
    """The frame that a lazy one gives; anything else as it is."""
    if not is_lazy(given):
        return given
    import polars as pl

    try:
        return given.collect()
    except (pl.exceptions.PolarsError, OSError) as error:
        said = str(error).partition("\n")[0]
        raise InputError(f"the lazy frame cannot be computed ({said}); fix its query") from None
