"""How runs and tables were read, as facts of every result that rests on them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from irgauge.provenance import Fact, Provenance, fact
from irgauge.reading.conventions import convention_of
from irgauge.reading.missing import OWN, MissingTopics
from irgauge.wording import counted, some

_WITHOUT_RELEVANT = {"relevant": "left out", "judged": "scoring 0, as in trec_eval"}
_LEFT = {
    "zero": "score 0",
    OWN: "do not count in the mean",
    "drop": "are left out for all systems",
    "fail": "are refused",
}
_DONE = {"zero": "score 0 there", OWN: "do not count in its mean", "fail": "refused"}


@fact("reading")
def order(rule: str, *, precision: str) -> str:
    """How documents are ordered."""
    return f"order: {rule}, scores in {precision} precision"


@fact("reading")
def topic_rule(counted_topics: Mapping[str, Any]) -> str:
    """What becomes of topics without a relevant document; nothing where there are none."""
    count, done = counted_topics["without_relevant"], _WITHOUT_RELEVANT[counted_topics["rule"]]
    return f"{counted(count, 'judged topic')} without a relevant document {done}" if count else ""


@fact("reading")
def unused(columns: Sequence[str]) -> str:
    """Columns of a table that are neither scores nor of topics."""
    return f"not used: {'column' if len(columns) == 1 else 'columns'} {some(columns)}"


@fact("reading")
def depth(documents: int) -> str:
    """How much of each list counts."""
    return f"only the first {documents:,} documents of each list"


@fact("reading")
def identical_ids(documents: int) -> str:
    """What was left out as BEIR leaves it out."""
    return f"{counted(documents, 'document')} with the id of their topic left out, as in BEIR"


@fact("reading")
def headers(of_runs: Mapping[str, Any]) -> str:
    """Runs that say how they were made."""
    return f"{counted(len(of_runs), 'run')} with a header of ir_metadata"


@fact("reading")
def corpus_size(size: int, *, documents: int) -> str:
    """How many documents there are, and how many are seen."""
    return f"corpus of {size:,} documents" + (f", {documents:,} of them in runs and qrels" if documents != size else "")


def of_runs(  # what a collection and a check of it both know
    *,
    rule: str,
    precision: str,
    topics: Mapping[str, object],
    depth_read: int | None,
    left_out: int | None,
    of_headers: Mapping[str, object],
    of_documents: Provenance,
    of_grades: Fact = Fact("grades", None),  # noqa: B008  # frozen
) -> Provenance:
    """How judgments and runs were read."""
    return Provenance.of(
        order(rule, precision=precision),
        Fact("precision", precision, place="reading"),
        topic_rule(topics),
        depth(depth_read),
        identical_ids(left_out),
        headers(of_headers or None),
        of_grades,
        of_documents,
    )


def grades(highest: int, judged_in: str) -> Fact:
    """Up to which grade documents are judged, where that is more than 1, and which of them the collection counts."""
    convention = convention_of(judged_in)
    value = {"highest": highest, "convention": convention and convention._asdict()}
    return Fact("grades", value if highest > 1 else None, place="reading")


def of_corpus(size: int, seen: int) -> Provenance:
    """How many documents there are, and how many of them are in runs and qrels."""
    return Provenance.of(corpus_size(size, documents=seen), Fact("documents", seen, place="reading"))


def of_judged(count: int, lines: int) -> Provenance:
    """What is known of documents where only judged ones are told apart."""
    told = f"{counted(lines, 'line')} of runs and {counted(count, 'judgment')}"
    return Provenance.of(Fact("documents", count, f"{told}; unjudged documents are not told apart", place="reading"))


@fact()
def source(text: str) -> str:
    """Where scores come from, if not from runs."""
    return text


@fact()
def files(names: Sequence[str]) -> str:
    """The files of a table."""
    return f"read from {some(list(names))}"


def missing(missing_topics: MissingTopics) -> Fact:
    """Topics that runs do not answer, and what was done about them.

    >>> missing(MissingTopics({"new": ("q1", "q2")}, of=200)).text
    'topics missing from a run score 0 there: new (2)'
    """
    if missing_topics.fact is None:
        return Fact("missing", None)
    under_table = f"Missing topics {_LEFT[missing_topics.done]}: {_named(missing_topics.counts)}."
    return Fact(
        "missing",
        missing_topics.fact,
        missing_told(**missing_topics.fact),
        under_table=under_table,
        record=missing_topics,
    )


def missing_told(*, rule: str, topics: int, of: int, systems: Mapping[str, int]) -> str:
    """Missing topics in the line of a method."""
    if rule == "drop":
        return f"{topics:,} of {counted(of, 'topic')} left out, missing from a run: {_named(systems)}"
    return f"topics missing from a run {_DONE[rule]}: {_named(systems)}"


def _named(systems: Mapping[str, int]) -> str:
    return some([f"{system} ({count:,})" for system, count in systems.items()])
