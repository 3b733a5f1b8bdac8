"""What judges are asked about: the scores that people's judgments give, and those that each judge's give, side by side.

Runs are read once, and scored under the judgments of each; of tables of scores each judge has one.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence, Sized
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from irgauge.compute.arrays import Bools, Floats
from irgauge.errors import DesignError, InputError
from irgauge.inference.prediction_powered import LEAST_TOPICS
from irgauge.options.fields import options_of, refuse
from irgauge.reading.collection import Collection, gathered, join, judgments_of, run_readers
from irgauge.reading.judges import Judge, check_scale, mapped, of_topics, settled
from irgauge.reading.missing import counted_topics, rule_of
from irgauge.reading.options import Joining, Reads, refuse_reading
from irgauge.reading.rejudging import JudgedPairs, own_pairs, pairs_of, rejudged
from irgauge.reading.tables.looks import are_scores
from irgauge.reading.trec import Qrels, Run
from irgauge.replicates.bench import Bench
from irgauge.replicates.data import Data
from irgauge.replicates.given import Given, judgments_and_runs, opened
from irgauge.replicates.measured import Measuring
from irgauge.scoring.document_samples import SampledScores, sampled_scores
from irgauge.scoring.measures import Measure
from irgauge.scoring.scores import is_measure
from irgauge.studies.judge_options import JudgesAsked
from irgauge.wording import counted

_NEARLY_ALL = 0.95  # of a judge's grades: one that says the same so often says next to nothing


@dataclass(frozen=True)
class Coverage:
    """How many pairs of topic and document were judged, on the topics that both judged."""

    both: int
    only_people: int
    only_judge: int


@dataclass(frozen=True, eq=False)
class Sides:
    """The scores of the same systems on the same topics by people's judgments and by a judge's."""

    judge: str
    topics: tuple[str, ...]  # that both judged
    people: Floats  # topic, system
    judged: Floats  # topic, system
    coverage: Coverage | None  # None for scores, of which nothing is known
    pairs: tuple[JudgedPairs, JudgedPairs] | None  # those that both judged, by people and by the judge
    notes: tuple[str, ...]  # what a careful reader should know of the judgments
    further: Floats | None = None  # topic, system: the judge's scores on topics that people did not judge
    further_topics: tuple[str, ...] = ()  # these topics
    sampled: SampledScores | None = None  # where people judged a sample of documents, of which `people` are estimates


class People(NamedTuple):
    """What people's judgments are of, and the runs as they were given, where these were read here."""

    data: Data
    runs: object | None


def opened_people(data: Given, options: JudgesAsked) -> People:
    """People's judgments and the runs, or a table of scores."""
    given = judgments_and_runs(data)
    if (alone := _alone(data, options)) is not None:
        return People(alone, None)
    if given is None:
        people = opened(data, options.workers, missing=options.missing)
        _check_reading(people, options)
        return People(people, None)
    qrels = judgments_of(given[0])
    if not len(qrels.iterations):  # else a document may be judged under several subtopics
        qrels, _ = settled(qrels, options.duplicates or "refuse")
    collection = join(qrels, run_readers(given[1]), Joining.of(options, documents="all"))
    return People(Bench(collection, workers=options.workers), given[1])


def _alone(data: Given, options: JudgesAsked) -> Data | None:
    """Judgments without runs: on the bench with a run that holds all judged documents, so that these have numbers."""
    paths = [data] if isinstance(data, str | os.PathLike) else data
    if not isinstance(paths, list | tuple) or len(paths) != 1 or not isinstance(paths[0], str | os.PathLike):
        return None
    if are_scores(str(paths[0]), is_measure):
        return None
    qrels, _ = settled(judgments_of(paths[0]), options.duplicates or "refuse")
    rows = {name: getattr(qrels, name) for name in ("path", "topics", "bounds", "text", "starts", "stops", "line_of")}
    run = Run(**rows, tag="people", scores=qrels.grades.astype(float))
    return Bench(join(qrels, [lambda: run], Joining(topics="judged")))


