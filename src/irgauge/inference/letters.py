"""The compact letter display: systems share a letter if, and only if, they do not differ significantly."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from string import ascii_lowercase

import numpy as np
from numpy.typing import NDArray

from irgauge.errors import DesignError


@dataclass(frozen=True)
class Letters:
    """Groups of systems that do not differ significantly, and the letters of the groups that each system is in."""

    groups: tuple[tuple[int, ...], ...]  # indices of systems, ascending; the groups in the order of their members
    letters: tuple[tuple[str, ...], ...]  # of each system: a to z, then aa, ab, ...

    @property
    def texts(self) -> tuple[str, ...]:
        """The letters of each system in one text; with spaces if there are more groups than letters."""
        between = "" if len(self.groups) <= len(ascii_lowercase) else " "
        return tuple(between.join(letters) for letters in self.letters)


def compact_letters(different: NDArray[np.bool_]) -> Letters:
    """Cover all pairs that do not differ with few maximal groups, given the symmetric different[system, system].

    No group can take in one more system, and none can be left out: each has a pair (or a lone system) that no other
    has. Where significance is monotone in the difference of sorted systems, these are all maximal groups, as insert
    and absorb finds them; else that may find exponentially many, most of which say nothing new. Piepho, "An algorithm
    for a letter-based representation of all-pairwise comparisons" (Journal of Computational and Graphical Statistics
    2004).

    >>> different = np.array([[False, False, True], [False, False, False], [True, False, False]])
    >>> compact_letters(different).groups
    ((0, 1), (1, 2))
    >>> compact_letters(different).texts
    ('a', 'ab', 'b')
    """
    different = np.asarray(different, np.bool_)
    _check(different)
    groups = tuple(sorted(_needed(_cover(_masks(~different)), len(different))))
    letters: list[list[str]] = [[] for _ in different]
    for position, group in enumerate(groups):
        for system in group:
            letters[system].append(_label(position))
    return Letters(groups, tuple(tuple(each) for each in letters))


def _check(different: NDArray[np.bool_]) -> None:
    if different.ndim != 2 or different.shape[0] != different.shape[1] or not different.size:
        raise DesignError(
            f"different[system, system] is a square of at least one system; its shape is {different.shape}"
        )
    if (different != different.T).any() or different.diagonal().any():
        raise DesignError("different[system, system] must be symmetric, and no system differs from itself")


def _masks(alike: NDArray[np.bool_]) -> list[int]:
    """For each system, the systems that it does not differ from, itself included: system i is bit i."""
    return [int.from_bytes(np.packbits(row, bitorder="little").tobytes(), "little") for row in alike]


def _cover(alike: Sequence[int]) -> Iterator[tuple[int, ...]]:
    """Maximal groups that together have all pairs of systems that are alike, and all systems."""
    covered = [0] * len(alike)  # for each system, those that it shares a group with
    for system, others in enumerate(alike):
        while missing := others & ~covered[system]:
            group = _grow(system, missing.bit_length() - 1, alike)
            mask = sum(1 << member for member in group)
            for member in group:
                covered[member] |= mask
            yield group


def _grow(system: int, other: int, alike: Sequence[int]) -> tuple[int, ...]:
    """The pair, and the best systems that are alike with all in the group so far, until there are none."""
    group = {system, other}
    candidates = alike[system] & alike[other] & ~(1 << system | 1 << other)
    while candidates:
        best = (candidates & -candidates).bit_length() - 1
        group.add(best)
        candidates &= alike[best] & ~(1 << best)
    return tuple(sorted(group))


def _needed(groups: Iterator[tuple[int, ...]], systems: int) -> list[tuple[int, ...]]:
    """The groups without those whose pairs are all in others; a group of one system has the pair with itself."""
    all_groups = list(groups)
    times = np.zeros((systems, systems), np.int64)  # how many groups have the pair
    for group in all_groups:
        times[np.ix_(group, group)] += 1
    needed = []
    for group in all_groups:
        square = np.ix_(group, group)
        if (times[square] > 1).all():
            times[square] -= 1
        else:
            needed.append(group)
    return needed


def _label(position: int) -> str:
    """a to z, then aa, ab, ..."""
    label, position = "", position + 1
    while position:
        position, letter = divmod(position - 1, len(ascii_lowercase))
        label = ascii_lowercase[letter] + label
    return label
