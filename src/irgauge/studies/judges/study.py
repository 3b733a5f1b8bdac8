"""What is a conclusion worth that rests on other judgments than people's? What becomes of people's claims."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np

from irgauge.choices import known
from irgauge.compute.arrays import Floats
from irgauge.compute.tasks import counting
from irgauge.errors import DesignError, InputError
from irgauge.inference import facts
from irgauge.inference.margins import Margin
from irgauge.inference.tests.record import Test
from irgauge.inference.tests.registry import default_test, known_test
from irgauge.inference.two_orders import two_orders
from irgauge.models.anova import Population
from irgauge.options.verbs import verb
from irgauge.provenance import Fact, Provenance, fact
from irgauge.reading import facts as file_facts
from irgauge.reading.groups import Grouping
from irgauge.reading.judges import Judge, judges_of
from irgauge.reading.notes import Note
from irgauge.reading.topic_table import topic_table
from irgauge.replicates import facts as data_facts
from irgauge.replicates.data import Data, baseline_of
from irgauge.replicates.given import Given, one_measure, only_higher
from irgauge.replicates.measured import Measuring
from irgauge.scoring.document_samples import summed
from irgauge.scoring.measures import Measure, range_of
from irgauge.scoring.scores import Scores
from irgauge.studies.judge_sides import People, Sides, opened_people, sides_of
from irgauge.studies.judges.claims import Claims, Deciding, claims_of
from irgauge.studies.judges.compared import JudgeCompared
from irgauge.studies.judges.correcting import CorrectedClaims, correctable, corrected_claims, with_topics_used
from irgauge.studies.judges.favour import Favour, fact_of_favour, favours_of
from irgauge.studies.judges.grading import (
    GradesCompared,
    confusion_rows,
    grades_compared,
    statistic_rows,
    topic_rows,
)
from irgauge.studies.judges.options import PEOPLE, JudgesOptions
from irgauge.studies.judges.records import judge_record, pair_rows, system_rows
from irgauge.studies.judges.variation import LEAST_JUDGES, JudgeVariation, variation_of
from irgauge.studies.result import Result
from irgauge.studies.tested import facts_of
from irgauge.wording import counted

POPULATION: Population = "topics"
_FEWEST = 3  # topics that a judge shares with people


@fact()
def judges_told(names: Sequence[str]) -> str:
    """Who judged besides people."""
    return f"judges: {', '.join(names)}"


@fact()
def draws_told(draws: int) -> str:
    """How intervals of what judges agree on are made."""
    return f"intervals of agreement by {draws:,} draws of topics, for both sides together"


@fact()
def corrected_by(judges: Sequence[str], *, in_strata: bool) -> str:
    """How people's topics and a judge's others are put together."""
    how = "λ tuned on other topics, guarded" + (", in strata of topics" if in_strata else "")
    return f"corrected claims by prediction-powered inference, {how}: {', '.join(judges)}"


@fact()
def sampled_by(judges: Sequence[str]) -> str:
    """How people's documents and a judge's are put together."""
    how = "λ tuned on other topics, guarded: " + ", ".join(judges)
    return f"people's scores by the shares of documents that they judged; corrected by the difference estimator, {how}"


@dataclass(frozen=True, eq=False, repr=False)
class Judged(Result):
    """What becomes of people's claims under the judgments of each judge."""

    study: ClassVar[str] = "judges"
    part: ClassVar[str] = "judge"

    measure: str
    systems: tuple[str, ...]  # best first, by people's judgments of all topics
    each: tuple[JudgeCompared, ...]  # judge; none without runs
    alpha: float
    baseline: str | None
    margin: float | None
    draws: int
    notes: tuple[Note, ...]  # on people's judgments and the runs
    facts: Provenance
    corrected: tuple[CorrectedClaims, ...] = ()  # of each judge that judged topics besides people's
    variation: JudgeVariation | None = None  # over judges; None where there are few
    favours: tuple[Favour, ...] = ()  # of every system, and group, by every judge
    grading: tuple[GradesCompared, ...] = ()  # judges against people, then against each other
    sampled: bool = False  # whether people judged a sample of documents, from which their scores are estimated
    in_strata: bool = False  # whether corrected claims take people's topics as drawn within strata

    @property
    def parts(self) -> Mapping[str, JudgeCompared | GradesCompared]:
        """Judge -> what becomes of people's claims; without runs, its grades against people's."""
        return {judged.judge: judged for judged in self.each or self.with_people}

    def of(self, judge: str | None = None) -> JudgeCompared:
        """What is said of a judge; of the first, if none is named."""
        if not self.each:
            raise DesignError("judgments without runs say nothing of systems; see `with_people`")
        names = [judged.judge for judged in self.each]
        return self.each[0 if judge is None else names.index(known(judge, names, "judge"))]

    @property
    def with_people(self) -> tuple[GradesCompared, ...]:
        """The grades of each judge against people's."""
        return tuple(compared for compared in self.grading if compared.against == PEOPLE)

    @property
    def provenance(self) -> Provenance:
        """The test, the judges, and what was scored."""
        return self.facts

    @property
    def main_frame(self) -> str:
        """Judges; without runs how well they agree."""
        return "judges" if self.each else "agreement"

    def frame_rows(self, name: str) -> Iterable[Mapping[str, Any]]:
        """Judges; pairs and systems by each of them."""
        if name == "judges":
            return [judge_record(self, judged) for judged in self.each]
        if name == "favour":
            return self._favour_rows()
        if name == "corrected":
            return self._corrected_rows()
        if name == "components":
            return self._component_rows()
        if name in _OF_GRADES:
            return [row for compared in self.grading for row in _OF_GRADES[name](compared)]
        rows = pair_rows if name == "pairs" else system_rows
        return [row for judged in self.each for row in rows(self, judged)]

    def _favour_rows(self) -> list[dict[str, Any]]:
        return [favour.row(self.measure, self.alpha) for favour in self.favours]

    def _corrected_rows(self) -> list[dict[str, Any]]:
        return [row for claims in self.corrected for row in claims.rows(self.measure, self.alpha)]

    def _component_rows(self) -> list[dict[str, Any]]:
        return [] if self.variation is None else list(self.variation.component_rows())

    def depending(self) -> int:
        """How many pairs have another verdict by another judge."""
        pairs = self.each[0].people.comparison.names
        return sum(len({judged.claims.of[pair].verdict for judged in self.each}) > 1 for pair in pairs)

    def content(self) -> dict[str, Any]:
        """The numbers of each judge, with all pairs and systems."""
        return {
            "measure": self.measure,
            "baseline": self.baseline,
            "margin": self.margin,
            "judges": [
                judge_record(self, judged)
                | {
                    "notes": judged.notes,
                    "pairs": list(pair_rows(self, judged)),
                    "systems": list(system_rows(self, judged)),
                }
                for judged in self.each
            ],
            "corrected": self._corrected_rows(),
            "components": self._component_rows(),
            "favour": self._favour_rows(),
            "grading": {
                name: [row for compared in self.grading for row in of(compared)] for name, of in _OF_GRADES.items()
            },
        }


