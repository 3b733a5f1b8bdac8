"""What is said of the discriminative power of measures, in sentences and in tables."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict

from irgauge.inference.discriminative import BOOTSTRAP, METHODS, TITLES
from irgauge.show.finding import Finding, sentence
from irgauge.show.table import Column, Table
from irgauge.show.words import all_of, counted, percent, two_digits
from irgauge.studies.sensitivity.study import MeasurePower, Sensitivity


def findings(result: Sensitivity) -> Iterator[Finding]:
    """By each test the measures with the most and the fewest pairs; what the counts are not."""
    for method in METHODS:
        powers = result.by(method)
        if len(powers) == 1:
            yield one_measure(power=powers[0], alpha=result.alpha)
        else:
            yield of_measures(most=powers[0], fewest=powers[-1], measures=len(powers), alpha=result.alpha)
    yield describes(alpha=result.alpha)


@sentence("power-of-measure", claims=())
def one_measure(*, power: MeasurePower, alpha: float) -> str:
    """The discriminative power of one measure."""
    return f"By the {TITLES[power.method]}, {_share(power, alpha)} in {power.measure}{_needed(power)}."


@sentence("power-of-measures", claims=())
def of_measures(*, most: MeasurePower, fewest: MeasurePower, measures: int, alpha: float) -> str:
    """The ends of the discriminative power of several."""
    by = f"By the {TITLES[most.method]}"
    if most.found * fewest.pairs == fewest.found * most.pairs:
        return f"{by}, {all_of(measures, 'measure')} tell as many pairs apart: {_share(most, alpha)}."
    return (
        f"{by}, {most.measure} tells the most pairs of systems apart: {_share(most, alpha)}{_needed(most)}; "
        f"{fewest.measure} the fewest: {percent(fewest.power)}{_needed(fewest)}."
    )


@sentence("power-describes", tone="note")
def describes(*, alpha: float) -> str:
    """What is not said."""
    return (
        f"These counts describe measures. By the {TITLES[BOOTSTRAP]}, {percent(alpha)} of pairs of equal systems would "
        "have such a p as well. A measure that tells more pairs apart need not be the one that matters to users."
    )


def _share(power: MeasurePower, alpha: float) -> str:
    return f"{percent(power.power)} of {counted(power.pairs, 'pair')} have p ≤ {alpha:g}"


def _needed(power: MeasurePower) -> str:
    return "" if power.needed is None else f" (difference needed: {two_digits(power.needed)})"


def tables(result: Sensitivity) -> list[Table]:
    """Every measure by each test."""
    columns = [
        Column("measure"),
        Column("method", "test"),
        Column("n", "topics"),
        Column("pairs", explained="of systems"),
        Column("found", f"p ≤ {result.alpha:g}", f"pairs whose p is at most {result.alpha:g}"),
        Column("power", explained="the share of these: discriminative power", decimals=3),
        Column("needed", "difference needed", "of means, with which p reaches α: over pairs the largest"),
    ]
    return [
        Table.of(
            "measures",
            f"Discriminative power of {counted(len(result.measures), 'measure')}",
            [asdict(power) for power in result.powers],
            columns,
            [f"{method}: {TITLES[method]}." for method in METHODS],
            is_main=True,
        )
    ]
