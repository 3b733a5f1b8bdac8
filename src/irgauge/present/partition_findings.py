"""What the partition method shows, in sentences that can be quoted, and the line that says how it was done."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from irgauge.present.precision_findings import POPULATIONS, percent
from irgauge.present.sentences import counted, listed
from irgauge.reading.ordering import TIE_RULE
from irgauge.studies.partition_tests import SideBySide
from irgauge.studies.partitions import Partitions
from irgauge.studies.related_runs import MeanLength, RelatedRuns
from irgauge.studies.significance import COVERS
from irgauge.studies.splits import IntervalLengths, ModelIntervals

METHOD = "partition method (Voorhees, Samarov and Soboroff 2017)"
WITH, WITHOUT = "with interactions", "without interactions"
_NAMED = 5  # names in a sentence


@dataclass(frozen=True, eq=False)
class Answer:
    """What was found out under one measure: the splits, and what was asked for besides."""

    found: Partitions
    precision: str  # of the scores when documents are put in order
    tests: SideBySide | None = None
    lengths: IntervalLengths | None = None
    related: RelatedRuns | None = None


def findings(answers: Sequence[Answer]) -> list[str]:
    """What differs and how sure that is, what the claim covers, and how it was done."""
    found = answers[0].found
    told = [sentence for answer in answers for sentence in _of_measure(answer)]
    notes = dict.fromkeys(f"Note: {note}." for answer in answers for note in answer.found.notes)
    return [*told, covers(found), *notes, method(answers)]


def _of_measure(answer: Answer) -> Iterator[str]:
    found = answer.found
    yield _differ(found)
    yield _disagree(found)
    if len(found.splits) > 1:
        yield _opposed(found)
    yield _top(found)
    if answer.tests is not None:
        yield _side_by_side(answer.tests, found)
    if answer.lengths is not None:
        yield _lengths(answer.lengths)
    if answer.related is not None:
        yield _related(answer.related)


def model(*, interactions: bool) -> str:
    """The model's name in tables and charts."""
    return WITH if interactions else WITHOUT


def splits_text(found: Partitions) -> str:
    """How many splits into how many parts."""
    return f"{counted(len(found.splits), 'random split')} of the documents into {found.parts} parts"


def _differ(found: Partitions) -> str:
    decided, pairs = found.decided(), len(found.first)
    n = int(np.count_nonzero(decided))
    together = f" together (rule '{found.rule.name}', {found.rule.explanation})" if len(found.splits) > 1 else ""
    reversed_ = int(np.count_nonzero(decided < 0))
    against = f"; {reversed_:,} of them for the system that is lower on the whole corpus" if reversed_ else ""
    return (
        f"In {found.measure}, {n:,} of {counted(pairs, 'pair')} of systems differ ({percent(n / pairs)}) by "
        f"{splits_text(found)}{together}, at α = {found.alpha:g} after correction over all pairs{against}."
    )


def _disagree(found: Partitions) -> str:
    splits, pairs, n = len(found.splits), len(found.first), found.disagreements()
    counts = found.significant_counts().tolist()
    if splits == 1:
        return f"One split says nothing of how much {found.measure} depends on it: ask for more with --splits."
    single = f"single splits tell {_span(counts)} of {pairs:,} apart"
    if not n:
        return f"In {found.measure}, the {splits} splits decide every pair alike; {single}."
    worst = [level for level in found.levels() if level.pairs][-1]
    return (
        f"In {found.measure}, the {splits} splits do not all decide alike on {counted(n, 'pair')} "
        f"({percent(n / pairs)}), on {worst.pairs:,} of them {worst}; {single}."
    )


def _span(counts: Sequence[int]) -> str:
    low, high = min(counts), max(counts)
    return f"{low:,}" if low == high else f"{low:,} to {high:,}"


def _opposed(found: Partitions) -> str:
    opposed, where = found.opposed(), "significant in opposite directions in different splits"
    if not opposed:
        return f"In {found.measure}, no pair is {where}."
    named = [f"{first} and {second}" for first, second in opposed[:_NAMED]]
    which = "among them " if len(opposed) > _NAMED else ""
    verb = "is" if len(opposed) == 1 else "are"
    return f"In {found.measure}, {counted(len(opposed), 'pair')} {verb} {where}: {which}{'; '.join(named)}."


def _top(found: Partitions) -> str:
    best, *others = found.top_group
    where = f"{best}, the best system in {found.measure} on the whole corpus,"
    if not others:
        return f"{where} differs from all others."
    named = listed(others) if len(others) <= _NAMED else f"{', '.join(others[:_NAMED])} and {len(others) - _NAMED} more"
    return f"{where} cannot be told from {counted(len(others), 'other')}: {named}."


def covers(found: Partitions) -> str:
    """What the claim covers, and how to ask for more."""
    if found.population == "documents":
        return f"The topics are fixed. {COVERS['documents']} --resample topics covers other topics too."
    return f"Topics are drawn too. {COVERS[found.population]}"


