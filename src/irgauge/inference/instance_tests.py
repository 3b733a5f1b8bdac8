"""How each pair of algorithms is tested: with variances of their own, or with one for all, as in the paper."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from typing import Literal, NamedTuple, get_args

import numpy as np

from irgauge.choices import known
from irgauge.compute.arrays import Floats, Ints
from irgauge.errors import DesignError
from irgauge.inference.outcomes import ratio
from irgauge.inference.verdicts import Equivalence, Parts, equivalence
from irgauge.models.mixed.factors import NO_EFFECT
from irgauge.models.mixed.reml import ContrastTest, Freedom, MixedFit, crossed
from irgauge.models.mixed.squares import OneAlgorithm, TwoAlgorithms
from irgauge.replicates.instances import InstanceScores
from irgauge.scoring.direction import HIGHER, Direction, sign_of

ModelName = Literal["topic", "repeated", "nested", "crossed"]
Variances = Literal["own", "common"]  # of each algorithm, by mean squares; of all, by REML, as in the paper
MEAN_SQUARES, MIXED_MODEL = "mean-squares", "mixed-model"  # how a pair is tested, with own and with common variances
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
_NAMED = 3  # algorithms with one run; of more, their number


def instances_covered(scores: InstanceScores, model: ModelName) -> str:
    """What claims cover: of an algorithm with one run, which shows nothing of others, this run."""
    single, covered = scores.deterministic, POPULATIONS[model]
    if scores.members is not None:
        covered = covered.replace("instances", "groups of instances", 1)
    if not single or model == "topic":
        return covered
    names = " and ".join(single) if len(single) <= _NAMED else f"each of {len(single)} algorithms"
    return f"{covered}, but this run of {names}"


class Factors(NamedTuple):
    """What a mixed model is fitted to."""

    y: Floats  # row
    algorithm: Ints  # row: the fixed factor
    random: dict[str, Ints]  # random factor -> its level in each row


def chosen_model(scores: InstanceScores, model: str | None) -> ModelName:
    """The model asked for; nested where an algorithm has several instances, else that of topics, if none is."""
    several = bool((scores.instance_counts > 1).any())
    if model is None:
        return "nested" if several else "topic"
    name = known(model, FORMULAS, "model")
    if name != "topic" and not several:
        message = "every algorithm has one instance, so that instances cannot be separated from the rest"
        raise DesignError(f"{message}; the model 'topic' still applies, or score more instances")
    return name


def chosen_variances(variances: str, model: ModelName) -> Variances:
    """The variances asked for, which a model must be able to have."""
    name = known(variances, VARIANCES, "variances")
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


class Pair(NamedTuple):
    """Two algorithms; a difference is of the one from what it is against."""

    system: str
    against: str


def pairs_of(scores: InstanceScores, baseline: str | None, means: Floats) -> tuple[Pair, ...]:
    """Each algorithm with the baseline; or all pairs, best first by fitted means, as raw ones go by missing cells."""
    names = scores.algorithms
    if baseline is None:
        best_first = [names[a] for a in np.argsort(-sign_of(scores.direction) * means, kind="stable")]
        return tuple(Pair(*pair) for pair in combinations(best_first, 2))
    return tuple(Pair(name, baseline) for name in names if name != baseline)


class Claiming(NamedTuple):
    """Of what size, at which level and with which correction over the pairs differences are claimed."""

    margin: float
    alpha: float
    correction: str
    share: float = 1.0  # of α
    factors: tuple[float, float] = (1.0, 1.0)  # of the second's scores, where the margin is a share of its mean
    direction: Direction = HIGHER  # which scores are better


class TestedPairs(NamedTuple):
    """The tests of all pairs."""

    contrasts: tuple[ContrastTest, ...]  # pair: the test of its difference alone, without correction
    tests: Equivalence  # pair: corrected
    intervals: Floats  # bound, pair: with the confidence 1 - alpha, for each pair alone


def squares_of(scores: InstanceScores, pairs: Sequence[Pair]) -> dict[Pair, TwoAlgorithms | DesignError]:
    """The mean squares of each pair, on the topics that both have scores on; or why there are none."""
    cells = scores.cells()  # instance, topic
    tables = {name: cells[scores.algorithm_of == number] for number, name in enumerate(scores.algorithms)}
    if not np.isfinite(cells).all():
        return {pair: _squares(tables[pair.system], tables[pair.against]) for pair in pairs}
    each = {name: OneAlgorithm.of(table) for name, table in tables.items()}
    return {pair: TwoAlgorithms(each[pair.system], each[pair.against]) for pair in pairs}


def _squares(first: Floats, second: Floats) -> TwoAlgorithms | DesignError:
    try:
        return TwoAlgorithms.of(first, second)
    except DesignError as error:
        return error


def _all_there(squares: Mapping[Pair, TwoAlgorithms | DesignError]) -> Iterator[TwoAlgorithms]:
    for pair, result in squares.items():
        if isinstance(result, DesignError):
            message = f"{pair.system} and {pair.against} cannot be compared with variances of their own: {result}"
            raise DesignError(f"{message}; or leave one out, or take variances common to all algorithms")
        yield result


def tested_by_squares(
    squares: Mapping[Pair, TwoAlgorithms | DesignError], model: ModelName, algorithms: int, claiming: Claiming
) -> TestedPairs:
    """By mean squares of each pair; where claims are of these instances only, by those over topics."""
    kept, pairs = 1 if model == "topic" else 3, list(_all_there(squares))
    own, worse, better = (
        _parts([pair.with_factor(factor) for pair in pairs], kept) for factor in (1.0, *claiming.factors)
    )
    difference = np.array([pair.difference for pair in pairs])
    return _tested(difference, own, algorithms, claiming, (worse, better))


def _parts(pairs: Sequence[TwoAlgorithms], kept: int) -> Parts:
    """The first parts of the variances."""
    variance = np.array([pair.variance[:kept] for pair in pairs])
    return Parts(variance.T, np.array([pair.df[:kept] for pair in pairs], float).T)


def tested_by_reml(fit: MixedFit, codes: Sequence[tuple[int, int]], df: Freedom, claiming: Claiming) -> TestedPairs:
    """By the model of all algorithms, with variances common to all."""
    tests = [fit.test(fit.difference(*pair), df=df) for pair in codes]
    parts = Parts.student([test.se for test in tests], [test.df for test in tests])
    return _tested(np.array([test.estimate for test in tests]), parts, len(fit.beta), claiming, (parts, parts))


def _tested(
    difference: Floats, parts: Parts, algorithms: int, claiming: Claiming, sides: tuple[Parts, Parts]
) -> TestedPairs:
    half, t, p = parts.half_width(claiming.alpha), ratio(difference, parts.se), 2 * parts.tail(np.abs(difference))
    columns = (difference, parts.se, parts.freedom(claiming.alpha), t, p)
    tests = equivalence(
        difference,
        parts,
        margin=claiming.margin,
        alpha=claiming.alpha,
        correction=claiming.correction,
        means=algorithms,
        share=claiming.share,
        sides=sides,
        direction=claiming.direction,
    )
    rows = zip(*(column.tolist() for column in columns), strict=True)
    return TestedPairs(
        tuple(ContrastTest(*row) for row in rows), tests, np.array([difference - half, difference + half])
    )
