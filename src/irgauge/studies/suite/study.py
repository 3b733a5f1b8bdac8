"""Which systems are better over many collections? On each, for other topics of all of them, for other collections."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, ClassVar

import numpy as np

from irgauge.brief import OneLine
from irgauge.choices import known
from irgauge.compute.arrays import Floats
from irgauge.compute.tasks import counting as counted_tasks
from irgauge.compute.tasks import each, thread_count
from irgauge.errors import DesignError
from irgauge.inference import facts
from irgauge.inference.leaders import Leaders
from irgauge.inference.margins import Margin, check_level_of_margin
from irgauge.inference.sampling import Sampling
from irgauge.inference.slices_over_strata import Counting
from irgauge.inference.strata import Disagreement, strata_t, stratified_t
from irgauge.inference.tests.registry import default_test
from irgauge.options.verbs import verb
from irgauge.provenance import Fact, Provenance
from irgauge.reading.facts import missing
from irgauge.reading.missing import MissingTopics
from irgauge.replicates import facts as data_facts
from irgauge.replicates.measured import Measured
from irgauge.scoring.direction import sign_of
from irgauge.scoring.measures import Measure, range_of
from irgauge.studies.navigation import for_population
from irgauge.studies.result import Result
from irgauge.studies.suite.claims import (
    CORRECTION,
    OF_MEANS,
    OVER_SAME,
    TESTS,
    Deciding,
    OnCollections,
    OnSuite,
    SuiteClaims,
    Test,
    claimed,
    collection_record,
    collection_rows,
    collection_wins,
    counting,
    population_record,
    system_records,
    system_rows,
)
from irgauge.studies.suite.members import Collections, members_of, scored
from irgauge.studies.suite.options import SuiteOptions
from irgauge.studies.suite.shared import (
    Absent,
    absent,
    all_missing,
    check_topics,
    collection_weights,
    common,
    of_systems,
    sampling_facts,
    samplings_of,
    shared_measure,
    shared_source,
)
from irgauge.studies.suite.slicing import CollectionClusters, KindsClaimed, ignored_clusters, on_kinds
from irgauge.studies.suite.task_means import measured_means, task_means
from irgauge.studies.tested import slice_records, slices_content
from irgauge.wording import counted, listed, some


def collections_told(names: Sequence[str], weights: str) -> Fact:
    """The collections, and how they count."""
    return Fact("collections", names, f"{counted(len(names), 'collection')} ({some(names)}), {counting(weights)}")


@dataclass(frozen=True, eq=False, repr=False)
class OnCollection(OneLine):
    """What is found on one collection, for other topics like its own."""

    name: str
    topics: int  # 0: not known
    means: Floats  # system, in the order of the suite
    own: SuiteClaims | None  # None: one mean of each system is known, and nothing can be tested
    weight: float | None = None  # how much it counts; None: as `weights` of the suite says
    sampling: Sampling | None = None  # clusters and weights of topics; None: drawn one by one, and alike

    @property
    def claims(self) -> SuiteClaims:
        """What is claimed; refused where nothing can be."""
        if self.own is None:
            raise DesignError(f"one mean of each system is known of {self.name}, so that nothing is claimed there")
        return self.own


@dataclass(frozen=True, eq=False, repr=False)
class SuiteCompared(Result):
    """Systems on many collections."""

    study: ClassVar[str] = "suite"
    part: ClassVar[str] = "collection"

    measure: str
    systems: tuple[str, ...]  # that all collections have, best first by their means over collections
    on: tuple[OnCollection, ...]  # collection
    over: tuple[SuiteClaims, ...]  # population: other topics of these collections, then other collections
    left_out: Absent  # systems that are not in all collections -> those that lack them
    margin: Margin | None
    missing: MissingTopics  # topics of all collections
    source: Provenance  # facts that all collections share
    notes: Mapping[str, tuple[str, ...]] = field(default_factory=dict)  # collection -> what was noted of its data
    weights: str = "equal"  # of collections; or the column of their topics that says how much each counts
    is_guessed: bool = False  # whether its name sounds as if less were better, and nothing was said of it
    kinds: KindsClaimed = field(default_factory=KindsClaimed)  # claims on kinds of topics
    ignored: tuple[CollectionClusters, ...] = ()  # columns that look like ones of clusters, by which less would be said

    def population(self, name: str) -> SuiteCompared:
        """What is said over all collections for one population alone."""
        kinds = self.kinds if name == self.sliced_for else KindsClaimed()
        return replace(self, over=(for_population(self.over, name),), kinds=kinds)

    @property
    def parts(self) -> Mapping[str, OnCollection]:
        """Collection -> what is found on it."""
        return {collection.name: collection for collection in self.on}

    @property
    def baseline(self) -> str | None:
        """What systems are compared with; None for all pairs."""
        return self.over[0].comparison.baseline

    @property
    def alpha(self) -> float:
        """The level of the tests."""
        return self.over[0].comparison.alpha

    @property
    def sign(self) -> int:
        """1 where more of the measure is better, −1 where less is."""
        return sign_of(self.over[0].comparison.direction)

    @property
    def means(self) -> Floats:
        """means[collection, system]."""
        return np.array([collection.means for collection in self.on])

    @property
    def over_collections(self) -> Floats:
        """The mean of each system over collections; system."""
        return np.asarray(np.average(self.means, axis=0, weights=self.collection_weights))

    @property
    def sliced_for(self) -> OnSuite:
        """What claims on kinds of topics cover: other topics of these collections, as they were drawn."""
        return OVER_SAME[_drawn(self.on[0].sampling)]

    @property
    def samplings(self) -> tuple[Sampling, ...]:
        """How topics of each collection came together; none where they were drawn one by one, and alike."""
        return tuple(collection.sampling for collection in self.on if collection.sampling is not None)

    @property
    def collection_weights(self) -> Floats:
        """How much each collection counts."""
        by_rule = [collection.topics if self.weights == "topics" else 1.0 for collection in self.on]
        own = (collection.weight for collection in self.on)
        return np.array([rule if weight is None else weight for rule, weight in zip(by_rule, own, strict=True)])

    @property
    def collections(self) -> tuple[str, ...]:
        """The names of the collections."""
        return tuple(collection.name for collection in self.on)

    @property
    def is_of_means(self) -> bool:
        """Whether one mean of each system is known of every collection, so that nothing is tested on any."""
        return all(collection.own is None for collection in self.on)

    @property
    def tested(self) -> tuple[tuple[OnCollection, SuiteClaims], ...]:
        """The collections on which systems are tested, each with what is claimed there."""
        return tuple((collection, collection.own) for collection in self.on if collection.own is not None)

    @property
    def topics(self) -> int:
        """Of all collections together; 0: not known."""
        return sum(collection.topics for collection in self.on)

    @property
    def leaders(self) -> Leaders:
        """Who is ahead over collections, by the mean as it is shown."""
        ahead = Leaders.of(self.systems, self.over_collections.tolist())
        return replace(ahead, mean=Measure.read(self.measure).shown(ahead.mean))

    def under(self, population: str | None = None) -> SuiteClaims:
        """The claims for a population; for other topics of these collections, if none is named."""
        matching = [claims for claims in self.over if population in (None, claims.population)]
        if not matching:
            there = " and ".join(claims.population for claims in self.over)
            raise DesignError(f"nothing was compared for the population '{population}'; there is {there}")
        return matching[0]

    @property
    def provenance(self) -> Provenance:
        """The tests, the family, what was measured on which collections."""
        first, *others = (self.provenance_of(claims) for claims in self.over)
        return first.with_others(others)

    def provenance_for(self, population: str | None) -> Provenance:
        """The provenance of what is said of a population."""
        matching = [claims for claims in self.over if claims.population == population]
        return self.provenance_of(matching[0]) if matching else self.provenance

    def provenance_of(self, claims: SuiteClaims) -> Provenance:
        """The provenance of claims."""
        margin = None if self.margin is None else {self.measure: self.margin.fact(claims.verdicts.margin)}
        return Provenance.of(
            facts.test(OF_MEANS if self.is_of_means else TESTS[claims.population]),
            facts.family(self._family(claims)),
            facts.correction(CORRECTION.name),
            facts.alpha(self.alpha),
            facts.population(claims.population),
            sampling_facts(self.samplings, self.collection_weights),
            facts.margins(margin),
            data_facts.scores_by((self.measure,)),
            data_facts.systems(len(self.systems)),
            Provenance.of() if self.is_of_means else data_facts.topics(self.topics),
            collections_told(self.collections, self.weights),
            missing(self.missing),
            self.source,
        )

    def _family(self, claims: SuiteClaims) -> str:
        """The pairs, and what stands beside them."""
        if claims.population != self.sliced_for or not self.kinds.columns:
            return claims.comparison.family
        kinds = f"kinds of topics by {listed(self.kinds.columns)}: all of these together with α"
        return f"{claims.comparison.family}; {kinds}"

    def frame_rows(self, name: str) -> Iterable[Mapping[str, Any]]:
        """Pairs and systems over collections, and on each of them."""
        if name == "pairs":
            won = collection_wins(self)
            pairs = (record for claims in self.over for record in claims.pair_records())
            return [record | won[record["system"], record["against"]]._asdict() for record in pairs]
        if name == "systems":
            return system_rows(self)
        if name == "collection-systems":
            return collection_rows(self)
        if name == "slices":
            return list(slice_records(self.measure, self.kinds.sliced.slices, population=self.sliced_for))
        own = ((collection.name, claims.pair_records()) for collection, claims in self.tested)
        return [record | {"collection": collection} for collection, records in own for record in records]

    def content(self) -> dict[str, Any]:
        """Systems with their means and ranks, the pairs for each population, and what each collection says."""
        return {
            "measure": self.measure,
            "baseline": self.baseline,
            "margin": None if self.margin is None else str(self.margin),
            "weights": self.weights,
            "systems": system_records(self),
            "populations": {claims.population: population_record(claims) for claims in self.over},
            "collections": [collection_record(collection, self.systems) for collection in self.on],
            "left_out": self.left_out,
            "notes": self.notes,
            **slices_content(self.kinds.sliced, list(self.frame_rows("slices"))),
            "slices_on_some_collections": [dict(kind._asdict()) for kind in self.kinds.somewhere],
        }


@verb(SuiteOptions)
def suite(data: Collections, options: SuiteOptions) -> SuiteCompared:
    """Compare systems on many collections at once: on each, and over all of them.

    `data` are a folder of collections (a folder with `qrels` and `runs` each, or a table of scores), several such
    places, or a dict from names to collections, each as any other study takes its data; or results of MTEB, which are
    means of tasks, so that claims are for other tasks alone. Systems are matched by name; only those that all
    collections have are compared. For other topics of these collections the test is stratified; for other collections
    it rests on how far collections disagree, and its error is never below that of the first (see `inference.strata`).
    Pairs are corrected together, or those with a baseline.

    >>> from irgauge import load_scores
    >>> rng = np.random.default_rng(2)
    >>> lifted = [rng.random((20, 2)) + [0.5, 0.0] for _ in range(3)]
    >>> given = {name: load_scores(one, systems=["new", "old"]) for name, one in zip("xyz", lifted, strict=True)}
    >>> found = suite(given, baseline="old")
    >>> [(one.population, one.verdicts.verdicts) for one in found.over]
    [('same collections', ('better',)), ('collections', ('better',))]
    """
    if (means := task_means(data)) is not None:
        return _of_means(*measured_means(means, options), options)
    members = members_of(data, options.missing)
    read = partial(scored, options=options, workers=max(1, thread_count(options.workers) // len(members)))
    every = each(read, members, options.workers, named="collection", then=counted_tasks(options.told, len(members)))
    measured = {collection.name: collection.scores for collection in every}
    measure = shared_measure(measured)
    lacking = absent(measured)
    kept = common(measured, lacking, options.baseline)
    compared = _compared(
        {name: of_systems(collection, kept) for name, collection in measured.items()}, measure, lacking, options
    )
    return replace(compared, notes={collection.name: collection.notes for collection in every if collection.notes})


def _of_means(measured: Measured, lacking: Absent, options: SuiteOptions) -> SuiteCompared:
    """Claims for other collections alone, by the test of `compare` over collections in place of topics."""
    scores, values = measured.scores, np.asarray(measured.values().mean(axis=2))  # collection, system
    if len(values) < 2:
        raise DesignError("claims about other tasks need at least 2 of them; given: 1")
    if options.baseline is not None:
        known(options.baseline, scores.systems, "baseline")
    deciding = _deciding({"": measured}, [values], options)
    claims = replace(_on(values, scores.systems, deciding, None), population="collections")
    order = claims.every.systems
    places = [scores.systems.index(system) for system in order]
    on = (OnCollection(name, 0, own[places], None) for name, own in zip(scores.topics, values, strict=True))
    rest = lacking, deciding.margin, measured.missing, shared_source([measured])
    guessed = scores.measures[0].needs_direction
    return SuiteCompared(str(scores.measures[0]), order, tuple(on), (claims,), *rest, is_guessed=guessed)


def _compared(measured: Mapping[str, Measured], measure: str, lacking: Absent, options: SuiteOptions) -> SuiteCompared:
    """All claims, of systems in one order."""
    values = {name: np.asarray(own.values().mean(axis=2)) for name, own in measured.items()}  # topic, system
    check_topics(values)
    systems = next(iter(measured.values())).scores.systems
    deciding = _deciding(measured, list(values.values()), options)
    samplings = samplings_of(measured, options)
    weights = collection_weights(list(measured.values()), options)
    over = tuple(_over(list(values.values()), systems, deciding, weights, samplings))

    def with_clusters(clusters: Sequence[Sampling]) -> SuiteClaims:
        return _over(list(values.values()), systems, deciding, weights, clusters)[0]

    order = over[0].every.systems
    places = [systems.index(system) for system in order]
    each_sampling: Sequence[Sampling | None] = samplings or (None,) * len(values)
    on = []
    for (name, own), sampling, weight in zip(values.items(), each_sampling, weights.tolist(), strict=True):
        means = own.mean(axis=0) if sampling is None else sampling.means(own)
        on.append(OnCollection(name, len(own), means[places], _on(own, systems, deciding, sampling), weight, sampling))
    rest = lacking, deciding.margin, all_missing(measured), shared_source(list(measured.values()))
    guessed = any(collection.scores.measures[0].needs_direction for collection in measured.values())
    of_kinds = Counting(None if options.weights == "equal" else weights, samplings)
    names = over[0].comparison.names
    kinds = on_kinds(measured, list(values.values()), names, deciding, options.slice_columns, of_kinds)
    return SuiteCompared(
        *(measure, order, tuple(on), over, *rest, {}, options.weights, guessed, kinds),
        ignored=() if samplings else ignored_clusters(list(measured.values()), over[0], with_clusters),
    )


def _deciding(measured: Mapping[str, Measured], values: Sequence[Floats], options: SuiteOptions) -> Deciding:
    margin = None if options.margin is None else Margin.parse(options.margin)
    if margin is not None:
        check_level_of_margin(options.alpha)
    measure = next(iter(measured.values())).scores.measures[0]
    directions = [collection.direction for collection in measured.values()]
    within = range_of(measure, np.concatenate(values))
    return Deciding(str(measure), options.alpha, options.baseline, margin, within, directions[0])


def _on(values: Floats, systems: tuple[str, ...], deciding: Deciding, sampling: Sampling | None) -> SuiteClaims:
    """On one collection, by the test of `compare`."""
    scaled = deciding.scaled(systems)
    test = partial(default_test("topics").function, sampling=sampling)
    return claimed(_drawn(sampling), lambda f: partial(test, scaled(values, f), systems), values, systems, deciding)


def _drawn(sampling: Sampling | None) -> OnCollections:
    return "topics" if sampling is None else sampling.drawn


def _over(
    values: Sequence[Floats],
    systems: tuple[str, ...],
    deciding: Deciding,
    weights: Floats,
    samplings: Sequence[Sampling],
) -> list[SuiteClaims]:
    """Over all collections, for both populations."""
    together = np.concatenate(values)
    scaled = deciding.scaled(systems)

    def by(test: Test, factor: float) -> Test:
        strata = [scaled(value, factor) for value in values]
        return partial(test, strata, systems, weights=weights, samplings=samplings)

    over_same = OVER_SAME[_drawn(samplings[0] if samplings else None)]
    same = claimed(over_same, partial(by, stratified_t), together, systems, deciding)
    other = claimed("collections", partial(by, strata_t), together, systems, deciding)
    disagreement = Disagreement.of(
        values, systems, other.comparison, weights=weights, samplings=samplings, within=deciding.within
    )
    return [same, replace(other, disagreement=disagreement)]
