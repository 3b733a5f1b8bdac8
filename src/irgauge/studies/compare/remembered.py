"""What a history keeps of a comparison: the scores on the whole corpus, and the verdicts under each population."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from irgauge.archive.entry import KeptRun, KeptVerdict, on_topics, run_fingerprints
from irgauge.archive.store import HistoryFile
from irgauge.inference.comparison import Comparison
from irgauge.replicates.data import Data
from irgauge.studies.compare.options import CompareOptions
from irgauge.studies.remembering import entry_of, origins_of

if TYPE_CHECKING:
    from irgauge.studies.compare.study import Compared, MeasureCompared


def remember(result: Compared, data: Data, options: CompareOptions) -> None:
    """Keep it where that is asked for."""
    if options.history is None:
        return
    collection = data.runs().collection if data.has_runs else None
    systems = result.first.whole.scores.systems
    fingerprints = run_fingerprints(systems, origins_of(collection), lambda: result.first.whole.scores)
    role = {options.baseline: "baseline"}
    runs = [KeptRun(system, system, role.get(system, "system"), fingerprints[system]) for system in systems]
    scores = {
        (compared.measure, system): on_topics(compared.whole.scores.topics, compared.whole.by_topic()[:, place])
        for compared in result.each
        for place, system in enumerate(compared.whole.scores.systems)
    }
    verdicts = (row for compared in result.each for own in compared.comparisons for row in _verdicts(compared, own))
    with HistoryFile(options.history).writing() as history:
        history.add(entry_of("compare", result.provenance, collection, runs, scores, verdicts))


def _verdicts(compared: MeasureCompared, comparison: Comparison) -> Iterator[KeptVerdict]:
    verdicts = compared.verdicts[comparison.population]
    for pair, (first, second) in enumerate(zip(comparison.first, comparison.second, strict=True)):
        yield KeptVerdict(
            measure=compared.measure,
            system=comparison.systems[first],
            against=comparison.systems[second],
            population=comparison.population,
            direction=comparison.direction,
            difference=float(comparison.difference[pair]),
            low=float(comparison.low[pair]),
            high=float(comparison.high[pair]),
            p=float(comparison.p_adjusted[pair]),
            margin=verdicts.margin,
            verdict=verdicts.verdicts[pair],
        )
