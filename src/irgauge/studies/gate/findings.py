"""What a gate says: the verdict, what to know of it, and tables."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from irgauge.inference.assertions import Assertion, of_verdicts
from irgauge.inference.slices import SliceClaims
from irgauge.inference.verdicts import BY_MARGIN, Verdict
from irgauge.planning.deciding import Needed
from irgauge.reading.facts import missing_told
from irgauge.reading.missing import counted_topics
from irgauge.scoring.direction import HIGHER, LOWER, Direction
from irgauge.show import gaps
from irgauge.show.finding import Finding, sentence
from irgauge.show.queries import query_column
from irgauge.show.ratios import (
    amount,
    difference_column,
    ends_told,
    interval_columns,
    is_ratio,
    margin_told,
    of_logs,
    of_ratios,
    plain_name,
    shown_mean,
    size_told,
)
from irgauge.show.table import LEAST_P, Column, Record, Table
from irgauge.show.verdicts import AGAINST
from irgauge.show.words import counted, ended, listed, percent
from irgauge.studies.cautions import ENOUGH, constant, few_topics, holes_told
from irgauge.studies.gate.evidence import OUTCOMES, MeasureGated, Outcome
from irgauge.studies.gate.further_findings import (
    GO_ON,
    budget_told,
    looks_told,
    other_scale,
    silent_kinds,
    slice_tables,
    stricter_told,
    unclear,
)
from irgauge.studies.gate.reason_told import list_tables, reason_findings
from irgauge.studies.gate.remembered import Budgeted
from irgauge.studies.gate.study import Gated
from irgauge.studies.new_topics import add_and_look, new_topics
from irgauge.studies.sampling_findings import Basis, ignored_clusters, sampling_told
from irgauge.studies.wordings_told import wordings_told

_AGAINST: Mapping[str, str] = {
    **AGAINST,
    "not better": "not better, and perhaps worse, than",
    "inconclusive": "neither shown to be worse than nor to be as good as",
}


class MeasureClaim(NamedTuple):
    """What is said by one measure, and the numbers that it rests on."""

    measure: str
    verdict: Verdict
    difference: float
    low: float
    high: float
    confidence: float
    margin: float
    direction: Direction = HIGHER
    worse_on: tuple[str, ...] = ()  # kinds of topics
    is_ratio: bool = False  # whether differences are of logarithms, and shown as ratios
    silent_on: tuple[str, ...] = ()  # on how many kinds of each column nothing is shown

    @property
    def but(self) -> str:
        """Where it is worse than elsewhere, and on how many kinds nothing is shown."""
        joined = "also" if self.verdict == "worse" else "but worse"
        worse = f", {joined} on {listed(list(self.worse_on))}" if self.worse_on else ""
        return worse + (f", with nothing shown on {listed(list(self.silent_on))}" if self.silent_on else "")

    @property
    def numbers(self) -> str:
        """In brackets."""
        interval = ends_told(self.confidence, self.low, self.high, is_ratio=self.is_ratio)
        size = size_told(self.difference, is_ratio=self.is_ratio)
        told = "lower is better, " if self.direction == LOWER else ""
        return f"{told}{size}, {interval}, margin {margin_told(self.margin, is_ratio=self.is_ratio)}"


def findings(result: Gated) -> Iterator[Finding]:
    """The verdict, then cautions and notes."""
    yield _verdict(result).about(population=result.population).claiming(_claimed(result), "primary")
    if result.is_same:
        yield same(baseline=result.baseline, candidate=result.candidate)
    yield from _cautions(result)
    for gated in result.each:
        if gated.on_common is not None:
            finding = changed(
                measure=gated.measure,
                verdict=gated.verdict,
                on_common=gated.on_common,
                left_out=result.missing.rule == "drop",
            )
            yield finding.about(measure=gated.measure)
    yield from other_scale(result)
    if result.not_counted:
        yield not_counted(baseline=result.baseline, candidate=result.candidate, topics=result.not_counted)
    if result.unchanging:
        yield unchanging(sides=result.unchanging)
    if few := [name for name, n in zip((result.baseline, result.candidate), result.runs, strict=True) if n == 2]:
        yield few_runs(sides=few)
    if sum(result.runs) > 2 and 1 in result.runs:
        yield one_run(side=(result.baseline, result.candidate)[result.runs.index(1)])
    if sum(result.runs) > 2 and result.needed is not None and result.needed.topics is None:
        yield more_runs(runs=sum(result.runs))
    if result.needed is not None and result.needed.topics is not None:
        yield add_and_look()
    yield from unclear(result)
    yield from looks_told(result)
    yield from reason_findings(result)
    yield from budget_told(result)
    if result.lock is not None and result.lock.state == "written":
        yield locked(path=result.lock.path)
    yield from (noted(system=note.system, text=note.text) for note in result.notes)


def _claimed(result: Gated) -> Iterator[Assertion]:
    """What each measure shows of the candidate; all measures are tested together."""
    pair = result.candidate, result.baseline
    for gated in result.each:
        yield from of_verdicts(
            [(pair, gated.verdict)],
            measure=gated.measure,
            population=result.population,
            margin=gated.margin,
            direction=gated.topics.direction,
        )


def _cautions(result: Gated) -> Iterator[Finding]:
    """As `compare` has them: of few topics, and of differences that do not vary."""
    if result.topics < ENOUGH and not result.is_same and result.looks is None:
        yield few_topics(topics=result.topics)
    yield from sampling_told(result.sampling)
    yield from wordings_told(result.averaged)
    for gated in result.each:
        for ignored in gated.ignored:
            yield ignored_clusters(
                measure=gated.measure,
                column=ignored.column,
                clusters=ignored.clusters,
                changes=1,
                first=(result.candidate, result.baseline, gated.verdict, ignored.verdict),
            ).about(measure=gated.measure)
        yield from holes_told(gated.measure, gated.holes)
        if gated.is_constant and result.looks is None:
            pair = result.candidate, result.baseline
            finding = constant(
                measure=gated.measure, pair=pair, difference=gated.difference, pairs=1, topics=result.topics
            )
            yield finding.about(measure=gated.measure)


def _verdict(result: Gated) -> Finding:
    basis = Basis.of(result.topics, result.population, result.sampling, result.wordings)
    return verdict(
        verdict=result.verdict,
        undecided=result.undecided,
        candidate=result.candidate,
        baseline=result.baseline,
        claims=[_claim(gated, result.alpha) for gated in _decisive_first(result.each)],
        basis=basis._replace(look=None if result.looks is None else len(result.looks.looks)),
        needed=result.budget if result.needed is None and result.budget and result.budget.weakened else result.needed,
        missing=result.missing.fact,
    )


def _decisive_first(each: Sequence[MeasureGated]) -> list[MeasureGated]:
    """What fails first, then what is undecided."""
    order: tuple[Outcome, ...] = ("fail", "undecided", "pass")
    return sorted(each, key=lambda gated: order.index(gated.outcome))


def _claim(gated: MeasureGated, alpha: float) -> MeasureClaim:
    """With the interval that the verdict rests on: what is said of the margin rests on the one of 1 − 2α."""
    if gated.verdict in BY_MARGIN:
        ends = gated.margin_low, gated.margin_high, 1 - 2 * alpha
    else:
        ends = gated.low, gated.high, 1 - alpha
    name, numbers = plain_name(gated.measure), (gated.difference, *ends, gated.margin)
    is_log = is_ratio(gated.measure)
    kinds = _worse_on(gated), is_log, tuple(silent_kinds(gated.sliced))
    return MeasureClaim(name, gated.verdict, *numbers, gated.topics.direction, *kinds)


def _worse_on(gated: MeasureGated) -> tuple[str, ...]:
    return tuple(
        f"{own.column} {own.value} ({_size(gated, own)}, {counted(own.topics, 'topic')})" for own in gated.worse_slices
    )


def _size(gated: MeasureGated, own: SliceClaims) -> str:
    return amount(float(own.comparison.difference[0]), is_ratio=is_ratio(gated.measure))


@sentence("gate", claims=("difference", "equivalence", "forecast"))
def verdict(
    *,
    verdict: Outcome,
    undecided: str,
    candidate: str,
    baseline: str,
    claims: Sequence[MeasureClaim],
    basis: Basis,
    needed: Needed | Budgeted | None,
    missing: Mapping[str, Any] | None,
) -> str:
    """The verdict and what it rests on, in one line."""
    counts = {"pass": " (counts as a pass)", "fail": " (counts as a failure)"} if verdict == "undecided" else {}
    more = "" if verdict != "undecided" else f"; {GO_ON if basis.look else _more(needed)}"
    zeros = "" if missing is None else f"; {missing_told(**missing)}"
    claim = _said(candidate, baseline, claims, basis)
    return f"{verdict}{counts.get(undecided, '')}: {claim}{more}{zeros}."


def _said(candidate: str, baseline: str, claims: Sequence[MeasureClaim], basis: Basis) -> str:
    if len(claims) == 1:
        (only,) = claims
        numbers = f"({only.numbers}; {basis.text}; {basis.covers})"
        return f"{candidate} is {_AGAINST[only.verdict]} {baseline} in {only.measure} {numbers}{only.but}"
    each = [f"{claim.verdict} in {claim.measure} ({claim.numbers}){claim.but}" for claim in claims]
    return f"{candidate} against {baseline} is {listed(each)}, on {basis.text}, {basis.covers}"


def _more(needed: Needed | Budgeted | None) -> str:
    """How many new topics would let it pass; nothing is told of a loss that only the budget's level leaves open."""
    if isinstance(needed, Budgeted):
        return stricter_told(needed)
    return "how many topics would decide cannot be told" if needed is None else new_topics(needed)


