"""The figures of Voorhees, Samarov and Soboroff (TOIS 2017)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from irgauge.papers.entry import Dataset, Recomputed
from irgauge.papers.voorhees_2017 import studies
from irgauge.papers.voorhees_2017.studies import LEVELS
from irgauge.papers.voorhees_2017.tables import (
    Values,
    disagreements_beside,
    lengths_beside,
    mostly,
    topics_beside,
)
from irgauge.studies.partition.lengths import IntervalLengths
from irgauge.studies.partition.side_by_side import ONE_SIDED, UNPAIRED, SideBySide
from irgauge.studies.partition.splits import Splits
from irgauge.studies.partition.study import Overlap, overlap

_MOST_DISAGREEMENT = 0.15  # of all pairs
AREA_ERROR = 0.02  # the density is smooth and known at some places, p is a share of draws


def effect_figure(dataset: Dataset) -> Recomputed:
    """Figure 2: effects with intervals of the models without and with interactions."""
    from irgauge.studies.partition.charts import effect_intervals

    by_measure = {name: studies.effects(dataset, measure) for name, measure in studies.measures(dataset).items()}
    statement = "for every run, the interval with interactions is inside the one without"
    values: Values = {(statement, name): _is_inside(lengths) for name, lengths in by_measure.items()}
    return Recomputed(values, tuple(map(effect_intervals, by_measure.values())), tuple(lengths_beside(dataset)))


def _is_inside(interval_lengths: IntervalLengths) -> bool:
    without, with_ = (model.plain for model in interval_lengths.models)
    return bool(((without.low < with_.low) & (with_.high < without.high)).all())


def density_figure(dataset: Dataset) -> Recomputed:
    """Figure 3: densities of two systems, the best neighbours that overlap, and their p-value."""
    from irgauge.studies.partition.charts import pair_densities

    splits = studies.one_sided(studies.halves(dataset, "AP")[0])  # p is the area
    shown = overlap(splits, *splits.nearest)
    values: Values = {("the area of the worse run's density beyond the better run's mean is p", "AP"): _is_area(shown)}
    return Recomputed(values, (pair_densities(splits, shown),), (_pair_beside(dataset, shown),))


def _is_area(shown: Overlap) -> bool:
    beyond = shown.at >= shown.effects[0]
    area = float(np.trapezoid(shown.densities[1][beyond], shown.at[beyond]))
    return abs(area - shown.p) < AREA_ERROR


def _pair_beside(dataset: Dataset, shown: Overlap) -> str:
    """The paired test of two systems."""
    over_topics = studies.paired(dataset, "AP")
    places = {over_topics.systems.index(shown.better), over_topics.systems.index(shown.worse)}
    pairs = zip(over_topics.first.tolist(), over_topics.second.tolist(), over_topics.p.tolist(), strict=True)
    p = next(p for first, second, p in pairs if {first, second} == places)
    return (
        f"{dataset.source.key}, AP: {shown.worse} reaches {shown.better} with p = {shown.p:.4f} in the first "
        f"split (population documents, one-sided, no correction); the paired t-test over topics gives p = {p:.4f} "
        f"(population topics, two-sided, no correction)."
    )


def tests_figure(dataset: Dataset) -> Recomputed:
    """Figure 4: which of t, randomization and partition into three parts find each pair different."""
    from irgauge.studies.partition.matrices import decision_matrix

    names, alpha, values = (UNPAIRED, ONE_SIDED, "3 parts"), LEVELS[0], Values()
    by_measure = {
        name: studies.side_by_side(dataset, measure, (3,)) for name, measure in studies.measures(dataset).items()
    }
    for name, tests in by_measure.items():
        by_set = _by_set(tests, names)
        t, drawn, parts = (np.count_nonzero(tests.test(name).decisions(alpha)) for name in names)
        values["the tests agree on most pairs", name] = bool(by_set[0] + by_set[7] > by_set.sum() / 2)
        values["t finds fewest pairs, the partition method most", name] = bool(t < drawn < parts)
        values["no two tests prefer different runs", name] = not _conflicts(tests, names)
        against = bool((tests.test("3 parts").decisions(alpha) < 0).any())
        values["the partition method finds pairs against the order of the whole corpus", name] = against
    alone = any(_by_set(tests, names)[2] for tests in by_measure.values())
    values["randomization alone finds some pairs", "AP or P10"] = alone
    return Recomputed(values, tuple(map(decision_matrix, by_measure.values())), tuple(topics_beside(dataset)))


def parts_figure(dataset: Dataset) -> Recomputed:
    """Figure 5: which of randomization and partition into two and into three parts find each pair different."""
    from irgauge.studies.partition.matrices import decision_matrix

    names, values = (ONE_SIDED, "2 parts", "3 parts"), Values()
    ((name, measure),) = studies.measures(dataset).items()
    tests = studies.side_by_side(dataset, measure, (2, 3))
    values["each test finds some pairs alone", name] = bool(_by_set(tests, names)[[1, 2, 4]].all())
    values["no two tests prefer different runs", name] = not _conflicts(tests, names)
    return Recomputed(values, (decision_matrix(tests),), tuple(topics_beside(dataset)))


def _by_set(tests: SideBySide, names: Sequence[str]) -> NDArray[np.intp]:
    """How many pairs each set of three tests finds different, sets as sums of 1, 2 and 4."""
    return np.bincount(tests.rejected_by(names, LEVELS[0]), minlength=8)


def _conflicts(tests: SideBySide, names: Sequence[str]) -> bool:
    return any(test in names and other in names for _, _, test, other in tests.conflicts(LEVELS[0]))


def agreement_figure(dataset: Dataset) -> Recomputed:
    """Figure 6: how far splits disagree on each pair."""
    from irgauge.studies.partition.matrices import agreement_matrix

    by_measure = {name: studies.halves(dataset, measure) for name, measure in studies.measures(dataset).items()}
    values = Values()
    for name, repeated in by_measure.items():
        shares = [splits.disagreements() / len(splits.first) for splits in repeated]
        below = mostly([share < _MOST_DISAGREEMENT for share in shares])
        values["splits disagree on less than 15 % of pairs", name] = below
        values["no two splits prefer different runs", name] = mostly([not splits.opposed() for splits in repeated])
    if len(by_measure) > 1:
        farther = [_distance(p10, ap) > _distance(ap, ap) for ap, p10 in zip(*by_measure.values(), strict=True)]
        values["pairs with disagreement are farther apart in the ranking in P10", "AP and P10"] = mostly(farther)
    chart = agreement_matrix([repeated[0] for repeated in by_measure.values()])
    return Recomputed(values, (chart,), tuple(disagreements_beside(dataset)))


def _distance(splits: Splits, ranking: Splits) -> float:
    """How many ranks lie between the systems of a pair with disagreement, in the mean."""
    first, second = np.nonzero(np.triu(splits.matrix(splits.minority(), ranking.systems) > 0, 1))
    return float((second - first).mean()) if len(first) else 0.0
