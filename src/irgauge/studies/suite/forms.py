"""The form that only a suite has: one page, with the answer and its picture, then what it rests on."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from irgauge.inference.tests.registry import default_test
from irgauge.provenance import package_versions
from irgauge.show.finding import Finding
from irgauge.show.html import render
from irgauge.show.page import Card, Claim, Front, Page, Panel, Section, Variant, panel
from irgauge.show.references import REFERENCES
from irgauge.show.table import Table
from irgauge.show.verdicts import FOR
from irgauge.show.words import capital, counted, listed, percent
from irgauge.studies.report_part import ranked
from irgauge.studies.suite import charts, tables
from irgauge.studies.suite.claims import CORRECTION, SuiteClaims, counting
from irgauge.studies.suite.findings import answer, opposites
from irgauge.studies.suite.slice_findings import slice_tables
from irgauge.studies.suite.study import SuiteCompared

_OVER, _EACH = "over", "each"
_OF_EACH = ("best-on", "opposite", "few-topics", "each-by-itself", "join")  # kinds of findings about single collections
_REFERENCES = (*default_test("topics").references, *CORRECTION.references)
_STRATA = (
    "welch-1947",
    "satterthwaite-1946",
    "knapp-hartung-2003",
    "hedges-olkin-1985",
    "higgins-thompson-2002",
)
_RANKS = ("al-mohamad-2022",)


def page_of(result: SuiteCompared) -> Page:
    """All that stands on the page."""
    findings = result.findings()
    systems = counted(len(result.systems), "system")
    sentences = [finding for finding in findings if finding.tone != "warning"]
    return Page(
        title=f"Which of {systems} is better over {counted(len(result.on), 'collection')}, and how sure is it?",
        subtitle=f"{systems} on {_topics(result)}{listed(list(result.collections))}",
        front=Front(tuple(_headlines(result)), next(_picture(result)), tuple(_cards(result))),
        claims=tuple(_claims(result, sentences)),
        warnings=tuple(finding.text for finding in findings if finding.tone == "warning"),
        sections=(
            _section(_OVER, "Which systems are better over collections?", sentences, _over(result)),
            _section(_EACH, "What does each collection say, and do they agree?", sentences, _each(result)),
        ),
        methods=tuple(_methods(result)),
        references=tuple(_references(result)),
        settings=_settings(result),
    )


def _topics(result: SuiteCompared) -> str:
    return "" if result.is_of_means else f"{counted(result.topics, 'topic')} of "


def _key(finding: Finding) -> str:
    """The section that a finding belongs to."""
    return _EACH if finding.kind in _OF_EACH else _OVER


def _claims(result: SuiteCompared, findings: Sequence[Finding]) -> Iterator[Claim]:
    return (Claim(one, result.provenance_for(one.population), _key(one)) for one in findings)


def _section(key: str, title: str, findings: Sequence[Finding], panels: Iterator[Panel]) -> Section:
    return Section(key, title, tuple(one for one in findings if _key(one) == key), tuple(panels))


# the first screen


def _headlines(result: SuiteCompared) -> Iterator[Finding]:
    return (
        answer(result, [claims]).about(population=claims.population, measure=result.measure) for claims in result.over
    )


def _picture(result: SuiteCompared) -> Iterator[Panel]:
    forms = (
        Variant((("population", claims.population), *more), charts.systems(result, claims.population, best))
        for claims in result.over
        for more, best in ranked(len(result.systems))
    )
    return panel("answer", "Systems over collections", "A row is a system.", forms)


def _cards(result: SuiteCompared) -> Iterator[Card]:
    for claims in result.over:
        yield _card(result, claims)
    topics = "" if result.is_of_means else counted(result.topics, "topic")
    yield Card(str(len(result.on)), "collections", "", _EACH, detail=topics)
    if result.is_of_means:
        return
    turned = len(opposites(result))
    of = counted(len(result.over[0].comparison.first), "pair")
    yield Card(f"{turned:,}", f"of {of} differ in opposite directions on different collections", "", _EACH)


def _card(result: SuiteCompared, claims: SuiteClaims) -> Card:
    """How many are better than the baseline, or tied with the best."""
    if result.baseline is None:
        value, label = str(len(claims.top_group) - 1), "others not significantly below the best"
    else:
        value, label = str(claims.verdicts.verdicts.count("better")), f"better than {result.baseline}"
    return Card(value, label, FOR[claims.population], _OVER, kind=claims.population)


# sections


def _over(result: SuiteCompared) -> Iterator[Panel]:
    yield from _table(result, "systems", "Systems with their ranks", tables.system_table(result))
    forms = (Variant(more, charts.ranks(result, best=best)) for more, best in ranked(len(result.systems)))
    yield from panel("ranks", "Ranks that systems may have", "A row is a system.", forms)
    yield from panel(
        "pairs",
        "Pairs of systems over collections",
        "Differences, their intervals and p, which is adjusted for the family.",
        (
            Variant(
                (("population", claims.population),),
                table=tables.pair_table(result, claims.population),
                provenance=result.provenance_of(claims),
            )
            for claims in result.over
        ),
    )
    for table in slice_tables(result):
        yield from _table(result, "slices", "Kinds of topics over collections", table)
    for table in tables.disagreement_tables(result):
        yield from _table(result, "disagreement", "How far collections disagree about pairs", table)


def _each(result: SuiteCompared) -> Iterator[Panel]:
    scores = _table(result, "scores", "Means on each collection", tables.score_table(result))
    if result.is_of_means:
        yield from scores
        return
    forms = (Variant(more, charts.collections(result, best=best)) for more, best in ranked(len(result.systems)))
    yield from panel("cells", "Every system on every collection", "A cell is a system on a collection.", forms)
    yield from _table(result, "collections", "What each collection says", tables.collection_table(result))
    yield from scores
    yield from _table(result, "collection-pairs", "Pairs on each collection", tables.collection_pair_table(result))


def _table(result: SuiteCompared, key: str, title: str, table: Table) -> Iterator[Panel]:
    return panel(key, title, "", [Variant((), table=table, provenance=result.provenance)])


# methods


def _methods(result: SuiteCompared) -> Iterator[tuple[str, str]]:
    family = "all pairs" if result.baseline is None else f"the pairs with {result.baseline}"
    comparison = _by_means(result) if result.is_of_means else _by_topics(result)
    over = f"{capital(CORRECTION.cited)} is over {family}, at α = {result.alpha:g}. {CORRECTION.intervals_told}"
    yield "Comparison over collections", f"{comparison} {over}"
    yield (
        "Ranks",
        "The rank of a system lies between 1 + the number of systems that are significantly better and the number of "
        f"systems less those that are significantly worse, with confidence {percent(1 - result.alpha)} for all systems "
        f"together, by {CORRECTION.title} over all pairs (Al Mohamad, Goeman and van Zwet 2022).",
    )
    if not result.is_of_means:
        yield (
            "Each collection",
            f"On each collection systems were compared by {default_test('topics').cited} over its topics, with "
            f"{CORRECTION.title} over the same pairs; nothing was corrected over collections.",
        )
    if result.kinds.columns:
        yield (
            "Kinds of topics",
            f"On each kind of topics (by {listed(result.kinds.columns)}) systems were compared "
            f"{FOR[result.sliced_for]} by the same test, on the collections with at least 2 such topics, with "
            "the variance within all kinds of a collection where that gives the larger error. All kinds and pairs "
            f"are one family, with {percent(result.alpha)} together.",
        )
    if result.margin is not None:
        yield (
            "Margin",
            f"Differences within the margin of {result.margin} do not matter. Claims about it rest on two one-sided "
            "tests at α for each pair (Schuirmann 1987), by intervals at 2α with Bonferroni's correction.",
        )


def _by_means(result: SuiteCompared) -> str:
    return (
        f"Systems were compared by the mean over {len(result.on)} collections of their {result.measure} on each, "
        f"{counting(result.weights)}, by {default_test('topics').cited} over collections, which takes these for a "
        "random sample."
    )


def _by_topics(result: SuiteCompared) -> str:
    return (
        f"Systems were compared by the mean over {len(result.on)} collections of their mean {result.measure} over the "
        f"topics of each, {counting(result.weights)}. "
        f"{capital(FOR[result.sliced_for])} the mean difference of a pair was tested by t = d / √(Σ w² v), "
        f"with w the weight of a collection, v {_variance(result)}, and the degrees of freedom of Welch (1947) and "
        "Satterthwaite (1946). For other collections it was tested by t = d / √(Σ w² (τ² + v)), with τ² the variance "
        "between collections (Hedges and Olkin 1985), so that the error is never below the first (Knapp and Hartung "
        "2003, with a factor of at least 1), and with C collections at most C − 1 degrees of freedom; this takes these "
        "collections for a random sample. I² is the part of τ² in the variance of the observed differences (Higgins "
        "and Thompson 2002)."
    )


def _variance(result: SuiteCompared) -> str:
    """What is known of the error of the mean on a collection."""
    if result.samplings:
        return "the variance of its mean difference by sums over clusters, with weights (CR2)"
    return "the variance of its differences over the number of topics"


def _references(result: SuiteCompared) -> list[str]:
    more = ("schuirmann-1987",) if result.margin is not None else ()
    over = (*_RANKS,) if result.is_of_means else (*_STRATA, *_RANKS)
    return [REFERENCES[key] for key in (*_REFERENCES, *over, *more)]


def _settings(result: SuiteCompared) -> dict[str, Any]:
    margin = None if result.margin is None else str(result.margin)
    options = {"baseline": result.baseline, "margin": margin, "weights": result.weights}
    return {
        "measure": result.measure,
        "collections": list(result.collections),
        "systems": len(result.systems),
        "topics": result.topics,
        "missing topics": result.missing.rule,
        **{name: value for name, value in options.items() if value is not None},
        "alpha": result.alpha,
        "versions": package_versions(),
    }


def html(result: SuiteCompared) -> str:
    """The page."""
    return render(page_of(result))


FORMS: Mapping[str, Callable[[SuiteCompared], str | bytes]] = {"html": html}
