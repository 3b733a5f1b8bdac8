"""Which algorithm is better, or as good, when each of its runs differs? Mixed models of instances and topics."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from typing import Any, Literal, NamedTuple, get_args

import numpy as np
from numpy.typing import NDArray

from irgauge.errors import DesignError, check_alpha
from irgauge.inference.equivalence import (
    Equivalence,
    Verdict,
    check_margin,
    equivalence,
    smallest_setting,
    verdicts_of_intervals,
)
from irgauge.models.mixed.factors import NO_EFFECT
from irgauge.models.mixed.posterior import HalfT, Posterior, sample
from irgauge.models.mixed.reml import ContrastTest, Freedom, MixedFit, crossed, fit
from irgauge.replicates.instances import InstanceScores
from irgauge.studies.boxes import Boxes

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
ModelName = Literal["topic", "repeated", "nested", "crossed"]
MODELS: dict[ModelName, str] = {
    "topic": "score = algorithm + (topic)",
    "repeated": "score = algorithm + (topic) + (topic:algorithm), instances as repeated observations",
    "nested": "score = algorithm + (instance in algorithm) + (topic) + (topic:algorithm)",
    "crossed": "score = algorithm + (instance, crossed) + (topic) + (topic:algorithm), the one run of a deterministic "
    "algorithm repeated for each instance",
}  # equations 1, 2 and 3 of Jayasinghe et al. (2014), and 3 with crossed instances; random effects in brackets
POPULATIONS: dict[ModelName, str] = {
    "topic": "other topics, these instances of the algorithms",
    "repeated": "other topics, and other instances but for what they share over topics",
    "nested": "other topics and other instances of the algorithms",
    "crossed": "other topics, and other instances but for what they share over topics",
}  # an effect of instances is not modelled, is modelled, or is shared by the two that are compared, and cancels
NOT_WORSE: tuple[Verdict, ...] = ("better", "equivalent", "not worse")


class Pair(NamedTuple):
    """Two algorithms; a difference is of the first from the second."""

    first: str
    second: str


class Setting(NamedTuple):
    """An algorithm as a setting of a series, such as a sampling rate, and what is said of it."""

    algorithm: str
    value: float
    verdict: Verdict
    hpd_verdict: Verdict | None


@dataclass(frozen=True, eq=False)
class Instances:
    """Differences of algorithms over instances and topics, and what can be said of them."""

    scores: InstanceScores
    model: ModelName
    baseline: str | None
    pairs: tuple[Pair, ...]
    fit: MixedFit
    contrasts: tuple[ContrastTest, ...]  # pair: the test of its difference alone, without correction
    tests: Equivalence  # pair: corrected
    intervals: Floats  # bound, pair: with the confidence 1 - alpha, for each pair alone
    freedom: Freedom
    posterior: Posterior | None
    hpd: Floats | None  # bound, pair
    seed: int

    @property
    def formula(self) -> str:
        """The model in words."""
        return MODELS[self.model]

    @property
    def population(self) -> str:
        """What the claims cover."""
        return POPULATIONS[self.model]

    @property
    def alpha(self) -> float:
        """The level of tests and intervals."""
        return self.tests.alpha

    @property
    def margin(self) -> float:
        """The smallest difference of consequence."""
        return self.tests.margin

    @property
    def means(self) -> dict[str, tuple[float, float]]:
        """The mean of each algorithm and its standard error."""
        rows = zip(self.fit.beta.tolist(), self.fit.se.tolist(), strict=True)
        return dict(zip(self.scores.algorithms, rows, strict=True))

    @property
    def verdicts(self) -> tuple[Verdict, ...]:
        """What the tests say of each pair."""
        return self.tests.verdicts

    @property
    def hpd_verdicts(self) -> tuple[Verdict, ...] | None:
        """What the intervals of highest posterior density say of each pair."""
        return None if self.hpd is None else verdicts_of_intervals(self.hpd[0], self.hpd[1], self.margin)

    @cached_property
    def probabilities(self) -> Floats | None:
        """Posterior probabilities of a difference above the margin, within it, and below its negative: kind, pair."""
        if self.posterior is None:
            return None
        draws = [self.posterior.contrast(self.posterior.difference(*pair)) for pair in self._codes]
        margin = self.margin
        return np.array([[np.mean(d > margin), np.mean(np.abs(d) <= margin), np.mean(d < -margin)] for d in draws]).T

    @cached_property
    def alone(self) -> tuple[ContrastTest | None, ...]:
        """The tests of each pair by the model fitted to its two algorithms alone; None where that cannot be fitted.

        The model of all algorithms has one variance of topic:algorithm for all: it makes intervals of pairs that are
        alike too wide, and those of the others too narrow.
        """
        if len(self.scores.algorithms) == 2:
            return self.contrasts
        return tuple(_alone(self.scores.only(pair), self.model, self.freedom) for pair in self.pairs)

    @property
    def _codes(self) -> list[tuple[int, int]]:
        names = self.scores.algorithms
        return [(names.index(pair.first), names.index(pair.second)) for pair in self.pairs]

    def series(self) -> tuple[Setting, ...]:
        """The algorithms whose names differ in the number at their end, against the baseline, by that number.

        Where there are several such series, the longest; one algorithm alone is none.
        """
        if self.baseline is None:
            return ()
        stems = [_stem(pair.first) for pair in self.pairs if setting_of(pair.first) is not None]
        longest = max(stems, key=stems.count, default="")
        if stems.count(longest) < 2:
            return ()
        by_hpd = self.hpd_verdicts or (None,) * len(self.pairs)
        rows = [
            Setting(pair.first, value, said, by)
            for pair, said, by in zip(self.pairs, self.verdicts, by_hpd, strict=True)
            if (value := setting_of(pair.first)) is not None and _stem(pair.first) == longest
        ]
        return tuple(sorted(rows, key=lambda one: one.value))

    def smallest(self, allowed: Sequence[Verdict], *, by_hpd: bool = False) -> float | None:
        """The smallest setting from which on all verdicts are among those allowed; None if there is none."""
        rows = self.series()
        said = [row.hpd_verdict if by_hpd else row.verdict for row in rows]
        return smallest_setting([row.value for row in rows], [one in allowed for one in said])

    def topic_boxes(self, algorithm: str) -> Boxes:
        """The scores of an algorithm's instances on each topic, whiskers to the least and the largest (Figure 1).

        NaN on a topic that none of them has a score on.
        """
        cells = self.scores.cells()[self.scores.algorithm_of == self.scores.algorithms.index(algorithm)]
        ends = np.full((5, cells.shape[1]), np.nan)  # end, topic
        scored = np.isfinite(cells).any(axis=0)
        ends[:, scored] = np.nanquantile(cells[:, scored], (0, 0.25, 0.5, 0.75, 1), axis=0)
        return Boxes(*ends)

    def topic_means(self, algorithms: Sequence[str]) -> Floats:
        """The mean over some algorithms of their mean scores on each topic; of those that have one."""
        cells, of = self.scores.cells(), self.scores.algorithm_of
        sums, counts = np.zeros(cells.shape[1]), np.zeros(cells.shape[1])
        for name in algorithms:
            own = cells[of == self.scores.algorithms.index(name)]
            scored = np.isfinite(own).any(axis=0)
            sums[scored] += np.nanmean(own[:, scored], axis=0)
            counts += scored
        return np.divide(sums, counts, out=np.full(len(sums), np.nan), where=counts > 0)


_NUMBER = re.compile(r"((?:[0-9]+(?:\.[0-9]+)?|\.[0-9]+)(?:e-?[0-9]+)?)%?$")


def setting_of(algorithm: str) -> float | None:
    """The number at the end of a name, as of a sampling rate.

    >>> setting_of("sampled-0.5"), setting_of("rate4%"), setting_of("eps-1e-3"), setting_of("exhaustive")
    (0.5, 4.0, 0.001, None)
    """
    found = _NUMBER.search(algorithm)
    return float(found[1]) if found else None


def _stem(algorithm: str) -> str:
    """A name without the number at its end."""
    return _NUMBER.sub("", algorithm)


def compare_instances(
    scores: InstanceScores,
    *,
    model: ModelName | None = None,
    baseline: str | None = None,
    margin: float = 0.01,
    alpha: float = 0.05,
    correction: str = "holm",
    freedom: Freedom = "satterthwaite",
    posterior: bool = True,
    prior: HalfT | None = None,
    draws: int = 2000,
    seed: int = 0,
    workers: int | None = None,
) -> Instances:
    """Compare algorithms over their instances and over topics, all pairs or each with a baseline.

    By default instances are nested in algorithms where one has several, and the model is that of systems and topics
    where none has. The margin is the smallest difference of consequence. Jayasinghe et al. (SIGIR 2014).
    """
    check_margin(margin)
    check_alpha(alpha)
    chosen = _model(scores, model)
    _check_algorithms(scores.algorithms, baseline)
    y, algorithm, random = _design(scores, chosen)
    fitted = fit(y, algorithm, random)
    pairs = _pairs(scores.algorithms, baseline, fitted.beta)
    codes = [(scores.algorithms.index(pair.first), scores.algorithms.index(pair.second)) for pair in pairs]
    found = [fitted.test(fitted.difference(*pair), df=freedom) for pair in codes]
    tests = equivalence(
        [one.estimate for one in found],
        [one.se for one in found],
        [one.df for one in found],
        margin=margin,
        alpha=alpha,
        correction=correction,
        means=len(scores.algorithms),
    )
    drawn = _drawn(y, algorithm, random, prior=prior, draws=draws, seed=seed, workers=workers) if posterior else None
    return Instances(
        scores=scores,
        model=chosen,
        baseline=baseline,
        pairs=pairs,
        fit=fitted,
        contrasts=tuple(found),
        tests=tests,
        intervals=np.array([one.interval(alpha) for one in found]).T,
        freedom=freedom,
        posterior=drawn,
        hpd=None if drawn is None else np.array([drawn.interval(drawn.difference(*p), alpha=alpha) for p in codes]).T,
        seed=seed,
    )


def _alone(scores: InstanceScores, model: ModelName, freedom: Freedom) -> ContrastTest | None:
    """The test of the first of two algorithms against the second."""
    is_single = len(scores.deterministic) == 2
    try:
        fitted = fit(*_design(scores, "topic" if is_single else model))
    except DesignError:
        return None
    return fitted.test(fitted.difference(0, 1), df=freedom)


def _drawn(y: Floats, algorithm: Ints, random: dict[str, Ints], **options: Any) -> Posterior:  # noqa: ANN401  # passed on
    try:
        return sample(y, algorithm, random, **options)
    except DesignError as error:
        hint = "with few instances more draws help, such as --draws 10000; --no-posterior leaves the tests alone"
        raise DesignError(f"the posterior cannot be relied on: {error} ({hint})") from None


def _model(scores: InstanceScores, given: ModelName | None) -> ModelName:
    several = bool((scores.instance_counts > 1).any())
    if given is None:
        return "nested" if several else "topic"
    if given not in get_args(ModelName):
        raise DesignError(f"model '{given}' is unknown; it is {', '.join(get_args(ModelName))}")
    if given != "topic" and not several:
        message = "every algorithm has one instance, so that instances cannot be told from the rest"
        raise DesignError(f"{message}; the model 'topic' still applies, or score more instances")
    return given


def _check_algorithms(names: Sequence[str], baseline: str | None) -> None:
    if len(names) < 2:
        raise DesignError(f"there is one algorithm, '{names[0]}'; at least 2 are needed for a comparison")
    if baseline is not None and baseline not in names:
        raise DesignError(f"there is no algorithm '{baseline}' to be the baseline; there are {', '.join(names)}")


def _pairs(names: Sequence[str], baseline: str | None, means: Floats) -> tuple[Pair, ...]:
    """Each algorithm with the baseline; or all pairs, best first by fitted means, as raw ones go by missing cells."""
    if baseline is None:
        best_first = [names[a] for a in np.argsort(-means, kind="stable")]
        return tuple(Pair(*pair) for pair in combinations(best_first, 2))
    return tuple(Pair(name, baseline) for name in names if name != baseline)


def _design(scores: InstanceScores, model: ModelName) -> tuple[Floats, Ints, dict[str, Ints]]:
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
    return y, algorithm, random
