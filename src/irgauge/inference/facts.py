"""How something was tested: by which test, over which family, for which population, as facts of a result."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from irgauge.inference.corrections import any_correction
from irgauge.inference.hierarchy import FAMILIES, Order
from irgauge.inference.sampling import Sampling
from irgauge.provenance import Provenance, fact
from irgauge.wording import counted, listed

OTHER: Mapping[str, str] = {  # what a reader chooses by
    "topics": "other topics",
    "documents": "other documents",
    "both": "topics and documents",
    "shards": "other shards",
    "topics+shards": "topics and shards",
    "sources": "same sources",
    "same collections": "topics of these collections",
    "clusters of same collections": "clusters of these collections",
    "traffic of same collections": "queries of these collections",
    "collections": "other collections",
    "traffic": "queries as in the traffic",
    "clusters": "other clusters of topics",
    "needs": "other needs",
    "needs with these wordings": "other needs with these wordings",
}
SHORT: Mapping[str, str] = {
    "topics": "other topics, these documents",
    "documents": "these topics, other documents",
    "both": "other topics, other documents",
    "shards": "these topics, other shards like these",
    "topics+shards": "other topics, other shards like these",
    "sources": "these topics, other documents of these same sources",
    "same collections": "other topics of these collections",
    "clusters of same collections": "other clusters of topics of these collections",
    "traffic of same collections": "queries drawn as in the traffic of these collections",
    "collections": "other collections, of which these are a sample",
    "traffic": "queries drawn as in the traffic, these documents",
    "clusters": "other clusters of topics, these documents",
    "needs": "other needs and other wordings, these documents",
    "needs with these wordings": "other needs with these wordings, these documents",
}


def said(population: str, drawn: str | None = None) -> str:
    """A population by its name and in words, of topics as they were drawn; one that has no name, as it is."""
    return f"{population} ({SHORT[drawn or population]})" if population in SHORT else population


FREEDOMS: Mapping[str, str] = {
    "satterthwaite": "Satterthwaite's degrees of freedom",
    "n-f": "n − f degrees of freedom",
}
VARIANCES: Mapping[str, str] = {
    "own": "variances of each algorithm by its mean squares, and intervals by t of each part (Banerjee 1960)",
    "common": "variances common to all algorithms by REML, as in the paper",
}


@fact()
def method(text: str) -> str:
    """How it was done."""
    return text


@fact()
def test(title: str) -> str:
    """By which test."""
    return title


@fact()
def error(against: Mapping[str, str]) -> str:
    """What each term is tested against; what most are is said once.

    >>> error({"topic": "residual", "system": "topic:system", "system:shard": "residual"}).text
    'error: topic:system for system, else residual'
    """
    terms: dict[str, list[str]] = {}
    for term, other in against.items():
        terms.setdefault(other, []).append(term)
    if len(terms) == 1:
        return f"error: {next(iter(terms))}"
    first, *others = sorted(terms, key=lambda other: -len(terms[other]))
    phrases = [f"{other} for {listed(terms[other])}" for other in others]
    return f"error: {', '.join(phrases)}, else {first}"


@fact()
def family(text: str) -> str:
    """What is tested together."""
    return f"family: {text}"


@fact()
def correction(name: str) -> str:
    """For several tests."""
    return any_correction(name).title


@fact()
def sides(count: int) -> str:
    """Of p-values."""
    return "one-sided p" if count == 1 else "two-sided p"


@fact()
def draws(count: int, *, of: str = "") -> str:
    """How often something was drawn for a p-value."""
    return f"{counted(count, 'draw')}{of}"


@fact()
def alpha(level: float) -> str:
    """The level."""
    return f"α = {level:g}"


@fact()
def hierarchy(order: Order, *, drawn: str | None = None) -> str:
    """What α is for, where there are several comparisons; the first is of topics as they were drawn.

    >>> hierarchy(Order("order", ("AP", "nDCG@10"), ("topics", "documents"), 0.05)).text
    'error rate: 5 % for AP for other topics; 5 % for the rest together (nDCG@10, other documents)'
    """
    level = _percent(order.alpha)
    if order.family != "order":
        slices = _slices(order, _percent(order.alpha * order.standing.share))
        return f"error rate: {level} for {FAMILIES[order.family]}{slices}"
    first = f"{order.measures[0]} for {OTHER[drawn or order.populations[0]]}"
    share = _percent(order.alpha * order.standing.share)
    if not order.standing.has_primary:
        behind = f"behind the first claim of the page: {share} for all measures and populations here together"
        return f"{behind}{_slices(order, share)}"
    rest = (*order.measures[1:], *(OTHER[population] for population in order.populations[1:]))
    behind = rest[0] if len(rest) == 1 else f"the rest together ({', '.join(rest)})"
    others = f"; {share} for {behind}" if rest else ""
    return f"error rate: {level} for {first}{others}{_slices(order, share)}"


def _slices(order: Order, share: str) -> str:
    if not order.slices:
        return ""
    return f"; {share} for all kinds of topics by {listed(list(order.slices))} together"


def _percent(share: float) -> str:
    return f"{round(100 * share, 2):g} %"


@fact()
def population(name: str, *, drawn: str | None = None) -> str:
    """What is claimed covers it, of topics as they were drawn.

    >>> population("topics", drawn="clusters").text
    'population: topics (other clusters of topics, these documents)'
    """
    return f"population: {said(name, drawn)}"


def sampling(sampled: Sampling | None) -> Provenance:
    """Clusters, weights and shares of topics, where there are any."""
    if sampled is None:
        return Provenance.of()
    columns = sampled.columns
    return Provenance.of(
        clusters(columns.cluster, count=sampled.clusters),
        weights(columns.weights, effective=sampled.effective_topics),
        shares(columns.shares, effective=sampled.effective_topics),
    )


@fact()
def clusters(column: str, *, count: int) -> str:
    """Topics that belong together."""
    return f"{counted(count, 'cluster')} of topics by {column}: errors are robust to them (CR2, Satterthwaite's df)"


@fact()
def weights(column: str, *, effective: float) -> str:
    """How much topics count."""
    return f"topics weighted by {column}, as much as {effective:.1f} that count alike: for queries as in the traffic"


@fact()
def shares(column: str, *, effective: float) -> str:
    """Kinds of topics whose shares are known."""
    return f"kinds by {column} weighted by their shares, as {effective:.1f} topics that count alike"


@fact()
def model(name: str) -> str:
    """Of scores."""
    return f"model {name}"


@fact()
def formula(text: str) -> str:
    """Of a model with random effects."""
    return f"random effects in brackets: {text}"


@fact()
def variances(name: str) -> str:
    """Whose variances a model has."""
    return VARIANCES[name]


@fact()
def df(name: str) -> str:
    """Degrees of freedom."""
    return FREEDOMS.get(name, name)


@fact()
def margin(amount: float) -> str:
    """The smallest difference that matters."""
    return f"margin {amount:g}"


@fact()
def margins(of_measures: Mapping[str, Mapping[str, Any]]) -> str:
    """The margin of each measure."""
    phrases = [_margin(measure, fields) for measure, fields in of_measures.items()]
    return f"margin {phrases[0]}" if len(phrases) == 1 else f"margins: {listed(phrases)}"


def _margin(measure: str, fields: Mapping[str, Any]) -> str:
    if fields.get("on_logs"):
        return f"{fields['given']} ({measure}: {fields['amount']:.3g} of the logarithms)"
    share = f", {fields['given']} of the baseline's mean, tested as a ratio on each topic" if fields["is_share"] else ""
    return f"{fields['amount']:.3g} ({measure}{share})"
