"""The part of a report that says how precise each measure is."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any, TypeVar

from irgauge.show.figure import Figure
from irgauge.show.finding import Finding, remarks
from irgauge.show.page import Choices, Panel, Variant, of_measure, panel
from irgauge.show.table import Table
from irgauge.show.words import counted, listed
from irgauge.studies.bootstrap import charts
from irgauge.studies.bootstrap.findings import digits, findings, measure_table, swap_tables, system_table
from irgauge.studies.bootstrap.leaving import PARTS, SPLITS
from irgauge.studies.bootstrap.options import Draw
from irgauge.studies.bootstrap.precision import MOST_BIAS_ON_TOPICS
from irgauge.studies.bootstrap.study import Bootstrapped, bootstrap, bootstrap_of_both
from irgauge.studies.report_part import USUAL_IMAGES, Missing, Ran, Reporting, ReportPart, Shown, ran, ranked, tried

T = TypeVar("T")
_HEAVY = ("topics", "pairs")  # every topic of every system, and every pair on every topic
_DRAWN = {"documents": "documents", "topics": "topics", "both": "documents and topics together"}


def run(reporting: Reporting) -> Ran:
    """Bootstraps of the documents, of the topics, and of both."""
    if len(reporting.bench.collection.topics) < 2:
        one_topic = Missing("one topic says nothing of other topics; drawing topics needs at least 2")
        return ran({"documents": _drawn(reporting, "documents", bootstrap), "topics": one_topic, "both": one_topic})
    documents = _drawn(reporting, "documents", bootstrap_of_both)
    alone, both = documents if isinstance(documents, tuple) else (documents, documents)
    return ran({"documents": alone, "topics": _drawn(reporting, "topics", bootstrap), "both": both})


def _drawn(reporting: Reporting, draw: Draw, study: Callable[..., T]) -> T | Missing:
    with reporting.telling(f"bootstrap of {draw}") as progress:
        return tried(
            lambda: study(
                reporting.bench,
                reporting.measures,
                images=reporting.images,
                draw=draw,
                progress=progress,
                **reporting.replicated,
            )
        )


def headline(result: Bootstrapped) -> Iterator[Finding]:
    """What stands at the top of the page: how many digits are justified."""
    yield from digits(result)


def shown(ran: Ran, reporting: Reporting) -> Shown:
    """Sentences, charts and tables."""
    first, *others = ran.results
    fewer = (
        f"As the lists are long, {reporting.images} images are drawn where no number is given, and not {USUAL_IMAGES}: "
        "standard deviations over them are less precise, and `--images` draws more."
    )
    sentences = (*findings(first), *(digit for other in others for digit in digits(other)))
    noted = [fewer] if reporting.has_fewer_images else []
    return (*sentences, *remarks([*noted, *_reasons(ran)])), _panels(ran.results)


def _reasons(ran: Ran) -> list[str]:
    return [f"Drawing {reason}" for reason in ran.reasons()]


def _reason(ran: Ran) -> str:
    return " ".join(_reasons(ran))


def _panels(results: Sequence[Bootstrapped]) -> Iterator[Panel]:
    yield from panel(
        "mean-boxes",
        "Means of systems over images",
        "How far the mean of a system moves with other documents or topics.",
        (form for one in results for form in _box_forms(one, charts.systems)),
    )
    yield from panel(
        "precision",
        "Precision of each measure",
        "How much differences, scores, means and ranks vary over images.",
        (_table(one, _population(one), measure_table(one)) for one in results),
    )
    if len(results[0].systems) > 1:
        yield from panel(
            "rank-boxes",
            "Ranks of systems over images",
            "How far the rank of a system moves with other documents or topics.",
            (form for one in results for form in _box_forms(one, charts.ranks)),
        )
        yield from panel(
            "deviations",
            "Deviations of means",
            "How far the means of good and of poor systems move.",
            (Variant(_population(one), charts.deviations(one)) for one in results),
        )
    yield from _topic_panels(results)
    yield from panel(
        "image-systems",
        "Means and ranks of all systems over images",
        "With intervals around the means on the whole corpus, and the bias of images.",
        (form for one in results for form in _system_forms(one)),
    )
    yield from panel(
        "swaps",
        "Neighbours that swap",
        "Pairs whose order is not the same in all images.",
        (_table(one, _population(one), table) for one in results for table in swap_tables(one)),
    )


def _topic_panels(results: Sequence[Bootstrapped]) -> Iterator[Panel]:
    """What varies on single topics, where documents are drawn."""
    drawn = next((one for one in results if one.moments is not None), None)
    if drawn is None:
        return
    yield from panel(
        "topic-boxes",
        "Topics of the best system over images",
        "How far the score of the best system on a topic moves with other documents.",
        (Variant(of_measure(name), charts.topics(drawn, measure=name)) for name in drawn.measures),
    )
    if len(drawn.topics) > 1:
        yield from panel(
            "topic-spread",
            "How much scores vary on each topic",
            "How far the scores of systems on a topic move with other documents.",
            [Variant((), charts.spread(drawn))],
        )


def _population(result: Bootstrapped) -> Choices:
    return (("population", result.draw),)


def _table(result: Bootstrapped, choices: Choices, table: Table) -> Variant:
    return Variant(choices, table=table, provenance=result.provenance)


def _box_forms(result: Bootstrapped, draw: Callable[..., Figure]) -> Iterator[Variant]:
    for measure in result.measures:
        for more, best in ranked(len(result.systems)):
            yield Variant((*of_measure(measure), *_population(result), *more), draw(result, measure, best))


def _system_forms(result: Bootstrapped) -> Iterator[Variant]:
    table = system_table(result)
    for measure in result.measures:
        own = replace(table.where(measure=measure), title=f"{table.title} by {measure}")
        yield _table(result, (*of_measure(measure), *_population(result)), own)


def record(result: Bootstrapped) -> dict[str, Any]:
    """The numbers without those of single topics, which are many."""
    return {name: value for name, value in result.to_dict().items() if name not in _HEAVY}


def methods(ran: Ran, reporting: Reporting) -> Iterator[tuple[str, str]]:
    """How it was done, fit for an appendix."""
    if not ran.results:
        return
    what = listed([_DRAWN[result.draw] for result in ran.results])
    yield (
        "Precision of measures",
        f"Each measure was computed in {counted(reporting.images, 'bootstrap image')} (Zobel and Rashidi 2020), "
        f"drawing in turn {what} with replacement. An image of the corpus has as many documents as the corpus and is "
        "the same for all systems and topics; a document drawn twice appears twice in the runs and among the relevant "
        "documents. A topic without relevant documents in an image scores 0. As images are biased by that, intervals "
        "of means are around the mean on the whole corpus, on the logit scale; the standard error is that over topics, "
        f"or for other documents from leaving out each of {PARTS} random parts of the documents, in {SPLITS} splits "
        "(Shao and Wu 1989), with the variance of one more topic. Intervals of ranks are percentiles over images; "
        f"where these bias scores on topics by more than {MOST_BIAS_ON_TOPICS:g} standard deviations, there are none. "
        "The last decimal of a mean is the power of ten next to its standard error, in the median over systems.",
    )


PART = ReportPart(
    key="bootstrap",
    title="How precise is each measure?",
    run=run,
    shown=shown,
    methods=methods,
    headline=headline,
    record=record,
    reason=_reason,
    references=("zobel-rashidi-2020",),
)
