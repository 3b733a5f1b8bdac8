"""Undefined: scores in shards or images that are undefined, where they are many, and what was done about them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from irgauge.compute.arrays import Floats, Ints
from irgauge.errors import DesignError
from irgauge.provenance import Fact
from irgauge.wording import listed

if TYPE_CHECKING:
    from irgauge.replicates.measured import Measured

_LACKS = {
    "shards": "no relevant document in the shard",
    "images": "no relevant document in the image",
    "replicates": "cells of the table are empty",
}


class Undefined(NamedTuple):
    """How many scores are undefined, where, by which measures, and what was done about them."""

    share: float  # the largest of the measures and splits; of topics, where these are dropped
    is_largest: bool  # whether there are smaller ones
    measures: tuple[str, ...]
    among: str  # shards, images, or the replicates of a table
    done: str  # zero, skip, drop, or another fill
    shards: int | None = None  # how many, where that is one number
    complete: int = 0  # topics that have every score

    @property
    def note(self) -> str:
        """What stands beside a number.

        >>> Undefined(0.384, False, ("AP",), "images", "drop").note
        '38 % of topics are left out (no relevant document in the image): numbers are of the others.'
        """
        share = f"{'Up to ' * self.is_largest}{100 * self.share:.0f} %"
        lacks = _LACKS[self.among]
        of = f"these are averages over {self.among}, not comparable with {listed(self.measures)}"
        if self.done == "drop":
            return f"{share} of topics are left out ({lacks}): numbers are of the others."
        done = {"zero": "count as 0", "skip": "are left out"}.get(self.done, f"are filled with {self.done}")
        return f"{share} of scores are undefined ({lacks}) and {done}: {of}."


@dataclass(frozen=True)
class SparseScores:
    """The shares of scores that are undefined, by measure, and where they are."""

    shares: Mapping[str, float]
    among: str
    done: str
    shards: int | None = None
    complete: int = 0
    is_of_several: bool = False  # whether shares are the largest of several splits
    can_draw_topics: bool = False  # instead of documents

    @property
    def many(self) -> Undefined | None:
        """The undefined scores that are to be told of; None where they are few.

        >>> SparseScores({"AP": 0.02, "RR": 0.31}, "shards", "zero").many.measures
        ('RR',)
        """
        many = {measure: share for measure, share in self.shares.items() if share > MANY_UNDEFINED}
        if not many:
            return None
        is_largest = self.is_of_several or len(set(many.values())) > 1
        return Undefined(max(many.values()), is_largest, tuple(many), self.among, self.done, self.shards, self.complete)

    @property
    def fact(self) -> Fact:
        """The shares, with a note where they are large."""
        many = self.many
        return Fact(
            "undefined_share",
            dict(self.shares) or None,
            note="" if many is None else many.note,
            record=None if many is None else self,
        )


def worst_of(splits: Sequence[Measured]) -> SparseScores:
    """How many scores are undefined in the worst of some splits."""
    return replace(
        splits[0].sparse,
        shares=worst_shares(splits) or {},
        shards=None,
        complete=min(split.complete_topics for split in splits),
        is_of_several=len(splits) > 1,
    )


def worst_shares(splits: Iterable[Measured]) -> dict[str, float] | None:
    """Measure -> the largest share of undefined scores in any of the splits; None on the whole corpus."""
    shares: dict[str, float] = {}
    for split in splits:
        for measure, share in split.undefined_share.items():
            shares[measure] = max(share, shares.get(measure, 0.0))
    return shares or None


MANY_UNDEFINED = 0.1  # the share of undefined cells above which numbers of shards and images say little of the measure
MOST_UNDEFINED = 0.5  # the share above which they are refused, unless one is told to go on


def undefined_in_shards(relevant: Ints, shards: int) -> float:
    """The expected share of cells (topic and shard) without a relevant document, in random shards.

    A topic with R relevant documents has none in one of k shards with probability (1 - 1/k)^R: exactly so where each
    document falls into a shard by itself (`die:k`). In shards of equal size (`even:k`) it is a little less, the more so
    the larger the part of the corpus that is relevant.

    >>> undefined_in_shards(np.array([1, 2]), 2)
    0.375
    """
    return float(np.mean((1 - 1 / shards) ** _counts(relevant)))


def undefined_in_images(relevant: Ints, corpus_size: int) -> float:
    """The expected share of cells (topic and image) without a relevant document, in bootstrap images of the corpus.

    An image draws N of N documents with replacement and misses all R relevant ones of a topic with probability
    (1 - R/N)^N, which is close to e^-R.

    >>> round(undefined_in_images(np.array([1]), 1000), 3)
    0.368
    """
    return float(np.mean((1 - _counts(relevant) / corpus_size) ** corpus_size))


def most_shards(relevant: Ints, most_undefined: float = MANY_UNDEFINED) -> int:
    """The largest number of random shards that leaves at most that share of cells undefined; 1 where 2 leave more.

    >>> most_shards(np.array([10, 10]))
    4
    """
    fine, too_many = 1, 2
    while undefined_in_shards(relevant, too_many) <= most_undefined:
        fine, too_many = too_many, 2 * too_many
    while too_many - fine > 1:
        middle = (fine + too_many) // 2
        if undefined_in_shards(relevant, middle) <= most_undefined:
            fine = middle
        else:
            too_many = middle
    return fine


def check_defined(shares: Mapping[str, float], why: str, instead: Sequence[str]) -> None:
    """Refuse replicates in which most scores are undefined: measure -> share; `instead` is what else can be done.

    >>> check_defined({"AP": 0.2, "RR": 0.8}, "a cell is empty", ["use fewer shards"])  # doctest: +ELLIPSIS
    Traceback (most recent call last):
        ...
    irgauge.errors.DesignError: 80 % of the scores of RR are undefined (a cell is empty): use fewer shards, or go ...
    """
    measure, share = max(shares.items(), key=lambda item: item[1], default=("", 0.0))
    if share > MOST_UNDEFINED:
        what = f"{100 * share:.0f} % of the scores of {measure} are undefined ({why})"
        raise DesignError(f"{what}: {', '.join([*instead, 'or go on all the same'])} (sparse)")


def _counts(relevant: Ints) -> Floats:
    """Numbers of relevant documents, topic by topic."""
    return np.asarray(relevant, np.float64)
