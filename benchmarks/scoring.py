"""Scoring all runs of a track: whole processes from files, and the scoring alone."""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import pytrec_eval

import irgauge
from benchmarks.clock import best_of, run_process
from benchmarks.clock import irgauge as command
from benchmarks.data import Data
from benchmarks.figures import Figure, times
from benchmarks.peer_pytrec_eval import MEASURES

OURS = ("AP", "P@10", "nDCG", "RR", "Rprec")
_OPTIONS = ("--quiet", *(word for measure in OURS for word in ("-m", measure)))


def run(data: Data) -> Iterator[Figure]:
    """From files, as processes."""
    yield from _processes(data, "from files", 3)
    yield Figure("memory of score", run_process(command("score", *data.files, *_OPTIONS)).megabytes, "MiB")
    with tempfile.TemporaryDirectory() as folder:
        yield from _processes(_many_topics(Path(folder)), "300,000 topics of one document", 2)


def _processes(data: Data, what: str, rounds: int) -> Iterator[Figure]:
    """One irgauge process against one pytrec_eval process."""
    score = command("score", *data.files, *_OPTIONS)
    run_process(score)  # fills the cache of compiled code
    peer = [sys.executable, "-m", "benchmarks.peer_pytrec_eval", *data.files]
    yield from _figures({"score": lambda: run_process(score), "pytrec_eval": lambda: run_process(peer)}, what, rounds)


def _figures(peers: Mapping[str, Callable[[], object]], what: str, rounds: int, unit: str = "s") -> Iterator[Figure]:
    """The seconds of each, and how many times ours the others are."""
    seconds = best_of(peers, rounds)
    scale = {"s": 1, "ms": 1000}[unit]
    figures = {name: Figure(f"{name} {what}", scale * seconds[name], unit) for name in peers}
    yield from figures.values()
    for name in peers:
        if name != "score":
            yield times(f"{name} {what} over score", figures[name], figures["score"])


def _many_topics(folder: Path, topics: int = 300_000) -> Data:
    """Topics are many and lists are short."""
    qrels, run = folder / "many.qrels", folder / "many.run"
    qrels.write_text("".join(f"{topic} 0 d{topic % 5000} 1\n" for topic in range(topics)))
    run.write_text("".join(f"{topic} Q0 d{(topic + topic % 3) % 5000} 1 0.5 run\n" for topic in range(topics)))
    return Data("many topics", qrels, (run,))


def alone(data: Data, rounds: int = 2) -> Iterator[Figure]:
    """A collection in memory against pytrec_eval on ready-made dicts, and others on ready-made objects."""
    collection = irgauge.load(data.qrels, list(data.runs))
    with data.qrels.open() as lines:
        evaluator = pytrec_eval.RelevanceEvaluator(pytrec_eval.parse_qrel(lines), MEASURES)
    runs = [_parsed(run) for run in data.runs]
    peers: dict[str, Callable[[], object]] = {
        "score": lambda: irgauge.score(collection, OURS),
        "pytrec_eval": lambda: [evaluator.evaluate(run) for run in runs],
        "ir_measures": _ir_measures(data, runs),
        "ranx": _ranx(data, runs),
    }
    peers["score"]()  # compiles what is compiled on first use, as ranx does in the first of its rounds
    yield from _figures(peers, "in memory", rounds, "ms")


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
