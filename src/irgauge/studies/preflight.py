"""Can these data be used? What a careful colleague would point out before any statistic."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from hashlib import sha256
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from irgauge.errors import InputError
from irgauge.jit import kernel
from irgauge.reading.collection import Collection, Precision, Progress, Reader, join
from irgauge.reading.trec import Qrels, Run
from irgauge.scoring.scores import score

FEW_RELEVANT = 5
FEW_TOPICS = 25
LITTLE_JUDGED = 0.5
MANY_TIES = 0.1
SHALLOW = 0.5
SHOWN = 5  # names in a message; `about` holds them all

Severity = Literal["error", "warning", "note"]


@dataclass(frozen=True)
class Finding:
    """One thing to know: an error makes the data unusable, a warning needs a look, a note is good to know."""

    severity: Severity
    about: tuple[str, ...]  # systems, or the path of a file, or "qrels"
    message: str


@dataclass(frozen=True)
class RunFacts:
    """What one run looks like."""

    system: str
    path: str
    topics: int
    missing: int
    depth: int  # median length of its lists
    shallowest: int
    judged_10: float
    judged_100: float
    tied: float  # share of documents that share their score with another one of their list
    rising: int  # topics whose scores rise down the file


@dataclass(frozen=True)
class Preflight:
    """The preflight report."""

    topics: int
    systems: int
    documents: int
    judgments: int
    grades: tuple[int, ...]
    relevant: int
    relevant_median: float
    few_relevant: tuple[str, ...]  # topics with fewer than FEW_RELEVANT relevant documents
    runs: tuple[RunFacts, ...]
    findings: tuple[Finding, ...]

    @property
    def usable(self) -> bool:
        """Whether there is no error among the findings."""
        return all(finding.severity != "error" for finding in self.findings)


def check(
    qrels: Qrels,
    readers: Sequence[Reader],
    *,
    precision: Precision = "double",
    workers: int | None = None,
    progress: Progress | None = None,
) -> Preflight:
    """Look at judgments and runs, going on past runs that cannot be used."""
    failures: list[InputError] = []
    _, found = _join(qrels, readers, precision=precision, workers=workers, progress=progress, failures=failures)
    errors = [Finding("error", (error.path or "",), str(error)) for error in failures]
    return replace(found, findings=(*errors, *found.findings))


def load_checked(
    qrels: Qrels,
    readers: Sequence[Reader],
    *,
    precision: Precision = "double",
    corpus_size: int | None = None,
    workers: int | None = None,
    progress: Progress | None = None,
) -> tuple[Collection, Preflight]:
    """The collection, and what is to be said of it, of one reading; a run that cannot be used is an error."""
    return _join(qrels, readers, precision=precision, corpus_size=corpus_size, workers=workers, progress=progress)


def _join(qrels: Qrels, readers: Sequence[Reader], **options: Any) -> tuple[Collection, Preflight]:  # noqa: ANN401  # of join
    """Join what is read, and look at it."""
    files: dict[str, _FileFacts] = {}
    collection = join(qrels, [partial(_watch, reader, files) for reader in readers], **options)
    return collection, _look(collection, files)


def _look(collection: Collection, files: dict[str, _FileFacts]) -> Preflight:
    relevant = collection.relevant_counts()
    runs = tuple(_run_facts(collection, files))
    return Preflight(
        topics=len(collection.topics),
        systems=len(collection.systems),
        documents=collection.document_count,
        judgments=len(collection.judged_docs),
        grades=tuple(np.unique(collection.grades).tolist()),
        relevant=int(relevant.sum()),
        relevant_median=float(np.median(relevant)),
        few_relevant=tuple(collection.topics[t] for t in np.flatnonzero(relevant < FEW_RELEVANT)),
        runs=runs,
        findings=tuple(_findings(collection, runs, files)),
    )


@dataclass(frozen=True)
class _FileFacts:
    """What only the run file shows: scores in the order of its lines."""

    tied: float
    all_tied: int
    rising: int


def _watch(reader: Reader, files: dict[str, _FileFacts]) -> Run:
    """Read a run and note what its file shows."""
    run = reader()
    tied, all_tied, rising = _look_at_scores(run.scores, run.bounds)
    files[run.path] = _FileFacts(tied / len(run.scores), all_tied, rising)
    return run


@kernel
def _look_at_scores(scores: NDArray[np.float64], bounds: NDArray[np.int64]) -> tuple[int, int, int]:
    """Documents with a tied score, lists whose scores are all tied, and lists whose scores rise down the file."""
    tied, all_tied, rising = 0, 0, 0
    for i in range(len(bounds) - 1):
        given = scores[bounds[i] : bounds[i + 1]]
        rising += given[-1] > given[0]
        ordered = np.sort(given)
        all_tied += len(ordered) > 1 and ordered[0] == ordered[-1]
        for j in range(len(ordered)):
            above = j + 1 < len(ordered) and ordered[j + 1] == ordered[j]
            tied += above or (j > 0 and ordered[j - 1] == ordered[j])
    return tied, all_tied, rising


def _run_facts(collection: Collection, files: dict[str, _FileFacts]) -> Iterator[RunFacts]:
    judged = score(collection, ["Judged@10", "Judged@100"]).values[..., 0]  # measure, topic, system
    for s, (system, path) in enumerate(zip(collection.systems, collection.origins, strict=True)):
        present = collection.lengths[:, s] > 0
        lengths = collection.lengths[present, s]
        yield RunFacts(
            system=system,
            path=path,
            topics=int(present.sum()),
            missing=int((~present).sum()),
            depth=int(np.median(lengths)),
            shallowest=int(lengths.min()),
            judged_10=float(judged[0, present, s].mean()),
            judged_100=float(judged[1, present, s].mean()),
            tied=files[path].tied,
            rising=files[path].rising,
        )


def _findings(collection: Collection, runs: Sequence[RunFacts], files: dict[str, _FileFacts]) -> Iterator[Finding]:
    yield from _about_topics(collection)
    for note in collection.notes:
        about = note.partition(":")[0]
        yield Finding("warning", (about if about in collection.systems else "qrels",), note)
    yield from _about_runs(runs, files)
    yield from _twins(collection)


def _about_topics(collection: Collection) -> Iterator[Finding]:
    few = [collection.topics[t] for t in np.flatnonzero(collection.relevant_counts() < FEW_RELEVANT)]
    if len(collection.topics) < FEW_TOPICS:
        count = len(collection.topics)
        message = (
            f"only {count} topic{'s' * (count != 1)}; differences must be large to show on fewer than {FEW_TOPICS}"
        )
        yield Finding("warning", ("qrels",), message)
    if few:
        message = f"topics with fewer than {FEW_RELEVANT} relevant documents, where scores jump: {_some(few)}"
        yield Finding("note", ("qrels",), message)
    if (collection.grades < 0).any():
        message = "grades below 0: documents of the pool that were not judged, for infAP and xinfAP"
        yield Finding("note", ("qrels",), message)


def _about_runs(runs: Sequence[RunFacts], files: dict[str, _FileFacts]) -> Iterator[Finding]:
    """One finding for each kind of oddity, with the runs that show it."""
    rising = {run.system: f"{run.rising} topics" for run in runs if run.rising > run.topics / 2}
    if rising:
        message = "scores that rise down the file; are they distances? Higher is better here"
        yield _runs_with("warning", message, rising)
    flat = {run.system: f"{files[run.path].all_tied} topics" for run in runs if files[run.path].all_tied}
    if flat:
        yield _runs_with("warning", "topics whose scores are all tied, which leaves the order to the docnos", flat)
    tied = {run.system: f"{run.tied:.0%}" for run in runs if run.tied > MANY_TIES}
    if tied:
        message = f"more than {MANY_TIES:.0%} of documents with a tied score; docnos decide their order"
        yield _runs_with("note", message, tied)
    little = {run.system: f"{run.judged_10:.0%}" for run in runs if run.judged_10 < LITTLE_JUDGED}
    if little:
        message = f"less than {LITTLE_JUDGED:.0%} of the top 10 judged; their scores are lower bounds"
        yield _runs_with("warning", message, little)
    deepest = max(run.depth for run in runs)
    shallow = {run.system: f"depth {run.depth}" for run in runs if run.depth < SHALLOW * deepest}
    if shallow:
        message = f"less than {SHALLOW:.0%} of the depth of the deepest run ({deepest}); measures with recall suffer"
        yield _runs_with("note", message, shallow)


def _runs_with(severity: Severity, message: str, values: dict[str, str]) -> Finding:
    shown = _some([f"{system} ({value})" for system, value in values.items()])
    return Finding(severity, tuple(values), f"{message}: {shown}")


def _some(names: Sequence[str]) -> str:
    """The first names, and how many more there are."""
    shown = ", ".join(names[:SHOWN])
    return shown + (f" and {len(names) - SHOWN} more" if len(names) > SHOWN else "")


def _twins(collection: Collection) -> Iterator[Finding]:
    """Runs that rank the same documents in the same order on every topic."""
    first_with: dict[tuple[bytes, ...], str] = {}
    for s, system in enumerate(collection.systems):
        lists = zip(collection.firsts[:, s].tolist(), collection.lengths[:, s].tolist(), strict=True)
        key = tuple(sha256(collection.docs[first : first + size].tobytes()).digest() for first, size in lists)
        if (other := first_with.setdefault(key, system)) != system:
            message = f"{system} ranks the same documents in the same order as {other}"
            yield Finding("warning", (other, system), message)
