"""Compiles what most commands need, so that none of them waits for it: runs them on a small simulated collection."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

from irgauge.cli import terminal
from irgauge.cli.app import app_for
from irgauge.compute.compilation import COMPILATION

_MEASURES = ("AP", "nDCG@10", "P@10", "R@100", "RR@10")
_COMMANDS = ("score -o scores.csv", "compare -o compared.json", "report -o page.html")


def warm() -> None:
    """Run the commands, with a bar on a terminal; what they write is not kept, only the compiled code."""
    from irgauge.compute.jit_cache import is_first_use
    from irgauge.simulation.simulated import simulate

    is_first_use()  # what this is for, so that the first command does not tell of it
    terminal.tell_of_compilation(quiet=False)
    with TemporaryDirectory() as folder, terminal.steps(len(_COMMANDS) + 1, quiet=False) as step:
        step("simulate")
        simulate(systems=4, families=2, topics=12, depth=200, seed=1).write(Path(folder) / "data")
        for command in _COMMANDS:
            step(command.split()[0])
            _call(command, Path(folder))
    terminal.tell(f"functions compiled now: {COMPILATION.functions}")


def _call(command: str, folder: Path) -> None:
    name, option, result = command.split()
    data = str(folder / "data" / "qrels.txt"), str(folder / "data" / "runs")
    measures = [word for measure in _MEASURES for word in ("-m", measure)]
    words = [name, *data, *measures, option, str(folder / result), "--quiet"]
    app_for(words)(words, standalone_mode=False)
