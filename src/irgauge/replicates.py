"""Replicates: more measurements of the same systems on the same topics, by shards or images of the corpus."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import count as numbers
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from irgauge.collection import Collection
from irgauge.errors import DesignError
from irgauge.jit import kernel
from irgauge.trec import ShardMap, read_map

if TYPE_CHECKING:
    import polars as pl

_SPEC = "even:S, die:S, map:FILE, sizes:FILE, ordered:FILE:S or match:REGEX"
_NUMPY_LIMIT = 10**9  # documents, of numpy's hypergeometric draws
_BLOCK = 256  # documents whose weights are brought into place at a time
_PART = 1 << 16  # documents that one thread takes
_SHOWN = 3  # documents named in an error


@dataclass(frozen=True)
class Shards:
    """A partition of the documents: the shard of each document, and the shards' names."""

    labels: NDArray[np.int32]  # doc
    names: tuple[str, ...]

    def __post_init__(self) -> None:
        if len(self.labels) and not 0 <= self.labels.min() <= self.labels.max() < len(self.names):
            raise DesignError(
                f"labels run from {self.labels.min()} to {self.labels.max()}, for {len(self.names)} shards"
            )

    def names_of_documents(self) -> pl.Series:
        """The name of each document's shard."""
        import polars as pl

        return pl.Series("shard", self.names).gather(self.labels)


@dataclass(frozen=True)
class Images:
    """Bootstrap samples of the documents: how often each image holds each document."""

    weights: NDArray[np.uint8]  # doc, image: contiguous over images
    first: int = 0  # the number of the first image

    @property
    def names(self) -> tuple[str, ...]:
        """The images' names: their numbers, counted from 1."""
        return tuple(str(self.first + image + 1) for image in range(self.weights.shape[1]))


Replicates = Shards | Images


def draw_images(collection: Collection, count: int, *, seed: int, first: int = 0, workers: int | None = None) -> Images:
    """Images of the corpus: as many documents as it has, drawn with replacement from all of it.

    How many of the draws fall on documents that are stored is binomial; which ones is then drawn. Image number i
    depends on the seed and on i alone.

    >>> from irgauge import load
    >>> collection = load({"q": {"d1": 1, "d2": 0}}, {"mine": {"q": {"d1": 2.0, "d3": 1.0}}})
    >>> draw_images(collection, 4, seed=1).weights.sum(axis=0).tolist()
    [3, 3, 3, 3]
    """
    if collection.documents == "judged":
        raise DesignError("images need all documents; load the collection with documents='all'")
    documents, corpus = collection.document_count, collection.corpus_size
    drawn = np.empty((count, documents), np.uint8)

    def draw(image: int) -> None:
        rng = np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(first + image,)))
        drawn[image] = 0
        missing = rng.binomial(corpus, documents / corpus)  # draws that fall on stored documents
        while missing:
            missing = _tally(rng.bit_generator.random_raw(missing // 2 + 1), missing, drawn[image])

    weights = np.empty((documents, count), np.uint8)

    def bring(first_document: int) -> None:
        part = slice(first_document, first_document + _PART)
        _transpose(drawn[:, part], weights[part])

    with ThreadPoolExecutor(workers or os.cpu_count()) as pool:
        list(pool.map(draw, range(count)))
        list(pool.map(bring, range(0, documents, _PART)))
    return Images(weights, first)


def check_images(images: int) -> None:
    """Refuse a number of images from which nothing can be learnt of their variation."""
    if images < 2:
        message = "draw at least 2, so that they can vary, better 100 or more"
        raise DesignError(f"the number of images is {images}; {message}")


def draw_topics(topics: int, count: int, *, seed: int, first: int = 0) -> NDArray[np.int64]:
    """How often each topic stands in each resample of the topics (topic, image); image i depends on the seed and i."""
    drawn = np.empty((topics, count), np.int64)
    for image in range(count):
        rng = np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(first + image, 1)))
        drawn[:, image] = np.bincount(rng.integers(topics, size=topics), minlength=topics)
    return drawn


