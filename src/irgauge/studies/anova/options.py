"""The options of `anova`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from irgauge.options import Told
from irgauge.studies.asked import Covering, Levelled, OneMeasure, Sharded


@dataclass(frozen=True, kw_only=True)
class Asked(OneMeasure, Sharded, Covering, Levelled):
    """What is asked of an analysis of variance."""

    model: Annotated[
        str | None, Told("The model, MD1 to MD6 or a formula; MD6 with shards, MD1 without, if not given.")
    ] = None
    against: Annotated[str | None, Told("A smaller or larger nested model to compare with.")] = None
