"""How precise is each measure? Scores in bootstrap images of the corpus, of the topics, or of both."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from statistics import NormalDist
from typing import Literal, NamedTuple, get_args

import numpy as np
from numpy.typing import NDArray
from scipy.stats import rankdata

from irgauge.errors import DesignError, check_alpha
from irgauge.jit import kernel
from irgauge.reading.collection import Collection, Precision, Progress
from irgauge.replicates.images import check_images, draw_images, draw_topics
from irgauge.scoring.drawn import whole
from irgauge.scoring.measures import Measure, parse_measures
from irgauge.scoring.scorer import Scorer, each_topic
from irgauge.scoring.scores import Scores
from irgauge.studies.moments import Moments

Floats = NDArray[np.float64]
Resample = Literal["documents", "topics", "both"]
Undefined = Literal["zero", "skip"]
SWAPS = 0.05  # of images, from which a swap of neighbours is told
_BATCH = 64  # images at a time: the weights of a document are then one cache line
_MOST_BYTES = 1 << 28  # of the scores of a batch
_ROUNDING = 1e-12  # of scores, within which they count as equal


class HeldOut(NamedTuple):
    """Of the differences in the last image, the shares below, in and above the intervals from all other images."""

    below: float
    inside: float
    above: float


class Swap(NamedTuple):
    """Two neighbours in the ranking on the root, and the share of images in which the lower one is ahead."""

    upper: str
    lower: str
    share: float


@dataclass(frozen=True, eq=False)
class Reliability:
    """How scores, differences and ranks vary over images."""

    measures: tuple[str, ...]
    topics: tuple[str, ...]
    systems: tuple[str, ...]
    images: int
    resample: Resample
    undefined: Undefined
    undefined_share: Floats  # measure: of topics and images, those without a score
    seed: int
    alpha: float
    precision: Precision
    corpus_size: int
    documents: int  # of the corpus, those in runs and qrels
    given: int  # systems, of which `systems` were kept
    kept_by: str | None  # the measure by which they were kept; None if all were
    root: Floats  # measure, topic, system: the scores on the root; NaN where undefined and skipped
    means: Floats  # measure, system, image: over topics
    moments: Moments | None  # None where documents are not drawn
    held_out: tuple[HeldOut, ...]  # measure; empty for one system, two images, or where documents are not drawn

    @cached_property
    def root_means(self) -> Floats:
        """The mean over topics on the root: measure, system."""
        return np.asarray(np.nanmean(self.root, axis=1))

    @cached_property
    def image_means(self) -> Floats:
        """The mean over images: measure, system."""
        return self.means.mean(axis=2)

    @cached_property
    def sd(self) -> Floats:
        """The standard deviation over images of each system's mean: measure, system."""
        return self.means.std(axis=2, ddof=1)

    @cached_property
    def interval(self) -> Floats:
        """The percentile interval of each system's mean: bound, measure, system."""
        return np.quantile(self.means, self._tails, axis=2)

    @cached_property
    def root_ranks(self) -> Floats:
        """The rank of each system on the root, ties sharing the mean of theirs: measure, system."""
        return rankdata(-_rounded(self.root_means), axis=1)

    @cached_property
    def ranks(self) -> NDArray[np.float32]:
        """The rank of each system in each image: measure, system, image."""
        return rankdata(-_rounded(self.means), axis=1).astype(np.float32)

    @cached_property
    def rank_interval(self) -> Floats:
        """The percentile interval of each system's rank: bound, measure, system."""
        return np.quantile(self.ranks, self._tails, axis=2)

    @property
    def _tails(self) -> tuple[float, float]:
        return self.alpha / 2, 1 - self.alpha / 2

    def order(self, measure: int) -> NDArray[np.intp]:
        """The systems best first on the root; ties in the order given."""
        return np.argsort(self.root_ranks[measure], kind="stable")

    def swaps(self, measure: int) -> tuple[Swap, ...]:
        """How often neighbours in the ranking swap, down the ranking."""
        order, means = self.order(measure), _rounded(self.means[measure])
        shares = (means[order[1:]] > means[order[:-1]]).mean(axis=1)
        names = [self.systems[s] for s in order]
        return tuple(Swap(*pair) for pair in zip(names[:-1], names[1:], shares.tolist(), strict=True))

    def digits(self, measure: int) -> int:
        """How many decimals of a mean are justified: the unit of the last is not below its standard deviation.

        The standard deviation is the median over systems.
        """
        typical = float(np.median(self.sd[measure]))
        return int(min(max(np.floor(-np.log10(typical)), 0), 4)) if typical > 0 else 4

    def rank_width(self, measure: int) -> float:
        """The mean over systems of the width of their rank intervals, in places."""
        low, high = self.rank_interval[:, measure]
        return float((high - low).mean())

    def topic_sd(self) -> Floats:
        """The standard deviation over images of each system on each topic: measure, topic, system."""
        return self._drawn.sd

    def topic_quartiles(self) -> Floats:
        """The quartiles over images of each system on each topic: quartile, measure, topic, system."""
        return np.stack([self._drawn.quantile(share) for share in (0.25, 0.5, 0.75)])

    def spread_by_topic(self, share: float = 0.95) -> Floats:
        """The percentile over systems of the standard deviation on each topic: measure, topic (Figure 1)."""
        return np.quantile(self.topic_sd(), share, axis=2)

    def system_spread(self) -> tuple[Floats, Floats]:
        """For each system the mean and standard deviation over topics of its deviation: measure, system (Table 4)."""
        return _mean_and_sd(self.topic_sd(), axis=1)

    def difference_spread(self) -> tuple[Floats, Floats]:
        """The mean and standard deviation over pairs and topics of the difference's deviation: measure (Table 3)."""
        spreads = [_mean_and_sd(self._drawn.difference_sd(m).ravel()) for m in range(len(self.measures))]
        means, sds = np.array(spreads, dtype=float).T
        return means, sds

    @property
    def _drawn(self) -> Moments:
        if self.moments is None:
            raise DesignError("the scores of topics vary only where documents are drawn; resample documents or both")
        return self.moments


