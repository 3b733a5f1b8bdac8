"""The command that runs selective search."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from irgauge.cli import terminal
from irgauge.cli.app import Command
from irgauge.cli.places import check_places
from irgauge.show.words import counted

if TYPE_CHECKING:
    from irgauge.scoring.drawn import Shards


def _make() -> Callable[..., None]:
    from irgauge.cli.commands.lab import index_argument, output_option, required, topics_argument
    from irgauge.cli.frame import command_asking, silence
    from irgauge.lab.selective import SelectiveOptions

    split = typer.Option("--shards", help="A map of shards, as lab shards writes it; repeatable.", metavar="MAP")
    maps = required("shards", Annotated[list[str], split])
    made = output_option("The folder to write: runs/ and manifest.txt.")
    return command_asking(SelectiveOptions, _run, (index_argument(), topics_argument(), maps), (made, silence()))


def _run(asked: dict[str, Any], index: str, topics: str, shards: list[str], output: Path, *, quiet: bool) -> None:
    from irgauge.cli.commands.lab import unmatched_notes
    from irgauge.files.writing import check_folder
    from irgauge.lab.index import Index
    from irgauge.lab.selective import SelectiveOptions, write_selective
    from irgauge.lab.shards import read_shards
    from irgauge.lab.texts import read_topics

    check_folder(output)
    check_places([], [index, topics, shards], folders=[output])
    loaded, read = Index.load(index), read_topics(topics)
    maps = [read_shards(loaded, path) for path in shards]
    with terminal.progress("searching", quiet=quiet, unit="runs") as progress:
        unmatched = write_selective(output, loaded, read, maps, SelectiveOptions(**asked, progress=progress))
    if not quiet:
        terminal.tell_notes([*_notes(shards, maps, asked["picks"]), *unmatched_notes(unmatched)])
        runs = counted(1 + len(asked["csi"]) * len(maps) * asked["instances"], "run")
        manifest = output / "manifest.txt"
        terminal.tell(f"wrote {output}: {runs} on {counted(len(read), 'topic')}, and {manifest}, which names them")
        terminal.tell(f"compare them with: irgauge instances QRELS {output / 'runs'} --manifest {manifest}")


def _notes(paths: Sequence[str], maps: Sequence[Shards], picks: int) -> list[str]:
    """What makes instances alike."""
    whole = [path for path, shard_map in zip(paths, maps, strict=True) if picks >= len(shard_map.names)]
    return [f"all shards of {path} are searched, as they are not more than --picks {picks}" for path in whole]


COMMAND = Command(
    question="Search only the shards that a central sample picks, many times, and all shards beside it.",
    about="A central sample index holds some documents of each shard. A topic ranks these; each counts for its shard, "
    "with all documents that it stands for (ReDDE), and the shards of the largest counts are searched. Every instance "
    "has a sample of its own. With one map a claim is about its shards; give several for claims about others. Writes "
    "the runs, with that of exhaustive search, and the manifest that irgauge instances and irgauge report read.",
    example="irgauge lab selective index topics.trec --shards map.tsv --csi 0.5%,1%,4% --instances 20 -o selective",
    place=40,
    make=_make,
)
