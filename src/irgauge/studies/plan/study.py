"""How large must the next experiment be? Topics, shards and instances for a width, a difference or a margin."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar

from irgauge.compute.arrays import Floats
from irgauge.errors import DesignError
from irgauge.inference import facts
from irgauge.inference.corrections import DEFAULT, Correction, correction
from irgauge.inference.sampling import Sampling
from irgauge.inference.tests.paired_t import PAIRED_T
from irgauge.inference.tests.skewed_t import skewed_t
from irgauge.inference.verdicts import detectable
from irgauge.options.fields import refuse
from irgauge.options.verbs import verb_of_data_or_none
from irgauge.planning.design_effect import DesignEffect
from irgauge.planning.judged import JudgedCosts
from irgauge.planning.looks import Looking, LooksPlan, looks_plan
from irgauge.planning.sizes import Costs, Goal, Size
from irgauge.provenance import Fact, Provenance, named
from irgauge.reading.options import refuse_reading
from irgauge.reading.topic_slices import NoKind
from irgauge.reading.topic_table import topic_table
from irgauge.replicates.given import InstanceData, opened_with_gaps
from irgauge.replicates.instances import InstanceScores
from irgauge.replicates.needs import opened_needs
from irgauge.studies.plan.judge_pilot import PeopleNext, pilot_of_judge
from irgauge.studies.plan.kinds import SlicePlan, slice_plans
from irgauge.studies.plan.options import PlanOptions
from irgauge.studies.plan.pair_plan import KINDS, PairPlan, pair_plan, typed_pilot
from irgauge.studies.plan.pilot import JUDGED, WORDINGS, Pilot, Replicates, pilot_of_instances, pilot_of_scores
from irgauge.studies.plan.reliability import Reliability, reliability_of
from irgauge.studies.result import Result


@dataclass(frozen=True, eq=False, repr=False)
class Planned(Result):
    """A plan for the next experiment."""

    study: ClassVar[str] = "plan"
    part: ClassVar[str] = "pair"

    measure: str | None
    goal: Goal
    is_halving: bool  # whether the goal is to halve the interval, as none was given
    plans: tuple[PairPlan, ...]  # the first is the one that sentences are of
    of_pairs: int  # that these stand for
    planned_pairs: int  # by which the level is shared
    correction: str  # over these
    systems: int
    baseline: str | None
    replicates: Replicates | None
    here: Size | None
    costs: Costs | None
    reliability: Reliability | None  # of the ranking; None where there is none to speak of
    alpha: float
    power: float
    assurance: float
    population: str
    facts: Provenance
    judge: str | None = None  # who judges topics besides people
    notes: tuple[str, ...] = ()  # what a careful reader should know of the judge's judgments
    people_next: PeopleNext | None = None  # the topics to give to people next; None where no judge has others
    sampling: Sampling | None = None  # clusters and weights of topics
    design_effect: DesignEffect | None = None  # of the first pair, where topics are in clusters
    slices: tuple[SlicePlan, ...] = ()  # what the first pair needs on kinds of topics
    no_kind: tuple[NoKind, ...] = ()  # topics that are of none
    looks: LooksPlan | None = None  # what a gate of many looks takes for the first pair, where that was asked for
    guarded: float | None = None  # what the guarded test of comparisons finds of the first pair with the data at hand
    drawn: str | None = None  # what it is for, where topics were drawn in another way than one by one

    @property
    def parts(self) -> Mapping[str, PairPlan]:
        """Why a pair is planned for -> its plan."""
        return {plan.pair.role: plan for plan in self.plans}

    @property
    def first(self) -> PairPlan:
        """The pair that sentences are of: the only one, or a typical one."""
        return self.plans[0]

    @property
    def held_together(self) -> int:
        """The pairs for which intervals and tests hold together: 1, where each is for itself."""
        return self.planned_pairs if correction(self.correction).is_simultaneous else 1

    @property
    def level(self) -> float:
        """Of one pair."""
        return correction(self.correction).interval_level(self.alpha, self.planned_pairs)

    @property
    def provenance(self) -> Provenance:
        """What is planned for, and what it rests on."""
        planned = None if self.planned_pairs == 1 else f"{self.planned_pairs:,} pairs of {self.systems} systems"
        return Provenance.of(
            facts.test(PAIRED_T.title if self.replicates is None else "t-test of pairs"),
            facts.correction(None if self.planned_pairs == 1 else self.correction),
            named("planned", planned),
            named("power", self.power),
            named("assurance", self.assurance),
            facts.alpha(self.alpha),
            self._population,
            self.facts,
        )

    @property
    def _population(self) -> Fact:
        return facts.population(self.population, drawn=self.drawn)

    @property
    def ranking_provenance(self) -> Provenance:
        """How the reliability of the ranking came about."""
        reliability = self.reliability
        method = None if reliability is None else reliability.method
        alpha = None if reliability is None or reliability.systems is None else self.alpha
        return Provenance.of(facts.method(method), facts.alpha(alpha), self._population, self.facts)

    def frame_rows(self, name: str) -> Iterable[Mapping[str, Any]]:
        """The designs that reach the goal, of each pair planned for; the topics to give to people next."""
        if name == "next":
            return [] if self.people_next is None else self.people_next.rows()
        if name == "slices":
            pair = {"measure": self.measure, "system": self.first.pair.system, "against": self.first.pair.against}
            return [pair | _slice_row(own) for own in self.slices]
        return [
            {"measure": self.measure, **{name: cell or None for name, cell in plan.pair._asdict().items()}}
            | {"replicates": design.replicates, "topics": design.topics, "cost": design.cost}
            for plan in self.plans
            for design in plan.designs
        ]

    def content(self) -> dict[str, Any]:
        """Everything but what is in the provenance."""
        record = super().content()
        told = ("facts", "correction", "sampling", "drawn")
        return {name: value for name, value in record.items() if name not in told} | {"level": self.level}


def _slice_row(own: SlicePlan) -> dict[str, Any]:
    return {"column": own.column, "slice": own.value, "n": own.topics, "topics": own.needed, "reaches": own.found}


@verb_of_data_or_none(PlanOptions)
def plan(data: InstanceData | None, options: PlanOptions) -> Planned:
    """Plan the next experiment: for a width, a difference or a margin; from pilot data, or from typed components.

    The level is that of the first step of the correction over the pairs of the systems planned for. The assurance is
    the chance that the goal is reached, given how well the pilot knows the variances.

    >>> found = plan(components="topic:system=0.01", difference=0.05)
    >>> found.first.designs[0].topics
    65
    """
    pilot, people_next = _pilots(data, options)
    pairs = pilot.systems - 1 if options.baseline is not None else pilot.systems * (pilot.systems - 1) // 2
    level = _level(options, pairs)
    goal, costs = _goal(pilot, options, level), _costs(pilot, options)
    return Planned(
        measure=pilot.measure,
        goal=goal,
        is_halving=not options.goals,
        plans=tuple(pair_plan(pair, pilot, goal, costs) for pair in pilot.pairs),
        of_pairs=pilot.of_pairs,
        planned_pairs=pairs,
        correction=_corrected(options).name,
        systems=pilot.systems,
        baseline=options.baseline,
        replicates=pilot.replicates,
        here=pilot.here,
        costs=costs,
        reliability=reliability_of(pilot, options),
        alpha=options.alpha,
        power=options.power,
        assurance=options.assurance,
        population=pilot.population,
        facts=pilot.facts,
        judge=pilot.judge,
        notes=pilot.notes,
        people_next=people_next,
        sampling=pilot.sampling,
        design_effect=pilot.design_effect,
        guarded=None if pilot.first is None else _guarded(pilot.first, pilot.sampling, level, options.power),
        drawn=pilot.drawn,
        looks=_looks(pilot, options) if options.sequential else None,
        slices=tuple(slice_plans(pilot.slices, replace(goal, level=_level(options, pairs * len(pilot.slices))))),
        no_kind=pilot.no_kind,
    )


def _guarded(values: Floats, sampled: Sampling | None, level: float, power: float) -> float:
    """The smallest true difference of the two columns of values[topic, system] that the guarded test finds."""
    tested = skewed_t(values, ("first", "second"), alpha=level, sampling=sampled)
    return float(detectable(tested, power)[0])


def _looks(pilot: Pilot, options: PlanOptions) -> LooksPlan:
    """Of a gate of the first pair."""
    if options.margin is None:
        raise DesignError("a plan of many looks (sequential) is for a gate with a margin; give one (margin)")
    if pilot.gains is None:
        raise DesignError(
            "a plan of many looks (sequential) rests on scores of topics that are drawn one by one, of one run of each "
            "system; leave shards, instances, wordings, clusters, weights, judges and components out"
        )
    looking = Looking(pilot.gains.values, options.margin, options.alpha, pilot.gains.within)
    return looks_plan(looking, options.power, options.seed)


def _level(options: PlanOptions, tests: int) -> float:
    """Of one of so many tests."""
    return _corrected(options).interval_level(options.alpha, max(1, tests))


def _pilots(data: InstanceData | None, options: PlanOptions) -> tuple[Pilot, PeopleNext | None]:
    """What is planned with, and with a judge the topics to give to people next."""
    if options.judge is None:
        refuse_reading(replace(options, missing=None))
        return _pilot(data, options), None
    if data is None or options.components is not None or isinstance(data, InstanceScores):
        raise DesignError("a judge was given; give people's judgments and runs, or a table of scores, too, and no more")
    _refuse_sampling(options, "judges")
    return pilot_of_judge(data, options)


def _pilot(data: InstanceData | None, options: PlanOptions) -> Pilot:
    if (data is None) == (options.components is None):
        both = "neither data nor components were" if data is None else "both data and components were"
        raise DesignError(f"{both} given; give pilot data, or the components of their variance")
    if data is None:
        _refuse_sampling(options, "components")
        return typed_pilot(options)
    if options.variants is not None:
        _refuse_sampling(options, "wordings")
        return _pilot_of_needs(data, options)
    if isinstance(data, InstanceScores):
        _refuse_sampling(options, "instances")
        return pilot_of_instances(data, options)
    about = None if options.topics_table is None else topic_table(options.topics_table)
    opened_data = opened_with_gaps(data, options.workers, missing=options.missing, columns=options.columns)
    if options.has_instances:
        _refuse_sampling(options, "instances")
        return pilot_of_instances(opened_data, options)
    return pilot_of_scores(opened_data if about is None else opened_data.with_topics(about), options)


def _refuse_sampling(options: PlanOptions, what: str) -> None:
    if options.slice_columns:
        raise DesignError(f"kinds of topics are planned for from scores of topics, not of {what}; leave them out")
    if options.is_sampled:
        raise DesignError(
            f"clusters, weights and shares are planned for from scores of topics, not of {what}; leave them out"
        )


def _pilot_of_needs(data: InstanceData, options: PlanOptions) -> Pilot:
    if options.has_instances or isinstance(data, InstanceScores):
        raise DesignError("instances and wordings were both asked for; plan for one of them, and leave the other out")
    refuse(options, ("shards",), "runs, and means over wordings are scores without them; leave it out")
    asked = () if options.measure is None else [options.measure]
    needs = opened_needs(data, options.workers, asked, missing=options.missing, **options.about_topics)
    return pilot_of_scores(needs, options)


def _corrected(options: PlanOptions) -> Correction:
    """The correction, which must have a level for each pair."""
    method = correction(options.correction)
    if not method.is_of_levels:
        raise DesignError(
            f"with {method.title} what a pair needs depends on all other pairs; plan with one that has a level for "
            f"each, such as {DEFAULT.name}"
        )
    return method


def _goal(pilot: Pilot, options: PlanOptions, level: float) -> Goal:
    """The goal that is asked for; to halve the interval at hand if none is."""
    for kind in KINDS:
        if kind in options.goals:
            return Goal(kind, options.goal_value(kind), options.power, options.assurance, level)
    if pilot.here is None:
        raise DesignError(
            "components say nothing of the data that there are: give a goal, a width, difference or margin"
        )
    now = float(pilot.pairs[0].seen.estimates.expected(pilot.here, level).half_width[0])
    return Goal("width", now / 2, options.power, options.assurance, level)


def _costs(pilot: Pilot, options: PlanOptions) -> Costs | None:
    """What topics, judgments and instances cost; None where nothing does."""
    if options.cost_instance and pilot.replicates != "instances":
        raise DesignError("a cost of instances was given, and there are no instances; leave it out")
    if options.cost_judgment and pilot.judgments is None:
        raise DesignError("a cost of judgments was given; say how many a topic has too (judgments)")
    judging = options.cost_judgment * (pilot.judgments or 0.0)
    if pilot.replicates == JUDGED:
        prices = JudgedCosts(topic=options.cost_topic + judging, replicate=options.cost_judged)
        return None if prices == JudgedCosts() else prices
    if options.cost_wording and pilot.replicates != WORDINGS:
        raise DesignError("a cost of wordings was given, and no column that tells them apart (variants); name one")
    in_shards = pilot.replicates == "shards"
    costs = Costs(
        topic=options.cost_topic + (0.0 if in_shards else judging),
        cell=judging if in_shards else options.cost_wording,
        replicate=options.cost_instance * pilot.random,
    )
    return None if costs == Costs() else costs