def _check_reading(people: Data, options: JudgesAsked) -> None:
    """Refuse options of reading where nothing is read."""
    if people.has_runs:
        refuse_reading(options, Reads)
        return
    of_runs = (option.name for option in options_of(Reads) if option.name != "missing")
    refuse(
        options,
        (*of_runs, "grades", "duplicates", "pairs", "sampled"),
        "judgments, and scores were given; leave it out",
    )


def sides_of(people: People, judge: Judge, measure: Measure, options: JudgesAsked) -> Sides:
    """The scores by people's judgments and by a judge's."""
    if people.data.has_runs:
        return _of_judgments(people, judge, measure, options)
    return _of_scores(people.data, judge, measure, options)


# tables of scores


def _of_scores(people: Data, judge: Judge, measure: Measure, options: JudgesAsked) -> Sides:
    other = opened(judge.source, options.workers, missing=options.missing)  # type: ignore[arg-type]  # which is checked there
    if other.has_runs:
        raise DesignError(f"the judge '{judge.name}' is no table of scores, and people's scores are; give both alike")
    lacking = [system for system in people.systems if system not in other.systems]
    if lacking:
        raise DesignError(f"the judge '{judge.name}' has no scores of {_some(lacking, 'system')}; add them")
    topics = _common(people.topics, other.topics, judge.name)
    besides = _beside(other.topics, people.topics)
    further = _values(other, measure, besides, people.systems) if _are_enough(topics, besides) else None
    return Sides(
        judge=judge.name,
        topics=topics,
        people=_values(people, measure, topics, people.systems),
        judged=_values(other, measure, topics, people.systems),
        coverage=None,
        pairs=None,
        notes=tuple(_topic_notes(people.topics, other.topics, is_used=further is not None)),
        further=further,
        further_topics=tuple(besides) if further is not None else (),
    )


def _some(names: Sequence[str], noun: str) -> str:
    more = ", ..." if len(names) > 3 else ""
    return f"{counted(len(names), noun)} ({', '.join(names[:3])}{more})"


def _common(topics: Sequence[str], others: Sequence[str], judge: str) -> tuple[str, ...]:
    known = set(others)
    common = tuple(topic for topic in topics if topic in known)
    if not common:
        message = f"the judge '{judge}' has none of people's topics ({', '.join(topics[:3])}, ...)"
        raise DesignError(f"{message}; its own are {', '.join(others[:3])}, ...: are they of another collection?")
    return common


def _values(data: Data, measure: Measure, topics: Sequence[str], systems: Sequence[str]) -> Floats:
    """Scores[topic, system], of some topics and systems in their order."""
    measured = data.measured(Measuring((measure,)))
    rows, columns = (
        [own.index(name) for name in names]
        for own, names in ((measured.scores.topics, topics), (measured.scores.systems, systems))
    )
    return measured.by_topic()[np.ix_(rows, columns)]


def _are_enough(shared: Sequence[str], others: Sized) -> bool:
    """Whether claims can be corrected with so many topics that both judged, and others."""
    return len(shared) >= LEAST_TOPICS and len(others) > 1


def _beside(topics: Sequence[str], others: Sequence[str]) -> list[str]:
    """Those that are not among the others."""
    known = set(others)
    return [topic for topic in topics if topic not in known]


def _topic_notes(topics: Sequence[str], others: Sequence[str], *, is_used: bool) -> Iterator[str]:
    """Topics that one side alone judged."""
    if lacking := _beside(topics, others):
        yield f"{counted_topics(lacking)} of people's judgments not judged by it, left out here"
    if besides := _beside(others, topics):
        done = "used for corrected claims alone" if is_used else "left out here"
        yield f"{counted_topics(besides)} judged by it and not by people, {done}"


# judgments


