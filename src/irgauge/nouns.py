"""Nouns: what topics and shards are called where people read, after the data that they are of.

Data for programs (JSON, CSV, frames) keep our own words; names of systems, topics and files stay as they are.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cache

from irgauge.errors import InputError
from irgauge.provenance import Provenance

REPLICATES = "replicates"  # the fact that scores of a table have some
_USUAL = "replicate"
_LONGEST = 20  # letters of a noun
# options, code, addresses, files, commands and tables by their names: whoever types them needs them as they are
_TYPED = r"--table \S+|--[\w-]+|`[^`]*`|https?://\S+|\birgauge \w+|[\w/.-]*\w\.[a-z]\w*"


def plural(noun: str) -> str:
    """The plural of a noun.

    >>> plural("seed"), plural("query"), plural("batch"), plural("epoch")
    ('seeds', 'queries', 'batches', 'epochs')
    """
    if re.search(r"[^aeiou]y$", noun):
        return f"{noun[:-1]}ies"
    return f"{noun}es" if noun.endswith(("s", "x", "ch", "sh")) and not noun.endswith("epoch") else f"{noun}s"


def singular(nouns: str) -> str:
    """The singular of a plural.

    >>> singular("questions"), singular("queries"), singular("people"), singular("searches")
    ('question', 'query', 'people', 'search')
    """
    if nouns.endswith("ies"):
        return f"{nouns[:-3]}y"
    return nouns[:-2] if nouns.endswith(("ches", "shes", "sses", "xes")) else nouns.removesuffix("s")


def noun_of_column(column: str | None) -> str:
    """What replicates are called whose column has this name; `replicate` where it is no word.

    >>> noun_of_column("seed"), noun_of_column("Seeds"), noun_of_column("random_seed"), noun_of_column("r2")
    ('seed', 'seed', 'random seed', 'replicate')
    """
    words = "" if column is None else re.sub(r"[_\s]+(id|number|no)$", "", column.strip().lower())
    words = re.sub(r"[_\s-]+", " ", words)
    is_noun = re.fullmatch(r"[a-z]{3,}( [a-z]{3,})*", words) and len(words) <= _LONGEST
    return singular(words) if is_noun else _USUAL


def read_noun(text: str) -> str:
    """A plural noun that people are to read instead of topics."""
    noun = text.strip().lower()
    if not re.fullmatch(r"[a-z]{3,20}", noun):
        raise InputError(f"takes a plural noun of 3 to {_LONGEST} letters a to z, such as questions, not '{text}'")
    return noun


@dataclass(frozen=True)
class Nouns:
    """Our words and those that people read instead; names that hold one of our words stay."""

    words: tuple[tuple[str, str], ...] = ()
    names: frozenset[str] = frozenset()

    @classmethod
    def of(cls, provenance: Provenance) -> Nouns:
        """Those of a result: replicates of a table are no shards, and have the noun of their column."""
        facts = provenance.only(REPLICATES).facts
        if not facts:
            return cls()
        known = facts[0].record if isinstance(facts[0].record, Mapping) else {}
        return cls().calling("shard", str(known.get("noun", _USUAL))).keeping(known.get("names", ()))

    def calling(self, word: str, noun: str, nouns: str | None = None) -> Nouns:
        """These, and a noun instead of one of our words."""
        return replace(self, words=(*self.words, (word, noun), (f"{word}s", nouns or plural(noun))))

    def keeping(self, names: Iterable[str]) -> Nouns:
        """These, and names that stay as they are."""
        return replace(self, names=self.names | names_with(names)) if self.words else self

    def said(self, text: str) -> str:
        """A text as people read it.

        >>> Nouns().calling("topic", "item").keeping(["topic-model"]).said("Topics: a topic of topic-model")
        'Items: an item of topic-model'
        """
        if not self.words or not text:
            return text
        said = dict(self.words)
        return _pattern(self).sub(lambda match: _noun(match, said), text)


NONE = Nouns()


def names_with(names: Iterable[str]) -> frozenset[str]:
    """The names that hold one of our words, which could be taken for it."""
    return frozenset(name for name in names if re.search("topic|shard", name, re.IGNORECASE))


@cache
def _pattern(nouns: Nouns) -> re.Pattern[str]:
    names = "|".join(rf"(?<!\w){re.escape(name)}(?!\w)" for name in sorted(nouns.names, key=len, reverse=True))
    words = "|".join(word for word, _ in sorted(nouns.words, reverse=True))
    kept = "|".join(filter(None, [names, _TYPED]))
    return re.compile(rf"{kept}|(?P<article>\b[Aa] )?\b(?P<word>(?i:{words}))\b")


def _noun(match: re.Match[str], said: Mapping[str, str]) -> str:
    word, article = match["word"], match["article"] or ""
    if word is None:
        return match[0]
    noun = said[word.lower()]
    article = f"{article[0]}n " if article and noun[0] in "aeio" else article
    return article + (f"{noun[0].upper()}{noun[1:]}" if word[0].isupper() else noun)
