"""Means of models on tasks, as MTEB writes them: collections of which nothing is known but a mean of each system."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from irgauge.errors import DesignError, InputError
from irgauge.files.opening import files_in, is_file, is_folder, read_bytes
from irgauge.reading.tables.jsons import parsed
from irgauge.reading.tables.looks import extension
from irgauge.reading.tables.read import together
from irgauge.reading.tables.sheet import Sheet, quoted
from irgauge.reading.tools.mteb import MAIN, MEANS, META, means_of
from irgauge.replicates.given import opened
from irgauge.replicates.measured import Measured, Measuring
from irgauge.scoring.measures import Measure
from irgauge.scoring.scores import Scores, is_measure
from irgauge.studies.suite.options import SuiteOptions
from irgauge.studies.suite.shared import Absent

_DEEP = ("", "*/", "*/*/")  # where the folder of a model, or of its revision, may be in what is named


def task_means(places: object) -> Scores | None:
    """The means of all files, tasks as topics; None where no place holds results of MTEB."""
    if isinstance(places, str | Path):
        places = [places]
    if not isinstance(places, Sequence) or not all(isinstance(place, str | Path) for place in places):
        return None
    files = {str(place): list(_results_at(Path(place))) for place in places}
    if not any(files.values()):
        return None
    if other := [place for place, own in files.items() if not own]:
        raise InputError("this holds no results of MTEB, and others do; give these alone", path=other[0])
    sheets = [_sheet(file) for own in files.values() for file in own]
    _refuse_other_parts(sheets)
    return Scores.of_table(together(sheets, is_measure))


def _results_at(place: Path) -> Iterator[Path]:
    """The file, or those beside what MTEB writes of a model, in the folder or below it."""
    if is_file(place) and extension(place) == ".json":
        yield place
    if is_folder(place):
        for meta in sorted(meta for deep in _DEEP for meta in place.glob(f"{deep}{META}")):
            yield from (file for file in files_in(meta.parent) if file.suffix == ".json" and file.name != META)


def _sheet(path: Path) -> Sheet:
    content = means_of(parsed(read_bytes(path).tobytes(), str(path)), str(path))
    if content is None:
        message = "this JSON is no result of MTEB; a suite takes folders, tables of scores, or these"
        raise InputError(message, path=str(path))
    return MEANS.sheet(content)


def _refuse_other_parts(sheets: Sequence[Sheet]) -> None:
    """Refuse means of one task over other splits and subsets, such as languages, than those of another model."""
    firsts: dict[str, tuple[str, str | None]] = {}
    for sheet in sheets:
        for task, parts in (sheet.recognized.asked if sheet.recognized is not None else {}).items():
            first, path = firsts.setdefault(task, (parts, sheet.origin.path))
            if parts != first:
                raise sheet.origin.error(
                    f"{task} is of {quoted(parts)} (split/subset) here, and of {quoted(first)} in {path}; give results "
                    "of the same splits and subsets, or leave one of both out"
                )


def measured_means(means: Scores, options: SuiteOptions) -> tuple[Measured, Absent]:
    """The means by the measure that is asked for, of systems that all tasks have; and which systems others lack."""
    _refuse_topics(options)
    scores = means[Measure.asked(options.measure) if isinstance(options.measure, str) else options.measure or MAIN]
    lacking: Absent = {}
    if options.missing is None:
        absent = scores.gaps[0, :, :, 0]  # task, system
        tasks = {system: absent[:, place].nonzero()[0] for place, system in enumerate(scores.systems)}
        lacking = {system: tuple(scores.topics[t] for t in own) for system, own in tasks.items() if len(own)}
    kept = [place for place, system in enumerate(scores.systems) if system not in lacking]
    if len(kept) < 2:
        some = "; ".join(f"{system} lacks {', '.join(own[:3])}" for system, own in list(lacking.items())[:3])
        raise DesignError(
            f"fewer than 2 models have results of all {len(scores.topics)} tasks ({some}); give those of the same "
            "tasks, or leave tasks out that some lack (missing drop)"
        )
    scores = replace(scores, values=scores.values[:, :, kept], systems=tuple(scores.systems[k] for k in kept))
    return opened(scores.under(options.missing)).measured(Measuring(scores.measures)), lacking


def _refuse_topics(options: SuiteOptions) -> None:
    """Refuse what is asked of topics, of which nothing is known."""
    asked = {"weights": options.weights != "equal", "cluster": options.cluster, "shares": options.shares}
    named = next((name for name, is_asked in (asked | {"by": options.slice_columns}).items() if is_asked), None)
    if named is not None:
        raise DesignError(f"{named} is of topics, and results of MTEB have one mean a task; leave it out")
