from __future__ import annotations

import doctest
import os
import re
import subprocess
import sys
from pathlib import Path

README = Path(__file__).parent.parent / "README.md"


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```", README.read_text(), re.DOTALL | re.MULTILINE)


def console_examples() -> list[tuple[str, str]]:
    """The commands of the README's console blocks, with what they print."""
    return [
        (command, printed)
        for block in blocks("console")
        for command, printed in re.findall(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", block, re.MULTILINE)
    ]


def python_examples() -> list[str]:
    """The Python blocks that read the demo data; those with prompts are doctests, which pytest collects."""
    return [block for block in blocks("python") if not block.startswith(">>>")]


def test_the_commands_of_the_readme_print_what_it_says(tmp_path: Path) -> None:
    examples = console_examples()
    assert len(examples) >= 6
    for command, expected in examples:
        program = Path(sys.executable).with_name("irgauge")
        line = command.replace("irgauge", str(program), 1)
        shown = subprocess.run(  # noqa: S603  # our own program
            ["/bin/sh", "-c", line],
            cwd=tmp_path,
            env=os.environ | {"COLUMNS": "100"},
            text=True,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            check=False,
        )
        assert shown.returncode == 0, f"{command}\n{shown.stdout}"
        printed = shown.stdout.replace("compiling for the first use; this takes some seconds, once\n", "")
        matches = doctest.OutputChecker().check_output(expected, printed, doctest.ELLIPSIS)
        assert matches, f"{command}\nexpected:\n{expected}\nprinted:\n{printed}"


def test_the_python_of_the_readme_runs_on_what_its_commands_wrote(tmp_path: Path) -> None:
    program = str(Path(sys.executable).with_name("irgauge"))
    made = [
        "irgauge simulate -o demo --equal 2",
        "irgauge score demo/qrels.txt demo/runs -m AP -m nDCG@10 -o scores.parquet",
    ]
    assert set(made) <= {command for command, _ in console_examples()}
    for command in made:
        subprocess.run([program, *command.split()[1:]], cwd=tmp_path, capture_output=True, check=True)  # noqa: S603  # our own program
    (example,) = python_examples()
    shown = subprocess.run(  # noqa: S603  # our own program
        [sys.executable, "-W", "error", "-c", example], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert shown.returncode == 0, shown.stderr
    assert "By nDCG@10, for other topics, of 19 systems against F1-1, 12 are worse" in shown.stdout
    assert {path.name for path in tmp_path.iterdir()} == {"demo", "scores.parquet", "systems.svg", "compare.json"}
