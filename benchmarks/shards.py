"""The shard study of Ferro and Sanderson (2019): 7 numbers of shards, 10 resamples, 5 models, from files."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path

from benchmarks.clock import best_of, run_process
from benchmarks.data import Data


def robustness_study(data: Data, rounds: int = 2) -> None:
    """The whole study, reading included, against trec_eval scoring the runs once."""
    executable = str(Path(sys.executable).with_name("irgauge"))
    study = [executable, "robustness", str(data.qrels), *map(str, data.runs), "-m", "AP", "--quiet"]
    usage = run_process(study)  # fills the cache of compiled code
    peers = {"the study": lambda: run_process(study)}
    trec_eval = os.environ.get("TREC_EVAL") or shutil.which("trec_eval")
    if trec_eval:
        command = [trec_eval, "-q", "-c", "-m", "map", str(data.qrels)]
        peers["trec_eval, once"] = lambda: [run_process([*command, str(run)]) for run in data.runs][-1]
    times = best_of(peers, rounds)
    print(f"\n7 numbers of shards, 10 resamples, 5 models, AP, reading included (best of {rounds}):")
    for name, seconds in times.items():
        print(f"  {name:<16} {seconds:7.2f} s   {seconds / times['the study']:6.2f} times ours")
    print(f"  peak memory of the study: {usage.megabytes:.0f} MiB")
