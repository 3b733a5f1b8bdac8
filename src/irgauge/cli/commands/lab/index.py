"""The command that makes an index of documents."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import typer

from irgauge.cli import terminal
from irgauge.cli.app import Command
from irgauge.cli.places import check_places
from irgauge.options.fields import Help
from irgauge.show.words import counted


def _stop_lists() -> Sequence[str]:
    from irgauge.lab.analysis import STOP_LISTS

    return list(STOP_LISTS)


def _stemmers() -> Sequence[str]:
    from irgauge.lab.analysis import STEMMERS

    return list(STEMMERS)


@dataclass(frozen=True, kw_only=True)
class LabIndexOptions:
    """How documents are indexed."""

    stop: Annotated[str, Help("Words to leave out.", names=_stop_lists)] = "none"
    stemmer: Annotated[str, Help("What makes one term of words of one stem.", names=_stemmers)] = "none"


def _make() -> Callable[..., None]:
    from irgauge.cli.commands.lab import output_option, required
    from irgauge.cli.frame import command_asking, silence

    help_text = (
        "Files, folders, glob patterns, or a name of ir_datasets. Files, also compressed, have <DOC> blocks with a "
        "<DOCNO>, a JSON object (id, title, contents, text) on each line, or id, tab and text on each line."
    )
    of = typer.Argument(metavar="DOCUMENTS...", help=help_text, show_default=False)
    inputs = required("documents", Annotated[list[str], of])
    made = output_option("The folder to write: the index.")
    return command_asking(LabIndexOptions, _run, (inputs,), (made, silence()))


def _run(asked: dict[str, Any], documents: Sequence[str], output: Path, *, quiet: bool) -> None:
    from irgauge.files.writing import check_folder
    from irgauge.lab.analysis import Analyser
    from irgauge.lab.index import build
    from irgauge.lab.texts import read_documents

    check_folder(output)
    check_places([], documents, folders=[output])
    analyser = Analyser(asked["stop"], asked["stemmer"])
    with terminal.progress("documents", quiet=quiet, unit="documents") as progress:
        index = build(read_documents(documents), analyser, progress=progress)
    index.save(output)
    if not quiet:
        sizes = counted(index.n_documents, "document"), counted(len(index.terms), "term")
        summary = f"{', '.join(sizes)}, {index.mean_length:.1f} a document"
        terminal.tell(f"wrote {output}: {summary}")


COMMAND = Command(
    question="Make an index of documents, in which lab run searches.",
    about="By default words stay as they are, and each system of lab run stops and stems them in its own way. With "
    "--stop or --stemmer the index is smaller, and all systems have the same.",
    example="irgauge lab index documents.trec.gz -o index",
    place=10,
    make=_make,
)
