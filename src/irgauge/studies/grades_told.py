"""What is said of graded judgments: which grades binary measures count as relevant, and which the collection does."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from irgauge.provenance import Provenance
from irgauge.scoring.measures import Measure, relevant_from
from irgauge.show.finding import Finding, sentence


def grades_told(facts: Provenance, measures: Iterable[Measure]) -> Iterator[Finding]:
    """Which grades the binary ones of some measures count, where judgments are graded and nobody has said it."""
    of_grades: Any = facts.get("grades")
    binary = [str(measure) for measure in measures if _counts_from_1(measure)]
    if of_grades and binary:
        convention = of_grades["convention"] or {"tasks": None, "rel": 2}
        yield graded(highest=of_grades["highest"], measure=binary[0], **convention)


def _counts_from_1(measure: Measure) -> bool:
    """Whether grades count as relevant from 1 on because nobody said otherwise."""
    return not measure.is_opaque and "rel" not in dict(measure.given) and measure.values.get("rel") == 1


@sentence("graded", "note")
def graded(*, highest: int, tasks: str | None, rel: int, measure: str | None = None) -> str:
    """Which grades are relevant where there are several."""
    who = "binary measures such as AP count" if measure is None else f"{measure} counts"
    otherwise = relevant_from(rel, [measure or "AP"])[0]
    usual = f"Grades go up to {highest}: {who} grade 1 and above as relevant"
    if tasks is None:
        return f"{usual} (-m '{otherwise}': {rel} and above)."
    return f"{usual}; {tasks} count {rel} and above: -m '{otherwise}'."
