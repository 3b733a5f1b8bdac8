"""Prospects: what shards and images would leave of the data, known before anything is drawn."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from irgauge.compute.arrays import Floats
from irgauge.reading.collection import Collection
from irgauge.replicates.undefined import MANY_UNDEFINED, most_shards, undefined_in_images, undefined_in_shards
from irgauge.studies.check.facts import TOP, within_judged_depth

SHARDS = (2, 5, 10)
USUAL = 5  # shards of a report


@dataclass(frozen=True)
class Prospect:
    """What replicates of one kind would leave of the data."""

    shards: int | None  # None: bootstrap images
    undefined: float  # share of cells (topic and replicate) without a relevant document
    reach: int  # the rank of the whole list to which a top 10 reaches
    judged: float  # share of the documents down to there that is judged, in the median run

    @property
    def is_usual(self) -> bool:
        """Whether studies make such replicates unless told otherwise."""
        return self.shards in (None, USUAL)

    @property
    def is_sparse(self) -> bool:
        """Whether more cells would be undefined than numbers bear."""
        return self.undefined > MANY_UNDEFINED


@dataclass(frozen=True)
class Prospects:
    """What shards and images would leave, and how many shards the data bear."""

    of: tuple[Prospect, ...]
    most_defined: int  # shards that leave few cells undefined; 1 where 2 are too many
    most_judged: int  # shards whose top 10 is mostly judged; 0 where that of the whole corpus is not

    @property
    def sparse(self) -> tuple[Prospect, ...]:
        """Those with too many undefined cells, if they are usual ones."""
        prospects = tuple(prospect for prospect in self.of if prospect.is_sparse)
        return prospects if any(prospect.is_usual for prospect in prospects) else ()

    @property
    def unjudged(self) -> Prospect | None:
        """The usual shards, where their top 10 reaches below the judged depth but that of the whole does not."""
        usual = next(prospect for prospect in self.of if prospect.shards == USUAL)
        return usual if 0 < self.most_judged < USUAL else None


def prospects(collection: Collection, judged: Floats) -> Prospects:
    """What shards and images would leave, given judged[cut, system]."""
    counts = collection.relevant_counts()
    relevant = counts[counts > 0]
    typical = np.median(judged, axis=1)  # cut

    def each() -> Iterator[Prospect]:
        for shards in SHARDS:
            undefined = undefined_in_shards(relevant, shards)
            yield Prospect(shards, undefined, TOP * shards, float(typical[shards - 1]))
        yield Prospect(None, undefined_in_images(relevant, collection.corpus_size), TOP, float(typical[0]))

    return Prospects(tuple(each()), most_shards(relevant), within_judged_depth(typical))
