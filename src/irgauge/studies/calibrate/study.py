"""Which test and which interval keep their promise on these data, and what can they find?"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any, ClassVar

import numpy as np

from irgauge.calibrating.methods import TRIED, Setting
from irgauge.calibrating.trials import Rate
from irgauge.errors import DesignError
from irgauge.inference import facts
from irgauge.inference.corrections import correction
from irgauge.inference.margins import Margin
from irgauge.inference.sampling import Sampling
from irgauge.models.anova import Population
from irgauge.options.verbs import verb
from irgauge.provenance import Fact, Provenance
from irgauge.reading.topic_slices import Slice, slices_of
from irgauge.replicates.data import Data, baseline_of, check_kept
from irgauge.replicates.facts import seed
from irgauge.replicates.given import Given, one_measure, opened, whole_and_shards
from irgauge.replicates.measured import Measured, Measuring
from irgauge.scoring.measures import Measure, range_of
from irgauge.studies.calibrate.calibration import Calibration, Errors
from irgauge.studies.calibrate.options import CalibrateOptions
from irgauge.studies.calibrate.scores_tried import data_of, other_scores
from irgauge.studies.calibrate.trying import ExperimentDraws, PopulationScores, Sizes, calibrated
from irgauge.studies.navigation import for_population
from irgauge.studies.page_rate import PageRate, page_rate
from irgauge.studies.registry import report_parts
from irgauge.studies.report_part import Reporting, standings
from irgauge.studies.result import Result
from irgauge.studies.sampled import check_one_corpus, sampling
from irgauge.studies.tested import claimable
from irgauge.wording import counted, listed


def error_records(each: Iterable[Calibration]) -> list[dict[str, Any]]:
    """A row for each method and world."""
    return [_error(row) for calibration in each for row in (*calibration.errors, *calibration.verdicts)]


def _error(row: Errors) -> dict[str, Any]:
    of = {name: getattr(row.method, name) for name in ("population", "test", "correction", "way")}
    what = {"promise": row.method.promise, "world": row.world, "systems": row.systems, "nominal": row.nominal}
    return of | what | asdict(row.rate) | {"verdict": row.verdict}


def content(calibration: Calibration) -> dict[str, Any]:
    """All of a population."""
    advised = calibration.advised
    named = {name: getattr(calibration, name) for name in ("population", "systems", "pairs", "topics", "trials")}
    return named | {
        "advised": {
            "test": advised.method.test,
            "correction": advised.method.correction,
            "verdict": advised.verdict,
            "worst": _error(advised.worst),
        },
        "rare": calibration.rare,
        "errors": error_records([calibration]),
        "power_of_families": [
            {"test": row.method.test, "correction": row.method.correction, "delta": row.delta} | asdict(row.rate)
            for row in calibration.found
        ],
        "power_of_pairs": [
            {"test": row.test, "topics": row.topics, "delta": row.delta}
            | _of(row.single, "single")
            | _of(row.family, "family")
            for row in calibration.powers
        ],
        "detectable": [asdict(row) for row in calibration.detectable.values()],
        "coverage": [
            {"interval": row.name, "of": row.of, "nominal": row.nominal} | asdict(row.rate) | {"verdict": row.verdict}
            for row in calibration.coverage
        ],
        "holds_up": [
            {"test": row.method.test, "correction": row.method.correction}
            | {name: value for name, value in asdict(row).items() if name != "method"}
            for row in calibration.holds_up
        ],
    }


def _of(rate: Rate | None, name: str) -> dict[str, float | None]:
    numbers = (None, None) if rate is None else (rate.observed, rate.error)
    return dict(zip((name, f"{name}_error"), numbers, strict=True))


_FEWEST_TOPICS = 5
_DRAWS = {True: 99, False: 199}  # of tests that draw, at least, where it is to be quick and where not


@dataclass(frozen=True, eq=False, repr=False)
class Calibrated(Result):
    """What every method is worth on these data, by population; the one asked for first."""

    study: ClassVar[str] = "calibrate"
    part: ClassVar[str] = "population"

    measure: str
    each: tuple[Calibration, ...]  # population
    alpha: float
    margin: float | None
    baseline: str | None
    seed: int
    draws: int
    is_quick: bool
    facts: Provenance  # of what was measured
    page: PageRate | None = None  # how often a page says something false, if that was asked for
    sampling: Sampling | None = None  # how topics came together, where they were not drawn one by one
    by: tuple[str, ...] = ()  # columns of topics, on whose kinds claims are tried too

    def population(self, name: str) -> Calibrated:
        """What was found for one population alone."""
        return replace(self, each=(for_population(self.each, name),))

    @property
    def parts(self) -> Mapping[str, Calibration]:
        """Population -> what was found for it."""
        return {calibration.population: calibration for calibration in self.each}

    @property
    def first(self) -> Calibration:
        """What was found for the population asked for."""
        return self.each[0]

    def of(self, population: str | None = None) -> Calibration:
        """What was found for a population; for the one asked for, if none is named."""
        calibrations = [calibration for calibration in self.each if population in (None, calibration.population)]
        if not calibrations:
            there = ", ".join(calibration.population for calibration in self.each)
            raise DesignError(f"nothing was tried for the population '{population}'; there is {there}")
        return calibrations[0]

    @property
    def provenance(self) -> Provenance:
        """What was drawn, of what, and how often."""
        first = self.first
        return Provenance.of(
            facts.test("all tests of pairs, and intervals"),
            facts.family(self._family),
            facts.alpha(self.alpha),
            facts.population(", ".join(each.population for each in self.each)),
            facts.margin(self.margin),
            Fact("trials", first.trials, f"{counted(first.trials, 'experiment')} of each kind"),
            facts.draws(self.draws),
            facts.sampling(self.sampling),
            Fact("by", list(self.by) or None, f"kinds of topics by {listed(self.by)}" if self.by else ""),
            self.facts,
            seed(self.seed),
        )

    @property
    def _family(self) -> str:
        pairs = self.first.pairs
        if pairs == 1:
            return "1 pair"
        return f"all {pairs:,} pairs" if self.baseline is None else f"{pairs:,} pairs with baseline {self.baseline}"

    def frame_rows(self, name: str) -> Iterable[Mapping[str, Any]]:  # noqa: ARG002  # there is one frame
        """A row for each method and world: how often it errs, and the verdict."""
        return error_records(self.each)

    def content(self) -> dict[str, Any]:
        """Everything, by population."""
        return {
            "measure": self.measure,
            "margin": self.margin,
            "populations": [content(calibration) for calibration in self.each],
            "page_rate": self.page,
        }


@verb(CalibrateOptions)
def calibrate(data: Given, options: CalibrateOptions) -> Calibrated:
    """Try every test and interval on experiments that are drawn to look like this one, and whose truth is known.

    For other topics there are three worlds in which systems are equally good: systems change places on each topic
    (permuted), the sign of their differences is drawn for each topic (flipped), topics are drawn with replacement
    around equal means (resampled). For other documents the parts of shards are drawn in these ways. A method keeps
    its promise if it errs no more often than it says in any world. Its power is what it finds where half of the
    systems are better; that of tests of single pairs is also given by size of difference and number of topics.

    Topics in clusters (`cluster`) change places, signs and are drawn as a whole, with their weights (`weights`) and
    within kinds of known shares (`shares`): tests that know of it are tried beside those that take topics one by one.
    For claims on kinds (`by`) systems are equally good on every kind, and anything found on any of them is false.

    >>> from irgauge.simulation.collections import Design, simulate
    >>> runs = simulate(Design(systems=4, families=2, topics=20, depth=60, corpus_size=900)).collection()
    >>> found = calibrate(runs, "AP", quick=True, trials=20)
    >>> found.first.pairs, [one.world for one in found.first.errors[:1]]
    (6, ['permuted'])
    """
    runs = opened(data, options.workers, missing=options.missing, **options.about_topics)
    if options.baseline is not None:
        options = replace(options, baseline=baseline_of(runs, options.baseline))
    (measure,) = one_measure(runs, options.measure)
    wanted = Measuring(
        (measure,), options.shards, options.fill, options.keep_systems, options.seed, sparse=options.sparse
    )
    whole, shards = whole_and_shards(runs, wanted)
    _check(whole, options)
    check_one_corpus(options, shards.shards)
    sampled = sampling(whole.scores, options)
    slices = slices_of(whole.scores.about, options.slice_columns, whole.scores.topics)
    other = other_scores(runs, options, measure, whole.scores.systems)
    margin = _margin(whole, options, sampled)
    each = tuple(_calibrations((whole, shards, other), options, margin, sampled, slices))
    return Calibrated(
        measure=str(measure),
        each=each,
        alpha=options.alpha,
        margin=margin,
        baseline=options.baseline,
        seed=options.seed,
        draws=_draws(options),
        is_quick=options.quick,
        facts=shards.provenance,
        page=_page(runs, measure, options) if options.page else None,
        sampling=sampled,
        by=options.slice_columns,
    )


def _page(data: Data, measure: Measure, options: CalibrateOptions) -> PageRate:
    """How often a report by this measure says something false where there are no differences."""
    parts = report_parts()
    asked = Reporting(
        data=data,
        measures=(measure,),
        shards=options.shards,
        sparse=options.sparse,
        alpha=options.alpha,
        seed=options.seed,
        baseline=options.baseline,
        margin=options.margin,
        by=options.slice_columns,
    )
    return page_rate(replace(asked, standings=standings(parts, asked)), parts, options.page)


def _calibrations(
    measured: tuple[Measured, Measured, Measured | None],
    options: CalibrateOptions,
    margin: float | None,
    sampled: Sampling | None,
    slices: tuple[Slice, ...],
) -> Iterator[Calibration]:
    """For each population: by scores on the whole corpus, on shards, and of other judgments."""
    whole, shards, other = measured
    populations = claimable(shards, options.population)
    wanted: tuple[Population, ...] = populations if options.population is None else populations[:1]
    for population in wanted:
        data, systems = data_of(population, whole, shards, options, other)
        if population == "topics":
            data = replace(data, slices=slices)
        setting = Setting(
            population,
            systems,
            options.alpha,
            options.baseline,
            _draws(options),
            _corrections(options),
            share=_share(options, data),
            sampling=sampled,
        )
        sizes = Sizes.of(options, setting, len(data.values))
        yield calibrated(data, setting, ExperimentDraws(sizes, margin, options.seed, options.workers, options.told))


def _corrections(options: CalibrateOptions) -> tuple[str, ...]:
    """The usual ones, and the one asked for."""
    more = () if options.correction is None else (correction(options.correction).name,)
    return tuple(dict.fromkeys((*TRIED, *more)))


def _draws(options: CalibrateOptions) -> int:
    """So many draws B that α (B + 1) is whole: then the level of a test is exact.

    >>> _draws(CalibrateOptions(quick=True)), _draws(CalibrateOptions(alpha=0.005, quick=True))
    (99, 199)
    """
    least = _DRAWS[options.quick] + 1
    return round(math.ceil(least * options.alpha - 1e-9) / options.alpha) - 1


def _check(whole: Measured, options: CalibrateOptions) -> None:
    topics, systems, _ = whole.values().shape
    if topics < _FEWEST_TOPICS or systems < 2:
        raise DesignError(
            f"a calibration needs at least {_FEWEST_TOPICS} topics and 2 systems; given: topics: {topics}, "
            f"systems: {systems}"
        )
    if not np.ptp(whole.values() - whole.values()[:, :1], axis=0).any():
        raise DesignError(
            "systems differ by the same amount on every topic, or not at all: there is nothing to draw from; give "
            "scores that vary"
        )
    check_kept(whole.scores.systems, options.baseline, options.keep_systems)


def _share(options: CalibrateOptions, data: PopulationScores) -> float | None:
    """The share of the baseline's mean that the margin is, below 0 as that is; None if it is an amount."""
    margin = None if options.margin is None else Margin.parse(options.margin)
    if margin is None or not margin.is_share:
        return None
    return math.copysign(margin.amount, data.values[:, 0].mean())


def _margin(whole: Measured, options: CalibrateOptions, sampled: Sampling | None) -> float | None:
    """In the unit of the measure."""
    if options.margin is None:
        return None
    by_topic = whole.by_topic()
    over = by_topic.mean(axis=0) if sampled is None else sampled.means(by_topic)
    means = dict(zip(whole.scores.systems, over.tolist(), strict=True))
    mean = None if options.baseline is None else means[options.baseline]
    return Margin.parse(options.margin).of(mean, range_of(whole.scores.measures[0], whole.values()))
