"""The shard study of Ferro and Sanderson (2019): 7 numbers of shards, 10 resamples, 5 models, from files."""

from __future__ import annotations

from collections.abc import Iterator

from benchmarks.clock import irgauge, run_process
from benchmarks.data import Data
from benchmarks.figures import Figure

_OPTIONS = ("-m", "AP", "--quiet", "--test", "tukey", "--population", "documents")


def run(data: Data, rounds: int = 2) -> Iterator[Figure]:
    """The whole study, reading included."""
    study = irgauge("robustness", *data.files, *_OPTIONS)
    run_process(study)  # fills the cache of compiled code
    took = min((run_process(study) for _ in range(rounds)), key=lambda usage: usage.seconds)
    yield Figure("robustness, 7 numbers of shards, 10 splits, 5 models", took.seconds, "s")
    yield Figure("memory of robustness", took.megabytes, "MiB")
