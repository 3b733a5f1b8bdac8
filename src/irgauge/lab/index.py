"""Index: how often each term is in each document, with the statistics that models need; how it is built and stored."""

from __future__ import annotations

import json
import os
from array import array
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from irgauge.brief import Brief
from irgauge.compute.arrays import Bools, Ints
from irgauge.errors import DesignError, InputError
from irgauge.files.writing import filling
from irgauge.lab.analysis import Analyser, tokens
from irgauge.lab.positions import STOPPED, Positions
from irgauge.lab.texts import Document
from irgauge.options.progress import Progress

if TYPE_CHECKING:
    import os

    from scipy.sparse import csr_array


@dataclass(frozen=True, eq=False)
class Vocabulary:
    """The terms of an index, in the order of their characters, and what makes terms of a text."""

    terms: tuple[str, ...]
    analyser: Analyser

    @cached_property
    def numbers(self) -> Mapping[str, int]:
        """The number of each term."""
        return {term: number for number, term in enumerate(self.terms)}


@dataclass(frozen=True, eq=False, repr=False)
class Index(Brief):
    """Documents, by the order of their docnos' bytes, as counts of terms."""

    docnos: tuple[str, ...]  # document
    vocabulary: Vocabulary
    counts: csr_array  # term × document
    positions: Positions | None = None  # where terms stand, if asked for

    def _facts(self) -> dict[str, str]:
        return {
            "documents": f"{self.n_documents:,}",
            "terms": f"{len(self.terms):,}",
            "mean length": f"{self.mean_length:.1f}",
            "analyser": str(self.analyser),
        }

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Index:
        """The index in a folder; its arrays stay on disk until they are needed."""

        return load(path)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the index to a folder, whole or not at all."""

        save(self, path)

    @property
    def terms(self) -> tuple[str, ...]:
        """The terms, by number."""
        return self.vocabulary.terms

    @property
    def analyser(self) -> Analyser:
        """What makes terms of a text."""
        return self.vocabulary.analyser

    @property
    def n_documents(self) -> int:
        """How many documents there are."""
        return len(self.docnos)

    @cached_property
    def lengths(self) -> Ints:
        """How many terms each document has."""
        counts = np.bincount(self.counts.indices, self.counts.data, minlength=self.n_documents)
        return counts.astype(np.int64)

    @cached_property
    def document_frequencies(self) -> Ints:
        """In how many documents each term is."""
        return np.diff(self.counts.indptr).astype(np.int64)

    @cached_property
    def collection_frequencies(self) -> Ints:
        """How often each term is in all documents."""
        sums: NDArray[Any] = self.counts.sum(axis=1, dtype=np.int64)
        return np.asarray(sums).ravel()

    @cached_property
    def n_tokens(self) -> int:
        """How many terms all documents have."""
        return int(self.lengths.sum())

    @property
    def mean_length(self) -> float:
        """How many terms a document has on average."""
        return self.n_tokens / max(self.n_documents, 1)

    @cached_property
    def by_document(self) -> csr_array:
        """The same counts, document × term."""
        return self.counts.T.tocsr()

    def analyse(self, text: str) -> Ints:
        """The numbers of a text's terms, in their order; terms that no document has are left out."""
        numbers = self.vocabulary.numbers
        terms = np.array([numbers[term] for term in self.analyser.terms(text) if term in numbers], np.int64)
        return terms[self.document_frequencies[terms] > 0]  # a part has the terms of all documents

    def part(self, documents: Bools | Ints) -> Index:
        """Some of the documents, with statistics of their own; the numbers of terms stay."""
        chosen = np.unique(np.arange(self.n_documents)[documents])
        docnos, positions = tuple(self.docnos[number] for number in chosen), self.positions
        inside = None if positions is None else positions.part(chosen)
        return Index(docnos, self.vocabulary, _columns(self.counts, chosen), inside)

    def analysed(self, analyser: Analyser | None) -> Index:
        """The same documents with another stop list and stemmer; None: as they are.

        Terms are stopped, and those of one stem added up: what is stopped or stemmed already cannot be undone.
        """
        if analyser is None or analyser == self.analyser:
            return self
        self.check_analyser(analyser)
        return _merged(self, analyser)

    def check_analyser(self, analyser: Analyser) -> None:
        """Refuse another stop list or stemmer where words are stopped or stemmed already."""
        if not self.analyser.is_plain and analyser != self.analyser:
            raise DesignError(
                f"a system asks for {analyser}, and the index was made with {self.analyser}, which cannot be undone; "
                "make an index with --stop none --stemmer none"
            )


