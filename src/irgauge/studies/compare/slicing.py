"""The slices that a comparison is asked for: kinds of topics, each with its verdicts."""

from __future__ import annotations

from collections.abc import Sequence

from irgauge.errors import DesignError
from irgauge.inference.slices import Sliced, sliced
from irgauge.inference.tests.record import Experiment
from irgauge.models.anova import Population
from irgauge.reading.topic_slices import slices_of
from irgauge.studies.compare.options import CompareOptions
from irgauge.studies.compare.testing import ComparedScores, MeasureClaims, chosen_test, correction_of, standing_of

POPULATION: Population = "topics"


def slices_by_measure(
    scored: Sequence[ComparedScores], claims: Sequence[MeasureClaims], options: CompareOptions
) -> tuple[Sliced, ...]:
    """The claims on slices by each measure; none where no column is named."""
    if not options.slice_columns:
        return (Sliced(),) * len(scored)
    if POPULATION not in chosen_test(POPULATION, options).covers:
        raise DesignError(f"slices are of topics, and the test {options.test} says nothing of other topics")
    scores = scored[0].whole.scores
    parts = slices_of(scores.about, options.slice_columns, scores.topics)
    margins = [own.margin if POPULATION in own.verdicts else None for own in claims]
    comparisons = sum(len(own.comparisons) for own in claims)
    share = standing_of(options, comparisons).share
    experiments = [_experiment(own, options) for own in scored]
    return sliced(experiments, parts, chosen_test(POPULATION, options), margins, share)


def _experiment(scored: ComparedScores, options: CompareOptions) -> Experiment:
    return Experiment(
        scored.whole.values(),
        scored.whole.scores.systems,
        POPULATION,
        options.alpha,
        correction_of(POPULATION, options),
        options.baseline,
        options.draws,
        options.seed,
        options.sides,
        within=scored.range_of(POPULATION),
        direction=scored.whole.direction,
        sampling=scored.sampling,
    )
