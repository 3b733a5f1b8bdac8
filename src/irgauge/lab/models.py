"""Models of ranking: each a record of its formula, its parameters and the weight of a term in a document."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from irgauge.choices import known
from irgauge.compute.arrays import Floats, Ints
from irgauge.errors import InputError
from irgauge.lab.dependence import dependences

if TYPE_CHECKING:
    from irgauge.lab.index import Index

Values = Mapping[str, float]  # of parameters, by their names


@dataclass(frozen=True)
class ModelParameter:
    """A number that a model, or feedback, takes."""

    default: float
    least: float
    most: float
    told: str
    is_whole: bool = False

    def read(self, text: str, name: str) -> float:
        """The value that a text gives; refuses what is no number, or out of range."""
        try:
            value = float(text)
        except ValueError:
            raise InputError(f"{name} is '{text}'; it is a number, such as {self.default:g}") from None
        if not math.isfinite(value) or not self.least <= value <= self.most:
            raise InputError(f"{name} is {text}; it lies between {self.least:g} and {self.most:g}")
        if self.is_whole and value != int(value):
            raise InputError(f"{name} is {text}; it is a whole number")
        return value


@dataclass(frozen=True)
class Chosen:
    """One of several, by its name, with a value for each of its parameters."""

    name: str
    given: tuple[tuple[str, float], ...]  # by the order of the parameters

    @property
    def values(self) -> Values:
        """The values by the names of parameters."""
        return dict(self.given)

    def text(self, parameters: Mapping[str, ModelParameter]) -> str:
        """As it is written: values that are the usual ones are left out."""
        settings = [f"{name}={_number(value)}" for name, value in self.given if value != parameters[name].default]
        return f"{self.name}({','.join(settings)})" if settings else self.name


def _number(value: float) -> str:
    return str(int(value)) if value == int(value) else repr(value)


def choose(name: str, text: str | None, registry: Mapping[str, Mapping[str, ModelParameter]], what: str) -> Chosen:
    """The one of this name, with values such as k1=0.9,b=0.4; parameters not given have their defaults."""
    owner = known(name, registry, what, error=InputError)
    parameters = registry[owner]
    read = [_pair(part, owner, parameters) for part in text.split(",")] if text else []
    pairs = dict(read)
    if len(pairs) < len(read):
        raise InputError(f"'{name}({text})' gives a parameter twice; leave one out")
    values = {key: pairs.get(key, parameter.default) for key, parameter in parameters.items()}
    return Chosen(owner, tuple(values.items()))


def _pair(text: str, owner: str, parameters: Mapping[str, ModelParameter]) -> tuple[str, float]:
    """A parameter and its value, from a text such as k1=0.9."""
    name, _, value = text.partition("=")
    parameter = known(name.strip(), parameters, f"parameter of {owner}", error=InputError)
    return parameter, parameters[parameter].read(value.strip(), f"{parameter} of {owner}")


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


Dependences = Callable[["Index", Ints, Values], Floats]  # of each document, by the terms of a query in their order


def _none(lengths: Floats, values: Values) -> Floats:  # noqa: ARG001  # a DocumentWeight
    return np.zeros(len(lengths))


@dataclass(frozen=True)
class RankingModel:
    """A model of ranking: the score of a document is

        Σ_t q_t · weight(t, d) + (Σ_t q_t) · document_weight(d)

    over the terms t of the query that d has; q_t is the weight of t in the query. A model of dependences adds what
    these say.
    """

    title: str
    formula: str
    parameters: Mapping[str, ModelParameter]
    weight: Weight
    document_weight: DocumentWeight = _none
    dependences: Dependences | None = None  # what a document gains by terms that stand together
    is_log_probability: bool = False  # whether a score is the logarithm of a query's probability, but for a constant


def _bm25(of: Postings, values: Values) -> Floats:
    k1, b = values["k1"], values["b"]
    idf = np.log1p((of.documents - of.df + 0.5) / (of.df + 0.5))
    return idf * of.tf / (of.tf + k1 * (1 - b + b * of.dl / of.avdl))


def _dirichlet(of: Postings, values: Values) -> Floats:
    return np.log1p(of.tf / (values["mu"] * of.cf / of.tokens))


def _dirichlet_document(lengths: Floats, values: Values) -> Floats:
    return np.log(values["mu"] / (lengths + values["mu"]))


def _single(values: Values) -> float:
    """The weight of single terms beside dependences."""
    return 1 - values["ordered"] - values["unordered"]


def _dependent(of: Postings, values: Values) -> Floats:
    return _single(values) * _dirichlet(of, values)


def _dependent_document(lengths: Floats, values: Values) -> Floats:
    return _single(values) * _dirichlet_document(lengths, values)


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
    bits = tfn * np.log2(tfn / mean) + (mean + 1 / (12 * tfn) - tfn) * math.log2(math.e) + np.log2(2 * np.pi * tfn) / 2
    return bits / (tfn + 1)


MODELS: Mapping[str, RankingModel] = {
    "bm25": RankingModel(
        "BM25, as in Lucene",
        "ln(1 + (N − df + ½) / (df + ½)) · tf / (tf + k1 (1 − b + b dl / avdl))",
        {
            "k1": ModelParameter(0.9, 0, 1000, "how slowly a repeated term saturates"),
            "b": ModelParameter(0.4, 0, 1, "how much long documents are held back"),
        },
        _bm25,
    ),
    "dirichlet": RankingModel(
        "query likelihood, smoothed by a Dirichlet prior",
        "ln(1 + tf / (mu cf / T)), and ln(mu / (dl + mu)) for each term of the query",
        {"mu": ModelParameter(1000, 1e-3, 1e9, "terms that the collection adds to each document")},
        _dirichlet,
        _dirichlet_document,
        is_log_probability=True,
    ),
    "jm": RankingModel(
        "query likelihood, smoothed after Jelinek and Mercer",
        "ln(1 + (1 − lambda) / lambda · (tf / dl) / (cf / T))",
        {"lambda": ModelParameter(0.4, 1e-6, 1 - 1e-6, "the share of the collection in a document's model")},
        _jelinek_mercer,
        is_log_probability=True,
    ),
    "tfidf": RankingModel(
        "TF-IDF with pivoted lengths",
        "(1 + ln(1 + ln tf)) / (1 − s + s dl / avdl) · ln((N + 1) / df)",
        {"s": ModelParameter(0.2, 0, 1, "the slope: how much long documents are held back")},
        _tf_idf,
    ),
    "pl2": RankingModel(
        "divergence from randomness: Poisson, Laplace, normalisation 2",
        "(tfn log2(tfn / m) + (m + 1 / (12 tfn) − tfn) log2 e + ½ log2(2π tfn)) / (tfn + 1), "
        "with tfn = tf log2(1 + c avdl / dl) and m = cf / N",
        {"c": ModelParameter(1.0, 1e-3, 1000, "how much the counts of long documents are held back")},
        _pl2,
    ),
    "fdm": RankingModel(
        "full dependence model",
        "1 − ordered − unordered times `dirichlet`, and `ordered` times the same of each phrase, `unordered` of each "
        "set of terms in a window, of at most `size` terms of the query",
        {
            "mu": ModelParameter(1000, 1e-3, 1e9, "terms that the collection adds to each document"),
            "ordered": ModelParameter(0.1, 0, 0.5, "the weight of phrases"),
            "unordered": ModelParameter(0.1, 0, 0.5, "the weight of terms within a window"),
            "size": ModelParameter(3, 1, 8, "terms of a phrase or a window at most", is_whole=True),
        },
        _dependent,
        _dependent_document,
        dependences,
        is_log_probability=True,
    ),
}
