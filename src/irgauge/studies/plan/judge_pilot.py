"""What a plan rests on where a judge helps: people's differences, the judge's on the same topics, and on others."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from irgauge.choices import known
from irgauge.compute.arrays import Floats, Ints
from irgauge.errors import DesignError
from irgauge.inference.outcomes import pair_variances
from irgauge.inference.prediction_powered import corrected
from irgauge.options.fields import refuse
from irgauge.planning.allocation import next_strata, spreads_in, strata_of
from irgauge.planning.judged import people_and_judge
from irgauge.planning.sizes import Size
from irgauge.provenance import Provenance, fact
from irgauge.reading import facts as file_facts
from irgauge.reading.judges import judges_of
from irgauge.replicates import facts as data_facts
from irgauge.replicates.data import baseline_of
from irgauge.replicates.given import Given, one_measure, only_higher
from irgauge.studies.judge_sides import People, Sides, opened_people, sides_of
from irgauge.studies.plan.options import PlanOptions
from irgauge.studies.plan.pilot import JUDGED, Named, PairPilot, Pilot, chosen

_OF_DOCUMENTS = (
    "shards",
    "fill",
    "keep_systems",
    "sparse",
    "population",
    "manifest",
    "pattern",
    "labels",
    "corpus_size",
    "variants",
    "cost_wording",
)
_OF_DOCUMENTS_TOLD = "shards, instances, wordings or documents, and a plan with a judge is of topics; leave it out"


@fact()
def judge_told(name: str) -> str:
    """Who judges beside people."""
    return f"judge: {name}"


@dataclass(frozen=True)
class JudgedTopic:
    """A topic of the judge: which stratum it is in, and when people should judge it."""

    topic: str
    stratum: int  # from 1, the one where the systems' scores by the judge spread least
    place: int | None  # among those to be judged next; None for one that people judged


@dataclass(frozen=True)
class TopicStratum:
    """Topics of which the judge says alike, and how people's differences vary on them, given the judge's."""

    stratum: int
    topics: int
    people: int  # of these, judged by people
    spread: float  # S: of people's differences, given the judge's, over pairs of systems
    share: float  # of people's topics by Neyman's allocation


@dataclass(frozen=True)
class PeopleNext:
    """Which topics to give to people next."""

    topics: tuple[JudgedTopic, ...]  # people's, then the others, those to be judged first before others
    strata: tuple[TopicStratum, ...]

    @property
    def waiting(self) -> tuple[str, ...]:
        """The topics that people did not judge, those to be judged first before others."""
        return tuple(own.topic for own in self.topics if own.place is not None)

    def rows(self) -> Iterator[Mapping[str, Any]]:
        """For frames and JSON."""
        yield from map(vars, self.topics)


def pilot_of_judge(data: Given, options: PlanOptions) -> tuple[Pilot, PeopleNext | None]:
    """The variances of pairs by people and a judge, and which topics to give to people next, if there are any."""
    refuse(options, _OF_DOCUMENTS, _OF_DOCUMENTS_TOLD)
    judge, *others = judges_of(options.judge or ())
    if others:
        raise DesignError(f"{1 + len(others)} judges are given; a plan is with one at a time")
    people = opened_people(data, options)
    if len(people.data.systems) < 2:
        raise DesignError("there is one system; at least 2 are needed for differences to plan with")
    usual = options.usual[0] if people.data.has_runs else None
    (measure,) = only_higher(one_measure(people.data, options.measure or usual), "plans with a judge")
    side = sides_of(people, judge, measure, options)
    systems = people.data.systems
    baseline = (
        None if options.baseline is None else known(baseline_of(people.data, options.baseline), systems, "baseline")
    )
    pairs = chosen(_spreads(side, systems, baseline), baseline)
    further = _further(side)
    pilot = Pilot(
        pairs=tuple(
            PairPilot(pair, people_and_judge(*_differences(side, systems, named))) for named, pair in pairs.items()
        ),
        of_pairs=len(systems) - 1 if baseline else len(systems) * (len(systems) - 1) // 2,
        systems=options.systems or len(systems),
        random=0,
        replicates=JUDGED,
        here=Size(len(side.topics), len(further)),
        measure=str(measure),
        population="topics",
        facts=_facts(people, side, str(measure)),
        values=None,
        judgments=_judgments(people, options),
        judge=side.judge,
        notes=side.notes,
    )
    return pilot, people_next(side, options.seed)


def _judgments(people: People, options: PlanOptions) -> float | None:
    return people.data.judgments if options.judgments is None else options.judgments


def _facts(people: People, side: Sides, measure: str) -> Provenance:
    return Provenance.of(
        judge_told(side.judge),
        data_facts.measures((measure,)),
        data_facts.systems(len(people.data.systems)),
        data_facts.topics(len(side.topics)),
        file_facts.missing(people.data.missing),
        people.data.whole_source,
    )


def _further(side: Sides) -> Floats:
    """Scores[topic, system] by the judge on topics that people did not judge; there may be none."""
    return np.zeros((0, side.people.shape[1])) if side.further is None else side.further


def _differences(side: Sides, systems: tuple[str, ...], pair: Named) -> tuple[Floats, Floats, Floats]:
    first, second = map(systems.index, pair)
    scores = side.people, side.judged, _further(side)
    return tuple(own[:, first] - own[:, second] for own in scores)  # type: ignore[return-value]  # three of them


def _spreads(side: Sides, systems: tuple[str, ...], baseline: str | None) -> dict[Named, float]:
    """How much people's difference of each pair varies: the better system first, or each before the baseline."""
    spreads, order = pair_variances(side.people), np.argsort(-side.people.mean(axis=0), kind="stable").tolist()
    if baseline is None:
        codes = [(order[a], order[b]) for a in range(len(order)) for b in range(a + 1, len(order))]
    else:
        codes = [(code, systems.index(baseline)) for code in order if systems[code] != baseline]
    return {(systems[first], systems[second]): float(spreads[first, second]) for first, second in codes}


