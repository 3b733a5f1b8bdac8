"""What makes scores vary? The ANOVA table of a model, its checks, and its comparison with a nested one."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, fields, replace
from typing import Any, ClassVar

from irgauge.inference import facts
from irgauge.models.anova import Fit, Model, Population, Row, Size, Variation, decompose
from irgauge.models.checks import Check
from irgauge.models.f_tests import TermTest, compare, system_test, term_tests
from irgauge.options.verbs import verb
from irgauge.provenance import Provenance
from irgauge.replicates.data import Data
from irgauge.replicates.given import Given, one_measure, opened
from irgauge.replicates.measured import Measured, Measuring
from irgauge.studies.anova.options import AnovaOptions
from irgauge.studies.result import Result
from irgauge.studies.survival import Survival, effect_conclusion
from irgauge.studies.tested import covered

TEST = "F tests"


@dataclass(frozen=True)
class Shape:
    """The size of the data."""

    topics: int
    systems: int
    shards: int


@dataclass(frozen=True)
class Line:
    """A term of the table: its F test covers the population, its size ω² is of the F against the residual."""

    source: str
    ss: float
    df: int
    ms: float
    against: str  # what F has below the line
    f: float
    p: float
    omega2: float  # below 0 it is to be read as 0
    size: Size


@dataclass(frozen=True)
class SystemTest:
    """The test of the system factor for a population."""

    population: Population
    scores: str  # that it rests on: "whole corpus" or "shards"
    against: str
    df: float
    df_error: float
    f: float
    p: float
    epsilon: float


@dataclass(frozen=True)
class Checks:
    """The assumptions of the F tests: normal residuals that vary equally at all levels of each factor."""

    jarque_bera: Check
    levene: Mapping[str, Check]


@dataclass(frozen=True)
class Nested:
    """The comparison of two nested models, one of which is that of the table."""

    against: str  # the other
    smaller: str
    larger: str
    f: float
    df: int
    df_error: int
    p: float
    critical: float


@dataclass(frozen=True, eq=False, repr=False)
class Analysed(Result):
    """An ANOVA table, the tests of systems for each population, and the checks of what the tests assume."""

    study: ClassVar[str] = "anova"
    part: ClassVar[str] = "term"

    measured: Measured
    fit: Fit
    alpha: float
    tests: tuple[TermTest, ...]  # of the terms, for the population
    population: Population
    populations: tuple[SystemTest, ...]  # the test of the system factor for each, the one asked for first
    checks: Checks
    comparison: Nested | None
    whole_mean: float | None = None  # of all scores on the whole corpus, beside that of the shards
    survival: Survival | None = None  # what is concluded without the transformation, where there is one

    @property
    def parts(self) -> Mapping[str, Line]:
        """A term of the model -> its line of the table."""
        return {row.source: row for row in self.rows}

    @property
    def measure(self) -> str:
        """The measure whose scores vary."""
        return str(self.measured.scores.measures[0])

    @property
    def model(self) -> str:
        """The model of scores."""
        return str(self.fit.model)

    @property
    def shape(self) -> Shape:
        """The size of the data."""
        return Shape(*self.fit.shape)

    @property
    def rows(self) -> tuple[Line, ...]:
        """The terms of the model."""
        return tuple(map(_line, self.fit.rows, self.tests))

    def row(self, source: str) -> Line:
        """The line of a term."""
        return self.rows[self.fit.rows.index(self.fit.row(source))]

    @property
    def error(self) -> Variation:
        """The residual."""
        return self.fit.error

    @property
    def total(self) -> Variation:
        """All variation."""
        return self.fit.total

    @property
    def labels(self) -> dict[str, tuple[str, ...]]:
        """The levels of each factor."""
        scores = self.measured.scores
        return {"topic": scores.topics, "system": scores.systems, "shard": scores.replicates}

    @property
    def provenance(self) -> Provenance:
        """The tests of the table, and what was measured."""
        return Provenance.of(
            facts.test(TEST),
            facts.error({test.source: test.against for test in self.tests}),
            facts.alpha(self.alpha),
            facts.population(self.population),
            facts.model(self.model),
            self.measured.provenance,
        )

    def frame_rows(self, name: str) -> Iterable[Mapping[str, Any]]:
        """The ANOVA table; or the test of systems for each population."""
        return self.lines() if name == "anova" else map(asdict, self.populations)

    def lines(self) -> list[dict[str, Any]]:
        """The ANOVA table: the terms of the model, then the error and the total."""
        empty = dict.fromkeys(field.name for field in fields(Line))
        rest = ({"source": "error", **asdict(self.error)}, {"source": "total", **asdict(self.total)})
        return [*map(asdict, self.rows), *(empty | row for row in rest)]

    def content(self) -> dict[str, Any]:
        """The model, its table, the tests of systems for each population, and the checks."""
        return {
            "measure": self.measure,
            "model": self.model,
            "formula": self.fit.model.formula,
            "shape": self.shape,
            "mean": self.fit.mean,
            "whole_mean": self.whole_mean,
            "rows": self.rows,
            "error": self.error,
            "total": self.total,
            "population": self.population,
            "populations": self.populations,
            "checks": self.checks,
            "comparison": self.comparison,
            "without_transform": self.survival,
        }


@verb(AnovaOptions)
def anova(data: Given, options: AnovaOptions) -> Analysed:
    """Fit a model to scores, by default MD6 on shards and MD1 on the whole corpus.

    Every term is tested by F against the error of the population, which is other topics if none is named. Its size is
    ω² = df(F − 1) / (df(F − 1) + N), with F against the residual; Ferro, Kim and Sanderson (TOIS 2019). Whether systems
    differ for other topics is asked of scores on the whole corpus, where there are runs.

    >>> from irgauge import load
    >>> qrels = {"1": {"a": 1}, "2": {"b": 1}, "3": {"c": 1}}
    >>> good = {"1": {"a": 2, "x": 1}, "2": {"b": 2, "x": 1}, "3": {"c": 2, "x": 1}}
    >>> poor = {"1": {"x": 2, "a": 1}, "2": {"b": 2, "x": 1}, "3": {"x": 3, "y": 2, "c": 1}}
    >>> [(row.source, row.size) for row in anova(load(qrels, {"good": good, "poor": poor}), "AP").rows]
    [('topic', 'negligible'), ('system', 'large')]
    """
    runs = opened(data, options.workers, missing=options.missing)
    measures = one_measure(runs, options.measure)
    kept = (options.fill, options.keep_systems, options.seed)
    wanted = Measuring(measures, options.shards, *kept, 0, options.sparse, options.kept_by, options.transform)
    measured = runs.measured(wanted)
    model = Model.parse(options.model or ("MD1" if measured.shards == 1 else "MD6"))
    fit, claims = decompose(measured.values()).fit(model), covered(measured, options.population)
    whole = _on_whole(runs, wanted) if runs.has_runs and measured.shards > 1 else None
    analysed = Analysed(
        measured=measured,
        fit=fit,
        alpha=options.alpha,
        tests=term_tests(fit, claims[0]),
        population=claims[0],
        populations=tuple(_system(fit, whole, claim) for claim in claims) if "system" in model.terms else (),
        checks=Checks(fit.jarque_bera(), fit.levene()),
        comparison=None if options.against is None else _nested(fit, options.against, options.alpha),
        whole_mean=None if whole is None else whole.mean,
    )
    return analysed if options.transform is None else replace(analysed, survival=_survival(runs, wanted, analysed))


def _on_whole(runs: Data, wanted: Measuring) -> Fit:
    scores = runs.measured(replace(wanted, shards=None, fill="zero"))
    return decompose(scores.values()).fit("MD1")


def _survival(runs: Data, wanted: Measuring, analysed: Analysed) -> Survival:
    """The effects on the scores as they are beside those on the transformed ones."""
    plain = decompose(runs.measured(replace(wanted, transform=None)).values()).fit(analysed.fit.model)
    conclusions = (
        {row.source: effect_conclusion(row, test, analysed.alpha) for row, test in zip(fit.rows, tests, strict=True)}
        for fit, tests in ((analysed.fit, analysed.tests), (plain, term_tests(plain, analysed.population)))
    )
    return Survival.of(analysed.measure, analysed.population, "effect", *conclusions)


def _system(fit: Fit, whole: Fit | None, population: Population) -> SystemTest:
    """Whether systems differ for other topics is a question to scores on the whole corpus, where there are some."""
    of = whole if whole is not None and population == "topics" else fit
    test = system_test(of, population)
    scores = "whole corpus" if of.shape[2] == 1 else "shards"
    return SystemTest(population, scores, test.against, test.df, test.df_error, test.f, test.p, test.epsilon)


def _line(row: Row, test: TermTest) -> Line:
    return Line(row.source, row.ss, row.df, row.ms, test.against, test.f, test.p, row.omega2, row.size)


def _nested(fit: Fit, against: str, alpha: float) -> Nested:
    """The two models in their order: the smaller one first, whichever was asked for."""
    other = fit.sums.fit(Model.parse(against))
    small, large = (other, fit) if len(other.model.terms) < len(fit.model.terms) else (fit, other)
    test = compare(small, large, alpha=alpha)
    names = str(other.model), str(small.model), str(large.model)
    return Nested(*names, test.f, test.df, test.df_error, test.p, test.critical)
