"""How topics came together: in clusters, with weights, in kinds of known shares; and means and errors that go with it.

The mean is Σ w d, with weights w that sum to 1. Its error is estimated from sums over clusters of what is left of d, by
CR2 and Satterthwaite's degrees of freedom: Bell and McCaffrey, "Bias reduction in standard errors for linear
regression with multi-stage samples" (Survey Methodology 2002); Pustejovsky and Tipton, "Small-sample methods for
cluster-robust variance estimation" (Journal of Business and Economic Statistics 2018). Topics that are drawn one by one
are clusters of one topic each; of these, without weights, the error is s/√T with T − 1 degrees of freedom.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal, NamedTuple

import numpy as np

from irgauge.compute.arrays import Floats, Indices
from irgauge.errors import DesignError
from irgauge.reading.topic_table import TopicTable
from irgauge.wording import counted

FEWEST_CLUSTERS = 4  # with fewer nothing is claimed
FEW_CLUSTERS = 10  # with fewer tests and intervals are rough
_FEWEST_OF_A_KIND = 2  # topics or clusters of a kind whose share is known: its spread is estimated too
_TOGETHER = ("conversation", "session", "dialog", "thread", "user", "customer", "document", "source", "cluster")
_MANY_CLUSTERS = 10  # values of a column of another name, from which on it may be one of clusters
MOST_WEIGHT = 0.9  # of one topic or cluster: with more, no other shows how much it may differ
_ROUNDING = 1e-24  # of a variance, as a part of the squares that it is made from
Shares = Mapping[str, float]  # kind of topics -> how much it counts


class SampledMean(NamedTuple):
    """The mean of each column, its standard error with its degrees of freedom, and the skewness of the mean."""

    mean: Floats
    se: Floats
    df: Floats
    skewness: Floats


@dataclass(frozen=True)
class SamplingColumns:
    """The columns of topics that say how these came together."""

    cluster: str | None = None
    weights: str | None = None
    shares: str | None = None  # kinds whose shares are known


@dataclass(frozen=True, eq=False)
class Sampling:
    """Weights, clusters and kinds of topics; see `sampling_of`."""

    weight: Floats  # topic: all sum to 1, those of a kind to its share
    cluster: Indices  # topic -> its cluster, from 0 on; each within one kind
    kind: Indices  # topic -> its kind, from 0 on; 0 where shares are not asked for
    columns: SamplingColumns = field(default_factory=SamplingColumns)

    def __post_init__(self) -> None:
        """Refuse clusters that are too few to say anything of others."""
        if self.columns.cluster is not None and self.clusters < FEWEST_CLUSTERS:
            raise DesignError(
                f"the column '{self.columns.cluster}' puts {counted(len(self.weight), 'topic')} into "
                f"{counted(self.clusters, 'cluster')}; claims about others need {FEWEST_CLUSTERS} or more"
            )
        if len(self.weight) < _FEWEST_OF_A_KIND:
            raise DesignError("there is 1 topic, so that nothing can be said of others; at least 2 are needed")
        if np.bincount(self.kind_of_cluster).min() < _FEWEST_OF_A_KIND:
            unit = "topic" if self.columns.cluster is None else "cluster"
            raise DesignError(
                f"a kind of '{self.columns.shares}' has fewer than {_FEWEST_OF_A_KIND} {unit}s, so that its "
                "spread is not known; join it with another kind"
            )
        most = float(np.bincount(self.cluster, self._within).max())
        if most > MOST_WEIGHT:
            what = "topic" if self.columns.cluster is None else f"cluster of '{self.columns.cluster}'"
            raise DesignError(
                f"one {what} has {most:.0%} of the weight of {len(self.weight)} topics, so that nothing can be said of "
                f"others; at most {MOST_WEIGHT:.0%} is possible"
            )

    @property
    def clusters(self) -> int:
        """How many there are; without clusters, as many as topics."""
        return int(self.cluster.max()) + 1

    @property
    def effective_clusters(self) -> float:
        """How many clusters of one size would have as many degrees of freedom: one more than these."""
        return round(float((self.freedom + 1).sum()), 6)  # clusters of one size count as many as there are

    @property
    def is_weighted(self) -> bool:
        """Whether topics count unequally."""
        return bool(np.ptp(self.weight) > 0) or self.columns.shares is not None

    @property
    def drawn(self) -> Literal["traffic", "clusters", "topics"]:
        """What claims about other topics are for: queries as in the traffic, clusters, or topics one by one."""
        if (self.columns.weights, self.columns.shares) != (None, None):
            return "traffic"
        return "topics" if self.columns.cluster is None else "clusters"

    @property
    def effective_topics(self) -> float:
        """How many topics that count alike would have as small an error, if all vary alike: 1 / Σ w² (Kish 1965)."""
        return 1 / float(np.square(self.weight).sum())

    def deciding(self, share: float = 0.5) -> int:
        """The fewest topics that have this share of the weight."""
        return int(np.searchsorted(np.cumsum(np.sort(self.weight)[::-1]), share - 1e-12)) + 1

    def refuse_weights(self, test: str) -> None:
        """For a test that takes topics, or clusters, as alike."""
        if self.is_weighted:
            raise DesignError(
                f"{test} takes topics that count alike; of weights and shares take the test skewed-t or t"
            )

    def on(self, topics: Indices) -> Sampling:
        """Of some topics; the kinds that are left keep the relation of their shares."""
        kinds, kind = np.unique(self.kind[topics], return_inverse=True)
        shares = np.bincount(self.kind, self.weight)[kinds]
        weight = self.weight[topics]
        scaled = weight * (shares / np.bincount(kind, weight) / shares.sum())[kind]
        return Sampling(scaled, _codes(self.cluster[topics]), kind, self.columns)

    def means(self, values: Floats) -> Floats:
        """Σ w y of values[topic, ...]."""
        return np.asarray(np.tensordot(self.weight, values, axes=1))

    @cached_property
    def sizes(self) -> Floats:
        """Of clusters: how many topics each has."""
        return np.bincount(self.cluster).astype(np.float64)

    def sums_of_clusters(self, d: Floats) -> Floats:
        """The sums of d[topic, column] over the topics of each cluster; cluster, column."""
        return np.stack([np.bincount(self.cluster, column) for column in d.T], axis=1)

    def of(self, d: Floats) -> SampledMean:
        """The means of d[topic, column] and their errors.

        With what is left e = d − the mean of its kind, z_g = Σ a e over the topics of a cluster, where a are its
        weights as CR2 adjusts them, the variance is V = Σ z². V of a kind has Satterthwaite's degrees of freedom ν, and
        that of several kinds (Σ V)² / Σ (V²/ν) (Welch 1938), or as many as with the V that is expected where all topics
        vary alike, if these are fewer: a kind of two topics with a large share may show no variance by chance.
        """
        z = self.scores(d)  # cluster, column
        square = np.square(z)
        variance = np.stack([np.bincount(self.kind_of_cluster, column) for column in square.T], axis=1)  # kind, column
        total = variance.sum(axis=0)
        vary = np.where(total > 0, total, 1.0)
        part = variance / vary
        df = 1 / np.where(total > 0, (np.square(part) / self.freedom[:, None]).sum(axis=0), 1 / self.freedom.sum())
        df = np.minimum(df, self._freedom_if_alike)
        skewness = np.where(total > 0, (square * z).sum(axis=0) / vary**1.5, 0.0) * self._small_sample
        return SampledMean(self.means(d), np.sqrt(total), df, skewness)

    @cached_property
    def _freedom_if_alike(self) -> float:
        """The degrees of freedom of the whole variance if all topics vary alike."""
        expected = np.bincount(self.kind, np.square(self.weight))
        return float(expected.sum() ** 2 / (np.square(expected) / self.freedom).sum())

    @property
    def _small_sample(self) -> float:
        """The correction of a skewness for its size; two clusters show none."""
        n = self.clusters
        return 0.0 if n < 3 else math.sqrt(n * (n - 1)) / (n - 2)

    def scores(self, d: Floats) -> Floats:
        """z[cluster, column], whose squares sum to the variance; 0 where clusters differ by rounding alone."""
        of_kind = np.stack([np.bincount(self.kind, self._within * column) for column in d.T], axis=1)  # kind, column
        left = self._adjusted[:, None] * (d - of_kind[self.kind])
        z = self.sums_of_clusters(left)
        size = np.square(np.abs(self._adjusted) @ np.abs(d))
        return np.where(np.square(z).sum(axis=0) <= _ROUNDING * size, 0.0, z)

    @cached_property
    def _within(self) -> Floats:
        """The weight of a topic among those of its kind."""
        return self.weight / np.bincount(self.kind, self.weight)[self.kind]

    @cached_property
    def kind_of_cluster(self) -> Indices:
        """cluster -> its kind."""
        kinds = np.zeros(self.clusters, np.intp)
        kinds[self.cluster] = self.kind
        return kinds

    @cached_property
    def _adjusted(self) -> Floats:
        """CR2: the weights w_g of a cluster become B^(−1/2) w_g, where B is the variance of what is left of it.

        With q the weights within its kind, B = I − 1 q' − q 1' + Σq² 1 1' for topics that are independent and vary
        alike: then V is without bias.
        """
        s = np.bincount(self.kind, np.square(self._within))[self.kind]  # topic: Σq² of its kind
        adjusted = self.weight / np.sqrt(1 - 2 * self._within + s)  # of clusters of one topic
        order = np.argsort(self.cluster, kind="stable")
        for topics in np.split(order, np.cumsum(np.bincount(self.cluster))[:-1]):
            if len(topics) > 1:
                adjusted[topics] = _halved(self._within[topics], s[topics[0]], self.weight[topics])
        return adjusted

    @cached_property
    def freedom(self) -> Floats:
        """Satterthwaite's degrees of freedom of the variance of each kind: (tr P)² / tr P², P that of all z."""
        a, q = self._adjusted, self._within
        sums, squares = self.sums_of_clusters(np.stack((a, a * a, a * q), axis=1)), np.bincount(self.kind, q * q)
        return np.array([_freedom(sums[self.kind_of_cluster == kind].T, s) for kind, s in enumerate(squares.tolist())])


