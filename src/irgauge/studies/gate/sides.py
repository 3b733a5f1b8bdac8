"""The two sides of a gate: their runs and scores, what they are called, and what scores of both must be."""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial
from hashlib import sha256
from itertools import takewhile
from pathlib import Path
from typing import Any, Literal, NamedTuple, cast

import numpy as np

from irgauge.choices import known
from irgauge.compute.arrays import Floats
from irgauge.errors import DesignError, InputError
from irgauge.files.opening import expand, first_bytes
from irgauge.options.verbs import brief
from irgauge.reading.collection import Collection, paths_of
from irgauge.reading.missing import MissingRule, MissingTopics, counted_topics
from irgauge.reading.name_order import in_name_order
from irgauge.reading.notes import Note
from irgauge.reading.objects import run_of, runs_of
from irgauge.reading.parts import Reader
from irgauge.reading.run_names import file_name
from irgauge.reading.tables.looks import are_scores, looks
from irgauge.reading.tables.named_columns import columns_named, one_system_each
from irgauge.reading.tables.read import is_frame
from irgauge.reading.tables.sheet import Origin, collected, columns_of
from irgauge.reading.topic_table import refuse_renumbered, topic_table
from irgauge.reading.trec import Run
from irgauge.replicates.bench import Bench
from irgauge.replicates.data import Data, HoldsData
from irgauge.replicates.given import Given, ScoreTable, judgments_and_runs, opened_with_gaps, several_measures
from irgauge.replicates.measured import Measured
from irgauge.replicates.needs import scores_of_wordings, tells_wordings_apart
from irgauge.scoring.measures import Measure, range_of
from irgauge.scoring.scores import Scores, is_measure
from irgauge.studies.gate.options import GateOptions

Role = Literal["baseline", "candidate"]
_LINE = 4096  # bytes, of which the first line tells what a file is


def refuse_run(qrels: object) -> None:
    """Refuse a run in the place of the judgments, before anything else is asked for."""
    if isinstance(qrels, str | os.PathLike) and (looks(first_bytes(qrels, _LINE)) or "").startswith("a run"):
        raise InputError("this looks like a run: name the qrels first, then the runs", path=str(qrels), line=1)


class _Given(NamedTuple):
    """A run that was given."""

    name: str
    named: Callable[[str], Run]  # reads it, under the name that it is to have
    path: str | None  # None: it is no file


@dataclass(frozen=True, eq=False)
class Side:
    """The baseline, or the candidate: one run, or several of a random system."""

    name: str
    runs: tuple[str, ...]  # their names


@dataclass(frozen=True, eq=False)
class RunSide(Side):
    """The same, to be read."""

    readers: tuple[Reader, ...]
    paths: tuple[str, ...] | None  # None: they are not files
    given: tuple[str, ...] | None  # what was given for them: files, folders, patterns


def sides_of(baseline: object, candidate: object) -> tuple[RunSide, RunSide]:
    """The two sides of what `load` takes for runs. A run is named after its file, or as the object says."""
    both: dict[Role, list[_Given]] = {"baseline": _runs(baseline), "candidate": _runs(candidate)}
    _refuse_twice(both)
    runs = _distinct({role: [run.name for run in given_runs] for role, given_runs in both.items()}, both)
    names = told_apart(*(name_of(role, of) for role, of in runs.items()))
    return (
        _side(names[0], runs["baseline"], both["baseline"], baseline),
        _side(names[1], runs["candidate"], both["candidate"], candidate),
    )


def told_apart(baseline: str, candidate: str) -> tuple[str, str]:
    """The names of the two; where they have the same, each with its side before it."""
    return (baseline, candidate) if baseline != candidate else (f"baseline {baseline}", f"candidate {candidate}")


def _distinct(runs: dict[Role, list[str]], both: dict[Role, list[_Given]]) -> dict[Role, list[str]]:
    """The names of runs; where both sides have the same, each with its side before it."""
    for role, names in runs.items():
        if same := _repeated(names):
            message = f"two runs of the {role} have the same name '{same[0]}'; rename one of the two"
            raise InputError(message, path=both[role][names.index(same[0])].path)
    if not _repeated(name for names in runs.values() for name in names):
        return runs
    return {role: [f"{role} {name}" for name in names] for role, names in runs.items()}


