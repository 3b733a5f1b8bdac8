"""Judgments and runs whose RR is what a test wants."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

Run = dict[str, dict[str, float]]
TOPICS = [f"q{number:02d}" for number in range(30)]
QRELS = {topic: {"d": 1} for topic in TOPICS}
BASE = [1, 2, 3, 1, 5, 2] * 5  # ranks of the one relevant document, topic by topic


def ranked(ranks: Sequence[int]) -> Run:
    """A run that ranks the relevant document of each topic there; without one at rank 0."""
    return {
        topic: {f"x{i}" if i != rank else "d": 100.0 - i for i in range(1, 9)}
        for topic, rank in zip(TOPICS, ranks, strict=False)
        if rank
    }


def lower(ranks: Sequence[int], every: int = 1, by: int = 1) -> list[int]:
    """The ranks of a worse run: every so many topics the document is further down."""
    return [rank + by * (i % every == 0) for i, rank in enumerate(ranks)]


def write_qrels(path: Path) -> Path:
    path.write_text("".join(f"{topic} 0 {doc} {grade}\n" for topic, of in QRELS.items() for doc, grade in of.items()))
    return path


def write_run(path: Path, run: Run, tag: str = "tag") -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    lines = [f"{topic} Q0 {doc} 1 {score} {tag}\n" for topic, of in run.items() for doc, score in of.items()]
    path.write_text("".join(lines))
    return path


def write_scores(path: Path, ranks: Mapping[str, Sequence[int]], measure: str = "faithfulness") -> Path:
    """A long table of 1/rank; a system named `a 2` is the replicate 2 of a; a rank of 0 is a score that is missing."""
    rows = [
        f"{measure},{topic},{system.split()[0]},{system.partition(' ')[2] or 1},{1 / rank}\n"
        for system, own in ranks.items()
        for topic, rank in zip(TOPICS, own, strict=False)
        if rank
    ]
    path.write_text("measure,topic,system,replicate,score\n" + "".join(rows))
    return path
