"""Who is the best, in words: one place for every study that says so."""

from __future__ import annotations

from collections.abc import Sequence

from irgauge.show.words import listed, some

_NAMED = 3  # systems that share the first place


def best_of(best: Sequence[str], total: int, of: str, *, where: str = "", mean: str = "") -> str:
    """The best of some things, or those that share the first place; `where` and `mean` follow.

    >>> best_of(["a"], 3, "3 systems", mean="mean 0.25")
    'a is the best of 3 systems (mean 0.25)'
    >>> best_of(["a", "b"], 3, "3 systems", where=" over topics")
    'a and b share the first place among 3 systems over topics'
    >>> best_of(["a", "b"], 2, "2 systems", mean="mean 0.25")
    'all 2 systems have the same mean (0.25)'
    """
    if len(best) > 1 and len(best) == total:
        return f"all {of} have the same mean{where}" + (f" ({mean.removeprefix('mean ')})" if mean else "")
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
