"""What is said of the reliability of a ranking."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from irgauge.models.generalizability import SYSTEM
from irgauge.models.reliability_bounds import Needed
from irgauge.show.finding import Finding, sentence
from irgauge.show.words import capital, counted, listed, percent
from irgauge.studies.plan.reliability import Reached, Reliability, TopicsFor
from irgauge.studies.plan.reliability_words import PLURALS, SYMBOLS, whole
from irgauge.studies.plan.study import Planned

_TOLD = 0.05  # sources with a smaller share are not told


def reliability_findings(result: Planned) -> Iterator[Finding]:
    """Which source dominates, how reliable the ranking is and what it would take."""
    found = result.reliability
    if found is None:
        return
    yield _sources(result, found)
    yield ranking(
        measure=result.measure,
        systems=found.systems,
        here=found.here,
        target=found.target,
        needed=[one for one in found.needed if one.shards == found.size.replicates],
        replicates=None if result.replicates is None else found.size.replicates,
        confidence=1 - result.alpha,
    )


def _sources(result: Planned, found: Reliability) -> Finding:
    return sources(
        whole=whole(found, result.measure),
        shares={one.name: one.share for one in sorted(found.sources, key=lambda one: -one.share)},
        errors={} if result.replicates is None else {one.name: one.relative for one in found.sources if one.relative},
    )


@sentence("sources")
def sources(*, whole: str, shares: Mapping[str, float], errors: Mapping[str, float]) -> str:
    """Where the variance of one score comes from, the largest share first; with shards, what makes the ranking err."""
    names = [name for name, share in shares.items() if share >= _TOLD or name == SYSTEM]
    told = [f"{percent(shares[name])} from {PLURALS.get(name, name)}" for name in names]
    text = f"Of {whole}, {listed(told).replace(' from', ' comes from', 1)}"
    if not errors:
        return f"{text}."
    first = max(errors, key=lambda name: errors[name])
    from_first = f"{percent(errors[first])} comes from {PLURALS.get(first, first)}"
    return f"{text}; of the error of the ranking, {from_first}{_help(first)}."


def _help(source: str) -> str:
    """What makes a source of error small."""
    if source == "topic:system":
        return ", which more topics make smaller, and more shards do not"
    if source == "system:shard":
        return ", which more shards make smaller, and more topics do not"
    return ", which more topics and more shards make smaller"


@sentence("ranking")
def ranking(
    *,
    measure: str | None,
    systems: int | None,
    here: Reached | None,
    target: float,
    needed: Sequence[TopicsFor],
    replicates: int | None,
    confidence: float,
) -> str:
    """How reliable the ranking is, and how many topics the reliability wanted needs."""
    shards = "" if replicates is None else f" on {counted(replicates, 'shard')}"
    takes = listed([_takes(one, target) for one in needed])
    if here is None:
        return f"{capital(takes)}{shards}."
    by = "" if measure is None else f" by {measure}"
    low, high = here.relative.low, here.relative.high
    return (
        f"The ranking of {systems:,} systems{by} over {counted(here.topics, 'topic')}{shards} has a reliability Eρ² of "
        f"{here.relative.value:.3f} ({percent(confidence)} interval {low:.3f} to {high:.3f}), and Kendall's τ with the "
        f"true ranking is about {here.tau:.2f}; {takes}{shards}."
    )


def _aim(one: TopicsFor, target: float) -> str:
    what = "" if one.kind == "relative" else " (of the means themselves)"
    return f"{SYMBOLS[one.kind]} of {target:g}{what}"


def _takes(one: TopicsFor, target: float) -> str:
    if one.topics is None:
        return f"no number of topics is enough for {_aim(one, target)} ({one.most:.3f} is the most that they reach)"
    return f"{_aim(one, target)} takes {counted(one.topics, 'topic')}{_range(one.interval)}"


def _range(interval: Needed | None) -> str:
    """The interval of a number of topics; no number may be enough."""
    if interval is None:
        return ""
    low, high = (None if end is None else f"{end:,}" for end in interval)
    if low is None:
        return " (perhaps no number is enough)"
    return f" ({low} to {high})" if high is not None else f" (at least {low}; perhaps no number is enough)"
