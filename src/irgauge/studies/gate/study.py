"""May this change ship? The candidate against the baseline, by each measure against the difference that matters."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar

from irgauge.errors import DesignError, InputError
from irgauge.inference.by_topic import topic_records
from irgauge.inference.sampling import Sampling
from irgauge.options.fields import options_of
from irgauge.options.verbs import verb
from irgauge.planning.deciding import Needed
from irgauge.provenance import Provenance
from irgauge.reading.missing import MissingRule, MissingTopics
from irgauge.reading.notes import Note
from irgauge.reading.topic_table import TopicTable, topic_table
from irgauge.replicates.measured import Measured
from irgauge.replicates.needs import measured_over_wordings
from irgauge.scoring.scores import Scores, Wordings
from irgauge.studies.gate.criteria import Wanted
from irgauge.studies.gate.evidence import (
    Evidence,
    MeasureGated,
    Outcome,
    by_topics,
    measure_record,
    needed_of,
    outcome_of,
)
from irgauge.studies.gate.further_looks import beside_clusters, beside_holes, on_slices
from irgauge.studies.gate.inputs import Given, GivenRuns, inputs_of
from irgauge.studies.gate.lock import Lock, Locked
from irgauge.studies.gate.options import UNDECIDED, GateOptions
from irgauge.studies.gate.reason import Reason, reason_of
from irgauge.studies.gate.remembered import Budgeted, remembered
from irgauge.studies.gate.run_evidence import by_runs
from irgauge.studies.gate.sequential import Looks, look, looked_otherwise
from irgauge.studies.result import Result
from irgauge.studies.sampled import sampling
from irgauge.studies.tested import slice_records

_OTHER_RULES: Mapping[MissingRule, MissingRule] = {"zero": "drop", "drop": "zero"}  # what else missing topics could be
_OTHERWISE = ("measures", "margin", "workers")  # said with the measures, or not at all


def command_of(inputs: Given, options: GateOptions) -> str | None:
    """The command line; None where what was given has no words."""
    if inputs.words is None:
        return None
    measures = [part for criterion in inputs.wanted for part in ("-m", str(criterion))]
    return shlex.join(["irgauge", "gate", *inputs.words, *measures, *_options(options)])


def _options(options: GateOptions) -> Iterator[str]:
    """Those that are not as usual."""
    for option in options_of(GateOptions):
        value = getattr(options, option.name)
        if option.name not in _OTHERWISE and value != option.default:
            several = value if isinstance(value, list | tuple) else [value]
            yield from (
                (option.flag,) if value is True else (part for own in several for part in (option.flag, str(own)))
            )


@dataclass(frozen=True, eq=False, repr=False)
class Gated(Result):
    """Whether a change may ship: what each measure says, and all of them together."""

    study: ClassVar[str] = "gate"

    baseline: str
    candidate: str
    runs: tuple[int, int]  # of the baseline and of the candidate
    each: tuple[MeasureGated, ...]  # measure
    alpha: float
    undecided: str  # what an undecided gate does
    missing: MissingTopics
    not_counted: tuple[str, ...]  # topics on which only the candidate has scores
    notes: tuple[Note, ...]  # what else a careful reader should know of the runs
    unchanging: tuple[str, ...]  # sides whose runs never differ
    lock: Locked | None
    command: str | None  # that gives the same; None where there is none
    population: str  # what the verdict covers
    test: str  # its name
    correction: str  # over the measures
    source: Provenance
    sampling: Sampling | None = None  # clusters and weights of topics
    averaged: tuple[Scores, ...] = ()  # measure: means over wordings, where topics are needs
    reason: Reason | None = None  # what lies behind it; None where it passes
    budget: Budgeted | None = None  # of all gates of a history
    looks: Looks | None = None  # where it is one of many looks

    @property
    def parts(self) -> Mapping[str, MeasureGated]:
        """Measure -> what it says."""
        return {gated.measure: gated for gated in self.each}

    @property
    def verdict(self) -> Outcome:
        """What all measures say together."""
        return outcome_of(self.each)

    @property
    def exit_code(self) -> int:
        """0 if it passes, 1 if it fails; where it is undecided, what was asked for."""
        return {"pass": 0, "fail": 1, "undecided": UNDECIDED[self.undecided]}[self.verdict]

    @property
    def passed(self) -> bool:
        """Whether the change may ship; an undecided gate passes only where `undecided="pass"` was asked for."""
        return self.exit_code == 0

    def __bool__(self) -> bool:
        """Whether it passed, so that `assert gate(...)` fails with a gate that fails or cannot decide."""
        return self.passed

    @property
    def topics(self) -> int:
        """How many topics there are."""
        return len(self.each[0].topics.topics)

    @property
    def wordings(self) -> Wordings | None:
        """What scores are means over, where topics are needs."""
        return self.averaged[0].wordings if self.averaged else None

    @property
    def needed(self) -> Needed | None:
        """What would decide; None where it is decided."""
        return needed_of(self.each) if self.verdict == "undecided" else None

    @property
    def is_same(self) -> bool:
        """Whether both have the same score on every topic, by every measure."""
        return all(gated.is_same for gated in self.each)

    @property
    def provenance(self) -> Provenance:
        """The test, its margins and its population, and what was measured."""
        return self.source

    def frame_rows(self, name: str) -> Iterable[Mapping[str, Any]]:
        """The pair by each measure; or the two on each topic."""
        if name == "topics":
            return topic_records(gated.topics for gated in self.each)
        if name == "slices":
            return [row for gated in self.each for row in slice_records(gated.measure, gated.sliced.slices)]
        return [gated.row | self._tested for gated in self.each]

    @property
    def _tested(self) -> dict[str, Any]:
        """How every measure was tested."""
        return {name: getattr(self, name) for name in ("test", "correction", "population", "alpha")}

    def summary(self) -> str:
        """A page for a pull request, in Markdown."""
        page = self.own_forms()["summary"](self)
        return page if isinstance(page, str) else page.decode()

    def aside(self) -> str:
        """What lies behind a gate that does not pass, in one screen."""
        return self._shown("reason_told").screen(self)

    def content(self) -> dict[str, Any]:
        """The verdict, what each measure says, and the two on each topic."""
        return {
            "verdict": self.verdict,
            "passed": self.passed,
            "exit_code": self.exit_code,
            "undecided": self.undecided,
            "needed": self.needed,
            "reason": self.reason,
            "baseline": self.baseline,
            "candidate": self.candidate,
            "runs": dict(zip(("baseline", "candidate"), self.runs, strict=True)),
            "measures": [
                measure_record(gated)
                | self._tested
                | {
                    "slices": list(slice_records(gated.measure, gated.sliced.slices)),
                    "small_slices": [dict(part._asdict()) for part in gated.sliced.small],
                }
                for gated in self.each
            ],
            "missing": self.missing,
            "not_counted": self.not_counted,
            "unchanging": self.unchanging,
            "notes": self.notes,
            "lock": self.lock,
            "budget": self.budget,
            "looks": self.looks,
            "command": self.command,
        }


@verb(GateOptions)
def gate(data: object, options: GateOptions) -> Gated:
    """Decide whether a candidate may take the place of the baseline: it passes, fails, or that is undecided.

    `data` is what every study takes (runs that were loaded, a table of scores), and `baseline` and `candidate` are
    names of systems in it, one or several. Or `data` are judgments, and the others runs, as `load` takes them; or two
    tables are given, the baseline's and the candidate's. It passes if the candidate is shown to be better, equivalent
    or not worse by the margin or more in every measure, and fails if it is shown to be worse in one. One run of each is
    compared by the paired t-test over topics with a guard against skewness, several runs (or replicates of a table) by
    the mixed model of `instances`, whose claims cover other runs too. All measures are corrected together: of two that
    are equally good, a gate fails at most α/2; a candidate that is worse by the margin passes at most α of the time.
    What is given is true where it passes, and false where it fails or is undecided (unless `undecided="pass"`).

    >>> qrels = {str(topic): {"d": 1} for topic in range(20)}
    >>> base = {topic: {"d": 2.0, "x": 3.0 * (topic == "0")} for topic in qrels}
    >>> worse = {topic: {"d": 1.0, "x": 1.0 + int(topic) % 3} for topic in qrels}
    >>> gate(qrels, {"base": base}, {"new": worse}, "RR", margin="1%").verdict
    'fail'
    >>> assert gate(qrels, {"base": base}, {"new": base}, "RR", margin=0.01)
    >>> gate((qrels, {"base": base, "new": worse}), "base", "new", "RR", margin="1%").passed
    False
    """
    options.check_history()
    about = None if options.topics_table is None else topic_table(options.topics_table)
    inputs = inputs_of(data, options)
    lock = None if options.lock is None else Lock.of(inputs, options, about or TopicTable())
    locked = None if lock is None or options.lock is None else lock.check(options.lock)
    if options.sequential:
        evidence, looks = _looked(inputs, options, about)
    else:
        evidence, looks = _found(inputs, options, about), None
    table = evidence.averaged[0].about if evidence.averaged else inputs.about.beside(about or TopicTable())
    gated = Gated(
        baseline=inputs.baseline.name,
        candidate=inputs.candidate.name,
        runs=(len(inputs.baseline.runs), len(inputs.candidate.runs)),
        each=evidence.each,
        alpha=options.alpha,
        undecided=str(options.undecided),
        missing=inputs.missing.under(inputs.rule),
        not_counted=inputs.not_counted,
        notes=inputs.notes,
        unchanging=evidence.unchanging,
        lock=locked,
        command=command_of(inputs, options),
        population=evidence.population,
        test=evidence.test,
        correction=evidence.correction,
        source=evidence.provenance,
        sampling=evidence.sampling,
        averaged=evidence.averaged,
        reason=reason_of(evidence.each, inputs, table),
        looks=looks,
    )
    result = remembered(gated, inputs, options, about or TopicTable())
    if result.budget is not None:  # which may have changed what fails
        result = replace(result, reason=reason_of(result.each, inputs, table))
    if lock is not None and locked is not None and locked.state == "written":
        lock.write(locked.path)
    return result


def _about_topics(measured: Measured, about: TopicTable | None, variants: str | None) -> Measured:
    """The scores with what is known of topics; these are needs, where a column tells their wordings apart."""
    if variants is not None:
        return measured_over_wordings(measured, variants, about)
    return measured if about is None else measured.with_topics(about)


def _measured(
    inputs: Given, options: GateOptions, about: TopicTable | None, rule: MissingRule
) -> tuple[Measured, tuple[Wanted, ...]]:
    """The scores on the scale that is asked for, and the measures with their margins there."""
    measured, wanted = _about_topics(inputs.under(rule), about, options.variants), inputs.wanted
    if options.scale is None:
        return measured, wanted
    measured = measured.transformed(options.scale)
    pairs = zip(wanted, measured.scores.measures, strict=True)
    return measured, tuple(criterion.of_logs(measure) for criterion, measure in pairs)


def _found(inputs: Given, options: GateOptions, about: TopicTable | None) -> Evidence:
    """What the measures say, with missing topics treated as asked."""

    def under(rule: MissingRule) -> Evidence:
        measured, wanted = _measured(inputs, options, about, rule)
        if len(inputs.baseline.runs) == len(inputs.candidate.runs) == 1:
            baseline = inputs.baseline.name
            own = sampling(measured.scores, options)
            evidence = by_topics(measured, baseline, wanted, options.alpha, own)
            if own is None:
                evidence = beside_clusters(evidence, measured, baseline, wanted, options.alpha)
            if isinstance(inputs, GivenRuns):
                evidence = beside_holes(evidence, inputs.bench(rule), wanted, options.alpha)
            columns = options.slice_columns
            return on_slices(evidence, measured, baseline, wanted, options) if columns else evidence
        if options.variants is not None:
            raise DesignError("wordings (variants) are averaged for one run of each side; give one of each")
        if options.is_sampled:
            raise DesignError("clusters, weights and shares are taken for one run of each side; give one of each")
        if options.slice_columns:
            raise DesignError("kinds of topics (by) are told apart for one run of each side; give one of each")
        return by_runs(measured, inputs.baseline, inputs.candidate, wanted, options.alpha)

    return _beside_other_rule(under(inputs.rule), inputs, under)


def _looked(inputs: Given, options: GateOptions, about: TopicTable | None) -> tuple[Evidence, Looks]:
    """What the measures say at this look, and the looks so far."""
    measured, wanted = _measured(inputs, options, about, inputs.rule)
    evidence, looks = look(inputs, measured, wanted, options)
    if isinstance(inputs, GivenRuns):
        evidence = beside_holes(evidence, inputs.bench(inputs.rule), wanted, options.alpha)

    def under(rule: MissingRule) -> Evidence:
        return looked_otherwise(inputs, *_measured(inputs, options, about, rule), options, looks)

    return _beside_other_rule(evidence, inputs, under), looks


def _beside_other_rule(evidence: Evidence, inputs: Given, under: Callable[[MissingRule], Evidence]) -> Evidence:
    """With what is said with missing topics treated otherwise, where there are some."""
    other = _OTHER_RULES.get(inputs.rule)
    if other is None or not inputs.missing.topics:
        return evidence
    try:
        return evidence.beside(under(other))
    except (InputError, DesignError):  # hardly any topic is left, or 0 is no score
        return evidence
