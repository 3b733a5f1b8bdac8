"""A table of scores as data of a study."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from irgauge.errors import DesignError
from irgauge.provenance import Provenance
from irgauge.reading.facts import files, source
from irgauge.reading.missing import MissingTopics
from irgauge.replicates.best import best_systems, kept_count
from irgauge.replicates.data import OfScores, known_measures, of_measures
from irgauge.replicates.facts import replicates
from irgauge.replicates.measured import REDRAW, Measured, Measuring, finished
from irgauge.scoring.measures import Measure
from irgauge.scoring.scores import Scores


@dataclass(frozen=True, eq=False)
class ScoreTable(OfScores):
    """Scores that were given as they are: nothing can be split, and no other measure scored."""

    scores: Scores  # systems may lack topics

    @cached_property
    def _settled(self) -> Scores:
        """Systems score 0 on topics that they lack, unless it was settled before what becomes of these."""
        return self.scores.under("zero")

    @property
    def missing(self) -> MissingTopics:
        """The topics that systems lack."""
        return self._settled.missing or MissingTopics()

    @property
    def source(self) -> Provenance:
        """Where the table comes from, and how many replicates it has."""
        count = self.replicate_count if self.replicate_count > 1 else None
        return Provenance.of(source("a table of scores"), files(self.files or None), replicates(count))

    @property
    def whole_source(self) -> Provenance:
        """The same, as there are no other scores."""
        return self.source

    def whole(self, measures: Sequence[Measure]) -> Scores:
        """The scores of some measures, in all replicates."""
        return of_measures(self._settled, known_measures(measures, self.scores))

    def measured(self, measuring: Measuring) -> Measured:
        """What is asked for, as far as a table can give it."""
        if measuring.shards is not None or measuring.fill == REDRAW:
            raise DesignError("a table of scores cannot be split; shards and the fill 'redraw' need runs and judgments")
        chosen = self.whole(measuring.measures)
        count = kept_count(measuring.keep_systems, len(self.systems))
        kept = list(range(count)) if count == len(self.systems) else best_systems(chosen, count)
        missing = self.missing.only([self.systems[s] for s in kept])
        return replace(finished(chosen, measuring, kept), missing=missing, source=self.source)

    def table(self, why: str) -> Scores:
        """The scores, of systems that may lack topics."""
        del why
        return self.scores