_OF_GRADES: Mapping[str, Callable[[GradesCompared], Iterable[Mapping[str, Any]]]] = {
    "agreement": statistic_rows,
    "confusion": confusion_rows,
    "topics": topic_rows,
}


@verb(JudgesOptions)
def judges(data: Given, options: JudgesOptions) -> Judged:
    """Hold what other judgments say of systems against what people's judgments say of them.

    `judges` is a dict from names to judgments as `load` takes them, or files or folders of these. Pairs of systems are
    compared as `compare` does, by either judgments on the topics that both judged. A claim that people's judgments
    support is kept, lost or reversed; another may be added: the active and mixed agreements and disagreements of Ferro
    and Sanderson (WSDM 2022) and of Otero, Parapar and Ferro (CIKM 2023). It describes what this judge says of these
    systems: people's judgments are taken for what is to be found.

    >>> from irgauge import load
    >>> qrels = {str(t): {"a": 1, "b": 0} for t in range(9)}
    >>> good = {topic: {"a": 2.0, "b": 1.0} for topic in qrels}
    >>> poor = {topic: {"b": 2.0, "a": 1.0 + int(topic) % 2 * 2} for topic in qrels}
    >>> model = {topic: {"a": 0, "b": 1} for topic in qrels}
    >>> found = judges(load(qrels, {"good": good, "poor": poor}), {"model": model}, "P@1")
    >>> found.of("model").counts
    {'kept': 0, 'lost': 0, 'added': 0, 'reversed': 1, 'none': 0}
    """
    if options.judge_column is None:
        named = judges_of(options.judges)
    else:
        data, named = _by_column(data, options.judge_column)
    given = opened_people(data, options)
    people = given.data
    asked = one_measure(people, options.measure or (options.usual[0] if people.has_runs else None))
    (named_measure,) = only_higher(asked, "judges")
    measure = summed(named_measure) if options.sampled else named_measure
    if len(people.systems) < 2 and not people.has_runs:
        raise DesignError("a claim is about two systems, and there are scores of 1; give those of two at least")
    grouping = Grouping.of({} if options.groups is None else options.groups)
    grouping.check(people.systems)
    deciding = _deciding(people, options)  # before the long work: it may be wrong
    sides = _sides(given, named, measure, options)
    order = _order(_all_topics(people, sides, measure))
    comparing = _Comparing(people.systems, order, deciding, measure, options)
    each = tuple(map(comparing.of, sides)) if len(people.systems) > 1 else ()  # else there is nothing to claim
    result = Judged(
        measure=str(measure),
        systems=each[0].systems if each else (),
        each=each,
        alpha=options.alpha,
        baseline=comparing.deciding.baseline,
        margin=each[0].people.verdicts.margin if each else None,
        draws=options.draws,
        notes=(*with_topics_used(people.notes, sides), *_measure_notes(named_measure, measure)),
        facts=Provenance(),
        favours=comparing.favours(sides, grouping) if each else (),
        corrected=comparing.corrected(sides) if each else (),
        variation=comparing.variation(sides) if each else None,
        grading=grades_compared(sides, options),
        sampled=options.sampled,
        in_strata=options.strata is not None,
    )
    return replace(result, facts=_facts(people, result, comparing.deciding.test))


