"""What a check says of scores that contradict the rank column, or rise down the file."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from irgauge.show.finding import Finding, sentence
from irgauge.show.words import counted
from irgauge.studies.check.facts import RunFacts
from irgauge.studies.check.naming import named
from irgauge.studies.check.reordered import MEASURE
from irgauge.studies.check.study import Checked

Told = Mapping[str, Mapping[str, float]]  # system -> topics, and its scores by score and by rank


def findings_of_ranks(result: Checked) -> Iterator[Finding]:
    """Runs that are upside down by their ranks, others that contradict them, and such as have none and rise."""
    upside_down = [run for run in result.runs if run.is_contradicting and run.is_inverted]
    if upside_down:
        yield inverted(runs=_told(result, upside_down))
    if others := [run for run in result.runs if run.is_contradicting and not run.is_inverted]:
        yield contradicting(runs=_told(result, others))
    if found := {run.system: run.rising for run in result.runs if run.is_rising}:
        yield rising(topics=found)


def _told(result: Checked, runs: Sequence[RunFacts]) -> Told:
    either = {one.system: {"by_score": one.by_score, "by_rank": one.by_rank} for one in result.reordered}
    return {run.system: {"topics": run.contradicting, "of": run.lists} | either[run.system] for run in runs}


@sentence("inverted", "warning")
def inverted(*, runs: Told) -> str:
    """Scores that rise with the rank."""
    return (
        f"Scores rise with the rank column in {_named(runs)}. Are they distances? The highest score comes first here, "
        "as in trec_eval; if the ranks are right, change the sign of the scores."
    )


@sentence("contradicting", "warning")
def contradicting(*, runs: Told) -> str:
    """Scores that order documents otherwise than ranks do."""
    return (
        f"The rank column contradicts the scores in {_named(runs)}. Scores decide here, as in trec_eval; if the ranks "
        "are right, write scores that fall with the rank."
    )


@sentence("rising", "warning")
def rising(*, topics: Mapping[str, int]) -> str:
    """Scores that may be distances, where no ranks say so."""
    found = named({system: counted(count, "topic") for system, count in topics.items()})
    return f"Scores rise down the file; are they distances? Higher is better here: {found}."


def _named(runs: Told) -> str:
    return named(
        {
            system: f"{one['topics']} of {counted(int(one['of']), 'topic')}; {MEASURE} {one['by_score']:.3f}, "
            f"by rank {one['by_rank']:.3f}"
            for system, one in runs.items()
        }
    )
