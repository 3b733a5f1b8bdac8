"""What new topics would show."""

from __future__ import annotations

from irgauge.inference.verdicts import POWER
from irgauge.planning.deciding import Needed
from irgauge.planning.sizes import ASSURANCE
from irgauge.show.finding import sentence
from irgauge.show.words import percent, rounded_up

SURE = f"power {percent(POWER)}, assurance {percent(ASSURANCE)}"


def new_topics(needed: Needed) -> str:
    """How many new topics would show that a system is not worse, if it is as good.

    >>> new_topics(Needed(1234)).partition(" (")[0]
    '1,300 new topics would show that it is not worse, if it is as good'
    """
    if needed.topics is None:
        return "no number of topics is likely to show that it is not worse (see `irgauge plan`)"
    would = "would show that it is not worse, if it is as good"
    clusters = "" if needed.clusters is None else f" in {rounded_up(needed.clusters)} clusters like these"
    return f"{rounded_up(needed.topics)} new topics{clusters} {would} ({SURE}; see `irgauge plan`)"


@sentence("add-and-look", tone="note")
def add_and_look() -> str:
    """That topics which are added to those that were looked at are no new ones."""
    return (
        "Test new topics by themselves: adding topics to these and testing again until something is shown turns 5 % of "
        "false claims into 9 % with one more look, and into more with every further one."
    )
