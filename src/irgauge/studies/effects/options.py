"""The options of `effects`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

from irgauge.options import Told
from irgauge.studies.asked import AnyMeasures, Covering, Filled, Levelled, Sparse, schemes


@dataclass(frozen=True, kw_only=True)
class Asked(AnyMeasures, Sparse, Filled, Covering, Levelled):
    """What is asked of effect sizes."""

    shards: Annotated[Sequence[str] | str, Told("A way to split the documents; repeatable.", forms=schemes)] = ()
    model: Annotated[str, Told("The model: MD2 to MD6, or a formula.")] = "MD6"