def _halved(q: Floats, s: float, w: Floats) -> Floats:
    """B^(−1/2) w: B differs from I within the plane of 1 and q alone, in which w lies."""
    basis = np.linalg.qr(np.stack((np.ones(len(q)), q), axis=1))[0]
    one, own = basis.sum(axis=0), basis.T @ q
    b = np.eye(len(one)) - np.outer(one, own) - np.outer(own, one) + s * np.outer(one, one)
    values, vectors = np.linalg.eigh(b)
    return np.asarray(basis @ (vectors @ ((vectors.T @ (basis.T @ w)) / np.sqrt(values))))


def _freedom(sums: Floats, s: float) -> float:
    """With the sums of a, a² and a q of each cluster, P = diag(a²) − (aq) a' − a (aq)' + s a a'."""
    a, a2, aq = sums
    aa, au, uu = float(a @ a), float(a @ aq), float(aq @ aq)
    diagonal = a2 - 2 * a * aq + s * a * a
    rest = 2 * uu * aa + 2 * au * au + s * s * aa * aa - 4 * s * au * aa  # squares of what is beside diag(a²)
    squares = float(a2 @ a2) + 2 * float(a2 @ (diagonal - a2)) + rest
    return float(diagonal.sum()) ** 2 / squares


def _codes(values: Sequence[str] | Indices) -> Indices:
    return np.unique(np.asarray(values), return_inverse=True)[1].ravel()


