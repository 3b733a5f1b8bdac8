"""Random splits of the documents by one measure, and what an ANOVA of the scores in the parts says of pairs of systems.

By default p is of the difference of two systems over the parts, two-sided (`inference.contrasts`). As in the paper
p(A, B) is the share of B's bootstrap effects that reach the effect of A, the better system: Voorhees, Samarov and
Soboroff (TOIS 2017), sections 2 and 3, Figure 3. That takes the effect of A as known, and the residuals, which the fit
has made too small, as they are: it ranks the evidence, and errs far more often than it says.

Both are corrected by Benjamini and Hochberg over all pairs. The corrected p-values are those of the step-up procedure,
which hold for any α; at the α that k belongs to they decide as the paper's N p / k.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import cached_property
from typing import cast

import numpy as np

from irgauge.choices import known
from irgauge.compute.arrays import Floats, Signs
from irgauge.errors import DesignError, check_alpha
from irgauge.inference import facts
from irgauge.inference.comparison import Pairs
from irgauge.inference.contrasts import Contrasts, system_differences, system_effects
from irgauge.inference.corrections import BH
from irgauge.inference.intervals import MeanInterval
from irgauge.models.anova import Fit, Population, decompose
from irgauge.models.residuals import Bootstrap, Resample, bootstrap
from irgauge.options.fields import refuse
from irgauge.provenance import Fact, Provenance, fact
from irgauge.reading.collection import Collection
from irgauge.replicates.bench import Bench
from irgauge.replicates.data import known_measures, of_measures
from irgauge.replicates.facts import fill
from irgauge.replicates.given import ScoreTable
from irgauge.replicates.measured import DROP, REDRAW, Measured, Measuring
from irgauge.scoring.kernels import RELEVANT
from irgauge.scoring.measures import Measure, Range, of_differences, parse_measures, range_of
from irgauge.scoring.scores import Scores
from irgauge.studies.partition.options import CAUTION, DRAWN, FILLS, P_VALUES, PAPER, PartitionOptions
from irgauge.wording import counted, listed

ADJUSTED = "{}, adjusted by k/N"
PER_CENT = "{}, without α k/N per cent of the draws on each side"


@dataclass(frozen=True)
class Drawing:
    """How the scores in the parts of a split are modelled and drawn, and at which level intervals are taken."""

    alpha: float
    seed: int
    drawn: str  # residuals, or topics: topics too
    interactions: bool
    p: str = "difference"
    draws: int = 0  # of the bootstrap, for the paper's p alone
    sides: int = 2  # of a test: the paper's p of two sides is twice that of one
    is_given: bool = False  # whether parts are those of a table, of which nothing says that they are random
    within: Range | None = None  # of the scores, where that is known

    def __post_init__(self) -> None:
        check_alpha(self.alpha)
        known(self.drawn, DRAWN, "kind of draws")
        known(self.p, P_VALUES, "p")
        if self.drawn == "topics" and not self.interactions:
            raise DesignError("topics can be drawn in the model with interactions only; draw residuals, or use it")
        if self.is_paper:
            self._check_paper()

    def _check_paper(self) -> None:
        if self.sides not in (1, 2):
            raise DesignError(f"sides are {self.sides}; a test has 1 or 2 sides")
        least = math.ceil(2 / self.alpha - 1e-9)
        if self.draws < least:
            message = f"{self.draws} draws cannot resolve alpha {self.alpha}: intervals leave out the share α/2 of them"
            raise DesignError(f"{message} on each side, which takes at least {least}; 10000 are usual")

    @classmethod
    def of(cls, options: PartitionOptions) -> Drawing:
        """As asked for."""
        common = options.alpha, options.seed, options.drawn, options.interactions, options.p
        return cls(*common, draws=options.draws, sides=options.sides or 2) if options.p == PAPER else cls(*common)

    @property
    def is_paper(self) -> bool:
        """Whether p is the paper's: a ranking of evidence, not an error rate."""
        return self.p == PAPER

    @property
    def population(self) -> Population:
        """What a claim covers: other documents for these topics, or, where topics are drawn too, both.

        Parts that are given may differ in kind, and then it covers other documents of these parts.
        """
        return "both" if self.drawn == "topics" else "sources" if self.is_given else "documents"

    @property
    def models(self) -> tuple[bool, ...]:
        """Without and with interactions; where topics are drawn there is no model without."""
        return (True,) if self.drawn == "topics" else (False, True)

    def of_model(self, *, interactions: bool) -> Drawing:
        """The same of the model with interactions, or of that without."""
        return replace(self, interactions=interactions)

    def fit(self, values: Floats) -> Fit:
        """The model with or without topic:system of values[topic, system, part]."""
        return decompose(values).fit("MD3" if self.interactions else "MD2")

    def bootstrap(self, fit: Fit, key: tuple[int, ...]) -> Bootstrap:
        """The effects of systems over draws, as in the paper."""
        key = (*key, int(self.interactions))
        return bootstrap(fit, draws=self.draws, seed=self.seed, key=key, resample=self._resample)

    def differences(self, fit: Fit, pairs: Pairs) -> Contrasts:
        """The differences of pairs of systems."""
        return system_differences(fit, pairs.first, pairs.second, self._resample)

    def effects(self, fit: Fit) -> Contrasts:
        """The effects of systems."""
        return system_effects(fit, self._resample)

    @property
    def _resample(self) -> Resample:
        return cast(Resample, self.drawn)


