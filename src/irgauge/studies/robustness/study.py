"""Do conclusions hold whatever the model, the shards and the split? (Ferro and Sanderson 2019, section 9)."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product
from typing import Any, ClassVar, cast

from irgauge.compute.arrays import Floats
from irgauge.compute.tasks import Task, one_by_one
from irgauge.errors import DesignError
from irgauge.inference import facts
from irgauge.inference.tests.registry import TESTS
from irgauge.models.anova import Population, decompose
from irgauge.options.verbs import verb
from irgauge.provenance import Fact, Provenance, fact
from irgauge.replicates import facts as data_facts
from irgauge.replicates.bench import Bench
from irgauge.replicates.given import Given, bench, one_measure, only_higher
from irgauge.replicates.measured import Measured, Measuring
from irgauge.replicates.undefined import worst_of
from irgauge.studies.result import Result
from irgauge.studies.robustness.options import COUNTS, RobustnessOptions
from irgauge.studies.robustness.outcomes import (
    CORRECTION,
    MeanOverSplits,
    MethodOutcome,
    Methods,
    SplitOutcome,
    Stability,
    chosen_test,
    judged,
    judged_whole,
    method_outcome,
    methods_of,
    stability,
)
from irgauge.wording import counted, listed

Record = dict[str, str | int | float | None]


def outcome_records(
    whole: MethodOutcome, outcomes: Sequence[MethodOutcome], stability: Sequence[Stability]
) -> list[Record]:
    """A record a number of shards and method; the whole corpus is the first, and has no splits."""
    stable: list[Stability | None] = [None, *stability]
    return [_record(outcome, over) for outcome, over in zip((whole, *outcomes), stable, strict=True)]


def _record(method_outcome: MethodOutcome, over: Stability | None) -> Record:
    pairs = method_outcome.significant + method_outcome.not_significant
    record: Record = {"shards": method_outcome.shards, "method": method_outcome.method, "omega2": method_outcome.omega2}
    record |= {"significant": method_outcome.significant} | _ends("significant", over, (0.0, pairs))
    record |= {"not_significant": method_outcome.not_significant, "top_group": method_outcome.top_group}
    record |= {"width": method_outcome.width} | _ends("width", over)
    record |= {"tau": None if over is None else _defined(over.tau.mean)} | _ends("tau", over, (-1.0, 1.0))
    return record | {name: None if over is None else getattr(over, name) for name in ("common", "undefined")}


def _ends(name: str, over: Stability | None, possible: tuple[float, float] = (0.0, math.inf)) -> Record:
    """The ends of the interval of a mean over splits, cut to what is possible; one split has none."""
    mean: MeanOverSplits | None = None if over is None else getattr(over, name)
    if mean is None or math.isnan(mean.low):
        return {f"{name}_low": None, f"{name}_high": None}
    cut = mean.within(*possible)
    return {f"{name}_low": cut.low, f"{name}_high": cut.high}


def _defined(value: float) -> float | None:
    return None if math.isnan(value) else value


def change_records(outcomes: Sequence[MethodOutcome]) -> Iterator[Record]:
    """A record for each method and each simpler one: the changes in per cent."""
    for outcome in outcomes:
        for other, changes in outcome.changes.items():
            yield {"shards": outcome.shards, "method": outcome.method, "against": other, **changes}


@fact()
def models(names: Sequence[str]) -> str:
    """Of Tukey's test."""
    return f"models {listed(names)}" if len(names) > 1 else f"model {names[0]}"


@fact()
def resamples(count: int) -> str:
    """How many splits there are."""
    return f"{counted(count, 'random split')} into each number of shards"


