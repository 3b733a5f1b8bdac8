"""Tables of a calibration: promises, errors in every world, power, what can be detected, coverage, what holds up."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from irgauge.calibrating.halves import HoldsUp
from irgauge.calibrating.methods import MANY
from irgauge.calibrating.power import Power
from irgauge.calibrating.sampled_worlds import FEW_OF_A_KIND
from irgauge.calibrating.trials import FOR_COMPARING, MEAN, TOLERATED, Rate
from irgauge.inference.corrections import DEFAULT
from irgauge.inference.tests.registry import TESTS
from irgauge.inference.verdicts import POWER
from irgauge.show.table import Cell, Column, Record, Table
from irgauge.show.words import capital, listed, percent
from irgauge.studies.calibrate.calibration import Calibration, IntervalCoverage, MethodPromise
from irgauge.studies.calibrate.study import Calibrated
from irgauge.studies.calibrate.words import (
    INTERVALS,
    ON_KINDS,
    ORDER,
    PROMISED,
    PROMISES_TOLD,
    named,
    promised,
    world_told,
)
from irgauge.studies.sampling_findings import unit_of

_POPULATION = Column("population", explained="what claims cover")
_INTERVALS_OF = {"mean": "a mean", "one pair": "a difference", "all pairs": "all differences"}
_ERROR = Column("error", "±", "one Monte Carlo error", decimals=1)


def tables(result: Calibrated) -> list[Table]:
    """Promises first; those that have no rows are left out."""
    made = (promise_table, error_table, power_table, detectable_table, coverage_table, hold_table, margin_table)
    return [table for table in (make(result) for make in made) if table.rows or table.is_main]


def _table(
    result: Calibrated, name: str, title: str, records: Iterable[Record], columns: Sequence[Column], *notes: str
) -> Table:
    """A table with a column of populations, where there are several."""
    is_main, is_long = name == "promises", name in ("errors", "holds-up", "power")
    block = next((column.name for column in columns if column.name in ("promise", "test", "between", "of")), None)
    block = block if len(result.each) == 1 else "population"
    table = Table.of(
        name, title, records, [_POPULATION, *columns], notes, group_by=block, is_main=is_main, is_long=is_long
    )
    return table if len(result.each) > 1 else table.without("population")


def _percent(value: float, decimals: int = 1) -> float:
    """As tables for readers have it; data frames and JSON have shares in full precision."""
    return round(100 * value, decimals)


# promises


def promise_table(result: Calibrated) -> Table:
    """Each method: what it promises, what it does in the world in which it errs most, and what it finds."""
    deltas = {row.delta for calibration in result.each for row in calibration.found}
    by = f"{min(deltas):g}" if len(deltas) == 1 else "δ"
    half = f"of the true differences, where half of the systems are better by {by}"
    table = _table(
        result,
        "promises",
        f"Does it keep its promise by {result.measure}, and what does it find?",
        [_promise(calibration, kept) for calibration in result.each for kept in _sorted(calibration)],
        [
            Column("promise", f"at most {percent(result.alpha)} of", PROMISES_TOLD),
            Column("method"),
            Column("observed", "errors, %", "observed in the worst world", decimals=1),
            _ERROR,
            Column("world", "worst world", _worlds(result)),
            Column("verdict", explained=_verdicts(result)),
            Column("delta", "δ", decimals=3),
            Column("power", f"finds {by}, %", half, decimals=1),
        ],
    )
    return table if len(deltas) > 1 else table.without("delta")


def _sorted(calibration: Calibration) -> list[MethodPromise]:
    """What holds for all pairs first; then the better verdict, then the higher power."""
    promises = list(PROMISED)
    return sorted(
        calibration.kept,
        key=lambda kept: (
            kept.method.way in ON_KINDS,
            promises.index(kept.method.promise),
            ORDER[kept.verdict],
            -kept.power,
        ),
    )


def _promise(calibration: Calibration, kept: MethodPromise) -> Record:
    worst = kept.worst
    return {
        "population": calibration.population,
        "promise": promised(kept.method),
        "method": named(kept.method),
        "observed": _percent(worst.rate.observed),
        "error": _percent(worst.rate.error),
        "world": worst.world,
        "verdict": kept.verdict,
        "delta": None if kept.found is None else kept.found.delta,
        "power": None if kept.found is None else _percent(kept.found.rate.observed),
    }


def _worlds(result: Calibrated) -> str:
    """What the worlds are, for the population asked for."""
    first = result.first
    names = dict.fromkeys(row.world for row in first.errors)
    told = [f"{name}: {world_told(name, _units(result))}" for name in names]
    if result.sampling is not None and result.sampling.columns.shares is not None:
        told.append(
            f"kinds of {result.sampling.columns.shares} differ as they do in resampled, and in flipped where weights "
            f"surely matter; around their means, kinds of fewer than {FEW_OF_A_KIND} {_units(result)} vary normally"
        )
    return "; ".join(told)


def _units(result: Calibrated) -> str:
    """What is drawn by itself, for the population asked for."""
    if result.first.population != "topics":
        return "shards"
    return unit_of(result.sampling)


def _verdicts(result: Calibrated) -> str:
    alpha = result.alpha
    return (
        f"over all worlds; liberal: surely more than {percent(1.1 * alpha)}, conservative: surely less than "
        f"{percent(0.9 * alpha)}, unclear: perhaps more than {percent(TOLERATED * alpha)}, cannot be judged: not tried "
        "in every world, or some systems differ much on hardly any topic"
    )


# errors in every world


def error_table(result: Calibrated) -> Table:
    """Each method, a column for each world."""
    worlds = list(dict.fromkeys(row.world for calibration in result.each for row in calibration.errors))
    return _table(
        result,
        "errors",
        "Errors in every world, in per cent",
        [_in_worlds(calibration, kept, worlds) for calibration in result.each for kept in _sorted(calibration)],
        [
            Column("promise", f"at most {percent(result.alpha)} of"),
            Column("method"),
            *(Column(world, decimals=1) for world in worlds),
            Column("error", "±", "the largest Monte Carlo error", decimals=1),
            Column("trials", "experiments", "drawn of each world", is_minor=True),
            Column("verdict"),
        ],
        *_sampled(result),
    )


def _in_worlds(calibration: Calibration, kept: MethodPromise, worlds: Sequence[str]) -> Record:
    rates = {row.world: row.rate for row in calibration.errors if row.method == kept.method}
    return {
        "population": calibration.population,
        "promise": promised(kept.method),
        "method": named(kept.method),
        **{world: _percent(rates[world].observed) if world in rates else None for world in worlds},
        "error": _percent(max(rate.error for rate in rates.values())),
        "trials": kept.worst.rate.trials,
        "verdict": kept.verdict,
    }


def _sampled(result: Calibrated) -> Iterator[str]:
    """Which tests were tried on some of the systems."""
    tests = {row.method.test for calibration in result.each if calibration.systems > MANY for row in calibration.errors}
    if slow := [test.title for name, test in TESTS.items() if test.is_slow and name in tests]:
        yield f"Tried on {MANY} systems, drawn each time: {listed(slow)}."


# power

KINDS = ("one pair", "all pairs")


def power_table(result: Calibrated) -> Table:
    """By test and size of difference, a column for each number of topics."""
    counts = sorted({row.topics for calibration in result.each for row in calibration.powers})
    rates = [rate for calibration in result.each for row in calibration.powers for rate in (row.single, row.family)]
    errors = [rate.error for rate in rates if rate is not None]
    note = f"Monte Carlo errors are up to {percent(max(errors))}." if errors else ""
    columns = [Column(f"topics_{count}", f"{count:,} topics", decimals=0) for count in counts]
    return _table(
        result,
        "power",
        "How often a true difference is found, in per cent, by its size δ and the number of topics",
        [record for calibration in result.each for record in _powers(calibration)],
        [
            Column("test"),
            Column(
                "of",
                explained="one pair that was chosen beforehand, or one among all pairs, by the first step of "
                f"{DEFAULT.title}",
            ),
            Column("delta", "δ", f"the difference in {result.measure}", decimals=3),
            *columns,
        ],
        *([note] if note else []),
    )


def _powers(calibration: Calibration) -> Iterator[Record]:
    """Of each test: one pair by itself at each δ, then among all."""
    by_test: dict[str, dict[float, list[Power]]] = {}
    for row in calibration.powers:
        by_test.setdefault(row.test, {}).setdefault(row.delta, []).append(row)
    for test, by_delta in by_test.items():
        for kind in KINDS:
            for delta, powers in by_delta.items():
                rates = {f"topics_{row.topics}": rate_of(row, kind) for row in powers}
                shares = {name: _percent(rate.observed, 0) for name, rate in rates.items() if rate is not None}
                if shares:
                    yield {
                        "population": calibration.population,
                        "test": TESTS[test].title,
                        "of": kind,
                        "delta": delta,
                        **shares,
                    }


def rate_of(row: Power, kind: str) -> Rate | None:
    """The power of one pair for itself, or among all; None where p-values are too coarse for that."""
    return row.single if kind == KINDS[0] else row.family


def detectable_table(result: Calibrated) -> Table:
    """The smallest difference that each test finds."""
    rows = [(calibration, row) for calibration in result.each for row in calibration.detectable.values()]
    table = _table(
        result,
        "detectable",
        f"The smallest difference in {result.measure} that is found with a chance of {percent(POWER)}",
        [
            {
                "population": calibration.population,
                "method": TESTS[row.test].title,
                "topics": row.topics,
                "single": row.single,
                "family": row.family,
            }
            for calibration, row in rows
        ],
        [
            Column("method", "test"),
            Column("topics"),
            Column("single", "one pair", "chosen beforehand"),
            Column("family", "among all pairs", f"by the first step of {DEFAULT.title}"),
        ],
    )
    return table if any(calibration.pairs > 1 for calibration in result.each) else table.without("family")


# intervals


def coverage_table(result: Calibrated) -> Table:
    """How often intervals hold the truth."""
    kinds = list(_INTERVALS_OF)
    shown = [
        (calibration, row)
        for calibration in result.each
        for row in sorted(calibration.coverage, key=lambda row: kinds.index(row.of))
    ]
    others = any(is_for_comparing(row) for _, row in shown)
    note = "Intervals for comparing systems promise nothing of single means: they are for whether two overlap."
    return _table(
        result,
        "coverage",
        "How often intervals hold the truth, in per cent",
        [_coverage(calibration, row) for calibration, row in shown],
        [
            Column("of", "interval of"),
            Column("interval"),
            Column("nominal", "promised, %", decimals=1),
            Column("observed", "observed, %", decimals=1),
            _ERROR,
            Column("verdict", explained="liberal: it surely lacks the truth too often"),
        ],
        *([note] if others else []),
    )


def is_for_comparing(row: IntervalCoverage) -> bool:
    """Whether an interval of means promises nothing of single means."""
    return row.of == "mean" and row.name in FOR_COMPARING


def _coverage(calibration: Calibration, row: IntervalCoverage) -> Record:
    return {
        "population": calibration.population,
        "of": _INTERVALS_OF[row.of],
        "interval": INTERVALS[row.name] if row.of == MEAN else TESTS[row.name].title,
        "nominal": _percent(row.nominal),
        "observed": _percent(row.rate.observed),
        "error": _percent(row.rate.error),
        "verdict": None if is_for_comparing(row) else row.verdict,
    }


# what becomes of claims


def hold_table(result: Calibrated) -> Table:
    """What becomes of claims on the other half, or under other judgments."""
    rows = [(calibration, row) for calibration in result.each for row in calibration.holds_up]
    between = list(dict.fromkeys(row.between for _, row in rows))
    orders = {row.between: percent(row.same_order.observed) for _, row in rows}
    table = _table(
        result,
        "holds-up",
        f"What becomes of claims between {between[0] if len(between) == 1 else 'two experiments'}",
        [_held(calibration, row) for calibration, row in rows],
        [
            Column("between", explained="the two experiments"),
            Column("method"),
            Column("claims", explained="pairs that differ significantly in one, in the mean", decimals=1),
            Column("again", "again, %", "of the claims: significant in the other too, in the same order", decimals=1),
            Column("claimed_same_order", "same order, %", "of the claims: the same system is ahead", decimals=1),
            Column("reversed", "reversed, %", "of the claims: significant in the other order", decimals=1),
            Column("same_verdict", "same verdict, %", "of all pairs: better, worse and so on", decimals=1),
        ],
        *(
            [f"Of all pairs are in the same order: {', '.join(f'{of} {share}' for of, share in orders.items())}."]
            * bool(rows)
        ),
    )
    return table if len(between) > 1 else table.without("between")


def _held(calibration: Calibration, row: HoldsUp) -> Record:
    names = ("again", "claimed_same_order", "reversed", "same_verdict")
    rates: dict[str, Rate | None] = {name: getattr(row, name) for name in names}
    return {
        "population": calibration.population,
        "between": row.between,
        "method": named(row.method),
        "claims": row.claims,
        **{name: None if rate is None else _percent(rate.observed) for name, rate in rates.items()},
    }


# verdicts against a margin


def margin_table(result: Calibrated) -> Table:
    """How often any verdict against the margin is false."""
    rows = [(calibration, row) for calibration in result.each for row in calibration.verdicts]
    world = world_told("better and worse by the margin", _units(result))
    return _table(
        result,
        "verdicts",
        "Experiments in which any verdict against the margin is false",
        [
            {
                "population": calibration.population,
                "method": named(row.method),
                **_rate(row.rate),
                "verdict": row.verdict,
            }
            for calibration, row in rows
        ],
        [
            Column("method"),
            Column("observed", "errors, %", decimals=1),
            _ERROR,
            Column("low", "", "the 95 % Monte Carlo interval", "low, high", decimals=1),
            Column("high", decimals=1),
            Column("verdict"),
        ],
        f"Promised are at most {percent(result.alpha)}. {capital(world)}.",
    )


def _rate(rate: Rate) -> dict[str, Cell]:
    return {name: _percent(getattr(rate, name)) for name in ("observed", "error", "low", "high")}
