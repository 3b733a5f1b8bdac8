"""How a report was made: a section of methods fit for a paper's appendix, references, seeds and versions."""

from __future__ import annotations

import platform
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, version

from irgauge.papers.published import papers
from irgauge.present.instance_findings import CORRECTIONS, FREEDOMS
from irgauge.present.pool_findings import DEFINITION
from irgauge.present.precision_findings import percent
from irgauge.present.report_findings import pooled_systems
from irgauge.present.sentences import counted, listed
from irgauge.reading.ordering import TIE_RULE
from irgauge.studies.pools import Pools
from irgauge.studies.reliability import Reliability
from irgauge.studies.report import Divided, Missing, OverInstances, Report
from irgauge.studies.topics_needed import POWER

_PACKAGES = ("irgauge", "numpy", "scipy", "numba", "polars", "altair", "vl-convert-python")
_TUKEY = "J. W. Tukey. Comparing Individual Means in the Analysis of Variance. Biometrics 5(2), 99–114, 1949."
_FREEDOM = (
    "F. E. Satterthwaite. An Approximate Distribution of Estimates of Variance Components. Biometrics Bulletin 2(6), "
    "110–114, 1946."
)


def methods(report: Report) -> tuple[tuple[str, str], ...]:
    """Headings and texts of what was done; what could not be done is left out."""
    return tuple(_methods(report))


def _methods(report: Report) -> Iterator[tuple[str, str]]:
    yield "Data and scores", _scores(report)
    if _is_compared(report):
        yield "Comparison of systems", _comparison(report)
        yield "Topics needed", _needed()
    if not isinstance(report.effects, Missing):
        yield "Effect sizes", _effects()
    if any(not isinstance(one.robustness, Missing) for one in report.measures):
        yield "Robustness", _robustness(report)
    if divided := [one.partitions for one in report.measures if not isinstance(one.partitions, Missing)]:
        yield "Partition method", _partitions(divided)
    if drawn := [found for found in report.reliability.values() if not isinstance(found, Missing)]:
        yield "Precision of measures", _precision(report, drawn)
    if not isinstance(report.pools, Missing):
        yield "Shallow pools", _pools(report, report.pools)
    if compared := [one.instances for one in report.measures if not isinstance(one.instances, Missing)]:
        yield "Instances of random algorithms", _instances(compared)
    yield "Reproduction", _reproduction(report)


def _is_compared(report: Report) -> bool:
    return any(not isinstance(one.significance, Missing) for one in report.measures)


def _scores(report: Report) -> str:
    measures = listed([one.measure for one in report.measures])
    verb = "was" if len(report.systems) == 1 else "were"
    seen = "all" if report.documents == report.corpus_size else f"{report.documents:,}"
    return (
        f"{counted(len(report.systems), 'system')} {verb} scored on {counted(len(report.topics), 'topic')} by "
        f"{measures}. Documents were ordered by {TIE_RULE}, with scores in {report.precision} precision; the rank "
        "column of runs was not used. Topics are those of the judgments that have a relevant document; a topic missing "
        f"from a run scores 0 there. The corpus has {report.corpus_size:,} documents, {seen} of which are in runs or "
        "judgments. Means on the whole corpus have the standard error s/√n over the n topics and the "
        f"interval mean ± t(1 − α/2; n − 1) s/√n, with α = {report.settings.alpha:g}."
    )


def _comparison(report: Report) -> str:
    alpha = f"α = {report.settings.alpha:g}"
    if report.unsharded is not None:
        return (
            "Scores were modelled as score = mean + topic + system + error (MD1). All pairs of systems were compared "
            f"by Tukey's HSD test (Tukey 1949) at {alpha}: two systems differ where their means are further apart than "
            "Q(1 − α; R, df) √(MS/n). The error is the interaction of topics and systems, so that claims cover other "
            "topics on these documents."
        )
    return (
        f"The corpus was split into shards ({report.settings.shards}, seed {report.settings.seed}), and runs and "
        "judgments were restricted to each; nothing was retrieved again. Cells without relevant documents score 0. "
        "Scores were modelled as score = mean + topic + system + shard + topic:system + system:shard + topic:shard + "
        "error (MD6; Ferro and Sanderson 2019), balanced, in closed form. All pairs of systems were compared by "
        f"Tukey's HSD test (Tukey 1949) at {alpha}: two systems differ where their means are further apart than Q(1 − "
        "α; R, df) √(MS/n), and p is adjusted for all pairs.\n\n"
        "The error mean square MS follows from what a claim is to cover. Other documents on these topics: the "
        "residual. Other topics: MS(topic:system). Both: MS(topic:system) + MS(system:shard) − MS(residual), with "
        "Satterthwaite's degrees of freedom (1946), and never less than the larger of the first two. The best system "
        "and those it is not told from are its top group; they need not be equal."
    )


def _needed() -> str:
    return (
        "The topics needed to tell the best system from another one are the fewest T on which Tukey's test finds the "
        f"difference δ between them with a power of {percent(POWER)}: P(t'(df, δ√(T/2v)) > Q(1 − α; R, df)/√2), where "
        "t' is noncentral t, df = (R − 1)(T − 1), and v is MS(topic:system) over the number of shards. Observed "
        "differences and mean squares are taken as the true ones. This overstates the differences of systems that are "
        "best by chance, and so understates the topics."
    )


