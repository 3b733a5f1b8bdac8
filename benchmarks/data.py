"""The data of the benchmarks: TREC-8 where IRGAUGE_TREC8 names its folder, else a simulated collection of its size."""

from __future__ import annotations

import gzip
import os
import shutil
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Data:
    """Uncompressed qrels and runs."""

    name: str
    qrels: Path
    runs: tuple[Path, ...]
    corpus_size: int | None = None  # that of the documents seen

    @property
    def files(self) -> list[str]:
        """As a command takes them."""
        return [str(self.qrels), *map(str, self.runs)]


def prepare(folder: Path) -> Data:
    """Lay the data out in a folder."""
    (folder / "runs").mkdir()
    source = os.environ.get("IRGAUGE_TREC8")
    if source is None:
        return _simulated(folder)
    for packed in [Path(source) / "qrels.txt.gz", *sorted((Path(source) / "runs").glob("*.gz"))]:
        target = folder / packed.relative_to(source).with_suffix("")
        with gzip.open(packed) as content, target.open("wb") as plain:
            shutil.copyfileobj(content, plain)
    return Data("TREC-8", folder / "qrels.txt", tuple(sorted((folder / "runs").iterdir())), corpus_size=528_155)


def _simulated(folder: Path) -> Data:
    from irgauge.simulation.collections import Design, simulate

    simulate(Design(systems=129, families=40)).write(folder)
    return Data("simulated", folder / "qrels.txt", tuple(sorted((folder / "runs").iterdir())))
