"""What a provenance says of a test of pairs."""

from __future__ import annotations

from irgauge.inference.comparison import Comparison
from irgauge.inference.tests.registry import TESTS


def facts_of(tested: Comparison, model: str | None = None) -> dict[str, object]:
    """The test, its family, population and level; and its model, where it has one."""
    return {
        "test": TESTS[tested.test].title,
        "family": tested.family,
        "correction": None if tested.is_wider else tested.correction,  # the family says it
        "sides": tested.sides if tested.sides == 1 else None,
        "draws": tested.draws,
        "alpha": tested.alpha,
        "population": tested.population,
        "model": model,
    }
