"""Methods of the page that have no record of their own: intervals, and what claims about each population rest on."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from irgauge.inference import intervals, prediction_powered, sampling, strata, wordings
from irgauge.inference.margins import against_share
from irgauge.inference.mean_bounds import mean_bounds
from irgauge.inference.verdicts import by_margin
from irgauge.models.anova import Fit
from irgauge.models.mixed import squares
from irgauge.models.mixed.diagnostics import hpd_interval
from website.rates import Cell, named


@dataclass(frozen=True)
class Method:
    """What the docstrings of some functions or modules define."""

    title: str
    formulas: tuple[object, ...]  # their docstrings are shown, one after the other
    assumes: str
    is_tried: Callable[[Cell], bool] | None = None  # the cells of calibration that are of it; None: there are none
    references: tuple[str, ...] = ()
    populations: tuple[str, ...] = ()  # of which it makes claims


INTERVALS = (
    Method(
        "Interval of a mean",
        (mean_bounds,),
        "topics are a sample, drawn one by one",
        named("interval of score"),
        ("wilson-1927", "johnson-1978"),
    ),
    Method(
        "Tukey's interval, for comparing systems",
        (intervals.tukey_interval,),
        "the model's errors are normal, and vary alike for all systems; it is not meant as the interval of one mean",
        named("Tukey interval"),
        ("ferro-sanderson-2019",),
    ),
    Method(
        "ANOVA interval, for comparing systems",
        (intervals.anova_interval,),
        "the model's errors are normal, and vary alike for all systems; it is not meant as the interval of one mean "
        "over other topics",
        named("ANOVA interval"),
        ("ferro-sanderson-2019",),
    ),
    Method(
        "SEM interval, for comparing systems",
        (intervals.sem_interval,),
        "all values are independent, which the shards of one topic are not",
        named("SEM interval"),
        ("ferro-sanderson-2019",),
    ),
    Method(
        "Interval of Wilcoxon's test",
        (intervals.hodges_lehmann,),
        "differences lie symmetrically around their centre",
        references=("hodges-lehmann-1963",),
    ),
    Method(
        "Interval of the randomization test",
        (intervals.typical_values,),
        "differences lie symmetrically around their mean",
        references=("hartigan-1969",),
    ),
    Method(
        "Interval of highest posterior density",
        (hpd_interval,),
        "the mixed model and its priors hold, and the draws are of its posterior",
        named("HPD interval"),
        ("jayasinghe-2014",),
    ),
    Method(
        "Verdicts by a margin",
        (by_margin,),
        "the same as the test whose intervals are used; the margin was chosen before the scores were seen",
        lambda cell: ", margin, " in cell["method"],
        ("schuirmann-1987",),
    ),
    Method(
        "Margins in per cent",
        (against_share,),
        "the same as the test whose intervals are used",
        lambda cell: "margin in per cent" in cell["method"],
        ("fieller-1954",),
    ),
)
OF_POPULATIONS = (
    Method(
        "Error terms of a model",
        (Fit.error_term,),
        "errors are normal, and vary alike for all systems",
        references=("ferro-sanderson-2019", "satterthwaite-1946"),
        populations=("topics", "documents", "both", "shards", "topics+shards", "sources"),
    ),
    Method(
        "Clusters, weights and shares of topics",
        (sampling, sampling.Sampling.of),
        "clusters, or topics of a kind, are drawn independently, with chances as the weights say",
        lambda cell: cell["group"] == "sampling" and "wordings" not in cell["method"],
        ("bell-mccaffrey-2002", "satterthwaite-1946"),
        ("clusters", "traffic", "clusters of same collections", "traffic of same collections"),
    ),
    Method(
        "Needs and their wordings",
        (wordings,),
        "needs are a sample, and wordings a sample of those of each need; the test is of means over wordings",
        lambda cell: "means over wordings" in cell["method"],
        populations=("needs", "needs with these wordings"),
    ),
    Method(
        "Other topics of the same collections",
        (strata, strata.stratified_t),
        "topics of each collection are a sample, independent of those of the others",
        named("stratified t"),
        ("welch-1947", "satterthwaite-1946"),
        ("same collections", "clusters of same collections", "traffic of same collections"),
    ),
    Method(
        "Other collections",
        (strata.strata_t, strata.Disagreement),
        "the collections are a random sample of those that the claim is about",
        lambda cell: cell["population"] == "collections",
        ("knapp-hartung-2003", "hedges-olkin-1985", "higgins-thompson-2002"),
        ("collections",),
    ),
    Method(
        "Other topics and other instances",
        (squares,),
        "topics are a sample, and instances a sample of the runs of each algorithm; the parts of the variance are "
        "joined as Banerjee does",
        lambda cell: "instances" in cell["population"],
        ("banerjee-1960",),
    ),
    Method(
        "Judgments by people and by a model",
        (prediction_powered,),
        "the topics that people judged are drawn at random from all",
        named("corrected claims"),
        ("angelopoulos-2023",),
    ),
)
