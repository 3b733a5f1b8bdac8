"""What a claim covers, in words: one place for all of them."""

from __future__ import annotations

from collections.abc import Mapping

from irgauge.inference.populations import SHORT, said

__all__ = ["COVERS", "FOR", "OTHER", "SHORT", "said"]

OTHER: Mapping[str, str] = {  # what a reader chooses by
    "topics": "other topics",
    "documents": "other documents",
    "both": "topics and documents",
    "shards": "other shards",
    "topics+shards": "topics and shards",
    "sources": "same sources",
    "same collections": "topics of these collections",
    "collections": "other collections",
}
FOR: Mapping[str, str] = {
    "topics": "for other topics",
    "documents": "for other documents on these topics",
    "both": "for other topics and other documents",
    "shards": "for other shards like these on these topics",
    "topics+shards": "for other topics and other shards like these",
    "sources": "for other documents of these same sources on these topics",
    "same collections": "for other topics of these collections",
    "collections": "for other collections",
}
COVERS: Mapping[str, str] = {
    "topics": "These differences hold for other topics on these documents.",
    "documents": "These differences hold for other documents on these same topics; they say nothing of other topics.",
    "both": "These differences hold for other topics and other documents.",
    "shards": "These differences hold for other shards like these on these same topics, not for other topics.",
    "topics+shards": "These differences hold for other topics and other shards like these.",
    "sources": "These differences hold for other documents of these same sources on these same topics only.",
    "same collections": "These differences of means over collections hold for other topics of these same collections.",
    "collections": "These differences hold for other collections, as far as these are a random sample of them.",
}
