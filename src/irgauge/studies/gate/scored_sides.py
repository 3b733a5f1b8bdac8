"""The two sides of a gate of scores: systems of one table, or two tables of one system each."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass, replace
from hashlib import sha256

import numpy as np

from irgauge.arrays import Floats
from irgauge.choices import known
from irgauge.errors import DesignError, InputError
from irgauge.reading.name_order import in_name_order
from irgauge.reading.tables.looks import are_scores
from irgauge.scoring.measures import Measure
from irgauge.scoring.scores import Scores, is_measure
from irgauge.studies.gate.options import Asked
from irgauge.studies.gate.sides import Role, Side, name_of, told_apart

_NAMED = 5  # systems in an error


def is_scores(given: object, *, is_alone: bool) -> bool:
    """Whether scores are given, or the file of a table; what could be either are judgments where runs follow."""
    if isinstance(given, str | os.PathLike):
        return are_scores(str(given), is_measure, is_alone=is_alone)
    return isinstance(given, Scores)


@dataclass(frozen=True, eq=False)
class ScoredSide(Side):
    """A system whose replicates are its runs, or several systems that are runs of one."""

    scores: Scores  # of its systems alone
    cells: tuple[tuple[int, int], ...]  # run: its system and its replicate

    def values(self, measures: Sequence[Measure], topics: Sequence[str]) -> Floats:
        """values[measure, topic, run], NaN where there is no score."""
        found = np.full((len(measures), len(topics), len(self.runs)), np.nan)
        places = {topic: place for place, topic in enumerate(topics)}
        system, replicate = np.array(self.cells).T
        own = self.scores.values[:, :, system, replicate]  # measure, topic, run
        rows = [self.scores.measures.index(measure) for measure in measures]
        found[:, [places[topic] for topic in self.scores.topics]] = own[rows]
        return found

    @property
    def fingerprints(self) -> tuple[str, ...]:
        """SHA-256 of all scores of each run, whatever their order in the table."""
        return tuple(sorted(_fingerprint(self.scores, *cell) for cell in self.cells))


def _fingerprint(scores: Scores, system: int, replicate: int) -> str:
    values = scores.values[:, :, system, replicate]  # measure, topic
    lines = sorted(
        f"{scores.measures[m]}\t{scores.topics[t]}\t{float(values[m, t]).hex()}"
        for m, t in np.argwhere(~np.isnan(values))
    )
    return sha256("\n".join(lines).encode()).hexdigest()


def scored_sides(first: object, asked: Asked) -> tuple[ScoredSide, ScoredSide]:
    """Systems of one table by their names, or the only systems of two tables."""
    return _of_two_tables(first, asked.baseline) if asked.candidate is None else _of_one_table(first, asked)


def _of_one_table(first: object, asked: Asked) -> tuple[ScoredSide, ScoredSide]:
    scores = _table(first)
    baseline = _systems("baseline", asked.baseline, scores)
    candidate = _systems("candidate", asked.candidate, scores)
    if same := [name for name in candidate if name in baseline]:
        raise DesignError(f"{same[0]} is the baseline and the candidate; choose two of {_some(scores)}")
    names = told_apart(name_of("baseline", baseline), name_of("candidate", candidate))
    return _side(names[0], baseline, scores), _side(names[1], candidate, scores)


def _of_two_tables(first: object, second: object) -> tuple[ScoredSide, ScoredSide]:
    if not is_scores(second, is_alone=True):
        raise DesignError("name the baseline and the candidate after the table of scores, or give a table of each")
    tables = _table(first), _table(second)
    for role, scores in zip(("baseline", "candidate"), tables, strict=True):
        if len(scores.systems) > 1:
            advice = "leave one in it, or name the baseline and the candidate in one table"
            raise DesignError(f"the table of the {role} has {_some(scores)}; {advice}")
    names = told_apart(*(scores.systems[0] for scores in tables))
    return _side(names[0], tables[0].systems, tables[0]), _side(names[1], tables[1].systems, tables[1])


def _table(given: object) -> Scores:
    """The scores, with nothing settled of topics that a system lacks: that is asked of the gate."""
    scores = given if isinstance(given, Scores) else Scores.of(given)
    if scores.missing is None or scores.missing.rule != "zero":
        return scores
    there = scores.missing.answered(scores.topics, scores.systems)  # topic, system
    return replace(scores, values=np.where(there[:, :, None], scores.values, np.nan), missing=None)


def _systems(role: Role, given: object, scores: Scores) -> tuple[str, ...]:
    """The systems of a side; several are runs of one."""
    names = listed(given)
    if not names:
        raise DesignError(f"the {role} is {given!r}; name one of {_some(scores)}")
    found = tuple(known(name, scores.systems, role) for name in names)
    if len(set(found)) < len(found):
        raise DesignError(f"a system is named twice as a run of the {role}; leave one of them out")
    return tuple(found[place] for place in in_name_order(found))


def listed(names: object) -> tuple[str, ...]:
    """One name or several; none where it is something else."""
    if isinstance(names, str):
        return (names,)
    are_names = isinstance(names, Sequence) and all(isinstance(name, str) for name in names)
    return tuple(names) if are_names and isinstance(names, Sequence) else ()


def _side(name: str, systems: Sequence[str], scores: Scores) -> ScoredSide:
    """The systems of a side in a table; a measure or a replicate without any score of it is none."""
    values = scores.values[:, :, [scores.systems.index(system) for system in systems]]
    there = np.flatnonzero(~np.isnan(values).all(axis=(1, 2, 3)))
    measures = tuple(scores.measures[m] for m in there)
    own = replace(scores, values=values[there], measures=measures, systems=tuple(systems))
    cells = [(int(s), int(r)) for s, r in np.argwhere(~np.isnan(own.values).all(axis=(0, 1)))]
    if not cells:
        raise InputError(f"the table has no score of {' or '.join(systems)}; add some")
    runs = (name,) if len(cells) == 1 else tuple(_run(own, *cell) for cell in cells)
    return ScoredSide(name, runs, own, tuple(cells))


def _run(scores: Scores, system: int, replicate: int) -> str:
    """The name of a run among several."""
    name = scores.systems[system]
    return name if len(scores.replicates) == 1 else f"{name} {scores.replicates[replicate]}"


def _some(scores: Scores) -> str:
    some = ", ".join(scores.systems[:_NAMED])
    return f"the {len(scores.systems)} systems {some}{', ...' * (len(scores.systems) > _NAMED)}"
