"""Runs that a report is of, on a bench with their shards; and means over wordings, which are scores without runs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from irgauge.options.fields import refuse
from irgauge.reading.collection import Collection
from irgauge.reading.groups import Grouping
from irgauge.reading.options import Joining, refuse_reading
from irgauge.reading.topic_table import topic_table
from irgauge.replicates.bench import Bench
from irgauge.replicates.data import Data
from irgauge.replicates.given import Given, ScoreTable, judgments_and_runs
from irgauge.replicates.labels import Label, labelling
from irgauge.replicates.measured import Measuring
from irgauge.replicates.needs import means_over_wordings
from irgauge.reporting.options import MEASURES_OF_RUNS, USUAL, ReportOptions
from irgauge.reporting.reported_data import OF_RUNS, ONE_CORPUS, against, sampled, usable
from irgauge.scoring.measures import Measure, parse_measures
from irgauge.studies.check.study import Checked, load_checked
from irgauge.studies.hole_changes import LARGE
from irgauge.studies.report_part import FEWER_IMAGES, USUAL_IMAGES, Missing, Reporting, silent, tried

Files = tuple[Any, Any]  # judgments and runs


def of_runs(data: Data | Files, options: ReportOptions, groups: Grouping | None) -> tuple[Reporting, dict[str, str]]:
    """What a report on runs is of, and why some measures are left out."""
    about = None if options.topics_table is None else topic_table(options.topics_table)
    measures = parse_measures(MEASURES_OF_RUNS if options.measures is None else options.measures)
    bench, checked = _read(data, options, measures)
    bench = bench if about is None else bench.with_topics(about)
    known = None if groups is None else groups.as_teams(bench.systems)
    kept, left_out = usable(bench.whole(measures))
    compared = against(bench, bench.whole(kept), options)  # refused before the long work
    own = sampled(bench.whole(kept), options)
    unsharded = ONE_CORPUS if options.is_sampled else _unsharded(bench, options.shards)
    unsharded = unsharded or _too_sparse(bench, kept, options)
    is_large = int(bench.collection.lengths.sum()) > LARGE
    reporting = Reporting(
        data=bench,
        measures=kept,
        shards=None if unsharded else options.shards,
        unsharded=unsharded,
        sparse=options.sparse,
        resamples=options.resamples,
        images=options.images or (FEWER_IMAGES if is_large else USUAL_IMAGES),
        has_fewer_images=is_large and options.images is None,
        alpha=options.alpha,
        seed=options.seed,
        **compared,
        labels=_labels(bench.collection, options),
        groups=known,
        judges=options.judges or None,
        by=options.slice_columns,
        **own,
        calibrate=options.calibrate,
        checked=checked,
        telling=options.telling or silent,
    )
    return reporting, left_out


def of_needs(data: Given, options: ReportOptions) -> ScoreTable:
    """Means over the wordings of needs, which are scores without runs."""
    reason = "runs, and means over wordings are scores without them; leave it out"
    refuse(options, OF_RUNS if options.shards is not None else [name for name in OF_RUNS if name != "shards"], reason)
    measures = MEASURES_OF_RUNS if options.measures is None else options.measures
    pair, missing = judgments_and_runs(data), options.missing
    if pair is not None:
        data, missing = _read(pair, options, parse_measures(measures))[0], None
    about: dict[str, Any] = {"topics_table": options.topics_table, "columns": options.columns}
    return means_over_wordings(data, str(options.variants), options.workers, measures, missing=missing, **about)


def _read(data: Data | Files, options: ReportOptions, measures: Sequence[Measure]) -> tuple[Bench, Checked | None]:
    """The runs and, where they are read only now, what is to be said of them."""
    if not isinstance(data, tuple):
        refuse_reading(options)
        return data.runs(), None
    qrels, runs = data
    with (options.telling or silent)("reading") as progress:
        collection, checked = load_checked(qrels, runs, Joining.of(options, progress=progress))
    return Bench(collection, measures, workers=options.workers), checked


def _unsharded(bench: Bench, spec: str | None) -> str | None:
    """Why there can be no shards; those that were asked for must be possible."""
    if spec is None:
        return "no shards were asked for; name a way to split, such as even:5"
    split = tried(lambda: bench.sharding(spec)) if spec == USUAL else bench.sharding(spec)
    if isinstance(split, Missing):
        return split.reason
    reason = f"shards '{spec}' are one shard, the whole corpus; ask for two or more"
    return reason if len(split.names) < 2 else None


def _too_sparse(bench: Bench, measures: Sequence[Measure], options: ReportOptions) -> str | None:
    """Why shards would say nothing, if most scores in them are undefined by every measure."""
    wanted = Measuring((), options.shards, seed=options.seed, sparse=options.sparse)
    asked = [replace(wanted, measures=(measure,)) for measure in measures]
    measured = [tried(partial(bench.measured, measuring)) for measuring in asked]
    reasons = [missing.reason for missing in measured if isinstance(missing, Missing)]
    return reasons[0] if len(reasons) == len(measures) else None


def _labels(collection: Collection, options: ReportOptions) -> dict[str, Label] | None:
    """Which runs are instances of one algorithm, if something says so."""
    if options.manifest is None and not options.pattern:
        return None
    labels = labelling(options.manifest, options.pattern or None)(collection)
    return dict(zip(collection.systems, labels, strict=True))
