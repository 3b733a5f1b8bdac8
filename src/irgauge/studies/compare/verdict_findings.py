"""What verdicts say, in sentences that can be quoted: of each system against the baseline, or of many together."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from irgauge.inference.assertions import Assertion
from irgauge.inference.by_topic import in_order
from irgauge.inference.comparison import Comparison
from irgauge.inference.margins import with_factor
from irgauge.inference.tests.registry import TESTS
from irgauge.inference.verdicts import BY_MARGIN, POWER, Verdicts
from irgauge.planning.deciding import Needed, by_differences, of_variances
from irgauge.planning.designs import Observing
from irgauge.planning.power import MOST
from irgauge.show.finding import Finding, sentence
from irgauge.show.ratios import amount, ends_told, is_ratio, margin_size, plain_name, size_told
from irgauge.show.verdicts import COLOURS, FOR, claim, p_beside
from irgauge.show.words import capital, counted, listed, percent, rounded_up, signed, some
from irgauge.studies.compare.claims import judged
from irgauge.studies.compare.records import pair_records
from irgauge.studies.compare.study import Compared, MeasureCompared
from irgauge.studies.compare.tables import directed
from irgauge.studies.compare.testing import Change
from irgauge.studies.compare.verdict_captions import PairMethod
from irgauge.studies.new_topics import SURE, new_topics
from irgauge.studies.sampling_findings import Basis


def would_decide(result: MeasureCompared, comparison: Comparison, pair: int) -> Needed | None:
    """The new topics that would show a system to be not worse by the margin, if it is as good.

    With shards, as many of them as there are. None without a margin, and where that cannot be told of the test: of
    other shards, of pairs that are tested together, and without any spread.
    """
    margin, planned_by = result.verdicts[comparison.population].margin, TESTS[comparison.test].planned_by
    is_untold = comparison.population == "shards" or bool(comparison.is_constant[pair])
    if margin is None or is_untold or not comparison.corrected_by.is_of_levels:
        return None
    if planned_by == "pair":
        y = in_order(result.scored.of(comparison.population), comparison)
        first, second = y[:, comparison.first[pair]], y[:, comparison.second[pair]]
        d, sampling = first - _factor(result, comparison) * second, result.scored.sampling
        return by_differences(d, margin, comparison.level, sampling)
    return _with_shards(result, comparison, pair, margin) if planned_by == "shards" else None


def _factor(result: MeasureCompared, comparison: Comparison) -> float:
    """Of the baseline's scores, where a system is as good and the margin is a share of its mean."""
    if result.asked_margin is None or not result.asked_margin.is_share or comparison.baseline is None:
        return 1.0
    mean = float(comparison.means[comparison.systems.index(comparison.baseline)])
    return result.asked_margin.factors(mean, comparison.direction)[0]


def _with_shards(result: MeasureCompared, comparison: Comparison, pair: int, margin: float) -> Needed:
    scores = result.scored.shards
    first, second = (scores.scores.systems.index(name) for name in comparison.names[pair])
    values = with_factor(scores.values(), second, _factor(result, comparison))
    seen = Observing(values, comparison.population, len(comparison.systems)).pair(first, second)
    return of_variances(seen.variances, scores.shards, margin, comparison.level, comparison.topics)


_FEW = 6  # verdicts that are told one by one


def against(result: Compared) -> Iterator[Finding]:
    """The verdict on each system against the baseline where there are few, else how many of each; by each measure."""
    is_few = len(result.comparison.first) <= _FEW
    if is_few and len(result.each) > 1:
        yield from _by_system(result)
    for measure_compared in result.each:
        for compared in measure_compared.comparisons:
            if compared is measure_compared.comparison and is_few:
                yield from each_pair(measure_compared, compared) if len(result.each) == 1 else ()
            else:
                yield _counted(measure_compared, compared)
        yield from _undecided(measure_compared)


def _undecided(one: MeasureCompared) -> Iterator[Finding]:
    """What would decide the systems that are inconclusive, where these are many."""
    compared = one.comparison
    verdicts = one.verdict.verdicts
    if len(verdicts) <= _FEW:
        return
    needs = [would_decide(one, compared, pair) for pair, each in enumerate(verdicts) if each == "inconclusive"]
    topics = [needed.topics or MOST + 1 for needed in needs if needed is not None]
    if topics and len(topics) == len(needs):
        finding = undecided(
            baseline=str(compared.baseline), measure=one.measure, needed=sorted(topics), topics=compared.topics
        )
        yield finding.about(population=compared.population, measure=one.measure)


