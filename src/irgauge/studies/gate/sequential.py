"""Many looks at one change: what the topics that have come say, valid at every look."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from irgauge.errors import DesignError
from irgauge.files.locking import alone
from irgauge.inference.tests.sequence import SEQUENCE
from irgauge.provenance import Provenance, named
from irgauge.replicates.measured import Measured
from irgauge.scoring.measures import range_of
from irgauge.studies.gate.criteria import Wanted
from irgauge.studies.gate.evidence import Evidence, MeasureGated, by_topics, outcome_of
from irgauge.studies.gate.inputs import Given
from irgauge.studies.gate.lock import unusual_reading
from irgauge.studies.gate.options import GateOptions
from irgauge.studies.gate.sequential_state import Look, State


@dataclass(frozen=True)
class Looks:
    """The looks at a change, this one last."""

    state: str  # the file that keeps them
    seed: int  # of the order of topics
    order: tuple[str, ...]  # the topics, as they were used
    new: int  # topics of this look that no earlier one had
    looks: tuple[Look, ...]
    asymptotic: tuple[str, ...]  # measures without a known range

    @property
    def decided(self) -> Look | None:
        """The first look that decided, if it was an earlier one."""
        return next((look for look in self.looks[:-1] if look.verdict != "undecided"), None)


def look(inputs: Given, measured: Measured, wanted: Sequence[Wanted], options: GateOptions) -> tuple[Evidence, Looks]:
    """What is said now, and the looks so far, which are written to the file of the state."""
    _refuse(inputs, options)
    path = options.state or ""
    with alone(path):
        before = State.of(path, _settings(inputs, measured, wanted, options))
        state = before.continued(measured.scores, options.order, path)
        ordered = _in_order(measured, state.topics)
        evidence = _agreeing(by_topics(ordered, inputs.baseline.name, wanted, options.alpha, test=SEQUENCE))
        state = state.looked(outcome_of(evidence.each))
        if state != before:
            state.write(path)
    new, unknown = len(state.topics) - len(before.topics), _without_range(measured, wanted)
    looks = Looks(str(path), options.order, state.topics, new, state.looks, unknown)
    facts = named("topic_order", f"random, seed {options.order}"), named("looks", len(state.looks))
    return evidence._replace(provenance=Provenance.of(evidence.provenance, *facts)), looks


def looked_otherwise(
    inputs: Given, measured: Measured, wanted: Sequence[Wanted], options: GateOptions, looks: Looks
) -> Evidence:
    """What is said with missing topics treated otherwise, in the order of the looks where that has them all."""
    there = set(measured.scores.topics)
    order = [topic for topic in looks.order if topic in there]
    if len(order) < len(there):  # as at a first look: those that were not used may not all come last
        order = np.random.default_rng([looks.seed, 0]).permutation(sorted(there)).tolist()
    ordered = _in_order(measured, order)
    return _agreeing(by_topics(ordered, inputs.baseline.name, wanted, options.alpha, test=SEQUENCE))


def contradicts_itself(gated: MeasureGated) -> bool:
    """Whether no difference is left: what was shown at one time is refuted by topics that came at another."""
    return gated.low > gated.high


def _agreeing(evidence: Evidence) -> Evidence:
    """Nothing is said by a measure whose topics contradict each other, as they do not come in random order."""
    each = (replace(own, verdict="inconclusive") if contradicts_itself(own) else own for own in evidence.each)
    return evidence._replace(each=tuple(each))


def _refuse(inputs: Given, options: GateOptions) -> None:
    if max(len(inputs.baseline.runs), len(inputs.candidate.runs)) > 1:
        raise DesignError("a gate of many looks (sequential) is for one run of each side; give one of each")
    if options.missing is None and inputs.rule == "zero" and inputs.missing.topics:
        raise DesignError(
            f"{len(inputs.missing.topics)} of {inputs.missing.of} topics are not answered by both; in a gate of many "
            "looks (sequential) say by the option 'missing' whether they are yet to come (drop) or worth 0 (zero)"
        )


def _settings(inputs: Given, measured: Measured, wanted: Sequence[Wanted], options: GateOptions) -> dict[str, Any]:
    """What must stay as at the first look."""
    unknown = _without_range(measured, wanted)
    return {
        "measures": {str(criterion.measure): criterion.terms for criterion in wanted},
        "asymptotic": list(unknown),
        "alpha": options.alpha,
        "missing": inputs.rule,
        **unusual_reading(options),
        "scale": options.scale,
        "order": options.order,
    }


def _without_range(measured: Measured, wanted: Sequence[Wanted]) -> tuple[str, ...]:
    measures = [criterion.measure for criterion in wanted]
    return tuple(str(own) for own in measures if range_of(own, measured.only(own).values()) is None)


def _in_order(measured: Measured, topics: Sequence[str]) -> Measured:
    scores = measured.scores
    places = {topic: place for place, topic in enumerate(scores.topics)}
    values = scores.values[:, [places[topic] for topic in topics]]
    return replace(measured, scores=replace(scores, values=values, topics=tuple(topics)))
