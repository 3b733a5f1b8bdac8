"""What to know of a gate of many looks."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from irgauge.inference.confidence_sequences import START
from irgauge.show.finding import Finding, sentence
from irgauge.show.ratios import plain_name
from irgauge.show.words import counted, listed
from irgauge.studies.gate.evidence import Outcome
from irgauge.studies.gate.sequential import contradicts_itself
from irgauge.studies.gate.study import Gated

GO_ON = "go on, and look again with more topics"


def looks_told(result: Gated) -> Iterator[Finding]:
    """Which look it is, what an earlier one decided, and where sequences hold only nearly, or not at all."""
    looks = result.looks
    if looks is None:
        return
    yield looked(look=len(looks.looks), topics=len(looks.order), new=looks.new, seed=looks.seed)
    if looks.decided is not None:
        yield decided_before(**looks.decided._asdict(), now=result.verdict)
    for gated in result.each:
        if contradicts_itself(gated):
            yield contradicted(measure=gated.measure).about(measure=gated.measure)
    if looks.asymptotic:
        yield asymptotic(measures=looks.asymptotic)


@sentence("looks", "note")
def looked(*, look: int, topics: int, new: int, seed: int) -> str:
    """Which look it is, and what holds at all of them."""
    return (
        f"This is look {look}, at {counted(topics, 'topic')} in random order (seed {seed}), {new:,} of them new. "
        "Verdicts hold at every look, so that you may stop, or go on, whenever you like."
    )


@sentence("decided-before", "note")
def decided_before(*, topics: int, verdict: Outcome, now: Outcome) -> str:
    """That there was no need to go on."""
    after = f"It was decided before, after {counted(topics, 'topic')}: {verdict}"
    return f"{after}." if verdict == now else f"{after}; with more topics it is {now}."


@sentence("contradicted", "warning")
def contradicted(*, measure: str) -> str:
    """That topics did not come in random order."""
    return (
        f"In {plain_name(measure)}, topics that came late refute what those that came early showed: they hardly come "
        "in random order, and nothing is said by it. Put all topics together, and begin anew with another state file."
    )


@sentence("asymptotic", "warning")
def asymptotic(*, measures: Sequence[str]) -> str:
    """That a sequence holds only with many topics."""
    names = listed([plain_name(measure) for measure in measures])
    return (
        f"No range of scores is known of {names}: the confidence sequence is asymptotic. It says nothing before "
        f"{START} topics, nor while all differences are the same, and errs more often than α says where few topics "
        "have very large gains or losses."
    )
