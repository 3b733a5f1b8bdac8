from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

import numpy as np
import pytest

from irgauge.errors import InputError
from irgauge.lab.index import Index
from oracles.made_text import index_of

INDEX = index_of({"a": ["wave", "noise"], "b": ["noise", "radio", "radio"], "c": ["wave"]})
SPOILT: Mapping[str, tuple[str, Callable[[list[int]], list[int]]]] = {  # of which scipy would read what is not there
    "the last end below 0": ("indptr", lambda ends: [*ends[:-1], -7]),
    "the last end short": ("indptr", lambda ends: [*ends[:-1], ends[-1] - 1]),
    "the last end beyond": ("indptr", lambda ends: [*ends[:-1], ends[-1] + 1]),
    "ends that fall": ("indptr", lambda ends: [0, ends[2], ends[1], ends[3]]),
    "differences that overflow": ("indptr", lambda ends: [0, 2**31 - 1, -(2**31), ends[3]]),
    "an end too few": ("indptr", lambda ends: ends[:-1]),
    "a document that there is not": ("indices", lambda documents: [3, *documents[1:]]),
    "a document below 0": ("indices", lambda documents: [-1, *documents[1:]]),
    "a count of 0": ("data", lambda counts: [0, *counts[1:]]),
    "a count too few": ("data", lambda counts: counts[:-1]),
}


def test_an_index_is_read_back(tmp_path: Path) -> None:
    INDEX.save(tmp_path / "index")
    found = Index.load(tmp_path / "index")
    assert (found.docnos, found.terms, found.analyser) == (INDEX.docnos, INDEX.terms, INDEX.analyser)
    assert found.counts.toarray().tolist() == INDEX.counts.toarray().tolist() == [[1, 1, 0], [0, 2, 0], [1, 0, 1]]


@pytest.mark.parametrize("fault", SPOILT)
def test_an_index_whose_numbers_cannot_be_is_refused(fault: str, tmp_path: Path) -> None:
    INDEX.save(tmp_path / "index")
    name, spoil = SPOILT[fault]
    path = tmp_path / "index" / f"{name}.npy"
    np.save(path, np.array(spoil(np.load(path).tolist()), np.int32))
    with pytest.raises(InputError, match="this is no index of the lab, or a damaged one"):
        Index.load(tmp_path / "index")
