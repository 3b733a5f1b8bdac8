"""Parts that are given: a table of scores whose replicates are the parts of one split of the documents."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from irgauge.errors import DesignError
from irgauge.options import refuse
from irgauge.replicates.data import known_measures, of_measures
from irgauge.replicates.measured import DROP, Measured, Measuring
from irgauge.replicates.score_table import ScoreTable
from irgauge.scoring.measures import Measure
from irgauge.scoring.ranges import Range, range_of
from irgauge.scoring.scores import Scores
from irgauge.studies.partition.options import Asked

_OF_DOCUMENTS = ("parts", "splits", "seed", "drawn", "tests_of", "lengths_of", "fill")  # what a table settles


@dataclass(frozen=True, eq=False)
class GivenParts:
    """What measures in place of a bench: nothing is split, the replicates of the table are the parts."""

    scores: Scores
    workers: int | None = None

    def measured(self, measuring: Measuring) -> Measured:
        """Scores in the parts, or their means, of the topics that have all."""
        asked = replace(measuring, shards=None, fill=DROP, seed=0, number=0)
        return ScoreTable(self.scores if measuring.shards is not None else self._means).measured(asked)

    def range_of(self, measure: Measure) -> Range | None:
        """Between which scores a measure of the table lies, where that is known."""
        values = of_measures(self.scores, known_measures((measure,), self.scores)).values
        return range_of(measure, values[~np.isnan(values)])

    def with_workers(self, workers: int) -> GivenParts:
        """The same in so many threads."""
        return replace(self, workers=workers)

    @property
    def _means(self) -> Scores:
        """Over the parts, in the place of scores on the whole corpus."""
        values = self.scores.values.mean(axis=3, keepdims=True)
        return replace(self.scores, values=values, replicates=("all",))


def asked_of_table(asked: Asked, parts: int) -> Asked:
    """The same of the one split that a table is; refuses what is said of documents that are split."""
    parted = "documents that are split, and a table is one split into the parts that it has"
    refuse(asked, _OF_DOCUMENTS, f"{parted}; leave it out, or give the runs")
    if parts < 2:
        raise DesignError(
            "the table has one score of each system on each topic, and the parts of a split are needed as replicates; "
            "add a column 'replicate', or give judgments and runs"
        )
    own = (parts,)
    tests_of, lengths_of = own if asked.tested_parts else None, own if asked.measured_parts else None
    return replace(asked, parts=parts, splits=1, fill=DROP, tests_of=tests_of, lengths_of=lengths_of)
