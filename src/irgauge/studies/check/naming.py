"""How runs are named in what a check says: each with a value, the first few of them."""

from __future__ import annotations

from collections.abc import Mapping

from irgauge.show.words import some


def named(values: Mapping[str, str]) -> str:
    """Runs with what is said of each.

    >>> named({"a": "50 %", "b": "10 %"})
    'a (50 %) and b (10 %)'
    """
    return some([f"{system} ({value})" for system, value in values.items()])


def whole_percent(share: float) -> str:
    """A share in whole per cents.

    >>> whole_percent(0.123)
    '12 %'
    """
    return f"{100 * share:.0f} %"
