"""Compute tables and figures again from the data that are there, and judge every printed value."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from irgauge.brief import OneLine
from irgauge.errors import InputError
from irgauge.inference.facts import method
from irgauge.papers.entry import SOURCES, Dataset, Entry, Recomputed, named
from irgauge.papers.published import Computed, JudgedValue, Printed, Verdict, judge
from irgauge.provenance import Provenance
from irgauge.provenance import named as named_fact
from irgauge.storing import NOT_STORED
from irgauge.studies.result import Result

if TYPE_CHECKING:
    import polars as pl

    from irgauge.show.figure import Figure
    from irgauge.show.finding import Findings
    from irgauge.show.page import Page
    from irgauge.show.table import Table

METHOD = "values computed by the functions of irgauge's commands; claims about tests by simulated experiments"
NEEDED = ("qrels", "runs")  # in the folder of every test collection


@dataclass(frozen=True, eq=False, repr=False)
class EntryOutcome(OneLine):
    """A table or figure computed again: every printed value beside ours."""

    in_line: ClassVar[tuple[str, ...]] = ("name", "seed")

    entry: Entry
    values: tuple[JudgedValue, ...]
    beside: tuple[str, ...]  # the conclusion under the other population
    seed: int | None  # of what is drawn; None: nothing was computed
    charts: Mapping[str, tuple[Figure, ...]] = field(  # test collection -> the figure drawn again
        default_factory=dict, metadata=NOT_STORED
    )

    @property
    def name(self) -> str:
        """Of the table or figure, with that of its paper."""
        return self.entry.name

    @property
    def counts(self) -> Counter[Verdict]:
        """How many values have each verdict."""
        return Counter(value.verdict for value in self.values)

    @property
    def verdict(self) -> Verdict:
        """The worst verdict of the values that could be computed."""
        counts = self.counts
        verdicts = (verdict for verdict in (Verdict.DIFFERS, Verdict.SAMPLING, Verdict.EXACT) if counts[verdict])
        return next(verdicts, Verdict.NEEDS)


@dataclass(frozen=True, eq=False, repr=False)
class Reproduction(Result):
    """Tables and figures computed again, one after the other; it can be iterated."""

    study: ClassVar[str] = "reproduce"
    part: ClassVar[str] = "table"

    outcomes: tuple[EntryOutcome, ...]
    settings: Mapping[str, Any]

    @property
    def parts(self) -> Mapping[str, EntryOutcome]:
        """Table or figure -> how it came out."""
        return {outcome.entry.name: outcome for outcome in self.outcomes}

    @property
    def provenance(self) -> Provenance:
        """Of which data, with which seed."""
        data = named_fact("collections", self.settings.get("collections") or None)
        return Provenance.of(method(METHOD), data, named_fact("seed", self.settings.get("seed")))

    def findings(self) -> Findings:
        """How each paper came out."""
        from irgauge.papers.presented import findings

        return findings(self.outcomes)

    def tables(self) -> tuple[Table, ...]:
        """Every printed value beside ours, table by table, the data that are not there, and how each table came out."""
        from irgauge.papers.presented import tables

        return tables(self.outcomes)

    def frame(self, name: str | None = None) -> pl.DataFrame:
        """Every printed value of every table, in full precision; or a table by its name."""
        from irgauge.papers.presented import flat_table

        return flat_table(self.outcomes).frame() if name is None else self.table(name).frame()

    def charts(self) -> Mapping[str, Callable[..., Figure]]:
        """The figures that were drawn again, by the names that their panels have on the page."""
        figures = {
            f"{outcome.entry.name.replace('/', '-')}-{collection}-{i}": figure
            for outcome in self.outcomes
            for collection, drawn in outcome.charts.items()
            for i, figure in enumerate(drawn, 1)
        }
        return {name: lambda _, figure=figure: figure for name, figure in figures.items()}

    def to_dict(self) -> dict[str, Any]:
        """Every value of every table in full precision, with the settings."""
        from irgauge.papers.presented import reproduction_json

        return reproduction_json(self.outcomes, dict(self.settings))

    def to_text(self, form: str = "text", *, width: int = 100) -> str:
        """Every table with its remarks; `form` is text, markdown, latex, csv or json."""
        from irgauge.papers.presented import text_of

        return text_of(self, form, width)

    @property
    def page(self) -> Page:
        """The whole comparison as a page, not yet HTML."""
        from irgauge.papers.page import page_of

        return page_of(self.outcomes, dict(self.settings))

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write to a file: .html and .md with the figures drawn again; or as other results do."""
        from irgauge.papers.page import save

        save(self, Path(path))


