"""The first screen of a report: its headline, and facts that are each a number and what it is of."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING

from irgauge.inference.comparison import Comparison
from irgauge.inference.slices import SliceClaims
from irgauge.inference.verdicts import POWER
from irgauge.reporting.sections import warnings_of
from irgauge.scoring.direction import opposite
from irgauge.show.finding import Finding
from irgauge.show.page import Card
from irgauge.show.table import LEAST_P
from irgauge.show.verdicts import FOR, OTHER
from irgauge.show.words import counted, p_text, percent, two_digits
from irgauge.studies.bootstrap.study import Bootstrapped
from irgauge.studies.compare.answers import answers as compared
from irgauge.studies.compare.pair_section import pair_of
from irgauge.studies.compare.study import Compared, MeasureCompared
from irgauge.studies.instances.findings import best_over_instances
from irgauge.studies.score.findings import answers as scored

if TYPE_CHECKING:
    from irgauge.provenance import Provenance
    from irgauge.reporting.report import Report


def headlines(report: Report) -> tuple[Finding, ...]:
    """By each measure the headline for each population; of a measure that was not compared, what is true of it."""
    return tuple(finding for measure in map(str, report.reporting.measures) for finding in _of_measure(report, measure))


def _of_measure(report: Report, measure: str) -> Iterator[Finding]:
    """Of algorithms over their instances first, then against the baseline, then of all pairs, then of means alone."""
    for lead in (_instances, _compared_headlines, _scored):
        if findings := list(lead(report, measure)):
            yield from findings
            return


def _instances(report: Report, measure: str) -> Iterator[Finding]:
    """Nothing of a table: nobody says whether its replicates are instances."""
    if report.reporting.data.has_runs:
        results = report.ran["instances"].results
        yield from (best_over_instances(result, is_first=True) for result in results if result.measure == measure)


def _compared_headlines(report: Report, measure: str) -> Iterator[Finding]:
    """With the baseline, if that was possible."""
    for name in ("baseline", "compare"):
        for result in report.ran[name].results:
            if result.measures == (measure,):
                yield from compared(result.first)
                return


def _scored(report: Report, measure: str) -> Iterator[Finding]:
    for result in report.ran["score"].results:
        yield from scored(result, measure)


def cards(report: Report) -> tuple[Card, ...]:
    """Those by each measure and for each population, in the order in which they are shown; the last is of all."""
    if report.reporting.labels is not None and report.ran["instances"].results:  # the headline is of algorithms
        return (*_decimals(report), *_warnings(report))
    of_pairs = (*_compared(report), *_against(report), *_kinds(report), *_won(report))
    return (*of_pairs, *_decimals(report), *_detectable(report), *_warnings(report))


def _compared(report: Report) -> Iterator[Card]:
    """Who is in the top group, and how many pairs differ; with a baseline the pairs with it take their place."""
    for result in report.ran["compare"].results:
        if len(result.comparison.systems) == 2:
            yield from _each(result, " and ".join(result.comparison.systems), _verdict, "compare")
            continue
        systems = counted(len(result.comparison.systems), "system")
        yield from _each(result, f"of {systems} in the top group", _top, "compare")
        if report.reporting.baseline is None:
            label = f"of {counted(len(result.comparison.first), 'pair')} differ"
            yield from _each(result, label, _pairs, "compare")


def _each(
    result: Compared, label: str, value: Callable[[MeasureCompared, Comparison], str], section: str
) -> Iterator[Card]:
    """A card for each population, with what the others say."""
    first = result.first
    for comparison in result.first.comparisons:
        others = (
            f"{OTHER[other.population]}: {value(first, other)}"
            for other in first.comparisons
            if other is not comparison
        )
        yield Card(
            value=value(first, comparison),
            label=label,
            covers=FOR[first.scored.drawn(comparison.population)],
            section=section,
            measure=first.measure,
            population=comparison.population,
            method=_method(result.provenance_for(comparison.population)),
            detail="; ".join(others),
            place=comparison.place,
        )


def _method(provenance: Provenance) -> str:
    return provenance.alone.without_reading.without("population").text


def _top(_: MeasureCompared, comparison: Comparison) -> str:
    return f"{len(comparison.top_group):,}"


def _pairs(_: MeasureCompared, comparison: Comparison) -> str:
    return f"{comparison.significant_count:,}"


def _verdict(_: MeasureCompared, comparison: Comparison) -> str:
    """Whether the only two systems differ."""
    p = p_text(float(comparison.p_adjusted[0]), least=LEAST_P)
    return f"{'differ' if comparison.significant[0] else 'do not differ'}, {p}"


def _against(report: Report) -> Iterator[Card]:
    """How many systems are better than the baseline, and how many are worse; of one, the verdict."""
    for result in report.ran["baseline"].results:
        if len(result.comparison.first) == 1:
            yield from _each(result, " against ".join(result.comparison.names[0]), _only, "baseline")
            continue
        label = f"systems better / worse than {result.comparison.baseline}, of {len(result.comparison.first):,}"
        yield from _each(result, label, _better_and_worse, "baseline")


def _only(result: MeasureCompared, comparison: Comparison) -> str:
    return result.verdicts[comparison.population].verdicts[0]


def _better_and_worse(result: MeasureCompared, comparison: Comparison) -> str:
    counts = Counter(result.verdicts[comparison.population].verdicts)
    return f"{counts['better']:,} / {counts['worse']:,}"


def _kinds(report: Report) -> Iterator[Card]:
    """On how many kinds of topics one of two systems is shown to be worse, and on which."""
    for section in ("baseline", "compare"):
        for result in report.ran[section].results:
            first, slices = result.first, result.first.sliced.slices
            if len(first.comparison.first) == 1 and slices and (section == "baseline" or not report.reporting.baseline):
                system = first.comparison.names[0][0]
                worse = [own for own in slices if _is_worse(own, system)]
                open_kinds = sum(own.verdicts.verdicts[0] == "inconclusive" for own in slices)
                yield Card(
                    value=f"{len(worse):,} of {len(slices):,}",
                    label=f"kinds of topics on which {system} is shown to be worse"
                    + (f"; undecided on {open_kinds:,}" if open_kinds else ""),
                    covers=FOR[first.scored.drawn("topics")],
                    section=section,
                    measure=first.measure,
                    detail=", ".join(f"{own.value} ({counted(own.topics, 'topic')})" for own in worse),
                    place=slices[0].comparison.place,
                )


def _is_worse(slice_claims: SliceClaims, system: str) -> bool:
    """Whether the only pair of a slice has this verdict on one of its systems."""
    is_first = slice_claims.comparison.names[0][0] == system
    return slice_claims.verdicts.verdicts[0] == ("worse" if is_first else "better")


def _won(report: Report) -> Iterator[Card]:
    """On how many topics the first of two systems is better."""
    for result in report.ran["pair"].results:
        pair = pair_of(result)
        yield Card(
            value=f"{pair.wins:,} of {len(pair.topics):,}",
            label=f"topics on which {pair.system} scores {pair.direction}",
            covers="",
            section="pair",
            measure=pair.measure,
            population=None,  # it is of these topics, whatever is chosen
            method=_method(result.provenance),
            detail=f"the same on {pair.ties:,}, {opposite(pair.direction)} on {pair.losses:,}",
        )


def _decimals(report: Report) -> Iterator[Card]:
    """How many decimals of a mean are justified."""
    results: Sequence[Bootstrapped] = report.ran["bootstrap"].results
    for measure in map(str, report.reporting.measures):
        digits = {result.draw: result.digits(result.place(measure)) for result in results}
        for result in results:
            others = (
                f"{OTHER[draw]}: {counted(number, 'decimal')}" for draw, number in digits.items() if draw != result.draw
            )
            error = f"standard error {two_digits(result.typical_error(result.place(measure)))}"
            yield Card(
                value=f"{_best_mean(result, measure):.{digits[result.draw]}f}",
                label="is the best mean, with the decimals worth reporting",
                covers=FOR[result.draw],
                section="bootstrap",
                kind="decimals",
                measure=measure,
                population=result.draw,
                method=_method(result.provenance),
                detail="; ".join((error, *others)),
            )


def _best_mean(result: Bootstrapped, measure: str) -> float:
    """The mean of the system that comes first."""
    place = result.place(measure)
    return float(result.root_means[place, result.order(place)[0]])


def _detectable(report: Report) -> Iterator[Card]:
    """What difference of the first pair the topics find: that of the two best systems, or of the only two."""
    for result in report.ran["compare"].results or report.ran["baseline"].results:
        first = result.first
        if "topics" not in first.populations:
            continue
        pairs = first.under("topics")
        smallest = float(first.verdicts["topics"].detectable[0])
        if 0 < smallest < math.inf:
            yield Card(
                value=two_digits(smallest),
                label="is the smallest difference that these topics find",
                covers=FOR[first.scored.drawn("topics")],
                section="plan",
                measure=first.measure,
                population=None,  # it is of other topics, whatever is chosen
                method=_method(result.provenance_for("topics")),
                detail=f"{' and '.join(pairs.names[0])}, power {percent(POWER)}",
            )


def _warnings(report: Report) -> Iterator[Card]:
    """How many warnings there are."""
    count = len(list(warnings_of(report)))
    section = "warnings" if count else "data" if report.ran["check"].results else ""
    yield Card(f"{count:,}", "warning" if count == 1 else "warnings", "", section, None, None, "")
