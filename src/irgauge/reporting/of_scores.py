"""A report on a table of scores: what is asked of it, and what cannot be."""

from __future__ import annotations

from irgauge.options import options_of, refuse
from irgauge.reading.groups import Grouping
from irgauge.reading.options import ReadsCorpus
from irgauge.replicates.given import several_measures
from irgauge.replicates.score_table import ScoreTable
from irgauge.reporting.against import against
from irgauge.reporting.options import Asked
from irgauge.reporting.usable import usable
from irgauge.scoring.scores import Scores
from irgauge.studies.report_part import Reporting, silent

_OF_RUNS = ("shards", "resamples", "images", "sparse", "manifest", "pattern")  # options that say nothing of a table
_ALONE = "the table has one score of each system on each topic; replicates say more"


def of_scores(given: Scores, asked: Asked, groups: Grouping | None = None) -> tuple[Reporting, dict[str, str]]:
    """What a report on a table is of, and why some measures are left out."""
    _check_options(asked)
    table = ScoreTable(given.under(asked.missing))
    measures, left_out = usable(table.whole(several_measures(table, asked.measures)))
    kept = table.whole(measures)
    reporting = Reporting(
        data=ScoreTable(kept),
        measures=measures,
        shards=None,
        unsharded=_ALONE if table.replicate_count == 1 else None,
        alpha=asked.alpha,
        seed=asked.seed,
        **against(table, kept, asked),
        groups=None if groups is None else groups.as_teams(table.systems),
        calibrate=asked.calibrate,
        telling=asked.telling or silent,
    )
    return reporting, left_out


def _check_options(asked: Asked) -> None:
    """Refuse what is said of runs."""
    of_reading = (option.name for option in options_of(ReadsCorpus) if option.name != "missing")
    reason = "runs, and a table of scores was given; leave it out, or give the runs"
    refuse(asked, (*of_reading, *_OF_RUNS), reason)
