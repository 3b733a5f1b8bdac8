"""Every method is tried for one population: worlds, pairs, halves, intervals; and what is found."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, partial

import numpy as np

from irgauge.calibrating import halves, power, trials
from irgauge.calibrating.kinds import check_kinds, kind_worlds, tried_on_kinds
from irgauge.calibrating.methods import Method, Setting, compared, methods
from irgauge.calibrating.power import TOPICS
from irgauge.calibrating.sampled_worlds import cluster_means, sampled_worlds
from irgauge.calibrating.trials import rate, verdict_of
from irgauge.calibrating.worlds import HALF_BETTER, RESAMPLED, Drawn, World, rare, worlds
from irgauge.compute.arrays import Floats
from irgauge.compute.tasks import counting, each
from irgauge.inference.corrections import DEFAULT
from irgauge.inference.tests.registry import TESTS
from irgauge.options.progress import Progress
from irgauge.reading.topic_slices import Slice
from irgauge.scoring.measures import Range
from irgauge.studies.calibrate.calibration import Calibration, Errors, Found, IntervalCoverage
from irgauge.studies.calibrate.options import CalibrateOptions

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
    slices: tuple[Slice, ...] = ()  # kinds of topics on which claims are made too
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


def _worlds(values: Floats, setting: Setting) -> Iterator[World]:
    if setting.sampling is not None:
        return sampled_worlds(values, setting.sampling)
    return worlds(values, setting.population)


class _Trying:
    """The work for one population, which is counted for its progress."""

    def __init__(self, data: PopulationScores, setting: Setting, drawing: ExperimentDraws) -> None:
        self._data, self._setting, self._drawing = data, setting, drawing
        if data.slices:
            check_kinds(data.values, data.slices, setting)
        self._worlds = list(_worlds(data.values, setting))
        self._on_kinds = list(kind_worlds(data.values, data.slices, setting.sampling)) if data.slices else []
        self._pairs = power.MovedPairs.of(data.values.mean(axis=2), drawing.sizes.draws, drawing.seed, setting.baseline)
        self._then = counting(drawing.progress, self._steps())

    @property
    def _is_of_topics(self) -> bool:
        return self._setting.population == "topics"

    @property
    def _is_drawn_one_by_one(self) -> bool:
        """Whether experiments with more topics, or half of them, are known to look like this one."""
        return self._setting.sampling is None

    def _steps(self) -> int:
        """How often progress is told."""
        sizes, worlds_ = self._drawing.sizes, len(self._worlds) + 1 + (self._drawing.margin is not None)
        steps = trials.blocks_of(sizes.trials, self._setting) * worlds_ + len(self._sides()) * sizes.splits
        steps += sizes.trials * len(self._on_kinds)
        if self._is_of_topics:
            steps += sizes.trials  # of intervals of means
        if self._is_of_topics and self._is_drawn_one_by_one:
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
            errors=tuple(
                row for world in (*tried, half, *self._tried_on_kinds()) for row in self._judged(world, "error")
            ),
            verdicts=tuple(self._verdicts()),
            found=tuple(self._found(half, delta)),
            coverage=(*self._of_means(), *(pair for world in tried for pair in self._of_pairs(world))),
            powers=tuple(self._powers()),
            holds_up=tuple(self._holds_up()),
            detectable=self._detectable(),
            rare=rare(self._units, setting.population),
        )

    @property
    def _units(self) -> Floats:
        """What is drawn by itself: topics, or the means of clusters; topic or cluster, system, shard."""
        sampling, values = self._setting.sampling, self._data.values
        return values if sampling is None else cluster_means(values, sampling)

    def _tried_on_kinds(self) -> Iterator[trials.Tried]:
        drawing = self._drawing
        for world in self._on_kinds:
            yield tried_on_kinds(
                world,
                self._setting,
                drawing.sizes.trials,
                seed=drawing.seed,
                workers=drawing.workers,
                then=self._then,
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
            values, sampling = self._data.values, self._setting.sampling
            means = values if sampling is None else sampling.means(values)
            margin = abs(share * float(means.mean()))  # where systems are equal, the baseline has this mean
        world = self._flipped.by_thirds(margin, of_first=share is not None)
        yield from self._judged(self._tried(world, margin), "verdict")

    @property
    def _flipped(self) -> World:
        return next(world for world in self._worlds if world.name == "flipped")

    def _typical_reach(self) -> float:
        """Half of the length of the median interval that holds for all pairs together."""
        family = [method.test for method in methods(self._setting) if self._setting.is_of_all(method)]
        values = self._data.values
        drawn = Drawn(values, np.zeros(values.shape[1]), self._setting.sampling)
        comparison = compared(family[0], drawn, self._setting, 0, DEFAULT.name)
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
        if not self._is_of_topics or not self._is_drawn_one_by_one:
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
        if not self._is_of_topics or not self._is_drawn_one_by_one:
            return {}
        count, drawing = len(self._data.values), self._drawing
        search = partial(power.detectable, pairs=self._pairs, setting=self._setting, topics=count, seed=drawing.seed)
        rows = each(search, power.of_pairs(self._setting), drawing.workers, named="test")
        return {row.test: row for row in rows}

    def _sides(self) -> list[halves.Halved]:
        """What is halved: topics for claims about topics, shards for those about documents or shards."""
        if not self._is_drawn_one_by_one:
            return []
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