def _runs(source: object) -> list[_Given]:
    """The runs that are given, in the order of their names."""
    paths = paths_of(source)
    if paths is not None:
        runs = [_Given(file_name(path), partial(run_of, path), path) for path in expand(paths)]
    else:
        runs = [_Given(run.tag or "run", partial(_renamed, run), None) for run in runs_of(source)]
    return [runs[place] for place in in_name_order([run.name for run in runs])]


def _renamed(run: Run, name: str) -> Run:
    return replace(run, tag=name)


def _side(name: str, runs: Sequence[str], given_runs: Sequence[_Given], of: object) -> RunSide:
    readers = [partial(given_run.named, run) for given_run, run in zip(given_runs, runs, strict=True)]
    paths = tuple(given_run.path for given_run in given_runs if given_run.path is not None)
    named = paths_of(of)
    kept = cache(readers[0])  # its documents are shown where the gate does not pass
    return RunSide(
        name, tuple(runs), (kept, *readers[1:]), paths or None, None if named is None else tuple(map(str, named))
    )


def name_of(role: Role, runs: Sequence[str]) -> str:
    """The name of a run; of several what their names begin with, such as bm25 of bm25.1 and bm25.2."""
    if len(runs) == 1:
        return runs[0]
    parts = zip(*(re.split(r"([._-])", run) for run in runs), strict=False)
    shared = "".join(same[0] for same in takewhile(lambda part: len(set(part)) == 1, parts))
    return shared.rstrip("._-") or role


def _repeated(names: Iterable[str]) -> list[str]:
    return [name for name, count in Counter(names).items() if count > 1]


def _refuse_twice(both: dict[Role, list[_Given]]) -> None:
    """Refuse a file that counts as two runs; but a candidate may be the baseline itself."""
    seen: dict[Path, Role] = {}
    for role, path in _files(both):
        file = Path(path).resolve()
        if seen.get(file) == role:
            raise InputError(f"this file is given twice as a run of the {role}; leave one of them out", path=path)
        if file in seen and sum(map(len, both.values())) > 2:
            raise InputError("this file is a run of the baseline and of the candidate; leave one out", path=path)
        seen[file] = role


def _files(both: dict[Role, list[_Given]]) -> Iterator[tuple[Role, str]]:
    for role, given_runs in both.items():
        yield from ((role, run.path) for run in given_runs if run.path is not None)


_NAMED = 5  # systems in an error


def holds_systems(source: object, options: GateOptions) -> bool:
    """Whether data are given in which the two sides are systems, or tables of scores; else it is judgments.

    What could be either are judgments where runs follow.
    """
    is_alone = options.candidate is None
    if isinstance(source, str | os.PathLike):
        return are_scores(str(source), is_measure, is_alone=is_alone)
    if isinstance(source, Mapping):
        return is_alone or _maps_scores(source, (*listed(options.baseline), *listed(options.candidate)))
    if is_frame(source):
        return columns_of([str(name) for name in collected(source).columns]).document is None
    if isinstance(source, list | tuple) and isinstance(next(iter(source), None), str | os.PathLike):
        return True  # paths: tables, or judgments and runs
    is_opened = isinstance(source, Collection | Scores | Bench | ScoreTable | Measured | HoldsData)
    return is_opened or hasattr(source, "__array__") or judgments_and_runs(source) is not None


def _maps_scores(mapping: Mapping[Any, Any], names: Sequence[str]) -> bool:
    """Whether a mapping is of scores: it holds columns, or the names, or is deeper than judgments are."""
    inner = [value for value in mapping.values() if isinstance(value, Mapping)]
    is_deep = any(isinstance(value, Mapping) for held in inner for value in held.values())
    return len(inner) < len(mapping) or is_deep or (bool(names) and all(name in mapping for name in names))


