"""Scoring all runs of a track: whole processes from files, and the scoring alone."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import pytrec_eval

import irgauge
from benchmarks.clock import best_of, run_process
from benchmarks.data import Data
from benchmarks.peer_pytrec_eval import MEASURES
from benchmarks.peer_trec_eval import NOT_FOUND, trec_eval

OURS = ("AP", "P@10", "nDCG", "RR", "Rprec")
_THEIRS = ("map", "P.10", "ndcg", "recip_rank", "Rprec")


def processes(data: Data, rounds: int = 3) -> None:
    """One irgauge process against trec_eval run by run, and against one pytrec_eval process."""
    score = [_executable(), "score", str(data.qrels), *map(str, data.runs), "--quiet"]
    for measure in OURS:
        score += ["-m", measure]
    run_process(score)  # fills the cache of compiled code
    peer = [sys.executable, "-m", "benchmarks.peer_pytrec_eval", str(data.qrels), *map(str, data.runs)]
    peers: dict[str, Callable[[], object]] = {
        "irgauge score": lambda: run_process(score),
        "pytrec_eval": lambda: run_process(peer),
    }
    once = trec_eval(data, _THEIRS)
    if once is not None:
        peers["trec_eval"] = once
    times = best_of(peers, rounds)
    print(f"\n{len(data.runs)} runs of {data.name} from files, five measures, as processes (best of {rounds}):")
    for name, seconds in times.items():
        print(f"  {name:<14} {seconds:7.2f} s   {seconds / times['irgauge score']:6.1f} times ours")
    if once is None:
        print(f"  {NOT_FOUND}")
    print(f"  irgauge's peak memory: {run_process(score).megabytes:.0f} MiB")


def many_topics(folder: Path, topics: int = 300_000, rounds: int = 3) -> None:
    """One irgauge process against one pytrec_eval process where topics are many and lists are short."""
    qrels, run = folder / "many.qrels", folder / "many.run"
    qrels.write_text("".join(f"{topic} 0 d{topic % 5000} 1\n" for topic in range(topics)))
    run.write_text("".join(f"{topic} Q0 d{(topic + topic % 3) % 5000} 1 0.5 run\n" for topic in range(topics)))
    score = [_executable(), "score", str(qrels), str(run), "--quiet", *(word for one in OURS for word in ("-m", one))]
    run_process(score)  # fills the cache of compiled code
    peers: dict[str, Callable[[], object]] = {
        "irgauge, 1 thread": lambda: run_process([*score, "--workers", "1"]),
        "irgauge": lambda: run_process(score),
        "pytrec_eval": lambda: run_process([sys.executable, "-m", "benchmarks.peer_pytrec_eval", str(qrels), str(run)]),
    }
    times = best_of(peers, rounds)
    print(f"\n{topics:,} topics of one document from files, five measures, as processes (best of {rounds}):")
    for name, seconds in times.items():
        print(f"  {name:<17} {seconds:7.2f} s   {seconds / times['irgauge']:6.1f} times ours")


def alone(data: Data, rounds: int = 5) -> None:
    """Scoring of a collection in memory against pytrec_eval on ready-made dicts."""
    collection = irgauge.load(data.qrels, list(data.runs))
    with data.qrels.open() as lines:
        evaluator = pytrec_eval.RelevanceEvaluator(pytrec_eval.parse_qrel(lines), MEASURES)
    runs = [_parsed(run) for run in data.runs]
    peers: dict[str, Callable[[], object]] = {
        "irgauge": lambda: irgauge.score(collection, OURS),
        "pytrec_eval": lambda: [evaluator.evaluate(run) for run in runs],
        "ir_measures": _ir_measures(data, runs),
        "ranx": _ranx(data, runs),
    }
    for peer in peers.values():
        peer()  # compiles what is compiled on first use
    times = best_of(peers, rounds)
    print(f"\nscoring alone, {len(runs)} runs in memory, five measures (best of {rounds}):")
    for name, seconds in times.items():
        print(f"  {name:<14} {seconds * 1000:7.1f} ms  {seconds / times['irgauge']:6.1f} times ours")


def _ir_measures(data: Data, runs: list[dict[str, dict[str, float]]]) -> Callable[[], object]:
    import ir_measures

    with data.qrels.open() as lines:
        evaluator = ir_measures.evaluator(
            [ir_measures.parse_measure(name) for name in OURS], pytrec_eval.parse_qrel(lines)
        )
    return lambda: [list(evaluator.iter_calc(run)) for run in runs]


def _ranx(data: Data, runs: list[dict[str, dict[str, float]]]) -> Callable[[], object]:
    import warnings

    import ranx

    warnings.filterwarnings("ignore", module="ranx")  # numba's, on ranx's casts
    with data.qrels.open() as lines:
        qrels = ranx.Qrels(dict(pytrec_eval.parse_qrel(lines)))
    metrics = ["map", "precision@10", "ndcg", "mrr", "r-precision"]
    ranx_runs = [ranx.Run(run) for run in runs]
    return lambda: [ranx.evaluate(qrels, run, metrics, make_comparable=True) for run in ranx_runs]


def _parsed(path: Path) -> dict[str, dict[str, float]]:
    with path.open() as lines:
        return dict(pytrec_eval.parse_run(lines))


def _executable() -> str:
    return str(Path(sys.executable).with_name("irgauge"))
