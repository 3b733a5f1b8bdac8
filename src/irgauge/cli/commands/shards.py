"""The command that splits documents into shards."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import typer

from irgauge.cli import terminal
from irgauge.cli.app import Command
from irgauge.cli.places import check_places
from irgauge.options.fields import Help
from irgauge.show.words import counted
from irgauge.studies.shared_options import Seeded


@dataclass(frozen=True, kw_only=True)
class ShardsOptions(Seeded):
    """How documents are split."""

    corpus_size: Annotated[int | None, Help("Documents in the corpus; those seen if not given.", least=1)] = None


def _make() -> Callable[..., None]:
    from irgauge.cli.frame import command_asking, files, keyword, silence
    from irgauge.studies.shared_options import schemes

    how = typer.Option("--shards", help=f"How to split the documents: {', '.join(schemes())}.")
    where = typer.Option("--output", "-o", help="The map to write: docno and shard on each line.")
    required = inspect.Parameter.empty
    options = (keyword("spec", Annotated[str, how], required), keyword("output", Annotated[Path, where], required))
    return command_asking(ShardsOptions, _run, (files(),), (*options, silence()))


def _run(asked: dict[str, Any], inputs: Sequence[str], spec: str, output: Path, *, quiet: bool) -> None:
    from irgauge.studies.measure import shards

    terminal.check_runs(inputs)
    check_places([output], inputs)
    size, workers = asked["corpus_size"], asked["workers"]
    collection = terminal.load(inputs[0], inputs[1:], {"corpus_size": size}, workers=workers, quiet=quiet)
    split = shards(collection, spec, asked["seed"])
    split.save(output)
    if not quiet:
        terminal.tell(f"wrote {output}: {_sizes_text(split.sizes.values())}")


def _sizes_text(sizes: Collection[int]) -> str:
    """How many shards there are, and how large."""
    least, most = min(sizes), max(sizes)
    span = f"{least:,}" if least == most else f"{least:,} to {most:,}"
    return f"{counted(len(sizes), 'shard')} of {span} documents"


COMMAND = Command(
    question="Split the documents of a collection into shards.",
    about="Writes the map of one split, which --shards map:FILE reads.",
    example="irgauge shards qrels.txt runs/ --shards even:5 --seed 1 -o map.tsv",
    place=310,
    make=_make,
)
