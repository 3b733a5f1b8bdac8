"""A gate and its history: what is kept of it, and at which level it may fail by the budget of all gates."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from irgauge.archive.entry import Entry, KeptRun, KeptSpending, KeptVerdict, on_topics, run_fingerprints
from irgauge.archive.store import History, HistoryFile
from irgauge.inference.online import Spent, budget_of
from irgauge.inference.slices import SliceClaims
from irgauge.inference.verdicts import Verdict, is_weaker
from irgauge.provenance import Fact
from irgauge.reading.topic_table import TopicTable
from irgauge.scoring.direction import sign_of
from irgauge.studies.gate.evidence import MeasureGated
from irgauge.studies.gate.inputs import Given, GivenRuns
from irgauge.studies.gate.lock import asked_of_topics
from irgauge.studies.gate.options import GateOptions
from irgauge.studies.hole_changes import HoleChanges
from irgauge.studies.remembering import entry_of, origins_of

if TYPE_CHECKING:
    from irgauge.studies.gate.study import Gated


class Budgeted(NamedTuple):
    """What the budget of all gates gave this one."""

    budget: str  # as it was asked for
    alpha: float  # of the budget
    level: float  # at which it may fail: one-sided, for all measures together
    p: float  # of its being worse in no measure, corrected over the measures
    left: float
    before: int  # other gates under this budget
    failed_before: int  # those that failed
    until: str | None  # the first day of the next period
    is_repeated: bool  # whether a gate of the same data had its level before
    weakened: tuple[str, ...] = ()  # measures that are worse, on all topics or some kind, without the budget alone


def remembered(result: Gated, inputs: Given, options: GateOptions, about: TopicTable) -> Gated:
    """The result within its budget, where there is one, once it is kept."""
    if options.history is None:
        return result
    entry = _entry(result, inputs, asked_of_topics(inputs, options, about))
    with HistoryFile(options.history).writing() as history:
        if options.budget is not None:
            result, spending = _within_budget(result, history, entry, str(options.budget))
            entry = replace(entry, verdicts=tuple(_verdicts(result)), spending=spending)
        history.add(entry)
    return result


def _entry(result: Gated, inputs: Given, asked: Mapping[str, object]) -> Entry:
    """What is kept; other kinds of topics, or margins on them, are another question."""
    collection = inputs.collection if isinstance(inputs, GivenRuns) else None
    scores = {}
    for gated in result.each:
        topics = gated.topics
        for system, values in ((topics.system, topics.score), (topics.against, topics.other)):
            scores[gated.measure, system] = on_topics(topics.topics, values)
    entry = entry_of(
        "gate", result.provenance, collection, _runs(inputs, origins_of(collection)), scores, _verdicts(result)
    )
    return replace(entry, settings={**entry.settings, **({"topics_asked": asked} if asked else {})})


def _runs(inputs: Given, origins: Mapping[str, str]) -> Iterator[KeptRun]:
    runs = (*inputs.baseline.runs, *inputs.candidate.runs)
    fingerprints = run_fingerprints(runs, origins, lambda: inputs.under(inputs.rule).scores)
    for role, side in (("baseline", inputs.baseline), ("candidate", inputs.candidate)):
        yield from (KeptRun(run, side.name, role, fingerprints[run]) for run in side.runs)


def _verdicts(result: Gated) -> Iterator[KeptVerdict]:
    for gated in result.each:
        topics = gated.topics
        yield KeptVerdict(
            measure=gated.measure,
            system=topics.system,
            against=topics.against,
            population=result.population,
            direction=topics.direction,
            difference=gated.difference,
            low=gated.low,
            high=gated.high,
            p=gated.p_adjusted,
            margin=gated.margin,
            verdict=gated.verdict,
        )


def _within_budget(result: Gated, history: History, entry: Entry, asked: str) -> tuple[Gated, KeptSpending | None]:
    """The result at the level that its budget gives, and what that takes; nothing the second time."""
    budget, families = budget_of(asked, result.alpha), 2 if any(gated.sliced.slices for gated in result.each) else 1
    before = history.spending(_key(asked, result.alpha))
    own = next((spending for _, spending in before if spending.answer == entry.answer), None)
    spent = [Spent(time, spending.level, spending.failed) for time, spending in before]
    given = budget.next(spent, entry.time, most=result.alpha / 2)
    level, left = (given.level, given.left) if own is None else (own.level, given.level + given.left)
    others = [spending for _, spending in before if spending is not own]
    each = tuple(_at_level(gated, level, families) for gated in result.each)
    budgeted = Budgeted(
        budget=asked,
        alpha=result.alpha,
        level=level,
        p=min(_p(gated, families) for gated in result.each),
        left=left,
        before=len(others),
        failed_before=sum(spending.failed for spending in others),
        until=given.until,
        is_repeated=own is not None,
        weakened=tuple(now.measure for now, then in zip(each, result.each, strict=True) if _is_less(now, then)),
    )
    decided = replace(result, each=each, budget=budgeted, source=result.source | _fact(budgeted))
    if own is not None:
        return decided, None
    failed = decided.verdict == "fail"
    return decided, KeptSpending(_key(asked, result.alpha), entry.answer, level, left, budgeted.p, failed)


def _key(asked: str, alpha: float) -> str:
    """A budget among others of a history."""
    return f"{asked} at {alpha:g}"


def _fact(budgeted: Budgeted) -> Fact:
    gates = f"{budgeted.before:,} gates before"
    return Fact(
        "budget", dict(budgeted._asdict()), f"fails at {budgeted.level:.2g}, by the budget {budgeted.budget}, {gates}"
    )


def _p(gated: MeasureGated, families: int) -> float:
    """One-sided, of the measure and its slices: of being worse, corrected over measures and over families."""
    loss = -sign_of(gated.topics.direction) * gated.difference
    whole = _loss_p(loss, gated.p_adjusted, gated.verdict)
    slices = (_slice_p(own) for own in gated.sliced.slices)
    return min(1.0, families * min((whole, *slices)))


def _slice_p(own: SliceClaims) -> float:
    return _loss_p(-float(own.comparison.gain[0]), float(own.comparison.p_adjusted[0]), own.verdicts.verdicts[0])


def _loss_p(loss: float, p: float, verdict: Verdict) -> float:
    """What is equivalent is no regression, however sure a difference is."""
    return p / 2 if loss > 0 and verdict != "equivalent" else 1.0


def _at_level(gated: MeasureGated, level: float, families: int) -> MeasureGated:
    """Worse only where that is shown at a level."""
    loss = -sign_of(gated.topics.direction) * gated.difference
    p = families * _loss_p(loss, gated.p_adjusted, gated.verdict)
    slices = tuple(_slice_at(own, level / families) for own in gated.sliced.slices)
    decided = replace(gated, sliced=replace(gated.sliced, slices=slices))
    verdict = _weakened(gated.verdict, p <= level)
    return decided if verdict == gated.verdict else _with_verdict(decided, verdict)


def _with_verdict(gated: MeasureGated, verdict: Verdict) -> MeasureGated:
    """With a weaker verdict, and of what was said beside the other one only what holds of it too."""
    return replace(
        gated,
        verdict=verdict,
        on_common=None if gated.on_common == verdict else gated.on_common,
        ignored=tuple(own for own in gated.ignored if is_weaker(own.verdict, verdict)),
        holes=None if isinstance(gated.holes, HoleChanges) else gated.holes,
    )


def _is_less(now: MeasureGated, then: MeasureGated) -> bool:
    """Whether it is not worse any more, on all topics or on some kind."""
    return now.verdict != then.verdict or len(now.worse_slices) < len(then.worse_slices)


def _slice_at(own: SliceClaims, level: float) -> SliceClaims:
    verdict = _weakened(own.verdicts.verdicts[0], _slice_p(own) <= level)
    return replace(own, verdicts=replace(own.verdicts, verdicts=(verdict,)))


def _weakened(verdict: Verdict, is_shown: bool) -> Verdict:  # noqa: FBT001  # said of the verdict
    """What is left of "worse": the interval of the margin is below it all the more."""
    return "not better" if verdict == "worse" and not is_shown else verdict
