"""What an analysis of variance says, in sentences that can be quoted and in tables."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict

from irgauge.inference.assertions import Assertion
from irgauge.models.anova import Model
from irgauge.show.finding import Finding, sentence
from irgauge.show.table import LEAST_P, Column, Record, Table
from irgauge.show.verdicts import FOR, SHORT
from irgauge.show.words import SIZES, capital, listed, omega2_text, over_shards, p_text
from irgauge.studies.anova.study import Analysed, Line, Nested, SystemTest
from irgauge.studies.survival import Survival
from irgauge.studies.survival_told import survival_tables, survival_told


def findings(result: Analysed) -> Iterator[Finding]:
    """The sizes of effects, whether systems differ, whether a larger model explains more, and what to be wary of."""
    yield sizes(result)
    yield from _systems(result)
    if result.comparison is not None:
        yield _nested(result, result.comparison)
    yield from _assumptions(result)
    yield from survival_told(_survivals(result))


def _survivals(result: Analysed) -> list[Survival]:
    return [] if result.survival is None else [result.survival]


def sizes(result: Analysed) -> Finding:
    """How large the effects of factors and interactions are."""
    finding = effects(measure=result.measure, rows=result.rows, alpha=result.alpha)
    there = tuple(row.source for row in result.rows if row.p <= result.alpha)
    return finding.about(population=result.population, measure=result.measure).claiming(
        _matter(result, there), "primary"
    )


def _matter(result: Analysed, terms: tuple[str, ...], population: str | None = None) -> Iterator[Assertion]:
    """That terms of the model matter."""
    if terms:
        covers = population or result.population
        yield Assertion("effect", "there is one", terms=terms, measure=result.measure, population=covers)


@sentence("effects", claims=("effect",))
def effects(*, measure: str, rows: Sequence[Line], alpha: float) -> str:
    """The effects with their sizes, the largest first; factors, then interactions."""
    ordered = sorted(rows, key=lambda row: -row.omega2)
    mains = [_sized(row, alpha) for row in ordered if ":" not in row.source]
    between = [_sized(row, alpha) for row in ordered if ":" in row.source]
    text = f"Effects on {measure}, the largest first: {listed(mains)}"
    return f"{text}; interactions: {listed(between)}." if between else f"{text}."


def described(result: Analysed) -> Finding:
    """How much factors and interactions make scores vary, as a description of these scores."""
    shares = {row.source: row.omega2 for row in sorted(result.rows, key=lambda row: -row.omega2)}
    return variance_shares(measure=result.measure, omega2=shares).about(measure=result.measure)


@sentence("variance-shares", claims=())
def variance_shares(*, measure: str, omega2: Mapping[str, float]) -> str:
    """ω² of each term, the largest first; factors, then interactions."""
    mains, between = (
        [f"{name} {omega2_text(value)}" for name, value in omega2.items() if (":" in name) is is_between]
        for is_between in (False, True)
    )
    text = f"In these scores of {measure}, ω² is: {listed(mains)}"
    return f"{text}; of interactions: {listed(between)}." if between else f"{text}."


def _sized(row: Line, alpha: float) -> str:
    weak = "" if row.p <= alpha else ", not significant"
    return f"{row.source} ({row.size}, ω² = {omega2_text(row.omega2)}{weak})"


def _systems(result: Analysed) -> Iterator[Finding]:
    for population in result.populations:
        differ, systems = bool(population.p <= result.alpha), result.shape.systems
        finding = systems_differ(measure=result.measure, systems=systems, test=population, differ=differ)
        claims = _matter(result, ("system",) if differ else (), population.population)
        yield finding.about(population=population.population, measure=result.measure).claiming(claims, "primary")


@sentence("systems-differ", claims=("effect",))
def systems_differ(*, measure: str, systems: int, test: SystemTest, differ: bool) -> str:
    """Whether systems differ at all."""
    verb = "differ" if differ else "do not differ"
    scores = "the whole corpus" if test.scores == "whole corpus" else test.scores
    return (
        f"{capital(FOR[test.population])}, the {systems} systems {verb} significantly in {measure} "
        f"(F({test.df:.0f}, {test.df_error:.0f}) = {test.f:.2f}, {p_text(test.p)}; scores on {scores})."
    )


def _nested(result: Analysed, models: Nested) -> Finding:
    smaller, larger = (Model.parse(name).terms for name in (models.smaller, models.larger))
    added = tuple(term for term in larger if term not in smaller)
    finding = nested(measure=result.measure, models=models, alpha=result.alpha).about(measure=result.measure)
    return finding.claiming(_matter(result, added if models.p <= result.alpha else ()), "primary")


@sentence("nested-models", claims=("effect",))
def nested(*, measure: str, models: Nested, alpha: float) -> str:
    """Whether the larger of two models explains scores better."""
    verb = "explains" if models.p <= alpha else "does not explain"
    return (
        f"{models.larger} {verb} {measure} significantly better than {models.smaller} "
        f"(F({models.df}, {models.df_error}) = {models.f:.2f}, {p_text(models.p)})."
    )


def _assumptions(result: Analysed) -> Iterator[Finding]:
    if result.checks.jarque_bera.p <= result.alpha:  # Levene's p is in the table only: residuals are not independent
        yield assumptions(model=result.model).about(measure=result.measure)


@sentence("assumptions", "note", claims=("trust",))
def assumptions(*, model: str) -> str:
    """What the F tests assume and the residuals do not show."""
    return f"The residuals of {model} are not normal (Jarque-Bera test): p-values of F tests are approximate."


EPSILON = "Huynh and Feldt's, below 1 where differences of systems do not vary alike"
_CHECKED = (
    "a small one speaks against the assumption; Levene's, as in papers, takes residuals for independent, and is often "
    "small where they vary equally"
)
_AGAINST = "what its MS would equal without an effect; residual: the error; topic:system:shard: that of MD6"


def tables(result: Analysed) -> list[Table]:
    """The ANOVA table, the system factor for each population, checks, and the comparison with another model."""
    compared = [] if result.comparison is None else [nested_table(result.comparison, result.alpha)]
    tested = [population_table(result)] if result.populations else []
    return [anova_table(result), *tested, check_table(result), *compared, *survival_tables(_survivals(result))]


def anova_table(result: Analysed) -> Table:
    """The terms of the model, the error and the total."""
    return Table.of(
        "anova",
        f"Analysis of variance of {over_shards(result.measure, result.shape.shards)}, {result.model}",
        result.lines(),
        [
            Column("source"),
            Column("ss", "SS", "sum of squares"),
            Column("df", explained="degrees of freedom"),
            Column("ms", "MS", "mean square, SS / df", is_minor=True),
            Column("against", "tested against", _AGAINST),
            Column("f", "F", "MS over that of what it is tested against"),
            Column("p", below=LEAST_P),
            Column("omega2", "ω²", "df(F − 1) / (df(F − 1) + N), F against the error; below 0 it is to be read as 0"),
            Column("size", explained=f"of ω², {SIZES}", is_minor=True),
        ],
        [f"Score = mean + {result.fit.model.formula} + error. F and p are {FOR[result.population]}."],
        is_main=True,
    )


def population_table(result: Analysed) -> Table:
    """The test of the system factor for each population."""
    covers = "; ".join(f"{population.population}: {SHORT[population.population]}" for population in result.populations)
    return Table.of(
        "populations",
        f"Do systems differ in {result.measure}? The system factor for each population",
        map(asdict, result.populations),
        [
            Column("population", explained=f"what the test covers ({covers})"),
            Column("scores", explained="those that the test rests on"),
            Column("against", "tested against", "the mean squares of the error"),
            Column("df", explained="of systems, times ε", decimals=1),
            Column("df_error", "df of error", "times ε", decimals=1),
            Column("f", "F", "MS of system over that of the error", decimals=2),
            Column("p", below=LEAST_P),
            Column("epsilon", "ε", EPSILON, is_minor=True),
        ],
    )


def check_table(result: Analysed) -> Table:
    """What the F tests assume."""
    return Table.of(
        "checks",
        f"What the F tests of {result.model} assume",
        _checks(result),
        [
            Column("assumption"),
            Column("test"),
            Column("statistic"),
            Column("p", explained=_CHECKED, below=LEAST_P),
        ],
    )


def _checks(result: Analysed) -> Iterator[Record]:
    normal = result.checks.jarque_bera
    yield {"assumption": "normal residuals", "test": "Jarque-Bera", "statistic": normal.statistic, "p": normal.p}
    for factor, check in result.checks.levene.items():
        assumption = f"equal variance over {factor}s"
        yield {"assumption": assumption, "test": "Levene", "statistic": check.statistic, "p": check.p}


def nested_table(nested: Nested, alpha: float) -> Table:
    """Whether the larger of two nested models explains scores better."""
    return Table.of(
        "models",
        f"{nested.larger} against {nested.smaller}",
        [asdict(nested)],
        [
            Column("smaller"),
            Column("larger"),
            Column("f", "F", "what the larger model explains more, over its error"),
            Column("df"),
            Column("df_error"),
            Column("p", below=LEAST_P),
            Column("critical", explained=f"F at α = {alpha:g}"),
        ],
    )
