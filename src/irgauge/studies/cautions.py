"""Cautions of few topics, of differences that do not vary, of guessed directions and of unjudged documents."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from irgauge.show.finding import Finding, sentence
from irgauge.show.ratios import amount, is_ratio, plain_name
from irgauge.show.verdicts import AGAINST
from irgauge.show.words import counted, listed, percent, signed

if TYPE_CHECKING:
    from irgauge.studies.hole_changes import HoleChanges, UnseenHoles

ENOUGH = 25  # topics: with fewer, tests over topics and intervals of means are rough


@sentence("few-topics", tone="note")
def few_topics(*, topics: int) -> str:
    """That tests rest on few topics."""
    return (
        f"Tests over fewer than {ENOUGH} topics, {topics} here, are rough: they err more often than α says where "
        "differences are skewed."
    )


@sentence("constant-difference", tone="warning")
def constant(*, measure: str, pair: tuple[str, str], difference: float, pairs: int, topics: int) -> str:
    """That systems differ by the same amount everywhere."""
    also = "" if pairs == 1 else f", and so do {counted(pairs - 1, 'other pair')}"
    size = amount(difference, is_ratio=is_ratio(measure))
    return (
        f"By {plain_name(measure)}, {listed(pair)} differ by the same amount on all {topics:,} topics ({size}){also}:"
        " there is no spread to test this against, and nothing is claimed of other topics."
    )


@sentence("direction-guessed", tone="warning")
def direction_guessed(*, measure: str) -> str:
    """That less is taken as better because of the name of the measure."""
    return (
        f"{measure} sounds as if lower scores were better, and here they count as better: name the measure as "
        f"'{measure}:lower' (-m {measure}:lower), or as '{measure}:higher' if that is wrong."
    )


def holes_told(measure: str, changes: HoleChanges | UnseenHoles | None) -> Iterator[Finding]:
    """That unjudged documents could change verdicts, or that it is not known; nothing where they cannot."""
    from irgauge.studies.hole_changes import UnseenHoles  # with scipy, which other cautions do without

    if isinstance(changes, UnseenHoles):
        yield holes_unseen(measure=measure, share=changes.share, cutoff=changes.cutoff).about(measure=measure)
    elif changes is not None:
        yield holes_could_change(
            measure=measure,
            documents=changes.documents,
            changes=changes.changes,
            verdicts=changes.verdicts,
            first=(changes.system, changes.against, changes.verdict),
            span=(changes.difference, changes.extreme),
            is_across=changes.is_across,
        ).about(measure=measure)


@sentence("holes-unseen", tone="note", claims=())
def holes_unseen(*, measure: str, share: float, cutoff: int | None) -> str:
    """That documents are unjudged, and that nobody looked at what they could change."""
    down = "" if cutoff is None else f" down to rank {cutoff}"
    return (
        f"By {measure}, {percent(share)} of the documents that systems list{down} are unjudged, and count as not "
        "relevant. What grades of these could change was not looked at, as of large runs; `irgauge holes` has the "
        "bounds of differences."
    )


@sentence("holes-could-change", tone="note", claims=())
def holes_could_change(
    *,
    measure: str,
    documents: int,
    changes: int,
    verdicts: int,
    first: tuple[str, str, str],
    span: tuple[float, float],
    is_across: bool,
) -> str:
    """Verdicts that some grades of unjudged documents would change; first: two systems, and what is said of them."""
    system, against, verdict = first
    some = f"any of the {changes:,}" if changes == verdicts else f"{changes:,} of {verdicts:,}"
    which = "the verdict" if verdicts == 1 else f"{some} verdicts"
    judged = f"the {counted(documents, 'unjudged document')} {'was' if documents == 1 else 'were'} judged"
    example = f", {'such as ' if changes > 1 else ''}that {system} is {AGAINST[verdict]} {against}"
    difference, extreme = map(signed, span)
    unshown = "be significant" if verdict in ("better", "worse") else "be shown to be within the margin"
    small = "" if is_across else f", which need not {unshown}"
    return (
        f"By {measure}, if {judged}, {which} could change{example if verdicts > 1 else ''}: "
        f"the difference is {difference}, and could be {extreme}{small}. `irgauge holes` has bounds of the "
        "differences, which may lie further out."
    )
