"""The command that splits the documents of an index into shards."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from irgauge.cli import terminal
from irgauge.cli.app import Command
from irgauge.cli.places import check_places
from irgauge.errors import DesignError
from irgauge.options.fields import LARGEST_SEED, Help
from irgauge.reading.options import WORKERS
from irgauge.show.words import counted

if TYPE_CHECKING:
    from irgauge.lab.index import Index
    from irgauge.scoring.drawn import Shards


def _check_share(share: float) -> None:
    if not 0 < share <= 1:
        raise DesignError(f"sample is {share:g}; it is a share of the documents, above 0 and up to 1")


@dataclass(frozen=True, kw_only=True)
class LabShardsOptions:
    """How documents are split."""

    topical: Annotated[
        int | None, Help("This many shards of documents that are about the same, by k-means.", least=1, most=100_000)
    ] = None
    random: Annotated[int | None, Help("Or this many random shards of equal size.", least=1)] = None
    sample: Annotated[
        float | None,
        Help(
            "The share of the documents that k-means clusters, such as 0.01; the others go to the nearest cluster. "
            "10,000 documents, or all if they are fewer, if not given.",
            check=_check_share,
        ),
    ] = None
    seed: Annotated[int, Help("The same seed gives the same shards.", least=0, most=LARGEST_SEED)] = 0
    workers: Annotated[int | None, WORKERS] = None

    def __post_init__(self) -> None:
        if (self.topical is None) == (self.random is None):
            problem = "neither topical nor random shards were" if self.topical is None else "both kinds of shards were"
            raise DesignError(f"{problem} asked for; write --topical 20 or --random 20")
        if self.random is not None and self.sample is not None:
            raise DesignError("a sample is of topical shards, and random ones were asked for; leave --sample out")


def _make() -> Callable[..., None]:
    from irgauge.cli.commands.lab import index_argument, output_option
    from irgauge.cli.frame import command_asking, silence

    made = output_option("The map to write: docno and shard on each line.")
    return command_asking(LabShardsOptions, _run, (index_argument(),), (made, silence()))


def _run(asked: dict[str, Any], index: str, output: Path, *, quiet: bool) -> None:
    import numpy as np

    from irgauge.lab.index import Index
    from irgauge.lab.shards import save_shards

    check_places([output], [index])
    loaded = Index.load(index)
    shards = _shards(loaded, asked, quiet=quiet)
    save_shards(loaded, shards, output)
    if not quiet:
        sizes = np.bincount(shards.labels)
        summary = f"{counted(len(shards.names), 'shard')} of {sizes.min():,} to {sizes.max():,} documents"
        terminal.tell(f"wrote {output}: {summary}")


def _shards(index: Index, asked: dict[str, Any], *, quiet: bool) -> Shards:
    from irgauge.lab.shards import Clustering, random_shards, topical_shards

    if asked["random"] is not None:
        return random_shards(index.n_documents, asked["random"], asked["seed"])
    with terminal.progress("clustering", quiet=quiet) as progress:
        wanted = Clustering(asked["topical"], asked["sample"], asked["seed"], asked["workers"], progress)
        return topical_shards(index, wanted)


COMMAND = Command(
    question="Split the documents of an index into topical or random shards.",
    about="Writes a map, which lab selective and lab tuned read, and --shards map:FILE of other commands. Topical "
    "shards are clusters by k-means of a sample; other documents go to the nearest cluster.",
    example="irgauge lab shards index --topical 50 -o map.tsv",
    place=30,
    make=_make,
)
