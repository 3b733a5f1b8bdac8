"""What a comparison allows to write in a paper, and what it does not."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice
from typing import NamedTuple

from irgauge.inference.comparison import Comparison
from irgauge.inference.corrections import Promise
from irgauge.inference.hierarchy import in_families
from irgauge.inference.tests.registry import TESTS
from irgauge.inference.verdicts import BY_MARGIN
from irgauge.show.finding import Finding, sentence
from irgauge.show.ratios import ends_told, is_ratio, margin_size, plain_name
from irgauge.show.verdicts import COVERS, FOR
from irgauge.show.words import capital, counted, percent, some
from irgauge.studies.compare.study import Compared, MeasureCompared
from irgauge.studies.compare.verdict_findings import each_pair

_MOST = 30  # pairs of a comparison that are told one by one, the best system's first
_OF_DOCUMENTS = (
    "documents",
    "both",
    "sources",
)  # populations of other documents; columns of replicates are not of these
_ADVICE = ("all-together", "add-and-look")
_RATES: Mapping[Promise, str] = {
    "any pair": "If the assumptions hold, at most {alpha} of experiments like this one would yield any false "
    "sentence here",
    "each pair": "If the assumptions hold, at most {alpha} of experiments like this one would yield a false sentence "
    "of a given pair; of many pairs, some sentences will be false",
    "false discoveries": "Of the differences that are said to be significant, on average at most {alpha} are false",
}


class Allowed(NamedTuple):
    """The sentences of one comparison: how it was made, at which rate they err, and what each pair says."""

    title: str
    method: Finding
    rate: Finding
    pairs: tuple[Finding, ...]
    left: int  # pairs that are not told


def allowed(result: Compared) -> Iterator[Allowed]:
    """What one may write of the pairs by each measure, for each population."""
    for compared in result.each:
        for comparison in compared.comparisons:
            drawn, pairs = compared.scored.drawn(comparison.population), len(comparison.first)
            title = f"{plain_name(compared.measure)}, {FOR[drawn]}" + (
                "" if comparison.place == "primary" else f" ({comparison.place})"
            )
            told = tuple(map(_without_forecast, islice(each_pair(compared, comparison), _MOST)))
            yield Allowed(title, _method(comparison, drawn), _rate(comparison), told, max(0, pairs - _MOST))


def _without_forecast(verdict: Finding) -> Finding:
    """The verdict alone: what other experiments would find has no error rate."""
    numbers = verdict.fields["numbers"]._replace(needed=None, detectable=None)
    return replace(verdict, fields={**verdict.fields, "numbers": numbers})


def of_all_together(result: Compared) -> list[Finding]:
    """What else it claims: the best system, how many pairs differ, kinds of topics."""
    claims = [finding for finding in result.findings() if finding.claims and finding.place != "exploratory"]
    return [finding for finding in claims if finding.kind != "verdict"]


def _method(comparison: Comparison, drawn: str) -> Finding:
    test, correction = TESTS[comparison.test], comparison.corrected_by
    return paper_method(
        population=drawn,
        test=test.method(comparison.population),
        correction="" if correction.is_of_test else correction.cited,
        family=comparison.family if is_corrected(comparison) else "",
        alpha=comparison.alpha,
        topics=comparison.topics,
    )


def is_corrected(comparison: Comparison) -> bool:
    """Whether there is anything to correct for, or the test itself does."""
    return comparison.corrected_by.is_of_test or len(comparison.first) * comparison.families > 1


@sentence("paper-method", tone="note", claims=())
def paper_method(*, population: str, test: str, correction: str, family: str, alpha: float, topics: int) -> str:
    """How pairs were compared, for the text of a paper."""
    over = f" with {correction} over {family}" if correction else f", {family} together"
    corrected = over if family else ""
    return f"{capital(FOR[population])}, {test}{corrected}, at α = {alpha:g}, on {counted(topics, 'topic')}."


def _rate(comparison: Comparison) -> Finding:
    correction = comparison.corrected_by
    assumes = TESTS[comparison.test].assumes
    if correction.needs_dependence:
        assumes = "; ".join(filter(None, (assumes, correction.assumes)))
    return paper_rate(assumes=assumes, promise=correction.promise, alpha=comparison.alpha)


@sentence("paper-rate", tone="note", claims=())
def paper_rate(*, assumes: str, promise: Promise, alpha: float) -> str:
    """How often such sentences are false, and what that rests on."""
    rate = f"{_RATES[promise].format(alpha=percent(alpha))}."
    return f"{rate} This assumes: {assumes}." if assumes else rate


def of_whole_page(result: Compared) -> Iterator[Finding]:
    """At which rate anything of all is false, where several families have an α each."""
    comparisons = [comparison for compared in result.each for comparison in compared.comparisons]
    order = result.order
    families = len(in_families(comparisons, order.family, order.standing))
    families += bool(order.slices) and (families == 1 or order.family != "order")
    if families > 1 and all(comparison.corrected_by.promise == "any pair" for comparison in comparisons):
        yield paper_page_rate(families=families, alpha=result.alpha)


@sentence("paper-page-rate", tone="note", claims=())
def paper_page_rate(*, families: int, alpha: float) -> str:
    """How often anything of several families is false."""
    return (
        f"There are {families} families of claims, each with {percent(alpha)}: the chance that anything here is false "
        f"is at most {percent(min(1.0, families * alpha))}."
    )


# what one may not write


def not_allowed(result: Compared) -> Iterator[Finding]:
    """What readers would take from it, and it does not show."""
    for compared in result.each:
        for comparison in compared.comparisons:
            yield from _undecided(compared, comparison)
            yield from _by_margin(compared, comparison)
            yield from _leading(compared, comparison)
    yield from _between_others(result)
    yield from _elsewhere(result)
    yield from _together(result.comparison)
    yield chosen_before()


def _undecided(compared: MeasureCompared, comparison: Comparison) -> Iterator[Finding]:
    verdicts = compared.verdicts[comparison.population].verdicts
    ends = zip(comparison.names, verdicts, comparison.low.tolist(), comparison.high.tolist(), strict=True)
    pairs = [(*pair, low, high) for pair, verdict, low, high in ends if verdict == "inconclusive"]
    if pairs:
        where = compared.scored.drawn(comparison.population)
        yield no_difference(
            measure=compared.measure,
            pairs=pairs,
            population=where,
            confidence=comparison.confidence,
            has_margin=compared.margin is not None,
        ).about(measure=compared.measure, population=comparison.population)


@sentence("paper-no-difference", tone="note", claims=())
def no_difference(
    *,
    measure: str,
    pairs: Sequence[tuple[str, str, float, float]],
    population: str,
    confidence: float,
    has_margin: bool,
) -> str:
    """That what is inconclusive is not shown to be the same."""
    first, second, low, high = pairs[0]
    ends = ends_told(confidence, low, high, is_ratio=is_ratio(measure)) if math.isfinite(high - low) else "no interval"
    others = [f"{system} against {against}" for system, against, _, _ in pairs[1:]]
    return (
        f"“{first} and {second} do not differ in {plain_name(measure)}”, or “are equally good”, {FOR[population]}: the "
        f"comparison is inconclusive ({ends})."
        + (f" The same holds of {some(others, _MOST)}." if others else "")
        + ("" if has_margin else " To show that systems are as good, name a margin (--margin).")
    )


def _by_margin(compared: MeasureCompared, comparison: Comparison) -> Iterator[Finding]:
    verdicts = compared.verdicts[comparison.population]
    pairs = [pair for pair, own in zip(comparison.names, verdicts.verdicts, strict=True) if own in BY_MARGIN]
    if pairs and verdicts.margin is not None:
        yield within_margin(measure=compared.measure, pairs=pairs, margin=verdicts.margin).about(
            measure=compared.measure, population=comparison.population
        )


@sentence("paper-within-margin", tone="note", claims=())
def within_margin(*, measure: str, pairs: Sequence[tuple[str, str]], margin: float) -> str:
    """That a claim about a margin needs it."""
    size = margin_size(margin, is_ratio=is_ratio(measure))
    names = some([f"{system} against {against}" for system, against in pairs], _MOST)
    return (
        f"“Equal”, “not worse” or “not better” in {plain_name(measure)} without the margin of {size} that it rests on "
        f"({names}): a difference smaller than that was not excluded."
    )


def _leading(compared: MeasureCompared, comparison: Comparison) -> Iterator[Finding]:
    if comparison.baseline is None and len(comparison.top_group) > 1 and len(comparison.systems) > 2:
        first, *others = comparison.top_group
        where = compared.scored.drawn(comparison.population)
        yield no_single_best(measure=compared.measure, best=first, others=others, population=where).about(
            measure=compared.measure, population=comparison.population
        )


@sentence("paper-no-single-best", tone="note", claims=())
def no_single_best(*, measure: str, best: str, others: Sequence[str], population: str) -> str:
    """That the system with the best mean is not shown to be better than all others."""
    return (
        f"“{best} is better than all other systems in {plain_name(measure)}” {FOR[population]}: it has the best mean, "
        f"and is not shown to be better than {some(others, _MOST)}."
    )


def _between_others(result: Compared) -> Iterator[Finding]:
    if result.comparison.baseline is not None and len(result.comparison.first) > 1:
        yield only_with_baseline(baseline=result.comparison.baseline)


@sentence("paper-only-with-baseline", tone="note", claims=())
def only_with_baseline(*, baseline: str) -> str:
    """That two systems were not compared with each other."""
    return (
        f"That one system is better than another because it gains more over {baseline}: only the differences from "
        f"{baseline} were tested (leave the baseline out to compare all pairs)."
    )


def _elsewhere(result: Compared) -> Iterator[Finding]:
    drawn = dict.fromkeys(result.first.scored.drawn(population) for population in result.first.populations)
    yield not_covered(populations=list(drawn), has_documents=not drawn.keys().isdisjoint(_OF_DOCUMENTS))


@sentence("paper-not-covered", tone="note", claims=())
def not_covered(*, populations: Sequence[str], has_documents: bool) -> str:
    """What the claims do not cover."""
    where = ["on other collections"] if has_documents else ["on other documents", "on other collections"]
    quoted = " or ".join(f"“{place}”" for place in where)
    return f"That differences are significant {quoted}. {' '.join(COVERS[population] for population in populations)}"


def _together(comparison: Comparison) -> Iterator[Finding]:
    if comparison.corrected_by.promise != "any pair" and len(comparison.first) > 1:
        yield not_all_at_once(correction=comparison.corrected_by.title, pairs=len(comparison.first))


@sentence("paper-not-all-at-once", tone="note", claims=())
def not_all_at_once(*, correction: str, pairs: int) -> str:
    """That some differences may be false."""
    return (
        f"“All of these differences are real”: with {correction} over {counted(pairs, 'pair')} some of what is found "
        "may be false."
    )


@sentence("paper-chosen-before", tone="note", claims=())
def chosen_before() -> str:
    """That the error rates are of what was planned."""
    return (
        "Any of this, where systems, measures or the test were chosen after looking at results, without saying so: "
        "the error rates hold only if these were chosen before, and all that was compared is reported."
    )


def warnings_of(findings: Iterable[Finding]) -> list[Finding]:
    """What must be said with the numbers: warnings, and notes other than advice on what to do next."""
    return [finding for finding in findings if finding.tone != "finding" and finding.kind not in _ADVICE]
