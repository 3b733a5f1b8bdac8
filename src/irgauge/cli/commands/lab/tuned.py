"""The command that fits a system to each shard."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from irgauge.cli import terminal
from irgauge.cli.app import Command
from irgauge.cli.places import check_places
from irgauge.show.words import counted

if TYPE_CHECKING:
    from irgauge.lab.tuned import Corpus


def _make() -> Callable[..., None]:
    from irgauge.cli.commands.lab import (
        index_argument,
        output_option,
        qrels_argument,
        required,
        topics_argument,
    )
    from irgauge.cli.frame import command_asking, silence
    from irgauge.lab.tuned import TunedOptions

    split = typer.Option("--shards", help="A map of shards, as lab shards writes it.", metavar="MAP")
    one_map = required("shards", Annotated[str, split])
    made = output_option("The folder to write: runs/ and fitted.tsv.")
    return command_asking(
        TunedOptions, _run, (index_argument(), topics_argument(), qrels_argument(), one_map), (made, silence())
    )


def _run(asked: dict[str, Any], *, output: Path, shards: str, quiet: bool, **paths: str) -> None:
    from irgauge.cli.commands.lab import unmatched_notes
    from irgauge.files.writing import check_folder
    from irgauge.lab.running import unmatched
    from irgauge.lab.shards import read_shards
    from irgauge.lab.tuned import TunedOptions, write_tuned

    check_folder(output)
    check_places([], [*paths.values(), shards], folders=[output])
    corpus = _corpus(**paths)
    split = read_shards(corpus.index, shards)
    with terminal.progress("tuning", quiet=quiet, unit="shards") as progress:
        all_tuned = write_tuned(output, corpus, split, TunedOptions(**asked, progress=progress))
    if not quiet:
        without = [tuned.shard for tuned in all_tuned if tuned.fitted is None]
        terminal.tell_notes([f"the shard '{name}' has no relevant document, and no system" for name in without])
        rankings = next(tuned.rankings for tuned in all_tuned if tuned.fitted is not None)
        terminal.tell_notes(unmatched_notes(unmatched(corpus.topics, rankings)))
        runs = counted(len(all_tuned) - len(without), "run")
        terminal.tell(f"wrote {output}: {runs} on {counted(len(corpus.topics), 'topic')}, and {output / 'fitted.tsv'}")


def _corpus(index: str, topics: str, qrels: str) -> Corpus:
    from irgauge.lab.index import Index
    from irgauge.lab.texts import read_topics
    from irgauge.lab.tuned import Corpus, read_relevant

    loaded = Index.load(index)
    return Corpus(loaded, read_topics(topics), read_relevant(loaded, qrels))


COMMAND = Command(
    question="Fit a system to each shard, and run it on the whole corpus.",
    about="By parameters, the system of a grid that ranks the shard alone best (mean AP of the judgments that are in "
    "it); what it gains by the same judgments is too large, if anything, so split the topics to claim a gain. By terms "
    "one system whose feedback comes from the documents of the shard. Writes a run for each shard, for studies of "
    "systems and shards, and fitted.tsv, which says what was fitted.",
    example="irgauge lab tuned index topics.trec qrels.txt --shards map.tsv -o tuned",
    place=50,
    make=_make,
)
