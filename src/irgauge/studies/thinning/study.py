"""Does the order of systems hold with fewer judgments, and do measures tell as many pairs apart?"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass
from itertools import combinations
from typing import Any, ClassVar, NamedTuple

import numpy as np

from irgauge.compute.arrays import Floats
from irgauge.errors import DesignError
from irgauge.inference import facts
from irgauge.inference.discriminative import HSD, TITLES, randomised_hsd
from irgauge.inference.orders import kendall_tau
from irgauge.inference.two_orders import effects_rmse, taus_ap_b
from irgauge.options.verbs import verb
from irgauge.provenance import Fact, Provenance, fact
from irgauge.reading.collection import Collection
from irgauge.reading.facts import missing
from irgauge.replicates import facts as data_facts
from irgauge.replicates.given import Given, bench
from irgauge.replicates.thinning import Thinned, thinned, unthinned
from irgauge.scoring.direction import HIGHER, sign_of
from irgauge.scoring.measures import Measure, parse_measures
from irgauge.scoring.scores import score
from irgauge.studies.result import Result
from irgauge.studies.thinning.options import WAYS, ThinningOptions, WayName

ALL = "all"  # judgments
LEAST = 3  # systems: fewer have no order
_DIGITS = 12  # in which means differ


@dataclass(frozen=True)
class ThinnedMeasure:
    """A measure with thinned judgments: means over repeats, and the range of τ over them."""

    measure: str
    pool: str  # a share or a depth, or ALL
    judged: float  # documents judged for a topic, mean
    relevant: float  # those that are relevant
    mean: float  # over systems and topics
    tau: float | None  # Kendall's τ-b with the order by all judgments; None where all systems tie in every repeat
    tau_low: float | None  # the least over repeats
    tau_high: float | None
    tau_ap: float | None  # symmetric τ_AP with that order
    rmse: float  # root mean square difference of systems' effects from those with all judgments
    power: float  # the share of pairs with p ≤ α by the randomised Tukey test


@dataclass(frozen=True)
class ThinnedPair:
    """How well two measures agree with thinned judgments."""

    measure: str
    against: str  # another measure
    pool: str
    tau: float | None  # Kendall's τ-b of their orders, mean over repeats


class _Scored(NamedTuple):
    """What one set of judgments says."""

    judged: float
    relevant: float
    means: Floats  # measure: over systems and topics
    levels: Floats  # measure, system: means, those the same that differ by rounding; more is better
    power: Floats  # measure


@fact()
def thinning_way(name: WayName) -> str:
    """What is kept."""
    return f"kept: {WAYS[name].explanation}"


@fact()
def repeats(count: int) -> str:
    """How often judgments are thinned."""
    return f"thinned {count:,} times" if count > 1 else "thinned once"


@dataclass(frozen=True, eq=False, repr=False)
class Thinning(Result):
    """Measures by what is judged, all judgments first."""

    study: ClassVar[str] = "thinning"
    part: ClassVar[str] = "measure and pool"

    measures: tuple[str, ...]
    pools: tuple[str, ...]  # ALL, then the sizes, the largest first
    rows: tuple[ThinnedMeasure, ...]  # by measure
    pairs: tuple[ThinnedPair, ...]  # of measures
    systems: int
    alpha: float
    facts: Provenance

    @property
    def parts(self) -> Mapping[tuple[str, str], ThinnedMeasure]:
        """A measure and what is judged -> what became of it."""
        return {(row.measure, row.pool): row for row in self.rows}

    @property
    def provenance(self) -> Provenance:
        """How judgments were thinned, and what was scored."""
        return self.facts

    def content(self) -> dict[str, Any]:
        """All but what the provenance holds."""
        return {name: getattr(self, name) for name in ("measures", "pools", "rows", "pairs")}

    def frame_rows(self, name: str) -> Iterable[Mapping[str, Any]]:
        """Measures by what is judged; or pairs of measures."""
        return [asdict(row) for row in (self.rows if name == "pools" else self.pairs)]


@verb(ThinningOptions)
def thinning(data: Given, options: ThinningOptions) -> Thinning:
    """Thin the judgments and score all systems again: the order, the effects and the discriminative power of measures.

    Documents that are left out stay in the pool, not judged, as infAP takes them. A topic that is left without a
    relevant document scores 0 for all systems.

    >>> from irgauge import simulate
    >>> result = thinning(simulate(systems=5, topics=10, seed=1), "AP", sizes=[50], repeats=2)
    >>> result.pools, result["AP", "all"].tau
    (('all', '50 %'), 1.0)
    """
    on_bench, measures = bench(data, options.workers), parse_measures(options.measures)
    collection = on_bench.collection
    _check(collection, measures)
    sizes = options.kept_sizes
    whole = _scored(unthinned(collection), measures, options)
    repeated: list[list[_Scored]] = []
    for number, seed in enumerate(np.random.SeedSequence(options.seed).spawn(options.times)):
        repeated.append([_scored(part, measures, options) for part in thinned(collection, options.way, sizes, seed)])
        if options.told is not None:
            options.told(number + 1, options.times)
    by_pool = {ALL: [whole]} | {options.named(size): [scored[k] for scored in repeated] for k, size in enumerate(sizes)}
    names = tuple(map(str, measures))
    return Thinning(
        measures=names,
        pools=tuple(by_pool),
        rows=tuple(_row(m, name, pool, own, whole) for m, name in enumerate(names) for pool, own in by_pool.items()),
        pairs=tuple(_pairs(names, by_pool)),
        systems=len(collection.systems),
        alpha=options.alpha,
        facts=Provenance.of(
            thinning_way(options.way),
            repeats(options.times),
            facts.test(TITLES[HSD]),
            facts.alpha(options.alpha),
            facts.draws(options.draws),
            data_facts.seed(options.seed),
            data_facts.measures(names),
            data_facts.systems(len(collection.systems)),
            data_facts.topics(len(collection.topics)),
            missing(on_bench.missing),
            Fact("fill", "zero"),
            on_bench.source,
        ),
    )


def _check(collection: Collection, measures: tuple[Measure, ...]) -> None:
    if not measures:
        raise DesignError("no measure was given; name one, such as AP")
    if len(collection.systems) < LEAST or len(collection.topics) < 2:
        raise DesignError(
            f"an order needs at least {LEAST} systems, and tests 2 topics; there are {len(collection.systems)} systems "
            f"and {len(collection.topics)} topics"
        )


def _scored(part: Thinned, measures: tuple[Measure, ...], options: ThinningOptions) -> _Scored:
    values = score(part.collection, measures, workers=options.workers).filled("zero").values[..., 0]
    powers = [
        randomised_hsd(own, part.collection.systems, draws=options.draws, seed=options.seed, alpha=options.alpha)
        for own in values
    ]
    signs = np.array([sign_of(measure.direction or HIGHER) for measure in measures])
    return _Scored(
        judged=part.judged,
        relevant=part.relevant,
        means=values.mean(axis=(1, 2)),
        levels=signs[:, None] * values.mean(axis=1).round(_DIGITS),
        power=np.array([power.found.mean() for power in powers]),
    )


def _row(m: int, name: str, pool: str, repeated: list[_Scored], whole: _Scored) -> ThinnedMeasure:
    taus = [kendall_tau(scored.levels[m], whole.levels[m]) for scored in repeated]
    known = [tau for tau in taus if not np.isnan(tau)]
    return ThinnedMeasure(
        measure=name,
        pool=pool,
        judged=_mean(scored.judged for scored in repeated) or 0.0,
        relevant=_mean(scored.relevant for scored in repeated) or 0.0,
        mean=_mean(float(scored.means[m]) for scored in repeated) or 0.0,
        tau=_mean(known),
        tau_low=min(known, default=None),
        tau_high=max(known, default=None),
        tau_ap=_mean(float(taus_ap_b(scored.levels[m], whole.levels[m])) for scored in repeated),
        rmse=_mean(effects_rmse(scored.levels[m], whole.levels[m]) for scored in repeated) or 0.0,
        power=_mean(float(scored.power[m]) for scored in repeated) or 0.0,
    )


def _pairs(names: tuple[str, ...], by_pool: Mapping[str, list[_Scored]]) -> Iterator[ThinnedPair]:
    for a, b in combinations(range(len(names)), 2):
        for pool, repeated in by_pool.items():
            tau = _mean(kendall_tau(scored.levels[a], scored.levels[b]) for scored in repeated)
            yield ThinnedPair(names[a], names[b], pool, tau)


def _mean(values: Iterable[float]) -> float | None:
    """The mean of those that there are."""
    known = [value for value in values if not np.isnan(value)]
    return sum(known) / len(known) if known else None
