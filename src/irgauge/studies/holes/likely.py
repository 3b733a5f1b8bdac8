"""What likely grades of unjudged documents make of systems and pairs, and whether the model of these grades holds."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from irgauge.brief import Brief
from irgauge.compute.arrays import Floats, Ints
from irgauge.errors import DesignError
from irgauge.inference.corrections import HOLM
from irgauge.inference.hidden_judgments import Hidden, likely_grades
from irgauge.inference.likely_grades import Learned
from irgauge.inference.likely_scores import Held, HoleDraws, LikelyScores
from irgauge.inference.skewed_parts import SkewedParts
from irgauge.inference.verdicts import Verdict, are_constant, equivalence
from irgauge.reading.collection import Collection
from irgauge.reading.judges import Judge, judges_of, settled
from irgauge.reading.judgments import UNJUDGED
from irgauge.reading.rejudging import JudgedPairs, pairs_of
from irgauge.scoring.holes import Bounds
from irgauge.scoring.measures import Measure
from irgauge.scoring.retrieved import Retrieved

CORRECTION = HOLM.name
_BINS = (0.0, 0.01, 0.02, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0)  # of chances to be relevant


@dataclass(frozen=True)
class LikelySystem:
    """A system by a measure, with likely grades of unjudged documents."""

    measure: str
    system: str
    mean: float  # that all judgments would give on these topics: mean over draws
    likely_low: float  # of its interval
    likely_high: float


@dataclass(frozen=True)
class LikelyPair:
    """A pair by a measure, with likely grades of unjudged documents."""

    measure: str
    system: str
    against: str
    difference: float  # of the means that all judgments would give: system minus against
    likely_low: float  # of its interval, for these topics
    likely_high: float
    low: float  # of its interval for other topics, with all pairs and measures together
    high: float
    p: float  # for other topics; NaN where there is one topic
    p_adjusted: float
    verdict: Verdict  # for other topics


@dataclass(frozen=True)
class HiddenCheck:
    """A way of hiding judgments, and how well likely grades of what was hidden hold what is known, by a measure."""

    measure: str
    way: str  # depth, runs or groups
    rank: int | None  # judgments of documents below it are hidden; None where those of runs or groups are
    documents: int  # hidden
    expected: float  # of them relevant, by the model; those of kinds that were rarely judged count less
    relevant: float  # that are, counted alike
    held_systems: float  # share of means that the interval holds as it comes
    held_pairs: float  # the same of differences
    widened_systems: float  # how many times wider intervals were made, by the check that asks for most
    widened_pairs: float


@dataclass(frozen=True)
class CalibrationBin:
    """Hidden documents with about the same chance to be relevant."""

    way: str
    documents: int
    chance: float  # mean, by the model
    share: float  # that is relevant


@dataclass(frozen=True, repr=False)
class Likely(Brief):
    """All that likely grades say."""

    systems: tuple[LikelySystem, ...]
    pairs: tuple[LikelyPair, ...]
    checks: tuple[HiddenCheck, ...]  # by measure; none where too few judgments could be hidden
    curve: tuple[CalibrationBin, ...]
    holes: int  # unjudged documents of all lists
    expected: float  # of them relevant
    draws: int
    seed: int
    judge: str | None = None  # whose grades the model knows too
    graded: int = 0  # unjudged documents that the judge graded
    is_learned: bool = True  # False: nothing is unjudged, or judgments are of one kind of documents and teach nothing

    def _facts(self) -> dict[str, str]:
        return {"pairs": f"{len(self.pairs):,}", "checks": f"{len(self.checks):,}", "holes": f"{self.holes:,}"}


@dataclass(frozen=True, eq=False)
class Asked:
    """What is asked of likely grades."""

    measures: tuple[Measure, ...]
    pairs: Ints  # pair, side: the system, and what it is against
    has_baseline: bool  # which is second in every pair
    alpha: float
    margins: Mapping[str, float]
    draws: int
    seed: int
    judge: Judge | None
    workers: int | None
    groups: Ints | None = None  # system: the number of its group, where these are known


def likely(
    collection: Collection,
    asked: Asked,
    bounds: Sequence[Bounds],
    told: Callable[[int, int], None] | None = None,
) -> Likely:
    """Draw grades of unjudged documents, and score all runs with them; nothing lies outside its certain bounds."""
    retrieved = Retrieved.of(collection)
    judge = None if asked.judge is None else judged_pairs(asked.judge, collection)
    name = None if asked.judge is None else asked.judge.name
    learned, is_hole = Learned(retrieved, judge), retrieved.levels == UNJUDGED
    holes, graded = int(is_hole.sum()), int(learned.is_graded[is_hole].sum())
    if name is not None and holes and not graded:
        raise DesignError(f"the judge '{name}' graded none of {holes:,} unjudged documents; give one that did, or none")
    if not holes or not learned.is_possible:
        return Likely((), (), (), (), holes, 0.0, asked.draws, asked.seed, name, graded, is_learned=False)
    grades, checks = likely_grades(retrieved, judge, asked.groups)
    draws = HoleDraws(grades, checks, asked.measures, asked.draws, asked.seed, asked.workers)
    held = draws.held(asked.pairs, asked.alpha)
    scores = draws.scores(held, told)
    each = list(zip(map(str, asked.measures), scores, bounds, strict=True))
    return Likely(
        systems=tuple(row for measure, own, ends in each for row in _systems(measure, collection, own, ends, asked)),
        pairs=tuple(row for measure, own, ends in each for row in _pairs(measure, collection, own, ends, asked)),
        checks=tuple(_checks(draws, held)),
        curve=tuple(row for check in checks for row in _curve(check)),
        holes=holes,
        expected=float((1 - grades.probabilities[:, 0]).sum()),
        draws=asked.draws,
        seed=asked.seed,
        judge=name,
        graded=graded,
    )


def one_judge(place: str | os.PathLike[str]) -> Judge:
    """The judge that is named."""
    judges = judges_of(place)
    if len(judges) > 1:
        names = ", ".join(judge.name for judge in judges[:3])
        raise DesignError(f"holes takes one judge, and {len(judges)} are given ({names}); name the file of one")
    return judges[0]


def judged_pairs(judge: Judge, collection: Collection) -> JudgedPairs:
    """What a judge says of documents of a collection; of two grades for one, the first."""
    qrels, _ = settled(judge.read(), "first")
    return pairs_of(qrels, collection)


def _systems(
    measure: str, collection: Collection, scores: LikelyScores, bounds: Bounds, asked: Asked
) -> Iterator[LikelySystem]:
    """Best first."""
    means, half = scores.of_systems(asked.alpha)
    low, high = _within(means, half, bounds.systems.least.mean(axis=0), bounds.systems.most.mean(axis=0))
    for s in np.argsort(-means, kind="stable").tolist():
        yield LikelySystem(measure, collection.systems[s], float(means[s]), float(low[s]), float(high[s]))


def _within(estimate: Floats, half: Floats, least: Floats, most: Floats) -> tuple[Floats, Floats]:
    """The ends of intervals, without what is not possible."""
    return np.clip(estimate - half, least, most), np.clip(estimate + half, least, most)


def _pairs(
    measure: str, collection: Collection, scores: LikelyScores, bounds: Bounds, asked: Asked
) -> Iterator[LikelyPair]:
    """Best first; without a baseline the better system of each comes first."""
    means, places = scores.drawn.means.mean(axis=0), asked.pairs
    turned = (means[places[:, 0]] < means[places[:, 1]]) & (not asked.has_baseline)
    places = np.where(turned[:, None], places[:, ::-1], places)
    order = np.lexsort((-means[places[:, 1]], -means[places[:, 0]]))
    places, ends = places[order], np.stack([bounds.pairs.least.mean(axis=0), bounds.pairs.most.mean(axis=0)])
    least, most = np.where(turned, -ends[::-1], ends)[:, order]
    difference, half = scores.of_pairs(places, asked.alpha)
    low, high = _within(difference, half, least, most)
    tested = _Tested.of(difference, scores.parts(places), asked, asked.margins.get(measure))
    for p, (first, second) in enumerate(places.tolist()):
        yield LikelyPair(
            measure=measure,
            system=collection.systems[first],
            against=collection.systems[second],
            difference=float(difference[p]),
            likely_low=float(low[p]),
            likely_high=float(high[p]),
            low=float(tested.low[p]),
            high=float(tested.high[p]),
            p=float(tested.p[p]),
            p_adjusted=float(tested.p_adjusted[p]),
            verdict=tested.verdicts[p],
        )


@dataclass(frozen=True, eq=False)
class _Tested:
    """Differences tested for other topics, all pairs together; each of several measures has its share of α."""

    p: Floats
    p_adjusted: Floats
    low: Floats  # of the interval
    high: Floats
    verdicts: tuple[Verdict, ...]

    @classmethod
    def of(cls, difference: Floats, parts: SkewedParts, asked: Asked, margin: float | None) -> _Tested:
        unknown = np.full(len(difference), np.nan)
        if not np.isfinite(parts.variance).all() or not len(difference):  # one topic
            nothing: Verdict = "inconclusive"
            return cls(unknown, unknown, unknown, unknown, (nothing,) * len(difference))
        measures, is_constant = len(asked.measures), are_constant(difference, parts)
        outcome = parts.tested(difference, HOLM.interval_level(asked.alpha / measures, len(difference)))
        p = np.where(is_constant, 1.0, np.minimum(1.0, outcome.p))
        ends = np.where(is_constant, -np.inf, outcome.low), np.where(is_constant, np.inf, outcome.high)
        adjusted = np.minimum(1.0, measures * HOLM.adjusted(p))
        if margin is None:
            rows = zip(difference, adjusted, strict=True)
            return cls(p, adjusted, *ends, tuple(_verdict(*row, asked.alpha) for row in rows))
        both = equivalence(
            difference,
            parts.towards(np.sign(difference)),
            margin=margin,
            alpha=asked.alpha,
            correction=CORRECTION,
            share=1 / measures,
            sides=(parts, parts.towards(-np.ones_like(difference))),
        )
        return cls(p, both.p_difference, *ends, both.verdicts)


def _verdict(difference: float, p: float, alpha: float) -> Verdict:
    if p > alpha:
        return "inconclusive"
    return "better" if difference > 0 else "worse"


def _checks(draws: HoleDraws, held: Mapping[str, Sequence[Held]]) -> Iterator[HiddenCheck]:
    """By measure, every way of hiding."""
    for m, (measure, factors) in enumerate(zip(draws.measures, draws.widened(held), strict=True)):
        yield from (_check(str(measure), check, held[check.way][m], factors) for check in draws.checks)


def _check(measure: str, check: Hidden, held: Held, factors: tuple[float, float]) -> HiddenCheck:
    return HiddenCheck(
        measure=measure,
        way=check.way,
        rank=check.rank,
        documents=len(check.pairs),
        expected=float(check.weights @ check.chances),
        relevant=float(check.weights @ check.relevant),
        held_systems=held.systems,
        held_pairs=held.pairs,
        widened_systems=factors[0],
        widened_pairs=factors[1],
    )


def _curve(check: Hidden) -> Iterator[CalibrationBin]:
    """Documents in bins of their chance to be relevant, counted by their weights."""
    bins = np.clip(np.digitize(check.chances, _BINS) - 1, 0, len(_BINS) - 2)
    for place in np.unique(bins):
        own = bins == place
        weights = check.weights[own]
        chance, share = (float(np.average(of, weights=weights)) for of in (check.chances[own], check.relevant[own]))
        yield CalibrationBin(check.way, int(own.sum()), chance, share)
