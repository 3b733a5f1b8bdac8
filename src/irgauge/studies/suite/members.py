"""The collections of a suite: where each is, and how its scores are read. Reading one is a task of its own."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from irgauge.compute.tasks import are_elsewhere
from irgauge.errors import DesignError, InputError
from irgauge.files.compression import COMPRESSED
from irgauge.files.opening import files_in, found_in, is_file, is_folder, needed_in, qrels_in
from irgauge.reading.collection import Collection, gathered, judgments_of, run_readers
from irgauge.reading.missing import rule_of
from irgauge.reading.name_order import in_name_order
from irgauge.reading.notes import Note
from irgauge.reading.options import Joining, Limited
from irgauge.reading.tables.looks import EXTENSIONS, extension
from irgauge.reading.tables.named_columns import NamesColumns
from irgauge.reading.topic_table import TopicTable, topic_table
from irgauge.replicates.data import Data
from irgauge.replicates.given import Given, one_measure, opened, opened_tables
from irgauge.replicates.measured import Measured, Measuring
from irgauge.scoring.scores import Scores
from irgauge.studies.suite.options import SuiteOptions

Place = str | os.PathLike[str]
Collections = Place | Sequence[Place] | Mapping[str, Given]  # folders and tables, or what is loaded, by names
_TOPICS = "topics"  # a table of what is known of topics, in the folder of a collection
_HOW = "a collection is a folder with `qrels` and `runs`, or a table of scores"


class Member(NamedTuple):
    """A collection: its name, and the folder, the table or the data with its scores."""

    name: str
    given: Path | Data


def members_of(collections: Collections, missing: str | None) -> tuple[Member, ...]:
    """The collections that are given, in the order of their names; no two have the same."""
    if isinstance(collections, Mapping):
        members = [Member(str(name), _given(str(name), data, missing)) for name, data in collections.items()]
    else:
        members = [member for place in _places(collections) for member in _at(Path(place))]
    _check(members)
    ordered = [members[place] for place in in_name_order([member.name for member in members])]
    return tuple(map(_sendable, ordered)) if are_elsewhere() else tuple(ordered)


def _given(name: str, data: Given, missing: str | None) -> Data:
    """What is given as it is; what becomes of missing topics is settled for runs."""
    try:
        return opened_tables(data, missing=missing)
    except InputError as error:
        raise InputError(f"{name}: {error.message}", path=error.path, line=error.line) from None


def _sendable(member: Member) -> Member:
    """What workers need: a path from the root on."""
    return Member(member.name, member.given.absolute()) if isinstance(member.given, Path) else member


def _places(places: object) -> Iterable[Place]:
    if isinstance(places, str | os.PathLike):
        return [places]
    if isinstance(places, Sequence) and all(isinstance(place, str | os.PathLike) for place in places):
        return places
    raise DesignError(
        f"data is a {type(places).__name__}; a suite is of several collections: give a folder of them, several "
        "folders, or a dict from their names to what is loaded"
    )


def _at(place: Path) -> Iterator[Member]:
    """The collection at a place, or those that a folder holds."""
    if not is_folder(place):
        if not is_file(place):
            raise InputError("there is no such folder; check the path", path=str(place))
        yield _table(place)
    elif found_in(place, "qrels") is not None or found_in(place, "runs") is not None:
        yield Member(place.resolve().name, place)
    else:
        yield from _inside(place)


def _inside(folder: Path) -> Iterator[Member]:
    """The collections of a folder: its folders, and its files that are tables; hidden ones and others are left out."""
    members = [_table(path) for path in files_in(folder) if extension(path) in EXTENSIONS]
    members += [
        Member(path.name, path) for path in folder.iterdir() if is_folder(path) and not path.name.startswith(".")
    ]
    if not members:
        raise InputError(f"the folder holds no collections; {_HOW}", path=str(folder))
    yield from members


def _table(path: Path) -> Member:
    """A table of scores, by its name without extensions."""
    if extension(path) not in EXTENSIONS:
        raise InputError(
            f"this is neither a folder nor a table of scores ({', '.join(EXTENSIONS)}); {_HOW}", path=str(path)
        )
    packed = next((ending for ending in COMPRESSED if path.name.lower().endswith(ending)), "")
    return Member(Path(path.name[: len(path.name) - len(packed)]).stem, path)


def _check(members: Sequence[Member]) -> None:
    """Refuse too few collections, and two of one name."""
    names = [one.name for one in members]
    if twice := [name for name in names if names.count(name) > 1]:
        places = " and ".join(str(one.given) for one in members if one.name == twice[0] and isinstance(one.given, Path))
        raise InputError(f"two collections have the name '{twice[0]}' ({places}); rename one")
    if len(members) < 2:
        only = f" ({names[0]})" if names else ""
        raise InputError(
            f"a suite has at least 2 collections, and there is {len(members)}{only}; for one use `irgauge compare`"
        )


class Read(NamedTuple):
    """What was read of a collection: scores, and what a careful reader should know of the data."""

    name: str
    scores: Measured
    notes: tuple[str, ...]


def scored(member: Member, options: SuiteOptions, workers: int | None) -> Read:
    """The scores of all systems on one collection: a task that depends on nothing else."""
    try:
        with Limited.while_running(options), NamesColumns.while_running(options):
            data, notes = _data(member, options, workers)
        measures = one_measure(data, options.measure or (options.usual[0] if data.has_runs else None))
        return Read(member.name, data.measured(Measuring(measures)), tuple(map(str, notes)))
    except DesignError as error:
        raise DesignError(f"{member.name}: {error}") from None


def _data(member: Member, options: SuiteOptions, workers: int | None) -> tuple[Data, Sequence[Note]]:
    """With what was noted; of what is given as it is, that was told when it was loaded."""
    if not isinstance(member.given, Path):
        return member.given.with_workers(workers), ()
    if not is_folder(member.given):
        return opened(_scores(member.given, options)), ()
    about = (
        _about(member.given) if options.slice_columns or options.is_sampled else None
    )  # read before the long work: it may be wrong
    runs = _gathered(member.given, options, workers)
    data = opened(runs.under(rule_of(options.missing)), workers)
    return data if about is None else data.with_topics(about), runs.notes


def _about(folder: Path) -> TopicTable | None:
    """What a collection's own table says of its topics, where it has one."""
    paths = (path for path in files_in(folder) if path.name.split(".")[0] == _TOPICS)
    path = next((path for path in paths if extension(path) in (*EXTENSIONS, ".jsonl")), None)
    return None if path is None else topic_table(path)


def _scores(path: Path, options: SuiteOptions) -> Scores:
    try:
        return Scores.load(path).under(options.missing)
    except InputError as error:
        raise error if error.path else InputError(error.message, path=str(path)) from None


def _gathered(folder: Path, options: SuiteOptions, workers: int | None) -> Collection:
    qrels, runs = qrels_in(folder), needed_in(folder, "runs")
    joining = replace(Joining.of(options, documents="judged"), workers=workers, progress=None)
    return gathered(judgments_of(qrels), run_readers(runs), joining)
