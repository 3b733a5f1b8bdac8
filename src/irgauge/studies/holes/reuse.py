"""Is the collection reusable? Each group of runs as if it had come later, without what it alone brought to the pool.

Zobel, "How reliable are the results of large-scale information retrieval experiments?" (SIGIR 1998).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from irgauge.compute.arrays import Bools, Floats, Ints
from irgauge.errors import DesignError
from irgauge.inference.tests.skewed_t import skewed_t_outcome
from irgauge.models.anova import Population
from irgauge.reading.collection import Collection
from irgauge.reading.contributions import Contributions
from irgauge.reading.groups import Grouping
from irgauge.scoring.drawn import whole
from irgauge.scoring.measures import Measure
from irgauge.scoring.scorer import Scorer

POPULATION: Population = "topics"  # what intervals and tests are about


@dataclass(frozen=True)
class GroupFall:
    """A group by a measure, with and without the judgments of what it alone brought to the pool."""

    measure: str
    group: str
    runs: int
    depth: int  # so many first documents are judged on every topic, the most of any of its runs
    judged: int  # documents that it alone brought, on all topics
    relevant: int  # those that are relevant
    difference: float  # of the mean of its runs, without minus with them: below 0 they fall
    low: float  # of its interval, for other topics
    high: float
    ranks: int  # places that its runs fall at most; below 0 they rise
    pairs: int  # of a run of it and one of another group
    changed: int  # those that differ significantly in one case and not, or the other way, in the other


def group_falls(
    collection: Collection,
    grouping: Grouping | None,
    scores: Mapping[Measure, Floats],  # topic, system
    alpha: float,
    workers: int | None = None,
) -> tuple[GroupFall, ...]:
    """Every group by every measure, those that fall most first; a system without a group is one of its own."""
    if grouping is None:
        return ()
    names, numbers = numbered(grouping, collection.systems)
    _check(collection, names)
    pool = Contributions(collection, numbers)
    rows = [row for group, name in enumerate(names) for row in _of_group(pool, group, name, scores, alpha, workers)]
    order = list(map(str, scores))
    return tuple(sorted(rows, key=lambda row: (order.index(row.measure), row.difference)))


def numbered(grouping: Grouping, systems: Sequence[str]) -> tuple[tuple[str, ...], Ints]:
    """The names of groups in the order of systems, and the number of each system's."""
    teams = grouping.as_teams(systems).groups
    names = tuple(dict.fromkeys(teams.get(system, system) for system in systems))
    return names, np.array([names.index(teams.get(system, system)) for system in systems])


def _check(collection: Collection, names: Sequence[str]) -> None:
    if len(names) < 2:
        raise DesignError(f"all runs are of the group '{names[0]}', and none is left without it; give runs of others")
    if len(collection.topics) < 2:
        raise DesignError("how far groups fall needs at least 2 topics with a relevant document")


def _of_group(
    pool: Contributions, group: int, name: str, scores: Mapping[Measure, Floats], alpha: float, workers: int | None
) -> Iterator[GroupFall]:
    """A group by every measure."""
    own, alone = pool.groups == group, pool.alone(group)
    grades = pool.collection.grades[pool.collection.judged_levels[alone]]
    cut = _scores(pool.without(group), tuple(scores), workers) if alone.any() else scores.values()
    for (measure, values), without in zip(scores.items(), cut, strict=True):
        differences = (without - values)[:, own].mean(axis=1, keepdims=True)  # topic, 1
        outcome = skewed_t_outcome(differences, alpha)
        yield GroupFall(
            measure=str(measure),
            group=name,
            runs=int(own.sum()),
            depth=int(pool.depths[own].max()),
            judged=int(alone.sum()),
            relevant=int((grades > 0).sum()),
            difference=float(differences.mean()),
            low=float(outcome.low[0]),
            high=float(outcome.high[0]),
            ranks=int((_ranks(without) - _ranks(values))[own].max()),
            pairs=int(own.sum() * (~own).sum()),
            changed=int((_verdicts(without, own, alpha) != _verdicts(values, own, alpha)).sum()),
        )


def _scores(collection: Collection, measures: tuple[Measure, ...], workers: int | None) -> Floats:
    """measure, topic, system."""
    scores = Scorer(collection, measures).score(whole(collection.document_count), workers=workers)
    return np.nan_to_num(scores[..., 0])


def _ranks(values: Floats) -> Ints:
    """The place of each system by its mean, from 1; tied ones share the best."""
    means = values.mean(axis=0).round(12)  # sums in another order are no difference
    return np.asarray(1 + (means[None, :] > means[:, None]).sum(axis=1))


def _verdicts(values: Floats, own: Bools, alpha: float) -> Ints:
    """Of each run of a group and each other one: 1 or -1 where it is significantly better or worse, else 0."""
    d = (values[:, own, None] - values[:, None, ~own]).reshape(len(values), -1)  # topic, pair
    return np.asarray(np.sign(d.mean(axis=0)) * (skewed_t_outcome(d, alpha).p <= alpha), np.int64)