@sentence("undecided", claims=("forecast",))
def undecided(*, baseline: str, measure: str, needed: Sequence[int], topics: int) -> str:
    """How many new topics would show half, and all, of those that are inconclusive to be not worse, if as good."""
    counts = [rounded_up(count) if count <= MOST else f"more than {MOST:,}" for count in needed]
    if len(needed) == 1:
        head = f"If the system that is inconclusive against {baseline} by {measure} is as good"
        would = f"{counts[0]} new topics would show that it is not worse"
    else:
        head = f"If the {len(needed):,} systems that are inconclusive against {baseline} by {measure} are as good"
        would = f"{counts[(len(needed) - 1) // 2]} new topics would show that half are not worse, and {counts[-1]} all"
    return f"{head}, {would} ({SURE}); there are {topics:,} (see `irgauge plan --baseline {baseline}`)."


def counts_against(one: MeasureCompared) -> Iterator[Finding]:
    """How many systems have each verdict against the baseline under each population; of one system, the verdict."""
    for compared in one.comparisons:
        if len(compared.first) == 1:
            yield from each_pair(one, compared)
        else:
            yield _counted(one, compared)


def two_systems(one: MeasureCompared) -> Iterator[Finding]:
    """The verdict on the only pair, under each population."""
    for compared in one.comparisons:
        yield from each_pair(one, compared)


def pair_verdicts(compared: MeasureCompared) -> Iterator[Finding]:
    """Without a baseline, against a margin: how many pairs have each verdict."""
    if compared.margin is not None:
        finding = pair_counts(
            measure=compared.measure,
            margin=compared.margin,
            counts=dict(Counter(compared.verdict.verdicts).most_common()),
            population=compared.scored.drawn(compared.comparison.population),
            method=_method(compared, compared.comparison),
        )
        told = finding.about(population=compared.comparison.population, measure=compared.measure)
        yield told.claiming(judged(compared, compared.comparison), compared.comparison.place)


@sentence("pair-verdicts", claims=("difference", "equivalence"))
def pair_counts(*, measure: str, margin: float, counts: Mapping[str, int], population: str, method: PairMethod) -> str:
    """How many pairs have each verdict, which is on the system with the better mean."""
    texts = [f"{verdict} in {count:,}" for verdict, count in counts.items()]
    head = (
        f"By {plain_name(measure)}, {FOR[population]}, at a margin of {margin_size(margin, is_ratio=is_ratio(measure))}"
    )
    of = f"the system with the better mean of {counted(sum(counts.values()), 'pair')}"
    return f"{head}, the verdict on {of} is {listed(texts)} ({method.text}, {method.tested_on})."


class Numbers(NamedTuple):
    """What a test found of a pair."""

    difference: float
    low: float
    high: float
    confidence: float  # of the interval
    p_adjusted: float
    detectable: float | None  # the smallest difference that it finds with a power of 80 %
    is_same: bool = False  # whether both have the same score on every topic
    needed: Needed | None = None  # what would decide, where it is inconclusive
    is_ratio: bool = False  # whether differences are of logarithms, and shown as ratios
    is_of_share: bool = False  # whether the interval is that of a margin in per cent, which is tested as a ratio


def each_pair(one: MeasureCompared, compared: Comparison) -> Iterator[Finding]:
    """The verdict on each pair."""
    verdicts, asked = one.verdicts[compared.population], one.asked_margin
    is_share = asked is not None and asked.is_share and not is_ratio(one.measure)
    for pair, record in enumerate(pair_records(one, compared.population)):
        needed = would_decide(one, compared, pair) if record["verdict"] == "inconclusive" else None
        finding = verdict(
            verdict=record["verdict"],
            system=record["system"],
            baseline=record["against"],
            measure=directed(one, compared),
            margin=verdicts.margin,
            numbers=_numbers(record, compared, verdicts, is_share=is_share)._replace(needed=needed),
            method=_method(one, compared),
            population=one.scored.drawn(compared.population),
        )
        claims = judged(one, compared, np.arange(len(compared.first)) == pair)
        yield finding.about(population=compared.population, measure=one.measure).claiming(claims, compared.place)


