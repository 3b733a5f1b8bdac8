"""Images of the corpus: one image against rewriting the runs, the limit of memory traffic, and ten thousand images."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
import pytrec_eval
from numpy.typing import NDArray

import irgauge
from benchmarks.clock import best_of, run_process
from benchmarks.data import Data
from irgauge.replicates.images import draw_images
from irgauge.scoring.measures import parse_measures
from irgauge.scoring.scorer import Scorer

MEASURES = ("AP", "INSQ(T=5)", "nDCG@1000", "P@10", "RBP(p=0.95, rel=1)@1000", "RR")
_THEIRS = {"map", "ndcg_cut_1000", "P_10", "recip_rank"}  # pytrec_eval has neither INSQ nor RBP
_CORPUS = {"TREC-8": 528_155}  # documents; elsewhere those seen
_BATCH = 64  # images
_MANY = 10_000  # images
_FEW = 6  # runs that the peer rewrites
_LARGE = 1 << 29  # bytes, more than any cache holds
_ENTRY = 4 + 2  # bytes: the number and the level of the document at a rank

_CHILD = """
import sys
import irgauge
from irgauge.studies.bootstrap.study import bootstrap
corpus_size = int(sys.argv[1]) or None
collection = irgauge.load(sys.argv[3], sys.argv[4:], corpus_size=corpus_size)
bootstrap(collection, {measures}, images=int(sys.argv[2]))
"""

Qrels = Mapping[str, Mapping[str, int]]
Ranking = Mapping[str, Sequence[str]]  # topic: docnos, best first
Image = Mapping[str, int]  # docno: how often it appears


def run(data: Data, rounds: int = 5) -> None:
    """All of it; before the process grows, as a child's peak memory counts its parent's pages."""
    many_images(data)
    one_image(data, rounds)


def many_images(data: Data) -> None:
    """The whole study as a process: its time, and its peak memory, which hardly grows with images."""
    few, many = (_study(data, images) for images in (2 * _BATCH, _MANY))
    seconds = (many[0] - few[0]) / (_MANY - 2 * _BATCH)
    print(f"\nimages of {data.name}, {len(data.runs)} runs, {len(MEASURES)} measures, with moments of all differences:")
    print(f"  {2 * _BATCH:6} images {few[0]:8.1f} s, peak memory {few[1]:6.0f} MiB, reading included")
    print(f"  {_MANY:6} images {many[0]:8.1f} s, peak memory {many[1]:6.0f} MiB (asked: at most 2048)")
    print(f"  {1 / seconds:6.0f} images per second")


def _study(data: Data, images: int) -> tuple[float, float]:
    """Seconds and MiB of a process."""
    numbers = [str(_CORPUS.get(data.name, 0)), str(images)]
    code = _CHILD.format(measures=MEASURES)
    usage = run_process([sys.executable, "-c", code, *numbers, str(data.qrels), *map(str, data.runs)])
    return usage.seconds, usage.megabytes


def one_image(data: Data, rounds: int) -> None:
    """Drawing and scoring of an image against runs and qrels rewritten as dicts and scored by pytrec_eval."""
    collection = irgauge.load(data.qrels, list(data.runs), corpus_size=_CORPUS.get(data.name))
    scorer = Scorer(collection, parse_measures(MEASURES))
    with data.qrels.open() as lines:
        qrels = pytrec_eval.parse_qrel(lines)
    rankings = [_ranking(path) for path in data.runs[:: -(-len(data.runs) // _FEW)]]
    drawn = draw_images(collection, _BATCH, seed=1)
    held = scorer.documents
    image = dict(zip(collection.docnos, drawn.weights[:, 0].tolist(), strict=True))
    evaluator = _evaluator(qrels, image)
    scorer.score(drawn)  # compiles what is compiled on first use
    times = best_of(
        {
            "drawing": lambda: draw_images(collection, _BATCH, seed=1, documents=held),
            "scoring": lambda: scorer.score(drawn),
            "both": lambda: scorer.score(draw_images(collection, _BATCH, seed=1, documents=held)),
            "one thread": lambda: scorer.score(drawn, workers=1),
            "qrels": lambda: _evaluator(qrels, image),
            "runs": lambda: [evaluator.evaluate(_amended(ranking, image)) for ranking in rankings],
        },
        rounds,
    )
    ours, theirs = times["both"] / _BATCH, times["qrels"] + times["runs"] * len(data.runs) / len(rankings)
    shown = f"{len(data.runs)} runs, {len(collection.topics)} topics (best of {rounds})"
    print(f"\none image of {data.name}, {shown}:")
    print(f"  amended dicts, pytrec_eval  {theirs:9.3f} s   four of the measures, without INSQ and RBP;")
    print(
        f"                                            of {len(rankings)} runs, times {len(data.runs)} / {len(rankings)}"
    )
    print(f"  irgauge, drawing included   {ours:9.6f} s   six measures; {theirs / ours:.0f} times faster (asked: 2500)")
    for part in ("drawing", "scoring"):
        print(f"    {part:<10} {times[part] / _BATCH * 1000:7.3f} ms")
    _limit(times["one thread"] / _BATCH, int(collection.lengths.sum()))


def _limit(seconds: float, entries: int) -> None:
    """The time of an entry of a list in an image, against what its bytes take at the speed of memory."""
    bandwidth = _bandwidth()
    entry, moved = seconds / entries * 1e9, 1 + _ENTRY / _BATCH
    least = moved / bandwidth * 1e9
    print(f"  an entry of a list in an image takes one thread {entry:.3f} ns; it moves {moved:.2f} bytes, a weight and")
    print(f"    its share of document and level, for which memory at {bandwidth / 1e9:.1f} GB/s needs {least:.3f} ns:")
    print(f"    {entry / least:.1f} times that limit")


def _bandwidth() -> float:
    """Bytes a second that one thread reads and writes when it copies what no cache holds."""
    source: NDArray[np.uint8] = np.ones(_LARGE, np.uint8)
    target = np.empty_like(source)
    seconds = best_of({"copy": lambda: np.copyto(target, source)}, 7)["copy"]
    return 2 * _LARGE / seconds


def _ranking(path: Path) -> dict[str, list[str]]:
    with path.open() as lines:
        run = pytrec_eval.parse_run(lines)
    return {topic: sorted(scores, key=lambda d: (scores[d], d), reverse=True) for topic, scores in run.items()}


def _evaluator(qrels: Qrels, image: Image) -> pytrec_eval.RelevanceEvaluator:
    """What scores by the judgments of the documents that stand in the image."""
    amended = {
        topic: {f"{docno}~{copy}": grade for docno, grade in judged.items() for copy in range(image[docno])}
        for topic, judged in qrels.items()
    }
    return pytrec_eval.RelevanceEvaluator(amended, _THEIRS)


def _amended(ranking: Ranking, image: Image) -> dict[str, dict[str, float]]:
    """The run in which every document stands as often as in the image."""
    return {topic: _amended_list(docnos, image) for topic, docnos in ranking.items()}


def _amended_list(docnos: Sequence[str], image: Image) -> dict[str, float]:
    standing = [f"{docno}~{copy}" for docno in docnos for copy in range(image[docno])]
    return {docno: float(-place) for place, docno in enumerate(standing)}
