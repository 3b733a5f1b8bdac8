"""What is concluded of pairs without the transformation of scores, beside what is concluded with it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from irgauge.replicates.data import Data
from irgauge.studies.compare.options import CompareOptions
from irgauge.studies.compare.scored import scored_by_measure
from irgauge.studies.compare.testing import ComparedScores, MeasureClaims, decided
from irgauge.studies.survival import Survival, pair_conclusions


def survivals(
    data: Data, scored: Sequence[ComparedScores], decisions: Sequence[MeasureClaims], options: CompareOptions
) -> tuple[tuple[Survival, ...], ...]:
    """What is concluded on the scores as they are, by each measure; nothing where they are not transformed."""
    if options.own_transform is None:
        return ((),) * len(decisions)
    plain = replace(options, transform=None, scale=None, margin=None)  # a margin is of one scale
    parts = zip(scored, decisions, decided(scored_by_measure(data, plain), plain), strict=True)
    return tuple(
        tuple(
            Survival.of(
                scores.measure,
                each.population,
                "pair",
                pair_conclusions(each),
                pair_conclusions(other),
                drawn=scores.drawn(each.population),
            )
            for each, other in zip(claims.comparisons, others.comparisons, strict=True)
        )
        for scores, claims, others in parts
    )