@dataclass(frozen=True)
class DrawnSplit:
    """A random partition of the documents, and how it came about."""

    parts: int
    number: int
    attempts: int  # draws until every topic had relevant documents in every part
    topics: tuple[str, ...]
    dropped: tuple[str, ...]  # topics without relevant documents in some part


@dataclass(frozen=True, eq=False)
class Inference:
    """What one split says of the systems and of the pairs."""

    effects: Floats  # system
    direction: Signs  # pair: which system is ahead; 1: the first, −1: the second
    p: Floats  # pair: for the system that is ahead
    p_adjusted: Floats  # pair: corrected over all pairs
    plain: MeanInterval  # of the effects
    adjusted: MeanInterval
    printed: MeanInterval | None = None  # as long as those in the paper's tables; for its p alone

    def decisions(self, alpha: float) -> Signs:
        """Which system of the pair is better, or neither (0)."""
        return decided(self.p_adjusted, self.direction, alpha)


def infer(fit: Fit, key: tuple[int, ...], pairs: Pairs, drawing: Drawing) -> Inference:
    """p-values of all pairs, and both intervals of the effects; the key makes draws differ."""
    effects = fit.effects("system")
    direction = sign(effects[pairs.first] - effects[pairs.second])
    if drawing.is_paper:
        return _as_in_the_paper(drawing.bootstrap(fit, key), direction, pairs, drawing)
    single, of_effects = drawing.differences(fit, pairs).p, drawing.effects(fit)
    p, alpha = BH.adjusted(single), drawing.alpha
    rejected = max(1, int(np.count_nonzero(p <= alpha))) / len(p)  # an interval of level 0 would be the whole line
    plain = MeanInterval(pairs.systems, "t", effects, *of_effects.interval(alpha), alpha, drawing.population)
    adjusted = _adjusted(plain, *of_effects.interval(alpha * rejected))
    possible = of_differences(drawing.within)  # of a mean and the mean of all
    return Inference(effects, direction, single, p, plain.within(possible), adjusted.within(possible))


def _as_in_the_paper(drawn: Bootstrap, direction: Signs, pairs: Pairs, drawing: Drawing) -> Inference:
    """The p-values and intervals of sections 3.1 and 2.2.

    With one side p is the share of the worse system's draws that reach the better one, as in Figure 3 of the paper;
    with two it is doubled, as the better one is known from the data. With k of N pairs rejected, the adjusted interval
    leaves α k / 2N of the draws out on each side instead of α / 2. The lengths in the paper's tables are those of
    intervals that leave α k / N per cent out, about 4 of 10,000 draws.
    """
    better = np.where(direction > 0, pairs.first, pairs.second)
    worse = np.where(direction > 0, pairs.second, pairs.first)
    single = np.minimum(1, drawing.sides * drawn.reached[better, worse])
    p, alpha = BH.adjusted(single), drawing.alpha
    rejected = float((p <= alpha).mean())
    ends = drawn.interval(alpha)
    plain = MeanInterval(pairs.systems, "percentile", drawn.effects, *ends, alpha, drawing.population)
    adjusted = _adjusted(plain, *drawn.interval(alpha * rejected))
    printed = _adjusted(plain, *drawn.interval(2 * alpha * rejected / 100), name=PER_CENT)
    return Inference(drawn.effects, direction, single, p, plain, adjusted, printed)


def _adjusted(plain: MeanInterval, low: Floats, high: Floats, *, name: str = ADJUSTED) -> MeanInterval:
    return replace(plain, name=name.format(plain.name), low=low, high=high)


def sign(difference: Floats) -> Signs:
    """Who is ahead; the first system where they are level."""
    return np.where(difference >= 0, 1, -1).astype(np.int8)


def decided(p: Floats, direction: Signs, alpha: float) -> Signs:
    """The system that is ahead where p ≤ α, else neither (0)."""
    return np.where(p <= alpha, direction, 0).astype(np.int8)


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
        return (bench or self.bench).measured(measuring)

    def infer(self, divided: Measured) -> tuple[Inference, Fit]:
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
        facts.draws(drawing.draws or None, of=_DRAWN.get(drawing.drawn or "", "")),
        Fact("drawn", drawing.drawn),
        facts.sides(drawing.sides if drawing.is_paper else None),
        facts.correction(BH.name),
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
        message = "the partition method needs a score in every cell: redraw the split, or drop topics"
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
            f"{parts} relevant documents are {named}; use {'fewer parts, or ' * (parts > 2)}the fill 'drop'"
        )


_OF_DOCUMENTS = ("parts", "splits", "seed", "drawn", "tests_of", "lengths_of", "fill")  # what a table settles


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
