"""Do conclusions hold whatever the model, the shards and the split? (Ferro and Sanderson 2019, section 9)."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import TYPE_CHECKING, Any, ClassVar, cast

from irgauge.arrays import Floats
from irgauge.errors import DesignError, check_alpha
from irgauge.inference import pairwise
from irgauge.models.anova import Model, Population, decompose
from irgauge.options import asking
from irgauge.provenance import Provenance
from irgauge.replicates.measured import Bench, Data, Measured, Measuring, bench, one_measure
from irgauge.studies.result import Result
from irgauge.studies.robustness.options import Asked
from irgauge.studies.robustness.outcomes import (
    ModelOutcome,
    SplitOutcome,
    Stability,
    model_outcome,
    split_outcome,
    stability,
)
from irgauge.studies.robustness.records import outcome_records

if TYPE_CHECKING:
    import polars as pl


@dataclass(frozen=True, eq=False, repr=False)
class Robustness(Result):
    """Outcomes by number of shards and model, and how much they depend on the split."""

    study: ClassVar[str] = "robustness"

    corpus: Measured  # the whole corpus
    splits: tuple[Measured, ...]  # the first split into each number of shards
    resamples: int
    alpha: float
    population: Population
    whole: ModelOutcome  # MD1 on the whole corpus
    outcomes: tuple[ModelOutcome, ...]
    stability: tuple[Stability, ...]

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
        return tuple(dict.fromkeys(one.shards for one in self.stability))

    @property
    def models(self) -> tuple[str, ...]:
        """The models, as they were asked for."""
        return tuple(dict.fromkeys(one.model for one in self.stability))

    def outcome(self, shards: int, model: str) -> ModelOutcome:
        """What a model says at a number of shards."""
        return next(one for one in self.outcomes if (one.shards, one.model) == (shards, model))

    def stability_of(self, shards: int, model: str) -> Stability:
        """How much of it depends on the split."""
        return next(one for one in self.stability if (one.shards, one.model) == (shards, model))

    @property
    def provenance(self) -> Provenance:
        """The test, its population and level, the models, and the splits."""
        tested = {
            "test": pairwise.TESTS["tukey"].title,
            "family": f"all {self.pairs:,} pairs" if self.pairs > 1 else "1 pair",
            "alpha": self.alpha,
            "population": self.population,
            "models": self.models,
        }
        over = {"shards": ", ".join(f"even:{count}" for count in self.counts), "resamples": self.resamples}
        first = self.splits[0].provenance.without("shards", "shard_count", "split", "undefined", "dropped", "topics")
        measures = {"measures": (self.measure,)}  # before the splits
        return Provenance({}) | tested | measures | over | first | {"topics": self.topics}

    def frame(self) -> pl.DataFrame:
        """A row a number of shards and model; MD1 on the whole corpus is the first."""
        import polars as pl

        return pl.DataFrame(outcome_records(self.whole, self.outcomes, self.stability), infer_schema_length=None)

    def content(self) -> dict[str, Any]:
        """Outcomes and their stability."""
        of = {name: getattr(self, name) for name in ("measure", "topics", "systems", "pairs", "resamples")}
        return of | {name: getattr(self, name) for name in ("whole", "outcomes", "stability")}


@asking(Asked)
def robustness(data: Data, asked: Asked) -> Robustness:
    """Fit models on several random even splits of the documents into each number of shards.

    Pairs are compared by Tukey's test; the order of systems is compared with that on the whole corpus by Kendall's τ.
    MD1 on the whole corpus, which covers other topics, stands beside. Ferro and Sanderson (SIGIR 2019), section 9.

    >>> from irgauge.simulation.collections import Design, simulate
    >>> runs = simulate(Design(systems=6, topics=15, depth=60, corpus_size=900)).collection()
    >>> found = robustness(runs, "AP", shards=[2, 3], resamples=2, models=["MD6"])
    >>> [(one.shards, one.model, one.significant) for one in found.outcomes]
    [(2, 'MD6', 4.5), (3, 'MD6', 5.5)]
    """
    check_alpha(asked.alpha)
    runs, measures = bench(data, asked.workers), one_measure(data, asked.measure)
    counts, models = _counts(runs, asked), _models(asked)
    corpus = runs.measured(Measuring(measures, keep_systems=asked.keep_systems))
    classic = decompose(corpus.values()).fit("MD1")
    order = classic.means("system")
    whole = model_outcome(1, "MD1", [split_outcome(classic, order, population="topics", alpha=asked.alpha)])
    firsts: dict[int, Measured] = {}
    found: dict[tuple[int, str], list[SplitOutcome]] = {(count, model): [] for count in counts for model in models}
    for done, (count, number) in enumerate(product(counts, range(asked.resamples)), 1):
        shards = f"even:{count}"
        split = runs.measured(Measuring(measures, shards, asked.fill, asked.keep_systems, asked.seed, number))
        firsts.setdefault(count, split)
        for model, outcome in _on_split(runs, split, models, order, asked):
            found[count, model].append(outcome)
        if asked.progress is not None:
            asked.progress(done, len(counts) * asked.resamples)
    return Robustness(
        corpus=corpus,
        splits=tuple(firsts.values()),
        resamples=asked.resamples,
        alpha=asked.alpha,
        population=cast(Population, asked.population),
        whole=whole,
        outcomes=tuple(_outcomes(whole, found)),
        stability=tuple(stability(count, model, splits) for (count, model), splits in found.items()),
    )


def _counts(runs: Bench, asked: Asked) -> list[int]:
    """The numbers of shards, each once; refused before any work if one is not possible."""
    if asked.resamples < 1:
        raise DesignError(f"{asked.resamples} splits into each number of shards are not possible; ask for at least 1")
    if not asked.shards:
        raise DesignError("there is no number of shards; name at least one, such as 5")
    for count in asked.shards:
        if len(runs.sharding(f"even:{count}").names) == 1:
            raise DesignError("1 shard is the whole corpus, of which there is no other split; ask for 2 or more")
    return list(dict.fromkeys(asked.shards))


def _models(asked: Asked) -> dict[str, Model]:
    """The models by their names, each once."""
    models = {str(model): model for model in map(Model.parse, asked.models)}
    if not models:
        raise DesignError("there is no model; name at least one, such as MD6")
    return models


def _on_split(
    runs: Bench, split: Measured, models: Mapping[str, Model], order: Floats, asked: Asked
) -> Iterator[tuple[str, SplitOutcome]]:
    """What each model says on one split."""
    sums = decompose(split.values())
    cells = len(runs.collection.topics) * len(split.scores.systems) * split.shards
    population = cast(Population, asked.population)
    for name, model in models.items():
        fit = sums.fit(model)
        yield (
            name,
            split_outcome(fit, order, population=population, alpha=asked.alpha, undefined=split.undefined / cells),
        )


def _outcomes(whole: ModelOutcome, found: Mapping[tuple[int, str], Sequence[SplitOutcome]]) -> Iterator[ModelOutcome]:
    """The outcomes by number of shards and model, with changes against MD1 and the models named before."""
    simpler: dict[int, list[ModelOutcome]] = {}
    for (count, model), splits in found.items():
        before = simpler.setdefault(count, [whole])
        before.append(model_outcome(count, model, splits, before))
        yield before[-1]
