"""Random splits of the documents by one measure, and how what is found on them came about."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from irgauge.compute.arrays import Floats
from irgauge.errors import DesignError
from irgauge.inference import facts
from irgauge.inference.comparison import Pairs
from irgauge.inference.contrasts import Fitted
from irgauge.options.fields import refuse
from irgauge.provenance import Fact, Provenance, fact
from irgauge.reading.collection import Collection
from irgauge.replicates.bench import Bench
from irgauge.replicates.data import known_measures, of_measures
from irgauge.replicates.facts import fill
from irgauge.replicates.given import ScoreTable
from irgauge.replicates.measured import DROP, REDRAW, Measured, Measuring
from irgauge.scoring.kernels import RELEVANT
from irgauge.scoring.measures import Measure, Range, parse_measures, range_of
from irgauge.scoring.scores import Scores
from irgauge.studies.partition.inferring import Drawing, Inference, infer
from irgauge.studies.partition.options import (
    CAUTION,
    FILLS,
    UNBALANCED,
    PartitionOptions,
)
from irgauge.wording import counted, listed


@dataclass(frozen=True)
class DrawnSplit:
    """A random partition of the documents, and how it came about."""

    parts: int
    number: int
    attempts: int  # draws until every topic had relevant documents in every part
    topics: tuple[str, ...]
    dropped: tuple[str, ...]  # topics without relevant documents in some part


METHOD = "partition method (Voorhees, Samarov and Soboroff 2017)"
_NAMED = 5  # topics in an error


class Divider:
    """Divides the documents at random, as asked for, and scores the systems in the parts; or takes parts as given."""

    def __init__(self, bench: Bench | GivenParts, measure: str | Measure, options: PartitionOptions) -> None:
        (self.measure,) = parse_measures([measure])
        self.bench, self.asked = bench, options
        within = bench.range_of(self.measure) if isinstance(bench, GivenParts) else self.measure.range
        self.drawing = replace(Drawing.of(options), is_given=isinstance(bench, GivenParts), within=within)
        self._inferred: dict[tuple[int, bool], Inference] = {}

    @cached_property
    def whole(self) -> Measured:
        """Scores on the whole corpus, of the topics that have any, and of the systems kept."""
        asked = Measuring((self.measure,), fill=DROP, keep_systems=self.asked.keep_systems)
        return self.bench.measured(asked)

    @cached_property
    def pairs(self) -> Pairs:
        """The systems in the order of their means over the whole corpus (ties by name), and their pairs."""
        whole = self.whole.scores
        if len(whole.systems) < 2:
            raise DesignError(f"there is one system, {whole.systems[0]}; at least 2 systems are needed")
        means = whole.values[0, :, :, 0].mean(axis=0)
        order = np.argsort(-means, kind="stable")
        return Pairs.all_of(tuple(whole.systems[system] for system in order), means[order])

    def divided(self, parts: int, number: int, bench: Bench | GivenParts | None = None) -> Measured:
        """Scores in the parts of a split."""
        asked = self.asked
        measuring = Measuring((self.measure,), f"die:{parts}", asked.fill, asked.keep_systems, asked.seed, number)
        source = bench or self.bench
        if asked.fill == UNBALANCED and not isinstance(source, GivenParts):
            return _with_gaps(source, measuring)
        return source.measured(measuring)

    def infer(self, divided: Measured) -> tuple[Inference, Fitted]:
        """What a split says by the model asked for, and that model."""
        fit = self.drawing.fit(ranked_values(divided, self.pairs))
        return infer(fit, (divided.shards, divided.measuring.number), self.pairs, self.drawing), fit

    def remember(self, parts: int, inference: Inference) -> None:
        """Keep what the first split into so many parts says by the model asked for."""
        self._inferred[parts, self.drawing.interactions] = inference

    def first(self, parts: int, *, interactions: bool) -> Inference:
        """What the first split into so many parts says by one model; inferred once."""
        if (parts, interactions) not in self._inferred:
            drawing = self.drawing.of_model(interactions=interactions)
            fit = drawing.fit(ranked_values(self.divided(parts, 0), self.pairs))
            self._inferred[parts, interactions] = infer(fit, (parts, 0), self.pairs, drawing)
        return self._inferred[parts, interactions]


def _with_gaps(bench: Bench, measuring: Measuring) -> Measured:
    """Scores in the parts of a split; NaN where a topic has no relevant document in a part.

    A topic with scores on one part alone is left out, as that does not say how they vary.
    """
    filled = bench.measured(replace(measuring, fill="zero", sparse=True))
    raw, _ = bench.split(replace(measuring, fill="zero"), bench.sharding(str(measuring.shards)))
    kept = [raw.systems.index(system) for system in filled.scores.systems]
    is_replicated = np.count_nonzero(~np.isnan(raw.values[0, :, 0]), axis=1) > 1  # topic
    if np.count_nonzero(is_replicated) < 2:
        raise DesignError(
            f"fewer than 2 topics have relevant documents in two parts of '{measuring.shards}'; use fewer"
        )
    topics = {is_kept: tuple(np.array(raw.topics)[is_replicated == is_kept].tolist()) for is_kept in (True, False)}
    scores = replace(filled.scores, values=raw.values[:, is_replicated][:, :, kept], topics=topics[True])
    return replace(filled, scores=scores, measuring=measuring, dropped=topics[False])


def ranked_values(divided: Measured, pairs: Pairs) -> Floats:
    """values[topic, system, part], best system first."""
    return divided.values()[:, [divided.scores.systems.index(system) for system in pairs.systems]]


def split_of(divided: Measured) -> DrawnSplit:
    """How a split came about."""
    return DrawnSplit(
        divided.shards, divided.measuring.number, divided.attempts, divided.scores.topics, divided.dropped
    )


_DRAWN = {"residuals": " of residuals", "topics": " of residuals and topics"}


def provenance_of(divided: Measured, drawing: Drawing, splits: int, *more: Fact) -> Provenance:
    """How anything of so many splits came about; `divided` is the first of them."""
    n = len(divided.scores.systems)
    pairs = n * (n - 1) // 2
    own = Provenance.of(
        facts.method(METHOD),
        *split_facts(splits, divided.shards, is_given=divided.measuring.shards is None),
        facts.test(_test(drawing)),
        p_told(CAUTION if drawing.is_paper else "of the difference of two systems, two-sided"),
        interactions(drawing.interactions),
        facts.model(drawing.model),
        facts.draws(drawing.draws or None, of=_DRAWN.get(drawing.drawn or "", "")),
        Fact("drawn", drawing.drawn),
        facts.sides(drawing.sides if drawing.is_paper else None),
        facts.correction(drawing.correction),
        facts.family(f"all {pairs:,} pairs" if pairs > 1 else "1 pair"),
        facts.alpha(drawing.alpha),
        facts.population(drawing.population),
    )
    names = ("shards", "shard_count", "split", "undefined", *(fact.name for fact in more))
    measured = divided.provenance | fill(str(divided.measuring.fill))
    sparse = replace(divided.sparse, among="shards", shards=None)
    return Provenance.of(own | more, (measured | sparse.fact).without(*names))


def split_facts(count: int, parts: int | tuple[int, ...], *, is_given: bool) -> tuple[Fact, Fact]:
    """How many splits into how many parts, or into several numbers of them; a table gives its own."""
    many = str(parts) if isinstance(parts, int) else listed(list(map(str, parts)))
    each = "" if isinstance(parts, int) or len(parts) == 1 else " each"
    text = f"{counted(count, 'random split')} of the documents{each} into {many} parts"
    description = f"one split into the {many} parts that are given" if is_given else text
    return Fact("splits", count, description), Fact("parts", parts)


def p_told(text: str) -> Fact:
    """What p-values are."""
    return Fact("p", text, f"p {text}")


@fact()
def interactions(has: bool) -> str:  # noqa: FBT001  # the value of the fact
    """Whether the model has them."""
    return f"{'with' if has else 'without'} interactions of system and topic"


def _test(drawing: Drawing) -> str:
    over = "topics" if drawing.drawn == "topics" else "parts"
    return "bootstrap ANOVA" if drawing.is_paper else f"t-test of differences over {over}"


def check_split(collection: Collection, measure: Measure, parts: int, fill: str) -> None:
    """Refuse what cannot be split so that every cell has a score."""
    if parts < 2:
        raise DesignError(f"{parts} parts are no partition; ask for at least 2")
    if fill not in FILLS:
        message = "scores are not filled in: redraw the split, drop topics, or fit the others (unbalanced)"
        raise DesignError(f"the fill '{fill}' is not possible; {message}")
    if fill == REDRAW:
        _check_relevant(collection, measure, parts)


def _check_relevant(collection: Collection, measure: Measure, parts: int) -> None:
    """No split gives a topic that has fewer relevant documents than there are parts some in every part."""
    relevant = (measure.kinds(collection.grades) == RELEVANT)[collection.judged_levels]
    counts = np.add.reduceat(relevant.astype(np.int64), collection.judged_bounds[:-1])  # topic
    few = [f"{collection.topics[topic]} ({counts[topic]})" for topic in np.flatnonzero(counts < parts)]
    if few:
        named = ", ".join(few[:_NAMED]) + (f" and {len(few) - _NAMED} more" if len(few) > _NAMED else "")
        raise DesignError(
            f"no split into {parts} parts gives every topic a relevant document in every part: topics with fewer than "
            f"{parts} relevant documents are {named}; use {'fewer parts, or ' * (parts > 2)}the fill 'drop' or "
            "'unbalanced'"
        )


_OF_DOCUMENTS = (
    "parts",
    "splits",
    "seed",
    "drawn",
    "tests_of",
    "lengths_of",
    "by_splits",
    "fill",
)  # what a table settles


@dataclass(frozen=True, eq=False)
class GivenParts:
    """What measures in place of a bench: nothing is split, the replicates of the table are the parts."""

    scores: Scores
    workers: int | None = None

    def measured(self, measuring: Measuring) -> Measured:
        """Scores in the parts, or their means, of the topics that have all."""
        asked = replace(measuring, shards=None, fill=DROP, seed=0, number=0)
        return ScoreTable(self.scores if measuring.shards is not None else self._means).measured(asked)

    def range_of(self, measure: Measure) -> Range | None:
        """Between which scores a measure of the table lies, where that is known."""
        values = of_measures(self.scores, known_measures((measure,), self.scores)).values
        return range_of(measure, values[~np.isnan(values)])

    def with_workers(self, workers: int) -> GivenParts:
        """The same in so many threads."""
        return replace(self, workers=workers)

    @property
    def _means(self) -> Scores:
        """Over the parts, in the place of scores on the whole corpus."""
        values = self.scores.values.mean(axis=3, keepdims=True)
        return replace(self.scores, values=values, replicates=("all",))


def asked_of_table(options: PartitionOptions, parts: int) -> PartitionOptions:
    """The same of the one split that a table is; refuses what is said of documents that are split."""
    parted = "documents that are split, and a table is one split into the parts that it has"
    refuse(options, _OF_DOCUMENTS, f"{parted}; leave it out, or give the runs")
    if parts < 2:
        raise DesignError(
            "the table has one score of each system on each topic, and the parts of a split are needed as replicates; "
            "add a column 'replicate', or give judgments and runs"
        )
    own = (parts,)
    tests_of, lengths_of = own if options.tested_parts else None, own if options.measured_parts else None
    return replace(options, parts=parts, splits=1, fill=DROP, tests_of=tests_of, lengths_of=lengths_of)
