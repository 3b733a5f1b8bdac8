"""Generated text: a topic model whose clusters, topics and judgments are known.

A document is of one cluster, and about one theme. Each of its words is drawn from the language at large, from that of
its cluster or from that of its theme, by shares of its own. Themes belong to clusters, but some documents about a theme
come from other clusters: these are what a search of few shards misses. A topic asks for one theme; a document is
relevant to it if it is about that theme, and highly so if the theme has a large share in it.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from itertools import product
from pathlib import Path
from typing import Annotated, NamedTuple

import numpy as np

from irgauge.compute.arrays import Floats, Ints
from irgauge.compute.tasks import counting, each
from irgauge.errors import DesignError
from irgauge.files.writing import filling
from irgauge.options.fields import LARGEST_SEED, Help
from irgauge.options.progress import Progress
from irgauge.options.verbs import verb_without_data
from irgauge.reading.options import WORKERS

_CONSONANTS, _VOWELS, _END = "bdfgklmnprstvz", "aiou", "n"
_SYLLABLES = tuple("".join(pair) for pair in product(_CONSONANTS, _VOWELS))
MOST_WORDS = len(_SYLLABLES) ** 3


def word(number: int) -> str:
    """The word of a number below MOST_WORDS: three syllables and an end.

    >>> word(0), word(1), word(MOST_WORDS - 1)
    ('bababan', 'bababin', 'zuzuzun')
    """
    high, low = divmod(number, len(_SYLLABLES))
    first, second = divmod(high, len(_SYLLABLES))
    return f"{_SYLLABLES[first]}{_SYLLABLES[second]}{_SYLLABLES[low]}{_END}"


_LANGUAGE, _TOPICS, _DOCUMENTS = range(3)  # streams of random numbers
_BLOCK = 5000  # documents that are drawn together, from a stream of their own
_WORDS = 20_000  # of the language
_CLUSTER_WORDS, _THEME_WORDS = 300, 12  # which a cluster, and a theme, prefers
_FREQUENT = 200  # words of the language that no cluster and no theme prefers
_LENGTH, _LENGTH_SD, _SHORTEST = 50, 0.4, 8  # words of a document: median, of the logarithm, at least
_CLUSTER_SHARE = 0.3  # of the words of a document
_THEME_SHARE = (1.0, 9.0)  # of the words of a document: a beta distribution
_RELEVANT, _HIGHLY = 0.05, 0.2  # shares of a theme from which on a document is relevant, and highly so
_STRAYS = 0.03  # share of the documents about a theme that come from any cluster
_QUERY_WORDS = (2, 4)  # of a topic


@dataclass(frozen=True, kw_only=True)
class GenerateOptions:
    """What is asked of generated text."""

    documents: Annotated[int, Help("Documents.", least=1, most=10_000_000)] = 20_000
    clusters: Annotated[int, Help("Clusters of documents.", least=1, most=10_000)] = 20
    topics: Annotated[int, Help("Topics, each about one theme of a cluster.", least=1, most=100_000)] = 60
    themes: Annotated[int, Help("Themes of each cluster, of which topics ask for some.", least=1, most=1000)] = 20
    seed: Annotated[int, Help("The same seed gives the same text.", least=0, most=LARGEST_SEED)] = 0
    workers: Annotated[int | None, WORKERS] = None
    progress: Progress | None = None  # is told how many documents are drawn; from Python only

    def __post_init__(self) -> None:
        if self.clusters > self.documents:
            message = f"{self.clusters} clusters are more than the {self.documents} documents"
            raise DesignError(f"{message}; ask for fewer clusters, or for more documents")
        if self.topics > self.clusters * self.themes:
            message = f"{self.topics} topics are more than the {self.clusters * self.themes} themes of all clusters"
            raise DesignError(f"{message}; ask for fewer topics, or for more themes")


class GeneratedTopic(NamedTuple):
    """A topic: what it asks for, and by which words."""

    id: str
    theme: int
    words: tuple[int, ...]


class GeneratedJudgment(NamedTuple):
    """A document that is relevant to a topic, and how much."""

    topic: str
    document: int
    grade: int


@dataclass(frozen=True, eq=False)
class _Language:
    """The words that all, a cluster and a theme use, the most frequent first."""

    clusters: Ints  # cluster, rank: word
    themes: Ints  # theme, rank: word
    of_theme: Ints  # theme: its cluster


@dataclass(frozen=True, eq=False)
class _Block:
    """Documents that are drawn together."""

    texts: tuple[str, ...]
    clusters: Ints  # document
    themes: Ints  # document
    shares: Floats  # document: of its theme


@dataclass(frozen=True, eq=False)
class Generated:
    """Text, topics and judgments, and the clusters that the documents are of."""

    texts: tuple[str, ...]  # document
    clusters: Ints  # document
    topics: tuple[GeneratedTopic, ...]
    judgments: tuple[GeneratedJudgment, ...]

    @cached_property
    def docnos(self) -> list[str]:
        """The name of each document; all have the same length, so that their order is that of their numbers."""
        width = len(str(len(self.texts)))
        return [f"D{number:0{width}}" for number in range(1, len(self.texts) + 1)]

    def write(self, folder: str | os.PathLike[str]) -> None:
        """Write documents.trec, topics.trec, qrels.txt and clusters.tsv, all or none of them."""
        import polars as pl

        from irgauge.reading.trec import write_map, write_qrels

        with filling(folder) as made:
            _write_lines(made / "documents.trec", map(_document, self.docnos, self.texts))
            _write_lines(made / "topics.trec", map(_topic, self.topics))
            write_qrels(
                made / "qrels.txt",
                [(judgment.topic, self.docnos[judgment.document], judgment.grade) for judgment in self.judgments],
            )
            names = [f"C{cluster + 1}" for cluster in self.clusters.tolist()]
            write_map(made / "clusters.tsv", pl.Series(self.docnos), pl.Series(names))


@verb_without_data(GenerateOptions)
def generate(options: GenerateOptions) -> Generated:
    """Draw text with known clusters, topics and judgments.

    >>> made = generate(documents=30, clusters=2, themes=1, topics=2)
    >>> len(made.texts), [topic.id for topic in made.topics]
    (30, ['1', '2'])
    """
    language = _language(options)
    starts = range(0, options.documents, _BLOCK)
    blocks = each(
        partial(_block, options, language),
        starts,
        options.workers,
        named="documents",
        then=counting(options.progress, len(starts)),
    )
    themes, shares = (np.concatenate([getattr(block, name) for block in blocks]) for name in ("themes", "shares"))
    topics = _topics(options, language)
    return Generated(
        tuple(text for block in blocks for text in block.texts),
        np.concatenate([block.clusters for block in blocks]),
        topics,
        tuple(judged for topic in topics for judged in _judged(topic, themes, shares)),
    )


def _rng(options: GenerateOptions, *key: int) -> np.random.Generator:
    return np.random.default_rng(np.random.SeedSequence(options.seed, spawn_key=key))


def _language(options: GenerateOptions) -> _Language:
    """Words of clusters are of the language, and words of themes are of their clusters."""
    rng = _rng(options, _LANGUAGE)
    clusters = rng.integers(_FREQUENT, _WORDS, (options.clusters, _CLUSTER_WORDS))
    of_theme = np.arange(options.clusters * options.themes) // options.themes
    chosen = [rng.choice(_CLUSTER_WORDS, _THEME_WORDS, replace=False) for _ in of_theme]
    return _Language(clusters, clusters[of_theme[:, np.newaxis], chosen], of_theme)


def _ranks(rng: np.random.Generator, most: int, size: int) -> Ints:
    """Ranks of words by Zipf's law: rank r is drawn in proportion to 1 / (r + 1)."""
    cumulated = np.cumsum(1 / np.arange(1, most + 1))
    return np.searchsorted(cumulated, rng.random(size) * cumulated[-1], side="right")