def sampling_of(
    about: TopicTable, topics: Sequence[str], columns: SamplingColumns, shares: Shares | None = None
) -> Sampling | None:
    """How topics came together, by columns of what is known of them; None where nothing is asked for.

    >>> about = TopicTable({"user": {str(i): str(i // 2) for i in range(8)}})
    >>> sampling = sampling_of(about, [str(i) for i in range(8)], SamplingColumns(cluster="user"))
    >>> sampling.clusters, sampling.of(np.arange(8.0)[:, None]).df.round(2).tolist()
    (4, [3.0])
    """
    if columns == SamplingColumns():
        return None
    one_by_one = [str(place) for place in range(len(topics))]
    cluster = _codes(one_by_one if columns.cluster is None else _of_all(about, columns.cluster, topics))
    weights = np.ones(len(topics)) if columns.weights is None else _weights(about, columns.weights, topics)
    if columns.shares is None:
        return Sampling(weights / weights.sum(), cluster, np.zeros(len(topics), np.intp), columns)
    kinds = _of_all(about, columns.shares, topics)
    share, kind = _shares(kinds, columns.shares, shares or {}), _codes(kinds)
    _refuse_split_clusters(cluster, kind, columns)
    return Sampling(weights * (share / np.bincount(kind, weights))[kind], cluster, kind, columns)


