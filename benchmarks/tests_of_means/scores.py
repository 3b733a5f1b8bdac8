"""The scores of TREC 5 to 8, without systems that are given twice and without the weakest."""

from __future__ import annotations

import csv
import os
from pathlib import Path

import numpy as np

from irgauge.compute.arrays import Floats

VARIABLE = "IRGAUGE_TOPIC_SCORES"
COLLECTIONS = ("adhoc5", "adhoc6", "adhoc7", "adhoc8")
MEASURES = {"AP": "ap", "P@10": "p10", "RR": "rr"}  # and how files call them
_SAME = 1e-5  # scores of two systems that differ by no more on any topic
_WEAKEST = 0.1  # of the systems of a collection


def folder() -> Path:
    """Where the scores are."""
    named = os.environ.get(VARIABLE)
    if named is None:
        raise SystemExit(f"{VARIABLE} is not set: let it name the folder of scores such as adhoc5_ap.csv")
    return Path(named)


def scores(source: Path, collection: str, measure: str) -> Floats:
    """The scores of a collection; topic, system."""
    with (source / f"{collection}_{MEASURES[measure]}.csv").open(newline="") as file:
        rows = list(csv.reader(file))[1:]
    return chosen(np.array(rows, dtype=np.float64))


def chosen(values: Floats) -> Floats:
    """The systems that take part: none that scores as an earlier one on all topics, and not the weakest tenth.

    >>> chosen(np.array([[0.1, 0.2, 0.2, 0.3], [0.1, 0.4, 0.4, 0.3]])).tolist()
    [[0.2, 0.3], [0.4, 0.3]]
    """
    systems = range(values.shape[1])
    repeated = {j for j in systems for i in range(j) if (np.abs(values[:, i] - values[:, j]) <= _SAME).all()}
    kept = values[:, [system for system in systems if system not in repeated]]
    means = kept.mean(axis=0)
    return kept[:, means >= np.quantile(means, _WEAKEST)]
