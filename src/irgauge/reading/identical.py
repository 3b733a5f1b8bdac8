"""Documents with the id of their topic: where topics are documents themselves, BEIR leaves them out of runs."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from irgauge.arrays import Ints
from irgauge.reading.hashing import Hashes, hashes
from irgauge.reading.trec import Run


def identical_rows(run: Run, values: Hashes) -> Ints:
    """The rows whose docno is the name of their topic, given the hash of each docno."""
    names = [topic.encode() for topic in run.topics]
    stops = np.cumsum([len(name) for name in names])
    text = np.frombuffer(b"".join(names), np.uint8)
    of_topics = hashes(text.copy(), np.concatenate([[0], stops[:-1]]), stops)  # a copy, as kernels read such alone
    rows = np.flatnonzero(values == np.repeat(of_topics, np.diff(run.bounds)))
    return np.array([row for row in rows.tolist() if run.docno(row) == run.topic(row)], np.int64)


def without(run: Run, values: Hashes, rows: Ints) -> tuple[Run, Hashes]:
    """A run without some of its rows, and the hashes of the others; a topic that has no rows left is not in it."""
    kept = np.delete(np.arange(len(run.scores)), rows)
    sizes = np.diff(np.searchsorted(kept, run.bounds))
    there = np.flatnonzero(sizes)
    line_of = None if run.line_of is None else lambda row: run.line_of(int(kept[row]))  # type: ignore[misc]  # is not None
    left = replace(
        run,
        topics=tuple(run.topics[i] for i in there),
        bounds=np.concatenate([[0], np.cumsum(sizes[there])]),
        starts=run.starts[kept],
        stops=run.stops[kept],
        scores=run.scores[kept],
        line_of=line_of,
    )
    return left, values[kept]