def _effects() -> str:
    return (
        "The size of an effect is ω² = df(F − 1)/(df(F − 1) + N), with F against the residual of MD6 and N scores; it "
        "is large from 0.14, medium from 0.06 and small from 0.01 (Ferro, Kim and Sanderson 2019). Values below 0 are "
        "to be read as 0."
    )


def _robustness(report: Report) -> str:
    return (
        "Models MD2 to MD6 were fitted to "
        f"{counted(report.settings.resamples, 'independent random split')} of the corpus into each of several numbers "
        "of equal parts (Voorhees, Samarov and Soboroff 2017; Ferro and Sanderson 2019). Reported are means over "
        "splits with 95 % t intervals, the pairs that differ in every split, and Kendall's τ between the order of "
        "systems on a split and on the whole corpus."
    )


def _precision(report: Report, drawn: list[Reliability]) -> str:
    kinds = {"documents": "documents", "topics": "topics", "both": "documents and topics together"}
    what = listed([kinds[found.resample] for found in drawn])
    return (
        f"Each measure was computed in {counted(report.settings.images, 'bootstrap image')} (Zobel and Rashidi 2020), "
        f"drawing in turn {what} with replacement. An image of the corpus has as many documents as the corpus and is "
        "the same for all systems and topics; a document drawn twice stands twice in the runs and among the relevant "
        "documents. A topic without relevant documents in an image scores 0. Intervals are percentile intervals over "
        "images. A decimal of a mean is justified if its unit is not below the standard deviation of the mean over "
        "images, in the median over systems."
    )


def _partitions(divided: list[Divided]) -> str:
    found = divided[0].found
    drawing, gaps = found.drawing, dict.fromkeys(_GAPS[one.found.fill] for one in divided)
    tests = (
        " Beside them stand unpaired and paired t-tests and randomization tests over topics, without correction."
        if divided[0].tests is not None
        else ""
    )
    return (
        f"The documents were split at random into {found.parts} parts, {counted(len(found.splits), 'time')} (Voorhees, "
        f"Samarov and Soboroff 2017). {listed(list(gaps))}. In each split scores were modelled as score = mean + topic "
        f"+ system + topic:system + error, and {drawing.draws:,} bootstrap samples of the residuals were fitted. p of "
        "a pair is the share of samples in which the worse system reaches the effect of the better one, corrected "
        f"over all pairs by Benjamini and Hochberg's procedure. Systems differ where all splits say so (rule "
        f"'{found.rule.name}': {found.rule.explanation}), at α = {found.alpha:g}. Topics are fixed.{tests}"
    )


_GAPS = {
    "resample": "A split was drawn again until every topic had relevant documents in every part",
    "drop": "Topics without relevant documents in some part were left out of that split",
}


def _pools(report: Report, results: tuple[Pools, ...]) -> str:
    result = results[-1]
    depths = listed(list(result.pools[:-1]))
    which = (
        "The two best systems" if len(result.pairs) == 1 else f"All pairs of the best {pooled_systems(result)} systems"
    )
    return (
        f"{which} by {report.measures[0].measure} were compared by two-sided paired t-tests over topics, with the "
        f"judgments of only the documents in the top {depths} of either run, and with all judgments (Zobel and Rashidi "
        f"2020). This was done on the collection as it is and in {counted(result.images, 'bootstrap image')} of the "
        f"corpus, without correction for the number of pairs. Of shallow pools is said: {DEFINITION}."
    )


def _instances(compared: list[OverInstances]) -> str:
    found = compared[0].found
    posterior = "" if found.posterior is None else " Posterior intervals are of highest density, by Gibbs sampling."
    return (
        f"Runs that are instances of one algorithm were modelled as {found.formula}, random effects in brackets, by "
        f"REML (Jayasinghe et al. 2014). Pairs of algorithms were tested against 0 and, by two one-sided tests, "
        f"against a margin of {found.margin:g}, with {FREEDOMS[found.freedom]} and "
        f"{CORRECTIONS[found.tests.correction]}, at α = {found.alpha:g}. Claims cover {found.population}.{posterior}"
    )


def _reproduction(report: Report) -> str:
    versions = ", ".join(f"{name} {number}" for name, number in package_versions().items())
    return (
        f"All draws depend on seed {report.settings.seed} and on their own number, not on the number of threads. "
        f"Software: {versions}."
    )


def package_versions() -> dict[str, str]:
    """The versions of what computes and draws."""
    return {"Python": platform.python_version()} | {name: _version(name) for name in _PACKAGES}


def _version(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return "unknown"


def references(report: Report) -> tuple[str, ...]:
    """The papers that the methods name, by their authors."""
    used = []
    if _is_compared(report):
        used += [_TUKEY]
    if _is_compared(report) and report.unsharded is None:
        used += [papers()["ferro-sanderson-2019"].reference, _FREEDOM]
    if any(not isinstance(found, Missing) for one in report.measures for found in (one.robustness, one.partitions)):
        used += [papers()["voorhees-2017"].reference]
    if not isinstance(report.effects, Missing):
        used += [papers()["ferro-kim-sanderson-2019"].reference]
    if any(not isinstance(found, Missing) for found in (*report.reliability.values(), report.pools)):
        used += [papers()["zobel-rashidi-2020"].reference]
    if any(not isinstance(one.instances, Missing) for one in report.measures):
        used += [papers()["jayasinghe-2014"].reference]
    return tuple(used)