def together(samplings: Sequence[Sampling], shares: Floats) -> Sampling:
    """Of the topics of several samples, which are drawn by themselves and have these shares, with a sum of 1."""
    clusters = np.cumsum([0, *(own.clusters for own in samplings)])
    kinds = np.cumsum([0, *(int(own.kind.max()) + 1 for own in samplings)])
    return Sampling(
        np.concatenate([share * own.weight for own, share in zip(samplings, shares, strict=True)]),
        np.concatenate([own.cluster + first for own, first in zip(samplings, clusters, strict=False)]),
        np.concatenate([own.kind + first for own, first in zip(samplings, kinds, strict=False)]),
        samplings[0].columns,
    )


def _of_all(about: TopicTable, column: str, topics: Sequence[str]) -> list[str]:
    """The value of each topic; one without a value is refused."""
    values = about.column(column)
    without = [topic for topic in topics if topic not in values]
    if without:
        raise DesignError(
            f"{len(without)} of {len(topics)} topics have no value in the column '{column}' ({without[0]}, ...); give "
            "each of them one"
        )
    return [values[topic] for topic in topics]


def _weights(about: TopicTable, column: str, topics: Sequence[str]) -> Floats:
    _of_all(about, column, topics)
    numbers = about.numbers(column)
    weights = np.array([numbers[topic] for topic in topics])
    for topic, weight in zip(topics, weights.tolist(), strict=True):
        if not 0 < weight < math.inf:
            raise DesignError(f"the weight {weight:g} of topic {topic} in '{column}' is not possible; it is above 0")
    return weights


def _shares(kinds: Sequence[str], column: str, shares: Shares) -> Floats:
    """The share of each kind, in the order of their codes; all sum to 1."""
    there = sorted(set(kinds))
    for names, others, what in ((there, shares, "has no share"), (shares, set(there), "has a share and no topic")):
        missing = [name for name in names if name not in others]
        if missing:
            raise DesignError(f"the kind '{missing[0]}' of '{column}' {what}; every kind needs both")
    values = np.array([shares[name] for name in there], float)
    if not ((values > 0) & np.isfinite(values)).all():
        raise DesignError(
            f"the shares of '{column}' are {', '.join(f'{value:g}' for value in values)}; each is above 0"
        )
    return values / values.sum()


def _refuse_split_clusters(cluster: Indices, kind: Indices, columns: SamplingColumns) -> None:
    if len(np.unique(np.stack((cluster, kind)), axis=1).T) > int(cluster.max()) + 1:
        raise DesignError(
            f"some clusters of '{columns.cluster}' have topics of several kinds of '{columns.shares}', whose shares "
            "need kinds that are independent; leave one of the two out"
        )


def cluster_columns(about: TopicTable, topics: Sequence[str]) -> tuple[str, ...]:
    """The columns that look as if topics with one value belonged together: enough values, most with several topics.

    >>> topics = [str(i) for i in range(8)]
    >>> about = TopicTable({"session_id": {t: str(int(t) // 2) for t in topics}, "type": dict.fromkeys(topics, "x")})
    >>> cluster_columns(about, topics)
    ('session_id',)
    """
    found = []
    for name, values in about.columns.items():
        is_named = any(word in name.lower() for word in _TOGETHER)
        there = [values[topic] for topic in topics if topic in values]
        fewest = FEWEST_CLUSTERS if is_named else _MANY_CLUSTERS
        if len(there) == len(topics) and fewest <= len(set(there)) <= len(topics) / 2:
            found.append(name)
    return tuple(found)
