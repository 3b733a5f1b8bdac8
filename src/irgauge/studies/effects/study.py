"""How much do topic, system, shard and their interactions matter? (Ferro, Kim and Sanderson 2019, section 6)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any, ClassVar, NamedTuple

from irgauge.errors import DesignError
from irgauge.inference import facts
from irgauge.models.anova import Fit, Model, Population, Row, fit
from irgauge.models.checks import Quantiles, normal_quantiles
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
from irgauge.studies.survival import Survival
from irgauge.studies.tested import covered

TEST = "F tests"
NOT_SIGNIFICANT = "not significant"
GIVEN = "as given"  # the shards of a table
_MOST_QUANTILES = 60  # that a result keeps of each analysis


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
    quantiles: Mapping[str, Quantiles] = field(default_factory=dict)  # measure and way to split -> of residuals
    survivals: tuple[Survival, ...] = ()  # measure: what is concluded without the transformation, where there is one

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

    def distinct(self, name: str) -> tuple[str, ...]:
        """What the effects have in a field, each once: `source`, `measure` or `shards`."""
        return tuple(dict.fromkeys(str(getattr(effect, name)) for effect in self.effects))

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
            "without_transform": self.survivals,
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
    kept = (options.fill, options.keep_systems, options.seed, 0, options.sparse, options.kept_by, options.transform)
    splits: list[_Analysed] = []
    for done, spec in enumerate(specs, 1):
        splits.append(_analysed(runs, Measuring(measures, spec, *kept), model, options))
        if options.told is not None:
            options.told(done, len(specs))
    first = splits[0]
    return EffectSizes(
        tuple(effect for split in splits for effect in split.effects),
        str(model),
        options.alpha,
        splits[-1].population,
        len(first.measured.scores.systems),
        _facts([split.measured for split in splits]),
        {name: quantiles for split in splits for name, quantiles in split.quantiles.items()},
        tuple(_survivals(splits)),
    )


class _Analysed(NamedTuple):
    """What is found on one way to split."""

    measured: Measured
    population: Population
    effects: tuple[Effect, ...]
    as_they_are: tuple[Effect, ...]  # the same without the transformation; none where there is none
    quantiles: dict[str, Quantiles]


def _analysed(runs: Data, wanted: Measuring, model: Model, options: EffectsOptions) -> _Analysed:
    split = runs.measured(wanted)
    population, alpha = covered(split, options.population)[0], options.alpha
    plain = () if wanted.transform is None else (runs.measured(replace(wanted, transform=None)),)
    fits = _fits(split, model)
    return _Analysed(
        split,
        population,
        tuple(_effects(split, fits, population, alpha)),
        tuple(effect for scores in plain for effect in _effects(scores, _fits(scores, model), population, alpha)),
        {
            f"{measure}, shards {wanted.shards or GIVEN}": normal_quantiles(fitted.residuals(), _MOST_QUANTILES)
            for measure, fitted in zip(split.scores.measures, fits, strict=True)
        },
    )


def _fits(split: Measured, model: Model) -> list[Fit]:
    """Of each measure."""
    return [fit(split.values(m), model) for m in range(len(split.scores.measures))]


def _survivals(splits: Sequence[_Analysed]) -> Iterator[Survival]:
    """The effects by each measure on both scales; none where scores are not transformed."""
    both: dict[str, list[tuple[Effect, Effect]]] = {}
    for split in splits:
        for effect, plain in zip(split.effects, split.as_they_are, strict=bool(split.as_they_are)):
            both.setdefault(effect.measure, []).append((effect, plain))
    for measure, pairs in both.items():
        transformed, as_they_are = (
            {f"{pair[0].source} ({pair[0].shards})": pair[side].kind for pair in pairs} for side in (0, 1)
        )
        yield Survival.of(measure, splits[0].population, "effect", transformed, as_they_are)


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


def _effects(split: Measured, fits: Sequence[Fit], population: Population, alpha: float) -> Iterator[Effect]:
    for measure, fitted in zip(split.scores.measures, fits, strict=True):
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
