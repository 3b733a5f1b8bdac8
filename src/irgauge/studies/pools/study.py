"""What if fewer documents had been judged? Pairs of runs under pools of their own top documents, in images."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any, ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from irgauge.choices import known
from irgauge.compute.arrays import Floats, Ints
from irgauge.errors import DesignError
from irgauge.inference import facts
from irgauge.inference.corrections import NONE
from irgauge.inference.intervals import Boxes
from irgauge.inference.tests.paired_t import PAIRED_T
from irgauge.options.verbs import verb
from irgauge.provenance import Fact, Provenance, fact
from irgauge.reading.collection import Collection
from irgauge.reading.facts import missing
from irgauge.reading.missing import MissingTopics
from irgauge.replicates import facts as data_facts
from irgauge.replicates.bench import Bench
from irgauge.replicates.given import Given, bench, only_higher
from irgauge.replicates.images import check_images
from irgauge.replicates.undefined import SparseScores
from irgauge.scoring.direction import HIGHER
from irgauge.scoring.measures import Measure, parse_measures
from irgauge.scoring.scorer import Scorer
from irgauge.studies.pools.options import ONE_PAIR, PoolsOptions
from irgauge.studies.pools.pairs import FALLS_TO, RANGE, SWAPS, InImages, PairPools, Survey, chances, swaps
from irgauge.studies.result import Result
from irgauge.wording import listed


def content(result: Pooled) -> dict[str, Any]:
    """Counts of pairs, and every pair by measure and pool."""
    axes = (result.measures, result.pools)
    return {
        "measures": result.measures,
        "topics": result.topics,
        "pools": result.pools,
        "judged": _named(result.judged, (result.pools,)),
        "summary": {
            "pairs": len(result.pairs),
            "significant": _named(result.significant(), axes),
            "only_shallow": _named(result.only_shallow(), axes),
            "gains": _named(result.gains(), axes),
            "loses": _named(result.loses(), axes),
            "worst": {measure: _worst(result, m) for m, measure in enumerate(result.measures)},
        },
        "pairs": [_pair_record(result, pair) for pair in result.pairs],
        **_of_topics(result),
        "alike": result.alike,
        "too_deep": result.too_deep,
    }


def _worst(result: Pooled, m: int) -> list[dict[str, Any]]:
    return [{"system": pair.system, "against": pair.against, "pool": result.pools[k]} for pair, k in result.worst(m)]


def _pair_record(result: Pooled, pair: PairPools) -> dict[str, Any]:
    arrays = {
        "root_difference": pair.root_difference,
        "root_p": pair.root_p,
        **pair.over_images(result.alpha),
        "lower": pair.lower,
        "chance_gain": pair.chance_gain,
        "chance_loss": pair.chance_loss,
        "gains": pair.gains(result.alpha),
        "loses": pair.loses(result.alpha),
        "difference": pair.difference,  # measure, pool, image
        "p": pair.p,
    }
    axes = (result.measures, result.pools)
    return {"system": pair.system, "against": pair.against} | {name: _named(a, axes) for name, a in arrays.items()}


def pair_rows(result: Pooled, pair: PairPools) -> Iterator[dict[str, Any]]:
    """A pair by every measure with every pool: on the corpus as it is, and over images."""
    tested = {"test": PAIRED_T.name, "correction": NONE.name, "population": POPULATION, "alpha": result.alpha}
    arrays = {
        "difference": pair.root_difference,
        "p": pair.root_p,
        "p_adjusted": pair.root_p,
        **pair.over_images(result.alpha),
    }
    beside = {"lower": pair.lower, "chance": pair.chance_gain, "confidence": confidence(pair, result.alpha)}
    for m, measure in enumerate(result.measures):
        for k, pool in enumerate(result.pools):
            yield {
                "measure": measure,
                "system": pair.system,
                "against": pair.against,
                "n": len(result.topics),
                **tested,
                "direction": HIGHER,
                "pool": pool,
                "judged": float(result.judged[k]),
                **{name: array[m, k].item() for name, array in arrays.items()},
                **{name: None if pool == ALL else array[m, k].item() for name, array in beside.items()},
            }


def confidence(pair: PairPools, alpha: float) -> NDArray[np.str_]:
    """What pools do to the confidence beyond chance: measure, pool."""
    return np.select([pair.gains(alpha), pair.loses(alpha)], ["more", "less"], "same")


def _of_topics(result: Pooled) -> dict[str, Any]:
    """The differences on topics, of a single pair."""
    if result.topic_differences is None or result.root_topic_differences is None:
        return {"topic_differences": None, "root_topic_differences": None, "topic_widths": None}
    axes = (result.measures, result.pools, result.topics)
    return {
        "topic_differences": _named(result.topic_differences, axes),
        "root_topic_differences": _named(result.root_topic_differences, axes),
        "topic_widths": _named(result.topic_widths(), axes[:2]),
    }


def _named(values: NDArray[Any], axes: Sequence[Sequence[str]]) -> Any:  # noqa: ANN401  # nested to any depth
    """An array as objects by the names of its first axes, and lists of what is left."""
    if not axes:
        return np.asarray(values).tolist()
    return {name: _named(part, axes[1:]) for name, part in zip(axes[0], values, strict=True)}


ALL = "all"  # every judgment of the qrels
POPULATION = "other topics for a p-value; these topics, other documents for its spread over images"


class Gain(NamedTuple):
    """A pair that gains confidence, and the pool by which its median p-value falls most."""

    pair: PairPools
    pool: int


@fact()
def depths(numbers: Sequence[int]) -> str:
    """Which documents of the two runs are judged."""
    return f"judged: the top {listed(list(map(str, numbers)))} of either run, and all judgments"


@fact()
def falls_to(share: float) -> str:
    """What more confidence is."""
    return (
        "more confidence: in most images p is lower than with all judgments, its median at most "
        f"{share:g} times theirs, and t rises as much in a share of at most α of {SWAPS} random swaps of the "
        "two runs by topic (less confidence: the reverse)"
    )


@dataclass(frozen=True, eq=False, repr=False)
class Pooled(Result):
    """Pairs of runs under shallow pools; the last pool is all judgments, the root the collection as it is."""

    study: ClassVar[str] = "pools"
    part: ClassVar[str] = "pair of runs"

    measures: tuple[str, ...]
    topics: tuple[str, ...]
    pools: tuple[str, ...]  # depths, then ALL
    pairs: tuple[PairPools, ...]
    judged: Floats  # pool: documents judged for a topic on the root, mean over topics and pairs
    topic_differences: Floats | None  # measure, pool, topic, image; of a single pair
    root_topic_differences: Floats | None  # measure, pool, topic
    images: int
    seed: int
    alpha: float
    all_pairs: bool = False  # whether all pairs were asked for
    alike: tuple[tuple[str, str], ...] = ()  # runs that rank the same documents in the same order: no pairs
    too_deep: tuple[int, ...] = ()  # depths beyond the end of both runs on some topic
    shortest: int = 0  # where the longest run ends on the topic where that is soonest
    undefined_share: Mapping[str, float] = field(default_factory=dict)  # measure -> of topics and images, with all
    missing: MissingTopics = field(default_factory=MissingTopics)  # judged topics that its systems do not answer
    source: Provenance = field(default_factory=Provenance)  # how the collection was read

    @property
    def parts(self) -> Mapping[tuple[str, str], PairPools]:
        """The two runs of a pair -> their differences."""
        return {(pair.system, pair.against): pair for pair in self.pairs}

    def place(self, measure: str) -> int:
        """The place of a measure among those asked for."""
        return self.measures.index(known(measure, self.measures, "measure"))

    @property
    def systems(self) -> tuple[str, ...]:
        """The systems of all pairs."""
        return tuple(dict.fromkeys(system for pair in self.pairs for system in (pair.system, pair.against)))

    def gains(self) -> Ints:
        """The number of pairs in which fewer judgments bring more confidence, beyond chance: measure, pool."""
        return np.sum([pair.gains(self.alpha) for pair in self.pairs], axis=0)

    def loses(self) -> Ints:
        """The number of pairs in which fewer judgments bring less confidence, beyond chance: measure, pool."""
        return np.sum([pair.loses(self.alpha) for pair in self.pairs], axis=0)

    def falls(self) -> Ints:
        """The number of pairs whose median p is at most half of that with all judgments: measure, pool."""
        return np.sum([pair.falls for pair in self.pairs], axis=0)

    def worst(self, measure: int) -> list[Gain]:
        """The pairs that gain confidence: first those of which only the pool says that they differ, by median p-values.

        Then those whose median p-value falls to the smallest part.
        """
        falls = {}  # of each pair, by the pool where it falls most: whether it decides nothing, and to which part
        for pair in self.pairs:
            gains = pair.gains(self.alpha)[measure]
            ratios = np.where(gains, pair.median_p[measure], np.inf) / pair.median_p[measure, -1]
            pool = int(np.argmin(ratios))
            if gains[pool]:
                decides = pair.median_p[measure, pool] <= self.alpha < pair.median_p[measure, -1]
                falls[Gain(pair, pool)] = (not decides, float(ratios[pool]))
        return sorted(falls, key=falls.__getitem__)

    def topic_boxes(self, measure: int) -> Boxes:
        """The differences of a single pair over images, with whiskers over most of them: pool, topic (Figure 7)."""
        low, high = RANGE
        return Boxes(*np.quantile(self.by_topic[measure], (low, 0.25, 0.5, 0.75, high), axis=2))

    def topic_widths(self) -> Floats:
        """How far the differences on a topic spread over most images, mean over topics: measure, pool."""
        low, high = np.quantile(self.by_topic, RANGE, axis=3)
        return (high - low).mean(axis=2)

    @property
    def by_topic(self) -> Floats:
        """The differences on topics, which are kept of a single pair."""
        if self.topic_differences is None:
            raise DesignError(ONE_PAIR)
        return self.topic_differences

    def significant(self) -> Ints:
        """The number of pairs that differ on the root: measure, pool."""
        return np.sum([pair.root_p <= self.alpha for pair in self.pairs], axis=0)

    def only_shallow(self) -> Ints:
        """The number of pairs that differ on the root by the pool, but not with all judgments: measure, pool."""
        differ = np.array([pair.root_p <= self.alpha for pair in self.pairs])  # pair, measure, pool
        return (differ & ~differ[..., -1:]).sum(axis=0)

    @property
    def provenance(self) -> Provenance:
        """The test, the images, the pools, and what was scored."""
        shares = self.undefined_share
        return Provenance.of(
            facts.test("two-sided paired t-test over topics in images of the corpus"),
            facts.family(f"{len(self.pairs):,} pairs" if len(self.pairs) > 1 else None),
            facts.correction(NONE.name if len(self.pairs) > 1 else None),
            facts.alpha(self.alpha),
            facts.population(POPULATION),
            data_facts.measures(self.measures),
            data_facts.images(self.images),
            data_facts.draw("documents"),
            data_facts.seed(self.seed),
            depths(tuple(map(int, self.pools[:-1]))),
            falls_to(FALLS_TO),
            Fact("swaps", SWAPS),
            data_facts.systems(len(self.systems)),
            data_facts.topics(len(self.topics)),
            missing(self.missing),
            data_facts.undefined_topics("zero", where="in a pool or an image", shares=shares),
            SparseScores(shares, "images", "zero").fact,
            self.source,
        )

    def frame_rows(self, name: str) -> Iterable[Mapping[str, Any]]:  # noqa: ARG002  # there is one frame
        """Every pair by every measure with every pool."""
        return (row for pair in self.pairs for row in pair_rows(self, pair))

    def content(self) -> dict[str, Any]:
        """Counts of pairs, and every pair by measure and pool."""
        return content(self)


@verb(PoolsOptions)
def pools(data: Given, options: PoolsOptions) -> Pooled:
    """Compare two runs, or all pairs of runs, when only the union of their top documents is judged.

    For every image and depth the documents in either run's top `depth`, as the image amends the runs, are judged
    and all others are not; then the mean difference over topics and the paired t-test's p-value. A pool is said to
    bring more confidence where p falls to half in most images, and t rises more than when the two runs are swapped on
    random topics (see `irgauge.studies.pools.pairs`). A topic without relevant documents in a pool scores 0 for both
    runs. Pairs that rank alike are left out. Zobel and Rashidi (CIKM 2020), section 7.

    >>> from irgauge import load
    >>> qrels = {"1": {"a": 1, "b": 1}, "2": {"b": 1, "c": 1}, "3": {"c": 1}}
    >>> good = {"1": {"a": 3, "b": 2, "x": 1}, "2": {"b": 3, "x": 2, "c": 1}, "3": {"c": 2, "x": 1}}
    >>> poor = {"1": {"x": 3, "y": 2, "a": 1}, "2": {"y": 3, "x": 2, "b": 1}, "3": {"x": 2, "c": 1}}
    >>> found = pools(load(qrels, {"good": good, "poor": poor}), "AP", depths=[1], images=20)
    >>> found.pools, found.judged.round(2).tolist()
    (('1', 'all'), [1.0, 1.67])
    """
    on_bench, measures = bench(data, options.workers), only_higher(parse_measures(options.measures), "pools")
    collection = on_bench.collection
    _check(collection, measures, options)
    pairs, alike = _pairs(collection)
    signs = swaps(len(collection.topics), options.seed)
    survey = Survey(Scorer(collection, measures), tuple(sorted(set(options.depths))), pairs, signs)
    return _result(on_bench, survey, survey.run(options), alike, options)


def _check(collection: Collection, measures: tuple[Measure, ...], options: PoolsOptions) -> None:
    if not measures:
        raise DesignError("no measure was given; name one, such as AP")
    check_images(options.images)
    runs = len(collection.systems)
    if runs < 2 or (runs > 2 and not options.all_pairs):
        count = "1 run was given" if runs == 1 else f"{runs} runs were given"
        raise DesignError(
            f"a pair is two runs, and {count}; name two{', or ask for all pairs (--all-pairs)' * (runs > 2)}"
        )
    if len(collection.topics) < 2:
        raise DesignError("the paired t-test needs at least 2 topics with a relevant document")


def _pairs(collection: Collection) -> tuple[list[tuple[int, int]], tuple[tuple[str, str], ...]]:
    """All pairs of runs that do not rank alike, and the names of those that do."""
    rankings = [_ranking(collection, system) for system in range(len(collection.systems))]
    every = list(combinations(range(len(collection.systems)), 2))
    pairs = [(a, b) for a, b in every if rankings[a] != rankings[b]]
    alike = tuple((collection.systems[a], collection.systems[b]) for a, b in every if rankings[a] == rankings[b])
    if not pairs:
        same = " = ".join(alike[0])
        raise DesignError(f"the runs rank the same documents in the same order ({same}); give two different runs")
    return pairs, alike


def _ranking(collection: Collection, system: int) -> tuple[bytes, ...]:
    bounds = zip(collection.firsts[:, system], collection.lengths[:, system], strict=True)
    return tuple(collection.docs[first : first + length].tobytes() for first, length in bounds)


def _result(
    on_bench: Bench,
    survey: Survey,
    in_images: Sequence[InImages],
    alike: tuple[tuple[str, str], ...],
    options: PoolsOptions,
) -> Pooled:
    collection = on_bench.collection
    topics = in_images[0].topics if len(in_images) == 1 else None
    shortest = int(collection.lengths.max(axis=1).min())
    return Pooled(
        measures=tuple(map(str, survey.scorer.measures)),
        topics=collection.topics,
        pools=(*map(str, survey.depths), ALL),
        pairs=tuple(
            _pair(collection.systems[a], collection.systems[b], pair)
            for (a, b), pair in zip(survey.pairs, in_images, strict=True)
        ),
        judged=np.mean([pair.judged for pair in in_images], axis=0),
        topic_differences=None if topics is None else topics[..., 1:],
        root_topic_differences=None if topics is None else topics[..., 0],
        images=options.images,
        seed=options.seed,
        alpha=options.alpha,
        all_pairs=options.all_pairs,
        alike=alike,
        too_deep=tuple(depth for depth in survey.depths if depth > shortest),
        shortest=shortest,
        undefined_share=survey.undefined_share(in_images[0]),
        missing=on_bench.missing,
        source=on_bench.source,
    )


def _pair(first: str, second: str, in_images: InImages) -> PairPools:
    """One pair; the first image is the root."""
    gain, loss = chances(in_images.swapped)
    return PairPools(
        system=first,
        against=second,
        root_difference=in_images.difference[..., 0],
        root_p=in_images.p[..., 0],
        difference=in_images.difference[..., 1:],
        p=in_images.p[..., 1:],
        chance_gain=gain,
        chance_loss=loss,
    )
