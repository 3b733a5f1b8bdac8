"""Verdicts in words and colours, and who is the best: one place for every study that says so."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from irgauge.inference.facts import OTHER, SHORT, said
from irgauge.show.words import capital, listed, p_text, some

__all__ = ["COVERS", "FOR", "OTHER", "SHORT", "said"]

FOR: Mapping[str, str] = {
    "topics": "for other topics",
    "documents": "for other documents on these topics",
    "both": "for other topics and other documents",
    "shards": "for other shards like these on these topics",
    "topics+shards": "for other topics and other shards like these",
    "sources": "for other documents of these same sources on these topics",
    "same collections": "for other topics of these collections",
    "clusters of same collections": "for other clusters of topics of these collections",
    "traffic of same collections": "for queries drawn as in the traffic of these collections",
    "collections": "for other collections",
    "traffic": "for queries drawn as in the traffic",
    "clusters": "for other clusters of topics",
    "needs": "for other needs like these",
    "needs with these wordings": "for other needs like these, with these wordings",
}
COVERS: Mapping[str, str] = {
    "topics": "Claims are about other topics on these documents.",
    "documents": "Claims are about other documents on these same topics; they say nothing of other topics.",
    "both": "Claims are about other topics and other documents.",
    "shards": "Claims are about other shards like these on these same topics, not for other topics.",
    "topics+shards": "Claims are about other topics and other shards like these.",
    "sources": "Claims are about other documents of these same sources on these same topics only.",
    "same collections": "Claims are about means over collections, for other topics of these same collections.",
    "clusters of same collections": "Claims are about means over collections, for other clusters of topics of "
    "these same collections.",
    "traffic of same collections": "Claims are about means over collections, for queries drawn as in the "
    "traffic of these same collections.",
    "collections": "Claims are about other collections, as far as these are a random sample of them.",
    "traffic": "Claims are about queries drawn as in the traffic, on these documents.",
    "clusters": "Claims are about other clusters of topics on these documents.",
    "needs": "Claims are about other needs and other wordings of them on these documents.",
    "needs with these wordings": "Claims are about other needs with these wordings on these documents.",
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


def p_beside(verdict: str, p: float, least: float) -> str:
    """The p of the test of no difference beside a verdict; it says so where the verdict is about a margin.

    >>> p_beside("worse", 0.02, 0.001), p_beside("not worse", 0.175, 0.001)
    ('p = 0.020', 'p for no difference = 0.175')
    """
    from irgauge.inference.verdicts import BY_MARGIN  # with scipy, which scores alone do without

    return p_text(p, least, of="no difference" if verdict in BY_MARGIN else "")


_NAMED = 3  # systems that share the first place


def best_of(best: Sequence[str], total: int, of: str, *, where: str = "", mean: str = "") -> str:
    """The best of some things, or those that share the first place; `where` and `mean` follow.

    >>> best_of(["a"], 3, "3 systems", mean="mean 0.25")
    'a is the best of 3 systems (mean 0.25)'
    >>> best_of(["a", "b"], 3, "3 systems", where=" over topics")
    'a and b share the first place among 3 systems over topics'
    >>> best_of(["a", "b"], 2, "2 systems", mean="mean 0.25")
    'both systems have the same mean (0.25)'
    """
    if len(best) > 1 and len(best) == total:
        every = f"both {of.removeprefix('2 ')}" if total == 2 else f"all {of}"
        return f"{every} have the same mean{where}" + (f" ({mean.removeprefix('mean ')})" if mean else "")
    text = f"{best[0]} is the best of {of}" if len(best) == 1 else f"{holders(best)} share the first place among {of}"
    return f"{text}{where}" + (f" ({mean})" if mean else "")


def holders(best: Sequence[str]) -> str:
    """Those that share the first place; of many, the first.

    >>> holders(["a", "b"]), holders(["a", "b", "c", "d"])
    ('a and b', 'a and 3 others')
    """
    return listed(best) if len(best) <= _NAMED else f"{best[0]} and {len(best) - 1} others"


def alike(count: int, best: Sequence[str], total: int, *, noun: str = "system", names: Sequence[str] = ()) -> str:
    """How many others do not differ significantly from the best, and which.

    >>> alike(0, ["a"], 3), alike(0, ["a"], 2)
    ('it differs significantly from every other system', 'it differs significantly from the other')
    >>> alike(1, ["a"], 3, names=["c"]), alike(2, ["a"], 3)
    ('c does not differ significantly from it', '2 systems do not differ significantly from it')
    >>> alike(0, ["a", "b"], 3), alike(1, ["a", "b"], 3)
    ('every system below them differs significantly from a', '1 other system does not differ significantly from a')
    """
    is_tied = len(best) > 1
    whom = best[0] if is_tied else "it"
    if not count:
        rest = "the other" if total == 2 else f"every other {noun}"
        return (
            f"every {noun} below them differs significantly from {whom}"
            if is_tied
            else (f"it differs significantly from {rest}")
        )
    if count == 1:
        subject = names[0] if names else f"1 {'other ' * is_tied}{noun}"
        return f"{subject} does not differ significantly from {whom}"
    which = f" ({some(names)})" if names else ""
    return f"{count:,} {'other ' * is_tied}{noun}s do not differ significantly from {whom}{which}"
