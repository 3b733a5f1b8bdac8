"""A report on a table of scores: what is asked of it, and what cannot be."""

from __future__ import annotations

from irgauge.options.fields import options_of, refuse
from irgauge.reading.groups import Grouping
from irgauge.reading.options import ReadsCorpus
from irgauge.replicates.given import ScoreTable, several_measures
from irgauge.reporting.against import against
from irgauge.reporting.options import ReportOptions
from irgauge.reporting.usable import usable
from irgauge.scoring.scores import Scores
from irgauge.studies.report_part import Reporting, silent

_OF_RUNS = ("shards", "resamples", "images", "sparse", "manifest", "pattern")  # options that say nothing of a table
_ALONE = "the table has one score of each system on each topic; replicates say more"


def of_scores(
    scores: Scores, options: ReportOptions, groups: Grouping | None = None
) -> tuple[Reporting, dict[str, str]]:
    """What a report on a table is of, and why some measures are left out."""
    _check_options(options)
    table = ScoreTable(scores.under(options.missing))
    measures, left_out = usable(table.whole(several_measures(table, options.measures)))
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
        calibrate=options.calibrate,
        telling=options.telling or silent,
    )
    return reporting, left_out


def _check_options(options: ReportOptions) -> None:
    """Refuse what is said of runs."""
    of_reading = (option.name for option in options_of(ReadsCorpus) if option.name != "missing")
    reason = "runs, and a table of scores was given; leave it out, or give the runs"
    refuse(options, (*of_reading, *_OF_RUNS), reason)
