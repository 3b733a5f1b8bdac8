"""The options of `robustness`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated

from irgauge.options import Told
from irgauge.studies.asked import Filled, Levelled, OneMeasure, Scheduled, Sparse, names, numbers

COUNTS = (2, 3, 4, 5, 10, 25, 50)
MODELS = ("MD2", "MD3", "MD4", "MD5", "MD6")
USUAL: Mapping[str, str] = {"topics": "t", "documents": "crossed-t", "both": "crossed-t"}  # population: its test
TESTS = ("t", "crossed-t", "tukey")


def _populations() -> Iterable[str]:
    return USUAL


def _tests() -> Iterable[str]:
    return TESTS


@dataclass(frozen=True, kw_only=True)
class Asked(OneMeasure, Sparse, Scheduled, Filled, Levelled):
    """What is asked of the robustness of conclusions."""

    shards: Annotated[
        Sequence[int] | None,
        Told(
            "Numbers of random even shards; if not given 2, 3, 4, 5, 10, 25 and 50, but for those in which most scores "
            "are undefined.",
            read=numbers,
        ),
    ] = None
    resamples: Annotated[int, Told("Number of random splits into each number of shards.", least=1, most=100_000)] = 10
    population: Annotated[str, Told("What claims of splits cover.", names=_populations)] = "topics"
    test: Annotated[
        str | None,
        Told(
            "The test of pairs; t for topics, crossed-t for documents and both, if not given; tukey, of models, is "
            "the paper's, also on the whole corpus.",
            names=_tests,
        ),
    ] = None
    models: Annotated[
        Sequence[str] | None,
        Told(
            "Models of the test tukey, simple ones first: MD2 to MD6 or formulas. If not given MD2 to MD6 for "
            "documents, and MD6 for topics and both, where all have the same error.",
            read=names,
        ),
    ] = None