def people_next(side: Sides, seed: int) -> PeopleNext | None:
    """Which topics to give to people next; None where the judge has no others. Within a stratum chance decides."""
    if side.further is None:
        return None
    n, names = len(side.topics), (*side.topics, *side.further_topics)
    spread = np.concatenate([side.judged, side.further]).std(axis=1)  # topic: by the judge, over systems
    strata = strata_of(spread, n)
    count = int(strata.max()) + 1
    varies = spreads_in(strata[:n], _given_judge(side, side.further), count)
    sizes, people = np.bincount(strata, minlength=count), np.bincount(strata[:n], minlength=count)
    weight = sizes / len(names) * varies
    places = _places(strata[n:], next_strata(weight, people.tolist(), (sizes - people).tolist()), seed)
    judged = [JudgedTopic(topic, int(stratum) + 1, None) for topic, stratum in zip(names, strata[:n], strict=False)]
    others = [JudgedTopic(names[n + t], int(strata[n + t]) + 1, place) for place, t in enumerate(places, 1)]
    shares = weight / weight.sum() if weight.sum() > 0 else sizes / len(names)
    each = zip(sizes.tolist(), people.tolist(), varies.tolist(), shares.tolist(), strict=True)
    return PeopleNext((*judged, *others), tuple(TopicStratum(h, *row) for h, row in enumerate(each, 1)))


def _given_judge(side: Sides, further: Floats) -> Floats:
    """People's differences less what the judge's say of them; topic, pair."""
    first, second = np.triu_indices(side.people.shape[1], 1)
    d, f, others = (scores[:, first] - scores[:, second] for scores in (side.people, side.judged, further))
    return d - corrected(d, f, others).weight * f


def _places(strata: Ints, order: list[int], seed: int) -> list[int]:
    """The topics in the order of their strata, each stratum's in an order of chance."""
    shuffled = np.random.default_rng(seed).permutation(len(strata))
    waiting = {stratum: iter(shuffled[strata[shuffled] == stratum].tolist()) for stratum in set(order)}
    return [next(waiting[stratum]) for stratum in order]
