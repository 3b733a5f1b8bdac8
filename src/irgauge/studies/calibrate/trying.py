"""Every method is tried for one population: worlds, pairs, halves, intervals; and what is found."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial

import numpy as np

from irgauge.brief import OneLine
from irgauge.calibrating import halves, power, trials
from irgauge.calibrating.halves import HoldsUp
from irgauge.calibrating.methods import Method, Setting, compared, methods
from irgauge.calibrating.power import TOPICS, Detectable, Power
from irgauge.calibrating.trials import Rate, Verdict, in_all, rate, verdict_of
from irgauge.calibrating.worlds import HALF_BETTER, RESAMPLED, Drawn, World, rare, worlds
from irgauge.compute.arrays import Floats
from irgauge.compute.tasks import counting, each
from irgauge.inference.corrections import DEFAULT, Promise
from irgauge.inference.tests.registry import TESTS, default_test
from irgauge.models.anova import Population
from irgauge.options.progress import Progress
from irgauge.scoring.measures import Range
from irgauge.studies.calibrate.options import CalibrateOptions

_LITTLE = 0.25  # of what another test finds
KEEPING: tuple[Verdict, ...] = ("keeps its promise", "conservative")


@dataclass(frozen=True)
class Errors:
    """How often a method errs in a world."""

    method: Method
    world: str
    systems: int
    nominal: float
    rate: Rate
    verdict: Verdict


@dataclass(frozen=True)
class Found:
    """What a method finds where half of the systems are better by δ."""

    method: Method
    delta: float
    rate: Rate


@dataclass(frozen=True)
class IntervalCoverage:
    """How often an interval holds the truth."""

    name: str  # the mean, an interval that is for comparing systems, or a test
    of: str  # mean, one pair, or all pairs
    nominal: float
    rate: Rate
    verdict: Verdict


@dataclass(frozen=True)
class MethodPromise:
    """A method, the world in which it errs most, whether it keeps its promise in all, and what it finds."""

    method: Method
    worst: Errors
    verdict: Verdict
    found: Found | None

    @property
    def power(self) -> float:
        """The share of true differences that it finds."""
        return 0.0 if self.found is None else self.found.rate.observed


@dataclass(frozen=True, eq=False, repr=False)
class Calibration(OneLine):
    """All that was found for a population."""

    population: Population
    systems: int
    pairs: int
    topics: int
    trials: int
    errors: tuple[Errors, ...]
    verdicts: tuple[Errors, ...]  # against a margin
    found: tuple[Found, ...]
    coverage: tuple[IntervalCoverage, ...]
    powers: tuple[Power, ...]
    holds_up: tuple[HoldsUp, ...]
    detectable: Mapping[str, Detectable]  # test
    rare: int = 0  # systems whose differences rest on hardly any topic: no test can be judged by these topics

    @cached_property
    def kept(self) -> tuple[MethodPromise, ...]:
        """Each method: in which world it errs most, and whether it keeps its promise."""
        return tuple(self._kept())

    def _kept(self) -> Iterator[MethodPromise]:
        power = {row.method: row for row in self.found}
        for method in dict.fromkeys(error.method for error in self.errors):
            own = [error for error in self.errors if error.method == method]
            worst = max(own, key=lambda error: error.rate.observed)
            verdicts = [error.verdict for error in own]
            if self.rare or not self._judging(method.promise) <= {error.world for error in own}:
                verdicts.append("cannot be judged")
            yield MethodPromise(method, worst, in_all(verdicts), power.get(method))

    def _judging(self, promise: Promise) -> set[str]:
        """The worlds that tell of a promise."""
        return {error.world for error in self.errors if error.method.promise == promise}

    @property
    def advised(self) -> MethodPromise:
        """The method for all pairs together that finds most of those that surely keep their promise.

        If none does, or those find next to nothing, the usual one, which is cautious, unless it breaks its promise;
        then the one of those that may keep it that errs least, and if none may, the one that errs least of all.
        """
        candidates = self._candidates()
        surely = [candidate for candidate in candidates if candidate.verdict in KEEPING]
        perhaps = [candidate for candidate in candidates if candidate.verdict not in (*KEEPING, "liberal")]
        best = [max(surely, key=lambda kept: kept.power)] if surely else []
        if perhaps:
            best.append(min(perhaps, key=self._caution))
        if not best:
            return min(candidates, key=lambda kept: kept.worst.rate.observed)
        return best[-1] if best[0].power < _LITTLE * best[-1].power else best[0]

    def _candidates(self) -> list[MethodPromise]:
        """For all pairs together, where there are; of means, which ranks say nothing of, on topics that are matched."""
        promise = "any pair" if self.pairs > 1 else "each pair"
        tests = {kept.method.test: TESTS[kept.method.test] for kept in self.kept}
        matched = [
            kept for kept in self.kept if tests[kept.method.test].is_paired and not tests[kept.method.test].is_of_ranks
        ]
        return [kept for kept in matched if kept.method.promise == promise] or matched

    def _caution(self, kept: MethodPromise) -> tuple[bool, float, float]:
        """The usual test first; then what errs least, errors as promised being as good as fewer."""
        worst = kept.worst
        is_usual = kept.method.test == default_test(self.population).name
        return not is_usual, max(worst.rate.observed, worst.nominal), -kept.power

    @property
    def liberal(self) -> Sequence[MethodPromise]:
        """The methods that break their promise, the worst first."""
        broken = [kept for kept in self.kept if kept.verdict == "liberal"]
        return sorted(broken, key=lambda kept: -kept.worst.rate.observed)


_FULL, _QUICK = (4_000_000, 400, 2000), (200_000, 40, 200)  # pairs in all, the fewest and the most experiments


@dataclass(frozen=True)
class Sizes:
    """What is drawn for one population."""

    trials: int  # experiments of a world
    splits: int  # into halves
    draws: int  # of real pairs, whose power is looked at
    topics: tuple[int, ...]  # numbers of them

    @classmethod
    def of(cls, options: CalibrateOptions, setting: Setting, topics: int) -> Sizes:
        """The more pairs, the fewer experiments, so that the time stays about the same."""
        work, fewest, most = _QUICK if options.quick else _FULL
        trials = options.trials or min(max(work // setting.pairs, fewest), most)
        counts = {topics, 25, 100} if options.quick else {topics, *TOPICS}
        return cls(
            trials,
            max(2, min(trials, 10 if options.quick else 100)),
            400 if options.quick else 2000,
            tuple(sorted(counts)),
        )


_FEW_TIES = 0.05  # a share of topics


@dataclass(frozen=True, eq=False)
class PopulationScores:
    """The scores that answer for a population, the baseline first, then the others from the best on."""

    values: Floats  # topic, system, shard
    within: Range | None
    others: tuple[tuple[str, halves.Sides], ...] = ()  # other experiments on these systems, by what they are


@dataclass(frozen=True)
class ExperimentDraws:
    """How experiments are drawn."""

    sizes: Sizes
    margin: float | None
    seed: int
    workers: int | None
    progress: Progress | None


def calibrated(data: PopulationScores, setting: Setting, drawing: ExperimentDraws) -> Calibration:
    """Try every method."""
    return _Trying(data, setting, drawing).all()


class _Trying:
    """The work for one population, which is counted for its progress."""

    def __init__(self, data: PopulationScores, setting: Setting, drawing: ExperimentDraws) -> None:
        self._data, self._setting, self._drawing = data, setting, drawing
        self._worlds = list(worlds(data.values, setting.population))
        self._pairs = power.MovedPairs.of(data.values.mean(axis=2), drawing.sizes.draws, drawing.seed, setting.baseline)
        self._then = counting(drawing.progress, self._steps())

    @property
    def _is_of_topics(self) -> bool:
        return self._setting.population == "topics"

    def _steps(self) -> int:
        """How often progress is told."""
        sizes, worlds_ = self._drawing.sizes, len(self._worlds) + 1 + (self._drawing.margin is not None)
        steps = trials.blocks_of(sizes.trials, self._setting) * worlds_ + len(self._sides()) * sizes.splits
        if self._is_of_topics:
            steps += sizes.trials  # of intervals of means
            steps += len(power.of_pairs(self._setting)) * len(self._deltas()) * len(sizes.topics)
        return steps + len(self._data.others)

    def all(self) -> Calibration:
        """One after the other."""
        setting, values = self._setting, self._data.values
        tried = [self._tried(world) for world in self._worlds]
        delta = self._typical_reach()
        half = self._tried(self._flipped.better(delta))
        return Calibration(
            population=setting.population,
            systems=values.shape[1],
            pairs=setting.pairs,
            topics=len(values),
            trials=self._drawing.sizes.trials,
            errors=tuple(row for world in (*tried, half) for row in self._judged(world, "error")),
            verdicts=tuple(self._verdicts()),
            found=tuple(self._found(half, delta)),
            coverage=(*self._of_means(), *(pair for world in tried for pair in self._of_pairs(world))),
            powers=tuple(self._powers()),
            holds_up=tuple(self._holds_up()),
            detectable=self._detectable(),
            rare=rare(values, setting.population),
        )

    def _tried(self, world: World, margin: float | None = None) -> trials.Tried:
        drawing = self._drawing
        return trials.tried(
            world,
            self._setting,
            drawing.sizes.trials,
            seed=drawing.seed,
            margin=margin,
            workers=drawing.workers,
            then=self._then,
        )

    def _judged(self, tried: trials.Tried, counted: trials.Counted) -> Iterator[Errors]:
        alpha = self._setting.alpha
        for (method, what), shares in tried.found.items():
            if what == counted and self._is_fair(method, tried.world):
                yield Errors(method, tried.world, tried.systems, alpha, rate(shares), verdict_of(shares, alpha))

    def _is_fair(self, method: Method, world: str) -> bool:
        """Whether a world tells of a method.

        Moved to one mean, equal scores are equal no more, and all on one side: ranks and signs take that for a
        difference. Where half of the systems are better, a share of all pairs says nothing of those that are equal.
        """
        if world == HALF_BETTER:
            return method.promise != "each pair"
        return world != RESAMPLED or not TESTS[method.test].is_of_ranks or self._ties <= _FEW_TIES

    @cached_property
    def _ties(self) -> float:
        """The share of equal scores, over topics and pairs with the first system."""
        values = self._data.values.mean(axis=2)
        return float((values[:, 1:] == values[:, :1]).mean())

    def _found(self, half: trials.Tried, delta: float) -> Iterator[Found]:
        """Half of the systems are better by what the usual test finds with a chance of about one half."""
        for (method, counted), shares in half.found.items():
            if counted == "power":
                yield Found(method, delta, rate(shares))

    def _verdicts(self) -> Iterator[Errors]:
        margin, share = self._drawing.margin, self._setting.share
        if margin is None:
            return
        if share is not None:
            margin = abs(share * float(self._data.values.mean()))  # where systems are equal, the baseline has this mean
        world = self._flipped.by_thirds(margin, of_first=share is not None)
        yield from self._judged(self._tried(world, margin), "verdict")

    @property
    def _flipped(self) -> World:
        return next(world for world in self._worlds if world.name == "flipped")

    def _typical_reach(self) -> float:
        """Half of the length of the median interval that holds for all pairs together."""
        family = [method.test for method in methods(self._setting) if self._setting.is_of_all(method)]
        values = self._data.values
        comparison = compared(family[0], Drawn(values, np.zeros(values.shape[1])), self._setting, 0, DEFAULT.name)
        half = (comparison.high - comparison.low) / 2
        known = half[np.isfinite(half) & (half > 0)]
        return power.one_digit(float(np.median(known))) if len(known) else 0.1

    def _of_means(self) -> Iterator[IntervalCoverage]:
        if not self._is_of_topics:
            return
        drawing = self._drawing
        shares = trials.lacking(
            self._data.values.mean(axis=2),
            self._setting,
            drawing.sizes.trials,
            within=self._data.within,
            seed=drawing.seed,
            workers=drawing.workers,
            then=self._then,
        )
        for name, lacking in shares.items():
            yield self._covering(name, "mean", lacking)

    def _of_pairs(self, tried: trials.Tried) -> Iterator[IntervalCoverage]:
        for (method, what), lacking in tried.found.items():
            if what == "lacking":
                yield self._covering(method.test, "one pair" if method.promise == "each pair" else "all pairs", lacking)

    def _covering(self, name: str, of: str, lacking: Floats) -> IntervalCoverage:
        alpha = self._setting.alpha
        return IntervalCoverage(name, of, 1 - alpha, rate(1 - lacking), verdict_of(lacking, alpha))

    def _deltas(self) -> list[float]:
        return self._pairs.deltas(self._drawing.margin)

    def _powers(self) -> Sequence[power.Power]:
        if not self._is_of_topics:
            return ()
        drawing = self._drawing
        return power.powers(
            self._pairs,
            self._setting,
            self._deltas(),
            drawing.sizes.topics,
            seed=drawing.seed,
            workers=drawing.workers,
            then=self._then,
        )

    def _detectable(self) -> dict[str, power.Detectable]:
        if not self._is_of_topics:
            return {}
        count, drawing = len(self._data.values), self._drawing
        search = partial(power.detectable, pairs=self._pairs, setting=self._setting, topics=count, seed=drawing.seed)
        rows = each(search, power.of_pairs(self._setting), drawing.workers, named="test")
        return {row.test: row for row in rows}

    def _sides(self) -> list[halves.Halved]:
        """What is halved: topics for claims about topics, shards for those about documents or shards."""
        topics, _, shards = self._data.values.shape
        of: halves.Halved = "shards" if self._setting.population in ("documents", "shards") else "topics"
        return [of] if (topics if of == "topics" else shards) >= halves.FEWEST else []

    def _holds_up(self) -> Iterator[halves.HoldsUp]:
        drawing = self._drawing
        for of in self._sides():
            split = halves.halves(self._data.values, of, drawing.sizes.splits, drawing.seed)
            yield from self._held_up(split, f"halves of {of}")
        for name, sides in self._data.others:
            yield from self._held_up([sides], name)

    def _held_up(self, sides: Sequence[halves.Sides], between: str) -> list[halves.HoldsUp]:
        drawing = self._drawing
        return halves.held_up(
            sides, self._setting, between, margin=drawing.margin, workers=drawing.workers, then=self._then
        )
