"""The reason of a gate that does not pass, in sentences, as lists side by side, and as one screen."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator, Sequence
from html import escape
from itertools import zip_longest

from irgauge.show.finding import Finding, sentence
from irgauge.show.queries import topic_told
from irgauge.show.ratios import amount, is_ratio, plain_name
from irgauge.show.table import Column, Table
from irgauge.show.words import counted, listed
from irgauge.studies.cautions import holes_told
from irgauge.studies.gate.reason import TOP, KindLoss, MeasureReason, RankedDocument, Reason, TopicLists, TopicLoss
from irgauge.studies.gate.sides import OWN_REPLICATES
from irgauge.studies.gate.study import Gated
from irgauge.visible import visible

_WIDTH = 100  # columns of the screen
_MEASURES = 3  # that have a sentence, so that all fits on a screen
_QUERIES = 3  # topics in a sentence, where each has the text of its query


def reason_findings(result: Gated) -> Iterator[Finding]:
    """What happened on topics, on the one that loses most, and on kinds of topics; nothing where it passes."""
    if result.reason is None:
        return
    for own in result.reason.measures[:_MEASURES]:
        yield _of_measure(result, own).about(measure=own.measure)
    for lists in result.reason.lists[:1]:
        yield _of_lists(lists, result.reason)
    for own in result.reason.measures[:1]:
        if own.kinds:
            kinds = losing_kinds(measure=own.measure, candidate=result.candidate, kinds=own.kinds)
            yield kinds.about(measure=own.measure).claiming((), "exploratory")


def _of_measure(result: Gated, own: MeasureReason) -> Finding:
    return largest_losses(
        measure=own.measure,
        candidate=result.candidate,
        topics=result.topics,
        wins=own.wins,
        losses=own.losses,
        largest=own.largest,
    )


@sentence("largest-losses", "note", claims=())
def largest_losses(
    *, measure: str, candidate: str, topics: int, wins: int, losses: int, largest: Sequence[TopicLoss]
) -> str:
    """On how many topics it is worse, and where most."""
    has_queries = any(loss.query for loss in largest)
    named = [_loss(measure, loss) for loss in largest[: _QUERIES if has_queries else len(largest)]]
    most = f", most on {listed(named)}" if named else ""
    of = counted(topics, "topic")
    return f"In {plain_name(measure)}, {candidate} is better on {wins} of {of} and worse on {losses}{most}."


def _loss(measure: str, loss: TopicLoss) -> str:
    size = amount(loss.difference, is_ratio=is_ratio(measure)) + ", no answer" * loss.missing
    named = topic_told(loss.topic, loss.query)
    return f"{named} ({size})" if loss.query is None else f"{named.removesuffix(')')}, {size})"


def _of_lists(lists: TopicLists, reason: Reason) -> Finding:
    return moved(
        topic=lists.topic,
        query=lists.query,
        runs=reason.runs,
        relevant=(_relevant(lists.baseline), _relevant(lists.candidate)),
        to=tuple(own.elsewhere for own in lists.baseline if _is_relevant(own) and _left(own)),
        unjudged=(_unjudged(lists.baseline), _unjudged(lists.candidate)),
        sizes=(len(lists.baseline), len(lists.candidate)),
    )


def _is_relevant(document: RankedDocument) -> bool:
    return document.grade is not None and document.grade > 0


def _left(document: RankedDocument) -> bool:
    return document.elsewhere is None or document.elsewhere > TOP


def _relevant(documents: Sequence[RankedDocument]) -> int:
    return sum(map(_is_relevant, documents))


def _unjudged(documents: Sequence[RankedDocument]) -> int:
    return sum(document.grade is None for document in documents)


@sentence("moved", "note", claims=())
def moved(
    *,
    topic: str,
    query: str | None,
    runs: tuple[str, str],
    relevant: tuple[int, int],
    to: Sequence[int | None],
    unjudged: tuple[int, int],
    sizes: tuple[int, int] = (TOP, TOP),
) -> str:
    """What became of relevant documents among the first ones, and how many are unjudged."""
    baseline, candidate = runs
    other = "" if sizes[0] == sizes[1] else f"of {_first(sizes[1])} "
    both = f"{relevant[0]} of {_first(sizes[0])} documents of {baseline} are relevant, and {relevant[1]} {other}of"
    first = f"{both} {candidate}"
    holes = f" ({unjudged[0]} and {unjudged[1]} are unjudged)" if any(unjudged) else ""
    return f"On topic {topic_told(topic, query)}, {first}{holes}{_left_to(to, relevant[0])}."


def _first(size: int) -> str:
    """The first documents, or all of a list that is shorter."""
    return f"the first {size}" if size == TOP else f"the {size}"


def _left_to(to: Sequence[int | None], relevant: int) -> str:
    """Where relevant documents of the baseline's first ones went."""
    if not to:
        return ""
    ranks = sorted(rank for rank in to if rank is not None)
    parts = [f"to {'rank' if len(ranks) == 1 else 'ranks'} {listed(list(map(str, ranks)))}"] if ranks else []
    if gone := len(to) - len(ranks):
        parts.append(f"{gone} {'is' if gone == 1 else 'are'} no longer retrieved")
    return f"; {len(to)} of the {relevant} left: {', and '.join(parts)}"


