"""Which populations scores speak of, and what a provenance and rows of pairs say of a test."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, get_args

import numpy as np

from irgauge.choices import known
from irgauge.errors import DesignError
from irgauge.inference import facts
from irgauge.inference.comparison import Comparison
from irgauge.inference.slices import SliceClaims, Sliced
from irgauge.inference.tests.record import Test
from irgauge.inference.tests.registry import TESTS, default_test
from irgauge.inference.verdicts import Verdicts
from irgauge.models.anova import Population, populations_of
from irgauge.provenance import Provenance
from irgauge.replicates.measured import Measured
from irgauge.scoring.measures import Measure
from irgauge.studies.frames import PAIRS


def covered(shards: Measured, asked: str | None = None) -> tuple[Population, ...]:
    """The populations of these scores: topics, or the one asked for, first; `sources` only where it is asked for.

    >>> from irgauge.replicates.measured import Measuring
    >>> from irgauge.scoring.scores import Scores
    >>> import numpy as np
    >>> scores = Scores(np.zeros((1, 2, 2, 3)), (), ("1", "2"), ("a", "b"), ("x", "y", "z"))
    >>> covered(Measured(scores, Measuring(()), 0, is_random=True), "both")
    ('both', 'topics', 'documents')
    """
    possible = populations_of(shards.shards, is_random=shards.is_random)
    usual = [population for population in possible if population != "sources"]
    if asked is None:
        return tuple(usual)
    known(asked, get_args(Population), "population")
    if asked not in possible:
        raise DesignError(f"these scores say nothing of '{asked}': {_why(shards)}; choose {' or '.join(possible)}")
    first = next(population for population in possible if population == asked)
    return (first, *(population for population in usual if population != first))


def claimable(
    shards: Measured, asked: str | None = None, test_of: Callable[[Population], Test] = default_test
) -> tuple[Population, ...]:
    """The populations of these scores, less those that a test has too few shards for, unless one is asked for."""
    return tuple(
        population
        for population in covered(shards, asked)
        if population == asked or shards.shards >= test_of(population).fewest_shards.get(population, 1)
    )


def _why(shards: Measured) -> str:
    if shards.shards == 1:
        return "there are no shards"
    return "the shards are random" if shards.is_random else "the shards differ in kind"


def facts_of(
    tested: Comparison, model: str | None = None, *, drawn: str | None = None, test: Test | None = None
) -> Provenance:
    """The test, its family, population (of topics as they were drawn) and level; and its model, where it has one."""
    return Provenance.of(
        facts.test((test or TESTS[tested.test]).title),
        facts.family(tested.family),
        facts.correction(None if tested.is_wider else tested.correction),  # the family says it
        facts.sides(tested.sides if tested.sides == 1 else None),
        facts.draws(tested.draws),
        facts.alpha(tested.alpha),
        facts.population(tested.population, drawn=drawn),
        facts.model(model),
    )


def pair_columns(measure: str, comparison: Comparison, verdicts: Verdicts, **instead: str) -> dict[str, list[Any]]:
    """The columns of rows of pairs, those of all studies first; `instead` are other words for some."""
    count, columns = len(comparison.first), comparison.columns()
    columns |= {
        "measure": [measure] * count,
        "verdict": list(verdicts.verdicts),
        "margin": [verdicts.margin] * count,
        "direction": [comparison.direction] * count,
        "margin_low": [None] * count if verdicts.low is None else verdicts.low.tolist(),
        "margin_high": [None] * count if verdicts.high is None else verdicts.high.tolist(),
        **_ratios(measure, comparison),
        "detectable": [value if math.isfinite(value) else None for value in verdicts.detectable.tolist()],
        **{name: [value] * count for name, value in instead.items()},
    }
    first = {name: columns.pop(name) for name in PAIRS}
    return first | columns


def _ratios(measure: str, comparison: Comparison) -> dict[str, list[float | None]]:
    """The ratios that differences and their ends are, on a log scale."""
    ends = {"ratio": comparison.difference, "ratio_low": comparison.low, "ratio_high": comparison.high}
    if Measure.read(measure).logged is None:
        return {name: [None] * len(values) for name, values in ends.items()}
    return {name: np.exp(values).tolist() for name, values in ends.items()}


def records_of(columns: dict[str, list[Any]]) -> list[dict[str, Any]]:
    """Columns as rows."""
    return [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]


def slice_records(measure: str, claims: Sequence[SliceClaims], **instead: str) -> Iterator[dict[str, Any]]:
    """A row a pair on a slice; `instead` are other words for some columns."""
    for own in claims:
        for record in records_of(pair_columns(measure, own.comparison, own.verdicts, **instead)):
            yield record | {"column": own.column, "slice": own.value}


def slices_content(sliced: Sliced, rows: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """What is said of slices, as objects; rows are those of the slices that were tested."""
    return {
        "slices": list(rows),
        "small_slices": [dict(part._asdict()) for part in sliced.small],
        "heterogeneity": [dict(test._asdict()) for test in sliced.heterogeneity],
    }
