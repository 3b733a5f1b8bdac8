"""The options of `anova`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from irgauge.options.fields import Help
from irgauge.studies.scale_options import Transforming
from irgauge.studies.shared_options import Covering, KeepingBy, Levelled, OfTables, OneMeasure, Sharded


@dataclass(frozen=True, kw_only=True)
class AnovaOptions(OneMeasure, KeepingBy, Sharded, Covering, Transforming, Levelled, OfTables):
    """What is asked of an analysis of variance."""

    model: Annotated[
        str | None, Help("The model, MD1 to MD6 or a formula; MD6 with shards, MD1 without, if not given.")
    ] = None
    against: Annotated[str | None, Help("A smaller or larger nested model to compare with.")] = None
