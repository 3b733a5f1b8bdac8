"""Shards of an index: drawn at random, or read from a map; the map that `--shards map:FILE` reads."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import numpy as np

from irgauge.errors import DesignError, InputError
from irgauge.reading.trec import read_map, write_map
from irgauge.scoring.drawn import Shards

if TYPE_CHECKING:
    from irgauge.lab.index import Index

_SHOWN = 3  # documents named in an error


def random_shards(documents: int, count: int, seed: int = 0) -> Shards:
    """Shards of equal size, or of two sizes that differ by one document."""
    if count > documents:
        raise DesignError(f"{count} shards are more than the {documents:,} documents; ask for fewer")
    rng = np.random.default_rng(np.random.SeedSequence(seed))
    labels = np.arange(documents, dtype=np.int64) * count // documents
    return Shards(rng.permutation(labels).astype(np.int32), shard_names(count))


def save_shards(index: Index, shards: Shards, path: str | os.PathLike[str]) -> None:
    """Write the map: docno and shard on each line."""
    import polars as pl

    write_map(path, pl.Series(list(index.docnos)), shards.names_of_documents())


def read_shards(index: Index, path: str | os.PathLike[str]) -> Shards:
    """The shards of the documents of an index, as a map says; documents that it has beyond these do not matter."""
    shard_map = read_map(path)
    label_of = dict(zip(shard_map.docnos.to_list(), shard_map.labels.tolist(), strict=True))
    missing = [docno for docno in index.docnos if docno not in label_of]
    if missing:
        message = f"{len(missing):,} documents of the index are not in the map, such as {', '.join(missing[:_SHOWN])}"
        raise InputError(f"{message}; make the map of this index, with `irgauge lab shards`", path=str(path))
    labels = np.array([label_of[docno] for docno in index.docnos], np.int64)
    used, compact = np.unique(labels, return_inverse=True)
    return Shards(compact.astype(np.int32), tuple(shard_map.shards[label] for label in used.tolist()))


def shard_names(count: int) -> tuple[str, ...]:
    """Names of shards, which sort as their numbers do.

    >>> shard_names(10)[::9]
    ('S01', 'S10')
    """
    return tuple(f"S{number:0{len(str(count))}}" for number in range(1, count + 1))
