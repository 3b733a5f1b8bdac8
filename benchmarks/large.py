"""A collection of the size of MS MARCO's dev set: an image against one of TREC-8, a thousand images, and the report."""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import irgauge
from benchmarks import passages
from benchmarks.clock import Usage, best_of, run_process
from benchmarks.data import Data
from benchmarks.peer_trec_eval import NOT_FOUND, trec_eval
from irgauge.reading.collection import Collection
from irgauge.replicates.images import draw_images
from irgauge.scoring.measures import parse_measures
from irgauge.scoring.scorer import Scorer

MEASURES = ("AP", "nDCG@10")
_CORPUS = {"TREC-8": 528_155}  # documents; elsewhere those seen
_BATCH = 64  # images
_MANY = 1000  # images
_FEW = 4  # runs
_ROUNDS = 3
_LOAD = "import sys, irgauge; irgauge.load(sys.argv[1], sys.argv[2:], documents='all', warn=False)"
_OPTIONS = [word for measure in MEASURES for word in ("-m", measure)]


def run(small: Data) -> None:
    """All of it, on generated files of 2.2 GB; processes first, as a child's peak memory counts its parent's pages."""
    with tempfile.TemporaryDirectory() as name:
        large = passages.write(Path(name))
        print(f"\n{large.name}: {passages.SYSTEMS} runs, {passages.TOPICS:,} topics, {passages.CORPUS:,} documents:")
        _report(large, Path(name))
        _against_score(replace(large, runs=large.runs[:_FEW]), Path(name))
        _many_images(large)
        _one_image(small, large)


def _report(data: Data, folder: Path) -> None:
    command = [_executable(), "report", *_files(data), *_OPTIONS, "-o", str(folder / "report.html"), "--quiet"]
    took = run_process(command)
    print(f"  report         {took.seconds:7.1f} s, peak memory {took.megabytes:6.0f} MiB", end="")
    once = trec_eval(data, ["map", "ndcg_cut.10"])
    if once is None:
        print(f"; {NOT_FOUND}")
        return
    seconds = best_of({"trec_eval": once}, 1)["trec_eval"]
    print(f"; {took.seconds / seconds:.1f} times trec_eval over the runs (asked: at most 4), {seconds:.1f} s")


def _against_score(data: Data, folder: Path) -> None:
    """Commands in seconds of a processor, which other work disturbs less, as parts of those of `score`.

    Without shards only judged documents are told apart, as `score` does; shards, images and the report need all.
    """
    files, page = [str(data.qrels), *map(str, data.runs)], str(folder / "few.html")
    asked = [*files, *_OPTIONS, "--quiet"]
    commands = {
        "score": ([_executable(), "score", *asked], None),
        "compare": ([_executable(), "compare", *asked], 1.3),
        "load": ([sys.executable, "-c", _LOAD, *files], 3),
        "report": ([_executable(), "report", *asked, "--corpus-size", str(passages.CORPUS), "-o", page], 6),
    }
    took: dict[str, list[Usage]] = {name: [] for name in commands}
    for _ in range(_ROUNDS):
        for name, (command, _most) in commands.items():
            took[name].append(run_process(command))
    seconds = {name: min(usage.processor for usage in usages) for name, usages in took.items()}
    print(f"  {_FEW} runs: score takes {seconds['score']:.1f} s of a processor")
    for name, (_command, most) in commands.items():
        if most is not None:
            memory = max(usage.megabytes for usage in took[name])
            print(
                f"  {name:<14} {seconds[name]:7.1f} s, {seconds[name] / seconds['score']:.2f} times score (asked: at "
                f"most {most}), peak memory {memory:6.0f} MiB"
            )
    lines = passages.TOPICS * passages.DEPTH * _FEW
    beyond = max(usage.megabytes for usage in took["load"]) - max(usage.megabytes for usage in took["score"])
    print(f"  all documents: {beyond * 2**20 / lines:.1f} bytes a line more than score (asked: at most 12)")


def _many_images(data: Data) -> None:
    command = [_executable(), "bootstrap", *_files(data), *_OPTIONS, "--images", str(_MANY), "--sparse", "--quiet"]
    took = run_process(command)
    print(f"  {_MANY:,} images   {took.seconds:7.1f} s, peak memory {took.megabytes:6.0f} MiB (asked: at most 10240)")


def _one_image(small: Data, large: Data, rounds: int = 5) -> None:
    """Drawing and scoring in one process, in turn."""
    here = {
        data.name: irgauge.load(data.qrels, list(data.runs), corpus_size=size, warn=False)
        for data, size in ((small, _CORPUS.get(small.name)), (large, passages.CORPUS))
    }
    peers = {name: _image_of(collection) for name, collection in here.items()}
    for image in peers.values():
        image()  # compiles, and makes what is made once
    times = best_of(peers, rounds)
    for name, collection in here.items():
        entries = int(collection.lengths.sum())
        print(f"  an image of {name:<14} {times[name] / _BATCH * 1000:7.2f} ms, {entries / 1e6:5.1f} million entries")
    ratio = times[large.name] / times[small.name]
    print(f"  {ratio:.1f} times an image of {small.name}, drawing included (asked: at most 20)")


def _image_of(collection: Collection) -> Callable[[], object]:
    """What draws and scores a batch of images."""
    scorer = Scorer(collection, parse_measures(MEASURES))
    return lambda: scorer.score(draw_images(collection, _BATCH, seed=1, documents=scorer.documents))


def _files(data: Data) -> list[str]:
    return [str(data.qrels), *map(str, data.runs), "--corpus-size", str(passages.CORPUS)]


def _executable() -> str:
    return str(Path(sys.executable).with_name("irgauge"))


if __name__ == "__main__":
    from benchmarks.data import prepare

    with tempfile.TemporaryDirectory() as folder:
        run(prepare(Path(folder)))
