"""An empty environment of Python, into which packages are installed and in which programs run."""

from __future__ import annotations

import os
import subprocess
import sys
import venv
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parent.parent.parent
PIP = (sys.executable, "-m", "pip")


@dataclass(frozen=True)
class Environment:
    """A folder with a Python of its own."""

    folder: Path

    @classmethod
    def empty(cls, folder: Path) -> Environment:
        """One without any package, not even pip."""
        venv.create(folder, symlinks=True)
        return cls(folder)

    def install(self, *what: object, constraints: Iterable[str] = ()) -> None:
        """Install packages and what they need."""
        limits = self.folder / "constraints.txt"
        limits.write_text("\n".join(constraints))
        printed(*PIP, "--python", self.folder, "install", "--quiet", "--constraint", limits, *what)
        printed(*PIP, "--python", self.folder, "check")

    def run(self, program: str, *arguments: object, folder: Path | None = None) -> str:
        """What one of its programs prints, in its own folder if in no other."""
        return printed(self.folder / "bin" / program, *arguments, folder=folder or self.folder)


def printed(*words: object, folder: Path = ROOT) -> str:
    """What a program prints, which must end well."""
    alone = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "PYTEST_ADDOPTS")}
    shown = subprocess.run(  # noqa: S603  # our own programs
        [str(word) for word in words], cwd=folder, env=alone, capture_output=True, text=True, check=False
    )
    assert shown.returncode == 0, shown.stdout + shown.stderr
    return shown.stdout