@dataclass(frozen=True, eq=False)
class ScoredSide(Side):
    """A system whose replicates are its runs, or several systems that are runs of one."""

    scores: Scores  # of its systems alone
    cells: tuple[tuple[int, int], ...]  # run: its system and its replicate

    def values(self, measures: Sequence[Measure], topics: Sequence[str]) -> Floats:
        """values[measure, topic, run], NaN where there is no score."""
        scores = np.full((len(measures), len(topics), len(self.runs)), np.nan)
        places = {topic: place for place, topic in enumerate(topics)}
        system, replicate = np.array(self.cells).T
        own = self.scores.values[:, :, system, replicate]  # measure, topic, run
        rows = [self.scores.measures.index(measure) for measure in measures]
        scores[:, [places[topic] for topic in self.scores.topics]] = own[rows]
        return scores

    def named_by(self, asked: Sequence[Measure]) -> ScoredSide:
        """The same side; scores whose table does not say their measure are of the one that is asked for."""
        return replace(self, scores=self.scores.named_by(asked))

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


OWN_REPLICATES = (
    "replicates are taken as runs that each system has for itself, such as seeds; if all systems share them, such as "
    "judges or parts of the data, `irgauge compare --population topics+shards` takes them so, and may decide otherwise"
)


def taken_as(baseline: ScoredSide, candidate: ScoredSide) -> Iterator[Note]:
    """What the replicates of a table are taken as, where both sides have replicates of the same names."""
    if len({*baseline.scores.replicates} & {*candidate.scores.replicates}) > 1:
        yield Note(None, OWN_REPLICATES)


def scored_sides(first: object, options: GateOptions) -> tuple[ScoredSide, ScoredSide]:
    """Systems of one table by their names, or the only systems of two tables."""
    return _of_two_tables(first, options) if options.candidate is None else _of_one_table(first, options)


def _of_one_table(first: object, options: GateOptions) -> tuple[ScoredSide, ScoredSide]:
    scores = _table(first, options)
    baseline, candidate = named_sides(scores.systems, options)
    names = told_apart(name_of("baseline", baseline), name_of("candidate", candidate))
    return _scored_side(names[0], baseline, scores), _scored_side(names[1], candidate, scores)