def _by_column(data: Given, column: str) -> tuple[Given, tuple[Judge, ...]]:
    """People's scores, and those of each judge, of one table with a column that says whose they are."""
    scores = Scores.by(data, column)
    if PEOPLE not in scores or len(scores) < 2:
        raise DesignError(
            f"the column '{column}' says {', '.join(list(scores)[:5])}; people's scores are those where it says "
            f"'{PEOPLE}', and all others are judges'. Without people, compare systems over judges: `irgauge compare` "
            f"with --columns replicate={column}"
        )
    return scores.pop(PEOPLE), tuple(Judge(name, own) for name, own in scores.items())


def _measure_notes(named: Measure, measure: Measure) -> Iterable[Note]:
    """Where another measure is looked at than the one that is named."""
    if named != measure:
        total = f"its sum, the relevant documents down to its cut-off, is {measure} times {measure.cutoff}"
        yield Note(None, f"{named} is no sum of gains; {total}")


def _sides(given: People, named: Sequence[Judge], measure: Measure, options: JudgesOptions) -> list[Sides]:
    """The scores by each judge; all that cannot be used are told together, so that one command mends them."""
    tell, sides, errors = counting(options.told, len(named)), list[Sides](), list[InputError]()
    for judge in named:
        try:
            sides.append(sides_of(given, judge, measure, options))
        except InputError as error:
            errors.append(error)
        tell(judge)
    if len(errors) > 1:
        raise InputError("\n".join([f"{len(errors)} of {len(named)} judges cannot be used:", *map(str, errors)]))
    if errors:
        raise errors[0]
    return sides


