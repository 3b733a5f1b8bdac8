"""What an analysis of variance says, in sentences that can be quoted."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from irgauge.show.finding import Finding, sentence
from irgauge.show.verdicts import FOR
from irgauge.show.words import capital, listed, omega2_text, p_text
from irgauge.studies.anova.study import Analysed, Line, Nested, SystemTest


def findings(result: Analysed) -> Iterator[Finding]:
    """The sizes of effects, whether systems differ, whether a larger model explains more, and what to be wary of."""
    yield sizes(result)
    yield from _systems(result)
    if result.comparison is not None:
        yield nested(measure=result.measure, models=result.comparison, alpha=result.alpha).about(measure=result.measure)
    yield from _assumptions(result)


def sizes(result: Analysed) -> Finding:
    """How large the effects of factors and interactions are."""
    told = effects(measure=result.measure, rows=result.rows, alpha=result.alpha)
    return told.about(population=result.population, measure=result.measure)


@sentence("effects")
def effects(*, measure: str, rows: Sequence[Line], alpha: float) -> str:
    """The effects with their sizes, the largest first; factors, then interactions."""
    ordered = sorted(rows, key=lambda row: -row.omega2)
    mains = [_sized(row, alpha) for row in ordered if ":" not in row.source]
    between = [_sized(row, alpha) for row in ordered if ":" in row.source]
    text = f"Effects on {measure}, the largest first: {listed(mains)}"
    return f"{text}; interactions: {listed(between)}." if between else f"{text}."


def _sized(row: Line, alpha: float) -> str:
    weak = "" if row.p <= alpha else ", not significant"
    return f"{row.source} ({row.size}, ω² = {omega2_text(row.omega2)}{weak})"


def _systems(result: Analysed) -> Iterator[Finding]:
    for population in result.populations:
        differ, systems = bool(population.p <= result.alpha), result.shape.systems
        told = systems_differ(measure=result.measure, systems=systems, test=population, differ=differ)
        yield told.about(population=population.population, measure=result.measure)


@sentence("systems-differ")
def systems_differ(*, measure: str, systems: int, test: SystemTest, differ: bool) -> str:
    """Whether systems differ at all."""
    said = "differ" if differ else "do not differ"
    scores = "the whole corpus" if test.scores == "whole corpus" else test.scores
    return (
        f"{capital(FOR[test.population])}, the {systems} systems {said} significantly in {measure} "
        f"(F({test.df:.0f}, {test.df_error:.0f}) = {test.f:.2f}, {p_text(test.p)}; scores on {scores})."
    )


@sentence("nested-models")
def nested(*, measure: str, models: Nested, alpha: float) -> str:
    """Whether the larger of two models explains scores better."""
    said = "explains" if models.p <= alpha else "does not explain"
    return (
        f"{models.larger} {said} {measure} significantly better than {models.smaller} "
        f"(F({models.df}, {models.df_error}) = {models.f:.2f}, {p_text(models.p)})."
    )


def _assumptions(result: Analysed) -> Iterator[Finding]:
    checks = result.checks
    unequal = [factor for factor, check in checks.levene.items() if check.p <= result.alpha]
    normal = bool(checks.jarque_bera.p > result.alpha)
    if unequal or not normal:
        yield assumptions(model=result.model, normal=normal, unequal=unequal).about(measure=result.measure)


@sentence("assumptions", "note")
def assumptions(*, model: str, normal: bool, unequal: Sequence[str]) -> str:
    """What the F tests assume and the residuals do not show."""
    told = [] if normal else ["are not normal (Jarque-Bera test)"]
    if unequal:
        told.append(f"do not vary equally over {listed([f'{one}s' for one in unequal])} (Levene's test)")
    return f"The residuals of {model} {listed(told)}: p-values of F tests are approximate."
