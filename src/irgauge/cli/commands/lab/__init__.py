"""The commands of the lab: each file here is one."""

from __future__ import annotations

from irgauge.cli.app import Group

COMMAND = Group(
    question="Make runs of known systems from text: the lab.",
    about="From documents to an index, from an index and topics to runs. Stemmers, the long stop list and clusters "
    "need the packages of the extra 'lab'.",
    example="irgauge lab index documents.trec.gz -o index, then irgauge lab run index topics.trec -o runs",
    place=315,
    folder=__name__,
)
