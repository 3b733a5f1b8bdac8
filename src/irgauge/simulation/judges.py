"""A judge whose errors are known: judgments of a collection with noise, leniency, and favour for one system."""

from __future__ import annotations

from dataclasses import dataclass, fields

import numpy as np

from irgauge.compute.arrays import Bools, Ints
from irgauge.errors import DesignError, InputError
from irgauge.reading.collection import Collection

_TOP = 10  # documents of a list that favour is shown to
Judgments = dict[str, dict[str, int]]  # topic -> docno -> grade


@dataclass(frozen=True)
class JudgeDesign:
    """How a judge errs, in chances of each judgment.

    A noisy judgment has a grade drawn from people's of all pairs, whatever the document is; a lenient one is a grade
    too high; a favour is a grade more for a document among the top 10 of the first system.
    """

    noise: float = 0.2
    leniency: float = 0.1
    favour: float = 0.0

    def __post_init__(self) -> None:
        for field in fields(self):
            if not 0 <= getattr(self, field.name) <= 1:
                raise DesignError(f"{field.name} is {getattr(self, field.name)}; it is a chance, from 0 to 1")

    @classmethod
    def parse(cls, text: str) -> JudgeDesign:
        """As it is written; what is not named has its usual value.

        >>> JudgeDesign.parse("noise=0.3,favour=0.5")
        JudgeDesign(noise=0.3, leniency=0.1, favour=0.5)
        """
        names = [field.name for field in fields(cls)]
        pairs = [part.partition("=")[::2] for part in text.split(",")]
        try:
            values = {name.strip(): float(value) for name, value in pairs}
        except ValueError:
            values = {text: 0.0}
        if not set(values) <= set(names):
            raise InputError(f"'{text}' is not understood; write chances of {', '.join(names)}, such as noise=0.2")
        return cls(**values)


def simulate_judge(collection: Collection, design: JudgeDesign = JudgeDesign(), *, seed: int = 0) -> Judgments:
    """The judgments of a judge on the pairs of a collection.

    >>> from irgauge import load
    >>> runs = load({"1": {"a": 1, "b": 0}}, {"mine": {"1": {"a": 2.0, "b": 1.0}}})
    >>> simulate_judge(runs, JudgeDesign(noise=0, leniency=0))
    {'1': {'a': 1, 'b': 0}}
    """
    rng = np.random.default_rng([seed, 1])
    true = collection.grades[collection.judged_levels]  # judgment
    count = len(true)
    grades = np.where(rng.random(count) < design.noise, rng.permutation(true), true)
    raised = (rng.random(count) < design.leniency).astype(np.int64)
    raised += (rng.random(count) < design.favour) & _at_top(collection)
    most = int(true.max())
    return _by_topic(collection, np.minimum(grades + raised, most))


def _at_top(collection: Collection) -> Bools:
    """Judgment: whether the document is among the first of the first system's list."""
    is_top = np.zeros(len(collection.judged_docs), np.bool_)
    for topic, (start, stop) in enumerate(zip(collection.judged_bounds, collection.judged_bounds[1:], strict=False)):
        first = collection.firsts[topic, 0]
        top = collection.docs[first : first + min(_TOP, collection.lengths[topic, 0])]
        is_top[start:stop] = np.isin(collection.judged_docs[start:stop], top)
    return is_top


def _by_topic(collection: Collection, grades: Ints) -> Judgments:
    names = collection.docnos.gather(collection.judged_docs).to_list()
    bounds = collection.judged_bounds
    return {
        topic: dict(zip(names[bounds[t] : bounds[t + 1]], grades[bounds[t] : bounds[t + 1]].tolist(), strict=True))
        for t, topic in enumerate(collection.topics)
    }