@kernel
def _tally(words: NDArray[np.uint64], missing: int, counts: NDArray[np.uint8]) -> int:
    """Draw documents with the halves of random words, count them, and say how many draws are still missing.

    A half u of 32 bits gives document ⌊u n / 2³²⌋; those that would make it uneven are left out (Lemire 2019). That a
    document is drawn more than 255 times has a chance below 1e-490.
    """
    documents, half = np.uint64(len(counts)), np.uint64(32)
    low_bits = np.uint64(2**32 - 1)
    uneven = np.uint64(2**32) % documents
    for word in words:
        for bits in (word & low_bits, word >> half):
            product = bits * documents
            if product & low_bits >= uneven and missing > 0:
                counts[product >> half] += np.uint8(1)
                missing -= 1
    return missing


@kernel
def _transpose(rows: NDArray[np.uint8], columns: NDArray[np.uint8]) -> None:
    """Write rows as columns, in blocks that fit the cache."""
    for first in range(0, rows.shape[1], _BLOCK):
        for row in range(rows.shape[0]):
            for column in range(first, min(first + _BLOCK, rows.shape[1])):
                columns[column, row] = rows[row, column]


Draw = Callable[[np.random.Generator], Shards]


def whole(documents: int) -> Shards:
    """The whole corpus as one shard: the classic measurement."""
    return Shards(np.zeros(documents, np.int32), ("all",))


@dataclass(frozen=True)
class Sharding:
    """A way to split a collection, as `--shards` names it; `is_random` where each draw gives other shards."""

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


def sharding(collection: Collection, spec: str) -> Sharding:
    """Read a SPEC: even:S, die:S, map:FILE, sizes:FILE, ordered:FILE:S or match:REGEX.

    >>> from irgauge import load
    >>> collection = load({"q": {"AP1": 1, "FT2": 0}}, {"mine": {"q": {"AP1": 2.0, "FT3": 1.0}}})
    >>> sharding(collection, "match:^(AP|FT)").names
    ('AP', 'FT')
    """
    kind, _, rest = spec.partition(":")
    if kind not in _KINDS or not rest:
        raise DesignError(f"shards '{spec}' are unknown; write {_SPEC}")
    if collection.documents == "judged":
        raise DesignError("shards need all documents; load the collection with documents='all'")
    return _KINDS[kind](collection, spec, rest)


