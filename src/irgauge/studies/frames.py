"""The contract of frames: the rows that each study gives, with what their columns hold and mean, and its version.

`frame(name)`, CSV, Parquet and the rows in JSON have these columns, in this order and whatever was asked for: null
where there is nothing, or no finite number.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from irgauge.studies.frame_columns import FrameColumn, Holds, column_of

if TYPE_CHECKING:
    import polars as pl

VERSION = 1  # `schema` of JSON too: raised where a column goes, or changes its name or meaning, not by new ones

# fmt: off
PAIRS = (
    "measure", "system", "against", "n", "difference", "low", "high", "p", "p_adjusted", "verdict", "margin", "test",
    "correction", "population", "alpha", "direction",
)  # first in rows of pairs, in all studies
SYSTEMS = (
    "measure", "system", "mean", "low", "high", "n", "population", "alpha", "direction",
)  # first in rows of systems
# fmt: on


@dataclass(frozen=True)
class Rows:
    """The rows of a frame: what one is of, and its columns."""

    of: str
    columns: tuple[FrameColumn, ...]

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the columns."""
        return tuple(column.name for column in self.columns)

    def cells(self, rows: Iterable[Mapping[str, Any]]) -> dict[str, list[Any]]:
        """The cells of each column, as it holds them; null where a row has nothing, or no finite number."""
        held = list(rows)
        return {column.name: [_HOLDS[column.holds](row.get(column.name)) for row in held] for column in self.columns}

    def frame(self, rows: Iterable[Mapping[str, Any]]) -> pl.DataFrame:
        """The rows as a data frame."""
        import polars as pl

        kinds = {"text": pl.String, "number": pl.Float64, "count": pl.Int64, "yes or no": pl.Boolean}
        cells = self.cells(rows)  # as series, which no threads of polars make: a forked process has none
        return pl.DataFrame(
            [pl.Series(column.name, cells[column.name], kinds[column.holds]) for column in self.columns]
        )


def _text(cell: object) -> str | None:
    return None if cell is None else str(cell)


def _number(cell: Any) -> float | None:  # noqa: ANN401  # what a row has
    return None if cell is None or not math.isfinite(cell) else float(cell)


def _count(cell: Any) -> int | None:  # noqa: ANN401  # what a row has
    return None if cell is None else int(cell)


def _flag(cell: Any) -> bool | None:  # noqa: ANN401  # what a row has
    return None if cell is None else bool(cell)


_HOLDS: Mapping[Holds, Any] = {"text": _text, "number": _number, "count": _count, "yes or no": _flag}


def _rows(study: str, name: str, of: str, columns: str, head: tuple[str, ...] = ()) -> Rows:
    names = (*head, *columns.split())
    return Rows(of, tuple(column_of(each, study, name) for each in names))


def _pairs(study: str, columns: str, of: str = "a pair by a measure, under a population", name: str = "pairs") -> Rows:
    return _rows(study, name, of, columns, PAIRS)


def _systems(study: str, columns: str, of: str = "a system by a measure", name: str = "systems") -> Rows:
    return _rows(study, name, of, columns, SYSTEMS)


