"""Images of the corpus: one image against rewriting the runs, end to end and by itself."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import pytrec_eval

import irgauge
from benchmarks.clock import Usage, best_of, run_process
from benchmarks.clock import irgauge as command
from benchmarks.data import Data
from benchmarks.figures import Figure
from irgauge.replicates.images import draw_images
from irgauge.scoring.measures import parse_measures
from irgauge.scoring.scorer import Scorer

MEASURES = ("AP", "INSQ(T=5)", "nDCG@1000", "P@10", "RBP(p=0.95, rel=1)@1000", "RR")
_THEIRS = {"map", "ndcg_cut_1000", "P_10", "recip_rank"}  # pytrec_eval has neither INSQ nor RBP
_BATCH = 64  # images
_MANY = 2000  # images
_FEW = 6  # runs that the peer rewrites

Qrels = Mapping[str, Mapping[str, int]]
Ranking = Mapping[str, Sequence[str]]  # topic: docnos, best first
Image = Mapping[str, int]  # docno: how often it appears


def run(data: Data, rounds: int = 5) -> Iterator[Figure]:
    """All of it; processes before this one grows, as a child's peak memory counts its parent's pages."""
    ends = [_each_of_many(data, *options) for options in ((), ("--pairs",))]
    usage = ends[0][1]
    yield Figure("2,000 images", usage.seconds, "s")
    yield Figure("memory of 2,000 images", usage.megabytes, "MiB", 2048)
    alone, theirs = _one_image(data, rounds)
    yield from (alone, theirs)
    yield Figure("amended dicts over an image alone", 1000 * theirs.value / alone.value, "times")
    for name, (seconds, _) in zip(("an image end to end", "an image end to end, with pairs"), ends, strict=True):
        yield Figure(name, 1000 * seconds, "ms")
        yield Figure(f"amended dicts over {name}", theirs.value / seconds, "times", 2500, "at least")


def _each_of_many(data: Data, *options: str) -> tuple[float, Usage]:
    """Seconds of an image on the command line: the slope over their number, without the start and the reading."""
    few, many = (
        min((run_process([*_command(data, images), *options]) for _ in range(2)), key=lambda usage: usage.seconds)
        for images in (_BATCH, _MANY)
    )
    return (many.seconds - few.seconds) / (_MANY - _BATCH), many


def _command(data: Data, images: int) -> list[str]:
    size = ["--corpus-size", str(data.corpus_size)] if data.corpus_size else []
    measures = [word for measure in MEASURES for word in ("-m", measure)]
    return command("bootstrap", *data.files, *size, *measures, "--images", images, "--quiet")


def _one_image(data: Data, rounds: int) -> tuple[Figure, Figure]:
    """Drawing and scoring of an image against runs and qrels rewritten as dicts and scored by pytrec_eval."""
    collection = irgauge.load(data.qrels, list(data.runs), corpus_size=data.corpus_size)
    scorer = Scorer(collection, parse_measures(MEASURES))
    with data.qrels.open() as lines:
        qrels = pytrec_eval.parse_qrel(lines)
    rankings = [_ranking(path) for path in data.runs[:: -(-len(data.runs) // _FEW)]]
    drawn = draw_images(collection, _BATCH, seed=1)
    image = dict(zip(collection.docnos, drawn.weights[:, 0].tolist(), strict=True))
    evaluator = _evaluator(qrels, image)

    def ours() -> None:
        scorer.score(draw_images(collection, _BATCH, seed=1, documents=scorer.documents))

    ours()  # compiles what is compiled on first use
    seconds = best_of(
        {
            "ours": ours,
            "qrels": lambda: _evaluator(qrels, image),
            "runs": lambda: [evaluator.evaluate(_amended(ranking, image)) for ranking in rankings],
        },
        rounds,
    )
    theirs = seconds["qrels"] + seconds["runs"] * len(data.runs) / len(rankings)
    return (
        Figure("an image drawn and scored", 1000 * seconds["ours"] / _BATCH, "ms"),
        Figure("runs and judgments of an image as dicts, with pytrec_eval", theirs, "s"),
    )


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
