"""Shards: ways to split the documents of a collection, each named by a SPEC such as even:5.

To add a way, write its function and its record in SCHEMES; help texts and errors take it from there. Split is one split
of a collection's documents, with their names.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import count as numbers
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from irgauge.brief import Brief, some
from irgauge.compute.arrays import Ints
from irgauge.errors import DesignError
from irgauge.extensions.registry import Registry
from irgauge.reading.collection import Collection
from irgauge.reading.trec import ShardMap, read_map, write_map
from irgauge.replicates.pcg64 import shuffled
from irgauge.scoring.drawn import Shards
from irgauge.scoring.kernels import RELEVANT
from irgauge.scoring.measures import Measure

if TYPE_CHECKING:
    import polars as pl

_NUMPY_LIMIT = 10**9  # documents, of numpy's hypergeometric draws
_FEW = 127  # shards that a byte counts
_SHOWN = 3  # documents named in an error
Draw = Callable[[np.random.Generator], Shards]


@dataclass(frozen=True)
class Sharding:
    """A way to split one collection, as a SPEC names it; `is_random` where each draw gives other shards."""

    spec: str
    names: tuple[str, ...]
    is_random: bool
    draw: Draw

    def split(self, seed: int, *key: int) -> Shards:
        """The split of that key, a number or a number and an attempt: it depends on the seed and the key alone."""
        return self.draw(np.random.default_rng(np.random.SeedSequence(seed, spawn_key=key)))

    def splits(self, seed: int) -> Iterator[Shards]:
        """Independent splits without end, by their numbers."""
        return (self.split(seed, number) for number in numbers())


@dataclass(frozen=True)
class Scheme:
    """A kind of SPEC: what it looks like, what it means, and what reads it for a collection."""

    name: str
    syntax: str
    explanation: str
    read: Callable[[Collection, str, str], Sharding]  # collection, SPEC, what comes after the first colon


def sharding(collection: Collection, spec: str) -> Sharding:
    """Read a SPEC, of which SCHEMES explains the kinds.

    >>> from irgauge import load
    >>> collection = load({"q": {"AP1": 1, "FT2": 0}}, {"mine": {"q": {"AP1": 2.0, "FT3": 1.0}}})
    >>> sharding(collection, "match:^(AP|FT)").names
    ('AP', 'FT')
    """
    kind, _, rest = spec.partition(":")
    if kind not in SCHEMES or not rest:
        raise DesignError(f"the shards '{spec}' are unknown; write {syntaxes()}")
    if collection.documents == "judged":
        raise DesignError("shards need all documents; load the collection with documents='all'")
    return SCHEMES[kind].read(collection, spec, rest)


def split_documents(collection: Collection, spec: str, *, seed: int = 0, number: int = 0) -> Shards:
    """Split the documents of a collection: the split with this number, of those that the seed gives.

    >>> from irgauge import load
    >>> collection = load({"q": {"AP1": 1, "FT2": 0}}, {"mine": {"q": {"AP1": 2.0, "FT3": 1.0}}})
    >>> split_documents(collection, "match:^..").frame(collection).rows()
    [('AP1', 'AP'), ('FT2', 'FT'), ('FT3', 'FT')]
    """
    return sharding(collection, spec).split(seed, number)


def syntaxes() -> str:
    """All kinds of SPEC, for errors and help texts.

    >>> syntaxes()
    'even:S, die:S, map:FILE, sizes:FILE, ordered:FILE:S or match:REGEX'
    """
    *most, last = (scheme.syntax for scheme in SCHEMES.values())
    return f"{', '.join(most)} or {last}"


def _even(collection: Collection, spec: str, rest: str) -> Sharding:
    count = number_of_shards(spec, rest, collection.corpus_size)
    sizes = np.diff(np.arange(count + 1) * collection.corpus_size // count)
    return _random(collection, spec, tuple(str(i + 1) for i in range(count)), sizes)


def _die(collection: Collection, spec: str, rest: str) -> Sharding:
    count = number_of_shards(spec, rest, collection.corpus_size)
    names = tuple(str(i + 1) for i in range(count))

    def roll(rng: np.random.Generator) -> Shards:
        return Shards(rng.integers(count, size=collection.document_count, dtype=np.int32), names)

    return Sharding(spec, names, is_random=True, draw=roll)


def _map(collection: Collection, spec: str, rest: str) -> Sharding:
    shard_map = read_map(rest)
    return fixed_shards(spec, Shards(_places(collection, shard_map), shard_map.shards))


def _sizes(collection: Collection, spec: str, rest: str) -> Sharding:
    shard_map = read_map(rest)
    sizes = np.bincount(shard_map.labels, minlength=len(shard_map.shards))
    if sizes.sum() < collection.document_count:
        message = f"the map has {sizes.sum()} documents, fewer than the {collection.document_count} of runs and qrels"
        raise DesignError(f"shards '{spec}': {message}")
    return _random(collection, spec, shard_map.shards, sizes)


def _ordered(collection: Collection, spec: str, rest: str) -> Sharding:
    import polars as pl

    path, _, number = rest.rpartition(":")
    if not path:
        raise DesignError(f"shards '{spec}' lack the number of parts; write ordered:FILE:S")
    shard_map = read_map(path)
    count = number_of_shards(spec, number, len(shard_map.docnos))
    frame = pl.DataFrame({"shard": pl.Series(shard_map.shards).gather(shard_map.labels), "docno": shard_map.docnos})
    order = frame.with_row_index().sort("shard", "docno")["index"].to_numpy()
    parts = np.empty(len(order), np.int32)
    parts[order] = np.arange(len(order)) * count // len(order)
    cut = ShardMap(shard_map.path, shard_map.docnos, parts, tuple(str(i + 1) for i in range(count)))
    return fixed_shards(spec, Shards(_places(collection, cut), cut.shards))


def _match(collection: Collection, spec: str, rest: str) -> Sharding:
    try:
        pattern = re.compile(rest)
    except re.error as error:
        raise DesignError(f"shards '{spec}': the pattern is not a regular expression ({error})") from None
    matches = [pattern.search(docno) for docno in collection.docnos]
    labels = [match and (match[1] if pattern.groups else match[0]) for match in matches]
    missing = [docno for docno, label in zip(collection.docnos, labels, strict=True) if not label]
    if missing:
        message = f"{len(missing)} documents do not match the pattern, such as {', '.join(missing[:_SHOWN])}"
        raise DesignError(f"shards '{spec}': {message}")
    names, places = np.unique(np.array(labels, dtype=str), return_inverse=True)
    return fixed_shards(spec, Shards(places.astype(np.int32), tuple(names.tolist())))


def number_of_shards(spec: str, text: str, documents: int) -> int:
    """A number of shards."""
    if not re.fullmatch("0{0,9}[1-9][0-9]{0,8}", text):
        raise DesignError(f"shards '{spec}': '{text}' is not a number of shards; it must be a whole number from 1")
    if int(text) > documents:
        raise DesignError(f"shards '{spec}': {text} shards are more than the {documents} documents; ask for fewer")
    return int(text)


def fixed_shards(spec: str, shards: Shards) -> Sharding:
    """The same shards whatever the draw."""
    empty = set(range(len(shards.names))) - set(np.unique(shards.labels).tolist())
    if empty:
        raise DesignError(f"shards '{spec}': no document of runs and qrels is in shard '{shards.names[min(empty)]}'")
    return Sharding(spec, shards.names, is_random=False, draw=lambda _: shards)


def _random(collection: Collection, spec: str, names: tuple[str, ...], sizes: Ints) -> Sharding:
    """Shards of these sizes. How many of the documents that are stored fall into each is drawn, then which ones."""
    documents = collection.document_count

    def deal(rng: np.random.Generator) -> Shards:
        counts = _counts(sizes, documents, rng)
        small = np.int8 if len(sizes) <= _FEW else np.int32  # moving bytes about takes half as long
        return Shards(shuffled(rng, np.repeat(np.arange(len(sizes), dtype=small), counts)).astype(np.int32), names)

    return Sharding(spec, names, is_random=True, draw=deal)


def _counts(sizes: Ints, drawn: int, rng: np.random.Generator) -> Ints:
    """How many of the drawn documents are of each shard: multivariate hypergeometric, for a corpus of any size."""
    if sizes.sum() < _NUMPY_LIMIT:
        return rng.multivariate_hypergeometric(sizes, drawn, method="marginals")
    # of so many documents the drawn ones are hardly ever the same one twice: draw distinct places in the corpus
    places = np.unique(rng.integers(sizes.sum(), size=drawn))
    while len(places) < drawn:
        places = np.unique(np.append(places, rng.integers(sizes.sum(), size=drawn - len(places))))
    return np.bincount(np.searchsorted(np.cumsum(sizes), places, side="right"), minlength=len(sizes))


def _places(collection: Collection, shard_map: ShardMap) -> NDArray[np.int32]:
    """The shard of each document of the collection; every one must be in the map."""
    import polars as pl

    labels = pl.DataFrame({"docno": shard_map.docnos, "label": shard_map.labels})
    places = collection.docnos.to_frame("docno").join(labels, on="docno", how="left", maintain_order="left")["label"]
    if places.null_count():
        missing = collection.docnos.filter(places.is_null())
        message = (
            f"{len(missing)} documents of runs and qrels are not in the map, such as {', '.join(missing[:_SHOWN])}"
        )
        raise DesignError(f"{shard_map.path}: {message}")
    return places.to_numpy().astype(np.int32)


def _check_added(scheme: Scheme) -> None:
    if not scheme.syntax.startswith(f"{scheme.name}:"):
        raise DesignError(f"the way to shard '{scheme.name}' is written {scheme.syntax}; it begins with {scheme.name}:")


_RECORDS = (
    Scheme("even", "even:S", "S random shards of equal size", _even),
    Scheme("die", "die:S", "S shards, each document in one of them at random, so that their sizes vary", _die),
    Scheme("map", "map:FILE", "the shards of a file with `docno shard` on each line", _map),
    Scheme("sizes", "sizes:FILE", "random shards that are as large as those of such a file", _sizes),
    Scheme("ordered", "ordered:FILE:S", "S equal parts of such a file, in the order of shard and docno", _ordered),
    Scheme(
        "match", "match:REGEX", "one shard for each text that the pattern (or its first group) finds in docnos", _match
    ),
)
SCHEMES = Registry("shards", lambda: _RECORDS, check=_check_added)


def topics_lacking(collection: Collection, shards: Shards, measures: Sequence[Measure]) -> list[str]:
    """Topics without a document in some shard that all measures take as relevant."""
    is_relevant = np.all([measure.kinds(collection.grades) == RELEVANT for measure in measures], axis=0)
    relevant = is_relevant[collection.judged_levels]
    topic_of = np.repeat(np.arange(len(collection.topics)), np.diff(collection.judged_bounds))
    counts = np.zeros((len(collection.topics), len(shards.names)), np.int64)
    np.add.at(counts, (topic_of[relevant], shards.labels[collection.judged_docs[relevant]]), 1)
    lacking = np.flatnonzero((counts == 0).any(axis=1)).tolist()
    return [collection.topics[t] for t in lacking if t not in collection.empty_topics]


@dataclass(frozen=True, eq=False, repr=False)
class Split(Brief):
    """The shard of each document of runs and judgments."""

    spec: str
    seed: int
    collection: Collection
    shards: Shards

    def _facts(self) -> dict[str, str]:
        sizes = self.sizes.values()
        return {
            "split": f"{self.spec}, seed {self.seed}",
            "shards": some(self.shards.names),
            "documents": f"{sum(sizes):,}, {min(sizes):,} to {max(sizes):,} in a shard",
        }

    @property
    def sizes(self) -> Mapping[str, int]:
        """Shard -> its documents."""
        counts = np.bincount(self.shards.labels, minlength=len(self.shards.names))
        return dict(zip(self.shards.names, counts.tolist(), strict=True))

    def frame(self) -> pl.DataFrame:
        """The table `docno, shard`."""
        return self.shards.frame(self.collection)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the map that the shards `map:FILE` read: docno and shard on each line."""
        write_map(path, self.collection.docnos, self.shards.names_of_documents())
