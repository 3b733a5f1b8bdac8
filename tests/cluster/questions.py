"""What is asked of clusters: every study whose work can be shared, small enough to take a moment."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import irgauge as ig
from irgauge.show.saving import to_json

Question = Callable[..., Any]  # the folder of the data, options -> a result


def _runs(data: Path) -> ig.Collection:
    return ig.load(data / "qrels.txt", data / "runs", corpus_size=400, warn=False)


def _bootstrap(data: Path, **more: Any) -> Any:  # noqa: ANN401  # options and result of any study
    return ig.bootstrap(_runs(data), ["AP", "nDCG@10"], images=150, pairs=True, **more)


def _keeping(data: Path, **more: Any) -> Any:  # noqa: ANN401  # options and result of any study
    with TemporaryDirectory() as folder:
        return _bootstrap(data, keep=Path(folder, "scores"), **more)


def _instances(data: Path, **more: Any) -> Any:  # noqa: ANN401  # options and result of any study
    runs = ig.load(data / "random" / "qrels.txt", data / "random" / "runs", warn=False)
    return ig.instances(runs, "AP", manifest=data / "random" / "manifest.txt", draws=200, **more)


def _suite(data: Path, **more: Any) -> Any:  # noqa: ANN401  # options and result of any study
    one = _runs(data)
    return ig.suite({"one": one, "other": one.only([4, 0, 1])}, "AP", **more)


QUESTIONS: Mapping[str, Question] = {
    "bootstrap": _bootstrap,
    "bootstrap that keeps scores": _keeping,
    "bootstrap of both": lambda data, **more: ig.bootstrap(_runs(data), "AP", images=70, draw="both", **more),
    "bootstrap that skips": lambda data, **more: ig.bootstrap(
        _runs(data), ["AP(rel=2)", "RR"], images=130, undefined="skip", sparse=True, held_out=30, **more
    ),
    "pools": lambda data, **more: ig.pools(_runs(data), "AP", images=300, all_pairs=True, depths=[5], **more),
    "partition": lambda data, **more: ig.partition(_runs(data), "AP", splits=4, fill="drop", **more),
    "robustness": lambda data, **more: ig.robustness(_runs(data), "AP", shards=[2, 3], resamples=3, **more),
    "calibrate": lambda data, **more: ig.calibrate(
        _runs(data), "AP", quick=True, trials=4, shards="even:3", population="both", **more
    ),
    "instances": _instances,
    "suite": _suite,
    "suite of folders": lambda data, **more: ig.suite([data, data / "twin"], "AP", **more),
    "report": lambda data, **more: ig.report(_runs(data), "AP", images=70, resamples=2, shards="even:2", **more),
}


def told(found: Any) -> str:  # noqa: ANN401  # the result of any study
    """All that a result says, in full precision."""
    return to_json(found.to_dict())
