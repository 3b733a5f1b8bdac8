"""The options of `compare`."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Annotated

from irgauge.options import Told
from irgauge.studies.asked import Covering, Levelled, OneMeasure, Sharded, corrections


def _tests() -> Iterable[str]:
    from irgauge.inference.pairwise import TESTS

    return TESTS


@dataclass(frozen=True, kw_only=True)
class Asked(OneMeasure, Sharded, Covering, Levelled):
    """What is asked of a comparison."""

    test: Annotated[str, Told("The test of pairs.", names=_tests)] = "tukey"
    correction: Annotated[
        str | None,
        Told(
            "Correction of p-values over the pairs; if not given Holm's, bh with randomization, none with tukey.",
            names=corrections,
        ),
    ] = None
    baseline: Annotated[str | None, Told("Compare all systems with this one only.")] = None
    model: Annotated[
        str | None, Told("The model, MD1 to MD6 or a formula; MD6 with shards, MD1 without, if not given.")
    ] = None
    draws: Annotated[int, Told("Number of draws of the randomization tests.", least=1)] = 10_000
