"""The test collections of the papers: what each is, how to get it, and how its folder is laid out."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, TypeVar

from irgauge.files.opening import found_in, needed_in
from irgauge.reading.collection import Collection, load
from irgauge.replicates.measured import Bench

T = TypeVar("T")
_TREC = "past results and judgments at trec.nist.gov; runs need the password of the TREC participants' area"


@dataclass(frozen=True)
class Source:
    """A test collection."""

    key: str  # the name of its folder
    title: str
    corpus_size: int | None  # None: any, as of the lab's data; then those seen
    systems: int | None  # None: the paper does not say
    topics: int | None  # None: any
    obtain: str = _TREC


SOURCES: Mapping[str, Source] = {
    source.key: source
    for source in (
        Source("trec3", "TREC-3 ad hoc", 741_856, 40, 50),
        Source("trec6", "TREC-6 ad hoc", 556_077, 74, 50),
        Source("trec7", "TREC-7 ad hoc", 528_155, 103, 50),
        Source("trec8", "TREC-8 ad hoc", 528_155, 129, 50),
        Source("trec9", "TREC-9 web (WT10g)", 1_692_096, 104, 50),
        Source("trec10", "TREC-10 web (WT10g)", 1_692_096, 97, 50),
        Source("trec13", "TREC-13 terabyte (GOV2)", 25_205_179, 70, 49),
        Source("trec14", "TREC-14 terabyte (GOV2)", 25_205_179, 58, 50),
        Source("trec15", "TREC-15 terabyte (GOV2)", 25_205_179, 80, 50),
        Source("trec27", "TREC-27 common core (Washington Post)", 595_037, 72, 50),
        Source(
            "gov2-csi",
            "GOV2, topics 701-850: exhaustive search, and instances of topical sharding at each rate of sampling",
            25_205_179,
            None,
            149,
            "runs of Jayasinghe et al. 2014, from their authors; or make your own by topical sharding of GOV2",
        ),
        Source(
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

    source: Source
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
