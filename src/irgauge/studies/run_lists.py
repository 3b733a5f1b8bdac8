"""How deep runs are and how many of their documents are tied, and what of a comparison could rest on either."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from irgauge.show.finding import Finding, sentence
from irgauge.show.words import counted, listed, some

if TYPE_CHECKING:
    from irgauge.reading.collection import Collection
    from irgauge.replicates.data import Data
    from irgauge.studies.compare.study import Compared, MeasureCompared

SHALLOW = 0.5  # of the depth of another run: one that is less deep is much shorter
MANY_TIES = 0.1  # of the documents of a run


@dataclass(frozen=True)
class RunLists:
    """What is known of the lists of runs; nothing of scores in a table."""

    depths: Mapping[str, int] = field(default_factory=dict)  # system -> median length of its lists
    tied: Mapping[str, float] = field(default_factory=dict)  # system -> share of documents that share their score

    @classmethod
    def of(cls, data: Data) -> RunLists:
        """Of the runs that a study works on, unless systems have changed places in them."""
        if not data.has_runs or (bench := data.runs()).is_exchanged:
            return cls()
        return cls(depths_of(bench.collection), bench.collection.tied)


def depths_of(collection: Collection) -> dict[str, int]:
    """System -> the median length of its lists."""
    lengths = dict(zip(collection.systems, collection.lengths.T, strict=True))
    return {system: int(np.median(own[own > 0])) for system, own in lengths.items() if own.any()}


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
            depth=min(depths[system] for system in result.comparison.systems),
        )
    systems = [system for system in result.comparison.systems if tied.get(system, 0.0) > MANY_TIES]
    if systems:
        yield many_ties(shares={system: tied[system] for system in systems})


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
