"""The headline of a report: one sentence by each measure and for each population, as findings."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from irgauge.reporting.front.against import against_told, two_told
from irgauge.reporting.front.best import best_told
from irgauge.reporting.front.means import SAME
from irgauge.show.finding import Finding, sentence
from irgauge.show.populations import FOR
from irgauge.show.words import counted, listed, percent
from irgauge.studies.instances.findings import best_over_instances
from irgauge.studies.score.means import SystemMean

if TYPE_CHECKING:
    from irgauge.reporting.report import Report


def headlines(report: Report) -> tuple[Finding, ...]:
    """By each measure the headline for each population; of a measure that was not compared, what is true of it."""
    return tuple(told for measure in map(str, report.reporting.measures) for told in _of_measure(report, measure))


def _of_measure(report: Report, measure: str) -> Iterator[Finding]:
    """Of algorithms over their instances first, then against the baseline, then of all pairs, then of means alone."""
    of = {name: _result(report, name, measure) for name in ("instances", "baseline", "compare")}
    if of["instances"] is not None and report.reporting.data.has_runs:
        yield best_over_instances(of["instances"])
    elif of["baseline"] is not None:
        yield from against_told(of["baseline"].first)
    elif of["compare"] is not None:
        compared = of["compare"].first
        yield from two_told(compared) if len(compared.comparison.systems) == 2 else best_told(compared)
    else:
        yield from _means(report, measure)


def _result(report: Report, name: str, measure: str) -> Any | None:  # noqa: ANN401  # of its study
    """What a study of one measure at a time found by this one."""
    return next(
        (one for one in report.ran[name].results if tuple(one.provenance.get("measures", ())) == (measure,)), None
    )


def _means(report: Report, measure: str) -> Iterator[Finding]:
    """Of one system its mean; of several that could not be compared, the highest."""
    for scored in report.ran["score"].results:
        first, *others = scored.of(measure)
        if not others and first.topics > 1:
            told = one_system(measure=measure, mean=first, confidence=1 - scored.alpha)
            yield told.about(population="topics", measure=measure)
        else:
            yield _highest(scored.of(measure)).about(measure=measure)


@sentence("front-mean")
def one_system(*, measure: str, mean: SystemMean, confidence: float) -> str:
    """The mean of the only system with its interval."""
    ends = f"{percent(confidence)} interval {mean.low:.2f} to {mean.high:.2f} {FOR['topics']}"
    return f"{mean.system} has a mean {measure} of {mean.mean:.3f} ({ends})."


def _highest(means: tuple[SystemMean, ...]) -> Finding:
    best = [one.system for one in means if one.mean >= means[0].mean - SAME]
    first = means[0]
    return highest(measure=first.measure, best=best, mean=first.mean, systems=len(means), topics=first.topics)


@sentence("front-highest")
def highest(*, measure: str, best: list[str], mean: float, systems: int, topics: int) -> str:
    """The highest mean, where nothing was compared."""
    on = "the only topic" if topics == 1 else counted(topics, "topic")
    rest = "one topic says nothing of other topics" if topics == 1 else "the systems could not be compared"
    if systems == 1:
        return f"{best[0]} has {measure} {mean:.3f} on {on}; {rest}."
    names = listed(best) if len(best) <= 3 else f"{best[0]} and {len(best) - 1} others"
    verb = "has" if len(best) == 1 else "share"
    return f"{names} {verb} the highest {measure} of {counted(systems, 'system')} on {on} ({mean:.3f}); {rest}."
