"""What a comparison of random algorithms says, in sentences that can be quoted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from irgauge.inference.assertions import Assertion, Place, of_verdicts
from irgauge.inference.instance_tests import Pair, topics_drawn
from irgauge.inference.verdicts import BY_MARGIN, Verdict
from irgauge.scoring.direction import HIGHER, LOWER, Direction
from irgauge.show.finding import Finding, sentence
from irgauge.show.verdicts import AGAINST, best_of, claim
from irgauge.show.words import counted, listed, lower_told, p_text, percent, signed, some
from irgauge.studies.instances.cautions import cautions
from irgauge.studies.instances.further_questions import SingleTests, Smallest
from irgauge.studies.instances.slice_findings import slices_told
from irgauge.studies.instances.study import AlgorithmsCompared

PARTS: Mapping[str, str] = {
    "topic": "topics",
    "topic:algorithm": "topics by algorithm",
    "instance": "instances",
    "residual": "the residual",
}  # components of the variance
OF_PAIRS = ("verdict", "verdicts", "series")  # kinds of findings that charts and tables of pairs show too
_RESTS: Mapping[Verdict, str] = {
    "not worse": ", but it is not shown to be equivalent",
    "not better": ", but it is not shown to be equivalent",
    "inconclusive": ": neither a difference nor equivalence is shown",
}
_TOLD = 10  # pairs that have a sentence each; of more, the counts


class DifferenceInterval(NamedTuple):
    """The interval of a difference."""

    low: float
    high: float
    confidence: float
    direction: Direction = HIGHER

    @property
    def text(self) -> str:
        """In a sentence."""
        return f"{percent(self.confidence)} interval {signed(self.low)} to {signed(self.high)}"


def claims_of(result: AlgorithmsCompared, among: Sequence[int] | None = None) -> Iterator[Assertion]:
    """What is claimed of some pairs, by their numbers, or of all."""
    numbers = range(len(result.pairs)) if among is None else among
    pairs = (((result.pairs[pair].system, result.pairs[pair].against), result.verdicts[pair]) for pair in numbers)
    yield from of_verdicts(
        pairs,
        measure=result.scores.measure,
        population=result.population,
        margin=result.margin,
        place=_place(result),
        direction=result.scores.direction,
    )


def _place(result: AlgorithmsCompared) -> Place:
    return "primary" if result.standing.has_primary else "secondary"


def findings(result: AlgorithmsCompared) -> Iterator[Finding]:
    """The best, verdicts, settings, noise, single instances, and what to beware of."""
    measure = result.scores.measure
    if result.baseline is None and len(result.scores.algorithms) > 2:
        yield best_over_instances(result)
    claims = (*_verdicts(result), *slices_told(result), *_series(result))
    yield from (claim.about(population=result.population, measure=measure) for claim in claims)
    parts = sorted(result.fit.components, key=lambda part: -part.share)
    noise_finding = noise(measure=result.measure, shares={part.name: part.share for part in parts})
    yield from (finding.about(measure=measure) for finding in (noise_finding, *_singles(result), *cautions(result)))


# verdicts


def _verdicts(result: AlgorithmsCompared) -> Iterator[Finding]:
    if len(result.pairs) <= _TOLD:
        for pair in range(len(result.pairs)):
            yield _verdict(result, pair).claiming(claims_of(result, [pair]), _place(result))
        return
    by_hpd = result.hpd_verdicts
    finding = verdict_counts(
        population=result.population,
        margin=result.margin,
        counts=_tally(result.verdicts),
        hpd_counts=None if by_hpd is None else _tally(by_hpd),
        confidence=1 - result.alpha,
        direction=result.scores.direction,
    )
    yield finding.claiming(claims_of(result), _place(result))


def _verdict(result: AlgorithmsCompared, pair: int) -> Finding:
    """One verdict with its numbers."""
    low, high = result.intervals[:, pair].tolist()
    outcome, by_hpd = result.verdicts[pair], result.hpd_verdicts
    return verdict(
        population=result.population if pair == 0 else None,  # the others cover the same
        pair=result.pairs[pair],
        verdict=outcome,
        difference=float(result.tests.difference[pair]),
        interval=DifferenceInterval(low, high, 1 - result.alpha, result.scores.direction),
        p_adjusted=_p(result, pair, outcome),
        margin=result.margin,
        hpd_verdict=None if by_hpd is None else by_hpd[pair],
    )


def _p(result: AlgorithmsCompared, pair: int, verdict: Verdict) -> float:
    """The adjusted p of the test that says so."""
    tests = result.tests
    by = {"equivalent": tests.p_equivalent, "not worse": tests.p_not_worse, "not better": tests.p_not_better}
    return float(by.get(verdict, tests.p_difference)[pair])


@sentence("verdict", claims=("difference", "equivalence"))
def verdict(
    *,
    population: str | None,
    pair: Pair,
    verdict: Verdict,
    difference: float,
    interval: DifferenceInterval,
    p_adjusted: float,
    margin: float,
    hpd_verdict: Verdict | None,
) -> str:
    """What is shown of two algorithms; and what the HPD interval says, where that is something else.

    The population is None where a sentence before this one has named it.
    """
    head = claim(verdict, pair.system, pair.against, f"{margin:g}", is_start=population is None)
    lower = ", lower is better" if interval.direction == LOWER and population is not None else ""
    shown = p_text(p_adjusted, of="the margin" if verdict in BY_MARGIN else "")
    numbers = f"difference {signed(difference)}{lower}, {interval.text}, {shown}"
    matters = _by_how_much(interval.low, interval.high, margin)
    rest = matters if verdict in ("better", "worse") else _RESTS.get(verdict, "")
    other = (
        f" Its HPD interval, with variances common to all algorithms, says: {hpd_verdict}."
        if hpd_verdict not in (None, verdict)
        else ""
    )
    start = head if population is None else f"For {population}, {head}"
    return f"{start} ({numbers}){rest}.{other}"


def _by_how_much(low: float, high: float, margin: float) -> str:
    """Whether a difference is shown to be one that matters."""
    matters = min(abs(low), abs(high)) >= margin and low * high > 0
    return f", by {margin:g} or more" if matters else f", though perhaps by less than {margin:g}"


def _tally(verdicts: Sequence[Verdict]) -> dict[Verdict, int]:
    return dict(Counter(verdicts).most_common())


@sentence("verdicts", claims=("difference", "equivalence"))
def verdict_counts(
    *,
    population: str,
    margin: float,
    counts: Mapping[Verdict, int],
    hpd_counts: Mapping[Verdict, int] | None,
    confidence: float,
    direction: Direction = HIGHER,
) -> str:
    """How often each verdict is given."""
    pairs = counted(sum(counts.values()), "pair")
    by_hpd = "" if hpd_counts is None else f"; by {percent(confidence)} HPD intervals {_counts_text(hpd_counts)}"
    return (
        f"For {population}, of {pairs} of algorithms the first is {_counts_text(counts)} (margin {margin:g})"
        f"{lower_told(direction)}{by_hpd}."
    )


def _counts_text(counts: Mapping[Verdict, int]) -> str:
    return listed([f"{verdict} in {count}" for verdict, count in counts.items()])


def best_over_instances(result: AlgorithmsCompared, *, is_first: bool = False) -> Finding:
    """The best algorithm, of all pairs, and what is shown of it against each other one; first on a page, for whom."""
    leaders = result.leaders
    best = leaders.best[0]
    against: dict[Verdict, list[str]] = {}
    for pair, verdict in zip(result.pairs, result.verdicts, strict=True):
        if pair.system == best:
            against.setdefault(verdict, []).append(pair.against)
    finding = best_algorithm(
        measure=f"{result.measure}{lower_told(result.scores.direction)}",
        algorithm=best,
        tied=leaders.tied,
        algorithms=leaders.systems,
        mean=leaders.mean,
        margin=result.margin,
        against=against,
        covers=result.population if is_first else None,
    )
    of_best = [number for number, pair in enumerate(result.pairs) if pair.system == best]
    told = finding.about(population=result.population, measure=result.scores.measure)
    return told.claiming(claims_of(result, of_best), _place(result))


@sentence("best-algorithm", claims=("difference", "equivalence"))
def best_algorithm(
    *,
    measure: str,
    algorithm: str,
    tied: Sequence[str],
    algorithms: int,
    mean: float,
    margin: float,
    against: Mapping[Verdict, Sequence[str]],
    covers: str | None = None,
) -> str:
    """The best algorithm over instances and topics, and the others by what is shown of it against them."""
    claims = listed([f"{AGAINST[verdict]} {some(names)}" for verdict, names in against.items()])
    first, of = (algorithm, *tied), counted(algorithms, "algorithm")
    leader = best_of(first, algorithms, of, where=" over instances and topics", mean=f"fitted mean {mean:.3f}")
    drawn = "" if covers is None else f", for {covers},"
    return f"By {measure}, {leader}; at a margin of {margin:g}{drawn} {algorithm if tied else 'it'} is {claims}."


# a series


def _series(result: AlgorithmsCompared) -> Iterator[Finding]:
    if result.series:
        finding = smallest_settings(
            settings=[setting.value for setting in result.series],
            baseline=str(result.baseline),
            margin=result.margin,
            by_tests=result.smallest(),
            by_hpd=None if result.hpd is None else result.smallest(by_hpd=True),
        )
        yield finding.claiming(claims_of(result), _place(result))


@sentence("series", claims=("difference", "equivalence"))
def smallest_settings(
    *,
    settings: Sequence[float],
    baseline: str,
    margin: float,
    by_tests: Smallest,
    by_hpd: Smallest | None,
) -> str:
    """From which setting on all are as good as the baseline."""
    by = "by the tests," if by_hpd is None else "by the tests and by HPD intervals,"
    smallest = (
        f"{by} {_smallest_text(by_tests)}"
        if by_hpd is None or by_hpd == by_tests
        else f"by the tests, {_smallest_text(by_tests)}; by HPD intervals, {_smallest_text(by_hpd)}"
    )
    values = listed([f"{value:g}" for value in settings])
    return f"Of the settings {values} against {baseline}, at a margin of {margin:g}: {smallest}."


def _smallest_text(smallest: Smallest) -> str:
    if smallest.not_worse is None and smallest.equivalent is None:
        return "no setting, with all larger ones, is shown to be not worse or equivalent"
    return f"{_from(smallest.not_worse, 'not worse')}, and {_from(smallest.equivalent, 'equivalent')}"


def _from(value: float | None, what: str) -> str:
    """The setting from which on all are shown to be so."""
    if value is None:
        return f"no setting, with all larger ones, is shown to be {what}"
    return f"from {value:g} on, every setting is {what}"


# noise


@sentence("noise", claims=())
def noise(*, measure: str, shares: Mapping[str, float]) -> str:
    """Where the variance of one score comes from, the largest share first."""
    sources = [
        f"{share(value)} {'comes ' * (i == 0)}from {PARTS[name]}" for i, (name, value) in enumerate(shares.items())
    ]
    return f"Of the variance of one {measure}, {listed(sources)} (what topics have in common cancels in a difference)."


def share(value: float) -> str:
    """A share in percent, to two digits where it is small."""
    return f"{100 * value:.0f} %" if value >= 0.0995 else f"{100 * value:.2g} %"


# single instances


def _singles(result: AlgorithmsCompared) -> Iterator[Finding]:
    """The pair on which experiments with one instance contradict each other most."""
    tests = result.singles
    if not any(test.tests > 1 for test in tests):
        return
    worst = max(tests, key=lambda test: (test.contradict, test.significant, -test.alpha))
    same = [test for test in tests if (test.system, test.against) == (worst.system, worst.against)]
    topics = topics_drawn(result.sampling)
    is_most = all(test.contradict < worst.contradict for test in tests if test not in same) and len(tests) > len(same)
    finding = contradictions(worst=worst, levels=same, is_most=is_most, topics=topics)
    yield finding.about(population=f"{topics}, the two instances at hand")


@sentence("single-instances", claims=())
def contradictions(
    *, worst: SingleTests, levels: Sequence[SingleTests], is_most: bool, topics: str = "other topics"
) -> str:
    """How often experiments with one instance contradict each other."""
    first, *others = levels
    tests = f"the {counted(worst.tests, 'paired t-test')} of {worst.system} against {worst.against}"
    shares = [f"{percent(first.significant)} of {tests} have p ≤ {first.alpha:g}"]
    shares += [f"{percent(other.significant)} p ≤ {other.alpha:g}" for other in others]
    most = ", more often than for any other pair" if is_most else ""
    return (
        f"With one instance each, {listed(shares)}: two such experiments contradict each other with a chance of "
        f"{percent(worst.contradict)} at {worst.alpha:g}{most} (such a p-value covers {topics}, and these two "
        "instances only)."
    )
