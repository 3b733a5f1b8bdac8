"""Facts of runs and judgments, among them those that only a file shows: scores in the order of its lines."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from hashlib import sha256

import numpy as np

from irgauge.arrays import Floats, Ints
from irgauge.jit import kernel
from irgauge.reading.collection import Collection
from irgauge.reading.parts import Reader
from irgauge.reading.trec import Run
from irgauge.scoring.scores import score


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
    all_tied: int  # topics whose scores are all tied
    rising: int  # topics whose scores rise down the file


@dataclass(frozen=True)
class FileFacts:
    """What only the file of a run shows."""

    tied: float
    all_tied: int
    rising: int


def watched(reader: Reader, files: dict[str, FileFacts]) -> Run:
    """Read a run and note what its file shows."""
    run = reader()
    tied, all_tied, rising = _look_at_scores(run.scores, run.bounds)
    files[run.path] = FileFacts(tied / len(run.scores), all_tied, rising)
    return run


@kernel
def _look_at_scores(scores: Floats, bounds: Ints) -> tuple[int, int, int]:
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


def run_facts(collection: Collection, files: Mapping[str, FileFacts]) -> Iterator[RunFacts]:
    """What each run looks like."""
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
            all_tied=files[path].all_tied,
            rising=files[path].rising,
        )


def twins(collection: Collection) -> Iterator[tuple[str, str]]:
    """Runs that rank the same documents in the same order on every topic: the first of them, and another."""
    first_with: dict[tuple[bytes, ...], str] = {}
    for s, system in enumerate(collection.systems):
        lists = zip(collection.firsts[:, s].tolist(), collection.lengths[:, s].tolist(), strict=True)
        key = tuple(sha256(collection.docs[first : first + size].tobytes()).digest() for first, size in lists)
        if (other := first_with.setdefault(key, system)) != system:
            yield other, system