def _numbers(record: Mapping[str, Any], compared: Comparison, verdicts: Verdicts, *, is_share: bool) -> Numbers:
    """With the interval that the verdict rests on."""
    test = {name: record[name] for name in ("difference", "p_adjusted", "detectable")}
    test["is_ratio"] = record["ratio"] is not None
    test["is_same"] = record["verdict"] == "equivalent" and record["ties"] == compared.topics
    if record["verdict"] in BY_MARGIN and verdicts.confidence is not None:
        ends = {"low": record["margin_low"], "high": record["margin_high"], "confidence": verdicts.confidence}
        return Numbers(**test, **ends, is_of_share=is_share)
    return Numbers(**test, low=record["low"], high=record["high"], confidence=compared.confidence)


def _method(one: MeasureCompared, compared: Comparison) -> PairMethod:
    """Such as `paired t-test, Holm's correction over 5 systems`."""
    over = "all pairs" if compared.baseline is None else counted(len(compared.first), "system")
    over += f" of {compared.families} comparisons" if compared.families > 1 else ""
    title, sampling = TESTS[compared.test].title, one.scored.sampling
    basis = None if sampling is None else Basis.of(compared.topics, compared.population, sampling)
    if len(compared.first) * compared.families == 1 or compared.is_wider:
        return PairMethod(title, compared.topics, basis)
    correction = compared.corrected_by
    how = f"{over} together" if correction.is_of_test else correction.over(over)
    return PairMethod(f"{title}, {how}", compared.topics, basis)


@sentence("verdict", claims=("difference", "equivalence", "forecast"))
def verdict(
    *,
    verdict: str,
    system: str,
    baseline: str,
    measure: str,
    margin: float | None,
    numbers: Numbers,
    method: PairMethod,
    population: str,
) -> str:
    """What is shown of a system against another one, with its numbers and its method."""
    if numbers.is_same:
        return f"{system} and {baseline} have the same {measure} on all {method.topics} topics: they are equivalent."
    is_ratio = numbers.is_ratio
    head = claim(verdict, system, baseline, margin_size(margin, is_ratio=is_ratio), measure=measure, is_start=True)
    wide = ", wider than the test needs" if verdict in ("better", "worse") and numbers.low <= 0 <= numbers.high else ""
    ends = ends_told(numbers.confidence, numbers.low, numbers.high, is_ratio=is_ratio) + wide
    ends += f", from the ratio to {baseline}" if numbers.is_of_share else ""
    interval = ends if math.isfinite(numbers.high - numbers.low) else f"no interval with so few {method.unit}"
    how = f"{interval}, {p_beside(verdict, numbers.p_adjusted, least=1e-4)}, {method.text}"
    how += f", {method.tested_on}; {method.covers(population)}"
    if verdict in ("better", "worse"):
        times = f": {amount(numbers.difference, is_ratio=True)} as much"
        return f"{head}{times if is_ratio else f' by {signed(abs(numbers.difference))}'} ({how})."
    has_power = numbers.detectable is not None and 0 < numbers.detectable < math.inf
    detectable = amount(numbers.detectable or 0.0, is_ratio=is_ratio) if has_power else None
    could = f" It could have found a difference of {detectable} (power {percent(POWER)})." if detectable else ""
    could += "" if numbers.needed is None else f" {capital(new_topics(numbers.needed))}."
    size = size_told(numbers.difference, is_ratio=is_ratio)
    return f"{head} ({size}, {how}).{could if verdict == 'inconclusive' else ''}"


def tells_new_topics(finding: Finding) -> bool:
    """Whether it says how many new topics would decide."""
    numbers = finding.fields.get("numbers")
    return finding.kind == "undecided" or (isinstance(numbers, Numbers) and numbers.needed is not None)


def _counted(one: MeasureCompared, compared: Comparison) -> Finding:
    finding = _counts(one, compared).about(population=compared.population, measure=one.measure)
    return finding.claiming(judged(one, compared), compared.place)


def _counts(one: MeasureCompared, compared: Comparison) -> Finding:
    verdicts = one.verdicts[compared.population].verdicts
    names = [compared.systems[system] for system in compared.first.tolist()]
    grouped: dict[str, list[str]] = {
        each: [name for name, verdict in zip(names, verdicts, strict=True) if verdict == each]
        for each in COLOURS
        if each in verdicts
    }
    return verdict_counts(
        measure=one.measure,
        baseline=str(compared.baseline),
        margin=one.verdicts[compared.population].margin,
        systems=grouped,
        population=one.scored.drawn(compared.population),
        method=_method(one, compared),
    )


