"""What a suite says: the answer over collections for both populations, whether collections agree, and cautions."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from irgauge.inference.verdicts import BY_MARGIN
from irgauge.show.finding import Finding, sentence
from irgauge.show.verdicts import AGAINST, COLOURS, FOR, alike, best_of, claim, p_beside
from irgauge.show.words import capital, counted, ended, interval_text, listed, percent, signed, some
from irgauge.studies.cautions import ENOUGH, direction_guessed
from irgauge.studies.suite.asserted import (
    asserted,
    differing,
    judged,
    of_leader,
    pairs_on_collections,
    place_of,
)
from irgauge.studies.suite.claims import SuiteClaims
from irgauge.studies.suite.further_findings import disagreement, sampling_told
from irgauge.studies.suite.slice_findings import slices_told
from irgauge.studies.suite.study import OnCollection, SuiteCompared


class BestOn(NamedTuple):
    """On which collections the system that is best over all of them has the best mean."""

    system: str
    best: tuple[str, ...]


def best_on(result: SuiteCompared) -> BestOn:
    """Where the best system is best."""
    system = result.systems[0]
    best = (collection.name for collection in result.on if _first_on(result, collection) == system)
    return BestOn(system, tuple(best))


def _first_on(result: SuiteCompared, collection: OnCollection) -> str:
    if collection.own is not None:
        return collection.own.every.systems[0]
    return result.systems[int((result.sign * collection.means).argmax())]


class Opposite(NamedTuple):
    """A pair of which the first is significantly better on some collections, and significantly worse on others."""

    first: str
    second: str
    better: tuple[str, ...]
    worse: tuple[str, ...]


def opposites(result: SuiteCompared) -> tuple[Opposite, ...]:
    """The pairs that collections disagree on, in the order of the suite; with a baseline, those with it."""
    won: dict[tuple[str, str], list[str]] = defaultdict(list)  # better, worse -> collections
    for collection, claims in result.tested:
        compared = claims.comparison
        for (first, second), above, differs in zip(
            compared.names, compared.gain > 0, compared.significant, strict=True
        ):
            if differs:
                won[(first, second) if above else (second, first)].append(collection.name)
    place = {system: i for i, system in enumerate(result.systems)}
    pairs = sorted((place[a], place[b], a, b) for a, b in won if place[a] < place[b] and (b, a) in won)
    return tuple(Opposite(a, b, tuple(won[a, b]), tuple(won[b, a])) for _, _, a, b in pairs)


_FEW_PAIRS = 3  # of which each has a sentence
_FEW_COLLECTIONS = 10
_NOTES = 5  # on the data, in a sentence
_SYSTEMS = 8  # whose ranks are told in a sentence


def findings(result: SuiteCompared) -> Iterator[Finding]:
    """The answer; numbers of few pairs, or how many pairs differ; ranks; whether collections agree; cautions."""
    first, parts = answer(result, result.over), (_pairs, slices_told, _ranks, _agreement, _cautions)
    for finding in (first, *(other for part in parts for other in part(result))):
        yield finding.about(measure=result.measure)


# the answer


def answer(result: SuiteCompared, over: Sequence[SuiteClaims]) -> Finding:
    """What is said over collections, for some populations."""
    claims_of = of_leader if result.baseline is None else judged
    claims = (claim for population in over for claim in claims_of(result, population))
    return _answer(result, over).claiming(claims, place_of(result, over[-1]))


def _answer(result: SuiteCompared, over: Sequence[SuiteClaims]) -> Finding:
    if result.baseline is not None:
        return against(
            measure=result.measure,
            collections=len(result.on),
            baseline=result.baseline,
            verdicts={claims.population: _grouped(claims) for claims in over},
            margin=over[0].verdicts.margin,
        )
    return best(
        measure=result.measure,
        collections=len(result.on),
        system=result.systems[0],
        tied=result.leaders.tied,
        mean=result.leaders.mean,
        systems=len(result.systems),
        others={claims.population: claims.top_group[1:] for claims in over},
    )


def _grouped(claims: SuiteClaims) -> dict[str, list[str]]:
    """Verdict -> systems, from the best verdict on."""
    verdicts = [
        (first, verdict) for (first, _), verdict in zip(claims.comparison.names, claims.verdicts.verdicts, strict=True)
    ]
    return {each: names for each in COLOURS if (names := [first for first, verdict in verdicts if verdict == each])}


@sentence("best", claims=("difference",))
def best(
    *,
    measure: str,
    collections: int,
    system: str,
    tied: Sequence[str],
    mean: float,
    systems: int,
    others: Mapping[str, Sequence[str]],
) -> str:
    """The best system over collections, and who is not significantly worse, for each population."""
    first = (system, *tied)
    clause = best_of(first, systems, counted(systems, "system"), mean=f"mean {mean:.3f}")
    head = f"By {measure} over {counted(collections, 'collection')}, {clause}"
    if len(first) == systems > 1:
        return f"{head}."
    below = {population: [name for name in names if name not in tied] for population, names in others.items()}
    parts = [f"{FOR[name]} {alike(len(names), first, systems, names=names)}" for name, names in below.items()]
    return f"{head}: {'; '.join(parts)}."


@sentence("verdicts", claims=("difference", "equivalence"))
def against(
    *,
    measure: str,
    collections: int,
    baseline: str,
    verdicts: Mapping[str, Mapping[str, Sequence[str]]],
    margin: float | None,
) -> str:
    """How many systems have each verdict against the baseline, for each population."""
    at = "" if margin is None else f" at a margin of {margin:.3g}"
    head = f"By {measure} over {counted(collections, 'collection')}, against {baseline}{at}"
    parts = [f"{FOR[population]} {_counts(of)}" for population, of in verdicts.items()]
    return f"{head}: {'; '.join(parts)}."


def _counts(verdicts: Mapping[str, Sequence[str]]) -> str:
    """`a is better`; `3 are better (a, b and c) and 1 is worse (d)`."""
    if sum(map(len, verdicts.values())) == 1:
        return next(f"{names[0]} is {verdict}" for verdict, names in verdicts.items())
    parts = [
        f"{len(names)} {'is' if len(names) == 1 else 'are'} {verdict} ({some(names, 3)})"
        for verdict, names in verdicts.items()
    ]
    return listed(parts)


# pairs


def _pairs(result: SuiteCompared) -> Iterator[Finding]:
    if len(result.over[0].comparison.first) <= _FEW_PAIRS:
        for claims in result.over:
            yield from _each(result, claims)
        return
    counts: dict[str, int] = {claims.population: claims.comparison.significant_count for claims in result.over}
    found = (claim for claims in result.over for claim in differing(result, claims))
    finding = pairs_differ(pairs=len(result.over[0].comparison.first), found=counts)
    yield finding.claiming(found, place_of(result, result.over[-1]))


@sentence("pairs", claims=("difference",))
def pairs_differ(*, pairs: int, found: Mapping[str, int]) -> str:
    """How many pairs differ for each population."""
    (first, count), *others = found.items()
    verb = "differs" if count == 1 else "differ"
    rest = "".join(f", and {other:,} {FOR[name]}" for name, other in others)
    return f"Of {counted(pairs, 'pair')} of systems, {count:,} {verb} significantly {FOR[first]}{rest}."


def _each(result: SuiteCompared, claims: SuiteClaims) -> Iterator[Finding]:
    place = place_of(result, claims)
    for record in claims.pair_records():
        finding = pair(
            system=record["system"],
            against=record["against"],
            verdict=record["verdict"],
            difference=record["difference"],
            margin=claims.verdicts.margin,
            interval=_interval(result, claims, record),
            p_adjusted=record["p_adjusted"],
            population=claims.population,
        )
        verdict = (record["system"], record["against"]), record["verdict"]
        yield finding.about(population=claims.population).claiming(asserted(claims, [verdict], place), place)


class PairInterval(NamedTuple):
    """The interval that a verdict rests on."""

    confidence: float
    low: float
    high: float
    is_of_share: bool = False  # whether it is that of a margin in per cent, which is tested as a ratio


def _interval(result: SuiteCompared, claims: SuiteClaims, record: Mapping[str, Any]) -> PairInterval:
    confidence = claims.verdicts.confidence
    if record["verdict"] in BY_MARGIN and confidence is not None:
        is_share = result.margin is not None and result.margin.is_share
        return PairInterval(confidence, record["margin_low"], record["margin_high"], is_share)
    return PairInterval(claims.comparison.confidence, record["low"], record["high"])


@sentence("pair", claims=("difference", "equivalence"))
def pair(
    *,
    system: str,
    against: str,
    verdict: str,
    difference: float,
    margin: float | None,
    interval: PairInterval,
    p_adjusted: float,
    population: str,
) -> str:
    """What is said of a pair, with its numbers."""
    ends = interval_text(*interval[:3]) + f", from the ratio to {against}" * interval.is_of_share
    said = f"{system} is {AGAINST[verdict]} {against}"
    said = said if margin is None else claim(verdict, system, against, f"{margin:.3g}")
    numbers = f"difference {signed(difference)}, {ends}, {p_beside(verdict, p_adjusted, least=1e-4)}"
    return f"{capital(FOR[population])}, {said} ({numbers})."


# ranks


def _ranks(result: SuiteCompared) -> Iterator[Finding]:
    """Ranks rest on all pairs; with a baseline only pairs with it are claimed."""
    if result.baseline is None and 2 < len(result.systems) <= _SYSTEMS:
        for claims in result.over:
            ranks = {system: claims.ranks_of(system) for system in result.systems}
            finding = ranks_told(ranks=ranks, confidence=1 - result.alpha, population=claims.population)
            told = finding.about(population=claims.population)
            yield told.claiming(differing(result, claims), place_of(result, claims))


@sentence("ranks", claims=("difference",))
def ranks_told(*, ranks: Mapping[str, tuple[int, int]], confidence: float, population: str) -> str:
    """The ranks that systems may have."""
    spans = [f"{system} {span(*ends)}" for system, ends in ranks.items()]
    return f"Ranks {FOR[population]}, all together with confidence {percent(confidence)}: {', '.join(spans)}."


def span(low: int, high: int) -> str:
    """Ranks from the best to the worst.

    >>> span(1, 3), span(2, 2)
    ('1 to 3', '2')
    """
    return str(low) if low == high else f"{low} to {high}"


# whether collections agree


def _agreement(result: SuiteCompared) -> Iterator[Finding]:
    if result.baseline is None:
        leader = best_on(result)
        yield best_where(system=leader.system, best=len(leader.best), collections=len(result.on))
    for claims in result.over:
        yield from (finding.about(population=claims.population) for finding in disagreement(claims))
    if opposite := opposites(result):
        finding = disagreeing(pairs=len(result.over[0].comparison.first), opposite=len(opposite), first=opposite[0])
        yield finding.claiming(
            pairs_on_collections(result, {frozenset((pair.first, pair.second)) for pair in opposite}), "exploratory"
        )


@sentence("best-on", claims=())
def best_where(*, system: str, best: int, collections: int) -> str:
    """On how many collections the best system is best."""
    return f"{system} has the best mean on {best} of {collections} collections."


@sentence("opposite", claims=("difference",))
def disagreeing(*, pairs: int, opposite: int, first: Opposite) -> str:
    """Pairs that differ in opposite directions."""
    where = (
        f"{first.first} is better than {first.second} on {some(first.better, 3)}, and worse on {some(first.worse, 3)}"
    )
    if pairs == 1:
        return f"Collections disagree: {where}, each significantly."
    verb = "differs" if opposite == 1 else "differ"
    such = ": " if opposite == 1 else ", such as this: "
    return (
        f"{opposite:,} of {counted(pairs, 'pair')} {verb} significantly in opposite directions on different "
        f"collections{such}{where}."
    )


# cautions


def _cautions(result: SuiteCompared) -> Iterator[Finding]:
    if result.is_guessed:
        yield direction_guessed(measure=result.measure)
    if result.left_out:
        yield left_out(systems=result.left_out, collections=len(result.on))
    if len(result.on) < _FEW_COLLECTIONS:
        yield few_collections(collections=len(result.on)).about(population="collections")
    else:
        yield chosen().about(population="collections")
    few = {collection.name: collection.topics for collection, _ in result.tested if collection.topics < ENOUGH}
    if few:
        yield few_topics(topics=few)
    yield from sampling_told(result)
    if result.is_of_means:
        yield means_alone()
    else:
        yield each_by_itself(collections=len(result.on), alpha=result.alpha)
    if result.notes:
        notes = [f"{name}: {note}" for name, own in result.notes.items() for note in own]
        yield noted(notes=notes)


@sentence("left-out", tone="warning")
def left_out(*, systems: Mapping[str, Sequence[str]], collections: int) -> str:
    """Systems that are not compared."""
    gaps = [f"{system} (not in {some(names, 3)})" for system, names in systems.items()]
    verb = "is" if len(systems) == 1 else "are"
    return f"{counted(len(systems), 'system')} {verb} left out, as not in all {collections} collections: {some(gaps)}."


_CHOSEN = (
    "What is said of other collections takes these for a random sample of them; collections of a suite are chosen by "
    "hand"
)


@sentence("few-collections", tone="warning")
def few_collections(*, collections: int) -> str:
    """That little can be said of other collections."""
    freedom = f"{counted(collections - 1, 'degree')} of freedom"
    limit = "finds only large differences that are alike on all of them"
    return f"{_CHOSEN}, and {collections} are few: the test has {freedom}, and {limit}."


@sentence("chosen", tone="note")
def chosen() -> str:
    """What claims about other collections rest on."""
    return f"{_CHOSEN}, so that this is the best case."


@sentence("few-topics", tone="note")
def few_topics(*, topics: Mapping[str, int]) -> str:
    """Collections on which tests are rough."""
    labels = [f"{name} ({count})" for name, count in topics.items()]
    return f"Tests over fewer than {ENOUGH} topics are rough where differences are skewed: {some(labels)}."


@sentence("join", tone="note")
def noted(*, notes: Sequence[str]) -> str:
    """What was noted when runs and judgments were joined."""
    more = f"; and {len(notes) - _NOTES} more (see `irgauge check`)" if len(notes) > _NOTES else ""
    return ended(f"On the data: {'; '.join(notes[:_NOTES])}{more}")


@sentence("means-alone", tone="note")
def means_alone() -> str:
    """What is not known where collections have means alone."""
    return (
        "One mean of each system is known of a collection, and no scores of its topics: nothing is said of other "
        "topics of these collections, nor of one collection."
    )


@sentence("each-by-itself", tone="note")
def each_by_itself(*, collections: int, alpha: float) -> str:
    """What verdicts on single collections are worth together."""
    false = percent(1 - (1 - alpha) ** collections)
    return (
        "Verdicts on single collections are corrected over the pairs on each, not over collections: if all systems "
        f"were equal, up to {false} of suites of {collections} would have a false one somewhere."
    )
