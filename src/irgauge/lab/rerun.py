"""Restricting a run to a shard, or running its system on the shard alone: how far the scores agree.

Studies of shards restrict runs, and search nothing again. A system that is run on a shard has the shard's statistics of
terms, and other documents for its feedback. Sanderson et al. found a correlation of 0.995 between AP of the two, for
nine systems on parts of TREC-8 (Voorhees et al. 2017, section 2.1).
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Annotated, NamedTuple

import numpy as np
from numpy.typing import NDArray

from irgauge.compute.arrays import Floats
from irgauge.compute.tasks import counting, in_threads
from irgauge.errors import InputError
from irgauge.files.writing import filling
from irgauge.inference.orders import kendall_tau
from irgauge.lab.index import Index
from irgauge.lab.ranking import RankedList, first
from irgauge.lab.running import listed, run_all, search, systems_by_analyser, write_run
from irgauge.lab.systems import MODEL_GRID, System, systems_of
from irgauge.lab.texts import Topic
from irgauge.options.fields import Help
from irgauge.options.progress import Progress
from irgauge.reading.collection import Collection, load
from irgauge.reading.formats import read_qrels
from irgauge.reading.options import WORKERS
from irgauge.reading.tables.text import write_table
from irgauge.scoring.drawn import Shards
from irgauge.scoring.measures import Measure, parse_measures
from irgauge.scoring.scores import Scores, score
from irgauge.show.table import Column, Record, Table
from irgauge.studies.shared_options import MEASURES

RESTRICTED, RERUN = "restricted", "rerun"  # the folders of runs
ALL = "all systems"


@dataclass(frozen=True, kw_only=True)
class RerunOptions:
    """What is run, and how it is scored."""

    measures: Annotated[Sequence[str | Measure] | str | Measure, MEASURES] = ("AP",)
    systems: Annotated[str, Help("Systems, as lab run takes them.", metavar="GRID")] = MODEL_GRID
    depth: Annotated[
        int, Help("Documents of each list at most: on the whole corpus, and on each shard.", least=1, most=10_000_000)
    ] = 1000
    workers: Annotated[int | None, WORKERS] = None
    progress: Progress | None = None  # is told how many systems are run on all shards; from Python only


class Agreement(NamedTuple):
    """How far two scorings agree."""

    scores: int  # that are defined
    restricted: float  # their mean
    rerun: float
    r: float  # Pearson's, over topics and shards, and over systems where there are several
    r_of_means: float  # the same of the means over topics; NaN for one system
    tau: float  # Kendall's, of the order of systems on a shard, its mean over shards; NaN for one system


@dataclass(frozen=True, eq=False)
class Rerun:
    """Scores on each shard: of runs that are restricted to it, and of systems that are run on it alone."""

    restricted: Scores
    rerun: Scores
    unmatched: tuple[str, ...]  # topics for which some system finds nothing

    def agreement(self, measure: int = 0, system: int | None = None) -> Agreement:
        """By one measure, of one system or of all."""
        chosen = slice(None) if system is None else slice(system, system + 1)
        restricted, rerun = (scores.values[measure][:, chosen] for scores in (self.restricted, self.rerun))
        defined = np.isfinite(restricted)  # topic, system, shard: the same for both
        means = [_means(values) for values in (restricted, rerun)]  # system, shard
        return Agreement(
            scores=int(defined.sum()),
            restricted=float(restricted[defined].mean()),
            rerun=float(rerun[defined].mean()),
            r=pearson(restricted[defined], rerun[defined]),
            r_of_means=pearson(*(values[np.isfinite(values)] for values in means)) if len(means[0]) > 1 else np.nan,
            tau=_mean_tau(*means),
        )

    def rows(self) -> Iterator[Record]:
        """All systems, then each of them, by each measure."""
        for measure, parsed in enumerate(self.restricted.measures):
            for number, name in [(None, ALL), *enumerate(self.restricted.systems)]:
                yield {"measure": str(parsed), "system": name} | self.agreement(measure, number)._asdict()

    def table(self) -> Table:
        """How far the two agree, of all systems and of each."""
        shards = len(self.restricted.replicates)
        title = f"Runs restricted to a shard, and systems run on it alone, on {shards} shards"
        return Table.of("rerun", title, self.rows(), _COLUMNS, group_by="measure", is_main=True)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the table of all scores: `measure, topic, system, replicate, restricted, rerun`."""
        frame = self.restricted.frame().rename({"score": RESTRICTED})
        write_table(path, frame.with_columns(self.rerun.frame()["score"].alias(RERUN)))


_COLUMNS = (
    Column("measure"),
    Column("system", role="system"),
    Column("scores", explained="of topics that have relevant documents in a shard"),
    Column("restricted", explained="the mean score of runs that are restricted to shards"),
    Column("rerun", explained="that of systems run on each shard alone"),
    Column("r", explained="Pearson's correlation of the two scores of a system on a topic and a shard"),
    Column("r_of_means", "r of means", explained="that of the means over topics of systems on shards"),
    Column("tau", "τ", explained="Kendall's, of the two orders of systems on a shard; the mean over shards"),
)


