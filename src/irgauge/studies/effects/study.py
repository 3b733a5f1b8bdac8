"""How much do topic, system, shard and their interactions matter? (Ferro, Kim and Sanderson 2019, section 6)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any, ClassVar

from irgauge.errors import DesignError
from irgauge.inference import facts
from irgauge.models.anova import Model, Population, Row, fit
from irgauge.models.f_tests import TermTest, term_tests
from irgauge.options.verbs import verb
from irgauge.provenance import Fact, Provenance
from irgauge.replicates import facts as data_facts
from irgauge.replicates.data import Data
from irgauge.replicates.given import Given, opened, several_measures
from irgauge.replicates.measured import Measured, Measuring
from irgauge.replicates.undefined import worst_of
from irgauge.scoring.measures import Measure
from irgauge.studies.effects.options import EffectsOptions
from irgauge.studies.result import Result
from irgauge.studies.tested import covered

TEST = "F tests"
NOT_SIGNIFICANT = "not significant"
GIVEN = "as given"  # the shards of a table


@dataclass(frozen=True)
class Effect:
    """The effect of one factor or interaction, for a measure and a way to split the corpus."""

    measure: str
    cutoff: int | None
    shards: str
    topics: int
    source: str
    omega2: float  # below 0 it is to be read as 0
    size: str
    against: str  # what its F test has below the line
    p: float
    significant: bool
    p_residual: float | None = None  # against the residual, as ω² is

    @property
    def kind(self) -> str:
        """Its size, if it is significant."""
        return self.size if self.significant else NOT_SIGNIFICANT


@dataclass(frozen=True, eq=False, repr=False)
class EffectSizes(Result):
    """Effect sizes of all factors and interactions, by way to split and measure."""

    study: ClassVar[str] = "effects"

    effects: tuple[Effect, ...]  # by way to split, measure and term of the model
    model: str
    alpha: float
    population: Population
    systems: int
    facts: Provenance  # of what was measured

    @property
    def parts(self) -> Mapping[str, tuple[Effect, ...]]:
        """Measure -> the effects, by way to split and term."""
        return {
            measure: tuple(effect for effect in self.effects if effect.measure == measure)
            for measure in dict.fromkeys(effect.measure for effect in self.effects)
        }

    @property
    def topics(self) -> int:
        """The fewest of any way to split, where topics with undefined scores were dropped."""
        return min(effect.topics for effect in self.effects)

    def distinct(self, field: str) -> tuple[str, ...]:
        """What the effects have in a field, each once: `source`, `measure` or `shards`."""
        return tuple(dict.fromkeys(str(getattr(effect, field)) for effect in self.effects))

    def counts(self) -> dict[str, dict[str, int]]:
        """How many effects of each source are large, medium, small, negligible, or not significant."""
        counts: dict[str, Counter[str]] = {}
        for effect in self.effects:
            counts.setdefault(effect.source, Counter())[effect.kind] += 1
        return {source: dict(kinds) for source, kinds in counts.items()}

    @property
    def provenance(self) -> Provenance:
        """The tests, and what was measured."""
        return Provenance.of(
            facts.test(TEST),
            facts.error(self._errors()),
            facts.alpha(self.alpha),
            facts.population(self.population),
            facts.model(self.model),
            self.facts,
            data_facts.scores_by(self.distinct("measure")),
            data_facts.topics(self.topics),
            data_facts.shards(self.distinct("shards")),
        )

    def _errors(self) -> dict[str, str]:
        """What each term is tested against, in most analyses: of a sum of mean squares one may be enough."""
        counters: dict[str, Counter[str]] = {}
        for effect in self.effects:
            counters.setdefault(effect.source, Counter())[effect.against] += 1
        return {source: counts.most_common(1)[0][0] for source, counts in counters.items()}

    def frame_rows(self, name: str) -> Iterable[Mapping[str, Any]]:  # noqa: ARG002  # there is one frame
        """The effects, a row each."""
        return map(asdict, self.effects)

    def content(self) -> dict[str, Any]:
        """The effects, and how many have each size."""
        return {
            "model": self.model,
            "population": self.population,
            "topics": self.topics,
            "systems": self.systems,
            "effects": self.effects,
            "counts": self.counts(),
        }


@verb(EffectsOptions)
def effects(data: Given, options: EffectsOptions) -> EffectSizes:
    """ω² of every term of a model, by measure and by way to split, and whether it is significant for a population.

    ω² = df(F − 1) / (df(F − 1) + N), with F against the residual; Ferro, Kim and Sanderson (TOIS 2019), section 3.3.
    The tests cover other topics, if no other population is named; those of the paper, against the residual, cover
    `documents` on random shards and `sources` on shards that differ in kind. The replicates of a table of scores are
    taken as shards, which all systems have in common.

    >>> from irgauge import load
    >>> ranked = {"good": "acbd", "fair": "bacd", "poor": "xayb"}
    >>> runs = {name: {topic: dict(zip(docs, [4, 3, 2, 1])) for topic in "12"} for name, docs in ranked.items()}
    >>> found = effects(load({"1": {"a": 1, "b": 1, "c": 1}, "2": {"a": 1, "d": 1}}, runs), "AP", shards="even:2")
    >>> [effect.source for effect in found.effects]
    ['topic', 'system', 'shard', 'topic:system', 'system:shard', 'topic:shard']
    """
    model = Model.parse(options.model)
    runs = opened(data, options.workers, missing=options.missing)
    measures, specs = several_measures(runs, options.measures), _specs(runs, options.shards)
    all_effects: list[Effect] = []
    splits: list[Measured] = []
    for done, spec in enumerate(specs, 1):
        kept = (options.fill, options.keep_systems, options.seed)
        wanted = Measuring(measures, spec, *kept, sparse=options.sparse, keep_by=options.kept_by)
        split = runs.measured(wanted)
        population = covered(split, options.population)[0]
        splits.append(split)
        all_effects += _effects(split, model, population, options.alpha)
        if options.told is not None:
            options.told(done, len(specs))
    systems = len(splits[0].scores.systems)
    return EffectSizes(tuple(all_effects), str(model), options.alpha, population, systems, _facts(splits))


def _specs(data: Data, shards: Sequence[str] | str) -> tuple[str | None, ...]:
    """The ways to split; that of scores which are split already has no name."""
    specs = (shards,) if isinstance(shards, str) else tuple(dict.fromkeys(shards))
    if data.has_runs:
        if not specs:
            raise DesignError("effect sizes need shards; name at least one way to split, such as even:5")
        return specs
    if data.replicate_count == 1:
        raise DesignError("effect sizes need shards, and the scores have no replicates; give some, or the runs")
    return specs or (None,)


def _effects(split: Measured, model: Model, population: Population, alpha: float) -> Iterator[Effect]:
    for m, measure in enumerate(split.scores.measures):
        fitted = fit(split.values(m), model)
        for row, test in zip(fitted.rows, term_tests(fitted, population), strict=True):
            yield _effect(split, measure, row, test, alpha)


def _effect(split: Measured, measure: Measure, row: Row, test: TermTest, alpha: float) -> Effect:
    return Effect(
        measure=str(measure),
        cutoff=measure.cutoff,
        shards=split.measuring.shards or GIVEN,
        topics=len(split.scores.topics),
        source=row.source,
        omega2=row.omega2,
        size=row.size,
        against=test.against,
        p=test.p,
        significant=bool(test.p <= alpha),
        p_residual=row.p,
    )


def _facts(splits: Sequence[Measured]) -> Provenance:
    """What is known of all splits together."""
    first, undefined = splits[0], sum(split.undefined for split in splits)
    dropped = dict.fromkeys(topic for split in splits for topic in split.dropped)
    sparse = worst_of(splits)
    return Provenance.of(
        first.provenance,
        data_facts.shard_count(first.shards if len(splits) == 1 else None),
        data_facts.dropped(tuple(dropped) or None),
        data_facts.fill(str(first.measuring.fill), undefined=undefined, shares=sparse.shares),
        Fact("undefined", undefined),
        replace(sparse, among="shards", shards=first.shards if len(splits) == 1 else None).fact,
        Fact("complete_topics", sparse.complete),
    )
