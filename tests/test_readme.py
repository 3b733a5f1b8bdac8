from __future__ import annotations

import doctest
import os
import re
import subprocess
import sys
from pathlib import Path

README = Path(__file__).parent.parent / "README.md"


def console_examples() -> list[tuple[str, str]]:
    """The commands of the README's console blocks, with what they print."""
    blocks = re.findall(r"^```console\n(.*?)^```", README.read_text(), re.DOTALL | re.MULTILINE)
    return [
        (command, printed)
        for block in blocks
        for command, printed in re.findall(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", block, re.MULTILINE)
    ]


def test_the_commands_of_the_readme_print_what_it_says(tmp_path: Path) -> None:
    examples = console_examples()
    assert len(examples) >= 6
    for command, expected in examples:
        program = Path(sys.executable).with_name("irgauge")
        line = command.replace("irgauge", str(program), 1)
        shown = subprocess.run(  # noqa: S603
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