def _even(collection: Collection, spec: str, rest: str) -> Sharding:
    count = _count(spec, rest, collection.corpus_size)
    sizes = np.diff(np.arange(count + 1) * collection.corpus_size // count)
    return _random(collection, spec, tuple(str(i + 1) for i in range(count)), sizes)


def _die(collection: Collection, spec: str, rest: str) -> Sharding:
    count = _count(spec, rest, collection.corpus_size)
    names = tuple(str(i + 1) for i in range(count))

    def roll(rng: np.random.Generator) -> Shards:
        return Shards(rng.integers(count, size=collection.document_count, dtype=np.int32), names)

    return Sharding(spec, names, is_random=True, draw=roll)


def _map(collection: Collection, spec: str, rest: str) -> Sharding:
    given = read_map(rest)
    return _fixed(spec, Shards(_places(collection, given), given.shards))


def _sizes(collection: Collection, spec: str, rest: str) -> Sharding:
    given = read_map(rest)
    sizes = np.bincount(given.labels, minlength=len(given.shards))
    if sizes.sum() < collection.document_count:
        message = f"the map has {sizes.sum()} documents, fewer than the {collection.document_count} of runs and qrels"
        raise DesignError(f"shards '{spec}': {message}")
    return _random(collection, spec, given.shards, sizes)


def _ordered(collection: Collection, spec: str, rest: str) -> Sharding:
    import polars as pl

    path, _, number = rest.rpartition(":")
    if not path:
        raise DesignError(f"shards '{spec}' lack the number of parts; write ordered:FILE:S")
    given = read_map(path)
    count = _count(spec, number, len(given.docnos))
    frame = pl.DataFrame({"shard": pl.Series(given.shards).gather(given.labels), "docno": given.docnos})
    order = frame.with_row_index().sort("shard", "docno")["index"].to_numpy()
    parts = np.empty(len(order), np.int32)
    parts[order] = np.arange(len(order)) * count // len(order)
    cut = ShardMap(given.path, given.docnos, parts, tuple(str(i + 1) for i in range(count)))
    return _fixed(spec, Shards(_places(collection, cut), cut.shards))


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
    return _fixed(spec, Shards(places.astype(np.int32), tuple(names.tolist())))


_KINDS: dict[str, Callable[[Collection, str, str], Sharding]] = {
    "even": _even,
    "die": _die,
    "map": _map,
    "sizes": _sizes,
    "ordered": _ordered,
    "match": _match,
}


def _count(spec: str, text: str, documents: int) -> int:
    """A number of shards."""
    if not re.fullmatch("0*[1-9][0-9]{0,8}", text):
        raise DesignError(f"shards '{spec}': '{text}' is not a number of shards, a whole number from 1")
    if int(text) > documents:
        raise DesignError(f"shards '{spec}': {text} shards are more than the {documents} documents; ask for fewer")
    return int(text)


def _fixed(spec: str, shards: Shards) -> Sharding:
    """The same shards whatever the draw."""
    empty = set(range(len(shards.names))) - set(np.unique(shards.labels).tolist())
    if empty:
        raise DesignError(f"shards '{spec}': no document of runs and qrels is in shard '{shards.names[min(empty)]}'")
    return Sharding(spec, shards.names, is_random=False, draw=lambda _: shards)


def _random(collection: Collection, spec: str, names: tuple[str, ...], sizes: NDArray[np.int64]) -> Sharding:
    """Shards of these sizes. How many of the documents that are stored fall into each is drawn, then which ones."""
    documents = collection.document_count

    def deal(rng: np.random.Generator) -> Shards:
        counts = _counts(sizes, documents, rng)
        return Shards(rng.permutation(np.repeat(np.arange(len(sizes), dtype=np.int32), counts)), names)

    return Sharding(spec, names, is_random=True, draw=deal)


def _counts(sizes: NDArray[np.int64], drawn: int, rng: np.random.Generator) -> NDArray[np.int64]:
    """How many of the drawn documents are of each shard: multivariate hypergeometric, for a corpus of any size."""
    if sizes.sum() < _NUMPY_LIMIT:
        return rng.multivariate_hypergeometric(sizes, drawn, method="marginals")
    # of so many documents the drawn ones are hardly ever the same one twice: draw distinct places in the corpus
    places = np.unique(rng.integers(sizes.sum(), size=drawn))
    while len(places) < drawn:
        places = np.unique(np.append(places, rng.integers(sizes.sum(), size=drawn - len(places))))
    return np.bincount(np.searchsorted(np.cumsum(sizes), places, side="right"), minlength=len(sizes))


def _places(collection: Collection, given: ShardMap) -> NDArray[np.int32]:
    """The shard of each document of the collection; every one must be in the map."""
    import polars as pl

    labels = pl.DataFrame({"docno": given.docnos, "label": given.labels})
    found = collection.docnos.to_frame("docno").join(labels, on="docno", how="left", maintain_order="left")["label"]
    if found.null_count():
        missing = collection.docnos.filter(found.is_null())
        message = (
            f"{len(missing)} documents of runs and qrels are not in the map, such as {', '.join(missing[:_SHOWN])}"
        )
        raise DesignError(f"{given.path}: {message}")
    return found.to_numpy().astype(np.int32)