_TESTED = "statistic effect significant margin_low margin_high detectable"
_RATIOS = "ratio ratio_low ratio_high"
_HISTORY = "measure stretch entry time commit system against n difference low high population alpha direction"
_TOPICS = "measure system against topic score other difference missing query"
FRAMES: Mapping[str, Mapping[str, Rows]] = {  # study -> name -> rows; the first is what `frame()` gives
    "check": {
        "runs": _rows(
            "check",
            "runs",
            "a run",
            "system topics missing depth shallowest judged_10 judged_100 tied all_tied contradicting",
        ),
        "table": _rows("check", "table", "what a table of scores was read as", "part count source examples otherwise"),
    },
    "score": {
        "systems": _systems("score", "se"),
        "slices": _systems("score", "se column slice", "a system by a measure on a kind of topics", "slices"),
        "topics": _rows("score", "topics", "a score", "measure topic system replicate score"),
    },
    "compare": {
        "pairs": _pairs("compare", f"{_TESTED} {_RATIOS} wins ties losses effective_topics"),
        "systems": _systems(
            "compare",
            "rank whole_mean is_top letters tukey_low tukey_high sem_low sem_high anova_low anova_high",
            "a system by a measure, under a population",
        ),
        "topics": _rows("compare", "topics", "a pair on a topic: with the baseline, or of the best system", _TOPICS),
        "slices": _pairs(
            "compare", f"{_TESTED} {_RATIOS} column slice", "a pair by a measure on a kind of topics", "slices"
        ),
        "populations": _rows(
            "compare",
            "populations",
            "a measure and a population",
            "measure population test significant not_significant top_group error_ms df",
        ),
    },
    "suite": {
        "pairs": _pairs("suite", f"{_TESTED} wins ties losses tau2 i2 expected_low expected_high"),
        "systems": _systems("suite", "rank rank_low rank_high is_top", "a system under a population"),
        "collection-pairs": _pairs("suite", f"{_TESTED} collection", "a pair on a collection", "collection-pairs"),
        "collection-systems": _systems(
            "suite", "collection rank_low rank_high is_top", "a system on a collection", "collection-systems"
        ),
        "slices": _pairs("suite", f"{_TESTED} column slice", "a pair on a kind of topics over collections", "slices"),
    },
    "gate": {
        "pairs": _pairs(
            "gate",
            f"{_RATIOS} baseline_mean candidate_mean margin_low margin_high outcome wins ties losses",
            "the candidate against the baseline by a measure",
        ),
        "slices": _pairs(
            "gate", f"{_TESTED} {_RATIOS} column slice", "the two by a measure on a kind of topics", "slices"
        ),
        "topics": _rows("gate", "topics", "a topic by a measure", _TOPICS),
    },
    "history": {
        "entries": _rows("history", "entries", "an entry on the line of a measure", f"{_HISTORY}"),
        "changes": _rows(
            "history",
            "changes",
            "a change of a line",
            f"{_HISTORY} verdict first_entry first_time last_entry last_time",
        ),
        "changed-topics": _rows(
            "history",
            "changed-topics",
            "a topic at a change of a line",
            "measure stretch entry time commit system against topic difference direction",
        ),
    },
    "teams": {"teams": _systems("teams", "team place rank differs runs median", "a team: its best run", "teams")},
    "topics": {
        "topics": _rows("topics", "topics", "a topic", "measure topic mean sd discrimination best best_score relevant"),
    },
    "judges": {
        "judges": _rows(
            "judges",
            "judges",
            "a judge",
            "measure judge n claims kept lost reversed added same_best best people_best same_best_share tau tau_low "
            "tau_high tau_ap tau_ap_low tau_ap_high both only_people only_judge",
        ),
        "pairs": _pairs(
            "judges", f"{_TESTED} judge people_verdict people_difference outcome", "a pair by the judgments of a judge"
        ),
        "systems": _systems(
            "judges",
            "judge people_mean rank people_rank change change_low change_high",
            "a system by the judgments of a judge",
        ),
        "corrected": _pairs(
            "judges",
            "judge judged_topics people_difference people_low people_high weight worth",
            "a pair by people's topics and a judge's others together",
            "corrected",
        ),
        "components": _rows("judges", "components", "a term of scores by several judges", "component variance share"),
        "favour": _rows(
            "judges",
            "favour",
            "a system, or a group of them, by the judgments of a judge",
            "measure judge system group n difference low high p p_adjusted alpha significant",
        ),
        "agreement": _rows(
            "judges",
            "agreement",
            "a number of the agreement of two judges",
            "judge against n pairs statistic value low high",
        ),
        "confusion": _rows(
            "judges", "confusion", "two grades of two judges", "judge against n pairs grade other_grade count"
        ),
        "topics": _rows(
            "judges",
            "topics",
            "two judges on a topic",
            "judge against topic pairs same kappa kappa_linear kappa_quadratic alpha_nominal alpha_ordinal leniency",
        ),
    },
    "agreement": {
        "measures": _rows("agreement", "measures", "two measures", "measure against tau tau_ap rmse"),
        "systems": _rows("agreement", "systems", "a system by a measure", "measure system mean rank"),
    },
    "sensitivity": {
        "measures": _rows(
            "sensitivity", "measures", "a measure by a test", "measure method n pairs found power needed"
        ),
        "curves": _rows(
            "sensitivity", "curves", "two systems by a measure", "measure method system against difference p"
        ),
    },
    "thinning": {
        "pools": _rows(
            "thinning",
            "pools",
            "a measure with some judgments",
            "measure pool judged relevant mean tau tau_low tau_high tau_ap rmse power",
        ),
        "measures": _rows("thinning", "measures", "two measures with some judgments", "measure against pool tau"),
    },
    "anova": {
        "anova": _rows("anova", "anova", "a term of the model", "source ss df ms against f p omega2 size"),
        "populations": _rows(
            "anova",
            "populations",
            "the test of systems for a population",
            "population scores against df df_error f p epsilon",
        ),
    },
    "effects": {
        "effects": _rows(
            "effects",
            "effects",
            "a term, by a measure on a split",
            "shards measure cutoff topics source omega2 size against p significant p_residual",
        ),
    },
    "robustness": {
        "outcomes": _rows(
            "robustness",
            "outcomes",
            "a number of shards and a method, means over splits",
            "measure shards method omega2 significant significant_low significant_high not_significant top_group width "
            "width_low width_high tau tau_low tau_high common undefined",
        ),
    },
    "partition": {
        "pairs": _pairs("partition", "ahead minority", "a pair by a measure, by all splits together"),
        "systems": _systems("partition", "rank effect plain_low plain_high adjusted_low adjusted_high is_top"),
        "by-split": _rows(
            "partition", "by-split", "a pair in a split", "measure system against split p p_adjusted decision"
        ),
        "by-test": _rows(
            "partition",
            "by-test",
            "a pair by a test, side by side with the splits",
            "measure system against test correction population p_adjusted decision",
        ),
    },
    "bootstrap": {
        "systems": _systems("bootstrap", "error image_mean sd bias bias_in_sds is_biased rank rank_low rank_high"),
        "swaps": _rows("bootstrap", "swaps", "two neighbours in the ranking", "measure upper lower share"),
        "topics": _rows(
            "bootstrap", "topics", "a system on a topic", "measure topic system root image_mean sd q25 median q75 sd_95"
        ),
        "held_out": _rows(
            "bootstrap", "held_out", "a measure in images held out", "measure images below inside above alpha"
        ),
    },
    "pools": {
        "pairs": _pairs(
            "pools",
            "pool judged median_difference difference_low difference_high median_p p_low p_high significant lower "
            "chance confidence",
            "a pair by a measure with a pool",
        ),
    },
    "holes": {
        "pairs": _pairs("holes", "least most holes is_exact", "a pair by a measure"),
        "systems": _systems("holes", "least most holes"),
        "groups": _rows(
            "holes",
            "groups",
            "a group by a measure, left out of the pool",
            "measure group runs depth judged relevant difference low high ranks pairs changed n population alpha "
            "direction",
        ),
        "likely": _pairs("holes", "likely_low likely_high", "a pair by a measure, with likely grades", "likely"),
        "likely-systems": _rows(
            "holes",
            "likely-systems",
            "a system by a measure, with likely grades",
            "measure system mean likely_low likely_high n alpha direction",
        ),
        "checks": _rows(
            "holes",
            "checks",
            "a way of hiding judgments by a measure",
            "measure way rank documents expected relevant held_systems held_pairs widened_systems widened_pairs",
        ),
        "calibration": _rows(
            "holes", "calibration", "hidden documents with about the same chance", "way documents chance share"
        ),
        "next": _rows("holes", "next", "a document to judge next", "topic docno system rank pairs chance use"),
    },
    "instances": {
        "pairs": _pairs(
            "instances",
            "se df t p_not_worse p_not_better p_equivalent hpd_low hpd_high probability_better probability_within "
            "probability_worse hpd_verdict prior_influence",
            "two algorithms",
        ),
        "slices": _pairs("instances", "column slice", "two algorithms on a kind of topics", "slices"),
        "systems": _systems("instances", "instances se", "an algorithm: its fitted mean"),
        "components": _rows(
            "instances", "components", "a component", "component levels variance sd share share_low share_high"
        ),
        "singles": _rows(
            "instances",
            "singles",
            "two algorithms at a level: tests of one instance against one",
            "system against tests topics alpha significant better worse contradict",
        ),
        "diagnostics": _rows("instances", "diagnostics", "a parameter", "parameter r_hat ess_bulk ess_tail"),
    },
    "calibrate": {
        "errors": _rows(
            "calibrate",
            "errors",
            "a method in a world",
            "population test correction way promise world systems nominal observed error low high trials verdict",
        ),
    },
    "plan": {
        "needed": _rows("plan", "needed", "a design", "measure system against role replicates topics cost"),
        "slices": _rows("plan", "slices", "a kind of topics", "measure system against column slice n topics reaches"),
        "next": _rows("plan", "next", "a topic of the judge", "topic stratum place"),
    },
}