def _deciding(people: Data, options: JudgesOptions) -> Deciding:
    return Deciding(
        test=default_test(POPULATION) if options.test is None else known_test(options.test),
        alpha=options.alpha,
        baseline=None if options.baseline is None else baseline_of(people, options.baseline),
        margin=None if options.margin is None else Margin.parse(options.margin),
        within=None,
    )


def _all_topics(people: Data, sides: Sequence[Sides], measure: Measure) -> Floats:
    """People's scores[topic, system] of all topics; of a sample of documents their estimates."""
    estimated = [side.people for side in sides if side.sampled is not None]
    return estimated[0] if estimated else people.measured(Measuring((measure,))).by_topic()


def _order(values: Floats) -> list[int]:
    """The places of systems, best first."""
    return np.argsort(-values.mean(axis=0), kind="stable").tolist()


@dataclass(frozen=True, eq=False)
class _Comparing:
    """How each judge is held against people."""

    systems: tuple[str, ...]
    order: Sequence[int]  # of systems
    deciding: Deciding
    measure: Measure
    options: JudgesOptions

    def of(self, side: Sides) -> JudgeCompared:
        """What becomes of people's claims."""
        if len(side.topics) < _FEWEST:
            few = f"the judge '{side.judge}' shares {counted(len(side.topics), 'topic')} with people"
            raise DesignError(f"{few}; a comparison needs at least {_FEWEST}")
        options, systems = self.options, tuple(self.systems[s] for s in self.order)
        people, judged = side.people[:, self.order], side.judged[:, self.order]
        return JudgeCompared(
            judge=side.judge,
            topics=len(side.topics),
            systems=systems,
            people_means=people.mean(axis=0),
            means=judged.mean(axis=0),
            people=self._claims(people, systems),
            claims=self._claims(judged, systems),
            orders=two_orders(people, judged, draws=options.draws, seed=options.seed, alpha=options.alpha),
            coverage=side.coverage,
            notes=side.notes,
        )

    def favours(self, sides: Sequence[Sides], grouping: Grouping) -> tuple[Favour, ...]:
        """Whom each judge favours."""
        deciding = self.deciding
        return favours_of(sides, self.systems, grouping.groups, deciding.test, deciding.alpha, _families(sides))

    def corrected(self, sides: Sequence[Sides]) -> tuple[CorrectedClaims, ...]:
        """What people's topics and each judge's others say together."""
        strata = None if self.options.strata is None else topic_table(self.options.strata).column("stratum")
        return corrected_claims(sides, self.systems, self.order, self.deciding, _families(sides), strata)

    def variation(self, sides: Sequence[Sides]) -> JudgeVariation | None:
        """How much depends on the judge."""
        deciding = self.deciding
        return variation_of(sides, self.systems, deciding.alpha, deciding.baseline, _families(sides))

    def _claims(self, values: Floats, systems: tuple[str, ...]) -> Claims:
        return claims_of(values, systems, replace(self.deciding, within=range_of(self.measure, values)))


def _families(sides: Sequence[Sides]) -> int:
    """How many families of claims share α behind the first: favour, corrected claims of other judges, other judges."""
    return 1 + (len(correctable(sides)) > 1) + (len(sides) >= LEAST_JUDGES)


def _facts(people: Data, judged: Judged, test: Test) -> Provenance:
    """How claims were made, and what was scored."""
    return Provenance.of(
        *(_of_claims(judged) if judged.each else (facts.alpha(judged.alpha),)),
        judges_told(list(judged.parts)),
        draws_told(judged.draws),
        fact_of_favour(test if judged.favours else None),
        _fact_of_correction(judged),
        data_facts.topics(len(people.topics)),
        file_facts.missing(people.missing),
        people.whole_source,
    )


def _fact_of_correction(judged: Judged) -> Fact:
    names = [claims.judge for claims in judged.corrected] or None
    return sampled_by(names) if judged.sampled else corrected_by(names, in_strata=judged.in_strata)


def _of_claims(judged: Judged) -> tuple[Fact | Provenance, ...]:
    return (
        facts_of(judged.each[0].people.comparison),
        facts.margin(judged.margin),
        data_facts.measures((judged.measure,)),
        data_facts.systems(len(judged.systems)),
    )