def pearson(x: Floats, y: Floats) -> float:
    """Pearson's correlation; NaN where one side does not vary.

    >>> round(pearson(np.array([1.0, 2.0, 4.0]), np.array([1.0, 3.0, 4.0])), 4)
    0.9286
    """
    if len(x) < 2:
        return float("nan")
    from_x, from_y = x - x.mean(), y - y.mean()
    size = np.sqrt((from_x @ from_x) * (from_y @ from_y))
    return float(from_x @ from_y / size) if size > 0 else float("nan")


def _means(values: Floats) -> Floats:
    """The mean over the topics that are defined, NaN where none is: system, shard."""
    defined = np.isfinite(values)
    counts = defined.sum(axis=0)
    sums = np.where(defined, values, 0).sum(axis=0)
    return np.divide(sums, counts, out=np.full(counts.shape, np.nan), where=counts > 0)


def _mean_tau(restricted: Floats, rerun: Floats) -> float:
    """Kendall's τ of the order of systems on each shard, where it is defined, and its mean."""
    taus = [kendall_tau(*means) for means in zip(restricted.T, rerun.T, strict=True) if np.isfinite(means[0]).all()]
    defined = [tau for tau in taus if np.isfinite(tau)]
    return float(np.mean(defined)) if defined else float("nan")


def write_rerun(
    folder: str | os.PathLike[str],
    index: Index,
    topics: Sequence[Topic],
    qrels: str | os.PathLike[str],
    shards: Shards,
    options: RerunOptions,
) -> Rerun:
    """Write restricted/, the runs on the whole corpus, rerun/, those on every shard alone, and scores.csv.

    A run of rerun/ holds the lists of all shards. Restricted to one of them it is the list that was found there.
    """
    measures = parse_measures(options.measures)
    systems, judged = systems_of(options.systems), _judgments(index, topics, qrels)
    with filling(folder) as made:
        unmatched = run_all(made / RESTRICTED, index, topics, systems, options.depth, workers=options.workers)
        _run_on_shards(made / RERUN, index, topics, systems, shards, options)
        scored = partial(_scores, judged, index, shards, measures, options.workers)
        compared = Rerun(scored(made / RESTRICTED), scored(made / RERUN), tuple(unmatched))
        compared.save(made / "scores.csv")
    return compared


def _judgments(index: Index, topics: Iterable[Topic], path: str | os.PathLike[str]) -> dict[str, dict[str, int]]:
    """The grades of documents that the index has, for the topics that are searched."""
    indexed, qrels = set(index.docnos), read_qrels(path)
    judged: dict[str, dict[str, int]] = {topic.id: {} for topic in topics}
    for row, grade in enumerate(qrels.grades.tolist()):
        topic, docno = qrels.topic(row), qrels.docno(row)
        if topic in judged and docno in indexed:
            judged[topic][docno] = grade
    relevant = {topic: grades for topic, grades in judged.items() if max(grades.values(), default=0) > 0}
    if not relevant:
        message = "no document of the index is relevant to any of the topics"
        raise InputError(f"{message}; are these the judgments of these documents and topics?", path=str(path))
    return relevant


def _run_on_shards(
    folder: Path,
    index: Index,
    topics: Sequence[Topic],
    systems: Sequence[System],
    shards: Shards,
    options: RerunOptions,
) -> None:
    folder.mkdir()
    tell = counting(options.progress, len(systems))
    for analyser, alike in systems_by_analyser(index, systems).items():
        analysed = index.analysed(analyser)
        parts = list(parts_of(analysed, shards))
        for system in alike:
            rerun = partial(_on_shards, parts, system, options.depth)
            rankings = in_threads(rerun, topics, options.workers)
            write_run(folder / f"{system}.run", str(system), listed(analysed, topics, rankings))
            tell(system)


@dataclass(frozen=True, eq=False)
class Part:
    """The documents of a shard, by their numbers in the whole index, and an index of them alone."""

    documents: NDArray[np.int64]
    index: Index


def parts_of(index: Index, shards: Shards) -> Iterator[Part]:
    """The shards that have documents."""
    for number in range(len(shards.names)):
        documents = np.flatnonzero(shards.labels == number)
        if len(documents):
            yield Part(documents, index.part(documents))


def _on_shards(parts: Sequence[Part], system: System, depth: int, topic: Topic) -> RankedList:
    """What is found on each shard alone, in one list, by the numbers of the whole index."""
    rankings = [(part, search(part.index, topic.text, system, depth)) for part in parts]
    documents = np.concatenate([part.documents[ranking.documents] for part, ranking in rankings])
    return first(documents, np.concatenate([ranking.scores for _, ranking in rankings]), len(documents))


def _scores(
    judged: dict[str, dict[str, int]],
    index: Index,
    shards: Shards,
    measures: Sequence[Measure],
    workers: int | None,
    runs: Path,
) -> Scores:
    collection = load(judged, runs, warn=False)
    return score(collection, measures, _of_collection(collection, index, shards), workers=workers)


def _of_collection(collection: Collection, index: Index, shards: Shards) -> Shards:
    """The shards of a collection whose documents are all in the index."""
    label_of = dict(zip(index.docnos, shards.labels.tolist(), strict=True))
    labels = np.array([label_of[docno] for docno in collection.docnos.to_list()], np.int32)
    return Shards(labels, shards.names)
