"""`irgauge calibrate` as a process, reading included: at a glance, and in full."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

from benchmarks.clock import best_of, run_process
from benchmarks.data import Data
from benchmarks.peer_trec_eval import NOT_FOUND, trec_eval


def run(data: Data, rounds: int = 1) -> None:
    """Against trec_eval and pytrec_eval scoring the runs once."""
    files = [str(data.qrels), *map(str, data.runs)]
    command = [str(Path(sys.executable).with_name("irgauge")), "calibrate", *files, "-m", "AP", "--quiet"]
    run_process([*command, "--quick", "--trials", "2"])  # fills the cache of compiled code
    once = trec_eval(data, ["map"])
    peers: dict[str, Callable[[], object]] = {
        "pytrec_eval, once": lambda: run_process([sys.executable, "-m", "benchmarks.peer_pytrec_eval", *files]),
        "calibrate --quick": lambda: run_process([*command, "--quick"]),
        "calibrate": lambda: run_process(command),
    }
    times = best_of(peers | ({"trec_eval, once": once} if once else {}), rounds)
    print(f"\ncalibration of {data.name}, reading included (best of {rounds}):")
    for name, seconds in times.items():
        ratios = [f"{seconds / times[peer]:6.2f} times {peer}" for peer in times if peer.endswith("once")]
        print(f"  {name:<20} {seconds:7.2f} s   {', '.join(ratios)}{'' if once else f' ({NOT_FOUND})'}")
