"""The table of judges for a paper."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from irgauge.errors import DesignError
from irgauge.inference.tests.registry import TESTS
from irgauge.inference.two_orders import TopicEstimate
from irgauge.show.table import Column, Record, Table
from irgauge.show.words import counted, percent
from irgauge.studies.judges.compared import JudgeCompared
from irgauge.studies.judges.study import Judged


def paper(result: Judged) -> Table:
    """A row a judge: what becomes of people's claims, and how well orders of systems and grades agree.

    The caption says the measure, the systems and the topics, the note the test and what stands in brackets.
    """
    if not result.each:
        raise DesignError("the table for a paper is of claims, and judgments without runs support none; give runs")
    kappas = {compared.judge: compared.estimates["kappa"] for compared in result.with_people}
    records = [_record(judged, kappas.get(judged.judge)) for judged in result.each]
    columns = [Column(name) for name in ("judge", "kept", "lost", "added", "reversed")]
    columns += [Column("best", "same best"), Column("tau", "τ"), *([Column("kappa", "κ")] if kappas else [])]
    return Table.of("paper", _caption(result), records, columns, list(_notes(result, has_kappa=bool(kappas))))


def _record(judged: JudgeCompared, kappa: TopicEstimate | None) -> Record:
    counts = {outcome: judged.counts[outcome] for outcome in ("kept", "lost", "added", "reversed")}
    agreement = {"tau": _with_interval(judged.orders.tau), "kappa": None if kappa is None else _with_interval(kappa)}
    return {"judge": judged.judge, **counts, "best": "yes" if judged.is_same_best else "no", **agreement}


def _with_interval(estimate: TopicEstimate) -> str:
    return f"{estimate.value:.2f} ({estimate.low:.2f}, {estimate.high:.2f})".replace("-", "−")


def _caption(result: Judged) -> str:
    claims, topics = ({getattr(judged, name) for judged in result.each} for name in ("claimed", "topics"))
    of = f"{counted(next(iter(claims)), 'claim')}" if len(claims) == 1 else "the claims"
    on = f" and {counted(next(iter(topics)), 'topic')}" if len(topics) == 1 else ""
    among = f"{counted(len(result.systems), 'system')}{on}"
    return f"What becomes of {of} that people's judgments support by {result.measure} ({among})"


def _notes(result: Judged, *, has_kappa: bool) -> Iterator[str]:
    comparison = result.each[0].people.comparison
    test = f"{TESTS[comparison.test].title}, {comparison.corrected_by.short}".strip(", ")
    yield f"Claims by the {test}, α = {result.alpha:g}. Added: only the judge's judgments support it."
    grades = "; κ: Cohen's, of grades" if has_kappa else ""
    inside = percent(1 - result.alpha)
    yield f"τ: Kendall's, of systems by people and by the judge{grades}. In brackets: {inside} intervals."


LAYOUTS: Mapping[str, Callable[[Judged], Table]] = {"paper": paper}