@sentence("same", "warning")
def same(*, baseline: str, candidate: str) -> str:
    """Nothing differs."""
    return f"{candidate} and {baseline} have the same score on every topic: are they the same run?"


@sentence("missing-decides", "warning")
def changed(*, measure: str, verdict: Verdict, on_common: Verdict, left_out: bool = False) -> str:
    """The verdict rests on zeros, or on what a run chose to answer."""
    now, then = f"'{verdict}' ({OUTCOMES[verdict]})", f"'{on_common}' ({OUTCOMES[on_common]})"
    if left_out:
        return f"In {measure}, {now} leaves out topics that a run does not answer; with 0 for these it is {then}."
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


@sentence("one-run", "note")
def one_run(*, side: str) -> str:
    """One run says nothing of how much others differ."""
    return f"{side} has one run, and claims are about this run. If it is random, others may differ: give several."


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


WORST = 5  # topics with the largest losses, and with the largest gains, by each measure


def tables(result: Gated) -> list[Table]:
    """The measures, then topics."""
    return [measure_table(result), *slice_tables(result), topic_table(result), *list_tables(result)[:1]]


def measure_table(result: Gated) -> Table:
    """What each measure says."""
    together = ", for all measures together" if len(result.each) > 1 else ""
    inside, inner = percent(1 - result.alpha), percent(1 - 2 * result.alpha)
    return Table.of(
        "measures",
        f"{result.candidate} against {result.baseline}",
        _measures(result),
        [
            Column("measure"),
            Column("baseline_mean", "baseline", f"mean of {result.baseline} over topics"),
            Column("candidate_mean", "candidate", f"mean of {result.candidate}"),
            *interval_columns(
                result.each[0].row, f"the {inside} interval{together}: {_signs(result)}", "candidate − baseline"
            ),
            Column("margin_low", "low (margin)", f"the {inner} interval: {_not_worse(result)}", is_minor=True),
            Column("margin_high", "high (margin)", is_minor=True),
            Column("p_adjusted", "adjusted p", f"two-sided, against 0{together}", below=LEAST_P),
            Column("margin", explained="the smallest difference that matters"),
            Column("verdict"),
            Column("outcome"),
        ],
        is_main=True,
    )


