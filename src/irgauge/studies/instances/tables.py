"""Tables of a comparison of random algorithms."""

from __future__ import annotations

from irgauge.inference.instance_tests import topics_drawn
from irgauge.scoring.direction import HIGHER
from irgauge.show.table import LEAST_P, Column, Table
from irgauge.show.words import lower_told, percent
from irgauge.studies.instances import records
from irgauge.studies.instances.slice_findings import slice_table
from irgauge.studies.instances.study import AlgorithmsCompared

_INFLUENCE = "how many times as wide the HPD interval would be with a prior of instances twice as wide"


def tables(result: AlgorithmsCompared) -> list[Table]:
    """Differences, what they are against the margin, algorithms, components, single instances, diagnostics."""
    all_tables = [
        difference_table(result),
        margin_table(result),
        slice_table(result),
        algorithm_table(result),
        component_table(result),
        single_table(result),
        diagnostic_table(result),
    ]
    return [table for table in all_tables if table.rows]


def _named(result: AlgorithmsCompared) -> list[Column]:
    """The columns of a pair: the one alone where the other is the baseline."""
    return [Column("system", "algorithm"), *([Column("against")] if result.baseline is None else [])]


def _from(result: AlgorithmsCompared) -> str:
    return "" if result.baseline is None else f" from {result.baseline}"


def difference_table(result: AlgorithmsCompared) -> Table:
    """The difference of each pair, tested against 0."""
    inside = percent(1 - result.alpha)
    return Table.of(
        "differences",
        f"Differences in {result.measure}{lower_told(result.scores.direction)}{_from(result)}",
        records.pair_records(result),
        [
            *_named(result),
            Column(
                "difference",
                explained="of the fitted means" + ("" if result.baseline else ", algorithm minus the other"),
            ),
            Column("se", explained="standard error of the difference"),
            Column("df", explained="of t with the same interval", decimals=1, is_minor=True),
            Column("t", is_minor=True),
            Column("p", explained="two-sided, against 0", is_minor=True, below=LEAST_P),
            Column("p_adjusted", "adjusted p", "p, corrected over all tests of the pairs", below=LEAST_P),
            Column("low", "", f"the {inside} interval by t, for each pair alone", "low, high"),
            Column("high"),
            Column("verdict", explained="of the algorithm, by the tests against 0 and against the margin"),
        ],
        is_long=True,
        is_main=True,
    )


def margin_table(result: AlgorithmsCompared) -> Table:
    """The difference of each pair, tested against the margin, and its posterior."""
    margin = f"{result.margin:g}"
    return Table.of(
        "margin",
        f"Differences{_from(result)} against the margin of {margin}{lower_told(result.scores.direction)}",
        records.pair_records(result),
        [
            *_named(result),
            Column("p_not_worse", "p not worse", f"adjusted, against being worse by {margin}", below=LEAST_P),
            Column("p_not_better", "p not better", f"against being better by {margin}", below=LEAST_P),
            Column("p_equivalent", "p equivalent", "the larger of the two", below=LEAST_P),
            *(_posterior_columns(result) if result.hpd is not None else []),
        ],
        is_long=True,
    )


def _posterior_columns(result: AlgorithmsCompared) -> list[Column]:
    margin = f"{result.margin:g}"
    interval = f"the {percent(1 - result.alpha)} interval of highest posterior density"
    below, above = f"P(< −{margin})", f"P(> {margin})"
    worse, better = (below, above) if result.scores.direction == HIGHER else (above, below)
    return [
        Column("hpd_low", "HPD low", interval, "HPD low, high"),
        Column("hpd_high", "HPD high"),
        Column("probability_worse", worse, "posterior probability of such a difference", is_minor=True),
        Column("probability_within", "P(within)", "that it is within the margin", is_minor=True),
        Column("probability_better", better, is_minor=True),
        Column("hpd_verdict", "by HPD", "the verdict by the HPD interval alone"),
        *([Column("prior_influence", "prior", _INFLUENCE, decimals=2)] if result.influence is not None else []),
    ]


def algorithm_table(result: AlgorithmsCompared) -> Table:
    """The algorithms with their fitted means."""
    return Table.of(
        "algorithms",
        f"Algorithms by mean {result.measure}{lower_told(result.scores.direction)}, best first",
        records.algorithm_records(result),
        [
            Column("system", "algorithm"),
            Column("instances"),
            Column("mean", explained="fitted"),
            Column("se", explained="standard error of the mean"),
        ],
    )


def component_table(result: AlgorithmsCompared) -> Table:
    """The components of the variance of one score."""
    inside = percent(1 - result.alpha)
    ends = [
        Column("share_low", "", f"the {inside} interval of highest posterior density", "share low, high"),
        Column("share_high", "share high"),
    ]
    return Table.of(
        "components",
        "Where the noise comes from",
        records.component_records(result),
        [
            Column("component", explained="topic:algorithm is how algorithms differ from topic to topic"),
            Column("levels", explained="of a factor; of the residual, its values"),
            Column("variance", explained=f"of one {result.measure}"),
            Column("sd", explained="its square root"),
            Column("share", explained="of the whole variance"),
            *(ends if result.posterior is not None else []),
        ],
        decimals=6,
    )


def single_table(result: AlgorithmsCompared) -> Table:
    """What paired t-tests of single instances would have said."""
    against = "" if result.baseline is None else f" against {result.baseline}"
    return Table.of(
        "singles",
        f"What single instances would have said{against}",
        records.single_records(result),
        [
            *_named(result),
            Column("tests", explained="of every instance of the one with every one of the other"),
            Column("topics", explained="the fewest that a test has", is_minor=True),
            Column("alpha", "level", decimals=2),
            Column(
                "significant", explained="share of the tests that are significant at the level, for better or worse"
            ),
            Column("better", is_minor=True),
            Column("worse", is_minor=True),
            Column("contradict", explained="chance that two of them, drawn at random, do not say the same"),
        ],
        [
            f"Paired t-tests over topics, without correction; they cover {topics_drawn(result.sampling)}, and the two "
            "instances only."
        ],
        decimals=3,
        group_by="system",
        is_long=True,
    )


def diagnostic_table(result: AlgorithmsCompared) -> Table:
    """Whether the draws of the posterior converged."""
    return Table.of(
        "diagnostics",
        "Convergence diagnostics",
        records.diagnostic_records(result),
        [
            Column("parameter"),
            Column("r_hat", "R-hat", "rank-normalised, of split chains, at most 1.01"),
            Column("ess_bulk", "ESS bulk", "effective sample size, at least 400", decimals=0),
            Column("ess_tail", "ESS tail", "the same of the tails", decimals=0),
        ],
    )
