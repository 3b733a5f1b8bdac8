"""Which algorithm is better, or as good, when each of its runs differs? Mixed models of instances and topics."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, ClassVar, cast

import numpy as np

from irgauge.choices import known
from irgauge.compute.arrays import Floats
from irgauge.errors import DesignError
from irgauge.inference import facts
from irgauge.inference.hierarchy import Standing
from irgauge.inference.instance_tests import (
    FORMULAS,
    Claiming,
    ModelName,
    Pair,
    Variances,
    chosen_model,
    chosen_variances,
    factors_of,
    instances_covered,
    pairs_of,
    squares_of,
    tables_of,
    tested_by_reml,
    tested_by_squares,
)
from irgauge.inference.leaders import Leaders
from irgauge.inference.sampled_squares import sampled_mean
from irgauge.inference.sampling import Sampling
from irgauge.inference.slices import Heterogeneity, SmallSlice
from irgauge.inference.verdicts import Equivalence, Verdict, verdicts_of_intervals
from irgauge.models.mixed.diagnostics import hpd_interval
from irgauge.models.mixed.posterior import Posterior
from irgauge.models.mixed.reml import ContrastTest, Freedom, MixedFit, fit
from irgauge.options.verbs import verb
from irgauge.provenance import Fact, Provenance
from irgauge.reading.topic_table import topic_table
from irgauge.replicates import facts as data_facts
from irgauge.replicates.given import InstanceData, opened_instances
from irgauge.replicates.instances import InstanceScores
from irgauge.scoring.direction import LOWER, sign_of
from irgauge.scoring.measures import Measure, cut, of_differences
from irgauge.studies.instances import records
from irgauge.studies.instances.further_questions import (
    SeriesSetting,
    SingleTests,
    Smallest,
    Unequal,
    series_of,
    single_tests_of,
    smallest_of,
    unequal_variances,
)
from irgauge.studies.instances.options import InstancesOptions, corrections, degrees_of_freedom
from irgauge.studies.instances.posterior import drawn
from irgauge.studies.instances.slicing import IgnoredClusters, InstanceSlice, ignored_clusters, on_slices
from irgauge.studies.result import Result
from irgauge.studies.sampled import sampling
from irgauge.wording import counted

_MANY_PAIRS = 5_000  # of more it is not computed how much the prior matters


def posterior_told(drawn: Mapping[str, Any] | None) -> Fact:
    """How the posterior was drawn."""
    if drawn is None:
        return Fact("posterior", None)
    chains = f"{drawn['chains']} chains × {drawn['draws']:,} draws"
    text = f"posterior by Gibbs sampling, {chains}, prior of standard deviations: {drawn['prior']}"
    return Fact("posterior", drawn, text)


@dataclass(frozen=True, eq=False, repr=False)
class AlgorithmsCompared(Result):
    """Differences of algorithms over their instances and topics, and what can be said of them."""

    study: ClassVar[str] = "instances"
    part: ClassVar[str] = "pair of algorithms"

    scores: InstanceScores
    source: Provenance  # of the scores
    model: ModelName
    baseline: str | None
    pairs: tuple[Pair, ...]
    fit: MixedFit
    contrasts: tuple[ContrastTest, ...]  # pair: the test of its difference alone, without correction
    tests: Equivalence  # pair: corrected
    intervals: Floats  # bound, pair: with the confidence 1 - alpha, for each pair alone
    variances: Variances
    df: Freedom | None  # where variances are common
    posterior: Posterior | None
    undrawn: str | None  # why there is no posterior, where one was asked for
    hpd: Floats | None  # bound, pair: the interval of highest posterior density
    seed: int
    shown: Pair | None  # in the chart of topics
    standing: Standing  # on a page
    slices: tuple[InstanceSlice, ...] = ()  # claims on kinds of topics
    is_guessed: bool = False  # whether its name sounds as if less were better, and nothing was said of it
    heterogeneity: tuple[Heterogeneity, ...] = ()  # whether a difference is the same on all kinds
    small_slices: tuple[SmallSlice, ...] = ()  # kinds that are too small to test
    sampling: Sampling | None = None  # clusters and weights of topics; None: drawn one by one, and alike

    @property
    def parts(self) -> Mapping[tuple[str, str], ContrastTest]:
        """The two algorithms of a pair -> the test of their difference alone."""
        return {(pair.system, pair.against): test for pair, test in zip(self.pairs, self.contrasts, strict=True)}

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
        return instances_covered(self.scores, self.model, self.sampling)

    @property
    def alpha(self) -> float:
        """The level of tests and intervals."""
        return self.tests.alpha

    @property
    def margin(self) -> float:
        """The smallest difference that matters."""
        return self.tests.margin

    @cached_property
    def means(self) -> dict[str, tuple[float, float]]:
        """The fitted mean of each algorithm and its standard error; in clusters or with weights, those of sums."""
        if self.sampling is not None:
            return _sampled_means(self.scores, self.sampling)
        rows = zip(self.fit.beta.tolist(), self.fit.se.tolist(), strict=True)
        return dict(zip(self.scores.algorithms, rows, strict=True))

    @property
    def ranked(self) -> list[tuple[str, tuple[float, float]]]:
        """The same, best first."""
        sign = sign_of(self.scores.direction)
        return sorted(self.means.items(), key=lambda item: -sign * item[1][0])

    @property
    def leaders(self) -> Leaders:
        """Which algorithms are ahead, by the fitted mean as it is shown."""
        ranked = self.ranked
        ahead = Leaders.of([name for name, _ in ranked], [mean for _, (mean, _) in ranked])
        return replace(ahead, mean=Measure.read(self.measure).shown(ahead.mean))

    @property
    def verdicts(self) -> tuple[Verdict, ...]:
        """What the tests say of each pair."""
        return self.tests.verdicts

    @cached_property
    def hpd_verdicts(self) -> tuple[Verdict, ...] | None:
        """What the intervals of highest posterior density say of each pair."""
        if self.hpd is None:
            return None
        return verdicts_of_intervals(self.hpd[0], self.hpd[1], self.margin, self.scores.direction)

    @cached_property
    def probabilities(self) -> Floats | None:
        """Posterior probabilities of being better by more than the margin, within it, and worse: kind, pair."""
        if self.posterior is None:
            return None
        sign = sign_of(self.scores.direction)
        draws = (sign * self.posterior.differences(*pair) for pair in _codes(self.scores, self.pairs))
        margin = self.margin
        return np.array([[np.mean(d > margin), np.mean(np.abs(d) <= margin), np.mean(d < -margin)] for d in draws]).T

    @cached_property
    def unequal(self) -> Unequal | None:
        """The two algorithms whose variances differ most surely; None if none do."""
        return unequal_variances(self.scores, self.sampling)

    @cached_property
    def influence(self) -> tuple[float, ...] | None:
        """How many times as wide HPD intervals would be with a prior of instances twice as wide: pair.

        None without a posterior, without an effect of instances, or where there are very many pairs.
        """
        posterior = self.posterior
        if posterior is None or "instance" not in posterior.names or len(self.pairs) > _MANY_PAIRS:
            return None
        contrasts = (posterior.difference(*pair) for pair in _codes(self.scores, self.pairs))
        return tuple(posterior.influence(contrast, "instance", alpha=self.alpha) for contrast in contrasts)

    @property
    def series(self) -> tuple[SeriesSetting, ...]:
        """The algorithms whose names differ in the number at their end, against the baseline, by that number."""
        return () if self.baseline is None else series_of(self.pairs, self.verdicts, self.hpd_verdicts)

    def smallest(self, *, by_hpd: bool = False) -> Smallest:
        """From which setting of the series on all are not worse than the baseline, and from which on equivalent."""
        return smallest_of(self.series, by_hpd=by_hpd)

    @cached_property
    def singles(self) -> tuple[SingleTests, ...]:
        """What the tests of single instances would have said: pair, level."""
        return single_tests_of(self.scores.members or self.scores, self.pairs, self.sampling)

    @cached_property
    def ignored(self) -> tuple[IgnoredClusters, ...]:
        """Columns that look like ones of clusters, by which less would be said; none where it is said how to take them.

        With common variances there are no clusters.
        """
        if self.sampling is not None or self.variances != "own":
            return ()
        claiming = Claiming(
            self.margin, self.alpha, self.tests.correction, self.standing.share, direction=self.scores.direction
        )
        return tuple(ignored_clusters(self.scores, self.pairs, self.verdicts, self.model, claiming))

    @property
    def provenance(self) -> Provenance:
        """The model, its tests and what they cover, and what was measured."""
        scores, posterior = self.scores, self.posterior
        return Provenance.of(
            facts.model(self.model),
            facts.formula(self.formula),
            facts.variances(self.variances),
            facts.df(self.df),
            facts.correction(self.tests.correction),
            facts.family(f"all tests of {counted(len(self.pairs), 'pair')}{_at(self.standing.share)}"),
            facts.margin(self.margin),
            facts.alpha(self.alpha),
            facts.population(self.population),
            facts.sampling(self.sampling),
            posterior_told(None if posterior is None else records.posterior_record(posterior)),
            data_facts.seed(None if posterior is None else self.seed),
            data_facts.measures(None) if scores.measure is None else data_facts.scores_by((scores.measure,)),
            data_facts.instances(dict(zip(scores.algorithms, scores.instance_counts.tolist(), strict=True))),
            data_facts.missing_cells(scores.missing or None),
            self.source,
            data_facts.topics(len(scores.topics)),
        )

    def frame_rows(self, name: str) -> Iterable[Mapping[str, Any]]:
        """Pairs, algorithms, components of the variance, tests of single instances, or diagnostics of draws."""
        return records.ROWS[name](self)

    def content(self) -> dict[str, Any]:
        """Pairs, algorithms, components, single instances, and whether the draws converged."""
        return {"measure": self.scores.measure, "model": self.model, **records.content(self)}


def _at(share: float) -> str:
    return "" if share == 1 else f", with {share:.3g} of α"


@verb(InstancesOptions)
def instances(data: InstanceData, options: InstancesOptions) -> AlgorithmsCompared:
    """Compare algorithms over their instances and over topics, all pairs or each with a baseline.

    The data are runs, each of which is an instance of what a manifest or a pattern says, or `InstanceScores`. By
    default instances are nested in algorithms where one has several, and the model is that of systems and topics where
    none has. A difference is tested against 0 and, by two one-sided tests, against the margin, which is the smallest
    difference that matters: by mean squares, each algorithm with variances of its own, or with variances="common" by
    the mixed model of Jayasinghe et al. (SIGIR 2014).

    >>> import polars as pl
    >>> rows = {"algorithm": list("aaaabb"), "instance": list("112211"), "topic": list("xyxyxy")}
    >>> scores = InstanceScores.from_frame(pl.DataFrame(rows | {"score": [0.9, 0.7, 0.8, 0.7, 0.5, 0.2]}))
    >>> instances(scores, posterior=False, baseline="b").verdicts
    ('inconclusive',)
    """
    scores, source = options.wanted.scored(opened_instances(data, options.workers))
    if options.topics_table is not None:
        scores = scores.with_topics(topic_table(options.topics_table))
    sampled = sampling(scores, options)
    baseline, shown = _named(scores.algorithms, options)
    model = chosen_model(scores, options.model)
    variances, df = chosen_variances(options.variances, model), _freedom(options)
    factors = factors_of(scores, model)
    fitted = fit(*factors)
    means = fitted.beta if sampled is None else np.array([mean for mean, _ in _sampled_means(scores, sampled).values()])
    pairs = pairs_of(scores, baseline, means)
    codes = _codes(scores, pairs)
    standing, correction = options.standing, known(options.correction, tuple(corrections()), "correction")
    share = 1.0 if standing.has_primary else standing.share
    claiming = Claiming(options.margin, options.alpha, correction, share, direction=scores.direction)
    tested = (
        tested_by_squares(squares_of(scores, pairs, sampled), model, len(scores.algorithms), claiming)
        if df is None
        else tested_by_reml(fitted, codes, df, claiming)
    )
    posterior = drawn(scores, model, options) if options.posterior else None
    on_kinds = on_slices(scores, pairs, model, claiming._replace(share=standing.share), options.slice_columns, sampled)
    return AlgorithmsCompared(
        scores=scores,
        source=source,
        model=model,
        baseline=baseline,
        pairs=pairs,
        fit=fitted,
        contrasts=tested.contrasts,
        tests=tested.tests,
        intervals=_possible(tested.intervals, scores),
        variances=variances,
        df=df,
        posterior=posterior if isinstance(posterior, Posterior) else None,
        undrawn=posterior if isinstance(posterior, str) else None,
        hpd=_possible(_hpd(posterior, codes, options.alpha), scores) if isinstance(posterior, Posterior) else None,
        seed=options.seed,
        shown=shown,
        standing=Standing(standing.has_primary, share),
        slices=on_kinds.slices,
        is_guessed=_is_guessed(scores, options),
        heterogeneity=on_kinds.heterogeneity,
        small_slices=on_kinds.small,
        sampling=sampled,
    )


def _sampled_means(scores: InstanceScores, sampling: Sampling) -> dict[str, tuple[float, float]]:
    """The mean of each algorithm and its standard error, on topics in clusters or with weights."""
    return {name: sampled_mean(table, sampling) for name, table in tables_of(scores).items()}


def _is_guessed(scores: InstanceScores, options: InstancesOptions) -> bool:
    """Whether the name of the measure sounds as if less were better, and it counts as better unasked."""
    asked = options.wanted.measure
    written = None if asked is None else (asked if isinstance(asked, Measure) else Measure.asked(asked)).better
    is_unsaid = written is None and scores.direction == LOWER and scores.measure is not None
    return is_unsaid and Measure.read(str(scores.measure)).needs_direction


def _freedom(options: InstancesOptions) -> Freedom | None:
    """The degrees of freedom where variances are common."""
    if options.variances == "own":
        return None
    return cast(Freedom, known(options.df or "satterthwaite", tuple(degrees_of_freedom()), "degrees of freedom"))


def _codes(scores: InstanceScores, pairs: Sequence[Pair]) -> list[tuple[int, int]]:
    """The places of two algorithms among all."""
    place = {name: number for number, name in enumerate(scores.algorithms)}
    return [(place[pair.system], place[pair.against]) for pair in pairs]


def _named(names: Sequence[str], options: InstancesOptions) -> tuple[str | None, Pair | None]:
    """The baseline and the pair asked for, which must be among the algorithms."""
    if len(names) < 2:
        raise DesignError(f"there is one algorithm, '{names[0]}'; at least 2 are needed for a comparison")
    baseline = None if options.baseline is None else known(options.baseline, names, "baseline")
    shown = None if options.pair is None else Pair(*(known(name, names, "algorithm") for name in options.pair))
    return baseline, shown


def _possible(intervals: Floats, scores: InstanceScores) -> Floats:
    """Intervals of differences, cut to what differences of such scores can be: bound, pair."""
    return np.array(cut(intervals[0], intervals[1], of_differences(scores.range)))


def _hpd(posterior: Posterior, codes: Sequence[tuple[int, int]], alpha: float) -> Floats:
    return np.array([hpd_interval(posterior.differences(*pair), alpha) for pair in codes]).T