def open_data(folder: Path, *, seed: int = 0, workers: int | None = None) -> dict[str, Dataset]:
    """The test collections in a folder, each in a folder of its own name; or the one that the folder itself is."""
    if not folder.is_dir():
        what = "is a file" if folder.exists() else "does not exist"
        raise InputError(f"this folder {what}; name the one that holds trec8/ and the like", path=str(folder))
    parent = folder.absolute().parent if _is_collection(folder) else folder
    keys = [folder.absolute().name] if _is_collection(folder) else list(SOURCES)
    datasets: dict[str, Dataset] = {}
    for key in keys:
        if (parent / key).is_dir():
            datasets[key] = Dataset(SOURCES[key], parent / key, seed, workers, others=datasets)
    if not datasets:
        known = ", ".join(SOURCES)
        raise InputError(
            f"there is no test collection in this folder; make one of {known} in it, with qrels and runs",
            path=str(folder),
        )
    for dataset in datasets.values():
        for name in NEEDED:
            dataset.path(name)
    return datasets


def _is_collection(folder: Path) -> bool:
    """Whether the folder is that of one test collection; what it lacks is told when it is opened."""
    return folder.absolute().name in SOURCES and not any((folder / key).is_dir() for key in SOURCES)


def reproduce(
    tables: str | Entry | Iterable[str | Entry] | None,
    data: str | os.PathLike[str] | Mapping[str, Dataset],
    *,
    seed: int = 0,
    workers: int | None = None,
    told: Callable[[str], None] = lambda _: None,
) -> Reproduction:
    """Compute tables and figures of the papers again, and judge every printed value.

    `tables` are names such as "ferro-kim-sanderson-2019/table-5", or those of papers; None for all. `data` is a folder
    that holds trec8 and the like, each with qrels and runs; what needs others says so. `told` is told the name of each
    table as it starts.
    """
    datasets = data if isinstance(data, Mapping) else open_data(Path(data), seed=seed, workers=workers)
    outcomes = []
    for entry in _entries(tables):
        told(entry.name)
        outcomes.append(_outcome(entry, datasets))
    folder = None if isinstance(data, Mapping) else str(data)
    return Reproduction(tuple(outcomes), _settings(folder, datasets, seed))


def _entries(tables: str | Entry | Iterable[str | Entry] | None) -> Iterator[Entry]:
    if tables is None:
        yield from named([])
        return
    for table in [tables] if isinstance(tables, str | Entry) else tables:
        yield from [table] if isinstance(table, Entry) else named([table])


def _settings(folder: str | None, datasets: Mapping[str, Dataset], seed: int) -> dict[str, Any]:
    from irgauge.provenance import package_versions

    seeds = {dataset.seed for dataset in datasets.values()} or {seed}
    return {
        "data": folder,
        "collections": list(datasets),
        "seed": seeds.pop() if len(seeds) == 1 else sorted(seeds),
        "versions": package_versions(),
    }


def _outcome(entry: Entry, datasets: Mapping[str, Dataset]) -> EntryOutcome:
    values: list[JudgedValue] = []
    charts: dict[str, tuple[Figure, ...]] = {}
    beside: list[str] = []
    for collection, files in entry.needs.items():
        printed = [value for value in entry.exhibit.values if value.collection == collection]
        missing = _missing(entry, collection, files, datasets)
        if missing is not None:
            values += [JudgedValue(value, None, None, None, Verdict.NEEDS, missing) for value in printed]
            continue
        recomputed = entry.recompute(datasets[collection])
        values += _judged(entry, printed, recomputed)
        charts[collection] = recomputed.charts
        beside += recomputed.beside
    seed = next((datasets[collection].seed for collection in charts), None)
    return EntryOutcome(entry, tuple(values), tuple(beside), seed, charts)


def _missing(entry: Entry, collection: str, files: Iterable[str], datasets: Mapping[str, Dataset]) -> str | None:
    """What has to be got before the entry can be computed for this collection, and how."""
    source = SOURCES[collection]
    if collection not in datasets:
        others = "".join(f", {file}" for file in files)
        return f"{source.title} ({source.obtain}), laid out as {collection}/qrels, {collection}/runs/{others}"
    lacking = [file for file in files if not datasets[collection].has(file)]
    return "; ".join(f"{collection}/{file}: {entry.files[file]}" for file in lacking) or None


def _judged(entry: Entry, printed: Iterable[Printed], recomputed: Recomputed) -> Iterator[JudgedValue]:
    ours = [(value, recomputed.values[value.key]) for value in printed]
    drawn = sum(isinstance(computed, Computed) and computed.draws > 1 for _, computed in ours)
    for value, computed in ours:
        yield judge(value, computed, drawn, entry.why(value.collection, value.key))
