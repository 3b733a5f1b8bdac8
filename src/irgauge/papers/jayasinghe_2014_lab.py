"""What Jayasinghe et al. (SIGIR 2014) say, asked of the lab's own runs: of any text, not of the paper's collection."""

from __future__ import annotations

from collections.abc import Callable

from irgauge.papers import jayasinghe_2014
from irgauge.papers.entry import Entry, Reason, Recomputed
from irgauge.papers.sources import Dataset

PAPER = "jayasinghe-2014-lab"
DATA = "lab-csi"
_SHOWN = 25  # topics of Figure 1, the last of the paper's as well
_WHY = Reason(
    (DATA,),
    "the lab's data are another corpus, with other topics, another ranking and other shards: a rate in percent is "
    "another number of documents there",
)


def _last_topics(dataset: Dataset) -> Recomputed:
    return jayasinghe_2014.variance_on(dataset, dataset.collection.topics[-_SHOWN:])


def _entry(of_paper: Entry, recompute: Callable[[Dataset], Recomputed]) -> Entry:
    """An entry of the paper, on the lab's data."""
    which = of_paper.name.partition("/")[2]
    topics = jayasinghe_2014.TOPICS
    wording = of_paper.method.replace(f"topics {topics.start} to {topics.stop - 1}", f"the last {_SHOWN} topics")
    method = f"that of {of_paper.name}, on the lab's data: {wording}"
    return Entry(f"{PAPER}/{which}", method, {DATA: ("manifest",)}, recompute, files=of_paper.files, reasons=(_WHY,))


_TABLE_1, _FIGURE_1, _FIGURE_2 = jayasinghe_2014.ENTRIES

ENTRIES = (
    _entry(_TABLE_1, jayasinghe_2014.single_instances),
    _entry(_FIGURE_1, _last_topics),
    _entry(_FIGURE_2, jayasinghe_2014.hpd_intervals),
)
