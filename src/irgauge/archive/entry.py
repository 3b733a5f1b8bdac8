"""An entry of a history: what a gate or a comparison was given, and what it found."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256
from typing import NamedTuple

import numpy as np

from irgauge.compute.arrays import Floats
from irgauge.files.opening import is_file, read_bytes
from irgauge.provenance import Provenance
from irgauge.reading.collection import Collection
from irgauge.scoring.direction import Direction
from irgauge.scoring.scores import Scores


class KeptRun(NamedTuple):
    """A run, the system that it is of, and its fingerprint."""

    name: str
    system: str
    role: str  # baseline, candidate, or system
    fingerprint: str


class KeptVerdict(NamedTuple):
    """What was said of a system against another by a measure, for a population."""

    measure: str
    system: str
    against: str
    population: str
    direction: Direction
    difference: float | None
    low: float | None
    high: float | None
    p: float | None  # adjusted
    margin: float | None
    verdict: str


class KeptSpending(NamedTuple):
    """What an entry took of a budget."""

    budget: str
    answer: str  # of which entry: a second try with the same data takes nothing
    level: float
    remaining: float
    p: float
    failed: bool


KeptScores = Mapping[tuple[str, str], Mapping[str, float]]  # measure, system -> topic -> score


@dataclass(frozen=True, eq=False)
class Entry:
    """One gate or comparison."""

    time: datetime  # in UTC
    command: str
    version: str  # of irgauge
    checkout: str | None  # the commit, in a git checkout
    judgments: str | None  # fingerprint; None where only scores are known
    settings: Mapping[str, object]  # how it was found
    runs: tuple[KeptRun, ...]
    scores: KeptScores
    verdicts: tuple[KeptVerdict, ...] = ()
    spending: KeptSpending | None = None

    @property
    def answer(self) -> str:
        """Fingerprint of all that the answer rests on: the same, the same answer."""
        runs = sorted((run.role, run.system, run.fingerprint) for run in self.runs)
        return _sha256(json.dumps([self.command, self.judgments, runs, settings_text(self.settings)]))

    @property
    def topics(self) -> frozenset[str]:
        """On which it has scores."""
        return frozenset(topic for scores in self.scores.values() for topic in scores)


def settings_text(settings: Mapping[str, object]) -> str:
    """Settings as JSON, the same for the same."""
    return json.dumps(settings, sort_keys=True, default=str)


_CHANGING = ("corpus_size", "documents", "grades", "headers", "files")  # what changes with every run


def settings_of(provenance: Provenance) -> dict[str, object]:
    """How a result was found, without what only names or counts its runs."""
    return {name: value for name, value in provenance.alone.items() if name not in _CHANGING}


def judgments_fingerprint(collection: Collection) -> str:
    """SHA-256 of the judgments of the topics that count, whatever their order and their file."""
    names = collection.docnos.gather(collection.judged_docs).to_list()
    topics = np.repeat(np.arange(len(collection.topics)), np.diff(collection.judged_bounds)).tolist()
    extra = collection.subtopics.tolist() if collection.subtopics.size else None
    levels = [
        [grade, stratum, *(extra[level] if extra else ())]
        for level, (grade, stratum) in enumerate(
            zip(collection.grades.tolist(), collection.strata.tolist(), strict=True)
        )
    ]
    rows = zip(topics, names, collection.judged_levels.tolist(), strict=True)
    return _sha256(json.dumps(sorted([collection.topics[topic], name, levels[level]] for topic, name, level in rows)))


def run_fingerprints(
    systems: Sequence[str], origins: Mapping[str, str], scores: Callable[[], Scores]
) -> dict[str, str]:
    """System -> SHA-256 of the file of its run, decompressed; of runs that are no files, of their scores."""
    files = [system for system in systems if is_file(origins.get(system, ""))]
    known = {system: sha256(read_bytes(origins[system]).tobytes()).hexdigest() for system in files}
    others = [system for system in systems if system not in known]
    table = scores() if others else None
    return known | ({} if table is None else {system: _of_scores(table, system) for system in others})


def _of_scores(scores: Scores, system: str) -> str:
    values = scores.values[:, :, scores.systems.index(system)]  # measure, topic, replicate
    cells = np.argwhere(~np.isnan(values))
    lines = (f"{scores.measures[m]}\t{scores.topics[t]}\t{r}\t{float(values[m, t, r]).hex()}" for m, t, r in cells)
    return _sha256("\n".join(sorted(lines)))


def on_topics(topics: Sequence[str], scores: Floats) -> dict[str, float]:
    """Topic -> score, of those that have one."""
    return {topic: score for topic, score in zip(topics, scores.tolist(), strict=True) if score == score}


def _sha256(text: str) -> str:
    return sha256(text.encode()).hexdigest()
