"""From documents to an index."""

from __future__ import annotations

from array import array
from collections import defaultdict
from collections.abc import Iterable
from typing import TYPE_CHECKING

import numpy as np

from irgauge.lab.analysis import Analyser, tokens
from irgauge.lab.documents import Document
from irgauge.lab.index import Index, Vocabulary
from irgauge.reading.options import Progress

if TYPE_CHECKING:
    from scipy.sparse import csr_array

_BATCH = 1 << 21  # words that are counted at a time
_STEP = 1000  # documents between two words on progress


def build(
    documents: Iterable[Document], analyser: Analyser | None = None, *, progress: Progress | None = None
) -> Index:
    """The index of documents, whatever their order.

    >>> index = build([Document("b", "of waves"), Document("a", "Waves, waves")])
    >>> index.docnos, index.terms, index.counts.toarray().tolist()
    (('a', 'b'), ('of', 'waves'), [[0, 1], [2, 1]])
    """
    counted = _Counted()
    for document in documents:
        counted.add(document)
        if progress is not None and len(counted.docnos) % _STEP == 0:
            progress(len(counted.docnos), 0)  # how many there are is not known
    return counted.index().analysed(analyser)


class _Counted:
    """The words of documents, counted a batch of documents at a time."""

    def __init__(self) -> None:
        self.docnos: list[str] = []
        self._numbers: defaultdict[str, int] = defaultdict()
        self._numbers.default_factory = self._numbers.__len__  # a new word has the next number
        self._batches: list[csr_array] = []
        self._words, self._lengths = array("i"), array("q")  # of the batch

    def add(self, document: Document) -> None:
        found = tokens(document.text)
        self.docnos.append(document.docno)
        self._words.extend(map(self._numbers.__getitem__, found))
        self._lengths.append(len(found))
        if len(self._words) >= _BATCH:
            self._count()

    def _count(self) -> None:
        self._batches.append(_counts(self._words, self._lengths))
        self._words, self._lengths = array("i"), array("q")

    def index(self) -> Index:
        self._count()
        return _ordered(self.docnos, tuple(self._numbers), self._batches)


def _counts(batch: array[int], lengths: array[int]) -> csr_array:
    """How often each word is in each document of a batch."""
    from scipy.sparse import csr_array

    words = np.frombuffer(batch, np.int32)
    ends = np.concatenate([[0], np.cumsum(np.frombuffer(lengths, np.int64))]).astype(np.int32)
    width = int(words.max(initial=-1)) + 1
    counts = csr_array((np.ones(len(words), np.int32), words, ends), shape=(len(lengths), width))
    counts.sum_duplicates()
    return counts


def _ordered(docnos: list[str], words: tuple[str, ...], batches: list[csr_array]) -> Index:
    """The index whose documents and terms are in their order."""
    from scipy.sparse import vstack

    for counts in batches:
        counts.resize(counts.shape[0], len(words))
    documents = sorted(range(len(docnos)), key=lambda one: docnos[one].encode())
    terms = sorted(range(len(words)), key=words.__getitem__)
    counts = vstack(batches, format="csr")[documents].T.tocsr()[terms]
    vocabulary = Vocabulary(tuple(words[term] for term in terms), Analyser())
    return Index(tuple(docnos[document] for document in documents), vocabulary, counts)
