"""From what is given, runs with their labels or a table, to the scores of instances and how they came about."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from irgauge.choices import known
from irgauge.errors import DesignError
from irgauge.options.fields import refuse
from irgauge.provenance import Provenance
from irgauge.reading import facts as file_facts
from irgauge.reading.collection import Collection
from irgauge.replicates.data import Data
from irgauge.replicates.given import Given, opened
from irgauge.replicates.instances import InstanceScores, labelled
from irgauge.replicates.labels import Label, labelling
from irgauge.replicates.measured import REDRAW, Bench, Measuring
from irgauge.scoring.measures import Measure, parse_measures

InstanceData = InstanceScores | Given


@dataclass(frozen=True, kw_only=True)
class RunLabels:
    """What can be said of runs only: which algorithm each is an instance of, and the fill of undefined scores."""

    manifest: str | os.PathLike[str] | None = None
    pattern: Sequence[str] | str | None = None
    labels: Mapping[str, tuple[str, str | None]] | None = None  # run -> algorithm and instance
    fill: float | str = "zero"

    def of(self, collection: Collection) -> Sequence[Label]:
        """The label of each run."""
        if self.labels is None:
            return labelling(self.manifest, self.pattern or None)(collection)
        if self.manifest is not None or self.pattern is not None:
            raise DesignError("labels were given beside a manifest or a pattern; give one of them")
        if not isinstance(self.labels, Mapping):
            raise DesignError("labels are a mapping from the name of each run to its algorithm and instance")
        if lacking := [system for system in collection.systems if system not in self.labels]:
            raise DesignError(
                f"{len(lacking)} of {len(collection.systems)} runs, such as {lacking[0]}, have no label; add it"
            )
        return [Label(*self.labels[system]) for system in collection.systems]


@dataclass(frozen=True, kw_only=True)
class Instances:
    """Which scores of instances are wanted."""

    measure: str | Measure | None
    usual: str  # the measure of runs, where none is named
    of_runs: RunLabels
    only: Sequence[str] = ()  # algorithms; none for all

    def scored(self, data: InstanceScores | Data) -> tuple[InstanceScores, Provenance]:
        """The scores of the algorithms asked for, and facts of what was measured."""
        if isinstance(data, InstanceScores) or not data.has_runs:
            scores, source = self._of_scores(data)
        else:
            scores, source = self._of_runs(data.runs())
        kept = list(dict.fromkeys(known(name, scores.algorithms, "algorithm") for name in self.only))
        return (scores.only(kept) if kept else scores), source

    def _of_scores(self, data: InstanceScores | Data) -> tuple[InstanceScores, Provenance]:
        """The scores of a table, whose systems are algorithms, and whose replicates are their instances."""
        reason = "runs, and scores were given; leave it out, or give judgments and runs instead"
        refuse(self.of_runs, ("manifest", "pattern", "labels", "fill"), reason)
        measure = None if self.measure is None else str(self.measure)
        scores = (
            data
            if isinstance(data, InstanceScores)
            else InstanceScores.of(data.table("have no instances"), measure=measure)
        )
        if measure is not None and scores.measure not in (None, measure):
            message = f"these are scores of {scores.measure}, and {measure} was asked for"
            raise DesignError(f"{message}; leave the measure out")
        source = Provenance.of(file_facts.source("a table of scores"), file_facts.files(scores.files or None))
        return replace(scores, measure=measure or scores.measure), source

    def _of_runs(self, runs: Bench) -> tuple[InstanceScores, Provenance]:
        if self.of_runs.fill == REDRAW:
            raise DesignError("the fill 'redraw' draws splits again, and there are none here; use another fill")
        labels = self.of_runs.of(runs.collection)
        measured = runs.measured(Measuring(parse_measures([self.measure or self.usual]), fill=self.of_runs.fill))
        notes = tuple(map(str, runs.collection.notes))
        scores = labelled(measured.scores, labels, filled=measured.undefined, notes=notes)
        kept = set(self.only) or set(scores.algorithms)
        named = zip(measured.scores.systems, labels, strict=True)
        missing = measured.missing.only([run for run, label in named if label.algorithm in kept])
        source = measured.provenance.without("systems", "keep_systems", "corpus_size", "documents")
        return scores, source | file_facts.missing(missing)


def opened_instances(data: InstanceData, workers: int | None = None) -> InstanceScores | Data:
    """What a study of instances works on: their scores, or what `opened` makes of all else."""
    return data if isinstance(data, InstanceScores) else opened(data, workers)
