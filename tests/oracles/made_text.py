"""Small texts of made words, drawn at random, and their index."""

from __future__ import annotations

from collections.abc import Mapping

from hypothesis import strategies as st

from irgauge.lab.index import Index, build
from irgauge.lab.texts import Document

WORDS = ("wave", "waves", "waving", "noise", "the", "of", "and", "radio", "radios", "é", "x9")
texts = st.lists(st.sampled_from(WORDS), min_size=1, max_size=12)
collections = st.dictionaries(st.text("ab12é", min_size=1, max_size=3), texts, min_size=1, max_size=8)
queries = st.lists(st.sampled_from(WORDS), min_size=1, max_size=5)


def index_of(documents: Mapping[str, list[str]]) -> Index:
    return build(Document(docno, " ".join(words)) for docno, words in documents.items())
