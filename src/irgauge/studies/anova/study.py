"""What makes scores vary? The ANOVA table of a model, its checks, and its comparison with a nested one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from irgauge.errors import check_alpha
from irgauge.models.anova import Check, ErrorTerm, Fit, Model, Row, Variation, decompose
from irgauge.models.nested import compare
from irgauge.options import asking
from irgauge.provenance import Provenance
from irgauge.replicates.measured import Given, Measured, Measuring, measured, one_measure, opened
from irgauge.studies.anova.options import Asked
from irgauge.studies.result import Result

if TYPE_CHECKING:
    import polars as pl

TEST = "F tests against the residual"


@dataclass(frozen=True)
class Shape:
    """The size of the data."""

    topics: int
    systems: int
    shards: int


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
    """An ANOVA table, the tests of systems under each population, and the checks of what the tests assume."""

    study: ClassVar[str] = "anova"

    measured: Measured
    fit: Fit
    alpha: float
    populations: tuple[ErrorTerm, ...]  # the test of the system factor under each population
    checks: Checks
    comparison: Nested | None

    @property
    def measure(self) -> str:
        """The measure whose scores vary."""
        return str(self.measured.scores.measures[0])

    @property
    def model(self) -> str:
        """The model of scores."""
        return str(self.fit.model)

    @property
    def population(self) -> str:
        """What the tests against the residual cover."""
        return "documents" if self.shape.shards > 1 else "topics"

    @property
    def shape(self) -> Shape:
        """The size of the data."""
        return Shape(*self.fit.shape)

    @property
    def rows(self) -> tuple[Row, ...]:
        """The terms of the model."""
        return self.fit.rows

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
        tested = {"test": TEST, "alpha": self.alpha, "population": self.population, "model": self.model}
        return Provenance(tested) | self.measured.provenance

    def frame(self) -> pl.DataFrame:
        """The ANOVA table."""
        import polars as pl

        return pl.DataFrame(self.lines())

    def lines(self) -> list[dict[str, Any]]:
        """The ANOVA table: the terms of the model, then the error and the total."""
        none = dict.fromkeys(("f", "p", "omega2", "size"))
        rest = [{"source": "error", **asdict(self.error), **none}, {"source": "total", **asdict(self.total), **none}]
        return [*map(asdict, self.rows), *rest]

    def content(self) -> dict[str, Any]:
        """The model, its table, the tests under each population, and the checks."""
        return {
            "measure": self.measure,
            "model": self.model,
            "formula": self.fit.model.formula,
            "shape": self.shape,
            "mean": self.fit.mean,
            "rows": self.rows,
            "error": self.error,
            "total": self.total,
            "populations": self.populations,
            "checks": self.checks,
            "comparison": self.comparison,
        }


@asking(Asked)
def anova(data: Given, asked: Asked) -> Analysed:
    """Fit a model to scores, by default MD6 on shards and MD1 on the whole corpus.

    F = MS / MS_error and ω² = df(F − 1) / (df(F − 1) + N) of every term; Ferro, Kim and Sanderson (TOIS 2019).

    >>> from irgauge import load
    >>> qrels = {"1": {"a": 1}, "2": {"b": 1}, "3": {"c": 1}}
    >>> good = {"1": {"a": 2, "x": 1}, "2": {"b": 2, "x": 1}, "3": {"c": 2, "x": 1}}
    >>> poor = {"1": {"x": 2, "a": 1}, "2": {"b": 2, "x": 1}, "3": {"x": 3, "y": 2, "c": 1}}
    >>> [(row.source, row.size) for row in anova(load(qrels, {"good": good, "poor": poor}), "AP").rows]
    [('topic', 'negligible'), ('system', 'large')]
    """
    check_alpha(asked.alpha)
    data = opened(data)
    wanted = Measuring(one_measure(data, asked.measure), asked.shards, asked.fill, asked.keep_systems, asked.seed)
    found = measured(data, wanted, asked.workers)
    model = Model.parse(asked.model or ("MD1" if found.shards == 1 else "MD6"))
    fit = decompose(found.values()).fit(model)
    populations = fit.populations if "system" in model.terms else ()
    return Analysed(
        measured=found,
        fit=fit,
        alpha=asked.alpha,
        populations=tuple(map(fit.error_term, populations)),
        checks=Checks(fit.jarque_bera(), fit.levene()),
        comparison=None if asked.against is None else _nested(fit, asked.against, asked.alpha),
    )


def _nested(fit: Fit, against: str, alpha: float) -> Nested:
    """The two models in their order: the smaller one first, whichever was asked for."""
    other = fit.sums.fit(Model.parse(against))
    small, large = (other, fit) if len(other.model.terms) < len(fit.model.terms) else (fit, other)
    test = compare(small, large, alpha=alpha)
    names = str(other.model), str(small.model), str(large.model)
    return Nested(*names, test.f, test.df, test.df_error, test.p, test.critical)
