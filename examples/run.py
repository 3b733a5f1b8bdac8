"""Runs the notebooks, and keeps of their outputs what is the same each time: texts and our own tables, no charts.

python examples/run.py
"""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

import nbformat
from nbclient import NotebookClient

FOLDER = Path(__file__).parent
_CHANGING = ("image/", 'class="dataframe"')
_MOST_SECONDS = 300  # of one cell, on a machine that has other work


def notebooks() -> list[Path]:
    """All notebooks, in the order of their names."""
    return sorted(FOLDER.glob("*.ipynb"))


def executed(path: Path, folder: Path) -> Any:  # noqa: ANN401  # a notebook of nbformat
    """The notebook after all of its cells have run in a folder, where they may write."""
    notebook = nbformat.read(path, as_version=4)
    place = {"metadata": {"path": str(folder)}}
    NotebookClient(notebook, timeout=_MOST_SECONDS, coalesce_streams=True, resources=place).execute()
    for cell in notebook.cells:
        cell.metadata = {}  # when it ran
        if cell.cell_type == "code":
            cell.execution_count, cell.outputs = None, [one for one in cell.outputs if _is_stable(one)]
            for output in cell.outputs:
                output |= {"execution_count": None} if output.output_type == "execute_result" else {}
    return notebook


def _is_stable(output: Any) -> bool:  # noqa: ANN401  # an output of nbformat
    """Charts depend on fonts, frames of other packages on their versions; stderr is not what a cell says."""
    return output.get("name") != "stderr" and not any(word in str(output) for word in _CHANGING)


def main() -> None:
    """Run all, and write what they gave."""
    for path in notebooks():
        with tempfile.TemporaryDirectory() as folder:
            notebook = executed(path, Path(folder))
        notebook.metadata = {"kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"}}
        nbformat.write(notebook, path)


if __name__ == "__main__":
    main()
