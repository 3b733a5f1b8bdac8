"""Why a section of a report, or a part of it, is not there."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TypeVar

from irgauge.present.page import Section
from irgauge.studies.report import Missing, OfMeasure

T = TypeVar("T")


def there(found: Iterable[tuple[OfMeasure, T | Missing]]) -> list[tuple[OfMeasure, T]]:
    """The results that there are."""
    return [(one, result) for one, result in found if not isinstance(result, Missing)]


def reasons(found: Iterable[tuple[str, object]]) -> list[str]:
    """Why some results are not there, each reason once."""
    reasons: dict[str, list[str]] = {}
    for name, result in found:
        if isinstance(result, Missing):
            reasons.setdefault(result.reason, []).append(name)
    return [f"{', '.join(names)}: {reason}." for reason, names in reasons.items()]


def absent(key: str, title: str, found: Sequence[object]) -> Section:
    """A section that says why it is empty."""
    reason = next(result.reason for result in found if isinstance(result, Missing))
    return Section(key, title, (), (), reason=f"{reason}.")
