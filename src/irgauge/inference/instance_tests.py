"""How each pair of algorithms is tested: with variances of their own, or with one for all, as in the paper."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import combinations
from typing import Literal, NamedTuple, get_args

import numpy as np

from irgauge.choices import known
from irgauge.compute.arrays import Floats, Ints
from irgauge.errors import DesignError
from irgauge.inference.outcomes import ratio
from irgauge.inference.sampled_squares import SampledAlgorithms, sampled_algorithm
from irgauge.inference.sampling import Sampling
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
DRAWN: Mapping[str, str] = {
    "topics": "other topics",
    "clusters": "other clusters of topics",
    "traffic": "queries drawn as in the traffic",
}
_NAMED = 3  # algorithms with one run; of more, their number


def topics_drawn(sampling: Sampling | None) -> str:
    """The topics that claims cover."""
    return DRAWN["topics" if sampling is None else sampling.drawn]


def instances_covered(scores: InstanceScores, model: ModelName, sampling: Sampling | None = None) -> str:
    """What claims cover: of an algorithm with one run, which shows nothing of others, this run."""
    single, covered = scores.deterministic, POPULATIONS[model].replace(DRAWN["topics"], topics_drawn(sampling), 1)
    if scores.members is not None:
        covered = covered.replace("instances", "groups of instances", 1)
    if not single or model == "topic":
        return covered
    names = " and ".join(single) if len(single) <= _NAMED else f"each of {len(single)} algorithms"
    return f"{covered}, of {names} this run only"


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


Squares = Mapping[Pair, TwoAlgorithms | DesignError]  # of each pair; or why there are none


def squares_of(scores: InstanceScores, pairs: Sequence[Pair], sampling: Sampling | None = None) -> Squares:
    """The mean squares of each pair, on the topics that both have scores on; or why there are none."""
    return squares_on(tables_of(scores), pairs, sampling)


def tables_of(scores: InstanceScores) -> dict[str, Floats]:
    """The values[instance, topic] of each algorithm."""
    cells = scores.cells()
    return {name: cells[scores.algorithm_of == number] for number, name in enumerate(scores.algorithms)}


def squares_on(tables: Mapping[str, Floats], pairs: Sequence[Pair], sampling: Sampling | None) -> Squares:
    """The same of the values[instance, topic] of algorithms."""
    if not all(np.isfinite(table).all() for table in tables.values()):
        return {pair: _squares(tables[pair.system], tables[pair.against], sampling) for pair in pairs}
    if sampling is None:
        each = {name: OneAlgorithm.of(table) for name, table in tables.items()}
        return {pair: TwoAlgorithms(each[pair.system], each[pair.against]) for pair in pairs}
    each = {name: sampled_algorithm(table, sampling) for name, table in tables.items()}
    return {pair: SampledAlgorithms(each[pair.system], each[pair.against], sampling) for pair in pairs}


def _squares(first: Floats, second: Floats, sampling: Sampling | None) -> TwoAlgorithms | DesignError:
    try:
        if sampling is None:
            return TwoAlgorithms.of(first, second)
        return SampledAlgorithms.sampled(first, second, sampling)
    except DesignError as error:
        other = ", or take variances common to all algorithms" if sampling is None else ""
        return DesignError(f"{error}; or leave one out{other}")


def all_there(squares: Squares) -> Iterator[TwoAlgorithms]:
    """Of all pairs; one that has none is refused."""
    for pair, result in squares.items():
        if isinstance(result, DesignError):
            raise DesignError(
                f"{pair.system} and {pair.against} cannot be compared with variances of their own: {result}"
            )
        yield result


def tested_by_squares(
    squares: Squares,
    model: ModelName,
    algorithms: int,
    claiming: Claiming,
    guard: Callable[[Parts], Parts] = lambda parts: parts,  # noqa: PT028  # no test of pytest
) -> TestedPairs:
    """By mean squares of each pair; where claims are of these instances only, by those over topics.

    What guards may take the parts of all variances to be larger.
    """
    pairs = list(all_there(squares))
    own, worse, better = (
        guard(parts_of([pair.with_factor(factor) for pair in pairs], model)) for factor in (1.0, *claiming.factors)
    )
    difference = np.array([pair.difference for pair in pairs])
    return _tested(difference, own, algorithms, claiming, (worse, better))


def parts_of(pairs: Sequence[TwoAlgorithms], model: ModelName) -> Parts:
    """The parts of the variances that count: of topics, and of instances where claims cover others."""
    kept = 1 if model == "topic" else 3
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