@sentence("losing-kinds", "note", claims=())
def losing_kinds(*, measure: str, candidate: str, kinds: Sequence[KindLoss]) -> str:
    """Kinds of topics that lose on average, which nobody asked for."""
    named = [
        f"{kind.column} {kind.value} ({amount(kind.difference, is_ratio=is_ratio(measure))} on "
        f"{counted(kind.topics, 'topic')})"
        for kind in kinds
    ]
    asked = " ".join(f"--by {column}" for column in dict.fromkeys(kind.column for kind in kinds))
    loses = f"{candidate} loses most on {listed(named)}, on average over these topics"
    return f"In {plain_name(measure)}, {loses}; for a verdict on such kinds, ask {asked}."


def list_tables(result: Gated) -> list[Table]:
    """What both rank first on the topics that lose most."""
    if result.reason is None:
        return []
    reason = result.reason
    return [_list_table(lists, reason, number) for number, lists in enumerate(reason.lists, 1)]


def _list_table(lists: TopicLists, reason: Reason, number: int) -> Table:
    baseline, candidate = reason.runs
    empty = RankedDocument(None, None, None)
    ended = "" if len(lists.baseline) == len(lists.candidate) else ", or where a list has ended"
    rows = (
        (rank, _named(old), old.grade, old.elsewhere, _named(new), new.grade, new.elsewhere)
        for rank, (old, new) in enumerate(zip_longest(lists.baseline, lists.candidate, fillvalue=empty), 1)
    )
    columns = (
        Column("rank"),
        Column("baseline", baseline),
        Column("baseline_grade", "grade", f"– where unjudged{ended}"),
        Column("now", explained=f"the rank in {candidate}, – where it is not retrieved"),
        Column("candidate", candidate),
        Column("candidate_grade", "grade"),
        Column("was", explained=f"the rank in {baseline}"),
    )
    title = f"The first {TOP} documents on topic {topic_told(lists.topic, lists.query)}"
    return Table(f"documents-{number}", title, columns, tuple(rows))


def _named(document: RankedDocument) -> str:
    return document.docno or "–"


def folded(table: Table) -> str:
    """A table in Markdown that is opened by a click; GitHub takes the summary as HTML."""
    title = escape(visible(re.sub(r"\s", " ", table.title)))  # in code no name becomes a link or a mention
    rows = table.to_markdown().partition("\n\n")[2].rstrip()
    return f"<details><summary><code>{title}</code></summary>\n\n{rows}\n\n</details>"


def screen(result: Gated) -> str:
    """Sentences, and what both rank first on the topic that loses most; where it passes, what could change that."""
    measures = result.each if result.reason is None else [result[result.reason.measures[0].measure]]
    holes = [told for gated in measures for told in holes_told(gated.measure, gated.holes)]
    replicates = [f"Note: {note.text}." for note in result.notes if note.text == OWN_REPLICATES]
    bullets = [
        textwrap.fill(visible(text), _WIDTH, initial_indent="- ", subsequent_indent="  ")
        for text in (*(finding.text for finding in (*reason_findings(result), *holes)), *replicates)
    ]
    tables = [table.to_text(width=_WIDTH).rstrip() for table in list_tables(result)[:1]]
    return "\n\n".join(filter(None, ["\n".join(bullets), *tables]))