def _of_judgments(given: People, judge: Judge, measure: Measure, options: JudgesAsked) -> Sides:
    bench = given.data.runs()
    whole = bench.collection
    qrels, notes = _prepared(judge, whole, options)
    part = _on(whole, _common_topics(whole, qrels))
    people, own = own_pairs(part), pairs_of(qrels, part)
    shared = own.among(people)
    _check_shared(qrels, own, shared)
    if options.sampled:
        return _of_sample(judge.name, part, own, measure, notes)
    if options.pairs == "common":
        part = _on(part, {part.topics[t] for t in np.unique(own.topics[shared])})
        people, own = own_pairs(part), pairs_of(qrels, part)
        shared = own.among(people)
    common = people.only(people.among(own)), own.only(shared)
    used = common if options.pairs == "common" else (people, own)
    judged = rejudged(part, used[1])
    further = _further(given, part.topics, qrels, measure, options)
    by_people = rejudged(part, used[0]) if options.pairs == "common" else None
    return Sides(
        judge=judge.name,
        topics=part.topics,
        people=_values(bench if by_people is None else Bench(by_people), measure, part.topics, part.systems),
        judged=_values(Bench(judged, workers=options.workers), measure, part.topics, part.systems),
        coverage=Coverage(len(common[0]), len(people) - len(common[0]), len(own) - len(common[1])),
        pairs=common,
        notes=(
            *notes,
            *_topic_notes((*whole.topics, *whole.no_relevant), qrels.topics, is_used=further.scores is not None),
            *further.why_not,
            *_pair_notes(part, people, own, qrels, options),
            *_grade_notes(judged, own),
        ),
        further=further.scores,
        further_topics=further.topics,
    )


def _of_sample(judge: str, part: Collection, own: JudgedPairs, measure: Measure, notes: tuple[str, ...]) -> Sides:
    """The scores that a sample of documents by people leads to expect, and those by the judge of all of them."""
    if part.topic_rule != "judged":
        raise DesignError(
            "where people judged a sample of documents, chance decides which topics have a relevant one; give --topics "
            "judged, by which all topics count"
        )
    scores, people = sampled_scores(part, own, measure), own_pairs(part)
    judged = people.only(people.grades >= 0)
    if len(judged) == len(people):
        raise DesignError("people judged all documents, as no grade is below 0; leave --sampled out")
    common = judged.only(judged.among(own)), own.only(own.among(judged))
    lacking, besides = int((~people.among(own)).sum()), int((~own.among(people)).sum())
    counted_notes = (
        f"it did not judge {lacking:,} of {counted(len(people), 'document')} of people's pool: not relevant by it",
        f"{counted(besides, 'document')} that it judged not in people's pool, left out",
    )
    return Sides(
        judge=judge,
        topics=part.topics,
        people=scores.people,
        judged=scores.whole,
        coverage=Coverage(len(common[0]), len(judged) - len(common[0]), len(own) - len(common[0])),
        pairs=common,
        notes=(*notes, *(note for note, count in zip(counted_notes, (lacking, besides), strict=True) if count)),
        sampled=scores,
    )


class _Further(NamedTuple):
    """The judge's scores[topic, system] on topics that people did not judge; None where there are none to use."""

    scores: Floats | None = None
    topics: tuple[str, ...] = ()
    why_not: tuple[str, ...] = ()  # a note, where there are some that are not used


def _further(given: People, shared: Sequence[str], qrels: Qrels, measure: Measure, options: JudgesAsked) -> _Further:
    """Runs that were loaded before have no others; nor has what only both judged."""
    whole = given.data.runs().collection
    others = _beside(qrels.topics, (*whole.topics, *whole.no_relevant))
    if given.runs is None or not _are_enough(shared, others) or options.pairs == "common" or len(whole.systems) < 2:
        return _Further()
    joining = replace(Joining.of(options, documents="judged"), topics="judged")
    collection = gathered(of_topics(qrels, others), run_readers(given.runs), joining)
    answered = {topic for topic, lists in zip(collection.topics, collection.lengths, strict=True) if lists.any()}
    if not _are_enough(shared, answered):
        return _Further()
    without = [topic for topic in collection.no_relevant if topic in answered]
    if whole.topic_rule != "judged" and (whole.no_relevant or without):
        return _Further(why_not=(_of_two_kinds(whole.no_relevant, without),))
    settled_runs = _on(collection, answered).under(rule_of(options.missing))
    topics = settled_runs.topics
    return _Further(_values(Bench(settled_runs, workers=options.workers), measure, topics, whole.systems), topics)


