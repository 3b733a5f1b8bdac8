"""Which algorithm is better, or as good, when each of its runs differs? Mixed models of instances and topics."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, cast

import numpy as np

from irgauge.arrays import Floats
from irgauge.choices import known
from irgauge.errors import DesignError
from irgauge.inference.equivalence import Equivalence, Verdict, equivalence, verdicts_of_intervals
from irgauge.models.mixed.posterior import Posterior, sample
from irgauge.models.mixed.reml import ContrastTest, Freedom, MixedFit, fit
from irgauge.options import asking
from irgauge.provenance import Provenance
from irgauge.replicates.instances import InstanceScores
from irgauge.studies.instances import records
from irgauge.studies.instances.models import FORMULAS, POPULATIONS, Factors, ModelName, chosen_model, factors_of
from irgauge.studies.instances.options import Asked, corrections, degrees_of_freedom
from irgauge.studies.instances.pairs import Pair, pairs_of
from irgauge.studies.instances.scored import InstanceData, scored
from irgauge.studies.instances.series import Setting, Smallest, series_of, smallest_of
from irgauge.studies.instances.singles import SingleTests, single_tests_of
from irgauge.studies.instances.sizes import DifferenceComponents, Plan, kind_of, plan
from irgauge.studies.result import Result

if TYPE_CHECKING:
    import polars as pl


@dataclass(frozen=True, eq=False, repr=False)
class AlgorithmsCompared(Result):
    """Differences of algorithms over their instances and topics, and what can be said of them."""

    study: ClassVar[str] = "instances"

    scores: InstanceScores
    source: Provenance  # of the scores
    model: ModelName
    baseline: str | None
    pairs: tuple[Pair, ...]
    fit: MixedFit
    contrasts: tuple[ContrastTest, ...]  # pair: the test of its difference alone, without correction
    tests: Equivalence  # pair: corrected
    intervals: Floats  # bound, pair: with the confidence 1 - alpha, for each pair alone
    df: Freedom
    posterior: Posterior | None
    hpd: Floats | None  # bound, pair: the interval of highest posterior density
    seed: int
    width: float  # of an interval, of which it is told what it needs
    shown: Pair | None  # in the chart of topics

    @property
    def measure(self) -> str:
        """The measure, where it is known."""
        return self.scores.measure or "score"

    @property
    def formula(self) -> str:
        """The model in words."""
        return FORMULAS[self.model]

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
        """The smallest difference that matters."""
        return self.tests.margin

    @property
    def means(self) -> dict[str, tuple[float, float]]:
        """The fitted mean of each algorithm and its standard error."""
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
        draws = [self.posterior.contrast(self.posterior.difference(*pair)) for pair in _codes(self.scores, self.pairs)]
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
        return tuple(_alone(self.scores.only(pair), self.model, self.df) for pair in self.pairs)

    @property
    def series(self) -> tuple[Setting, ...]:
        """The algorithms whose names differ in the number at their end, against the baseline, by that number."""
        return () if self.baseline is None else series_of(self.pairs, self.verdicts, self.hpd_verdicts)

    def smallest(self, *, by_hpd: bool = False) -> Smallest:
        """From which setting of the series on all are not worse than the baseline, and from which on equivalent."""
        return smallest_of(self.series, by_hpd=by_hpd)

    @cached_property
    def singles(self) -> tuple[SingleTests, ...]:
        """What the tests of single instances would have said: pair, level."""
        return single_tests_of(self.scores, self.pairs)

    @cached_property
    def plans(self) -> tuple[Plan, ...]:
        """What an interval of ± width needs, for each kind of comparison that there is, from the fitted components."""
        parts, topics, single = DifferenceComponents.of(self.fit), len(self.scores.topics), self.scores.deterministic
        kinds = dict.fromkeys(kind_of(pair, single, self.model) for pair in self.pairs)
        return tuple(plan(parts, kind, topics, self.width, model=self.model, alpha=self.alpha) for kind in kinds)

    @property
    def provenance(self) -> Provenance:
        """The model, its tests and what they cover, and what was measured."""
        scores, drawn = self.scores, self.posterior
        tested = {
            "model": self.model,
            "formula": self.formula,
            "df": self.df,
            "correction": self.tests.correction,
            "family": "the pairs, each kind of test by itself",
            "margin": self.margin,
            "alpha": self.alpha,
            "population": self.population,
            "posterior": None if drawn is None else records.posterior_record(drawn),
            "seed": None if drawn is None else self.seed,
            "measures": None if scores.measure is None else (scores.measure,),
            "instances": dict(zip(scores.algorithms, scores.instance_counts.tolist(), strict=True)),
            "missing_cells": scores.missing or None,
        }
        return Provenance({}) | tested | self.source | {"topics": len(scores.topics)}

    def frame(self) -> pl.DataFrame:
        """Every number of every pair."""
        import polars as pl

        return pl.DataFrame(records.pair_records(self), infer_schema_length=None)

    def content(self) -> dict[str, Any]:
        """Pairs, algorithms, components, single instances, what is needed, and whether the draws converged."""
        return {"measure": self.scores.measure, "model": self.model, **records.content(self)}


@asking(Asked)
def instances(data: InstanceData, asked: Asked) -> AlgorithmsCompared:
    """Compare algorithms over their instances and over topics, all pairs or each with a baseline.

    The data are runs, each of which is an instance of what a manifest or a pattern says, or `InstanceScores`. By
    default instances are nested in algorithms where one has several, and the model is that of systems and topics where
    none has. A difference is tested against 0 and, by two one-sided tests, against the margin, which is the smallest
    difference that matters. Jayasinghe et al. (SIGIR 2014).

    >>> import polars as pl
    >>> rows = {"algorithm": list("aaaabb"), "instance": list("112211"), "topic": list("xyxyxy")}
    >>> scores = InstanceScores.from_frame(pl.DataFrame(rows | {"score": [0.9, 0.7, 0.8, 0.7, 0.5, 0.2]}))
    >>> instances(scores, posterior=False, baseline="b").verdicts
    ('inconclusive',)
    """
    scores, source = scored(data, asked)
    baseline, shown = _named(scores.algorithms, asked)
    df = cast(Freedom, known(asked.df, tuple(degrees_of_freedom()), "degrees of freedom"))
    model = chosen_model(scores, asked.model)
    factors = factors_of(scores, model)
    fitted = fit(*factors)
    pairs = pairs_of(scores.algorithms, baseline, fitted.beta)
    codes = _codes(scores, pairs)
    found = tuple(fitted.test(fitted.difference(*pair), df=df) for pair in codes)
    drawn = _drawn(factors, asked) if asked.posterior else None
    return AlgorithmsCompared(
        scores=scores,
        source=source,
        model=model,
        baseline=baseline,
        pairs=pairs,
        fit=fitted,
        contrasts=found,
        tests=_tests(found, len(scores.algorithms), asked),
        intervals=np.array([one.interval(asked.alpha) for one in found]).T,
        df=df,
        posterior=drawn,
        hpd=None if drawn is None else _hpd(drawn, codes, asked.alpha),
        seed=asked.seed,
        width=asked.width,
        shown=shown,
    )


def _codes(scores: InstanceScores, pairs: Sequence[Pair]) -> list[tuple[int, int]]:
    """The places of two algorithms among all."""
    return [(scores.algorithms.index(pair.first), scores.algorithms.index(pair.second)) for pair in pairs]


def _named(names: Sequence[str], asked: Asked) -> tuple[str | None, Pair | None]:
    """The baseline and the pair asked for, which must be among the algorithms."""
    if len(names) < 2:
        raise DesignError(f"there is one algorithm, '{names[0]}'; at least 2 are needed for a comparison")
    baseline = None if asked.baseline is None else known(asked.baseline, names, "baseline")
    shown = None if asked.pair is None else Pair(*(known(name, names, "algorithm") for name in asked.pair))
    return baseline, shown


def _tests(found: Sequence[ContrastTest], algorithms: int, asked: Asked) -> Equivalence:
    return equivalence(
        [one.estimate for one in found],
        [one.se for one in found],
        [one.df for one in found],
        margin=asked.margin,
        alpha=asked.alpha,
        correction=known(asked.correction, tuple(corrections()), "correction"),
        means=algorithms,
    )


def _alone(scores: InstanceScores, model: ModelName, df: Freedom) -> ContrastTest | None:
    """The test of the first of two algorithms against the second."""
    is_single = len(scores.deterministic) == 2
    try:
        fitted = fit(*factors_of(scores, "topic" if is_single else model))
    except DesignError:
        return None
    return fitted.test(fitted.difference(0, 1), df=df)


def _drawn(factors: Factors, asked: Asked) -> Posterior:
    try:
        return sample(*factors, draws=asked.draws, seed=asked.seed, workers=asked.workers)
    except DesignError as error:
        hint = "with few instances more draws help, such as 10000; without a posterior there are the tests alone"
        raise DesignError(f"the posterior did not converge: {error} ({hint})") from None


def _hpd(drawn: Posterior, codes: Sequence[tuple[int, int]], alpha: float) -> Floats:
    return np.array([drawn.interval(drawn.difference(*pair), alpha=alpha) for pair in codes]).T