def _rounded(values: Floats) -> Floats:
    """Means without the last bits, which depend on the order of additions and would break ties."""
    return np.round(values / _ROUNDING) * _ROUNDING


def _mean_and_sd(values: Floats, axis: int | None = None) -> tuple[Floats, Floats]:
    if values.size == 0:
        return np.asarray(np.nan), np.asarray(np.nan)
    ddof = 1 if (values.size if axis is None else values.shape[axis]) > 1 else 0
    return np.asarray(np.nanmean(values, axis=axis)), np.asarray(np.nanstd(values, axis=axis, ddof=ddof))


def bootstrap(
    collection: Collection,
    measures: Iterable[str | Measure],
    *,
    images: int = 1000,
    top: int | None = None,
    top_by: str | Measure | None = None,
    resample: Resample = "documents",
    undefined: Undefined = "zero",
    alpha: float = 0.05,
    seed: int = 0,
    batch: int = _BATCH,
    workers: int | None = None,
    progress: Progress | None = None,
    keep: Callable[[Scores], None] | None = None,
) -> Reliability:
    """Score systems in images of the corpus, in resamples of the topics, or in both together.

    An image is a sample with replacement of all documents, the same for every system and topic; a document drawn
    twice stands twice in the runs and in the recall base. A topic without relevant documents in an image scores
    0 there, or is left out of it with undefined="skip". `top` keeps the best systems by `top_by`, else by the first
    measure. `keep` is given the scores of each batch. Zobel and Rashidi (CIKM 2020).
    """
    parsed = parse_measures(measures)
    _check(collection, parsed, images, top, resample, undefined, alpha)
    chosen, kept_by = _kept(collection, parsed, top, top_by, workers)
    scorer = Scorer(chosen, parsed)
    root = _root(scorer, workers) if undefined == "skip" else np.nan_to_num(_root(scorer, workers))
    gathering = _Gathering(scorer, root, images, resample, undefined, seed, alpha)
    for first, last in _batches(images, min(batch, max(1, _MOST_BYTES // (8 * root.size)))):
        scores = gathering.add(first, last, workers)
        if keep is not None and scores is not None:
            keep(scores)
        if progress is not None:
            progress(last, images)
    return Reliability(
        measures=tuple(map(str, parsed)),
        topics=chosen.topics,
        systems=chosen.systems,
        images=images,
        resample=resample,
        undefined=undefined,
        undefined_share=gathering.undefined / (len(chosen.topics) * images),
        seed=seed,
        alpha=alpha,
        precision=chosen.precision,
        corpus_size=chosen.corpus_size,
        documents=chosen.document_count,
        given=len(collection.systems),
        kept_by=kept_by,
        root=root,
        means=gathering.means,
        moments=gathering.moments,
        held_out=gathering.held_out,
    )


def _check(
    collection: Collection,
    measures: tuple[Measure, ...],
    images: int,
    top: int | None,
    resample: str,
    undefined: str,
    alpha: float,
) -> None:
    systems = len(collection.systems)
    if not measures:
        raise DesignError("no measure was given; name one, such as AP")
    check_images(images)
    if top is not None and not 1 <= top <= systems:
        raise DesignError(f"the best {top} systems cannot be kept: there are {systems}; ask for 1 to {systems}")
    for name, given, allowed in (("resample", resample, Resample), ("undefined", undefined, Undefined)):
        if given not in get_args(allowed):
            raise DesignError(f"{name} '{given}' is unknown; it is {', '.join(get_args(allowed))}")
    check_alpha(alpha)


def _kept(
    collection: Collection,
    measures: tuple[Measure, ...],
    top: int | None,
    top_by: str | Measure | None,
    workers: int | None,
) -> tuple[Collection, str | None]:
    """The best systems on the root, best first, and the measure that says so."""
    if top is None:
        return collection, None
    by = measures[0] if top_by is None else parse_measures([top_by])[0]
    means = np.nan_to_num(_root(Scorer(collection, [by]), workers))[0].mean(axis=0)
    return collection.only(np.argsort(-_rounded(means), kind="stable")[:top].tolist()), str(by)


def _root(scorer: Scorer, workers: int | None) -> Floats:
    """Scores on the whole corpus (measure, topic, system), NaN where a measure takes no document as relevant."""
    values = scorer.score(whole(scorer.collection.document_count), workers=workers)[..., 0]
    for measure, of_measure in zip(scorer.measures, values, strict=True):
        if np.isnan(of_measure).all():
            raise DesignError(f"{measure} is defined on no topic: none has a document that it takes as relevant")
    return values


def _batches(images: int, size: int) -> Iterator[tuple[int, int]]:
    """Bounds of batches; the last image, which is held out, is a batch of its own."""
    for first in range(0, images - 1, size):
        yield first, min(first + size, images - 1)
    yield images - 1, images


class _Gathering:
    """What is kept of the images, added to batch by batch."""

    def __init__(
        self,
        scorer: Scorer,
        root: Floats,
        images: int,
        resample: Resample,
        undefined: Undefined,
        seed: int,
        alpha: float,
    ) -> None:
        self.scorer, self.root, self.images, self.alpha = scorer, root, images, alpha
        self.resample, self.is_skipped, self.seed = resample, undefined == "skip", seed
        self.means = np.empty((len(root), root.shape[2], images))
        self.undefined = np.zeros(len(root), np.int64)  # measure: topics and images without a score
        self.moments = None if resample == "topics" else Moments(root)
        self.held_out: tuple[HeldOut, ...] = ()

    def add(self, first: int, last: int, workers: int | None) -> Scores | None:
        """Draw images `first` to `last` and add them: their scores, where documents are drawn."""
        times = self._times(first, last)
        if self.moments is None:
            values = np.repeat(self.root[..., None], last - first, axis=3)
            self.means[..., first:last] = _checked_means(values, times, first)
            return None
        scores = self._scores(first, last, workers)
        self.undefined += np.isnan(scores.values[:, :, 0]).sum(axis=(1, 2))
        values = scores.values if self.is_skipped else np.nan_to_num(scores.values)
        if last == self.images > 2 and self.root.shape[2] > 1:
            held = values[..., 0]
            self.held_out = tuple(_held_out(self.moments, m, held[m], self.alpha) for m in range(len(held)))
        self._add_moments(self.moments, values, workers)
        self.means[..., first:last] = _checked_means(values, times, first)
        return scores

    def _times(self, first: int, last: int) -> NDArray[np.int64]:
        """How often each topic stands in each image."""
        topics = self.root.shape[1]
        if self.resample == "documents":
            return np.ones((topics, last - first), np.int64)
        return draw_topics(topics, last - first, seed=self.seed, first=first)

    def _scores(self, first: int, last: int, workers: int | None) -> Scores:
        collection = self.scorer.collection
        drawn = draw_images(collection, last - first, seed=self.seed, first=first, workers=workers)
        values = self.scorer.score(drawn, workers=workers)
        return Scores(values, self.scorer.measures, collection.topics, collection.systems, drawn.names)

    def _add_moments(self, moments: Moments, values: Floats, workers: int | None) -> None:
        def add_one(topic: int) -> None:
            for measure in range(len(values)):
                moments.add(measure, topic, values[measure, topic])

        each_topic(values.shape[1], add_one, workers)


def _checked_means(values: Floats, times: NDArray[np.int64], first: int) -> Floats:
    means = _means(values, times)
    empty = np.flatnonzero(np.isnan(means).any(axis=(0, 1)))
    if len(empty):
        message = f"image {first + empty[0] + 1} leaves some measure without a topic that is defined"
        raise DesignError(f"{message}; score undefined topics 0 (--undefined zero)")
    return means


@kernel
def _means(values: Floats, times: NDArray[np.int64]) -> Floats:
    """Means over topics (measure, system, image), topic by topic, so that batches do not matter."""
    measures, topics, systems, images = values.shape
    means = np.zeros((measures, systems, images))
    for measure in range(measures):
        counts = np.zeros(images, np.int64)
        for topic in range(topics):
            for image in range(images):
                if not np.isnan(values[measure, topic, 0, image]):
                    counts[image] += times[topic, image]
                    for system in range(systems):
                        means[measure, system, image] += times[topic, image] * values[measure, topic, system, image]
        means[measure] /= counts
    return means


def _held_out(moments: Moments, measure: int, values: Floats, alpha: float) -> HeldOut:
    """Where the differences of values[topic, system] lie with regard to mean ± z s over the images before."""
    first, second = np.triu_indices(values.shape[1], 1)
    found = values[:, first] - values[:, second]  # topic, pair
    mean, margin = (
        moments.difference_mean(measure),
        NormalDist().inv_cdf(1 - alpha / 2) * moments.difference_sd(measure),
    )
    off = (found - mean)[~np.isnan(found + margin)]
    margin = margin[~np.isnan(found + margin)] + _ROUNDING
    below, above = float((off < -margin).mean()), float((off > margin).mean())
    return HeldOut(below, 1 - below - above, above)