def _of_two_kinds(of_people: Sequence[str], of_judge: Sequence[str]) -> str:
    """Why a judge's other topics are not of the kind that people's are, and what to do."""
    lacking = [
        f"{counted_topics(topics)} {whose}"
        for topics, whose in ((of_people, "of people's judgments"), (of_judge, "that it alone judged"))
        if topics
    ]
    why = f"{' and '.join(lacking)} without a relevant document, and people's count only with one"
    return f"no corrected claims: {why}; they need --topics judged, by which all topics count on both sides"


def _prepared(judge: Judge, collection: Collection, options: JudgesAsked) -> tuple[Qrels, tuple[str, ...]]:
    """The judgments of a judge on people's scale, each pair once, and what is to be noted of them."""
    meant = options.grades or {}
    least, most = int(collection.grades.min()), int(collection.grades.max())
    qrels = mapped(judge.read(), meant)
    check_scale(qrels, min(least, 0), most, meant)
    return settled(qrels, options.duplicates or "first")


def _common_topics(collection: Collection, qrels: Qrels) -> set[str]:
    common = set(collection.topics) & set(qrels.topics)
    if not common:
        theirs, own = ", ".join(collection.topics[:3]), ", ".join(qrels.topics[:3])
        message = f"none of its topics ({own}, ...) is one of people's ({theirs}, ...); are they of another collection?"
        raise InputError(message, path=qrels.path)
    return common


def _on(collection: Collection, topics: set[str]) -> Collection:
    """The collection on some of its topics."""
    others = set(collection.topics) - topics
    return collection.without(others) if others else collection


def _check_shared(qrels: Qrels, own: JudgedPairs, shared: Bools) -> None:
    if not shared.any():
        row = int(own.rows.min())
        message = f"none of its {counted(len(own), 'document')} is one that people judged for the same topic"
        raise qrels.error(row, f"{message}, from '{qrels.docno(row)}' on; are its docnos those of another collection?")


def _pair_notes(
    part: Collection, people: JudgedPairs, own: JudgedPairs, qrels: Qrels, options: JudgesAsked
) -> Iterator[str]:
    """Pairs that one side alone judged."""
    lacking, besides = ~people.among(own), ~own.among(people)
    is_common = options.pairs == "common"
    if lacking.any():
        first = int(np.flatnonzero(lacking)[0])
        example = f"'{part.docnos[int(people.docs[first])]}' of topic {part.topics[people.topics[first]]}"
        done = "left out" if is_common else "these count as not relevant by it (see --pairs)"
        of = counted(len(people), "pair")
        yield f"it did not judge {lacking.sum():,} of {of} that people judged, such as {example}: {done}"
    if besides.any():
        row = int(own.rows[besides].min())
        done = "left out" if is_common else "these count as not relevant by people (see --pairs)"
        of = counted(len(own), "pair")
        yield f"people did not judge {besides.sum():,} of {of} that it judged, the first {qrels.place(row)}: {done}"


def _grade_notes(judged: Collection, own: JudgedPairs) -> Iterator[str]:
    """A judge that says the same of nearly everything, and topics to which nothing is relevant."""
    grades, counts = np.unique(own.grades, return_counts=True)
    if counts.max() >= _NEARLY_ALL * len(own):
        most = int(counts.argmax())
        of = counted(len(own), "pair")
        yield f"the grade {grades[most]} is given to {counts[most]:,} of {of}: it says next to nothing"
    if judged.no_relevant:
        yield f"{counted_topics(judged.no_relevant)} without a relevant document by it: all systems score 0 there"
