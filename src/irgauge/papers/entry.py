"""Entries: tables and figures of papers, each with the code that computes it again, and their test collections."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache, cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from irgauge.errors import InputError
from irgauge.files.opening import found_in, needed_in
from irgauge.papers.published import Computed, Exhibit, Key, Lacking, exhibit
from irgauge.reading.collection import Collection, load
from irgauge.replicates.bench import Bench

if TYPE_CHECKING:
    from irgauge.show.figure import Figure


@dataclass(frozen=True)
class Recomputed:
    """What an entry gives for one test collection."""

    values: Mapping[Key, Computed | bool | Lacking]  # for every printed key; a bool says whether a statement holds
    charts: tuple[Figure, ...] = ()  # the figure drawn again
    beside: tuple[str, ...] = ()  # sentences: the conclusion under the other population


@dataclass(frozen=True)
class Reason:
    """Why values differ whose collection and key have all these words."""

    words: tuple[str, ...]
    why: str


@dataclass(frozen=True, eq=False)
class Entry:
    """How a table or figure is computed again from the data of one of its test collections."""

    name: str  # "ferro-kim-sanderson-2019/table-5"
    method: str  # with the population of its claims
    needs: Mapping[str, tuple[str, ...]]  # test collection -> files it takes beside judgments and runs
    recompute: Callable[[Dataset], Recomputed]
    files: Mapping[str, str] = field(default_factory=dict)  # such a file -> what it holds and how to make it
    reasons: tuple[Reason, ...] = ()

    def stored(self) -> dict[str, str]:
        """Its name, by which it is found again."""
        return {"name": self.name}

    @staticmethod
    def restored(name: str) -> Entry:
        """The table or figure of that name."""
        return entries()[name]

    @property
    def exhibit(self) -> Exhibit:
        """What is printed."""
        return exhibit(self.name)

    def why(self, collection: str, key: Key) -> str:
        """The known reason for a difference."""
        words = {collection, *key}
        known = (reason.why for reason in self.reasons if words.issuperset(reason.words))
        return next(known, "the reason is not known")


@cache
def entries() -> Mapping[str, Entry]:
    """Every table and figure, by its name."""
    from irgauge.papers import (
        faggioli_ferro_2021,
        ferro_kim_sanderson_2019,
        ferro_sanderson_2019,
        jayasinghe_2014,
        voorhees_2017,
        which_test,
        zobel_rashidi_2020,
    )

    papers = (
        ferro_sanderson_2019,
        ferro_kim_sanderson_2019,
        voorhees_2017,
        zobel_rashidi_2020,
        jayasinghe_2014,
        faggioli_ferro_2021,
    )
    of_papers = [entry for paper in papers for entry in paper.ENTRIES]
    return {entry.name: entry for entry in (*of_papers, *jayasinghe_2014.LAB_ENTRIES, *which_test.ENTRIES)}


def named(names: list[str]) -> tuple[Entry, ...]:
    """The entries of these names; all of a paper if its name stands alone, all of all papers for no name."""
    chosen = [entry for name in names for entry in _one(name)] if names else list(entries().values())
    return tuple(dict.fromkeys(chosen))


def _one(name: str) -> list[Entry]:
    known = entries()
    matches = [entry for key, entry in known.items() if name in (key, key.partition("/")[0])]
    if not matches:
        papers = ", ".join(dict.fromkeys(key.partition("/")[0] for key in known))
        raise InputError(
            f"'{name}' is no table or figure; name a paper ({papers}) or one of its tables, such as {next(iter(known))}"
        )
    return matches


T = TypeVar("T")
_TREC = "past results and judgments at trec.nist.gov; runs need the password of the TREC participants' area"


@dataclass(frozen=True)
class CollectionSource:
    """A test collection."""

    key: str  # the name of its folder
    title: str
    corpus_size: int | None  # None: any, as of the lab's data; then those seen
    systems: int | None  # None: the paper does not say
    topics: int | None  # None: any
    obtain: str = _TREC


SOURCES: Mapping[str, CollectionSource] = {
    source.key: source
    for source in (
        CollectionSource("trec3", "TREC-3 ad hoc", 741_856, 40, 50),
        CollectionSource("trec6", "TREC-6 ad hoc", 556_077, 74, 50),
        CollectionSource("trec7", "TREC-7 ad hoc", 528_155, 103, 50),
        CollectionSource("trec8", "TREC-8 ad hoc", 528_155, 129, 50),
        CollectionSource("trec9", "TREC-9 web (WT10g)", 1_692_096, 104, 50),
        CollectionSource("trec10", "TREC-10 web (WT10g)", 1_692_096, 97, 50),
        CollectionSource("trec13", "TREC-13 terabyte (GOV2)", 25_205_179, 70, 49),
        CollectionSource("trec14", "TREC-14 terabyte (GOV2)", 25_205_179, 58, 50),
        CollectionSource("trec15", "TREC-15 terabyte (GOV2)", 25_205_179, 80, 50),
        CollectionSource("trec27", "TREC-27 common core (Washington Post)", 595_037, 72, 50),
        CollectionSource(
            "gov2-csi",
            "GOV2, topics 701-850: exhaustive search, and instances of topical sharding at each rate of sampling",
            25_205_179,
            None,
            149,
            "runs of Jayasinghe et al. 2014, from their authors; or make your own by topical sharding of GOV2",
        ),
        CollectionSource(
            "lab-csi",
            "The lab's own runs, of no paper's collection: exhaustive search, and instances of selective search at "
            "each rate of sampling",
            None,
            None,
            None,
            "`irgauge lab selective` makes them from any text, `make lab` from generated text",
        ),
    )
}


@dataclass(frozen=True, eq=False)
class Dataset:
    """The folder of a test collection: `qrels` and `runs`, and beside them what some tables need."""

    source: CollectionSource
    folder: Path
    seed: int = 0
    workers: int | None = None
    others: Mapping[str, Dataset] = field(default_factory=dict, repr=False)  # by their keys
    _made: dict[str, Any] = field(default_factory=dict, repr=False)

    @cached_property
    def collection(self) -> Collection:
        """All runs of the track."""
        return self.read("runs")

    @cached_property
    def bench(self) -> Bench:
        """All runs of the track, of which each measure is scored once on the whole corpus and once on each split."""
        return Bench(self.collection, workers=self.workers)

    def read(self, runs: str) -> Collection:
        """The runs of a folder with the judgments, ordered by 32-bit scores as the papers' trec_eval did."""
        return load(
            self.path("qrels"),
            self.path(runs),
            precision="single",
            corpus_size=self.source.corpus_size,
            workers=self.workers,
            warn=False,
        )

    def beside(self, key: str) -> Dataset:
        """Another test collection, in the folder beside this one."""
        place = self.folder.parent / key
        made = self.once(key, lambda: Dataset(SOURCES[key], place, self.seed, self.workers))
        return self.others.get(key, made)

    def has(self, name: str) -> bool:
        """Whether the file or folder is there."""
        return found_in(self.folder, name) is not None

    def path(self, name: str) -> Path:
        """Where the file or folder is, compressed or not."""
        return needed_in(self.folder, name)

    def once(self, name: str, make: Callable[[], T]) -> T:
        """What several tables share, made on first use."""
        if name not in self._made:
            self._made[name] = make()
        return self._made[name]

    @property
    def is_read(self) -> bool:
        """Whether the runs of the track were needed."""
        return "collection" in vars(self)

    def unexpected(self) -> str | None:
        """How the data differ from those of the papers, in numbers of systems and topics."""
        systems, topics = len(self.collection.systems), len(self.collection.topics)
        expected, printed = self.source.systems or systems, self.source.topics or topics
        if (systems, topics) == (expected, printed):
            return None
        return (
            f"{self.source.key} has {systems} systems on {topics} topics, the papers' has {expected} on "
            f"{printed}: values may differ for that reason alone"
        )
