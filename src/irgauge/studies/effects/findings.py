"""What effect sizes say, in sentences that can be quoted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from irgauge.show.finding import Finding, sentence
from irgauge.show.style import SIZES
from irgauge.show.words import capital, counted, listed, omega2_text
from irgauge.studies.effects.study import Effect, EffectSizes


class Sized(NamedTuple):
    """The least and the largest ω² of a factor or an interaction, and the sizes that it has."""

    least: float
    most: float
    kinds: Sequence[str]


def findings(result: EffectSizes) -> Iterator[Finding]:
    """Which effect is the largest, then the sizes of all."""
    yield _largest(result).about(population=result.population)
    yield sizes(effects=_sizes(result)).about(population=result.population)


def _sizes(result: EffectSizes) -> dict[str, Sized]:
    values: dict[str, list[float]] = {}
    for effect in result.effects:
        values.setdefault(effect.source, []).append(effect.omega2)
    kinds = result.counts()
    return {source: Sized(min(found), max(found), tuple(kinds[source])) for source, found in values.items()}


def _largest(result: EffectSizes) -> Finding:
    groups: dict[tuple[str, str], list[Effect]] = {}
    for effect in result.effects:
        groups.setdefault((effect.shards, effect.measure), []).append(effect)
    first = Counter(max(group, key=lambda effect: effect.omega2).source for group in groups.values())
    return largest(
        counts=dict(first.most_common()), measures=result.distinct("measure"), shards=result.distinct("shards")
    )


@sentence("largest-effect")
def largest(*, counts: Mapping[str, int], measures: Sequence[str], shards: Sequence[str]) -> str:
    """Which factor or interaction matters most."""
    (first, most), *others = counts.items()
    total = sum(counts.values())
    if total == 1:
        return f"{capital(first)} has the largest effect on {measures[0]}."
    where = f"{counted(len(measures), 'measure')} × {counted(len(shards), 'way')} to split"
    if not others:
        return f"{capital(first)} has the largest effect in all {total} analyses ({where})."
    told = [f"{first} has the largest effect in {most}", *(f"{source} in {count}" for source, count in others)]
    return f"Of {total} analyses ({where}), {listed(told)}."


@sentence("effect-sizes")
def sizes(*, effects: Mapping[str, Sized]) -> str:
    """How large the effects of factors and interactions are, from the least to the most of all analyses."""
    return f"ω² of each effect: {listed([_sized(source, one) for source, one in effects.items()])}."


def _sized(source: str, effect: Sized) -> str:
    least, most = omega2_text(effect.least), omega2_text(effect.most)
    values = least if least == most else f"{least} to {most}"
    return f"{source} {values} ({' or '.join(kind for kind in SIZES if kind in effect.kinds)})"
