"""The command that makes a synthetic collection."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from irgauge.cli import terminal
from irgauge.cli.app import Command

if TYPE_CHECKING:
    from irgauge.simulation.simulated import Simulated

_ABOUT = (
    "Writes qrels.txt, runs/ and truth.json. Systems come in related families, topics differ in difficulty and in "
    "their number of relevant documents, judgments are graded, scores have ties. truth.json holds the true mean of "
    "each measure. With --instances the systems are one exhaustive search, which is deterministic, and searches that "
    "sample 0.1, 0.5, 1 and 4 % of the corpus; manifest.txt says which run is an instance of which, and truth.json "
    "holds the true means and variance components."
)


def _make() -> Callable[..., None]:
    from irgauge.cli.frame import command_asking, keyword, silence
    from irgauge.simulation.simulated import SimulateOptions

    where = typer.Option("--output", "-o", help="The folder to write: qrels.txt, runs/, truth.json.")
    folder = keyword("output", Annotated[Path, where], inspect.Parameter.empty)
    over = typer.Option("--truth-topics", help="Fresh topics over which the true means are taken.")
    truth = keyword("truth_topics", Annotated[int, over], 2000)
    return command_asking(SimulateOptions, _run, (folder,), (truth, silence()))


def _run(asked: dict[str, Any], output: Path, truth_topics: int, *, quiet: bool) -> None:
    from irgauge.files.writing import check_folder
    from irgauge.simulation.simulated import simulate, write_all

    check_folder(output)
    terminal.tell_of_compilation(quiet=quiet)
    simulated = simulate(**asked)
    with terminal.progress("true means", quiet=quiet) as progress:
        truth = simulated.truth(truth_topics, workers=asked["workers"], progress=progress)
    write_all(simulated, truth, output)
    if not quiet:
        terminal.tell(f"wrote {output}: {_told(simulated)} their truth over {truth_topics} others")


def _told(simulated: Simulated) -> str:
    from irgauge.simulation.instances import InstanceDesign

    design = simulated.simulation.design
    if not isinstance(design, InstanceDesign):
        return f"{design.systems} systems on {design.topics} topics, with"
    runs = f"{len(design.runs)} runs of {len(design.algorithms)} algorithms"
    return f"{runs} on {design.collection.topics} topics, with their manifest and"


COMMAND = Command(
    question="Make a synthetic collection whose truth is known.",
    about=_ABOUT,
    example="irgauge simulate -o demo --systems 20 --equal 2 --seed 1; "
    "with random systems: irgauge simulate -o random --instances 10 --depth 100",
    place=300,
    make=_make,
)
