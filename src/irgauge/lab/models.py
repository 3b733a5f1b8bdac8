"""Models of ranking: each a record of its formula, its parameters and the weight of a term in a document."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from irgauge.compute.arrays import Floats
from irgauge.lab.parameters import Parameter, Values


class Postings(NamedTuple):
    """Terms in documents, one entry for each term and each document that has it; and the collection."""

    tf: Floats  # entry: how often the term is in the document
    dl: Floats  # entry: the document's length
    df: Floats  # entry: documents that have the term
    cf: Floats  # entry: how often the term is in the collection
    documents: int  # in the collection
    tokens: int  # in the collection

    @property
    def avdl(self) -> float:
        """The mean length of documents."""
        return self.tokens / self.documents


Weight = Callable[[Postings, Values], Floats]  # of each entry
DocumentWeight = Callable[[Floats, Values], Floats]  # of each length


def _none(lengths: Floats, values: Values) -> Floats:  # noqa: ARG001  # a DocumentWeight
    return np.zeros(len(lengths))


@dataclass(frozen=True)
class Model:
    """A model of ranking: the score of a document is

        Σ_t q_t · weight(t, d) + (Σ_t q_t) · document_weight(d)

    over the terms t of the query that d has; q_t is the weight of t in the query.
    """

    title: str
    formula: str
    parameters: Mapping[str, Parameter]
    weight: Weight
    document_weight: DocumentWeight = _none
    is_log_probability: bool = False  # whether a score is the logarithm of a query's probability, but for a constant


def _bm25(of: Postings, values: Values) -> Floats:
    k1, b = values["k1"], values["b"]
    idf = np.log1p((of.documents - of.df + 0.5) / (of.df + 0.5))
    return idf * of.tf / (of.tf + k1 * (1 - b + b * of.dl / of.avdl))


def _dirichlet(of: Postings, values: Values) -> Floats:
    return np.log1p(of.tf / (values["mu"] * of.cf / of.tokens))


def _dirichlet_document(lengths: Floats, values: Values) -> Floats:
    return np.log(values["mu"] / (lengths + values["mu"]))


def _jelinek_mercer(of: Postings, values: Values) -> Floats:
    share = values["lambda"]
    return np.log1p((1 - share) / share * (of.tf / of.dl) / (of.cf / of.tokens))


def _tf_idf(of: Postings, values: Values) -> Floats:
    s = values["s"]
    tf = (1 + np.log(1 + np.log(of.tf))) / (1 - s + s * of.dl / of.avdl)
    return tf * np.log((of.documents + 1) / of.df)


def _pl2(of: Postings, values: Values) -> Floats:
    tfn = of.tf * np.log2(1 + values["c"] * of.avdl / of.dl)
    mean = of.cf / of.documents
    bits = tfn * np.log2(tfn / mean) + (mean + 1 / (12 * tfn) - tfn) * np.log2(np.e) + np.log2(2 * np.pi * tfn) / 2
    return bits / (tfn + 1)


MODELS: Mapping[str, Model] = {
    "bm25": Model(
        "BM25, as in Lucene",
        "ln(1 + (N − df + ½) / (df + ½)) · tf / (tf + k1 (1 − b + b dl / avdl))",
        {
            "k1": Parameter(0.9, 0, 1000, "how slowly a repeated term saturates"),
            "b": Parameter(0.4, 0, 1, "how much long documents are held back"),
        },
        _bm25,
    ),
    "dirichlet": Model(
        "query likelihood, smoothed by a Dirichlet prior",
        "ln(1 + tf / (mu cf / T)), and ln(mu / (dl + mu)) for each term of the query",
        {"mu": Parameter(1000, 1e-3, 1e9, "terms that the collection adds to each document")},
        _dirichlet,
        _dirichlet_document,
        is_log_probability=True,
    ),
    "jm": Model(
        "query likelihood, smoothed after Jelinek and Mercer",
        "ln(1 + (1 − lambda) / lambda · (tf / dl) / (cf / T))",
        {"lambda": Parameter(0.4, 1e-6, 1 - 1e-6, "the share of the collection in a document's model")},
        _jelinek_mercer,
        is_log_probability=True,
    ),
    "tfidf": Model(
        "TF-IDF with pivoted lengths",
        "(1 + ln(1 + ln tf)) / (1 − s + s dl / avdl) · ln((N + 1) / df)",
        {"s": Parameter(0.2, 0, 1, "the slope: how much long documents are held back")},
        _tf_idf,
    ),
    "pl2": Model(
        "divergence from randomness: Poisson, Laplace, normalisation 2",
        "(tfn log2(tfn / m) + (m + 1 / (12 tfn) − tfn) log2 e + ½ log2(2π tfn)) / (tfn + 1), "
        "with tfn = tf log2(1 + c avdl / dl) and m = cf / N",
        {"c": Parameter(1.0, 1e-3, 1000, "how much the counts of long documents are held back")},
        _pl2,
    ),
}
