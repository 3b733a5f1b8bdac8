"""TREC-8 and DL 2021, where IRGAUGE_TREC8 and IRGAUGE_JUDGES name their folders: worlds are made of their scores."""

from __future__ import annotations

import os
from functools import cache
from pathlib import Path

import numpy as np

from calibration.worlds import Floats, Real, RealShards
from irgauge import load
from irgauge.reading.collection import Collection
from irgauge.reading.judges import judges_of, mapped, settled
from irgauge.reading.rejudging import pairs_of, rejudged
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


def has_judges() -> bool:
    """Whether judgments by people and by models are at hand."""
    return "IRGAUGE_JUDGES" in os.environ


@cache
def dl21(judge: str, every: int) -> tuple[Floats, Floats]:
    """nDCG@10 of every so many of the runs of DL 2021 by people's judgments and by a judge's; topic, system."""
    data = Path(os.environ["IRGAUGE_JUDGES"]) / "dl21"
    runs = load(data / "qrels.txt.gz", data / "runs", warn=False).only(list(range(0, 63, every)))
    (named,) = judges_of(data / "llm" / f"{judge}.qrels.gz")
    most = int(runs.grades.max())
    qrels, _ = settled(mapped(named.read(), dict.fromkeys(range(most + 1, 100), most)), "first")
    model = rejudged(runs, pairs_of(qrels, runs))
    people, own = (np.nan_to_num(score(each, "nDCG@10").values[0, :, :, 0]) for each in (runs, model))
    return people, own


@cache
def _collection() -> Collection:
    folder = Path(os.environ["IRGAUGE_TREC8"])
    return load(folder / "qrels.txt.gz", folder / "runs")