def named_sides(systems: Sequence[str], options: GateOptions) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The systems of the baseline and those of the candidate, by their names."""
    baseline = _systems("baseline", options.baseline, systems)
    candidate = _systems("candidate", options.candidate, systems)
    if same := [name for name in candidate if name in baseline]:
        raise DesignError(f"{same[0]} is the baseline and the candidate; choose two of {_some(systems)}")
    return baseline, candidate


def loaded_sides(systems: Sequence[str], options: GateOptions) -> tuple[RunSide, RunSide]:
    """The two sides among runs that were loaded before."""
    baseline, candidate = named_sides(systems, options)
    names = told_apart(name_of("baseline", baseline), name_of("candidate", candidate))
    return RunSide(names[0], baseline, (), None, None), RunSide(names[1], candidate, (), None, None)


def _of_two_tables(first: object, options: GateOptions) -> tuple[ScoredSide, ScoredSide]:
    second = options.baseline
    if isinstance(second, str | os.PathLike) and not are_scores(str(second), is_measure):
        raise DesignError("name the baseline and the candidate after the table of scores, or give a table of each")
    with one_system_each():
        tables = _table(first, options), _table(options.baseline, options)
    for role, scores in zip(("baseline", "candidate"), tables, strict=True):
        if len(scores.systems) > 1:
            advice = "leave one in it, or name the baseline and the candidate in one table"
            raise DesignError(f"the table of the {role} has {_some(scores.systems)}; {advice}")
    refuse_renumbered((Origin(next(iter(own.paths), None), own.systems[0]), own.about) for own in tables)
    about = tables[0].about.unless_contradicted([tables[1].about], columns_named(vars(options)))
    tables = replace(tables[0], about=about), tables[1]
    names = told_apart(*(scores.systems[0] for scores in tables))
    return _scored_side(names[0], tables[0].systems, tables[0]), _scored_side(names[1], tables[1].systems, tables[1])


def opened_sides(source: object, options: GateOptions) -> Data:
    """Data in which sides are systems; with a topic for each wording, where a column of a table tells these apart."""
    about = None if options.topics_table is None else topic_table(options.topics_table)
    if options.variants is not None and tells_wordings_apart(source, options.variants, about):
        return ScoreTable(scores_of_wordings(source, options.variants, options.columns))
    return opened_with_gaps(cast("Given", source), options.workers, columns=options.columns)


def _table(source: object, options: GateOptions) -> Scores:
    """The scores, with those missing that were settled to be 0: what is missing is told by the gate."""
    scores = opened_sides(source, options).table("a gate compares them on the whole corpus")
    if scores.missing is None or scores.missing.rule != "zero":
        return scores
    there = scores.missing.answered(scores.topics, scores.systems)  # topic, system
    is_settled = ~there[:, :, None] & (scores.values == 0)
    return replace(scores, values=np.where(is_settled, np.nan, scores.values))


def _systems(role: Role, side: object, among: Sequence[str]) -> tuple[str, ...]:
    """The systems of a side; several are runs of one."""
    names = listed(side)
    if not names:
        raise DesignError(f"the {role} is {brief(side)}; name one of {_some(among)}")
    systems = tuple(known(name, among, role) for name in names)
    if len(set(systems)) < len(systems):
        raise DesignError(f"a system is named twice as a run of the {role}; leave one of them out")
    return tuple(systems[place] for place in in_name_order(systems))


def listed(names: object) -> tuple[str, ...]:
    """One name or several; none where it is something else."""
    if isinstance(names, str):
        return (names,)
    are_names = isinstance(names, Sequence) and all(isinstance(name, str) for name in names)
    return tuple(names) if are_names and isinstance(names, Sequence) else ()


def _scored_side(name: str, systems: Sequence[str], scores: Scores) -> ScoredSide:
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


def _some(systems: Sequence[str]) -> str:
    some = ", ".join(systems[:_NAMED])
    return f"the {len(systems)} systems {some}{', ...' * (len(systems) > _NAMED)}"


def measured_by_both(measures: Sequence[str | Measure], sides: Sequence[ScoredSide]) -> tuple[Measure, ...]:
    """Measures, of which both sides must have scores."""
    asked = several_measures(ScoreTable(sides[0].scores), measures)
    for side in (side.named_by(asked) for side in sides):
        for measure in asked:
            if measure not in side.scores.measures:
                there = ", ".join(map(str, side.scores.measures))
                name, _, direction = str(measure).rpartition(":")
                if name in map(str, side.scores.measures):
                    raise DesignError(f"'{direction}' is no direction; write '{name}:lower' or '{name}:higher'")
                raise DesignError(f"{side.name} has no scores of {measure}; it has {there}")
    return asked


def refuse_other_scale(measures: Sequence[Measure], baseline: Floats, candidate: Floats, name: str) -> None:
    """Refuse a candidate whose scores leave the range of a measure, where those of the baseline do not."""
    for measure, base, new in zip(measures, baseline, candidate, strict=True):
        within = range_of(measure, base[~np.isnan(base)])
        if within is not None and range_of(measure, own := new[~np.isnan(new)]) is None:
            worst = own[np.argmax(np.abs(own - np.mean(within)))]
            raise InputError(
                f"{name} has the score {worst:g} by {measure}, which lies between {within[0]:g} and {within[1]:g}, as "
                "the scores of the baseline do; give scores on the same scale"
            )


def settled(missing: MissingTopics, rule: MissingRule) -> MissingTopics:
    """What is missing under a rule, which must be possible."""
    if rule == "fail" and missing.topics_of:
        lines = [f"  {run}: {counted_topics(topics)}" for run, topics in missing.topics_of.items()]
        advice = "complete them, or say by the option 'missing' that they are 0 (zero) or their topics left out (drop)"
        raise InputError("\n".join([f"scores are missing on some of the {missing.of} topics:", *lines, advice]))
    return missing.under(rule)