def _columns(counts: csr_array, documents: Ints) -> csr_array:
    """Some columns of a matrix, which are given in order."""
    from scipy.sparse import csr_array

    place = np.full(counts.shape[1], -1, np.int32)
    place[documents] = np.arange(len(documents), dtype=np.int32)
    indices = place[counts.indices]
    kept = indices >= 0
    before = np.concatenate([[0], np.cumsum(kept)])  # entries that are kept before each
    parts = counts.data[kept], indices[kept], before[counts.indptr].astype(counts.indptr.dtype)
    return csr_array(parts, shape=(counts.shape[0], len(documents)))


def _merged(index: Index, analyser: Analyser) -> Index:
    """An index of words as one of terms: the rows of words that have one term are added up."""
    from scipy.sparse import csr_array

    word_terms = analyser.terms_of(index.terms)
    terms = tuple(sorted({term for term in word_terms if term is not None}))
    vocabulary = Vocabulary(terms, analyser)
    words = np.array([word for word, term in enumerate(word_terms) if term is not None], np.int64)
    rows = np.array([vocabulary.numbers[term] for term in word_terms if term is not None], np.int64)
    ones = np.ones(len(words), index.counts.dtype)
    sums = csr_array((ones, (rows, words)), shape=(len(terms), len(word_terms))) @ index.counts
    sums.sort_indices()
    term_of = np.full(len(word_terms), STOPPED, np.int32)
    term_of[words] = rows
    positions = None if index.positions is None else index.positions.renumbered(term_of)
    return replace(index, vocabulary=vocabulary, counts=sums, positions=positions)


_FORMAT = 1  # changes with what the files mean
_ARRAYS, _OF_POSITIONS = ("data", "indices", "indptr"), ("terms", "starts")
_NOT_ONE = "this is no index of the lab, or a damaged one; make it with irgauge lab index"


def save(index: Index, path: str | os.PathLike[str]) -> None:
    """Write an index."""
    about = {
        "format": _FORMAT,
        "stop": index.analyser.stop,
        "stemmer": index.analyser.stemmer,
        "documents": index.n_documents,
        "terms": len(index.terms),
        "tokens": index.n_tokens,
        "positions": index.positions is not None,
    }
    with filling(path) as folder:
        for name in _ARRAYS:
            np.save(folder / f"{name}.npy", getattr(index.counts, name))
        if index.positions is not None:
            for name in _OF_POSITIONS:
                np.save(folder / f"positions-{name}.npy", getattr(index.positions, name))
        (folder / "docnos.txt").write_bytes("\n".join(index.docnos).encode())
        (folder / "terms.txt").write_bytes("\n".join(index.terms).encode())
        (folder / "index.json").write_bytes(json.dumps(about, indent=2).encode())


def load(path: str | os.PathLike[str]) -> Index:
    """Read an index; its arrays stay on disk, and are mapped into memory."""
    try:
        index = _loaded(Path(path))
    except InputError as error:
        raise InputError(error.message, path=str(path)) from None
    except Exception:  # noqa: BLE001  # whatever numpy, scipy and json raise of files that are others
        raise InputError(_NOT_ONE, path=str(path)) from None
    return index


def _loaded(folder: Path) -> Index:
    from scipy.sparse import csr_array

    about = json.loads((folder / "index.json").read_bytes())
    if about["format"] != _FORMAT:
        message = f"the index has format {about['format']}, and this version reads {_FORMAT}; make it again"
        raise InputError(f"{message} with irgauge lab index")
    docnos, terms = _lines(folder / "docnos.txt"), _lines(folder / "terms.txt")
    arrays = tuple(np.lib.format.open_memmap(folder / f"{name}.npy", mode="r") for name in _ARRAYS)
    if any(array.dtype.kind != "i" for array in arrays) or len(terms) != about["terms"]:
        raise InputError(_NOT_ONE)
    _, indices, indptr = arrays
    if (indptr[1:] < indptr[:-1]).any() or indptr[-1] != len(indices):  # scipy checks nothing if the last is below 0
        raise InputError(_NOT_ONE)
    counts = csr_array(arrays, shape=(len(terms), about["documents"]))
    counts.check_format(full_check=True)
    if len(docnos) != about["documents"] or counts.data.min(initial=1) < 1:
        raise InputError(_NOT_ONE)
    vocabulary = Vocabulary(terms, Analyser(about["stop"], about["stemmer"]))
    index = Index(docnos, vocabulary, counts)
    return replace(index, positions=_loaded_positions(folder, index)) if about.get("positions") else index


