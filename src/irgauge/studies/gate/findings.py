"""What a gate says: the verdict in one line, then what to know of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from irgauge.inference.verdicts import BY_MARGIN, Verdict
from irgauge.planning.deciding import Needed
from irgauge.reading.facts import missing_told
from irgauge.reading.missing import counted_topics
from irgauge.show.finding import Finding, sentence
from irgauge.show.verdicts import AGAINST, FOR
from irgauge.show.words import counted, ended, listed, percent, signed, two_digits
from irgauge.studies.gate.outcome import OUTCOMES, MeasureGated, Outcome
from irgauge.studies.gate.study import Gated

_AGAINST: Mapping[str, str] = {
    **AGAINST,
    "not better": "not better, and perhaps worse, than",
    "inconclusive": "neither shown to be worse than nor to be as good as",
}


class Claim(NamedTuple):
    """What is said by one measure, and the numbers that it rests on."""

    measure: str
    verdict: Verdict
    difference: float
    low: float
    high: float
    confidence: float
    margin: float

    @property
    def numbers(self) -> str:
        """In brackets."""
        interval = f"{percent(self.confidence)} interval {signed(self.low)} to {signed(self.high)}"
        return f"difference {signed(self.difference)}, {interval}, margin {two_digits(self.margin)}"


def findings(result: Gated) -> Iterator[Finding]:
    """The verdict, then cautions and notes."""
    yield _verdict(result).about(population=result.population)
    if result.is_same:
        yield same(baseline=result.baseline, candidate=result.candidate)
    for gated in result.each:
        if gated.on_common is not None:
            finding = changed(measure=gated.measure, verdict=gated.verdict, on_common=gated.on_common)
            yield finding.about(measure=gated.measure)
    if result.not_counted:
        yield not_counted(baseline=result.baseline, candidate=result.candidate, topics=result.not_counted)
    if result.unchanging:
        yield unchanging(sides=result.unchanging)
    if few := [name for name, n in zip((result.baseline, result.candidate), result.runs, strict=True) if n == 2]:
        yield few_runs(sides=few)
    if sum(result.runs) > 2 and result.needed is not None and result.needed.topics is None:
        yield more_runs(runs=sum(result.runs))
    if result.lock is not None and result.lock.state == "written":
        yield locked(path=result.lock.path)
    yield from (noted(system=note.system, text=note.text) for note in result.notes)


def _verdict(result: Gated) -> Finding:
    return verdict(
        verdict=result.verdict,
        undecided=result.undecided,
        candidate=result.candidate,
        baseline=result.baseline,
        claims=[_claim(gated, result.alpha) for gated in _decisive_first(result.each)],
        basis=Basis(result.topics, result.population),
        needed=result.needed,
        missing=result.missing.fact,
    )


def _decisive_first(each: Sequence[MeasureGated]) -> list[MeasureGated]:
    """What fails first, then what is undecided."""
    order: tuple[Outcome, ...] = ("fail", "undecided", "pass")
    return sorted(each, key=lambda gated: order.index(gated.outcome))


def _claim(gated: MeasureGated, alpha: float) -> Claim:
    """With the interval that the verdict rests on: what is said of the margin rests on the one of 1 − 2α."""
    if gated.verdict in BY_MARGIN:
        ends = gated.margin_low, gated.margin_high, 1 - 2 * alpha
    else:
        ends = gated.low, gated.high, 1 - alpha
    return Claim(gated.measure, gated.verdict, gated.difference, *ends, gated.margin)


class Basis(NamedTuple):
    """How many topics a verdict rests on, and what it covers."""

    topics: int
    population: str

    @property
    def covers(self) -> str:
        """In words."""
        return FOR.get(self.population, f"for {self.population}")


@sentence("gate")
def verdict(
    *,
    verdict: Outcome,
    undecided: str,
    candidate: str,
    baseline: str,
    claims: Sequence[Claim],
    basis: Basis,
    needed: Needed | None,
    missing: Mapping[str, Any] | None,
) -> str:
    """The verdict and what it rests on, in one line."""
    counts = {"pass": " (counts as a pass)", "fail": " (counts as a failure)"} if verdict == "undecided" else {}
    more = "" if verdict != "undecided" else f"; {_more(needed, basis.topics, is_one=len(claims) == 1)}"
    zeros = "" if missing is None else f"; {missing_told(**missing)}"
    claim = _said(candidate, baseline, claims, basis)
    return f"{verdict}{counts.get(undecided, '')}: {claim}{more}{zeros}."


def _said(candidate: str, baseline: str, claims: Sequence[Claim], basis: Basis) -> str:
    if len(claims) == 1:
        (only,) = claims
        numbers = f"({only.numbers}; {counted(basis.topics, 'topic')}; {basis.covers})"
        return f"{candidate} is {_AGAINST[only.verdict]} {baseline} in {only.measure} {numbers}"
    each = [f"{claim.verdict} in {claim.measure} ({claim.numbers})" for claim in claims]
    return f"{candidate} against {baseline} is {listed(each)}, on {counted(basis.topics, 'topic')}, {basis.covers}"


def _more(needed: Needed | None, topics: int, *, is_one: bool) -> str:
    """How many more topics would decide."""
    if needed is None or needed.topics is None:
        return "no number of topics is likely to decide (see `irgauge plan`)"
    by = "" if is_one or needed.measure is None else f" in {needed.measure}"
    more = counted(max(1, needed.topics - topics), "more topic")
    return f"about {more} would show that it is {needed.claim}{by} (see `irgauge plan`)"


@sentence("same", "warning")
def same(*, baseline: str, candidate: str) -> str:
    """Nothing differs."""
    return f"{candidate} and {baseline} have the same score on every topic: are they the same run?"


@sentence("missing-decides", "warning")
def changed(*, measure: str, verdict: Verdict, on_common: Verdict) -> str:
    """The verdict rests on zeros."""
    now, then = f"'{verdict}' ({OUTCOMES[verdict]})", f"'{on_common}' ({OUTCOMES[on_common]})"
    return f"In {measure}, {now} rests on topics that a run does not answer; without these it is {then}."


@sentence("not-counted", "warning")
def not_counted(*, baseline: str, candidate: str, topics: Sequence[str]) -> str:
    """Topics that are not the baseline's."""
    return f"{candidate} has scores on {counted_topics(topics)} where {baseline} has none; these are not counted."


@sentence("unchanging", "warning")
def unchanging(*, sides: Sequence[str]) -> str:
    """Runs that are all the same."""
    return f"The runs of {listed(list(sides))} never differ on a topic; did the seed take effect?"


@sentence("few-runs", "warning")
def few_runs(*, sides: Sequence[str]) -> str:
    """Two runs say little of how much others differ."""
    has = "has" if len(sides) == 1 else "have"
    return f"{listed(list(sides))} {has} 2 runs, so that intervals are wide; with 3 they would be about half as wide."


@sentence("more-runs", "note")
def more_runs(*, runs: int) -> str:
    """Topics alone would not decide."""
    return f"More topics alone would not decide, as the {runs} runs differ too much; give more runs."


@sentence("locked", "warning")
def locked(*, path: str) -> str:
    """A lock that was not there."""
    kept = "judgments, baseline, topics and settings"
    return f"There was no lock file {path}; it was written, and from now on {kept} must stay."


@sentence("join", "note")
def noted(*, system: str | None, text: str) -> str:
    """What was noted when runs and judgments were joined."""
    return ended(text if system is None else f"{system}: {text}")
