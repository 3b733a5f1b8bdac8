"""The command that generates text."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from irgauge.cli import terminal
from irgauge.cli.app import Command
from irgauge.show.words import counted


def _make() -> Callable[..., None]:
    from irgauge.cli.commands.lab import output_option
    from irgauge.cli.frame import command_asking, silence
    from irgauge.lab.generated import GenerateOptions

    return command_asking(GenerateOptions, _run, (output_option("The folder to write."),), (silence(),))


def _run(asked: dict[str, Any], output: Path, *, quiet: bool) -> None:
    from irgauge.files.writing import check_folder
    from irgauge.lab.generated import generate

    check_folder(output)
    with terminal.progress("documents", quiet=quiet) as progress:
        made = generate(**asked, progress=progress)
    made.write(output)
    if not quiet:
        size = f"{counted(len(made.texts), 'document')} of {counted(asked['clusters'], 'cluster')}"
        judged = f"{counted(len(made.topics), 'topic')} with {counted(len(made.judgments), 'relevant document')}"
        terminal.tell(f"wrote {output}: {size}, {judged}")


COMMAND = Command(
    question="Generate text with known clusters, topics and judgments.",
    about="Writes documents.trec, topics.trec, qrels.txt and clusters.tsv, which names the cluster of each document. "
    "Words are invented. A document is of one cluster and about one of its themes; a topic asks for one theme, and "
    "some of the documents about it come from other clusters.",
    example="irgauge lab generate -o text --documents 20000 --clusters 20",
    place=5,
    make=_make,
)