def _loaded_positions(folder: Path, index: Index) -> Positions:
    """The positions of an index, which must be those of its counts."""
    names = (folder / f"positions-{name}.npy" for name in _OF_POSITIONS)
    terms, starts = (np.lib.format.open_memmap(name, mode="r") for name in names)
    if terms.dtype != np.int32 or starts.dtype != np.int64 or len(starts) != index.n_documents + 1:
        raise InputError(_NOT_ONE)
    if starts[0] != 0 or starts[-1] != len(terms) or (starts[1:] < starts[:-1]).any():
        raise InputError(_NOT_ONE)
    if len(terms) and not STOPPED <= terms.min() <= terms.max() < len(index.terms):
        raise InputError(_NOT_ONE)
    if not np.array_equal(
        np.bincount(terms[terms != STOPPED], minlength=len(index.terms)), index.collection_frequencies
    ):
        raise InputError(_NOT_ONE)
    return Positions(terms, starts)


def _lines(path: Path) -> tuple[str, ...]:
    text = path.read_bytes().decode()
    return tuple(text.split("\n")) if text else ()


_BATCH = 1 << 21  # words that are counted at a time
_STEP = 1000  # documents between two words on progress


def build(
    documents: Iterable[Document],
    analyser: Analyser | None = None,
    *,
    positions: bool = False,
    progress: Progress | None = None,
) -> Index:
    """The index of documents, whatever their order; with the positions of terms, if asked for.

    >>> index = build([Document("b", "of waves"), Document("a", "Waves, waves")])
    >>> index.docnos, index.terms, index.counts.toarray().tolist()
    (('a', 'b'), ('of', 'waves'), [[0, 1], [2, 1]])
    """
    counted = _Counted(keeps_words=positions)
    for document in documents:
        counted.add(document)
        if progress is not None and len(counted.docnos) % _STEP == 0:
            progress(len(counted.docnos), 0)  # how many there are is not known
    return counted.index().analysed(analyser)


class _Counted:
    """The words of documents, counted a batch of documents at a time."""

    def __init__(self, *, keeps_words: bool) -> None:
        self.docnos: list[str] = []
        self._kept = _Kept() if keeps_words else None
        self._numbers: defaultdict[str, int] = defaultdict()
        self._numbers.default_factory = self._numbers.__len__  # a new word has the next number
        self._batches: list[csr_array] = []
        self._words, self._lengths = array("i"), array("q")  # of the batch

    def add(self, document: Document) -> None:
        words = tokens(document.text)
        self.docnos.append(document.docno)
        self._words.extend(map(self._numbers.__getitem__, words))
        self._lengths.append(len(words))
        if len(self._words) >= _BATCH:
            self._count()

    def _count(self) -> None:
        if self._kept is not None:
            self._kept.words.append(np.frombuffer(self._words, np.int32).copy())  # before they are sorted in place
            self._kept.lengths.append(np.frombuffer(self._lengths, np.int64))
        self._batches.append(_counts(self._words, self._lengths))
        self._words, self._lengths = array("i"), array("q")

    def index(self) -> Index:
        self._count()
        return _ordered(self.docnos, tuple(self._numbers), self._batches, self._kept)


@dataclass(frozen=True, eq=False)
class _Kept:
    """The words of documents in their order."""

    words: list[NDArray[np.int32]] = field(default_factory=list)
    lengths: list[NDArray[np.int64]] = field(default_factory=list)

    def positions(self, documents: list[int], terms: list[int]) -> Positions:
        """Of documents and terms in another order."""
        starts = np.concatenate([[0], np.cumsum(np.concatenate(self.lengths))]).astype(np.int64)
        number = np.empty(len(terms), np.int32)
        number[terms] = np.arange(len(terms), dtype=np.int32)
        read = Positions(np.concatenate(self.words), starts)
        return read.part(np.array(documents, np.int64)).renumbered(number)


def _counts(batch: array[int], lengths: array[int]) -> csr_array:
    """How often each word is in each document of a batch."""
    from scipy.sparse import csr_array

    words = np.frombuffer(batch, np.int32)
    ends = np.concatenate([[0], np.cumsum(np.frombuffer(lengths, np.int64))]).astype(np.int32)
    width = int(words.max(initial=-1)) + 1
    counts = csr_array((np.ones(len(words), np.int32), words, ends), shape=(len(lengths), width))
    counts.sum_duplicates()
    return counts


def _ordered(docnos: list[str], words: tuple[str, ...], batches: list[csr_array], kept: _Kept | None) -> Index:
    """The index whose documents and terms are in their order."""
    from scipy.sparse import vstack

    for counts in batches:
        counts.resize(counts.shape[0], len(words))
    documents = sorted(range(len(docnos)), key=lambda document: docnos[document].encode())
    terms = sorted(range(len(words)), key=words.__getitem__)
    counts = vstack(batches, format="csr")[documents].T.tocsr()[terms]
    vocabulary = Vocabulary(tuple(words[term] for term in terms), Analyser())
    positions = None if kept is None else kept.positions(documents, terms)
    return Index(tuple(docnos[document] for document in documents), vocabulary, counts, positions)
