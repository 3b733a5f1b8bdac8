"""Models of the scores of algorithms on topics: what each one says and covers, and the factors that it has."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, NamedTuple, get_args

import numpy as np

from irgauge.arrays import Floats, Ints
from irgauge.choices import known
from irgauge.errors import DesignError
from irgauge.models.mixed.factors import NO_EFFECT
from irgauge.models.mixed.reml import crossed
from irgauge.replicates.instances import InstanceScores

ModelName = Literal["topic", "repeated", "nested", "crossed"]
Variances = Literal["own", "common"]  # of each algorithm, by mean squares; of all, by REML, as in the paper
VARIANCES: tuple[Variances, ...] = get_args(Variances)
FORMULAS: Mapping[ModelName, str] = {
    "topic": "score = algorithm + (topic)",
    "repeated": "score = algorithm + (topic) + (topic:algorithm), instances as repeated observations",
    "nested": "score = algorithm + (instance in algorithm) + (topic) + (topic:algorithm)",
    "crossed": "score = algorithm + (instance, crossed) + (topic) + (topic:algorithm), the one run of a deterministic "
    "algorithm repeated for each instance",
}  # equations 1, 2 and 3 of Jayasinghe et al. (2014), and 3 with crossed instances; random effects in brackets
POPULATIONS: Mapping[ModelName, str] = {
    "topic": "other topics, these instances of the algorithms",
    "repeated": "other topics, and other instances but for what they share over topics",
    "nested": "other topics and other instances of the algorithms",
    "crossed": "other topics, and other instances but for what they share over topics",
}  # an effect of instances is not modelled, is modelled, or is shared by the two that are compared, and cancels


class Factors(NamedTuple):
    """What a mixed model is fitted to."""

    y: Floats  # row
    algorithm: Ints  # row: the fixed factor
    random: dict[str, Ints]  # random factor -> its level in each row


def chosen_model(scores: InstanceScores, given: str | None) -> ModelName:
    """The model asked for; nested where an algorithm has several instances, else that of topics, if none is."""
    several = bool((scores.instance_counts > 1).any())
    if given is None:
        return "nested" if several else "topic"
    name = known(given, FORMULAS, "model")
    if name != "topic" and not several:
        message = "every algorithm has one instance, so that instances cannot be separated from the rest"
        raise DesignError(f"{message}; the model 'topic' still applies, or score more instances")
    return name


def chosen_variances(given: str, model: ModelName) -> Variances:
    """The variances asked for, which a model must be able to have."""
    name = known(given, VARIANCES, "variances")
    if name == "own" and model in ("repeated", "crossed"):
        message = f"the model '{model}' is the paper's, whose variances are common to all algorithms"
        raise DesignError(f"{message}; ask for the variances 'common' too, or leave the model out")
    return name


def factors_of(scores: InstanceScores, model: ModelName) -> Factors:
    """The values, the fixed factor and the random factors of a model."""
    y, algorithm, topic, instance = scores.scores, scores.algorithm, scores.topic, scores.instance
    if model == "crossed":
        rows, instance = crossed(algorithm, instance)
        y, algorithm, topic = y[rows], algorithm[rows], topic[rows]
    elif model == "nested":
        instance = np.where(scores.instance_counts[algorithm] > 1, instance, NO_EFFECT)
    random = {"topic": topic}
    if model != "topic":
        random["topic:algorithm"] = topic * len(scores.algorithms) + algorithm
    if model in ("nested", "crossed"):
        random = {"instance": instance, **random}
    return Factors(y, algorithm, random)