@sentence("verdicts", claims=("difference", "equivalence"))
def verdict_counts(
    *,
    measure: str,
    baseline: str,
    margin: float | None,
    systems: Mapping[str, Sequence[str]],
    population: str,
    method: PairMethod,
) -> str:
    """How many systems have each verdict against the baseline."""
    total = sum(map(len, systems.values()))
    groups = [f"{len(names)} {_are(verdict, len(names))} ({some(names, 3)})" for verdict, names in systems.items()]
    at = "" if margin is None else f", at a margin of {margin:.3g}"
    head = f"By {measure}, {FOR[population]}{at}, of {counted(total, 'system')} against {baseline}"
    return f"{head}, {listed(groups)} ({method.text}, {method.tested_on})."


def _are(verdict: str, count: int) -> str:
    return f"{'is' if count == 1 else 'are'} {verdict}"


def _by_system(result: Compared) -> Iterator[Finding]:
    """What all measures say of each system, in the order of the first."""
    first = result.comparison
    for system, _ in first.names:
        verdicts: dict[str, list[tuple[str, float, float | None]]] = {}
        for compared in result.each:
            pair = [name for name, _ in compared.comparison.names].index(system)
            row = directed(compared, compared.comparison), float(compared.comparison.difference[pair]), compared.margin
            verdicts.setdefault(compared.verdict.verdicts[pair], []).append(row)
        finding = by_measures(
            system=system,
            baseline=str(first.baseline),
            verdicts={each: verdicts[each] for each in COLOURS if each in verdicts},
            population=result.first.scored.drawn(first.population),
            method=_method(result.first, first),
        )
        claims = (claim for compared in result.each for claim in _of_system(compared, system))
        yield finding.about(population=first.population).claiming(claims, result.each[-1].comparison.place)


def _of_system(compared: MeasureCompared, system: str) -> Iterator[Assertion]:
    first = compared.comparison.first == compared.comparison.systems.index(system)
    yield from judged(compared, compared.comparison, first)


@sentence("by-measures", claims=("difference", "equivalence"))
def by_measures(
    *,
    system: str,
    baseline: str,
    verdicts: Mapping[str, Sequence[tuple[str, float, float | None]]],  # verdict -> measures, differences, margins
    population: str,
    method: PairMethod,
) -> str:
    """What all measures say of a system."""
    claims = []
    for verdict, measures in verdicts.items():
        named = listed([_by_measure(verdict, *measure) for measure in measures])
        claims.append(f"{verdict} in {named}")
    return (
        f"{system} against {baseline}, {method.covers(population)}: {'; '.join(claims)} "
        f"({method.text}, {method.tested_on})."
    )


def _by_measure(verdict: str, measure: str, difference: float, margin: float | None) -> str:
    """A measure with its numbers; with the margin, where the verdict is about it."""
    is_about = margin is not None and verdict not in ("better", "worse")
    at = f", margin {margin_size(margin, is_ratio=is_ratio(measure))}" if is_about else ""
    is_log = is_ratio(measure)
    return f"{plain_name(measure)} ({amount(difference, is_ratio=is_log)}{at})"


# verdicts that rest on zeros for topics that a run does not answer


def zeros_decide(compared: MeasureCompared) -> Iterator[Finding]:
    """Verdicts that dropping topics which some run does not answer would change."""
    changed = [each for each in compared.changes if each.population == compared.comparison.population]
    if not changed:
        return
    population = compared.comparison.population
    finding = (
        changed_verdicts(measure=compared.measure, changes=changed)
        if len(changed) <= _FEW
        else many_changed(measure=compared.measure, changed=len(changed), pairs=len(compared.comparison.first))
    )
    yield finding.about(population=population, measure=compared.measure)


@sentence("missing-decides", tone="warning")
def changed_verdicts(*, measure: str, changes: Sequence[Change]) -> str:
    """Which verdicts would change."""
    texts = [
        f"{change.system} against {change.against} would be '{change.on_common}', not '{change.verdict}'"
        for change in changes
    ]
    return (
        f"The zeros for missing topics decide: on the {counted(changes[0].topics, 'topic')} that all systems answer, "
        f"by {measure}, {listed(texts)} (see --missing drop)."
    )


@sentence("missing-decides", tone="warning")
def many_changed(*, measure: str, changed: int, pairs: int) -> str:
    """How many verdicts would change."""
    return (
        f"The zeros for missing topics decide: without the topics that some run does not answer, {changed:,} of "
        f"{counted(pairs, 'verdict')} by {measure} would change (see --missing drop)."
    )
