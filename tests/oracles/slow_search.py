"""Models of ranking and RM3 as they are defined, one document and one term after the other."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence

Documents = Mapping[str, Sequence[str]]  # docno -> its terms
Weights = Mapping[str, float]  # term -> its weight in the query
Ranked = list[tuple[str, float]]  # docnos and scores


def occurrences(documents: Documents, term: str) -> int:
    return sum(list(terms).count(term) for terms in documents.values())


def documents_with(documents: Documents, term: str) -> int:
    return sum(term in terms for terms in documents.values())


def size(documents: Documents) -> int:
    return sum(len(terms) for terms in documents.values())


def mean_length(documents: Documents) -> float:
    return size(documents) / len(documents)


def bm25(documents: Documents, query: Weights, docno: str, k1: float, b: float) -> float:
    score = 0.0
    for term, weight in query.items():
        tf, df = list(documents[docno]).count(term), documents_with(documents, term)
        idf = math.log(1 + (len(documents) - df + 0.5) / (df + 0.5))
        norm = k1 * (1 - b + b * len(documents[docno]) / mean_length(documents))
        score += weight * idf * tf / (tf + norm) if tf else 0.0
    return score


def dirichlet(documents: Documents, query: Weights, docno: str, mu: float) -> float:
    """The logarithm of p(q | d), but for what it is of a document without a term and without a length."""
    score = 0.0
    for term, weight in query.items():
        background = occurrences(documents, term) / size(documents)
        tf, dl = list(documents[docno]).count(term), len(documents[docno])
        score += weight * (math.log((tf + mu * background) / (dl + mu)) - math.log(background))
    return score


def jm(documents: Documents, query: Weights, docno: str, lambda_: float) -> float:
    """The logarithm of p(q | d), but for what it is of a document without a term."""
    score = 0.0
    for term, weight in query.items():
        background = lambda_ * occurrences(documents, term) / size(documents)
        share = list(documents[docno]).count(term) / len(documents[docno])
        score += weight * (math.log((1 - lambda_) * share + background) - math.log(background))
    return score


def tfidf(documents: Documents, query: Weights, docno: str, s: float) -> float:
    score = 0.0
    for term, weight in query.items():
        tf = list(documents[docno]).count(term)
        if tf:
            pivot = (1 - s) + s * len(documents[docno]) / mean_length(documents)
            idf = math.log((len(documents) + 1) / documents_with(documents, term))
            score += weight * (1 + math.log(1 + math.log(tf))) / pivot * idf
    return score


def pl2(documents: Documents, query: Weights, docno: str, c: float) -> float:
    """Information by a Poisson distribution, whose factorial Stirling's formula gives, and Laplace's after-effect."""
    score = 0.0
    for term, weight in query.items():
        tf = list(documents[docno]).count(term)
        if tf:
            tfn = tf * math.log(1 + c * mean_length(documents) / len(documents[docno]), 2)
            mean = occurrences(documents, term) / len(documents)
            log_factorial = 0.5 * math.log(2 * math.pi * tfn) + tfn * math.log(tfn) - tfn + 1 / (12 * tfn)
            log_probability = -mean + tfn * math.log(mean) - log_factorial
            score += weight * -log_probability / math.log(2) / (tfn + 1)
    return score


MODELS = {"bm25": bm25, "dirichlet": dirichlet, "jm": jm, "tfidf": tfidf, "pl2": pl2}


def score_of(documents: Documents, query: Weights, docno: str, model: str, values: Mapping[str, float]) -> float:
    given = {"lambda_" if name == "lambda" else name: value for name, value in values.items()}
    return MODELS[model](documents, query, docno, **given)  # type: ignore[operator]  # each has parameters of its own


def known(documents: Documents, query: Weights) -> Weights:
    """The query without the terms that no document has."""
    return {term: weight for term, weight in query.items() if documents_with(documents, term)}


def ranked(documents: Documents, query: Weights, model: str, values: Mapping[str, float], depth: int) -> Ranked:
    """The documents that have a term of the query: by score, ties by docno, both descending."""
    terms = known(documents, query)
    found = [docno for docno in documents if set(terms) & set(documents[docno])]
    scored = [(docno, score_of(documents, terms, docno, model, values)) for docno in found]
    return sorted(scored, key=lambda one: (one[1], one[0].encode()), reverse=True)[:depth]


def rm3(documents: Documents, query: Weights, first: Ranked, options: Mapping[str, float], is_log: bool) -> Weights:  # noqa: FBT001  # of a test
    """The query with terms of the first documents."""
    if is_log:
        likelihoods = {docno: math.exp(score) for docno, score in first}
    else:
        likelihoods = {docno: max(score, 0.0) for docno, score in first}
    if sum(likelihoods.values()) == 0:
        likelihoods = dict.fromkeys(likelihoods, 1.0)
    relevance: Counter[str] = Counter()
    for docno, likelihood in likelihoods.items():
        for term, tf in Counter(documents[docno]).items():
            relevance[term] += likelihood * tf / len(documents[docno])  # type: ignore[assignment]  # a probability
    best = sorted(relevance, key=lambda term: (-relevance[term], term))[: int(options["terms"])]
    total, asked = sum(relevance[term] for term in best), sum(query.values())
    share = options["weight"]
    terms = {*best, *query}
    return {
        term: share * query.get(term, 0.0) / asked + (1 - share) * (relevance[term] / total if term in best else 0.0)
        for term in terms
    }
