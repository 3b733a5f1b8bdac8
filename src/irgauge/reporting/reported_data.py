"""What a report is of: measures that can be reported, what is compared with, and a table of scores."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from irgauge.errors import DesignError
from irgauge.inference.margins import check_measures_of, margin_of
from irgauge.inference.slices import check_without_shares
from irgauge.options.fields import options_of, refuse
from irgauge.reading.groups import Grouping
from irgauge.reading.options import ReadsCorpus
from irgauge.reading.share_table import share_table
from irgauge.reading.topic_table import topic_table
from irgauge.replicates.data import Data, baseline_of
from irgauge.replicates.given import ScoreTable, claimed_measures
from irgauge.reporting.options import ReportOptions
from irgauge.scoring.measures import Measure, range_of
from irgauge.scoring.scores import Scores
from irgauge.studies.report_part import Reporting, silent
from irgauge.studies.sampled import drawn, sampling

if TYPE_CHECKING:
    from irgauge.reporting.options import ReportOptions

OF_RUNS = (
    "shards",
    "resamples",
    "images",
    "sparse",
    "manifest",
    "pattern",
    "judges",
)  # options that say nothing of a table
ALIKE = ("resamples", "images", "groups", "judges", "calibrate")
ONE_CORPUS = "clusters, weights and shares of topics are those of one corpus"  # why there are no shards
_ALONE = "the table has one score of each system on each topic; replicates say more"


def of_scores(
    given: ScoreTable, options: ReportOptions, groups: Grouping | None = None
) -> tuple[Reporting, dict[str, str]]:
    """What a report on a table is of, and why some measures are left out."""
    settled = given.scores.under(options.missing)
    if options.topics_table is not None and options.variants is None:  # else it is known of wordings already
        settled = settled.with_topics(topic_table(options.topics_table))
    table = replace(given, scores=settled)
    measures, left_out = usable(table.whole(claimed_measures(table, options.measures)))
    kept = table.whole(measures)
    reporting = Reporting(
        data=replace(table, scores=kept),
        measures=measures,
        shards=None,
        unsharded=_ALONE if table.replicate_count == 1 else None,
        alpha=options.alpha,
        seed=options.seed,
        **against(table, kept, options),
        groups=None if groups is None else groups.as_teams(table.systems),
        by=options.slice_columns,
        **sampled(kept, options),
        calibrate=options.calibrate,
        telling=options.telling or silent,
    )
    return reporting, left_out


def sampled(whole: Scores, options: ReportOptions) -> dict[str, Any]:
    """How topics came together, and what claims about them are for; refused here, not in each section of the page."""
    for column in options.slice_columns:
        whole.about.column(column)
    own = sampling(whole, options)
    if options.slice_columns:
        check_without_shares(own)
    if own is not None and len(whole.replicates) > 1:
        raise DesignError("clusters, weights and shares are of topics on one corpus; leave the replicates out")
    if own is not None or whole.wordings is not None:
        reason = "topics that are drawn one by one and count alike, and here they do not; leave it out"
        refuse(options, ALIKE if options.shards is None else (*ALIKE, "shards"), reason)
    shares = None if options.shares is None else share_table(options.shares)
    given = {
        "cluster": options.cluster,
        "weights": options.weights,
        "shares": None if shares is None else {shares.column: shares.shares},
    }
    columns = {name: value for name, value in given.items() if value is not None}
    return {"sampling": columns, "drawn": drawn("topics", own, whole.wordings)}


def check_no_runs(options: ReportOptions) -> None:
    """Refuse what is said of runs."""
    of_reading = (option.name for option in options_of(ReadsCorpus) if option.name != "missing")
    reason = "runs, and a table of scores was given; leave it out, or give the runs"
    refuse(options, (*of_reading, *OF_RUNS), reason)


def against(data: Data, whole: Scores, options: ReportOptions) -> dict[str, Any]:
    """The baseline by the name that it has among the systems, and the margin, if it is possible by every measure."""
    baseline = None if options.baseline is None else baseline_of(data, options.baseline)
    check_measures_of(options.margin, map(str, whole.measures))
    for number, measure in enumerate(whole.measures if options.margin is not None else ()):
        margin = margin_of(options.margin, str(measure))
        values = whole.values[number]  # topic, system, replicate
        if margin is not None:
            mean = None if baseline is None else _mean(values[:, whole.systems.index(baseline)])
            margin.of(mean, range_of(measure, np.nan_to_num(values)))
    return {"baseline": baseline, "margin": options.margin}


def _mean(values: np.ndarray[Any, np.dtype[np.float64]]) -> float:
    """Undefined scores count as 0, as they do in comparisons."""
    return float(np.nan_to_num(values).mean())


_UNDEFINED = "it is defined on no topic: none has a document that it takes as relevant"


def usable(scores: Scores) -> tuple[tuple[Measure, ...], dict[str, str]]:
    """The measures that are defined on some topic, and why the others are left out.

    A measure by which no system can be better is refused, as by every comparison of the page.
    """
    for measure in scores.measures:
        _ = measure.claimed_direction
    undefined = [bool(np.isnan(values).all()) for values in scores.values]
    left_out = {str(measure): _UNDEFINED for measure, is_so in zip(scores.measures, undefined, strict=True) if is_so}
    if all(undefined):
        raise DesignError(f"{', '.join(left_out)} cannot be reported: {_UNDEFINED}")
    kept = tuple(measure for measure, is_so in zip(scores.measures, undefined, strict=True) if not is_so)
    return kept, left_out