@dataclass(frozen=True, eq=False, repr=False)
class Robustness(Result):
    """Outcomes by number of shards and method, and how much they depend on the split."""

    study: ClassVar[str] = "robustness"
    part: ClassVar[str] = "number of shards and method"

    corpus: Measured  # the whole corpus
    splits: tuple[Measured, ...]  # the first split into each number of shards
    resamples: int
    alpha: float
    population: Population  # of what is said of splits
    test: str  # of the splits
    whole: MethodOutcome  # the whole corpus, for other topics
    outcomes: tuple[MethodOutcome, ...]
    stability: tuple[Stability, ...]
    too_many: tuple[int, ...] = ()  # numbers of shards left out, since most scores would be undefined

    @property
    def parts(self) -> Mapping[tuple[str, str], MethodOutcome]:
        """A number of shards and a method -> what it says."""
        return {(str(outcome.shards), outcome.method): outcome for outcome in self.outcomes}

    @property
    def measure(self) -> str:
        """The measure that systems are compared by."""
        return str(self.corpus.scores.measures[0])

    @property
    def topics(self) -> int:
        """How many topics there are on the whole corpus."""
        return len(self.corpus.scores.topics)

    @property
    def systems(self) -> int:
        """How many systems are compared."""
        return len(self.corpus.scores.systems)

    @property
    def pairs(self) -> int:
        """How many pairs of systems there are."""
        return math.comb(self.systems, 2)

    @property
    def counts(self) -> tuple[int, ...]:
        """The numbers of shards."""
        return tuple(dict.fromkeys(stability.shards for stability in self.stability))

    @property
    def methods(self) -> tuple[str, ...]:
        """What splits are judged by: models of Tukey's test, as they were asked for, or another test."""
        return tuple(dict.fromkeys(stability.method for stability in self.stability))

    def outcome(self, shards: int, method: str) -> MethodOutcome:
        """What a method says at a number of shards."""
        return next(outcome for outcome in self.outcomes if (outcome.shards, outcome.method) == (shards, method))

    def stability_of(self, shards: int, method: str) -> Stability:
        """How much of it depends on the split."""
        return next(
            stability for stability in self.stability if (stability.shards, stability.method) == (shards, method)
        )

    @property
    def provenance(self) -> Provenance:
        """The test, its population and level, the models, and the splits."""
        test, first, sparse = TESTS[self.test], self.splits[0], worst_of(self.splits)
        return Provenance.of(
            facts.test(test.title),
            facts.family(f"all {self.pairs:,} pairs" if self.pairs > 1 else "1 pair"),
            facts.correction(CORRECTION.name if test.is_of_pairs else None),
            facts.alpha(self.alpha),
            facts.population(self.population),
            models(self.methods if test.needs == "fit" else None),
            data_facts.scores_by((self.measure,)),  # before the splits
            data_facts.shards(", ".join(f"even:{count}" for count in self.counts)),
            resamples(self.resamples),
            first.provenance.without("shards", "shard_count", "split", "undefined", "dropped", "topics"),
            data_facts.fill(str(first.measuring.fill)),
            data_facts.topics(self.topics),
            replace(sparse, is_of_several=True).fact,
            Fact("complete_topics", sparse.complete),
        )

    def frame_rows(self, name: str) -> Iterable[Mapping[str, Any]]:  # noqa: ARG002  # there is one frame
        """A row a number of shards and method; the whole corpus is the first."""
        records = outcome_records(self.whole, self.outcomes, self.stability)
        return [{"measure": self.measure, **record} for record in records]

    def content(self) -> dict[str, Any]:
        """Outcomes and their stability."""
        named = ("measure", "population", "test", "topics", "systems", "pairs", "resamples")
        of = {name: getattr(self, name) for name in named}
        return of | {name: getattr(self, name) for name in ("whole", "outcomes", "stability")}