def _signs(result: Gated) -> str:
    """Of which measures less is better, so that signs are the other way round."""
    lower = [plain_name(gated.measure) for gated in result.each if gated.topics.direction == LOWER]
    turned = f"; the other way round by {listed(lower)}, of which lower is better" if lower else ""
    one = "1" if is_ratio(result.each[0].measure) else "0"
    budget = result.budget
    strict = f"; worse by the budget only with p of {budget.level:.2g} or less" if budget and budget.weakened else ""
    return f"better above {one}, worse below {one}{turned}{strict}"


def _not_worse(result: Gated) -> str:
    """Where the interval against the margin lies of what is not worse."""
    lower = [plain_name(gated.measure) for gated in result.each if gated.topics.direction == LOWER]
    turned = f"; below the margin by {listed(lower)}" if lower else ""
    if is_ratio(result.each[0].measure):
        return f"not worse above 1/margin{turned}"
    return f"not worse above −margin{turned}; of a margin in per cent it is from the ratio to the baseline"


def _measures(result: Gated) -> Iterator[Record]:
    for gated in result.each:
        means = {name: shown_mean(gated.measure, gated.row[name]) for name in ("baseline_mean", "candidate_mean")}
        yield of_ratios(gated.row | means)


def topic_table(result: Gated) -> Table:
    """The topics with the largest losses and gains."""
    records = list(_topics(result))
    return Table.of(
        "topics",
        f"Topics with the largest losses and gains of {result.candidate}",
        records,
        [
            Column("measure"),
            Column("topic"),
            *query_column(records),
            Column("other", "baseline"),
            Column("score", "candidate"),
            difference_column(result.each[0].measure),
            *([gaps.MISSING_COLUMN] if any(record["missing"] for record in records) else []),
        ],
        group_by="measure",
    )


def _topics(result: Gated) -> Iterator[Record]:
    for gated in result.each:
        topics = gated.topics
        for chosen in (topics.largest_losses(WORST), topics.largest_gains(WORST)[::-1]):
            yield from map(of_logs, topics.records(chosen.tolist()))
