"""How precise is each measure? Scores in bootstrap images of the corpus, of the topics, or of both."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from irgauge.choices import known
from irgauge.compute.arrays import Bools, Floats, Indices
from irgauge.compute.tasks import are_elsewhere
from irgauge.errors import DesignError
from irgauge.inference import facts
from irgauge.options.verbs import verb
from irgauge.provenance import Fact, Provenance, fact
from irgauge.reading.facts import missing
from irgauge.reading.missing import MissingTopics
from irgauge.replicates import facts as data_facts
from irgauge.replicates.given import Given, bench, only_higher
from irgauge.replicates.images import check_images
from irgauge.replicates.undefined import SparseScores
from irgauge.scoring.measures import Measure, parse_measures
from irgauge.scoring.scorer import Scorer
from irgauge.studies.bootstrap.gathering import Gathering
from irgauge.studies.bootstrap.held_out import HeldOut, held_out
from irgauge.studies.bootstrap.leaving import PARTS, SPLITS, Leaving
from irgauge.studies.bootstrap.moments import Moments
from irgauge.studies.bootstrap.options import METHODS, NOT_DRAWN, BootstrapOptions, Draw, Undefined
from irgauge.studies.bootstrap.precision import (
    MeasurePrecision,
    Swap,
    are_biased,
    bias_on_topics,
    deviation_skewness,
    in_sds,
    justified_digits,
    mean_and_sd,
    mean_interval,
    precision,
    ranks,
    rounded,
    too_rough,
    topic_variance,
    variance_of_both,
)
from irgauge.studies.bootstrap.records import ROWS, content
from irgauge.studies.bootstrap.root import Kept, kept_systems, root_scores
from irgauge.studies.result import Result


@fact()
def left_out(count: Mapping[str, int]) -> str:
    """How standard errors are found."""
    parts = f"each of {count['parts']} random parts of the documents"
    return f"standard errors by leaving out {parts}, in {count['splits']} splits"


@dataclass(frozen=True, eq=False, repr=False)
class Bootstrapped(Result):
    """How scores, differences and ranks vary over images; the root is the collection as it is."""

    study: ClassVar[str] = "bootstrap"

    measures: tuple[str, ...]
    topics: tuple[str, ...]
    systems: tuple[str, ...]  # those kept, best first; all, in the order given
    kept: Kept
    root: Floats  # measure, topic, system: the scores on the root; NaN where undefined and skipped
    means: Floats  # measure, system, image: over topics
    moments: Moments | None  # None where documents are not drawn
    leaving: Leaving | None  # of documents, for standard errors; None where documents are not drawn
    undefined_share: Mapping[str, float]  # measure -> of topics and images, those without a score
    draw: Draw
    undefined: Undefined
    images: int
    seed: int
    alpha: float
    topics_of: str | None = None  # the system whose topics are shown
    has_pairs: bool = False  # whether JSON holds every pair on every topic
    missing: MissingTopics = field(default_factory=MissingTopics)  # judged topics that its systems do not answer
    source: Provenance = field(default_factory=Provenance)  # how the collection was read
    held_out: tuple[HeldOut, ...] = ()  # measure: other images as the truth, if asked for

    @property
    def parts(self) -> Mapping[str, MeasurePrecision]:
        """Measure -> how precise it is."""
        return {precise.measure: precise for precise in precision(self)}

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
    def percentiles(self) -> Floats:
        """The percentiles over images of each system's mean, α/2 and 1 − α/2: bound, measure, system.

        They are no interval of the mean, as images are biased: a document drawn twice appears twice in a run.
        """
        return np.quantile(self.means, self._tails, axis=2)

    @cached_property
    def bias(self) -> Floats:
        """How far images of the documents put a mean off its value on the root: measure, system; 0 without them.

        Where topics are drawn too, only chance keeps the mean over images from that of their images.
        """
        if self.moments is None:
            return np.zeros(self.sd.shape)
        alone = self.draw == "documents"
        return self.image_means - self.root_means if alone else np.nanmean(self.moments.mean - self.root, axis=1)

    @cached_property
    def bias_in_sds(self) -> Floats:
        """The bias in standard deviations over images: measure, system."""
        return in_sds(self.bias, self.sd)

    @cached_property
    def bias_on_topics(self) -> Floats:
        """The bias on single topics, in standard deviations: measure; 0 where documents are not drawn."""
        if self.moments is None:
            return np.zeros(len(self.measures))
        return bias_on_topics(self.root, self.moments, self.sd)

    @cached_property
    def is_biased(self) -> Bools:
        """Which means images put off by more than half a standard deviation: measure, system."""
        if self.moments is None:
            return np.zeros(self.sd.shape, bool)
        return are_biased(self.bias_in_sds, self.bias_on_topics)

    @cached_property
    def standard_error(self) -> Floats:
        """The standard error of each system's mean on the root, for what is drawn: measure, system."""
        if self.leaving is None:
            return np.sqrt(topic_variance(self.root))
        left_out = self.leaving.variances
        return np.sqrt(left_out.means if self.draw == "documents" else variance_of_both(self.root, left_out))

    @cached_property
    def interval(self) -> Floats:
        """The interval of each system's mean, around its value on the root: bound, measure, system; NaN for none."""
        left_out = self.leaving.variances if self.leaving is not None and self.draw == "documents" else None
        return mean_interval(self.root, self.standard_error, self.alpha, left_out)

    @cached_property
    def root_ranks(self) -> Floats:
        """The rank of each system on the root, ties sharing the mean of theirs: measure, system."""
        return ranks(self.root_means)

    @cached_property
    def ranks(self) -> NDArray[np.float32]:
        """The rank of each system in each image: measure, system, image."""
        return ranks(self.means).astype(np.float32)

    @cached_property
    def rank_percentiles(self) -> Floats:
        """The percentiles over images of each system's rank, α/2 and 1 − α/2: bound, measure, system."""
        return np.quantile(self.ranks, self._tails, axis=2)

    @cached_property
    def rank_interval(self) -> Floats:
        """The percentiles of ranks by measures that keep differences as they are: bound, measure, system; else NaN."""
        return np.where(too_rough(self.bias_on_topics)[:, None], np.nan, self.rank_percentiles)

    @property
    def _tails(self) -> tuple[float, float]:
        return self.alpha / 2, 1 - self.alpha / 2

    def place(self, measure: str) -> int:
        """The place of a measure among those asked for."""
        return self.measures.index(known(measure, self.measures, "measure"))

    def order(self, measure: int) -> Indices:
        """The systems best first on the root; ties in the order of names."""
        return np.argsort(self.root_ranks[measure], kind="stable")

    def swaps(self, measure: int) -> tuple[Swap, ...]:
        """How often neighbours in the ranking swap, down the ranking."""
        order, means = self.order(measure), rounded(self.means[measure])
        shares = (means[order[1:]] > means[order[:-1]]).mean(axis=1)
        names = [self.systems[s] for s in order]
        return tuple(Swap(*pair) for pair in zip(names[:-1], names[1:], shares.tolist(), strict=True))

    def typical_sd(self, measure: int) -> float:
        """The standard deviation over images of a mean, median over systems."""
        return float(np.median(self.sd[measure]))

    def typical_error(self, measure: int) -> float:
        """The standard error of a mean, median over systems."""
        return float(np.median(self.standard_error[measure]))

    def has_interval(self, measure: int) -> bool:
        """Whether most systems have an interval by this measure."""
        return bool(np.isnan(self.interval[0, measure]).mean() <= 0.5)

    def digits(self, measure: int) -> int:
        """How many decimals of a mean are justified by its standard error, median over systems.

        The error is that of the mean on the root: it does not depend on how biased images are.
        """
        return justified_digits(self.typical_error(measure))

    def rank_width(self, measure: int) -> float | None:
        """The mean over systems of the width of their rank intervals, in places; None without intervals."""
        low, high = self.rank_interval[:, measure]
        return None if np.isnan(low).any() else float((high - low).mean())

    def topic_sd(self) -> Floats:
        """The standard deviation over images of each system on each topic: measure, topic, system."""
        return self.drawn.sd

    def topic_quartiles(self) -> Floats:
        """The quartiles over images of each system on each topic: quartile, measure, topic, system."""
        return np.stack([self.drawn.quantile(share) for share in (0.25, 0.5, 0.75)])

    def spread_by_topic(self, share: float = 0.95) -> Floats:
        """The percentile over systems of the standard deviation on each topic: measure, topic (Figure 1)."""
        return np.quantile(self.topic_sd(), share, axis=2)

    def system_spread(self) -> tuple[Floats, Floats]:
        """For each system the mean and standard deviation over topics of its deviation: measure, system (Table 4)."""
        return mean_and_sd(self.topic_sd(), axis=1)

    def deviation_skewness(self) -> Floats:
        """The skewness of the deviations of all systems and topics: measure (Figure 1)."""
        return deviation_skewness(self.topic_sd())

    def difference_spread(self) -> tuple[Floats, Floats]:
        """The mean and standard deviation over pairs and topics of the difference's deviation: measure (Table 3)."""
        return self._difference_spread

    @cached_property
    def _difference_spread(self) -> tuple[Floats, Floats]:
        spreads = [mean_and_sd(self.drawn.difference_sd(m).ravel()) for m in range(len(self.measures))]
        means, sds = np.array(spreads, dtype=float).T
        return means, sds

    @property
    def drawn(self) -> Moments:
        """The moments of scores on topics, which vary only where documents are drawn."""
        if self.moments is None:
            raise DesignError(NOT_DRAWN)
        return self.moments

    @property
    def provenance(self) -> Provenance:
        """What was drawn, how often, and what was scored."""
        return self.provenance_of(range(len(self.measures)))

    def provenance_of(self, chosen: Sequence[int], *, by_topic: bool = False) -> Provenance:
        """The provenance of some measures; `by_topic` of what varies on single topics, which are always these."""
        measures, kept = tuple(self.measures[m] for m in chosen), self.kept
        shares = {} if self.moments is None else {name: self.undefined_share[name] for name in measures}
        where = "" if self.draw == "topics" else "in an image"
        return Provenance.of(
            facts.method(METHODS[self.draw]),
            facts.alpha(self.alpha),
            facts.population("documents" if by_topic else self.draw),
            data_facts.measures(measures),
            data_facts.images(self.images),
            data_facts.draw(self.draw),
            data_facts.seed(self.seed),
            left_out(None if by_topic or self.leaving is None else {"parts": PARTS, "splits": SPLITS}),
            data_facts.systems(len(self.systems), kept=kept.keep_systems, by=kept.by, given=kept.given),
            Fact("keep_systems", kept.keep_systems),
            Fact("keep_by", kept.by),
            Fact("systems_given", kept.given),
            data_facts.topics(len(self.topics)),
            missing(self.missing),
            data_facts.undefined_topics(self.undefined, where=where, shares=shares),
            SparseScores(shares, "images", self.undefined, can_draw_topics=True).fact,
            self.source,
        )

    def frame_rows(self, name: str) -> Iterable[Mapping[str, Any]]:
        """Systems, neighbours that swap, or systems on topics; of these none where documents are not drawn."""
        return ROWS[name](self)

    @property
    def main_frame(self) -> str:
        """The systems, or, where the topics of one were asked for, these."""
        return "systems" if self.topics_of is None else "topics"

    def content(self) -> dict[str, Any]:
        """Measures, systems, topics, pairs if asked for, and the swaps."""
        return content(self)


