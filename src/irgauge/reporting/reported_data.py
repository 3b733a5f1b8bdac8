"""What a report is of: measures that can be reported, what is compared with, and a table of scores."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from irgauge.errors import DesignError
from irgauge.inference.margins import check_measures_of, margin_of
from irgauge.options.fields import options_of, refuse
from irgauge.reading.groups import Grouping
from irgauge.reading.options import ReadsCorpus
from irgauge.reading.topic_table import topic_table
from irgauge.replicates.data import Data, baseline_of
from irgauge.replicates.given import ScoreTable, claimed_measures
from irgauge.reporting.options import ReportOptions
from irgauge.scoring.measures import Measure, range_of
from irgauge.scoring.scores import Scores
from irgauge.studies.report_part import Reporting, silent

if TYPE_CHECKING:
    from irgauge.reporting.options import ReportOptions

_OF_RUNS = (
    "shards",
    "resamples",
    "images",
    "sparse",
    "manifest",
    "pattern",
    "judges",
)  # options that say nothing of a table
_ALONE = "the table has one score of each system on each topic; replicates say more"


def of_scores(
    scores: Scores, options: ReportOptions, groups: Grouping | None = None
) -> tuple[Reporting, dict[str, str]]:
    """What a report on a table is of, and why some measures are left out."""
    _check_options(options)
    settled = scores.under(options.missing)
    if options.topics_table is not None:
        settled = settled.with_topics(topic_table(options.topics_table))
    table = ScoreTable(settled)
    measures, left_out = usable(table.whole(claimed_measures(table, options.measures)))
    kept = table.whole(measures)
    reporting = Reporting(
        data=ScoreTable(kept),
        measures=measures,
        shards=None,
        unsharded=_ALONE if table.replicate_count == 1 else None,
        alpha=options.alpha,
        seed=options.seed,
        **against(table, kept, options),
        groups=None if groups is None else groups.as_teams(table.systems),
        by=options.slice_columns,
        calibrate=options.calibrate,
        telling=options.telling or silent,
    )
    return reporting, left_out


def _check_options(options: ReportOptions) -> None:
    """Refuse what is said of runs."""
    of_reading = (option.name for option in options_of(ReadsCorpus) if option.name != "missing")
    reason = "runs, and a table of scores was given; leave it out, or give the runs"
    refuse(options, (*of_reading, *_OF_RUNS), reason)


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
    """The measures that are defined on some topic, and why the others are left out."""
    undefined = [bool(np.isnan(values).all()) for values in scores.values]
    left_out = {str(measure): _UNDEFINED for measure, is_so in zip(scores.measures, undefined, strict=True) if is_so}
    if all(undefined):
        raise DesignError(f"{', '.join(left_out)} cannot be reported: {_UNDEFINED}")
    kept = tuple(measure for measure, is_so in zip(scores.measures, undefined, strict=True) if not is_so)
    return kept, left_out