def _side_by_side(tests: SideBySide, found: Partitions) -> str:
    level = tests.levels[0]
    counts = sorted((count for count in tests.counts() if count.alpha == level), key=lambda count: count.significant)
    least, most = counts[0], counts[-1]
    over_topics = {test.name: test.population == "topics" for test in tests.tests}
    named = {name: name if is_one else f"the partition method ({name})" for name, is_one in over_topics.items()}
    conflicts = tests.conflicts(level)
    agree = "no two tests tell a pair apart in opposite directions" if not conflicts else _conflicts(conflicts)
    return (
        f"Of {len(tests.tests)} tests at α = {level:g}, {named[least.test]} tells the fewest pairs apart in "
        f"{found.measure}, {least.significant:,} ({percent(least.share)}), and {named[most.test]} the most, "
        f"{most.significant:,} "
        f"({percent(most.share)}); {agree}. Tests over topics cover other topics, the partition method "
        f"{POPULATIONS[found.population]}: their counts are of different claims."
    )


def _conflicts(conflicts: Sequence[tuple[str, str, str, str]]) -> str:
    pairs = list(dict.fromkeys((first, second) for first, second, *_ in conflicts))
    named = "; ".join(f"{first} and {second}" for first, second in pairs[:_NAMED])
    more = "" if len(pairs) <= _NAMED else f" and {len(pairs) - _NAMED} more"
    return f"some tests tell {counted(len(pairs), 'pair')} apart in opposite directions ({named}{more})"


def _lengths(lengths: IntervalLengths) -> str:
    parts = [_models_of(lengths, count) for count in dict.fromkeys(one.split.parts for one in lengths.models)]
    share = percent(1 - lengths.alpha)
    return (
        f"The adjusted {share} intervals of effects in {lengths.measure} have a mean length of {', of '.join(parts)}."
    )


def _models_of(lengths: IntervalLengths, parts: int) -> str:
    models = [one for one in lengths.models if one.split.parts == parts]
    means = [f"{_mean(one):.3f} {'with' if one.interactions else 'without'}" for one in reversed(models)]
    return f"{' and '.join(means)} interactions in {parts} parts"


def _mean(one: ModelIntervals) -> float:
    return one.lengths[1].mean


def _related(related: RelatedRuns) -> str:
    pairs, alike = len(related.pairs), related.agreeing
    by_model = {one.model: one for one in related.lengths if one.interactions}
    sizes = " and ".join(f"{_length(by_model[name])} {name}" for name in ("within", "across"))
    return (
        f"In {related.measure}, models of related runs alone decide {alike:,} of {counted(pairs, 'related pair')} "
        f"({percent(alike / pairs)}) as the model across all {related.systems} systems does, in "
        f"{counted(len(related.groups), 'group')} and one split into {related.split.parts} parts; their plain "
        f"intervals {WITH} have a mean length of {sizes}."
    )


def _length(one: MeanLength) -> str:
    return f"{one.plain:.3f}"


def setting(found: Partitions) -> tuple[str, ...]:
    """The facts that go under every table and chart of the splits."""
    drawing = found.drawing
    drawn = "residuals" if drawing.resample == "residuals" else "residuals and topics"
    return (
        f"{METHOD[0].upper()}{METHOD[1:]}: {splits_text(found)}",
        f"bootstrap ANOVA {model(interactions=drawing.interactions)}, {counted(drawing.draws, 'draw')} of {drawn}, "
        f"seed {drawing.seed}",
        f"p with {counted(drawing.sides, 'side')}",
        f"Benjamini-Hochberg over {'all ' if len(found.first) > 1 else ''}{counted(len(found.first), 'pair')}",
        f"aggregated by '{found.rule.name}'",
        f"α = {found.alpha:g}",
        f"population: {found.population} ({POPULATIONS[found.population]})",
        f"n = {counted(len(found.systems), 'system')} × {topics_text(found)}",
    )


def topics_text(found: Partitions) -> str:
    """How many topics the splits have."""
    counts = [len(split.topics) for split in found.splits]
    return counted(counts[0], "topic") if min(counts) == max(counts) else f"{_span(counts)} topics"


def method(answers: Sequence[Answer]) -> str:
    """How it was done, in full."""
    found, *_ = [answer.found for answer in answers]
    validity = (
        "valid under any dependence of the splits, if each split's p-value is"
        if found.rule.is_valid
        else "not valid under dependence"
    )
    rest = (
        f"rule '{found.rule.name}': {found.rule.explanation}; {found.rule.reference}; {validity}",
        *dict.fromkeys(_redraws(answer.found) for answer in answers),
        f"fill {found.fill}",
        f"systems kept: {found.kept}",
        f"order: {TIE_RULE}, scores in {answers[0].precision} precision",
    )
    return f"Method: {'; '.join((*setting(found), *rest))}."


def _redraws(found: Partitions) -> str:
    """How often a split was drawn again, and which topics were dropped."""
    again = sum(split.attempts - 1 for split in found.splits)
    dropped = list(dict.fromkeys(topic for split in found.splits for topic in split.dropped))
    topics = "no topic dropped" if not dropped else f"topics dropped from some split: {_some(dropped)}"
    return f"{counted(again, 'redraw')} needed, {topics}"


def _some(names: Sequence[str]) -> str:
    more = f" and {len(names) - _NAMED} more" if len(names) > _NAMED else ""
    return ", ".join(names[:_NAMED]) + more
