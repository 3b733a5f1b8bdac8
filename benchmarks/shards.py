"""The shard study of Ferro and Sanderson (2019): 7 numbers of shards, 10 resamples, 5 models, from files."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

from benchmarks.clock import best_of, run_process
from benchmarks.data import Data
from benchmarks.peer_trec_eval import trec_eval


def robustness_study(data: Data, rounds: int = 2) -> None:
    """The whole study, reading included, against trec_eval scoring the runs once."""
    executable = str(Path(sys.executable).with_name("irgauge"))
    tukey = ["--test", "tukey", "--population", "documents"]
    study = [executable, "robustness", str(data.qrels), *map(str, data.runs), "-m", "AP", "--quiet", *tukey]
    usage = run_process(study)  # fills the cache of compiled code
    peers: dict[str, Callable[[], object]] = {"the study": lambda: run_process(study)}
    if once := trec_eval(data, ["map"]):
        peers["trec_eval, once"] = once
    times = best_of(peers, rounds)
    print(f"\n7 numbers of shards, 10 resamples, 5 models, AP, reading included (best of {rounds}):")
    for name, seconds in times.items():
        print(f"  {name:<16} {seconds:7.2f} s   {seconds / times['the study']:6.2f} times ours")
    print(f"  peak memory of the study: {usage.megabytes:.0f} MiB")
