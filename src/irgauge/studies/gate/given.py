"""What a gate is given: both sides, their scores, and what names and fingerprints them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, Protocol

from irgauge.reading.collection import Note
from irgauge.reading.missing import MissingRule, MissingTopics
from irgauge.replicates.measured import Measured
from irgauge.studies.gate.sides import Side
from irgauge.studies.gate.wanted import Wanted


class Fingerprints(NamedTuple):
    """SHA-256 of what must stay as it was."""

    judgments: str | None  # of the file, decompressed; None where there are none
    baseline: tuple[str, ...]  # of each run, sorted


class Given(Protocol):
    """Judgments and runs, or tables of scores."""

    @property
    def baseline(self) -> Side:
        """What the candidate is compared with."""

    @property
    def candidate(self) -> Side:
        """What may ship."""

    @property
    def wanted(self) -> tuple[Wanted, ...]:
        """The measures and their margins."""

    @property
    def words(self) -> Sequence[str] | None:
        """What names it on the command line; None where that cannot be."""

    @property
    def topics(self) -> tuple[str, ...]:
        """The topics that count, whatever the candidate answers; `missing` says which of them a run lacks."""

    @property
    def not_counted(self) -> tuple[str, ...]:
        """The topics on which only the candidate has scores."""

    @property
    def missing(self) -> MissingTopics:
        """The topics that a run has no score on."""

    @property
    def notes(self) -> tuple[Note, ...]:
        """What else a careful reader should know."""

    def under(self, rule: MissingRule) -> Measured:
        """The scores of the runs of the baseline, then of the candidate, with missing topics treated as a rule says."""

    def fingerprints(self) -> Fingerprints:
        """Of judgments and baseline."""
