"""Verdicts in words and colours: one place for all of them."""

from __future__ import annotations

from collections.abc import Mapping

from irgauge.inference.facts import SHORT, said
from irgauge.show.words import capital

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


# from the best to the worst, then what is open; colour-blind readers can tell them apart
COLOURS: Mapping[str, str] = {
    "better": "#0072b2",
    "not worse": "#56b4e9",
    "equivalent": "#009e73",
    "not better": "#e69f00",
    "worse": "#d55e00",
    "inconclusive": "#8a8a8a",
}
BAND, EDGE = "#eef3ee", "#3d7a4f"  # of the margin
_CLAIMS: Mapping[str, str] = {
    "better": "{first} is better than {second}{where}",
    "worse": "{first} is worse than {second}{where}",
    "equivalent": "{first} is equivalent to {second}{where}: they differ by less than {margin}",
    "not worse": "{first} is not worse than {second}{where} by {margin} or more",
    "not better": "{first} is not better than {second}{where} by {margin} or more",
    "inconclusive": "the comparison of {first} and {second}{where} is inconclusive",
}
AGAINST: Mapping[str, str] = {  # after "is", before the other system
    "better": "better than",
    "equivalent": "equivalent to",
    "not worse": "not worse than",
    "not better": "not better than",
    "worse": "worse than",
    "inconclusive": "neither shown to differ from nor to be as good as",
}


def claim(
    verdict: str, first: str, second: str, margin: str | None, *, measure: str = "", is_start: bool = False
) -> str:
    """What a verdict says of two systems; at the start of a sentence with a capital, but names stay as they are.

    >>> claim("not worse", "mine", "BM25", "0.01", measure="AP")
    'mine is not worse than BM25 in AP by 0.01 or more'
    >>> claim("inconclusive", "mine", "BM25", "0.01", is_start=True)
    'The comparison of mine and BM25 is inconclusive at a margin of 0.01'
    """
    template = capital(_CLAIMS[verdict]) if is_start else _CLAIMS[verdict]
    text = template.format(first=first, second=second, where=f" in {measure}" if measure else "", margin=margin)
    return f"{text} at a margin of {margin}" if verdict == "inconclusive" and margin is not None else text
