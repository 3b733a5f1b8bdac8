"""The options of `report`."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from dataclasses import KW_ONLY, dataclass
from typing import TYPE_CHECKING, Annotated

from irgauge.options import Told
from irgauge.studies.asked import MEASURES, Levelled, Progress, Seeded, schemes

if TYPE_CHECKING:
    from irgauge.scoring.measures import Measure

USUAL = "even:5"  # shards
NONE = "none"


def _shards(text: str) -> str | None:
    return None if text == NONE else text


def _schemes() -> Sequence[str]:
    return [*schemes(), NONE]


@dataclass(frozen=True)
class Asked(Seeded, Levelled):
    """What is asked of a report."""

    measures: Annotated[Sequence[str | Measure] | str | Measure, MEASURES] = ("AP", "nDCG@10")
    _: KW_ONLY
    shards: Annotated[
        str | None, Told("How to split the documents, or none for the whole corpus only.", forms=_schemes, read=_shards)
    ] = USUAL
    resamples: Annotated[int, Told("Independent splits, to see whether conclusions hold.", least=1)] = 10
    images: Annotated[int, Told("Bootstrap samples of the corpus and of the topics.", least=2)] = 200
    manifest: Annotated[
        str | os.PathLike[str] | None,
        Told("Runs are instances of algorithms: a file with `run algorithm [instance]` on each line.", metavar="FILE"),
    ] = None
    pattern: Annotated[
        Sequence[str] | str | None,
        Told("Or what their file names look like, such as {algorithm}.{seed}.run; repeatable, the first that fits."),
    ] = None
    precision: Annotated[str, Told("Of scores in the order: double or single, as older trec_eval orders.")] = "double"
    corpus_size: Annotated[int | None, Told("Documents in the corpus; those seen if not given.", least=1)] = None
    telling: Callable[[str], AbstractContextManager[Progress | None]] | None = None  # a study's name -> its progress
