"""What of a comparison could rest on the unequal depth of runs, or on ties, as sentences."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from irgauge.show.finding import Finding, sentence
from irgauge.show.words import counted, listed, some
from irgauge.studies.compare.study import Compared, MeasureCompared
from irgauge.studies.run_lists import MANY_TIES, SHALLOW


def lists_told(result: Compared) -> Iterator[Finding]:
    """That verdicts are on runs of unequal depth, by measures that read so far down; and that runs have many ties."""
    depths, tied = result.lists.depths, result.lists.tied
    pairs = {compared.measure: _unequal_pairs(compared, depths) for compared in result.each}
    if together := [pair for own in pairs.values() for pair in own]:
        deep, shallow = max(sorted(together), key=lambda pair: depths[pair[0]] - depths[pair[1]])
        yield unequal_depths(
            measures=[measure for measure, own in pairs.items() if own],
            verdicts=len(together),
            deep=(deep, depths[deep]),
            shallow=(shallow, depths[shallow]),
            depth=min(depths[system] for system in result.comparison.systems if system in depths),
        )
    systems = [system for system in result.comparison.systems if tied.get(system, 0.0) > MANY_TIES]
    if systems:  # in the same order by every measure, so that a page says it once
        yield many_ties(shares=dict(sorted(((system, tied[system]) for system in systems), key=_most_first)))


def _most_first(share: tuple[str, float]) -> tuple[float, str]:
    return -share[1], share[0]


def _unequal_pairs(compared: MeasureCompared, depths: Mapping[str, int]) -> set[tuple[str, str]]:
    """A much deeper and a shallower run of which something is said by a measure that reads below the shallower."""
    cutoff = compared.whole.scores.measures[0].cutoff
    pairs = {
        (first, second) if depths[first] > depths[second] else (second, first)
        for comparison in compared.comparisons
        for (first, second), verdict in zip(
            comparison.names, compared.verdicts[comparison.population].verdicts, strict=True
        )
        if verdict != "inconclusive" and first in depths and second in depths
    }
    return {
        (deep, shallow)
        for deep, shallow in pairs
        if depths[shallow] < SHALLOW * depths[deep] and (cutoff is None or cutoff > depths[shallow])
    }


@sentence("unequal-depths", tone="warning", claims=())
def unequal_depths(
    *, measures: Sequence[str], verdicts: int, deep: tuple[str, int], shallow: tuple[str, int], depth: int
) -> str:
    """That runs of unequal depth are compared by measures that read below the shorter one."""
    which = "a verdict is" if verdicts == 1 else f"{verdicts:,} verdicts are"
    return (
        f"By {listed(measures)}, {which} on runs of unequal depth, such as {deep[0]} ({counted(deep[1], 'document')} "
        f"for a topic) and {shallow[0]} ({shallow[1]:,}): the deeper run may gain by its depth alone. Compare all down "
        f"to rank {depth:,}: --depth {depth}."
    )


@sentence("many-ties", tone="note", claims=())
def many_ties(*, shares: Mapping[str, float]) -> str:
    """That the order of many documents, and with it who is ahead, is a matter of the tie rule."""
    runs = some([f"{system} ({100 * share:.0f} %)" for system, share in shares.items()])
    return (
        f"Many documents have tied scores in {runs}: docnos decide their order here, as in trec_eval. By another rule, "
        "such as the rank column, scores may be others, and close systems may change places."
    )
