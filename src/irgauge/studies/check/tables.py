"""Tables of a check: the runs, and counts of what was read."""

from __future__ import annotations

from dataclasses import asdict

from irgauge.show.table import Column, Record, Table
from irgauge.studies.check.study import FEW_RELEVANT, Checked


def tables(result: Checked) -> list[Table]:
    """The data, then run by run."""
    return [data_table(result), run_table(result)]


def data_table(result: Checked) -> Table:
    """Counts of what was read."""
    rows: list[Record] = [
        {"what": "topics with a relevant document", "value": result.topics},
        {"what": "systems", "value": result.systems},
        {"what": "documents in runs and qrels", "value": result.documents},
        {"what": "judgments", "value": result.judgments},
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
            Column("tied", explained="share of documents that share their score with another one of their list"),
            Column("all_tied", explained="topics whose scores are all tied", is_minor=True),
            Column("rising", explained="topics whose scores rise down the file", is_minor=True),
        ],
        decimals=3,
        is_long=True,
        is_main=True,
    )
