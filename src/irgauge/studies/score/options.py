"""The options of `score`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from irgauge.options import Told
from irgauge.studies.asked import AnyMeasures, Levelled, Working, fill_of


@dataclass(frozen=True, kw_only=True)
class Asked(AnyMeasures, Working, Levelled):
    """What is asked of scores."""

    own_topics: Annotated[
        bool, Told("Average each run over the topics that it answers, not all: as trec_eval without -c.")
    ] = False
    per_topic: Annotated[bool, Told("Show the score of every topic, not the means.")] = False
    fill: Annotated[
        float | str,
        Told("What undefined scores are filled with: zero, lq, med, mean, uq, one or a number.", read=fill_of),
    ] = "zero"
