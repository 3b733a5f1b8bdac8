from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import irgauge

# a module imports what stands to its left, never to its right
ORDER = [
    "errors",
    "arrays",
    "choices",
    "brief",
    "jit",
    "files",
    "reading",
    "scoring",
    "replicates",
    "simulation",
    "models",
    "inference",
    "studies",
    "present",
    "papers",
    "cli",
]
SOURCE = Path(irgauge.__file__).parent


def imported(path: Path) -> Iterator[str]:
    """The modules of irgauge that a file imports, anywhere in it."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.ImportFrom) and node.module and node.module.split(".")[0] == "irgauge":
            parts = node.module.split(".")
            yield from [parts[1]] if len(parts) > 1 else [alias.name for alias in node.names]


def test_modules_import_only_what_stands_to_their_left() -> None:
    for path in SOURCE.rglob("*.py"):
        module = path.relative_to(SOURCE).parts[0].removesuffix(".py")
        if module != "__init__":
            assert module in ORDER, f"{module} has no place in the order of modules"
            right = [name for name in imported(path) if name in ORDER and ORDER.index(name) > ORDER.index(module)]
            assert not right, f"{path.name} imports {right}, which stand to its right"


def test_only_the_command_line_prints_or_exits() -> None:
    for path in SOURCE.rglob("*.py"):
        if path.relative_to(SOURCE).parts[0] != "cli":
            names = {node.id for node in ast.walk(ast.parse(path.read_text())) if isinstance(node, ast.Name)}
            assert not names & {"print", "exit", "quit"}, path.name
