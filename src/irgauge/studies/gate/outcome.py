"""What a gate found by one measure, and what that means for the change."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any, Literal, NamedTuple

from irgauge.errors import DesignError
from irgauge.inference.by_topic import PairOnTopics
from irgauge.inference.margins import Margin
from irgauge.inference.verdicts import Verdict
from irgauge.planning.deciding import Needed
from irgauge.provenance import Provenance
from irgauge.scoring.measures import Measure, parse_measures

Reader = Callable[[Sequence[str | Measure]], tuple[Measure, ...]]  # of names of measures


class Wanted(NamedTuple):
    """A measure and its margin."""

    measure: Measure
    margin: Margin


def wanted(
    measures: Sequence[str | Measure] | str | Measure, margin: str | float | None, read: Reader = parse_measures
) -> tuple[Wanted, ...]:
    """The measures with their margins; `margin` is that of measures that have none of their own.

    >>> [(str(one.measure), str(one.margin)) for one in wanted(["nDCG@10:1%", "RR"], 0.02)]
    [('nDCG@10', '1%'), ('RR', '0.02')]
    """
    specs = [measures] if isinstance(measures, str | Measure) else list(measures)
    if not specs:
        raise DesignError("no measure was given; name one, such as nDCG@10")
    criteria = tuple(criterion for each in specs for criterion in _each(each, margin, read))
    twice = [name for name, count in Counter(str(criterion.measure) for criterion in criteria).items() if count > 1]
    if twice:
        raise DesignError(f"the measure {twice[0]} is given twice; leave one of them out")
    return criteria


def _each(spec: str | Measure, margin: str | float | None, read: Reader) -> Iterator[Wanted]:
    name, own = _parted(spec) if isinstance(spec, str) else (spec, None)
    chosen = margin if own is None else own
    for measure in read([name]):
        if chosen is None:
            raise DesignError(
                f"{measure} has no margin, and a gate needs one: the smallest difference that matters; give it for all "
                f"measures, such as 1% of the baseline's mean, or with the measure, such as '{measure}:1%'"
            )
        yield Wanted(measure, Margin.parse(chosen))


def _parted(text: str) -> tuple[str, str | None]:
    """A measure and its margin, as in nDCG@10:1%; a colon within brackets is the measure's own."""
    name, colon, margin = text.rpartition(":")
    return (name, margin) if colon and ")" not in margin else (text, None)


Outcome = Literal["pass", "fail", "undecided"]
OUTCOMES: Mapping[Verdict, Outcome] = {
    "better": "pass",
    "equivalent": "pass",
    "not worse": "pass",
    "not better": "undecided",
    "inconclusive": "undecided",
    "worse": "fail",
}


@dataclass(frozen=True, eq=False)
class MeasureGated:
    """The candidate against the baseline by one measure; intervals hold for all measures together."""

    measure: str
    baseline_mean: float
    candidate_mean: float
    difference: float  # candidate − baseline
    low: float  # of the 1 − α interval, by which it is better or worse
    high: float
    margin_low: float  # of the 1 − 2α interval, by which it is equivalent, not worse or not better
    margin_high: float
    p: float  # two-sided, against 0, corrected over the measures
    margin: float  # the smallest difference that matters, in the unit of the measure
    verdict: Verdict
    needed: Needed | None  # what would decide; None where it is decided
    topics: PairOnTopics  # the two on each topic
    on_common: Verdict | None = None  # on the topics that all runs answer, where that is another

    @property
    def outcome(self) -> Outcome:
        """What it means for the change."""
        return OUTCOMES[self.verdict]

    @property
    def is_same(self) -> bool:
        """Whether both have the same score on every topic."""
        return self.topics.ties == len(self.topics.topics)


def measure_record(gated: MeasureGated) -> dict[str, Any]:
    """What a measure says in full precision, with its outcome and a row for each topic."""
    own = {field.name: getattr(gated, field.name) for field in fields(gated)}
    return own | {"outcome": gated.outcome, "topics": list(gated.topics.records(range(len(gated.topics.topics))))}


class Evidence(NamedTuple):
    """What all measures say, and how it was found."""

    each: tuple[MeasureGated, ...]
    population: str  # what it covers
    provenance: Provenance
    unchanging: tuple[str, ...] = ()  # sides with several runs that never differ

    def beside(self, common: Evidence) -> Evidence:
        """The same, with what is said on the topics that all runs answer where that is something else."""
        pairs = zip(self.each, common.each, strict=True)
        measures = (
            replace(gated, on_common=None if gated.verdict == other.verdict else other.verdict)
            for gated, other in pairs
        )
        return self._replace(each=tuple(measures))


def outcome_of(each: Sequence[MeasureGated]) -> Outcome:
    """A change passes if all measures let it, and fails if one does not."""
    outcomes = {gated.outcome for gated in each}
    return "fail" if "fail" in outcomes else "undecided" if "undecided" in outcomes else "pass"


def needed_of(each: Sequence[MeasureGated]) -> Needed | None:
    """What would decide: the first measure to be shown worse, or all to be shown not worse; None if decided."""
    waiting = [replace(gated.needed, measure=gated.measure) for gated in each if gated.needed is not None]
    worse = [needed for needed in waiting if needed.claim == "worse" and needed.topics is not None]
    if worse:
        return min(worse, key=lambda needed: needed.topics or 0)
    counts = [needed.topics for needed in waiting if needed.topics is not None]
    enough = max(counts) if len(counts) == len(waiting) else None
    return Needed("not worse", enough) if waiting else None
