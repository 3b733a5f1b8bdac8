"""Tables of an analysis of variance: the model's own, the tests of systems for each population, and the checks."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict

from irgauge.show.table import LEAST_P, Column, Record, Table
from irgauge.show.verdicts import FOR, SHORT
from irgauge.show.words import SIZES, over_shards
from irgauge.studies.anova.study import Analysed, Nested

EPSILON = "Huynh and Feldt's, below 1 where differences of systems do not vary alike"
_AGAINST = "what its MS would equal without an effect; residual: the error; topic:system:shard: that of MD6"


def tables(result: Analysed) -> list[Table]:
    """The ANOVA table, the system factor for each population, checks, and the comparison with another model."""
    compared = [] if result.comparison is None else [nested_table(result.comparison, result.alpha)]
    tested = [population_table(result)] if result.populations else []
    return [anova_table(result), *tested, check_table(result), *compared]


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
            Column("p", explained="a small one speaks against the assumption", below=LEAST_P),
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
