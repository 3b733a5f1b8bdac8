"""What a calibration says: which test to use, what it can detect, what not to believe; then what else there is."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from irgauge.calibrating.halves import HoldsUp
from irgauge.calibrating.methods import Method
from irgauge.calibrating.power import Detectable
from irgauge.inference.tests.registry import default_test
from irgauge.inference.verdicts import POWER
from irgauge.show.finding import Finding, sentence
from irgauge.show.standing import page_told
from irgauge.show.verdicts import FOR
from irgauge.show.words import capital, counted, listed, percent, two_digits
from irgauge.studies.calibrate.calibration import KEEPING, Calibration, Errors, Found, IntervalCoverage, MethodPromise
from irgauge.studies.calibrate.design_findings import design_told
from irgauge.studies.calibrate.study import Calibrated
from irgauge.studies.calibrate.tables import is_for_comparing
from irgauge.studies.calibrate.words import INTERVALS, share, the, the_test

_HALVES = "halves of "
_NAMED = 3  # methods in a sentence


def findings(result: Calibrated) -> Iterator[Finding]:
    """Three sentences on the population asked for, then the other populations, experiments, margins and intervals."""
    for number, calibration in enumerate(result.each):
        for finding in _findings(result, calibration, is_first=number == 0):
            yield finding.about(population=calibration.population, measure=result.measure)
    if result.page is not None:
        yield page_told(result.page.worst)


def _findings(result: Calibrated, calibration: Calibration, *, is_first: bool) -> Iterator[Finding]:
    yield advice(result, calibration, is_first=is_first)
    yield from design_told(result, calibration)
    if is_first:
        yield from _detecting(calibration)
        yield _doubting(result, calibration)
        yield from _elsewhere(calibration)
    for row in calibration.verdicts:
        if result.margin is not None and row.method == calibration.advised.method:
            yield against_margin(margin=result.margin, row=row, population=calibration.population)
    if lacking := [row for row in calibration.coverage if row.verdict == "liberal" and not is_for_comparing(row)]:
        yield short_intervals(
            rows=sorted(lacking, key=lambda row: row.rate.observed), population=calibration.population
        )


# which test to use


class Others(NamedTuple):
    """What is known of the other tests that promise the same."""

    keeping: int  # of all that promise it: how many surely keep it
    unclear: int


def advice(result: Calibrated, calibration: Calibration, *, is_first: bool = True) -> Finding:
    """Which test to use for a population."""
    advised = calibration.advised
    alike = [kept.verdict for kept in calibration.as_asked if kept.method.promise == advised.method.promise]
    others = Others(sum(verdict in KEEPING for verdict in alike), alike.count("unclear"))
    return use(
        advised=advised,
        others=others,
        pairs=calibration.pairs,
        baseline=result.baseline,
        is_quick=result.is_quick,
        population=None if is_first else calibration.population,
        measure=result.measure,
        rare=calibration.rare,
    ).about(population=calibration.population, measure=result.measure)


@sentence("use", claims=("trust",))
def use(
    *,
    advised: MethodPromise,
    others: Others,
    pairs: int,
    baseline: str | None,
    is_quick: bool,
    population: str | None,
    measure: str,
    rare: int = 0,
) -> str:
    """The test that keeps its promise and finds most; or that none surely does, and which comes nearest."""
    of = _of_pairs(pairs, baseline)
    where = "" if population is None else f"{FOR[population]}, "
    nominal, test, power = percent(advised.worst.nominal), _named(advised.method, pairs), _found(advised.found, measure)
    errs = f"it errs in {share(advised.worst.rate)} of experiments in the worst world ({advised.worst.world})"
    if advised.verdict in KEEPING:
        rank = _rank(others, of, nominal, power)
        return capital(f"{where}use {test}: {rank}{_open(others.unclear, is_quick=is_quick)}.")
    if advised.verdict == "cannot be judged":
        keeps = f"whether a test of {of} keeps {nominal} here cannot be judged"
        return capital(f"{where}{keeps}: {_unjudged(rare)}; {test} is the cautious choice, not a sure one.")
    if advised.verdict == "unclear":
        more = f", and finds {power}" if power else ""
        lacks = "both keeps {} here and finds much" if others.keeping else "surely keeps {} here"
        return (
            f"{capital(f'{where}no test of {of}')} {lacks.format(nominal)}; {test} may keep it: {errs}{more}; "
            f"{_more(is_quick=is_quick)} decide."
        )
    keeps = f"both keeps {nominal} here and finds much" if others.keeping else f"keeps {nominal} here"
    return f"{capital(f'{where}no test of {of}')} {keeps}; {test} comes nearest: {errs}."


def _unjudged(rare: int) -> str:
    """Why a test cannot be judged."""
    if not rare:
        return "it was not tried in every world"
    rests = "one system differs" if rare == 1 else f"{rare} systems differ"
    return f"{rests} from others much on hardly any topic, and topics drawn from these do not show how rare that is"


def _of_pairs(pairs: int, baseline: str | None) -> str:
    if pairs == 1:
        return "this pair"
    return "all pairs" if baseline is None else f"all pairs with {baseline}"


def _named(method: Method, pairs: int) -> str:
    """Of one pair there is nothing to correct."""
    return the_test(method.test) if pairs == 1 else the(method)


def _found(power: Found | None, measure: str) -> str:
    if power is None:
        return ""
    return f"{percent(round(power.rate.observed, 2))} of differences of {power.delta:g} in {measure}"


def _rank(others: Others, of: str, nominal: str, finds: str) -> str:
    """How it stands among the tests that keep the promise."""
    if others.keeping == 1:
        return f"it is the only test of {of} that keeps {nominal} here, and finds {finds}"
    return f"of the {others.keeping} tests of {of} that keep {nominal} here it finds most, {finds}"


def _open(unclear: int, *, is_quick: bool) -> str:
    """What is not known of other tests."""
    if not unclear:
        return ""
    others = "one other test does" if unclear == 1 else f"{unclear} others do"
    return f"; whether {others}, {_more(is_quick=is_quick)} decide"


def _more(*, is_quick: bool) -> str:
    return "more experiments (without --quick)" if is_quick else "more experiments (--trials)"


# what it can detect


def _detecting(calibration: Calibration) -> Iterator[Finding]:
    test = calibration.advised.method.test
    at = calibration.detectable.get(test, calibration.detectable.get(default_test("topics").name))
    if at is not None and (at.single is not None or at.family is not None):
        yield detects(at=at, is_advised=at.test == test, pairs=calibration.pairs)


@sentence("detects", claims=("forecast",))
def detects(*, at: Detectable, is_advised: bool, pairs: int) -> str:
    """The smallest difference that is found with a chance of 80 %."""
    by = "" if is_advised else f" by {the_test(at.test)}"
    parts = []
    if at.single is not None:
        chosen = "" if pairs == 1 else " for one pair chosen beforehand"
        parts.append(f"a difference of {two_digits(at.single)}{chosen}")
    if at.family is not None and pairs > 1:
        parts.append(f"one of {two_digits(at.family)} among all {pairs:,} pairs")
    return (
        f"On {counted(at.topics, 'topic')} like these, {listed(parts)} is found with a chance of {percent(POWER)}{by}; "
        "what is smaller is likely to be missed."
    )


# what not to believe


def _doubting(result: Calibrated, calibration: Calibration) -> Finding:
    halves = [row for row in calibration.holds_up if row.between.startswith(_HALVES)]
    return doubt(
        liberal=calibration.liberal,
        nominal=result.alpha,
        is_clear=all(kept.verdict in (*KEEPING, "liberal") for kept in calibration.as_asked),
        halves=_of_method(halves, calibration.advised.method),
        pairs=calibration.pairs,
    )


def _of_method(rows: Sequence[HoldsUp], method: Method) -> HoldsUp | None:
    """What becomes of the claims of a method; if it was not looked at, of the first that promises the same."""
    alike = [row for row in rows if row.method == method] or [
        row for row in rows if row.method.promise == method.promise
    ]
    return next(iter(alike or rows), None)


@sentence("doubt", claims=("trust",))
def doubt(
    *, liberal: Sequence[MethodPromise], nominal: float, is_clear: bool, halves: HoldsUp | None, pairs: int
) -> str:
    """The methods that err too often, and what claims on half of the topics are worth."""
    return capital(f"{_liberal(liberal, nominal, pairs, is_clear=is_clear)}{_halved(halves, pairs)}.")


def _liberal(liberal: Sequence[MethodPromise], nominal: float, pairs: int, *, is_clear: bool) -> str:
    if not liberal:
        subject = "no test is" if is_clear else "so far no test is"
        return f"{subject} shown to err more often than the {percent(nominal)} that it promises"
    by_test: dict[str, list[MethodPromise]] = {}
    for kept in liberal:
        by_test.setdefault(kept.method.test, []).append(kept)
    err = "which errs" if len(by_test) == 1 else "which err"
    named = _some([_doubted(rows, pairs) for rows in by_test.values()])
    return f"do not believe {named}, {err} in more than the promised {percent(nominal)} of experiments here"


def _doubted(rows: Sequence[MethodPromise], pairs: int) -> str:
    """A test with its errors; with several corrections, the most."""
    worst = rows[0]
    if len(rows) == 1:
        return f"{_named(worst.method, pairs)} ({share(worst.worst.rate)})"
    return f"{the_test(worst.method.test)} (up to {share(worst.worst.rate)})"


def _some(names: Sequence[str]) -> str:
    rest = len(names) - _NAMED
    return listed(names) if rest <= 0 else f"{', '.join(names[:_NAMED])} and {rest} more"


def _halved(halves: HoldsUp | None, pairs: int) -> str:
    if halves is None:
        return ""
    of, test = halves.between.removeprefix(_HALVES), _named(halves.method, pairs)
    if halves.again is None or halves.claimed_same_order is None:
        return f"; on half of the {of}, {test} shows no significant difference"
    return (
        f"; of what {test} calls significant on half of the {of} ({_looked_up(halves)}), "
        f"{_whole(halves.again.observed)} is so again on the other half, and in "
        f"{percent(halves.claimed_same_order.observed)} the same system is ahead there"
    )


def _looked_up(held: HoldsUp) -> str:
    """On how many claims a share rests."""
    return f"{counted(held.looked_up, 'claim')} in {counted(held.splits, 'split')}"


def _whole(value: float) -> str:
    """A share as whole per cent, with a decimal below 1 %."""
    return percent(round(value, 2) if value >= 0.01 else value)


# other experiments on the same systems


def _elsewhere(calibration: Calibration) -> Iterator[Finding]:
    """What becomes of claims between sources, or under other judgments."""
    others: dict[str, list[HoldsUp]] = {}
    for row in calibration.holds_up:
        if not row.between.startswith(_HALVES):
            others.setdefault(row.between, []).append(row)
    for rows in others.values():
        held = _of_method(rows, calibration.advised.method)
        if held is not None:
            yield elsewhere(held=held, pairs=calibration.pairs)


@sentence("elsewhere", claims=())
def elsewhere(*, held: HoldsUp, pairs: int) -> str:
    """What becomes of claims of one experiment in another."""
    same = f"{_whole(held.same_order.observed)} of pairs are in the same order"
    if held.again is None or held.reversed is None:
        return f"Between {held.between}, {same}; neither shows a significant difference."
    return (
        f"Between {held.between}, {same}; of what one calls significant by {_named(held.method, pairs)} "
        f"({counted(held.looked_up, 'claim')}), {_whole(held.again.observed)} is so in the other too, and "
        f"{_whole(held.reversed.observed)} in reverse."
    )


# verdicts against a margin, and intervals


@sentence("margin", claims=("trust",))
def against_margin(*, margin: float, row: Errors, population: str) -> str:
    """How often any verdict against the margin is false."""
    note = {
        "liberal": "more than promised: do not rely on them",
        "unclear": "which may be more than promised",
        "keeps its promise": "as promised",
        "conservative": "fewer than promised",
    }[row.verdict]
    return (
        f"{capital(FOR[population])}, verdicts against the margin of {margin:g} by {the(row.method)} are false for any "
        f"pair in {share(row.rate)} of experiments, where at most {percent(row.nominal)} are promised: {note}."
    )


@sentence("intervals", tone="warning", claims=("trust",))
def short_intervals(*, rows: Sequence[IntervalCoverage], population: str) -> str:
    """Intervals that lack the truth too often, the worst first."""
    named = _some([f"{_interval(row)} ({share(row.rate)})" for row in rows])
    return f"{capital(FOR[population])}, intervals of {percent(rows[0].nominal)} hold the truth less often: {named}."


def _interval(row: IntervalCoverage) -> str:
    if row.of == "mean":
        return f"the {INTERVALS[row.name]}"
    return f"{'those of a difference' if row.of == 'one pair' else 'those of all differences'} by {the_test(row.name)}"
