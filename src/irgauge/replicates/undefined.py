"""Undefined: scores in shards or images that are undefined, where they are many, and what was done about them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple

from irgauge.provenance import Fact
from irgauge.replicates.sparseness import MANY_UNDEFINED
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
        lacks, of = _LACKS[self.among], f"numbers are of {self.among}, not {listed(self.measures)}"
        if self.done == "drop":
            return f"{share} of topics are left out ({lacks}): numbers are of the others."
        done = {"zero": "count as 0", "skip": "are left out"}.get(self.done, f"are filled with {self.done}")
        return f"{share} of scores are undefined ({lacks}) and {done}: {of}."


@dataclass(frozen=True)
class Sparse:
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

        >>> Sparse({"AP": 0.02, "RR": 0.31}, "shards", "zero").many.measures
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


def worst_of(splits: Sequence[Measured]) -> Sparse:
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
