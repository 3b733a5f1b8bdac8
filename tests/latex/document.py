"""A document set by the pdfLaTeX of the system, and what its log says."""

from __future__ import annotations

import re
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

import pytest

_PREAMBLE = r"""\documentclass[%s]{article}
\usepackage[utf8]{inputenc}
\usepackage{array,booktabs,longtable,lscape}
\begin{document}
"""


@dataclass(frozen=True)
class Document:
    log: str
    overfull: tuple[float, ...]  # points that boxes are too wide by

    @property
    def told(self) -> list[str]:
        r"""What \typeout said."""
        return re.findall(r"^told: (.*)$", self.log, re.MULTILINE)


def typeset(body: str, folder: Path, *, options: str = "a4paper", passes: int = 2) -> Document:
    """The document around these tables; long tables need two passes to be in line."""
    pdflatex = shutil.which("pdflatex")
    if pdflatex is None:
        pytest.skip("there is no pdflatex; make latex installs it where it can")
    (folder / "tables.tex").write_text(f"{_PREAMBLE % options}{body}\n\\end{{document}}\n", encoding="utf-8")
    command = [pdflatex, "-interaction=nonstopmode", "-halt-on-error", "tables.tex"]
    for _ in range(passes):
        done = subprocess.run(command, cwd=folder, capture_output=True, check=False)  # noqa: S603  # our own words
    log = done.stdout.decode("latin-1")
    assert done.returncode == 0, log[-2000:]
    return Document(log, tuple(map(float, re.findall(r"Overfull \\hbox \(([\d.]+)pt too wide\)", log))))


def caption_lines(table: str, folder: Path, *, options: str) -> int:
    """On how many lines the caption of a table is set in a column."""
    caption = re.search(r"\\caption\{(.*)\}$", table, re.MULTILINE)
    assert caption is not None
    box = rf"\setbox0\vbox{{\hsize=\columnwidth\noindent Table 1: {caption[1]}\par\global\count255=\prevgraf}}"
    document = typeset(rf"{box}\typeout{{told: \the\count255}}Text.", folder, options=options, passes=1)
    return int(document.told[0])
