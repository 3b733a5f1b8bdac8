"""Dependences between terms of a query: terms that stand together in a document count beside single ones.

The full dependence model of Metzler and Croft (SIGIR 2005). A feature is a run of terms of the query as a phrase, or a
set of its terms within a window of four words for each. It is smoothed like a term:

    f(d) = ln(1 + tf / (mu cf / T)) + ln(mu / (dl + mu))

with how often it is in the document and in the collection; one that no document has does not count.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain, combinations
from typing import TYPE_CHECKING

import numpy as np

from irgauge.compute.arrays import Floats, Indices, Ints
from irgauge.errors import DesignError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from irgauge.lab.index import Index

_WIDTH = 4  # words of a window for each term
NEEDS_POSITIONS = "a model of dependences needs positions of terms, which the index has not; make it with --positions"


def dependences(index: Index, order: Ints, values: Mapping[str, float]) -> Floats:
    """What the dependences of a query, whose terms are given in their order, add to the score of each document."""
    if index.positions is None:
        raise DesignError(NEEDS_POSITIONS)
    size, mu = int(values["size"]), values["mu"]
    added: Floats = np.zeros(index.n_documents)
    phrases = (index.positions.phrases(np.array(run)) for run in _runs(order, size))
    windows = (index.positions.windows(np.array(terms), _WIDTH * len(terms)) for terms in _sets(order, size))
    parts = ((values["ordered"], places) for places in phrases), ((values["unordered"], places) for places in windows)
    for weight, places in chain(*parts):
        if len(places) and weight:
            added += weight * _feature(index, places, mu)
    return added


def _feature(index: Index, places: Indices, mu: float) -> Floats:
    """The smoothed feature of each document; `places` are the documents that have it, once for each time."""
    tf = np.bincount(places, minlength=index.n_documents)
    feature: Floats = np.log1p(tf / (mu * len(places) / index.n_tokens)) + np.log(mu / (index.lengths + mu))
    return feature


def _runs(order: Ints, size: int) -> Iterator[tuple[int, ...]]:
    """The different runs of 2 to so many terms that follow each other in a query."""
    terms = order.tolist()
    runs = (tuple(terms[at : at + number]) for number in range(2, size + 1) for at in range(len(terms) - number + 1))
    return iter(dict.fromkeys(runs))


def _sets(order: Ints, size: int) -> Iterator[tuple[int, ...]]:
    """The sets of 2 to so many different terms of a query."""
    terms = np.unique(order).tolist()
    return chain.from_iterable(combinations(terms, number) for number in range(2, size + 1))
