"""What a provenance says of a test of pairs."""

from __future__ import annotations

from irgauge.inference import facts
from irgauge.inference.comparison import Comparison
from irgauge.inference.tests.registry import TESTS
from irgauge.provenance import Provenance


def facts_of(tested: Comparison, model: str | None = None) -> Provenance:
    """The test, its family, population and level; and its model, where it has one."""
    return Provenance.of(
        facts.test(TESTS[tested.test].title),
        facts.family(tested.family),
        facts.correction(None if tested.is_wider else tested.correction),  # the family says it
        facts.sides(tested.sides if tested.sides == 1 else None),
        facts.draws(tested.draws),
        facts.alpha(tested.alpha),
        facts.population(tested.population),
        facts.model(model),
    )