def _block(options: GenerateOptions, language: _Language, start: int) -> _Block:
    """The documents from `start` on."""
    rng = _rng(options, _DOCUMENTS, start)
    count = min(_BLOCK, options.documents - start)
    themes = rng.integers(len(language.themes), size=count)
    strays = rng.random(count) < _STRAYS
    clusters = np.where(strays, rng.integers(options.clusters, size=count), language.of_theme[themes])
    shares = rng.beta(*_THEME_SHARE, count)
    lengths = np.maximum(rng.lognormal(np.log(_LENGTH), _LENGTH_SD, count).astype(np.int64), _SHORTEST)
    words = _drawn_words(rng, language, np.repeat([clusters, themes], lengths, axis=1), np.repeat(shares, lengths))
    return _Block(tuple(_texts(words, lengths)), clusters, themes, shares)


def _drawn_words(rng: np.random.Generator, language: _Language, of: Ints, shares: Floats) -> Ints:
    """The word at each place; `of` says the cluster and the theme of its document, `shares` that of the theme."""
    clusters, themes = of
    size = len(shares)
    source = rng.random(size)
    general = _ranks(rng, _WORDS, size)
    of_cluster = language.clusters[clusters, _ranks(rng, _CLUSTER_WORDS, size)]
    of_theme = language.themes[themes, _ranks(rng, _THEME_WORDS, size)]
    is_cluster = source < shares + _CLUSTER_SHARE * (1 - shares)
    return np.where(source < shares, of_theme, np.where(is_cluster, of_cluster, general))


def _texts(words: Ints, lengths: Ints) -> Iterator[str]:
    spelled = [_spelled(number) for number in range(_WORDS)]
    ends = np.cumsum(lengths)
    for first, last in zip(ends - lengths, ends, strict=True):
        yield " ".join([spelled[number] for number in words[first:last].tolist()])


def _spelled(number: int) -> str:
    """The word of a number; frequent words, whose numbers are low, do not all begin alike."""
    return word(number * 7919 % MOST_WORDS)  # a prime that does not divide MOST_WORDS: no two numbers share a word


def _topics(options: GenerateOptions, language: _Language) -> tuple[GeneratedTopic, ...]:
    rng = _rng(options, _TOPICS)
    themes = rng.choice(len(language.themes), options.topics, replace=False)
    least, most = _QUERY_WORDS
    topics = []
    for number, theme in enumerate(themes.tolist(), 1):
        count = int(rng.integers(least, most, endpoint=True))
        places = np.sort(rng.choice(_THEME_WORDS, count, replace=False))
        topics.append(GeneratedTopic(str(number), theme, tuple(language.themes[theme, places].tolist())))
    return tuple(topics)


def _judged(topic: GeneratedTopic, themes: Ints, shares: Floats) -> Iterator[GeneratedJudgment]:
    relevant = np.flatnonzero((themes == topic.theme) & (shares >= _RELEVANT))
    for document in relevant.tolist():
        yield GeneratedJudgment(topic.id, document, 2 if shares[document] >= _HIGHLY else 1)


def _document(docno: str, text: str) -> str:
    return f"<DOC>\n<DOCNO>{docno}</DOCNO>\n{text}\n</DOC>"


def _topic(topic: GeneratedTopic) -> str:
    title = " ".join(map(_spelled, topic.words))
    return f"<top>\n<num>{topic.id}</num><title>\n{title}\n</title>\n</top>"


def _write_lines(path: Path, lines: Iterator[str] | Sequence[str]) -> None:
    with path.open("w", encoding="utf-8") as file:
        file.writelines(f"{line}\n" for line in lines)
