"""The options of `score`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

from irgauge.options.fields import Help
from irgauge.studies.sampling_options import OfSampling
from irgauge.studies.scale_options import Transforming
from irgauge.studies.shared_options import (
    AnyMeasures,
    Levelled,
    OfSlices,
    OfTables,
    OfWordings,
    Working,
    fill_of,
)


@dataclass(frozen=True, kw_only=True)
class ScoreOptions(AnyMeasures, Working, Transforming, Levelled, OfTables, OfWordings, OfSampling, OfSlices):
    """What is asked of scores."""

    by: Annotated[
        Sequence[str] | str | None,
        Help("A column of topics (repeatable): the means on every kind of topics too, each interval by itself."),
    ] = None
    own_topics: Annotated[
        bool, Help("Average each run over the topics that it answers, not all: as trec_eval without -c.")
    ] = False
    per_topic: Annotated[bool, Help("Show the score of every topic, not the means.")] = False
    fill: Annotated[
        float | str,
        Help("What undefined scores are filled with: zero, lq, med, mean, uq, one or a number.", read=fill_of),
    ] = "zero"
