"""From what is given, runs with their labels or a table, to the scores of instances and how they came about."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from irgauge.choices import known
from irgauge.errors import DesignError
from irgauge.provenance import Provenance
from irgauge.reading.collection import Collection
from irgauge.replicates.given import Given, bench, opened
from irgauge.replicates.instances import InstanceScores, labelled
from irgauge.replicates.labels import Label, labelling
from irgauge.replicates.measured import REDRAW, Bench, Measured, Measuring
from irgauge.scoring.measures import parse_measures
from irgauge.studies.instances.options import MEASURE, Asked

InstanceData = Collection | Bench | InstanceScores | Given
_OF_RUNS = ("manifest", "pattern", "labels", "fill")  # options that say nothing of a table


def scored(data: InstanceData, asked: Asked) -> tuple[InstanceScores, Provenance]:
    """The scores of the algorithms asked for, and facts of what was measured."""
    scores, source = _of_runs(data, asked) if isinstance(data, Collection | Bench) else _of_scores(data, asked)
    kept = list(dict.fromkeys(known(name, scores.algorithms, "algorithm") for name in _only(asked)))
    return (scores.only(kept) if kept else scores), source


def _only(asked: Asked) -> Sequence[str]:
    """The algorithms asked for; none for all."""
    return [asked.only] if isinstance(asked.only, str) else asked.only


def _of_scores(data: InstanceData, asked: Asked) -> tuple[InstanceScores, Provenance]:
    """The scores of a table, whose systems are algorithms, and whose replicates are their instances."""
    for name in _OF_RUNS:
        if getattr(asked, name) != getattr(Asked, name):
            message = f"the option '{name}' is of runs, and scores were given"
            raise DesignError(f"{message}; leave it out, or give judgments and runs instead")
    measure = None if asked.measure is None else str(asked.measure)
    scores = data if isinstance(data, InstanceScores) else _read(data, measure)
    if measure is not None and scores.measure not in (None, measure):
        raise DesignError(f"these are scores of {scores.measure}, and {measure} was asked for; leave the measure out")
    facts = {"source": "a table of scores", "files": scores.files or None}
    return replace(scores, measure=measure or scores.measure), Provenance({}) | facts


def _read(data: InstanceData, measure: str | None) -> InstanceScores:
    if isinstance(data, Measured):
        raise DesignError("these scores were measured already, and have no instances; give the runs, or their scores")
    found = opened(data)  # type: ignore[arg-type]  # neither runs nor scores of instances
    return InstanceScores.of(found, measure=measure)


def _of_runs(data: Collection | Bench, asked: Asked) -> tuple[InstanceScores, Provenance]:
    if asked.fill == REDRAW:
        raise DesignError("the fill 'redraw' draws splits again, and there are none here; use another fill")
    runs = bench(data, asked.workers)
    labels = _labels(runs.collection, asked)
    measured = runs.measured(Measuring(parse_measures([asked.measure or MEASURE]), fill=asked.fill))
    notes = tuple(map(str, runs.collection.notes))
    scores = labelled(measured.scores, labels, filled=measured.undefined, notes=notes)
    kept = set(_only(asked)) or set(scores.algorithms)
    named = zip(measured.scores.systems, labels, strict=True)
    missing = measured.missing.only([run for run, label in named if label.algorithm in kept])
    source = measured.provenance.without("systems", "keep_systems", "corpus_size", "documents")
    return scores, source | {"missing": missing.fact}


def _labels(collection: Collection, asked: Asked) -> Sequence[Label]:
    if asked.labels is None:
        return labelling(asked.manifest, asked.pattern or None)(collection)
    if asked.manifest is not None or asked.pattern is not None:
        raise DesignError("labels were given beside a manifest or a pattern; give one of them")
    if not isinstance(asked.labels, Mapping):
        raise DesignError("labels are a mapping from the name of each run to its algorithm and instance")
    if lacking := [system for system in collection.systems if system not in asked.labels]:
        raise DesignError(
            f"{len(lacking)} of {len(collection.systems)} runs, such as {lacking[0]}, have no label; add it"
        )
    return [Label(*asked.labels[system]) for system in collection.systems]
