"""The command that runs a grid of systems."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

from irgauge.cli import terminal
from irgauge.cli.app import Command
from irgauge.cli.places import check_places
from irgauge.options.fields import Help
from irgauge.reading.options import WORKERS
from irgauge.show.words import counted

_GRID = (
    "Systems, such as bm25(k1=1.2,b=0.75)+rm3 or short-porter-dirichlet; braces hold alternatives, as in "
    "{none,short}-porter-bm25{,+rm3}. If not given: every model with and without RM3, and with every stop list and "
    "stemmer where the index has none of its own."
)


@dataclass(frozen=True, kw_only=True)
class LabRunOptions:
    """What is run."""

    systems: Annotated[str | None, Help(_GRID, metavar="GRID")] = None
    depth: Annotated[int, Help("Documents of each list at most.", least=1, most=10_000_000)] = 1000
    workers: Annotated[int | None, WORKERS] = None


def _make() -> Callable[..., None]:
    from irgauge.cli.commands.lab import index_argument, output_option, topics_argument
    from irgauge.cli.frame import command_asking, silence

    made = output_option("The folder to write: one run for each system, named after it.")
    return command_asking(LabRunOptions, _run, (index_argument(), topics_argument()), (made, silence()))


def _run(asked: dict[str, Any], index: str, topics: str, output: Path, *, quiet: bool) -> None:
    from irgauge.cli.commands.lab import unmatched_notes
    from irgauge.files.writing import check_folder
    from irgauge.lab.index import Index
    from irgauge.lab.running import run_all
    from irgauge.lab.systems import default_grid, systems_of
    from irgauge.lab.texts import read_topics

    check_folder(output)
    check_places([], [index, topics], folders=[output])
    loaded = Index.load(index)
    systems = systems_of(default_grid(loaded.analyser) if asked["systems"] is None else asked["systems"])
    read = read_topics(topics)
    with terminal.progress("running", quiet=quiet, unit="runs") as progress:
        unmatched = run_all(output, loaded, read, systems, asked["depth"], workers=asked["workers"], progress=progress)
    if not quiet:
        terminal.tell_notes(unmatched_notes(unmatched))
        terminal.tell(f"wrote {output}: {counted(len(systems), 'run')} on {counted(len(read), 'topic')}")


COMMAND = Command(
    question="Run many systems on topics: models, stop lists, stemmers, feedback.",
    about="Writes one run for each system, in TREC's format, named after the system. Models: bm25, dirichlet, jm "
    "(query likelihood, with two kinds of smoothing), tfidf and pl2 (divergence from randomness).",
    example='irgauge lab run index topics.trec --systems "{short,long}-porter-{bm25,pl2}{,+rm3}" -o runs',
    place=20,
    make=_make,
)
