"""A collection of the size of MS MARCO's dev set: commands, the report, an image and a thousand."""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

from benchmarks import passages
from benchmarks.clock import Usage, best_of, irgauge, run_process
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
_FEW = 4  # runs
_ROUNDS = 3
_LOAD = "import sys, irgauge; irgauge.load(sys.argv[1], sys.argv[2:], documents='all', warn=False)"
_OPTIONS = ("--quiet", *(word for measure in MEASURES for word in ("-m", measure)))


def run() -> Iterator[Figure]:
    """All of it, on generated files of 2.2 GB; processes first, as a child's peak memory counts its parent's pages."""
    with tempfile.TemporaryDirectory() as name:
        large = passages.write(Path(name))
        page = str(Path(name) / "report.html")
        yield from _process("report, MS MARCO size", "report", large, "-o", page)
        yield from _against_score(replace(large, runs=large.runs[:_FEW]), page)
        yield from _process("1,000 images, MS MARCO size", "bootstrap", large, "--images", str(_MANY), "--sparse")
        yield _one_image(large)


def _against_score(data: Data, page: str) -> Iterator[Figure]:
    """Commands in seconds of a processor, which other work disturbs less, as parts of those of `score`.

    Without shards only judged documents are told apart, as `score` does; shards, images and the report need all.
    """
    commands = {
        "score": (irgauge("score", *data.files, *_OPTIONS), None),
        "compare": (irgauge("compare", *data.files, *_OPTIONS), 1.3),
        "load": ([sys.executable, "-c", _LOAD, *data.files], 3),
        "report": (irgauge("report", *data.files, *_OPTIONS, "--corpus-size", passages.CORPUS, "-o", page), 6),
    }
    took: dict[str, list[Usage]] = {name: [] for name in commands}
    for _ in range(_ROUNDS):
        for name, (command, _most) in commands.items():
            took[name].append(run_process(command))
    what = f"{_FEW} runs of MS MARCO size"
    figures = {
        name: Figure(f"{name}, {what}, of a processor", min(usage.processor for usage in usages), "s")
        for name, usages in took.items()
    }
    peaks = {name: max(usage.megabytes for usage in usages) for name, usages in took.items()}
    for name, (_command, most) in commands.items():
        yield from (figures[name], Figure(f"memory of {name}, {what}", peaks[name], "MiB"))
        if most is not None:
            yield times(f"{name} over score, {what}", figures[name], figures["score"], most)
    lines = passages.TOPICS * passages.DEPTH * _FEW
    yield Figure(f"all documents, {what}", (peaks["load"] - peaks["score"]) * 2**20 / lines, "bytes a line", 12)


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
