"""Whole pages as processes, reading included: the report, and the reproduction of the papers' tables."""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

from benchmarks.clock import best_of, run_process
from benchmarks.data import Data
from benchmarks.peer_trec_eval import NOT_FOUND, trec_eval

_CORPUS = 528_155  # documents of TREC-8


def run(data: Data, rounds: int = 2) -> None:
    """Each page against trec_eval scoring the runs once."""
    irgauge = str(Path(sys.executable).with_name("irgauge"))
    with tempfile.TemporaryDirectory() as folder:
        files = [str(data.qrels), *map(str, data.runs), "--corpus-size", str(_CORPUS)]
        pages = {"report": [irgauge, "report", *files, "-m", "AP", "-m", "nDCG@10", "-o", f"{folder}/report.html"]}
        if trec8 := os.environ.get("IRGAUGE_TREC8"):
            pages["reproduction"] = [irgauge, "reproduce", "--data", trec8, "-o", f"{folder}/reproduction.html"]
        for command in pages.values():
            run_process([*command, "--quiet"])  # fills the cache of compiled code
        peers: dict[str, Callable[[], object]] = {
            name: lambda command=command: run_process([*command, "--quiet"])  # type: ignore[misc]  # a default
            for name, command in pages.items()
        }
        once = trec_eval(data, ["map"])
        times = best_of(peers | ({"trec_eval, once": once} if once else {}), rounds)
    print(f"\nwhole pages of {data.name}, reading included (best of {rounds}):")
    for name, seconds in times.items():
        ratio = f"{seconds / times['trec_eval, once']:6.2f} times trec_eval" if once else NOT_FOUND
        print(f"  {name:<16} {seconds:7.2f} s   {ratio}")
