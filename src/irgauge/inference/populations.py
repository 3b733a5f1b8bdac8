"""What a claim covers, by the name of its population and in short."""

from __future__ import annotations

from collections.abc import Mapping

SHORT: Mapping[str, str] = {
    "topics": "other topics, these documents",
    "documents": "these topics, other documents",
    "both": "other topics, other documents",
    "shards": "these topics, other shards like these",
    "topics+shards": "other topics, other shards like these",
    "sources": "these topics, other documents of these same sources",
    "same collections": "other topics of these collections",
    "collections": "other collections, of which these are a sample",
}


def said(population: str) -> str:
    """A population by its name and in words; one that has no name, as it is."""
    return f"{population} ({SHORT[population]})" if population in SHORT else population
