"""Lazy frames of polars: computed when they are given."""

from __future__ import annotations

from typing import Any

from irgauge.errors import InputError


def is_lazy(value: object) -> bool:
    """Whether an object is a frame that is not computed yet."""
    return hasattr(type(value), "collect_schema") and not hasattr(type(value), "shape")


def collected(value: Any) -> Any:  # noqa: ANN401  # any object
    """The frame that a lazy one gives; anything else as it is."""
    if not is_lazy(value):
        return value
    import polars as pl

    try:
        return value.collect()
    except (pl.exceptions.PolarsError, OSError) as error:
        message = str(error).partition("\n")[0]
        raise InputError(f"the lazy frame cannot be computed ({message}); fix its query") from None
