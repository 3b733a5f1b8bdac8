"""The options of `robustness`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

from irgauge.options import Told
from irgauge.studies.asked import Filled, Levelled, OneMeasure, names, numbers, populations

COUNTS = (2, 3, 4, 5, 10, 25, 50)
MODELS = ("MD2", "MD3", "MD4", "MD5", "MD6")


@dataclass(frozen=True, kw_only=True)
class Asked(OneMeasure, Filled, Levelled):
    """What is asked of the robustness of conclusions."""

    shards: Annotated[Sequence[int], Told("Numbers of random even shards.", read=numbers)] = COUNTS
    resamples: Annotated[int, Told("Number of random splits into each number of shards.", least=1)] = 10
    models: Annotated[Sequence[str], Told("Models to fit, simple ones first: MD2 to MD6 or formulas.", read=names)] = (
        MODELS
    )
    population: Annotated[str, Told("What claims of models on shards cover.", names=populations)] = "documents"
