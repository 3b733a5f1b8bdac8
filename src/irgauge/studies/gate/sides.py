"""The two sides of a gate: the runs of the baseline and those of the candidate, and what they are called."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import takewhile
from pathlib import Path
from typing import Literal, NamedTuple

from irgauge.errors import InputError
from irgauge.files import expand
from irgauge.reading.collection import paths_of
from irgauge.reading.name_order import in_name_order
from irgauge.reading.objects import run_of, runs_of
from irgauge.reading.parts import Reader
from irgauge.reading.trec import Run, file_name

Role = Literal["baseline", "candidate"]


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
    runs = _distinct({role: [one.name for one in given] for role, given in both.items()}, both)
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


def _runs(given: object) -> list[_Given]:
    """The runs that are given, in the order of their names."""
    paths = paths_of(given)
    if paths is not None:
        found = [_Given(file_name(path), partial(run_of, path), path) for path in expand(paths)]
    else:
        found = [_Given(run.tag or "run", partial(_renamed, run), None) for run in runs_of(given)]
    return [found[place] for place in in_name_order([one.name for one in found])]


def _renamed(run: Run, name: str) -> Run:
    return replace(run, tag=name)


def _side(name: str, runs: Sequence[str], given: Sequence[_Given], of: object) -> RunSide:
    readers = tuple(partial(one.named, run) for one, run in zip(given, runs, strict=True))
    paths = tuple(one.path for one in given if one.path is not None)
    named = paths_of(of)
    return RunSide(name, tuple(runs), readers, paths or None, None if named is None else tuple(map(str, named)))


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
    for role, given in both.items():
        yield from ((role, one.path) for one in given if one.path is not None)
