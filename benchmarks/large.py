"""A collection of the size of MS MARCO's dev set: commands, the report, an image and a thousand."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

from benchmarks import passages
from benchmarks.clock import best_of, irgauge, run_process
from benchmarks.data import Data
from benchmarks.figures import Figure, times
from irgauge import load
from irgauge.reading.collection import Collection
from irgauge.replicates.images import draw_images
from irgauge.scoring.measures import parse_measures
from irgauge.scoring.scorer import Scorer

MEASURES = ("AP", "nDCG@10")
_BATCH = 64  # images
_MANY = 1000  # images
_OPTIONS = ("--quiet", *(word for measure in MEASURES for word in ("-m", measure)))


def run() -> Iterator[Figure]:
    """All of it, on generated files of 2.2 GB; processes first, as a child's peak memory counts its parent's pages."""
    with tempfile.TemporaryDirectory() as name:
        large = passages.write(Path(name))
        score, compare = _commands(large)
        yield from (score, compare, times("compare over score, MS MARCO size", compare, score, 1.3))
        report = _process("report, MS MARCO size", "report", large, "-o", str(Path(name) / "report.html"))
        yield from (*report, times("report over score, MS MARCO size", report[0], score, 6))
        yield from _process("1,000 images, MS MARCO size", "bootstrap", large, "--images", str(_MANY), "--sparse")
        yield _one_image(large)


def _commands(data: Data) -> list[Figure]:
    """Without shards only judged documents are told apart."""
    peers = {name: partial(run_process, irgauge(name, *data.files, *_OPTIONS)) for name in ("score", "compare")}
    return [Figure(f"{name}, MS MARCO size", seconds, "s") for name, seconds in best_of(peers, 2).items()]


def _process(name: str, verb: str, data: Data, *options: str) -> tuple[Figure, Figure]:
    took = run_process(irgauge(verb, *data.files, "--corpus-size", passages.CORPUS, *_OPTIONS, *options))
    return Figure(name, took.seconds, "s"), Figure(f"memory of {name}", took.megabytes, "MiB")


def _one_image(data: Data, rounds: int = 5) -> Figure:
    """Drawn and scored."""
    image = _image_of(load(data.qrels, list(data.runs), corpus_size=passages.CORPUS, warn=False))
    image()  # compiles, and makes what is made once
    return Figure("an image drawn and scored, MS MARCO size", 1000 * best_of({"": image}, rounds)[""] / _BATCH, "ms")


def _image_of(collection: Collection) -> Callable[[], object]:
    """What draws and scores a batch of images."""
    scorer = Scorer(collection, parse_measures(MEASURES))
    return lambda: scorer.score(draw_images(collection, _BATCH, seed=1, documents=scorer.documents))
