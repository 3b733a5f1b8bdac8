"""What fewer judgments do to comparisons, in sentences that can be quoted."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from irgauge.inference.assertions import Assertion
from irgauge.show.finding import Finding, sentence
from irgauge.show.table import LEAST_P
from irgauge.show.words import counted, listed, percent
from irgauge.studies.pools.pairs import PairPools
from irgauge.studies.pools.study import ALL, POPULATION, Pooled


class PoolP(NamedTuple):
    """The p-value with a pool: its median over images, and in how many of them it is lower than with all judgments."""

    pool: str
    p: float
    lower: int = 0


def pool_name(pool: str) -> str:
    """A pool in a sentence."""
    return "all judgments" if pool == ALL else f"pools of depth {pool}"


def p_value(p: float) -> str:
    """A p-value to two digits; one that is too small for that is not 0.

    >>> p_value(0.01234), p_value(3e-7), p_value(0.0)
    ('0.012', 'below 0.0001', 'below 0.0001')
    """
    return f"{p:.2g}" if p >= LEAST_P else f"below {LEAST_P:g}"


def chance_of(share: float) -> str:
    """How often chance alone shows as much."""
    return f"as much in {100 * share:.2g} % of random swaps by topic"


def findings(result: Pooled) -> Iterator[Finding]:
    """Where measures gain confidence as judgments shrink, beyond chance, by measure; then what is to be noted."""
    for measure in range(len(result.measures)):
        yield from of_measure(result, measure)
    if result.alike:
        yield left_out(alike=result.alike)
    for depth in result.too_deep:
        yield deeper_than_runs(depth=depth, end=result.shortest)


def of_measure(result: Pooled, m: int, among: str = "") -> Iterator[Finding]:
    """What is to be said of a measure; `among` says which systems are compared, if that is not clear."""
    sentences = _of_pair(result, m) if len(result.pairs) == 1 else _of_pairs(result, m, among)
    for finding in sentences:
        yield finding.about(population=finding.population or POPULATION, measure=result.measures[m])


# one pair


def _of_pair(result: Pooled, m: int) -> Iterator[Finding]:
    pair, measure = result.pairs[0], result.measures[m]
    gains = bool(pair.gains(result.alpha)[m].any())
    yield (_gain if gains else _no_gain)(result, pair, m).claiming(_untrusted(result, m, gains=gains))
    p, shallow = pair.root_p[m].tolist(), range(len(result.pools) - 1)
    if only := [PoolP(result.pools[k], p[k]) for k in shallow if p[k] <= result.alpha < p[-1]]:
        finding = differs_by_pool(measure=measure, first=pair.system, second=pair.against, pools=only, p=p[-1])
        yield finding.about(population="topics").claiming((), "exploratory")
    if turned := [result.pools[k] for k in shallow if pair.turns[m, k]]:
        yield turns(measure=measure, first=pair.system, second=pair.against, pools=turned)


def _untrusted(result: Pooled, m: int, *, gains: bool) -> Iterator[Assertion]:
    """That a measure gains confidence as judgments shrink, more than by chance."""
    if gains:
        name = result.measures[m]
        yield Assertion("trust", "not on shallow pools", terms=("judgments",), measure=name, population=POPULATION)


def _gain(result: Pooled, pair: PairPools, m: int) -> Finding:
    medians, lower = pair.median_p[m].tolist(), pair.lower[m]
    gaining = np.flatnonzero(pair.gains(result.alpha)[m]).tolist()
    pools = [PoolP(result.pools[k], medians[k], round(result.images * lower[k])) for k in gaining]
    return gain(
        measure=result.measures[m],
        first=pair.system,
        second=pair.against,
        pools=pools,
        p=medians[-1],
        images=result.images,
        chance=float(pair.chance_gain[m, gaining].max()),
    )


@sentence("gain", claims=("trust",))
def gain(*, measure: str, first: str, second: str, pools: Sequence[PoolP], p: float, images: int, chance: float) -> str:
    """That fewer judgments bring more confidence, and how rarely they do between exchangeable runs."""
    lead, *others = pools
    parts = [
        f"with {pool_name(lead.pool)} p is lower than with all judgments in {lead.lower} of {counted(images, 'image')} "
        f"(median {p_value(lead.p)} against {p_value(p)})",
        *(f"with depth {pool} in {lower} (median {p_value(own)})" for pool, own, lower in others),
    ]
    return (
        f"{first} − {second} by {measure}: {listed(parts)}. With fewer judgments it looks surer, and more "
        f"so than by chance ({chance_of(chance)}): do not trust {measure} on shallow pools here."
    )


def _no_gain(result: Pooled, pair: PairPools, m: int) -> Finding:
    shallow = range(len(result.pools) - 1)
    medians, loses, falls = pair.median_p[m].tolist(), pair.loses(result.alpha)[m], pair.falls[m]
    return no_gain(
        measure=result.measures[m],
        first=pair.system,
        second=pair.against,
        pools=[PoolP(result.pools[k], medians[k]) for k in shallow],
        p=medians[-1],
        losing=[result.pools[k] for k in shallow if loses[k]],
        is_clear=not bool((pair.lower[m] > 0.5).any()),
        chance=float(pair.chance_gain[m, falls].min()) if falls.any() else None,
    )


@sentence("no-gain", claims=())
def no_gain(
    *,
    measure: str,
    first: str,
    second: str,
    pools: Sequence[PoolP],
    p: float,
    losing: Sequence[str],
    is_clear: bool,
    chance: float | None,
) -> str:
    """That fewer judgments do not bring more confidence; with the chance of exchangeable runs where p falls."""
    medians, depths = listed([p_value(pool.p) for pool in pools]), listed([pool.pool for pool in pools])
    less = f" (less sure with depth {listed(losing)}, as it should be)" if losing else ""
    usual = "" if chance is None else f" By chance alone p falls so, too ({chance_of(chance)})."
    return (
        f"{first} − {second}: with fewer judgments {measure} does not {'' if is_clear else 'clearly '}look surer. "
        f"Its median p is {medians} with pools of depth {depths}, against {p_value(p)} with all judgments{less}.{usual}"
    )


@sentence("differs-by-pool", claims=())
def differs_by_pool(*, measure: str, first: str, second: str, pools: Sequence[PoolP], p: float) -> str:
    """That p is at most α with a pool, and above it with all judgments, on the data as they are."""
    depths, values = listed([pool.pool for pool in pools]), listed([p_value(pool.p) for pool in pools])
    return (
        f"On the collection as it is {first} − {second} by {measure} has p ≤ α with pools of depth {depths} "
        f"(p {values}), and not with all judgments (p {p_value(p)})."
    )


@sentence("turns", claims=())
def turns(*, measure: str, first: str, second: str, pools: Sequence[str]) -> str:
    """That a pool favours the other run."""
    with_depths = f"with pools of depth {listed(pools)}"
    return f"{first} − {second} by {measure}: {with_depths} the median difference even favours the other run."


# many pairs


def _of_pairs(result: Pooled, m: int, among: str) -> Iterator[Finding]:
    measure, pools = result.measures[m], result.pools[:-1]
    gains, loses = (count[m, :-1].tolist() for count in (result.gains(), result.loses()))
    finding = pairs_gain(
        measure=measure,
        pairs=len(result.pairs),
        pools=pools,
        gains=gains,
        loses=loses,
        among=among,
        alpha=result.alpha,
    )
    yield finding.claiming(_untrusted(result, m, gains=any(gains)))
    if not any(gains):
        return
    only = result.only_shallow()[m].tolist()
    most = max(range(len(only)), key=only.__getitem__)
    finding = pairs_by_pool(measure=measure, found=only[most], pool=result.pools[most])
    yield finding.about(population="topics").claiming((), "exploratory")
    pair, pool = result.worst(m)[0]
    yield worst(
        measure=measure,
        first=pair.system,
        second=pair.against,
        pool=PoolP(result.pools[pool], float(pair.median_p[m, pool])),
        p=float(pair.median_p[m, -1]),
    )


@sentence("pairs-gain", claims=("trust",))
def pairs_gain(
    *,
    measure: str,
    pairs: int,
    pools: Sequence[str],
    gains: Sequence[int],
    loses: Sequence[int],
    among: str,
    alpha: float,
) -> str:
    """In how many pairs fewer judgments bring more confidence, and in how many exchangeable ones they would."""
    of = f"of {counted(pairs, 'pair')}{f' of {among}' if among else ''}"
    depths = f"with pools of depth {listed(pools)}"
    less = f"less sure in {listed(list(map(str, loses)))}" if any(loses) else "less sure in none"
    count = listed(list(map(str, gains))) if any(gains) else "none"
    chance = f" By chance alone: at most {percent(alpha)}." if any(gains) else ""
    return f"With fewer judgments {measure} looks surer in {count} {of} {depths}, and {less}.{chance}"


@sentence("pairs-by-pool", claims=())
def pairs_by_pool(*, measure: str, found: int, pool: str) -> str:
    """How many pairs have p ≤ α with a pool only."""
    if not found:
        return f"No pair has p ≤ α by {measure} with a pool and not with all judgments."
    pairs = "1 pair has" if found == 1 else f"{found} pairs have"
    return f"On the collection as it is {pairs} p ≤ α by {measure} with {pool_name(pool)} and not with all judgments."


@sentence("worst", claims=())
def worst(*, measure: str, first: str, second: str, pool: PoolP, p: float) -> str:
    """The pair that gains most."""
    with_pool = f"median p {p_value(pool.p)} with {pool_name(pool.pool)}"
    return f"The worst pair by {measure} is {first} − {second}: {with_pool}, against {p_value(p)} with all judgments."


# notes


@sentence("alike", "note")
def left_out(*, alike: Sequence[tuple[str, str]]) -> str:
    """Runs that rank alike."""
    return f"Pairs that rank alike are left out: {', '.join(f'{first} = {second}' for first, second in alike)}."


@sentence("too-deep", "note")
def deeper_than_runs(*, depth: int, end: int) -> str:
    """A depth beyond the end of the runs."""
    return f"Depth {depth} is deeper than the runs, which end at {end} for some topic: there all is judged."
