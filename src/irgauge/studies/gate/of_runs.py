"""A gate of judgments and runs."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from irgauge.errors import DesignError, InputError
from irgauge.reading.collection import Collection, Note, gathered, judgments_of
from irgauge.reading.judgments import UNJUDGED
from irgauge.reading.missing import MissingRule, MissingTopics
from irgauge.reading.options import Joining
from irgauge.replicates.data import of_measures
from irgauge.replicates.measured import Bench, Measured, Measuring
from irgauge.scoring.measures import parse_measures
from irgauge.studies.gate.given import Fingerprints
from irgauge.studies.gate.lock import fingerprint
from irgauge.studies.gate.options import Asked
from irgauge.studies.gate.sides import RunSide, sides_of
from irgauge.studies.gate.wanted import Wanted, wanted

USUAL = ("nDCG@10",)  # measures, where none is named


@dataclass(frozen=True, eq=False)
class GivenRuns:
    """Judgments, and the runs of both sides, which are read when they are needed."""

    qrels: object
    baseline: RunSide
    candidate: RunSide
    wanted: tuple[Wanted, ...]
    asked: Asked

    @classmethod
    def of(cls, qrels: object, asked: Asked) -> GivenRuns:
        """As `load` takes them."""
        if asked.candidate is None:
            raise DesignError("there is no candidate; name the judgments, the baseline and the candidate")
        measures = wanted(USUAL if asked.measures is None else asked.measures, asked.margin, parse_measures)
        return cls(qrels, *sides_of(asked.baseline, asked.candidate), measures, asked)

    @property
    def words(self) -> Sequence[str] | None:
        """Files; a baseline in several places has no words."""
        baseline, candidate = self.baseline.given, self.candidate.given
        if not isinstance(self.qrels, str | os.PathLike) or candidate is None or baseline is None or len(baseline) > 1:
            return None
        return [str(self.qrels), *baseline, *candidate]

    @cached_property
    def _collection(self) -> Collection:
        """Judgments and runs; a run that has nothing to do with the judgments is bad input, not a bad run."""
        joining = Joining.of(self.asked, documents="judged")
        collection = gathered(judgments_of(self.qrels), [*self.baseline.readers, *self.candidate.readers], joining)
        for path in _unjudged(collection):
            raise InputError("none of its documents is judged; is it a run on another collection?", path=path)
        runs = (*self.baseline.runs, *self.candidate.runs)
        return collection.only([collection.systems.index(run) for run in runs])

    @property
    def topics(self) -> tuple[str, ...]:
        """Those of the judgments."""
        return self._collection.topics

    @property
    def not_counted(self) -> tuple[str, ...]:
        """None: that runs answer topics without judgments is usual, and noted."""
        return ()

    @property
    def missing(self) -> MissingTopics:
        """The judged topics that a run does not answer."""
        return self._collection.missing

    @property
    def notes(self) -> tuple[Note, ...]:
        """What was noted when runs and judgments were joined."""
        return self._collection.notes

    def under(self, rule: MissingRule) -> Measured:
        """The scores of all runs on the whole corpus."""
        measures = tuple(one.measure for one in self.wanted)
        bench = Bench(self._collection.under(rule), measures, workers=self.asked.workers)
        found = bench.measured(Measuring(measures))
        if rule == "zero":  # that is the least of a measure which has a range
            unlimited = [measure for measure in measures if measure.range is None]
            of_measures(found.scores, unlimited).refuse_zeros(self.missing)
        return found

    def fingerprints(self) -> Fingerprints:
        """Of the files, which there must be."""
        if not isinstance(self.qrels, str | os.PathLike) or self.baseline.paths is None:
            what = "the judgments were" if self.baseline.paths is not None else "the baseline was"
            raise DesignError(f"a lock keeps fingerprints of files, and {what} not given as files; give paths")
        return Fingerprints(fingerprint(self.qrels), tuple(sorted(map(fingerprint, self.baseline.paths))))


def _unjudged(collection: Collection) -> Iterator[str]:
    """The runs without any judged document."""
    for system, path in enumerate(collection.origins):
        lists = zip(collection.firsts[:, system], collection.lengths[:, system], strict=True)
        if all(np.all(collection.levels[first : first + size] == UNJUDGED) for first, size in lists):
            yield path
