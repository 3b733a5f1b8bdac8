"""Pages of what commands print, one a study: the lines after `$ ` are run, what follows each is what they print."""

from __future__ import annotations

import io
import re
import shlex
import sys
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import replace
from itertools import chain
from pathlib import Path

import pytest

from irgauge.cli.program import main
from irgauge.reading.trec import write_qrels
from irgauge.simulation.collections import Design, simulate
from irgauge.simulation.instances import InstanceDesign, simulate_instances
from irgauge.simulation.judges import JudgeDesign, simulate_judge

FOLDER = Path(__file__).parent
PAGES = tuple(sorted(FOLDER.glob("*.txt")))
DESIGN = Design(systems=6, families=2, topics=20, depth=50, corpus_size=1000, relevant_median=10, seed=3)
COMPILING = "compiling for the first use; each command takes a few seconds more, once\n"


def write_collections(folder: Path) -> None:
    """What the commands read: a collection and its teams, one of instances of random searches, a suite of three."""
    simulate(DESIGN).write(folder / "demo")
    (folder / "demo" / "teams.txt").write_text("F1-1 one\nF1-2 one\nF1-3 two\nF2-1 two\nF2-2 three\nF2-3 three\n")
    judgments = simulate_judge(simulate(DESIGN).collection(), JudgeDesign(noise=0.3))
    pairs = [(topic, docno, grade) for topic, own in judgments.items() for docno, grade in own.items()]
    write_qrels(folder / "demo" / "model.qrels", pairs)
    alone = replace(DESIGN, systems=1, families=1)
    simulate_instances(InstanceDesign(instances=4, rates=(1, 4), collection=alone)).write(folder / "random")
    for seed, name in enumerate(("news", "patents", "web")):
        simulate(replace(DESIGN, systems=4, seed=seed)).write(folder / "suite" / name)


def played(page: str, folder: Path) -> str:
    """A page with what its commands print now, in the folder of the collections."""
    commands = re.findall(r"^\$ (.*)$", page, re.MULTILINE)
    return "\n".join(f"$ {command}\n{printed(command, folder)[1]}" for command in commands)


def printed(command: str, folder: Path) -> tuple[int, str]:
    """The exit code of a command that needs no shell, and what it prints in a folder, in this process."""
    stream = io.TextIOWrapper(io.BytesIO(), "utf-8", write_through=True)
    with pytest.MonkeyPatch.context() as patch, redirect_stdout(stream), redirect_stderr(stream):
        patch.chdir(folder)
        patch.setenv("COLUMNS", "100")
        words = [sorted(map(str, Path().glob(word))) if "*" in word else [word] for word in shlex.split(command)]
        patch.setattr(sys, "argv", list(chain(*words)))
        code = 0
        try:
            main()
        except SystemExit as exit_:
            code = exit_.code if isinstance(exit_.code, int) else 0
    stream.seek(0)
    return code, stream.read().replace(COMPILING, "")
