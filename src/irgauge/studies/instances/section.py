"""The part of a report on random algorithms, each run of which is one instance."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from irgauge.inference.assertions import Assertion
from irgauge.inference.corrections import any_correction
from irgauge.inference.facts import FREEDOMS, VARIANCES
from irgauge.inference.hierarchy import Standing
from irgauge.replicates.instances import InstanceScores
from irgauge.scoring.direction import sign_of
from irgauge.show.finding import Finding, remarks
from irgauge.show.page import Panel, Variant, of_measure, panel
from irgauge.studies.instances import tables
from irgauge.studies.instances.charts import margins, topics, variance
from irgauge.studies.instances.findings import OF_PAIRS, best_over_instances, claims_of, findings
from irgauge.studies.instances.options import InstancesOptions
from irgauge.studies.instances.slice_findings import slice_claims
from irgauge.studies.instances.study import AlgorithmsCompared, instances
from irgauge.studies.report_part import Ran, Reporting, ReportPart, Shown

ALGORITHMS = 10  # that are compared over their instances
_CHARTS = (
    ("instance-margins", "Differences of algorithms", margins, "Intervals of differences against the margin."),
    ("instance-topics", "Scores over instances", topics, "Box plots of two algorithms on topics."),
    ("instance-variance", "Where the noise comes from", variance, "Shares of the variance of one score."),
)
_TABLES = (
    ("instance-differences", "Differences in numbers", tables.difference_table, "Each pair, tested against 0."),
    ("instance-margin-table", "Differences against the margin", tables.margin_table, "Each pair, tested against it."),
    ("instance-algorithms", "Algorithms", tables.algorithm_table, "Fitted means, best first."),
    ("instance-components", "Components of the variance", tables.component_table, "Of one score, by REML."),
    ("instance-singles", "What single instances would have said", tables.single_table, "Tests of one against one."),
    ("instance-diagnostics", "Convergence diagnostics", tables.diagnostic_table, "Of the draws of the posterior."),
)


def run(reporting: Reporting) -> Ran:
    """The best algorithms compared by each measure."""
    return reporting.each_measure(lambda measure: _compared(reporting, measure), "instances", _unless(reporting))


def _unless(reporting: Reporting) -> str | None:
    """Why runs, or replicates, are not compared as instances."""
    if not reporting.data.has_runs:
        reason = "each system has one score on each topic; if systems are random, add replicates: their other instances"
        return None if reporting.has_replicates else reason
    if reporting.labels is None:
        return (
            "each run is taken as a system that always answers alike; if runs are instances of random algorithms, name "
            "the algorithm of each by a manifest, or by a pattern such as {algorithm}.{instance}.run"
        )
    algorithms = {label.algorithm for label in reporting.labels.values()}
    if len(algorithms) == len(reporting.labels):
        return (
            f"each of the {len(reporting.labels)} algorithms named has one instance, and one says nothing of others; "
            "score several, or check the manifest or the pattern"
        )
    return None


def _compared(reporting: Reporting, measure: str) -> AlgorithmsCompared:
    """With a posterior where that can be relied on."""
    scores, _ = InstancesOptions(measure, labels=reporting.labels).wanted.scored(reporting.data)
    standing = _standing(reporting, measure)
    common = {"labels": reporting.labels, "only": _best(scores), "standing": standing, **reporting.of_topics}
    has_posterior = not reporting.claims_only and not reporting.sampling  # which takes topics as drawn one by one
    return instances(reporting.data, measure, posterior=has_posterior, by=reporting.by or None, **common)


def _standing(reporting: Reporting, measure: str) -> Standing:
    """The first measure may have the primary claim; the others share what there is for them."""
    own = reporting.standing("instances")
    is_first = own.has_primary and measure == str(reporting.measures[0])
    others = max(1, len(reporting.measures) - own.has_primary)
    return Standing(has_primary=is_first, share=own.share / others)


def _rank(reporting: Reporting) -> int | None:
    """Who names algorithms asks of them first; nobody says whether the replicates of a table are instances."""
    if _unless(reporting) is not None:
        return None
    return 0 if reporting.data.has_runs else 3


def _best(scores: InstanceScores) -> Sequence[str]:
    """The algorithms that are best in the mean over instances and topics, if there are many; none for all."""
    if len(scores.algorithms) <= ALGORITHMS:
        return ()
    means = np.bincount(scores.algorithm, scores.scores) / np.bincount(scores.algorithm)
    return [scores.algorithms[a] for a in np.argsort(-sign_of(scores.direction) * means, kind="stable")[:ALGORITHMS]]


def headline(result: AlgorithmsCompared) -> Iterator[Finding]:
    """What stands at the top of the page."""
    yield best_over_instances(result, is_first=True)


def _claims(result: AlgorithmsCompared) -> Iterator[Assertion]:
    """On all topics and on kinds of them."""
    yield from claims_of(result)
    yield from slice_claims(result)


def shown(ran: Ran, reporting: Reporting) -> Shown:
    """Sentences, charts and tables; pairs stand in charts and tables only."""
    sentences: list[Finding] = []
    for result in ran.results:
        more = (finding for finding in findings(result) if finding.kind not in (*OF_PAIRS, "best-algorithm"))
        sentences += {finding.text: finding for finding in (*headline(result), *more)}.values()
    which = remarks((*_which(ran.results[0], reporting), *ran.reasons()))
    return (*sentences, *which), _panels(ran.results)


def _reason(ran: Ran) -> str:
    """It is the same for all measures."""
    return " ".join(f"{reason}." for reason in dict.fromkeys(ran.missing.values()))


def _which(result: AlgorithmsCompared, reporting: Reporting) -> Iterator[str]:
    if reporting.data.has_runs:
        yield "Here runs are instances of algorithms; all other sections take each run as a system of its own."
    else:
        yield (
            "Here the replicates of a system are its instances, such as seeds; all other sections take replicates as "
            "shards, which all systems have in common. Only one of the two can be meant."
        )
    if reporting.baseline is not None:
        yield f"The baseline, {reporting.baseline}, is one system: here all pairs of algorithms are compared."
    labels = reporting.labels
    named = {label.algorithm for label in labels.values()} if labels else set(reporting.systems)
    compared = len(result.scores.algorithms)
    if compared < len(named):
        yield f"Compared are the best {compared} of {len(named)} algorithms by their means, measure by measure."


def _panels(results: Sequence[AlgorithmsCompared]) -> Iterator[Panel]:
    for key, title, draw, caption in _CHARTS:
        forms = [Variant(of_measure(result.measure), draw(result)) for result in results]
        yield from panel(key, title, caption, forms)
    for key, title, make, caption in _TABLES:
        made = [
            Variant(of_measure(result.measure), table=make(result), provenance=result.provenance) for result in results
        ]
        yield from panel(key, title, caption, made)


def methods(ran: Ran, reporting: Reporting) -> Iterator[tuple[str, str]]:  # noqa: ARG001  # what every study is asked
    """How it was done, fit for an appendix."""
    if ran.results:
        yield "Instances of random algorithms", _method(ran.results[0])


def _method(result: AlgorithmsCompared) -> str:
    drawn = " Posterior intervals are of highest density, by Gibbs sampling." if result.posterior is not None else ""
    degrees = "" if result.df is None else f" and {FREEDOMS[result.df]}"
    return (
        f"Runs that are instances of one algorithm were modelled as {result.formula}, random effects in brackets "
        f"(Jayasinghe et al. 2014), with {VARIANCES[result.variances]}{degrees}. Pairs of algorithms were tested "
        f"against 0 and, by two one-sided tests, against a margin of {result.margin:g}, with "
        f"{any_correction(result.tests.correction).title}, at α = {result.alpha:g}. Claims cover {result.population}."
        f"{drawn}"
    )


PART = ReportPart(
    key="instances",
    title="Which algorithm is better when each run of it differs?",
    run=run,
    shown=shown,
    methods=methods,
    headline=headline,
    leads=True,  # who names algorithms asks of them first
    rank=_rank,
    with_sampling="follows",
    claims=_claims,
    reason=_reason,
    references=("jayasinghe-2014", "banerjee-1960"),
)
