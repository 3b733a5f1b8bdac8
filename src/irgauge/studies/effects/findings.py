"""What effect sizes say, in sentences that can be quoted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from irgauge.show.finding import Finding, sentence
from irgauge.show.style import SIZES
from irgauge.show.words import capital, counted, listed, omega2_text
from irgauge.studies.effects.study import Effect, EffectSizes


def findings(result: EffectSizes) -> Iterator[Finding]:
    """Which effect is the largest, then the sizes of each."""
    yield _largest(result).about(population=result.population)
    for source in result.distinct("source"):
        found = [effect for effect in result.effects if effect.source == source]
        values = sorted(effect.omega2 for effect in found)
        told = size(source=source, counts=result.counts()[source], least=values[0], most=values[-1])
        yield told.about(population=result.population)


def _largest(result: EffectSizes) -> Finding:
    groups: dict[tuple[str, str], list[Effect]] = {}
    for effect in result.effects:
        groups.setdefault((effect.shards, effect.measure), []).append(effect)
    first = Counter(max(found, key=lambda effect: effect.omega2).source for found in groups.values())
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


@sentence("effect-size")
def size(*, source: str, counts: Mapping[str, int], least: float, most: float) -> str:
    """How large the effects of a factor or an interaction are."""
    total = sum(counts.values())
    values = omega2_text(least) if total == 1 else f"{omega2_text(least)} to {omega2_text(most)}"
    told = [f"{kind} in {counts[kind]}" for kind in SIZES if kind in counts]
    if len(told) == 1:
        kind = next(iter(counts))
        said = kind if total == 1 else f"{kind} in all {total} analyses"
    else:
        said = f"{listed(told)} of {total} analyses"
    return f"The effect of {source} is {said} (ω² {values})."
