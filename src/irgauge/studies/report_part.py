"""ReportPart: what a study adds to a report: calls on the report's data, what came of them, and how it is shown."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, TypeVar

from irgauge.errors import DesignError
from irgauge.inference.hierarchy import Standing
from irgauge.inference.margins import GivenMargin
from irgauge.options.progress import Progress
from irgauge.provenance import Provenance
from irgauge.reading.groups import Grouping
from irgauge.reading.judges import GivenJudges
from irgauge.reading.missing import MissingTopics
from irgauge.replicates.bench import Bench
from irgauge.replicates.data import Data
from irgauge.replicates.labels import Label
from irgauge.scoring.measures import Measure
from irgauge.storing import NOT_STORED
from irgauge.studies.result import Result

if TYPE_CHECKING:
    from irgauge.inference.assertions import Assertion
    from irgauge.show.finding import Finding
    from irgauge.show.page import Panel, Section

BEST = 20  # systems that a chart of a report shows of many
FEW = 25  # systems that it shows all of
T = TypeVar("T")
Telling = Callable[[str], AbstractContextManager[Progress | None]]  # a study's name -> what is told how far it is


@contextmanager
def silent(_: str) -> Iterator[None]:
    """Tell nothing."""
    yield None


@dataclass(frozen=True)
class Missing:
    """A study that could not run on these data, and why."""

    reason: str


@dataclass(frozen=True)
class Ran:
    """What a study found in a report, and why some of it is not there."""

    results: tuple[Any, ...]  # of the study's own type
    missing: Mapping[str, str] = field(default_factory=dict)  # a measure, or what else was asked for -> why not

    def reasons(self) -> list[str]:
        """Why some results are not there, each reason once."""
        reasons: dict[str, list[str]] = {}
        for name, reason in self.missing.items():
            reasons.setdefault(reason, []).append(name)
        return [f"{', '.join(names)}: {reason}." for reason, names in reasons.items()]


USUAL_IMAGES = 200
FEWER_IMAGES = 50  # where lists are long: standard deviations over images are known to 10 % then, not to 5 %


@dataclass(frozen=True, eq=False)
class Reporting:
    """What a report is of: a collection on the bench or a table of scores, the measures, and what was asked for."""

    data: Data
    measures: tuple[Measure, ...]
    shards: str | None = "even:5"  # None: the whole corpus only, or what a table has
    unsharded: str | None = None  # why there are no shards
    sparse: bool = False  # whether to go on where most scores in shards or images are undefined
    resamples: int = 10
    images: int = USUAL_IMAGES
    has_fewer_images: bool = False  # than are usual, as lists are long and no number was given
    alpha: float = 0.05
    seed: int = 0
    baseline: str | None = None  # the system that all others are compared with too
    margin: GivenMargin | Mapping[str, GivenMargin] | None = None  # the smallest difference that matters
    by: tuple[str, ...] = ()  # columns of topics, on whose values systems are compared too
    sampling: Mapping[str, Any] = field(default_factory=dict)  # options on how topics came together, as studies take it
    drawn: str = "topics"  # what claims about topics are for, by a name of `show.verdicts.FOR`
    labels: Mapping[str, Label] | None = None  # of runs that are instances of algorithms
    groups: Grouping | None = None  # the teams of systems
    judges: GivenJudges | None = None  # who else judged
    calibrate: bool = False  # whether every test is tried on experiments like this one
    standings: Mapping[str, Standing] = field(default_factory=dict)  # part that makes claims -> how it stands
    claims_only: bool = False  # whether nothing is shown, so that what makes no claim can be left out
    checked: Result | None = None  # what `check` said when the runs were read
    telling: Telling = field(default=silent, metadata=NOT_STORED)

    @property
    def common(self) -> dict[str, Any]:
        """The options that every study has."""
        return {"alpha": self.alpha, "seed": self.seed, "workers": self.workers}

    @property
    def bench(self) -> Bench:
        """The runs; a table of scores has none."""
        return self.data.runs()

    @property
    def workers(self) -> int | None:
        """The number of threads; None for all cores."""
        return self.data.workers

    @property
    def systems(self) -> tuple[str, ...]:
        """What is compared."""
        return self.data.systems

    @property
    def topics(self) -> tuple[str, ...]:
        """On what."""
        return self.data.topics

    @property
    def missing(self) -> MissingTopics:
        """The topics that systems lack."""
        return self.data.missing

    @property
    def source(self) -> Provenance:
        """What is to be said of the data wherever their scores are used."""
        return self.data.source

    @property
    def draws(self) -> dict[str, object]:
        """How documents are drawn; nothing of a table, which has none."""
        if not self.data.has_runs:
            return {}
        return {"shards": self.shards, "resamples": self.resamples, "images": self.images}

    @property
    def against(self) -> dict[str, object]:
        """The baseline and the margin for settings, as far as there are some; `baseline` is the name of a part."""
        margins = (
            [f"{name}: {margin}" for name, margin in self.margin.items()] if isinstance(self.margin, Mapping) else None
        )
        settings = {
            "baseline system": self.baseline,
            "margin": self.margin if margins is None else ", ".join(margins),
            "kinds of topics": ", ".join(self.by) or None,
            **self.sampled_by,
        }
        return {name: str(value) for name, value in settings.items() if value is not None}

    @property
    def sampled_by(self) -> dict[str, str]:
        """How topics came together -> the column that says so."""
        columns = {
            "clusters of topics": self.sampling.get("cluster"),
            "weights of topics": self.sampling.get("weights"),
            "shares of kinds": next(iter(self.sampling.get("shares", ())), None),
        }
        return {name: column for name, column in columns.items() if column is not None}

    @property
    def of_topics(self) -> dict[str, Any]:
        """The options that every study has which knows how topics came together."""
        return self.common | dict(self.sampling)

    @property
    def replicates(self) -> str:
        """What more scores on a topic are called."""
        return "shards" if self.data.has_runs else "replicates"

    @property
    def has_replicates(self) -> bool:
        """Whether there are shards, or replicates of a table."""
        return self.shards is not None if self.data.has_runs else self.data.replicate_count > 1

    @property
    def replicated(self) -> dict[str, Any]:
        """The options that every study of shards or images has."""
        return self.common | {"sparse": self.sparse}

    def standing(self, part: str) -> Standing:
        """How a part stands in the hierarchy of claims."""
        return self.standings.get(part, Standing())

    def all_measures(self, run: Callable[[list[str]], Result], name: str) -> Ran:
        """A study of all measures together; of those that it can be run of, where it cannot be of all."""
        names = list(map(str, self.measures))
        with self.telling(name):
            result = tried(lambda: run(names))
            if not isinstance(result, Missing) or len(names) == 1:
                return ran({names[0]: result})
            alone = {measure: tried(lambda measure=measure: run([measure])) for measure in names}  # type: ignore[misc]  # a default
            missing = ran(alone).missing
            left = [measure for measure in names if measure not in missing]
            return Ran(() if not left else (run(left),), missing)

    def each_measure(self, run: Callable[[str], Result], name: str, unless: str | None = None) -> Ran:
        """A study of one measure at a time; `unless` is why none can be run."""
        with self.telling(name) as progress:
            results: dict[str, Result | Missing] = {}
            for done, measure in enumerate(map(str, self.measures), 1):
                results[measure] = tried(lambda measure=measure: run(measure), unless)  # type: ignore[misc]  # a default
                if progress is not None:
                    progress(done, len(self.measures))
        return ran(results)


Shown = tuple[Iterable["Finding"], Iterable["Panel"]]  # sentences, then charts and tables


def _reasons(ran: Ran) -> str:
    return " ".join(ran.reasons())


def _nothing(*_: object) -> Iterator[Any]:
    yield from ()


def _unranked(_: Reporting) -> None:
    """A part that makes no claims: what it shows on a page is exploratory."""


@dataclass(frozen=True)
class ReportPart:
    """A part of a report: a study on the report's data, as a section of the page.

    A part that finds nothing and misses nothing (`Ran(())`) is left out of the page.
    """

    key: str  # of its section on the page
    title: str
    run: Callable[[Reporting], Ran]
    shown: Callable[[Ran, Reporting], Shown]  # what was found, where something was
    methods: Callable[[Ran, Reporting], Iterator[tuple[str, str]]] = _nothing  # for an appendix: headings and texts
    headline: Callable[[Any], Iterator[Finding]] = _nothing  # of a result, what stands at the top of the page
    references: tuple[str, ...] = ()  # papers by their keys in `show.references`
    cited: Callable[[Reporting], tuple[str, ...]] | None = None  # those of them that are used, where not all are
    leads: bool = False  # whether its headlines stand before those of others
    rank: Callable[[Reporting], int | None] = _unranked  # among parts that make claims: the lowest has the primary one
    claims: Callable[[Any], Iterable[Assertion]] | None = None  # of a result, all that it claims
    answers: tuple[str, ...] = ()  # kinds of findings that stand first in its section
    record: Callable[[Any], dict[str, Any]] = Result.to_dict  # of a result, what results.json holds
    reason: Callable[[Ran], str] = _reasons  # why nothing was found
    joins: str = ""  # the key of a section before it that shows what it found too, if that one answers
    more: tuple[ReportPart, ...] = ()  # further sections of the same study, which the report calls by their keys
    with_sampling: Literal["follows", "alike", "out"] = "out"  # what it does where topics are not drawn one by one

    def answers_of(self, reporting: Reporting) -> bool:
        """Whether it has a place on the page: claims that take topics as drawn one by one have none where they are not.

        What only describes topics, and takes them alike, has one, and says so.
        """
        return reporting.drawn == "topics" or self.with_sampling != "out"

    def section(self, ran: Ran, reporting: Reporting) -> Section:
        """What was found, or why nothing was."""
        from irgauge.show.page import Section

        if not ran.results:
            return self.without(self.reason(ran))
        sentences, panels = self.shown(ran, reporting)
        return Section(self.key, self.title, tuple(sentences), tuple(panels))

    def without(self, reason: str) -> Section:
        """The section of a study that could not run."""
        from irgauge.show.page import Section

        return Section(self.key, self.title, (), (), reason=reason)

    def references_of(self, reporting: Reporting) -> tuple[str, ...]:
        """The papers behind what was done."""
        return self.references if self.cited is None else self.cited(reporting)


def standings(parts: Mapping[str, ReportPart], reporting: Reporting) -> dict[str, Standing]:
    """How the parts that make claims stand: the first has the primary claim, and all share the α of secondary ones."""
    answering = {name: part for name, part in parts.items() if part.answers_of(reporting)}
    ranks = {name: rank for name, part in answering.items() if (rank := part.rank(reporting)) is not None}
    ordered = sorted(ranks, key=ranks.__getitem__)
    is_single = len(reporting.measures) == 1 and not reporting.has_replicates
    is_alone = is_single and not reporting.by  # then the first has no secondary claims
    share = 1 / max(1, len(ordered) - is_alone)
    return {name: Standing(has_primary=name == ordered[0], share=share) for name in ordered}


def tried(run: Callable[[], T], unless: str | None = None) -> T | Missing:
    """The result of a study, or why it could not run."""
    if unless is not None:
        return Missing(unless)
    try:
        return run()
    except DesignError as error:
        return Missing(str(error))


def ran(results: Mapping[str, Any]) -> Ran:
    """What there is of some results, and why the others are not there."""
    missing = {name: result.reason for name, result in results.items() if isinstance(result, Missing)}
    return Ran(tuple(result for result in results.values() if not isinstance(result, Missing)), missing)


def ranked(systems: int) -> Iterator[tuple[tuple[tuple[str, str], ...], int | None]]:
    """What a chart of systems shows: of many the best, then all (None); of few all."""
    if systems <= FEW:
        yield (), None
        return
    yield (("systems", f"best {BEST}"),), BEST
    yield (("systems", "all"),), None
