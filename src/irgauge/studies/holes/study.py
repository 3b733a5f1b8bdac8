"""Could unjudged documents change the answer? What any grades of them allow."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import combinations
from typing import Any, ClassVar

import numpy as np

from irgauge.brief import Brief
from irgauge.compute.arrays import Floats, Ints
from irgauge.errors import DesignError
from irgauge.inference import facts
from irgauge.inference.margins import Margin
from irgauge.inference.verdicts import Verdict
from irgauge.options.verbs import verb
from irgauge.provenance import Fact, Provenance
from irgauge.reading.collection import Collection
from irgauge.reading.further_judgments import with_judgments
from irgauge.reading.groups import Grouping
from irgauge.replicates.bench import Bench
from irgauge.replicates.data import baseline_of
from irgauge.replicates.facts import seed
from irgauge.replicates.given import Given, bench, only_higher
from irgauge.scoring.direction import HIGHER
from irgauge.scoring.holes import Bounds, HoleBounds, check_bounded, has_exact_pairs
from irgauge.scoring.measures import Measure, parse_measures
from irgauge.studies.holes.likely import CORRECTION, Likely, judged_pairs, likely, one_judge
from irgauge.studies.holes.likely import Asked as LikelyAsked
from irgauge.studies.holes.next_documents import Chances, ToJudge, next_documents
from irgauge.studies.holes.options import HolesOptions
from irgauge.studies.holes.reuse import POPULATION, GroupFall, group_falls, numbered
from irgauge.studies.means import facts_of_scores
from irgauge.studies.result import Result

_BROUGHT = "a run is taken to have brought its first documents to the pool, as far as all topics have them judged"
_LEARNED = (
    "grades of unjudged documents drawn from a model of the judged ones, by best rank, lists that hold them, quality "
    "of their systems, and topic"
)
LIKELY_FRAMES = {"likely": "pairs", "likely-systems": "systems", "checks": "checks", "calibration": "curve"}
_ROUNDING = 1e-12  # a bound within it of 0 or of a margin is there


@dataclass(frozen=True)
class SystemBounds:
    """A system by a measure, and what unjudged documents allow."""

    measure: str
    system: str
    mean: float  # over topics, with unjudged documents as not relevant
    least: float  # the smallest mean that grades of unjudged documents allow
    most: float  # the largest
    holes: int  # unjudged documents of its lists down to the cut-off


@dataclass(frozen=True)
class PairBounds:
    """A pair by a measure, and what unjudged documents allow."""

    measure: str
    system: str
    against: str
    difference: float  # of the means: system minus against
    least: float  # the smallest difference that grades of unjudged documents allow
    most: float  # the largest
    verdict: Verdict  # on these topics, whatever unjudged documents are
    holes: int  # unjudged documents of either list down to the cut-off
    is_exact: bool  # else bounds may be too wide, never too narrow

    @property
    def keeps_order(self) -> bool:
        """Whether no grades of unjudged documents turn the order; they may make both alike."""
        return self.least >= -_ROUNDING or self.most <= _ROUNDING


@dataclass(frozen=True, repr=False)
class MeasureBounds(Brief):
    """The systems and the pairs by one measure."""

    systems: tuple[SystemBounds, ...]  # best first
    pairs: tuple[PairBounds, ...]

    def _facts(self) -> dict[str, str]:
        kept = sum(pair.keeps_order for pair in self.pairs)
        return {"systems": f"{len(self.systems):,}", "pairs": f"{len(self.pairs):,}", "settled": f"{kept:,}"}


@dataclass(frozen=True, eq=False, repr=False)
class Bounded(Result):
    """Systems and pairs by each measure, with what unjudged documents allow."""

    study: ClassVar[str] = "holes"

    measures: tuple[str, ...]
    systems: tuple[SystemBounds, ...]  # by measure, best first
    pairs: tuple[PairBounds, ...]  # by measure; without a baseline the better system first
    baseline: str | None
    margins: Mapping[str, float]  # measure -> the smallest difference that matters; empty where none was given
    topics: int
    facts: Provenance
    groups: tuple[GroupFall, ...] = ()  # by measure, those that fall most first; empty where none were given
    alpha: float = 0.05  # of what is said of groups, and of likely grades
    to_judge: ToJudge | None = None  # None where it is not asked for
    added: int | None = None  # judgments that were made since; None where none were given
    likely: Likely | None = None  # None where these are not asked for

    @property
    def parts(self) -> Mapping[str, MeasureBounds]:
        """Measure -> its systems and pairs."""
        systems = {name: tuple(row for row in self.systems if row.measure == name) for name in self.measures}
        pairs = {name: tuple(row for row in self.pairs if row.measure == name) for name in self.measures}
        return {name: MeasureBounds(systems[name], pairs[name]) for name in self.measures}

    @property
    def provenance(self) -> Provenance:
        """What was scored, and what holes are."""
        return Provenance.of(
            Fact("holes", "any grade", "unjudged documents of all runs may have any grade that the judgments use"),
            *self._of_groups(),
            *self._of_likely(),
            self.facts,
        )

    def _of_groups(self) -> Iterator[Fact]:
        """How groups were left out, and tested."""
        if self.groups:
            yield Fact(
                "pool",
                "judged depth",
                _BROUGHT,
            )
            yield facts.test("groups left out of it by skewed-t over topics, uncorrected")
            yield facts.alpha(self.alpha)
            yield facts.population(POPULATION)

    def _of_likely(self) -> Iterator[Fact]:
        """How grades were drawn."""
        if self.likely is not None and self.likely.is_learned:
            judge = (
                ""
                if self.likely.judge is None
                else f", and by {self.likely.judge}, which graded {self.likely.graded:,}"
            )
            yield Fact("grades", "likely", f"{_LEARNED}{judge}")
            yield facts.draws(self.likely.draws, of=" of them")
            yield seed(self.likely.seed)
            if not self.groups:
                yield facts.alpha(self.alpha)
                yield facts.population(POPULATION)

    def frame_rows(self, name: str) -> Iterable[Mapping[str, Any]]:
        """Every pair, every system, or every group, by every measure."""
        same = {"n": self.topics, "direction": HIGHER}
        tested = {"population": POPULATION, "alpha": self.alpha}
        if name in LIKELY_FRAMES:
            return self._likely_rows(name, same | tested)
        if name == "next":
            documents = () if self.to_judge is None else self.to_judge.documents
            return [asdict(document) for document in documents]
        if name == "groups":
            return ({**asdict(group), **same, **tested} for group in self.groups)
        if name == "systems":
            return ({**asdict(system), **same} for system in self.systems)
        return ({**asdict(pair), **same, "margin": self.margins.get(pair.measure)} for pair in self.pairs)

    def _likely_rows(self, name: str, tested: Mapping[str, Any]) -> Iterable[Mapping[str, Any]]:
        """Pairs and systems with likely grades, or how these were checked."""
        rows = () if self.likely is None else getattr(self.likely, LIKELY_FRAMES[name])
        test = {"test": "holes", "correction": CORRECTION} if name == "likely" else {}
        margins = [self.margins.get(row.measure) if name == "likely" else None for row in rows]
        return [{**asdict(row), **tested, **test, "margin": own} for row, own in zip(rows, margins, strict=True)]

    def content(self) -> dict[str, Any]:
        """All but the facts, which are the provenance."""
        names = ("measures", "systems", "pairs", "baseline", "margins", "topics", "groups", "alpha")
        return {name: getattr(self, name) for name in (*names, "to_judge", "added", "likely")}


@verb(HolesOptions)
def holes(data: Given, options: HolesOptions) -> Bounded:
    """Find the smallest and largest means and differences that any grades of unjudged documents allow.

    An unjudged document of the runs may have any grade that the judgments use, the same in all runs; one that no run
    retrieves counts for nothing. Bounds are exact, but those of differences by AP and ERR, which may be too wide.

    `groups` is a mapping from systems to groups, or a file of it: each is left out of the pool (Zobel 1998). With
    `next_documents` it says which documents to judge next, and `judged` adds what was judged since. With `likely`
    grades are also drawn from a model of those that were judged: see `inference.likely_grades`.

    >>> from irgauge import load
    >>> qrels = {"1": {"a": 1, "b": 0}, "2": {"a": 1, "b": 0}}
    >>> good, poor = ({topic: {first: 2, "c": 1} for topic in qrels} for first in ("a", "b"))
    >>> bounded = holes(load(qrels, {"good": good, "poor": poor}), "P@2")
    >>> bounded.pairs[0].least, bounded.pairs[0].verdict, bounded.systems[0].most
    (0.5, 'better', 1.0)
    """
    grouping = None if options.groups is None else Grouping.of(options.groups)  # read before the runs: it may be wrong
    judge = None if options.judge is None else one_judge(options.judge)
    runs, added = _runs(data, options)
    measures = only_higher(parse_measures(options.measures), "holes")
    if not measures:
        raise DesignError("no measure was given; name one, such as AP")
    check_bounded(measures, runs.collection.grades)
    baseline = None if options.baseline is None else baseline_of(runs, options.baseline)
    margin = None if options.margin is None else Margin.parse(options.margin)
    systems, scores = runs.collection.systems, runs.whole(measures)
    values = np.nan_to_num(scores.values[..., 0])  # measure, topic, system
    means = values.mean(axis=1)  # measure, system
    pairs = _Pairs.of(systems, baseline)
    bounding = HoleBounds(runs.collection, measures, pairs.places)
    by_measure = dict(zip(measures, values, strict=True))
    falls = group_falls(runs.collection, grouping, by_measure, options.alpha, options.workers)
    bounds = bounding.all(values, options.workers, options.told)
    margins = _margins(margin, measures, bounds, None if baseline is None else systems.index(baseline))
    each = list(zip(measures, means, bounds, strict=True))
    pair_rows = tuple(
        row for measure, own, ends in each for row in pairs.rows(measure, own, ends, margins.get(str(measure), 0.0))
    )
    asked = LikelyAsked(
        measures=measures,
        pairs=pairs.places,
        has_baseline=baseline is not None,
        alpha=options.alpha,
        margins=margins,
        draws=options.draws,
        seed=options.seed,
        judge=judge,
        workers=options.workers,
        groups=None if grouping is None else numbered(grouping, systems)[1],
    )
    return Bounded(
        measures=tuple(map(str, measures)),
        systems=tuple(row for measure, own, ends in each for row in _system_rows(str(measure), systems, own, ends)),
        pairs=pair_rows,
        baseline=baseline,
        margins=margins,
        topics=len(runs.collection.topics),
        facts=facts_of_scores(scores, runs.missing, runs.source),
        groups=falls,
        alpha=options.alpha,
        likely=likely(runs.collection, asked, bounds, options.told) if options.is_likely else None,
        to_judge=_to_judge(runs.collection, measures[0], pair_rows, (baseline, values[0]), options),
        added=added,
    )


def _runs(data: Given, options: HolesOptions) -> tuple[Bench, int | None]:
    """The runs, with judgments that were made since, and how many these are."""
    runs = bench(data, options.workers)
    if options.judged is None:
        return runs, None
    collection, added = with_judgments(runs.collection, options.judged)
    return Bench(collection, workers=options.workers), added


def _to_judge(
    collection: Collection,
    measure: Measure,
    rows: Sequence[PairBounds],
    of: tuple[str | None, Floats],
    options: HolesOptions,
) -> ToJudge | None:
    """What to judge next for the pairs with a system, which is the best one if there is no baseline."""
    count = options.next_documents
    if count is None or len(collection.systems) < 2:
        return None
    baseline, scores = of
    places = {system: place for place, system in enumerate(collection.systems)}
    system = baseline or collection.systems[int(np.argmax(scores.mean(axis=0)))]
    own = [row for row in rows if row.measure == str(measure) and system in (row.system, row.against)]
    unsettled = [row for row in own if row.verdict == "inconclusive"]
    pairs = np.array([(places[row.system], places[row.against]) for row in unsettled], np.int64).reshape(-1, 2)
    judge = None if options.judge is None else judged_pairs(one_judge(options.judge), collection)
    chances = Chances.of(collection, measure, judge) if unsettled else None
    documents = () if chances is None else next_documents(collection, measure, pairs, scores, chances, count)
    return ToJudge(str(measure), system, len(own), len(unsettled), documents)


def _margins(
    margin: Margin | None, measures: tuple[Measure, ...], bounds: Sequence[Bounds], baseline: int | None
) -> dict[str, float]:
    """The margin of each measure, in its unit; one in per cent is of the least mean that grades allow the baseline."""
    if margin is None:
        return {}
    least = [None if baseline is None else float(own.systems.least[:, baseline].mean()) for own in bounds]
    return {str(m): margin.of(mean, m.range) for m, mean in zip(measures, least, strict=True)}


def _system_rows(measure: str, systems: tuple[str, ...], means: Floats, bounds: Bounds) -> Iterator[SystemBounds]:
    """The systems by a measure, best first."""
    least, most, count = (end.mean(axis=0) for end in bounds.systems)
    for s in np.argsort(-means, kind="stable").tolist():
        yield SystemBounds(
            measure, systems[s], float(means[s]), float(least[s]), float(most[s]), _total(count[s], bounds)
        )


def _total(mean: float, bounds: Bounds) -> int:
    """A mean over topics as a sum."""
    return round(float(mean) * len(bounds.systems.least))


@dataclass(frozen=True, eq=False)
class _Pairs:
    """Pairs of systems: all, or those with a baseline, which comes second."""

    systems: tuple[str, ...]
    places: Ints  # pair, side
    has_baseline: bool

    @classmethod
    def of(cls, systems: tuple[str, ...], baseline: str | None) -> _Pairs:
        every = combinations(range(len(systems)), 2)
        second = None if baseline is None else systems.index(baseline)
        pairs = every if second is None else ((s, second) for s in range(len(systems)) if s != second)
        return cls(systems, np.array(list(pairs), np.int64).reshape(-1, 2), baseline is not None)

    def rows(self, measure: Measure, means: Floats, bounds: Bounds, margin: float) -> Iterator[PairBounds]:
        """The pairs by a measure, best first; without a baseline the better system of each comes first."""
        least, most, count = (end.mean(axis=0) for end in bounds.pairs)
        firsts, seconds = self.places.T
        turned = (means[firsts] < means[seconds]) & (not self.has_baseline)
        firsts, seconds = np.where(turned, seconds, firsts), np.where(turned, firsts, seconds)
        least, most = np.where(turned, -most, least), np.where(turned, -least, most)
        for p in np.lexsort((-means[seconds], -means[firsts])).tolist():
            yield PairBounds(
                measure=str(measure),
                system=self.systems[firsts[p]],
                against=self.systems[seconds[p]],
                difference=float(means[firsts[p]] - means[seconds[p]]),
                least=float(least[p]),
                most=float(most[p]),
                verdict=verdict_between(float(least[p]), float(most[p]), margin),
                holes=_total(count[p], bounds),
                is_exact=has_exact_pairs(measure),
            )


def verdict_between(least: float, most: float, margin: float) -> Verdict:
    """What holds of a difference that lies between two ends; a margin of 0 is none.

    >>> verdict_between(0.1, 0.2, 0.0), verdict_between(-0.01, 0.2, 0.05), verdict_between(-0.1, 0.1, 0.05)
    ('better', 'not worse', 'inconclusive')
    """
    if least > _ROUNDING:
        return "better"
    if most < -_ROUNDING:
        return "worse"
    is_not_worse, is_not_better = least >= -margin - _ROUNDING, most <= margin + _ROUNDING
    if is_not_worse and is_not_better:
        return "equivalent"
    return "not worse" if is_not_worse else "not better" if is_not_better else "inconclusive"
