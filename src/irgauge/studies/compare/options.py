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

    test: Annotated[
        str | None,
        Told(
            "The test of pairs; if not given, t for topics, crossed-t for documents and both, tukey for shards.",
            names=_tests,
        ),
    ] = None
    correction: Annotated[
        str | None,
        Told(
            "Correction of p-values over the pairs; if not given holm, bh with randomization (tukey, max-t: none).",
            names=corrections,
        ),
    ] = None
    baseline: Annotated[str | None, Told("Compare all systems with this one only.")] = None
    model: Annotated[
        str | None,
        Told("The model of Tukey's test, MD1 to MD6 or a formula; MD6 with shards, MD1 without, if not given."),
    ] = None
    draws: Annotated[int, Told("Number of draws of max-t, randomization and randomised-tukey.", least=1)] = 10_000
