"""What robustness says, in sentences that can be quoted."""

from __future__ import annotations

from collections.abc import Iterator
from math import isnan

from irgauge.show.finding import Finding, sentence
from irgauge.show.populations import FOR
from irgauge.show.words import counted, percent
from irgauge.studies.robustness.outcomes import Stability
from irgauge.studies.robustness.study import Robustness

_MANY = 1000  # of more pairs, means are told without decimals
_MUCH = 0.1  # a share of undefined scores from which it is told


def findings(result: Robustness) -> Iterator[Finding]:
    """Whether conclusions depend on the split, on the number of shards, and on undefined scores."""
    told = [over_splits(result)]
    if len(result.counts) > 1:
        told.append(_over_shards(result))
    told += _filled(result)
    for finding in told:
        yield finding.about(population=result.population, measure=result.measure)


def over_splits(result: Robustness) -> Finding:
    """What the last model says over the splits into the middle one of the numbers of shards."""
    shards = sorted(result.counts)[(len(result.counts) - 1) // 2]
    told = stable(
        measure=result.measure,
        over=result.stability_of(shards, result.models[-1]),
        splits=result.resamples,
        pairs=result.pairs,
        population=result.population,
    )
    return told.about(population=result.population, measure=result.measure)


@sentence("stability")
def stable(*, measure: str, over: Stability, splits: int, pairs: int, population: str) -> str:
    """How many pairs differ on average and in every split, and how well the order of systems agrees."""
    digits, found = 0 if pairs > _MANY else 1, over.significant
    ends = [f"{min(max(end, 0.0), pairs):,.{digits}f}" for end in (found.low, found.high)]
    between = "" if isnan(found.low) else f" (95 % interval of that mean {ends[0]} to {ends[1]})"
    every = f", and {percent(over.common)} of all pairs in every split" if splits > 1 else ""
    return (
        f"Over {counted(splits, 'random split')} into {over.shards} shards, {over.model} finds on average "
        f"{found.mean:,.{digits}f} of {counted(pairs, 'pair')} of systems significantly different in {measure} "
        f"{FOR[population]}{between}{every}; the order of systems agrees with that on the whole corpus by Kendall's "
        f"τ = {over.tau.mean:.3f}."
    )


def _over_shards(result: Robustness) -> Finding:
    counts = sorted(result.counts)
    few, many = (result.outcome(count, result.models[-1]) for count in (counts[0], counts[-1]))
    return by_shards(
        measure=result.measure,
        model=few.model,
        few=few.shards,
        many=many.shards,
        with_few=few.significant,
        with_many=many.significant,
        whole=result.whole.significant,
        pairs=result.pairs,
    )


@sentence("shards")
def by_shards(
    *, measure: str, model: str, few: int, many: int, with_few: float, with_many: float, whole: float, pairs: int
) -> str:
    """How the number of pairs that differ goes with the number of shards."""
    digits = 0 if pairs > _MANY else 1
    return (
        f"From {few} to {many} shards, the pairs that {model} finds significantly different in {measure} go from "
        f"{with_few:,.{digits}f} to {with_many:,.{digits}f} of {pairs:,}; MD1 on the whole corpus finds {whole:,.0f} "
        f"{FOR['topics']}."
    )


def _filled(result: Robustness) -> Iterator[Finding]:
    worst = max(result.stability, key=lambda one: one.undefined)
    if worst.undefined >= _MUCH:
        yield undefined(measure=result.measure, shards=worst.shards, share=worst.undefined)


@sentence("undefined", "note")
def undefined(*, measure: str, shards: int, share: float) -> str:
    """How many scores are undefined where most are."""
    return (
        f"With {shards} shards {percent(share)} of the scores of {measure} are undefined, for want of a relevant "
        "document in the shard: what is put in their place weighs on the outcome."
    )
