"""What to know of topics in clusters and with weights: few of them, few that decide, clusters not asked for."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from irgauge.inference.sampling import FEW_CLUSTERS, Sampling
from irgauge.scoring.scores import Wordings
from irgauge.show.finding import Finding, sentence
from irgauge.show.ratios import plain_name
from irgauge.show.verdicts import FOR
from irgauge.show.words import counted, listed
from irgauge.studies.cautions import ENOUGH
from irgauge.studies.sampled import drawn

if TYPE_CHECKING:
    from irgauge.studies.report_part import Reporting

DECIDING = 5  # topics: where so few have half of the weight, they decide


def sampling_told(sampling: Sampling | None) -> Iterator[Finding]:
    """That clusters are few; what weights mean, and whether few topics decide."""
    if sampling is None:
        return
    columns, topics = sampling.columns, len(sampling.weight)
    if columns.cluster is not None and sampling.effective_clusters < FEW_CLUSTERS:
        yield few_clusters(column=columns.cluster, clusters=sampling.clusters, effective=sampling.effective_clusters)
    by = columns.weights or columns.shares
    if by is not None:
        yield weighted(column=by, topics=topics, effective=sampling.effective_topics)
        if sampling.effective_topics < ENOUGH or sampling.deciding() <= DECIDING:
            yield few_decide(column=by, deciding=sampling.deciding(), effective=sampling.effective_topics)


@sentence("few-clusters", tone="warning")
def few_clusters(*, column: str, clusters: int, effective: float) -> str:
    """That claims rest on few clusters, or on few that are large."""
    unequal = "" if effective > clusters - 0.5 else f" that count as {effective:.1f} of one size"
    return (
        f"There are {clusters} clusters by {column}{unequal}, fewer than {FEW_CLUSTERS}: what is said of others is "
        "rough, and errs more often than α says where differences are skewed."
    )


@sentence("weighted", tone="note")
def weighted(*, column: str, topics: int, effective: float) -> str:
    """What weights mean for what is claimed."""
    return (
        f"Means count topics by {column}: claims are for queries drawn as in the traffic. {counted(topics, 'topic')} "
        f"count as {effective:.1f} that count alike."
    )


@sentence("few-decide", tone="warning")
def few_decide(*, column: str, deciding: int, effective: float) -> str:
    """That a few topics have most of the weight."""
    have = "topic has" if deciding == 1 else "topics have"
    return (
        f"Few topics decide: by {column}, {deciding} {have} half of the weight, and all count as {effective:.1f} that "
        "count alike. Look at these first."
    )


@sentence("ignored-clusters", tone="warning")
def ignored_clusters(
    *, measure: str, column: str, clusters: int, changes: int, first: tuple[str, str, str, str]
) -> str:
    """That verdicts would be others if a column were taken as clusters; first: two systems, both verdicts."""
    system, against, verdict, other = first
    would = "a verdict would be another" if changes == 1 else f"{changes:,} verdicts would be others"
    return (
        f"By {plain_name(measure)}, {would} if the topics of each of {clusters:,} values of {column} belong together: "
        f"{system} against {against} {other} instead of {verdict}. If they do, ask with --cluster {column}."
    )


def unit_of(sampling: Sampling | None) -> str:
    """What is drawn by itself: topics, or their clusters."""
    return "topics" if sampling is None or sampling.columns.cluster is None else "clusters"


def sampling_method(reporting: Reporting) -> str:
    """How the errors of topics that were not drawn one by one, all alike, are estimated, for an appendix."""
    columns = [f"{name} ({column})" for name, column in reporting.sampled_by.items()]
    if not columns:
        return ""
    return (
        f" Means and errors follow the {listed(columns)}: CR2 with Satterthwaite's degrees of freedom (Bell and "
        "McCaffrey 2002; Pustejovsky and Tipton 2018)."
    )


class Basis(NamedTuple):
    """How many topics a claim rests on, how they came together, and what it covers."""

    topics: int
    population: str  # as it was drawn: see `studies.sampled.drawn`
    clusters: int | None = None  # that topics are in, where they are
    look: int | None = None  # which one it is, where there are many

    @classmethod
    def of(cls, topics: int, population: str, sampled: Sampling | None, wordings: Wordings | None = None) -> Basis:
        """Of topics that came together so."""
        clusters = None if sampled is None or sampled.columns.cluster is None else sampled.clusters
        return cls(topics, drawn(population, sampled, wordings), clusters)

    @property
    def text(self) -> str:
        """Such as `60 topics in 20 clusters`."""
        clusters = "" if self.clusters is None else f" in {self.clusters:,} clusters"
        return counted(self.topics, "topic") + clusters + ("" if self.look is None else f", look {self.look:,}")

    @property
    def covers(self) -> str:
        """In words."""
        return FOR.get(self.population, f"for {self.population}")