@verb(BootstrapOptions)
def bootstrap(data: Given, options: BootstrapOptions) -> Bootstrapped:
    """Score systems in images of the corpus, in resamples of the topics, or in both together.

    An image is a sample with replacement of all documents, the same for every system and topic; a document drawn
    twice appears twice in the runs and in the recall base. A topic without relevant documents in an image scores
    0 there, or is left out of it with undefined="skip". Systems that are kept come best first. Zobel and Rashidi
    (CIKM 2020).

    >>> from irgauge import load
    >>> qrels = {"1": {"a": 1, "b": 1}, "2": {"b": 1, "c": 1}}
    >>> good = {"1": {"a": 3, "b": 2, "x": 1}, "2": {"b": 3, "x": 2, "c": 1}}
    >>> poor = {"1": {"x": 3, "y": 2, "a": 1}, "2": {"y": 3, "x": 2, "b": 1}}
    >>> found = bootstrap(load(qrels, {"good": good, "poor": poor}), "AP", images=50)
    >>> found.swaps(0)
    (Swap(upper='good', lower='poor', share=0.0),)
    """
    return _bootstrapped(data, options, (options.draw,))[0]


@verb(BootstrapOptions)
def bootstrap_of_both(data: Given, options: BootstrapOptions) -> tuple[Bootstrapped, ...]:
    """Images of documents, and the same images with topics drawn too, for a page that has both."""
    return _bootstrapped(data, options, ("documents", "both"))


