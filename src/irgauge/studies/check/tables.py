"""Tables of a check: the runs, and counts of what was read."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict
from typing import Any

from irgauge.reading.textfile import Header
from irgauge.replicates.undefined import MANY_UNDEFINED
from irgauge.show.table import Column, Record, Table
from irgauge.studies.check.facts import DEEPEST, LITTLE_JUDGED, MEASURE, TOP
from irgauge.studies.check.findings import replicates, whole_percent
from irgauge.studies.check.study import FEW_RELEVANT, Checked
from irgauge.studies.check.table_findings import understood_table

_NAMES = ("name", "method")  # what an item of a list is called


def main_fields(header: Header) -> dict[str, str | None]:
    """Tag, retrieval pipeline, test collection, research goal and actor of a run, as text; None where there is none.

    >>> found = main_fields({"tag": "a", "method": {"retrieval": [{"name": "bm25"}, {"name": "monoT5"}]}})
    >>> found["tag"], found["retrieval"], found["goal"]
    ('a', 'bm25, monoT5', None)
    """
    return {
        "tag": _text(header.get("tag")),
        "retrieval": _text(_at(header, "method", "retrieval")),
        "collection": _text(_at(header, "data", "test collection", "name")),
        "goal": _joined(_at(header, "research goal", "venue", "name"), _at(header, "research goal", "venue", "year")),
        "baseline": _text(_at(header, "research goal", "evaluation", "baseline")),
        "team": _text(_at(header, "actor", "team")),
    }


def _at(header: Any, *keys: str) -> Any:  # noqa: ANN401  # a header may hold anything anywhere
    for key in keys:
        header = header.get(key) if isinstance(header, Mapping) else None
    return header


def _text(value: Any) -> str | None:  # noqa: ANN401  # as above
    """A text, the names of a list's items, or the name of a mapping."""
    if isinstance(value, list):
        return _joined(*value, between=", ")
    if isinstance(value, Mapping):
        return next((_text(value[name]) for name in _NAMES if name in value), None)
    return str(value) if value else None


def _joined(*values: Any, between: str = " ") -> str | None:  # noqa: ANN401  # as above
    return between.join(filter(None, map(_text, values))) or None


def tables(result: Checked) -> list[Table]:
    """The data, then run by run, runs whose order is in doubt, and what shards and images would leave.

    Of a table of scores: how it was understood.
    """
    if result.read_as is not None:
        return [understood_table(result.read_as)]
    every = [data_table(result), run_table(result), order_table(result), prospect_table(result)]
    return [table for table in (*every, header_table(result)) if table.rows]


def data_table(result: Checked) -> Table:
    """Counts of what was read."""
    rows: list[Record] = [
        {"what": "topics with a relevant document", "value": result.topics},
        {"what": "systems", "value": result.systems},
        {"what": "documents in runs and qrels", "value": result.documents},
        {"what": "judgments", "value": result.judgments},
        {"what": "documents judged for some topic", "value": result.assessed},
        {"what": "share of the corpus judged (%)", "value": f"{100 * result.assessed / result.corpus_size:.2f}"},
        {"what": "grades", "value": ", ".join(map(str, result.grades))},
        {"what": "relevant documents", "value": result.relevant},
        {"what": "relevant documents of the median topic", "value": result.relevant_median},
        {"what": f"topics with fewer than {FEW_RELEVANT} relevant documents", "value": len(result.few_relevant)},
    ]
    return Table.of("data", "The data", rows, notes=["Counted over the topics of the qrels."], decimals=1)


def run_table(result: Checked) -> Table:
    """What each run looks like."""
    return Table.of(
        "runs",
        "The runs",
        map(asdict, result.runs),
        [
            Column("system", role="system"),
            Column("topics"),
            Column("missing", explained="judged topics that the run does not answer"),
            Column("depth", explained="median length of a list"),
            Column("shallowest", is_minor=True),
            Column("judged_10", "judged@10", "share of the top 10 that is judged, mean over topics"),
            Column("judged_100", "judged@100", is_minor=True),
            Column("tied", "share tied", "share of documents that share their score with another one of their list"),
            Column("all_tied", explained="topics whose scores are all tied", is_minor=True),
            Column("contradicting", "ranks contradict", "topics whose ranks contradict the scores", is_minor=True),
        ],
        decimals=3,
        is_long=True,
        is_main=True,
    )


def header_table(result: Checked) -> Table:
    """What the ir_metadata headers of runs say."""
    rows: list[Record] = [{"system": system, **main_fields(header)} for system, header in result.headers.items()]
    columns = [
        Column("system", role="system"),
        Column("tag"),
        Column("retrieval", explained="the stages of the retrieval pipeline"),
        Column("collection", explained="the test collection"),
        Column("goal", explained="the venue that the run was made for"),
        Column("baseline", is_minor=True),
        Column("team"),
    ]
    return Table.of("headers", "What the ir_metadata headers of runs say", rows, columns, is_long=True)


def order_table(result: Checked) -> Table:
    """Runs whose order is in doubt."""
    either = {run.system: asdict(run) for run in result.reordered}
    nothing = {"by_score": None, "by_rank": None}
    doubtful = [run for run in result.runs if run.is_contradicting or run.is_rising]
    rows: list[Record] = [asdict(run) | either.get(run.system, nothing) for run in doubtful]
    columns = [
        Column("system", role="system"),
        Column("lists", "topics", "those of the file, judged or not"),
        Column("contradicting", "ranks contradict", "topics whose ranks contradict the scores"),
        Column("inverted", explained="topics whose scores rise with the rank"),
        Column("rising", explained="topics without ranks whose scores rise down the file"),
        Column("by_score", explained=f"mean {MEASURE} in the order of scores, which counts here"),
        Column("by_rank", explained=f"mean {MEASURE} in the order of ranks"),
    ]
    return Table.of("order", "Runs whose order is in doubt", rows, columns, decimals=3, is_long=True)


def prospect_table(result: Checked) -> Table:
    """What shards and images would leave of the data."""
    ahead = result.prospects
    rows: list[Record] = [{"replicates": replicates(prospect)} | asdict(prospect) for prospect in ahead.of]
    return Table.of(
        "replicates",
        "What shards and images would leave",
        rows,
        [
            Column("replicates"),
            Column("undefined", explained="share of topics that a replicate leaves without a relevant document"),
            Column("reach", "depth reached", f"the rank of the whole list to which its top {TOP} reaches"),
            Column("judged", explained="share of the list down to there that is judged, in the median run"),
        ],
        notes=list(_bounds(result)),
        decimals=3,
    )


def _bounds(result: Checked) -> Iterator[str]:
    """How many shards the data bear."""
    ahead = result.prospects
    yield f"Expected of random shards. At most {whole_percent(MANY_UNDEFINED)} are undefined " + _up_to(
        ahead.most_defined
    )
    if 0 < ahead.most_judged < DEEPEST:
        yield f"At least {whole_percent(LITTLE_JUDGED)} are judged " + _up_to(ahead.most_judged)


def _up_to(shards: int) -> str:
    return "on the whole corpus only." if shards == 1 else f"in up to {shards} shards."
