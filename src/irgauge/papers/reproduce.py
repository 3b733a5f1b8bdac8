"""Compute tables and figures again from the data that are there, and judge every printed value."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from irgauge.errors import InputError
from irgauge.papers.entry import Entry, Recomputed
from irgauge.papers.judging import Computed, Judged, Verdict, judge
from irgauge.papers.published import Printed
from irgauge.papers.sources import SOURCES, Dataset

if TYPE_CHECKING:
    import altair as alt

NEEDED = ("qrels", "runs")  # in the folder of every test collection


@dataclass(frozen=True, eq=False)
class Outcome:
    """A table or figure computed again: every printed value beside ours."""

    entry: Entry
    values: tuple[Judged, ...]
    charts: Mapping[str, tuple[alt.TopLevelMixin, ...]]  # test collection -> the figure drawn again
    beside: tuple[str, ...]  # the conclusion under the other population
    seed: int | None  # of what is drawn; None: nothing was computed

    @property
    def counts(self) -> Counter[Verdict]:
        """How many values have each verdict."""
        return Counter(value.verdict for value in self.values)

    @property
    def verdict(self) -> Verdict:
        """The worst verdict of the values that could be computed."""
        counts = self.counts
        found = (verdict for verdict in (Verdict.DIFFERS, Verdict.SAMPLING, Verdict.EXACT) if counts[verdict])
        return next(found, Verdict.NEEDS)


def open_data(folder: Path, *, seed: int = 0, workers: int | None = None) -> dict[str, Dataset]:
    """The test collections in a folder, each in a folder of its own name; or the one that the folder itself is."""
    if not folder.is_dir():
        what = "is a file" if folder.exists() else "does not exist"
        raise InputError(f"this folder {what}; name the one that holds trec8/ and the like", path=str(folder))
    parent = folder.absolute().parent if _is_collection(folder) else folder
    keys = [folder.absolute().name] if _is_collection(folder) else list(SOURCES)
    found: dict[str, Dataset] = {}
    for key in keys:
        if (parent / key).is_dir():
            found[key] = Dataset(SOURCES[key], parent / key, seed, workers, others=found)
    if not found:
        known = ", ".join(SOURCES)
        raise InputError(
            f"there is no test collection in this folder; make one of {known} in it, with qrels and runs",
            path=str(folder),
        )
    for dataset in found.values():
        for name in NEEDED:
            dataset.path(name)
    return found


def _is_collection(folder: Path) -> bool:
    """Whether the folder is that of one test collection; what it lacks is told when it is opened."""
    return folder.absolute().name in SOURCES and not any((folder / key).is_dir() for key in SOURCES)


def reproduce(
    entries: Iterable[Entry], datasets: Mapping[str, Dataset], told: Callable[[str], None] = lambda _: None
) -> Iterator[Outcome]:
    """Compute each entry from the data that are there; `told` is told the name of each as it starts."""
    for entry in entries:
        told(entry.name)
        yield _outcome(entry, datasets)


def _outcome(entry: Entry, datasets: Mapping[str, Dataset]) -> Outcome:
    values: list[Judged] = []
    charts: dict[str, tuple[alt.TopLevelMixin, ...]] = {}
    beside: list[str] = []
    for collection, files in entry.needs.items():
        printed = [value for value in entry.exhibit.values if value.collection == collection]
        missing = _missing(entry, collection, files, datasets)
        if missing is not None:
            values += [Judged(value, None, None, None, Verdict.NEEDS, missing) for value in printed]
            continue
        found = entry.recompute(datasets[collection])
        values += _judged(entry, printed, found)
        charts[collection] = found.charts
        beside += found.beside
    seed = next((datasets[collection].seed for collection in charts), None)
    return Outcome(entry, tuple(values), charts, tuple(beside), seed)


def _missing(entry: Entry, collection: str, files: Iterable[str], datasets: Mapping[str, Dataset]) -> str | None:
    """What has to be got before the entry can be computed for this collection, and how."""
    source = SOURCES[collection]
    if collection not in datasets:
        others = "".join(f", {file}" for file in files)
        return f"{source.title} ({source.obtain}), laid out as {collection}/qrels, {collection}/runs/{others}"
    lacking = [file for file in files if not datasets[collection].has(file)]
    return "; ".join(f"{collection}/{file}: {entry.files[file]}" for file in lacking) or None


def _judged(entry: Entry, printed: Iterable[Printed], found: Recomputed) -> Iterator[Judged]:
    ours = [(value, found.values[value.key]) for value in printed]
    drawn = sum(isinstance(one, Computed) and one.draws > 1 for _, one in ours)
    for value, one in ours:
        yield judge(value, one, drawn, entry.why(value.collection, value.key))
