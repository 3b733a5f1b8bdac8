"""The options of `effects`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

from irgauge.options.fields import Help
from irgauge.studies.scale_options import Transforming
from irgauge.studies.shared_options import (
    AllowsSparse,
    AnyMeasures,
    Covering,
    Filled,
    KeepingBy,
    Levelled,
    OfTables,
    schemes,
)


@dataclass(frozen=True, kw_only=True)
class EffectsOptions(AnyMeasures, AllowsSparse, KeepingBy, Filled, Covering, Transforming, Levelled, OfTables):
    """What is asked of effect sizes."""

    shards: Annotated[Sequence[str] | str, Help("A way to split the documents; repeatable.", forms=schemes)] = ()
    model: Annotated[str, Help("The model: MD2 to MD6, or a formula.")] = "MD6"