def _bootstrapped(data: Given, options: BootstrapOptions, draws: Sequence[Draw]) -> tuple[Bootstrapped, ...]:
    """What is found by each way to draw; all of them draw documents, or none."""
    on_bench, measures = bench(data, options.workers), only_higher(parse_measures(options.measures), "bootstrap")
    _check(options, measures)
    for draw in draws:
        _check_topics(len(on_bench.collection.topics), draw)
    places, kept = kept_systems(on_bench, measures, options)
    chosen = on_bench.collection if kept.by is None else on_bench.collection.only(places)
    root = np.ascontiguousarray(root_scores(on_bench, measures)[:, :, places])
    root = root if options.undefined == "skip" else np.nan_to_num(root)
    gathering = Gathering(Scorer(chosen, measures), root, options, draws)
    topics_of = _topics_of(options, on_bench.collection.systems, chosen.systems, gathering.root)
    gathering.gather()
    others = held_out(gathering, options)
    leaving = None if options.draw == "topics" else Leaving(gathering.scorer, options)
    if leaving is not None and are_elsewhere():
        _ = leaving.variances  # while the workers are there
    result = Bootstrapped(
        measures=tuple(map(str, measures)),
        topics=chosen.topics,
        systems=chosen.systems,
        kept=kept,
        root=gathering.root,
        means=gathering.means[draws[0]],
        moments=gathering.moments,
        leaving=leaving,
        undefined_share=gathering.undefined_share(options.images),
        draw=draws[0],
        undefined=options.undefined,
        images=options.images,
        seed=options.seed,
        alpha=options.alpha,
        topics_of=topics_of,
        has_pairs=options.pairs,
        missing=on_bench.missing.only([on_bench.systems[place] for place in places]),
        source=on_bench.source,
        held_out=others,
    )
    return tuple(replace(result, draw=draw, means=gathering.means[draw]) for draw in draws)


def _check(options: BootstrapOptions, measures: tuple[Measure, ...]) -> None:
    if not measures:
        raise DesignError("no measure was given; name one, such as AP")
    check_images(options.images)


def _check_topics(topics: int, draw: str) -> None:
    if topics < 2 and draw != "documents":
        raise DesignError(f"topics are to be drawn, and there is {topics}; draw documents, or give more topics")


def _topics_of(
    options: BootstrapOptions, all_systems: Sequence[str], systems: Sequence[str], root: Floats
) -> str | None:
    """The system whose topics are shown: the one named, which must be among those kept, or the best."""
    if options.system is None:
        return systems[int(np.argmin(ranks(np.nanmean(root, axis=1))[0]))] if options.per_topic else None
    system = known(options.system, all_systems, "system")
    if system not in systems:
        raise DesignError(f"the system '{system}' is not among the {len(systems)} best; keep more systems, or all")
    return system
