"""TREC-8, where IRGAUGE_TREC8 names its folder: the scores from which some worlds are made."""

from __future__ import annotations

import os
from functools import cache
from pathlib import Path

import numpy as np

from calibration.worlds import Real, RealShards
from irgauge import load
from irgauge.reading.collection import Collection
from irgauge.replicates.shards import sharding
from irgauge.scoring.scores import score

_SHARDS = 50


def is_there() -> bool:
    """Whether the data are at hand."""
    return "IRGAUGE_TREC8" in os.environ


@cache
def trec8(measure: str = "AP") -> Real:
    """Scores on the whole corpus."""
    return Real(np.nan_to_num(score(_collection(), measure).values[0, :, :, 0]))


@cache
def without_copies() -> Real:
    """AP on the whole corpus, of systems that do not copy another."""
    return Real(trec8().scores[:, trec8().distinct()])


@cache
def shards_without_copies() -> RealShards:
    """AP on random shards, of the same systems."""
    shards = sharding(_collection(), f"even:{_SHARDS}").split(0, 0)
    scores = np.nan_to_num(score(_collection(), "AP", shards).values[0])
    return RealShards(scores[:, trec8().distinct()])


@cache
def _collection() -> Collection:
    folder = Path(os.environ["IRGAUGE_TREC8"])
    return load(folder / "qrels.txt.gz", folder / "runs")
