"""How well judges agree with people, and with each other, document by document."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any, ClassVar

import numpy as np

from irgauge.brief import OneLine
from irgauge.compute.arrays import Ints
from irgauge.inference.raters import STATISTICS, agreement, confusion_of
from irgauge.inference.two_orders import TopicEstimate
from irgauge.reading.rejudging import JudgedPairs
from irgauge.studies.judge_sides import Sides
from irgauge.studies.judges.options import PEOPLE, JudgesOptions


@dataclass(frozen=True, eq=False, repr=False)
class GradesCompared(OneLine):
    """The grades of two, on the pairs of topic and document that both judged."""

    in_line: ClassVar[tuple[str, ...]] = ("judge", "against", "pairs")

    judge: str
    against: str  # people, or another judge
    topics: tuple[str, ...]
    grades: tuple[int, ...]  # that either gives
    counts: Ints  # topic, grade by the other, grade by the judge
    estimates: Mapping[str, TopicEstimate]  # statistic -> its value and interval

    @property
    def pairs(self) -> int:
        """How many pairs both judged."""
        return int(self.counts.sum())

    @property
    def confusion(self) -> Ints:
        """How often the other gives a grade and the judge another one: grade, grade."""
        return np.asarray(self.counts.sum(axis=0))


def grades_compared(sides: Sequence[Sides], options: JudgesOptions) -> tuple[GradesCompared, ...]:
    """Each judge against people, then all judges against each other; nothing for tables of scores."""
    judged = [side for side in sides if side.pairs is not None]
    with_people = [_against(PEOPLE, side, _people(side), _judge(side), options) for side in judged]
    others = [_between(first, second, options) for first, second in combinations(judged, 2)]
    return (*with_people, *(compared for compared in others if compared is not None))


def _people(side: Sides) -> JudgedPairs:
    return side.pairs[0] if side.pairs is not None else _NONE


def _judge(side: Sides) -> JudgedPairs:
    return side.pairs[1] if side.pairs is not None else _NONE


_NONE = JudgedPairs(*(np.zeros(0, np.int64) for _ in range(4)))


def _between(first: Sides, second: Sides, options: JudgesOptions) -> GradesCompared | None:
    """Two judges, on pairs that people judged too; None where these have none in common."""
    own, others = _judge(first), _on(second.topics, _judge(second), first.topics)
    shared = own.only(own.among(others)), others.only(others.among(own))
    return _against(first.judge, replace(second, topics=first.topics), *shared, options) if len(shared[0]) else None


def _on(topics: Sequence[str], pairs: JudgedPairs, others: Sequence[str]) -> JudgedPairs:
    """Pairs of some topics as pairs of others, where these have them."""
    place = {topic: i for i, topic in enumerate(others)}
    numbers = np.array([place.get(topic, -1) for topic in topics], np.int64)[pairs.topics]
    kept = pairs.only(numbers >= 0)
    return replace(kept, topics=numbers[numbers >= 0])


def _against(
    against: str, side: Sides, others: JudgedPairs, own: JudgedPairs, options: JudgesOptions
) -> GradesCompared:
    """Two graders of the same pairs; a grade below 0 stands for a document that was not judged."""
    known = (others.grades >= 0) & (own.grades >= 0)
    grades = np.unique(np.concatenate([others.grades[known], own.grades[known]]))
    scale = tuple(range(int(grades.min()), int(grades.max()) + 1)) if len(grades) else (0,)
    counts = confusion_of(own.topics[known], others.grades[known], own.grades[known], scale, len(side.topics))
    estimates = agreement(counts, scale, draws=options.draws, seed=options.seed, alpha=options.alpha)
    return GradesCompared(side.judge, against, side.topics, scale, counts, estimates)


def statistic_rows(compared: GradesCompared) -> Iterator[dict[str, Any]]:
    """Every statistic of two graders."""
    for name in STATISTICS:
        estimate = compared.estimates[name]
        yield _named(compared) | {"statistic": name, **estimate._asdict()}


def confusion_rows(compared: GradesCompared) -> Iterator[dict[str, Any]]:
    """How often each grade meets each other one."""
    for g, grade in enumerate(compared.grades):
        for h, other in enumerate(compared.grades):
            yield _named(compared) | {"grade": other, "other_grade": grade, "count": int(compared.confusion[g, h])}


def topic_rows(compared: GradesCompared) -> Iterator[dict[str, Any]]:
    """The agreement on each topic."""
    scale = np.asarray(compared.grades, float)
    for topic, counts in zip(compared.topics, compared.counts.astype(float), strict=True):
        pairs = int(counts.sum())
        values = {name: float(STATISTICS[name].of(counts, scale)) if pairs else None for name in STATISTICS}
        yield _named(compared) | {"topic": topic, "pairs": pairs, **values}


def _named(compared: GradesCompared) -> dict[str, Any]:
    return {"judge": compared.judge, "against": compared.against, "n": len(compared.topics), "pairs": compared.pairs}
