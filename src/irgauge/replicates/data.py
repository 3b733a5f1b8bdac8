"""Data: what every study asks of what it was given, be it runs, a table of scores, or what was measured before.

And which of its systems are kept, and which is meant as the baseline.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, NoReturn, Protocol, Self, runtime_checkable

import numpy as np

from irgauge.choices import known
from irgauge.errors import DesignError
from irgauge.provenance import Provenance
from irgauge.reading.collection import Collection
from irgauge.reading.missing import MissingTopics
from irgauge.reading.notes import Note
from irgauge.reading.tables.sheet import stem
from irgauge.reading.topic_table import TopicTable
from irgauge.scoring.direction import HIGHER, sign_of
from irgauge.scoring.measures import Measure
from irgauge.scoring.scores import Scores

if TYPE_CHECKING:
    from irgauge.replicates.bench import Bench
    from irgauge.replicates.exchange import Exchange
    from irgauge.replicates.measured import Measured, Measuring


class Data(Protocol):
    """Scores of systems on topics: what there is of them, how they came about, and what can be made of them."""

    @property
    def has_runs(self) -> bool:
        """Whether there are judgments and runs, which can be scored by any measure, on shards and on images."""

    @property
    def systems(self) -> tuple[str, ...]:
        """What is compared."""

    @property
    def topics(self) -> tuple[str, ...]:
        """On what."""

    @property
    def measures(self) -> tuple[Measure, ...] | None:
        """Those that there are scores of; None where any can be scored."""

    @property
    def missing(self) -> MissingTopics:
        """The topics that systems lack."""

    @property
    def replicate_count(self) -> int:
        """How many scores there are already of a system on a topic."""

    @property
    def judgments(self) -> float | None:
        """Of a topic, in the mean; None where none are known."""

    @property
    def notes(self) -> Sequence[Note]:
        """What a careful reader should know of the runs."""

    @property
    def origins(self) -> Mapping[str, str]:
        """System -> where its run comes from; nothing where there are no runs."""

    @property
    def files(self) -> Sequence[str]:
        """The names of the files that were read, as they are shown."""

    @property
    def paths(self) -> Sequence[str]:
        """The paths of these files."""

    @property
    def workers(self) -> int | None:
        """The number of threads; None for all cores."""

    @property
    def source(self) -> Provenance:
        """What is to be said wherever the scores are used."""

    @property
    def whole_source(self) -> Provenance:
        """What is to be said of the scores that `whole` gives."""

    def whole(self, measures: Sequence[Measure]) -> Scores:
        """Raw scores on the whole corpus; where there are no runs, the scores that there are."""

    def measured(self, measuring: Measuring) -> Measured:
        """What is asked for, ready for a model."""

    def runs(self) -> Bench:
        """The runs; refused where there are none."""

    def table(self, why: str) -> Scores:
        """The scores as they were given; refused where they were not, with the reason why that will not do."""

    def with_workers(self, workers: int | None) -> Data:
        """The same, for work in so many threads."""

    def exchanged(self, exchange: Exchange) -> Data:
        """A copy in which systems have changed places."""

    def with_topics(self, table: TopicTable) -> Data:
        """The same, with what is known of topics besides their scores."""


@runtime_checkable
class HoldsData(Protocol):
    """What holds data for studies besides what else it is, such as a simulation or the scores that a verb gave."""

    def as_data(self) -> Collection | Scores | Data:
        """The data."""


class OfScores:
    """What data are that consist of scores alone."""

    has_runs: bool = False
    judgments: float | None = None
    notes: tuple[Note, ...] = ()
    origins: Mapping[str, str] = MappingProxyType({})
    workers: int | None = None
    scores: Scores

    @property
    def systems(self) -> tuple[str, ...]:
        """What is compared."""
        return self.scores.systems

    @property
    def topics(self) -> tuple[str, ...]:
        """On what."""
        return self.scores.topics

    @property
    def measures(self) -> tuple[Measure, ...]:
        """Those that there are scores of."""
        return self.scores.measures

    @property
    def replicate_count(self) -> int:
        """How many scores there are of a system on a topic."""
        return len(self.scores.replicates)

    @property
    def files(self) -> tuple[str, ...]:
        """The names of the files that were read."""
        return self.scores.files

    @property
    def paths(self) -> tuple[str, ...]:
        """The paths of these files."""
        return self.scores.paths

    @property
    def read_from(self) -> tuple[str, ...]:
        """The same: all files that were read."""
        return self.scores.paths

    def runs(self) -> NoReturn:
        """There are none."""
        raise DesignError("this question needs runs and judgments, and a table of scores was given")

    def with_workers(self, workers: int | None) -> Self:
        """The same: nothing is scored."""
        del workers
        return self


def known_measures(asked: Sequence[Measure], scores: Scores) -> tuple[Measure, ...]:
    """The measures asked for, which must be in the table; all of them if none is."""
    for measure in asked:
        if measure not in scores.measures:
            there = ", ".join(map(str, scores.measures))
            raise DesignError(f"the table has no scores of {measure}; it has {there}")
    return tuple(asked) or scores.measures


def of_measures(scores: Scores, measures: Sequence[Measure]) -> Scores:
    """The scores of some of their measures, in the order given; a direction that was written, then or now, stays."""
    places = [scores.measures.index(measure) for measure in measures]
    own = [scores.measures[place] for place in places]
    wanted = tuple(before if measure.better is None else measure for before, measure in zip(own, measures, strict=True))
    if places == list(range(len(scores.measures))):
        return replace(scores, measures=wanted)
    return replace(scores, values=scores.values[places], measures=wanted)


def check_kept(systems: Sequence[str], baseline: str | None, keep: str) -> None:
    """Refuse a baseline that is not among the best systems, where only these are kept."""
    if baseline is not None and baseline not in systems:
        kept = f"the {len(systems)} systems that are kept ({keep})"
        raise DesignError(f"the baseline {baseline} is not among {kept}; keep more of them, or all")


def baseline_of(data: Data, baseline: str) -> str:
    """The system that is meant: by its name, or by the path or the file name of its run or its table of scores."""
    if baseline in data.systems:
        return baseline
    if not data.origins and stem(baseline) in data.systems:  # a table of one system may be called by it
        return stem(baseline)
    return _by_file(data, baseline) or _nearest(data, baseline)


def _by_file(data: Data, baseline: str) -> str | None:
    """The only system whose run is in that file, if there is one."""
    files = {system: Path(origin) for system, origin in data.origins.items()}
    exact = [system for system, path in files.items() if path == Path(baseline)]
    named = [system for system, path in files.items() if f"{path.name}.".startswith(f"{Path(baseline).name}.")]
    matches = exact or named
    return matches[0] if len(matches) == 1 else None


def _nearest(data: Data, baseline: str) -> str:
    """The system of that name, upper and lower case aside; otherwise an error, of a file with the names of files."""
    files = {Path(origin).name: system for system, origin in data.origins.items()}
    asked = Path(baseline).name if files else baseline
    name = known(asked, (*data.systems, *(files if Path(baseline).suffix else ())), "baseline")
    return name if name in data.systems else files[name]


def best_systems(scores: Scores, count: int) -> list[int]:
    """The best systems by the first measure, in the order of the scores."""
    means = scores.filled().values[0].mean(axis=(0, 2))
    gains = sign_of(scores.measures[0].direction or HIGHER) * means
    return sorted(np.argsort(-gains, kind="stable")[:count].tolist())


def kept_count(keep_systems: str, systems: int) -> int:
    """How many systems `all`, `N` or `topP%` keeps.

    >>> kept_count("top75%", 129), kept_count("10", 129), kept_count("all", 129)
    (96, 10, 129)
    """
    if keep_systems == "all":
        return systems
    share = re.fullmatch(r"top([0-9]{1,3}(?:\.[0-9]{1,9})?)%", keep_systems)
    percent = Fraction(share[1]) if share else Fraction(0)
    number = int(keep_systems) if re.fullmatch("[0-9]{1,9}", keep_systems) else 0
    count = int(systems * percent / 100) if share else number
    if percent > 100 or not 1 <= count <= systems:
        raise DesignError(
            f"'{keep_systems}' of {systems} systems cannot be kept; write all, top75%, or a number up to {systems}"
        )
    return count