@verb(RobustnessOptions)
def robustness(data: Given, options: RobustnessOptions) -> Robustness:
    """Compare systems on several random even splits of the documents into each number of shards.

    For other topics pairs are compared on the whole corpus and on means over shards; for other documents, and for both,
    over shards. The test `tukey` compares them by models, as in the paper (Ferro and Sanderson, SIGIR 2019, section 9).
    The order of systems is compared with that on the whole corpus by Kendall's τ.

    >>> from irgauge.simulation.collections import Design, simulate
    >>> runs = simulate(Design(systems=6, topics=15, depth=60, corpus_size=900)).collection()
    >>> found = robustness(runs, "AP", shards=[2, 3], resamples=2, test="tukey", models=["MD6"], population="documents")
    >>> [(one.shards, one.method, one.significant) for one in found.outcomes]
    [(2, 'MD6', 4.5), (3, 'MD6', 5.5)]
    """
    test, methods = chosen_test(options), methods_of(options)
    runs = bench(data, options.workers)
    measures = only_higher(one_measure(runs, options.measure), "robustness")
    wanted = Measuring(measures, None, options.fill, options.keep_systems, options.seed)
    firsts, too_many = _firsts(runs, replace(wanted, sparse=options.sparse), options)
    counts = list(firsts)
    corpus = runs.measured(Measuring(measures, keep_systems=options.keep_systems))
    classic = decompose(corpus.values()).fit("MD1")
    order = classic.means("system")
    whole = method_outcome(1, *judged_whole(corpus, classic, options))
    by_method: dict[tuple[int, str], list[SplitOutcome]] = {
        (count, method): [] for count in counts for method in methods
    }
    judging = _Judging(runs, replace(wanted, sparse=True), methods, order, options)  # as sparse as the first, or nearly
    for done, (count, outcomes) in enumerate(judging.all(firsts), 1):
        for method, outcome in outcomes.items():
            by_method[count, method].append(outcome)
        if options.told is not None:
            options.told(done, len(counts) * options.resamples)
    return Robustness(
        corpus=corpus,
        splits=tuple(firsts.values()),
        resamples=options.resamples,
        alpha=options.alpha,
        population=cast(Population, options.population),
        test=test,
        whole=whole,
        outcomes=tuple(_outcomes(whole, by_method)),
        stability=tuple(stability(count, method, splits) for (count, method), splits in by_method.items()),
        too_many=too_many,
    )


@dataclass(frozen=True, eq=False)
class _Judging:
    """Judges splits, each by its number of shards and its own number."""

    runs: Bench
    wanted: Measuring
    methods: Methods
    order: Floats
    asked: RobustnessOptions

    def all(self, firsts: Mapping[int, Measured]) -> Iterator[tuple[int, Mapping[str, SplitOutcome]]]:
        """What is said of each split, with its number of shards; the first ones are measured already."""
        every = list(product(firsts, range(self.asked.resamples)))
        others = one_by_one(Task(_Judging.one, self, at, f"split {at[1] + 1} into {at[0]}") for at in every if at[1])
        for count, number in every:
            yield count, next(others) if number else self.judge(firsts[count])

    def one(self, at: tuple[int, int]) -> dict[str, SplitOutcome]:
        """What each method says of one split."""
        shards, number = at
        return self.judge(self.runs.measured(replace(self.wanted, shards=f"even:{shards}", number=number)))

    def judge(self, split: Measured) -> dict[str, SplitOutcome]:
        """What each method says of a split that is measured."""
        return dict(judged(split, self.methods, self.order, self.asked, _undefined(self.runs, split)))


def _firsts(runs: Bench, wanted: Measuring, options: RobustnessOptions) -> tuple[dict[int, Measured], tuple[int, ...]]:
    """The first split into each number of shards; of the usual numbers, those that are too many, if some are not."""
    firsts: dict[int, Measured] = {}
    refused: dict[int, DesignError] = {}
    for count in _counts(runs, options):
        try:
            firsts[count] = runs.measured(replace(wanted, shards=f"even:{count}"))
        except DesignError as error:
            if options.shards is not None:
                raise
            refused[count] = error
    if not firsts:
        raise next(iter(refused.values()))
    return firsts, tuple(refused)


def _counts(runs: Bench, options: RobustnessOptions) -> list[int]:
    """The numbers of shards, each once; refused before any work if one is not possible."""
    if options.shards is None:
        return [count for count in COUNTS if count <= max(2, runs.collection.corpus_size)]
    if not options.shards:
        raise DesignError("there is no number of shards; name at least one, such as 5")
    for count in options.shards:
        if len(runs.sharding(f"even:{count}").names) == 1:
            raise DesignError("1 shard is the whole corpus, of which there is no other split; ask for 2 or more")
    return list(dict.fromkeys(options.shards))


def _undefined(runs: Bench, split: Measured) -> float:
    """The share of cells without a score."""
    return split.undefined / (len(runs.collection.topics) * len(split.scores.systems) * split.shards)


def _outcomes(
    whole: MethodOutcome, by_method: Mapping[tuple[int, str], Sequence[SplitOutcome]]
) -> Iterator[MethodOutcome]:
    """The outcomes by number of shards and method, with changes against the whole corpus and methods named before."""
    simpler: dict[int, list[MethodOutcome]] = {}
    for (count, method), splits in by_method.items():
        before = simpler.setdefault(count, [whole])
        before.append(method_outcome(count, method, splits, before))
        yield before[-1]
