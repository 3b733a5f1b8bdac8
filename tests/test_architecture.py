"""The shape of the package, held by file names: who may import whom, what a study's folder has, how long files are."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

import irgauge
from irgauge.studies.registry import Study, studies

# a package imports what stands to its left, never to its right
ORDER = (
    "visible",
    "errors",
    "kinds",
    "threads",
    "tasks",
    "jit_cache",
    "jit",
    "arrays",
    "limits",
    "compression",
    "streams",
    "files",
    "writing",
    "choices",
    "options",
    "cluster",
    "provenance",
    "brief",
    "reading",
    "scoring",
    "replicates",
    "simulation",
    "models",
    "inference",
    "calibrating",
    "planning",
    "show",
    "studies",
    "reporting",
    "papers",
    "conversion",
    "ir_measures",
    "pyterrier",
    "lab",
    "cli",
    "__main__",
)
SOURCE = Path(irgauge.__file__).parent
FILES = sorted(SOURCE.rglob("*.py"))
CONTRACT = ("__init__.py", "options.py", "study.py", "tables.py", "charts.py", "findings.py")
PRESENTATION = ("tables", "charts", "findings", "section")
MOST_LINES = 400
MOST_PARAMETERS = 8
LONG: dict[str, int] = {}  # exceptions: the file and its lines, which may only fall; the aim is none


def named(path: Path) -> str:
    """The name of a module, such as irgauge.studies.compare.study."""
    parts = path.relative_to(SOURCE.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


MODULES = {named(path): path for path in FILES}


@cache
def parsed(path: Path) -> ast.Module:
    return ast.parse(path.read_text())


def for_types_only(tree: ast.Module) -> set[ast.AST]:
    """What stands under `if TYPE_CHECKING`, which is not imported when the program runs."""
    tests = [node for node in ast.walk(tree) if isinstance(node, ast.If)]
    guarded = [node for node in tests if isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING"]
    return {inner for node in guarded for one in node.body for inner in ast.walk(one)}


@cache
def imported(path: Path) -> frozenset[str]:
    """The modules of irgauge that a file imports, anywhere in it."""
    return frozenset(name for node in ast.walk(parsed(path)) for name in modules_of(node))


def modules_of(node: ast.AST) -> Iterator[str]:
    """The modules of irgauge that a statement imports."""
    if isinstance(node, ast.Import):
        yield from (alias.name for alias in node.names if alias.name.split(".")[0] == "irgauge")
    if isinstance(node, ast.ImportFrom) and node.module and node.module.split(".")[0] == "irgauge":
        for alias in node.names:
            inner = f"{node.module}.{alias.name}"
            yield inner if inner in MODULES else node.module


def package(module: str) -> str:
    """The package, or the module, right under irgauge."""
    return module.split(".")[1] if "." in module else ""


def where(path: Path) -> str:
    return str(path.relative_to(SOURCE.parent.parent))


def place(module: str) -> int:
    """How far to the right a module stands; what has no place is told by a test of its own."""
    return ORDER.index(package(module)) if package(module) in ORDER else -1


def told(wrong: list[str]) -> str:
    return "\n".join(["", *sorted(wrong)])


def is_presentation(module: str) -> bool:
    """Whether a module of a study is there to show: by its name, or since it imports what shows."""
    shows = any(package(other) == "show" for other in imported(MODULES[module])) if study_of(module) else False
    return module.split(".")[-1] in PRESENTATION or shows


def is_of_typer(node: ast.AST) -> bool:
    """Whether a statement imports typer, or click, on which it stands."""
    if isinstance(node, ast.Import):
        return any(alias.name.split(".")[0] in ("typer", "click") for alias in node.names)
    return isinstance(node, ast.ImportFrom) and str(node.module).split(".")[0] in ("typer", "click")


def ends_or_prints(node: ast.AST) -> bool:
    """Whether an expression is a print, or ends the process."""
    if isinstance(node, ast.Name):
        return node.id in ("print", "exit", "quit", "SystemExit")
    return isinstance(node, ast.Attribute) and node.attr in ("exit", "_exit")


def parameters(function: ast.FunctionDef) -> int:
    given = function.args
    return len([*given.posonlyargs, *given.args, *given.kwonlyargs])


def test_every_package_has_a_place_in_the_order() -> None:
    found = {package(module) for module in MODULES} - {""}
    assert found - set(ORDER) == set(), "give these a place in ORDER, to the right of all that they import"
    assert set(ORDER) - found == set(), "these are in ORDER but not in src"


def test_modules_import_only_what_stands_to_their_left() -> None:
    wrong = [
        f"{where(path)} imports {other}, which stands to the right of {package(module)}: move what it needs to the left"
        for module, path in MODULES.items()
        for other in imported(path)
        if package(module) in ORDER and place(other) > place(module)
    ]
    assert not wrong, told(wrong)


def study_of(module: str) -> str | None:
    """The study that a module belongs to, if any."""
    parts = module.split(".")
    return (
        parts[2] if len(parts) > 2 and parts[1] == "studies" and SOURCE.joinpath("studies", parts[2]).is_dir() else None
    )


def reached(module: str) -> dict[str, tuple[str, ...]]:
    """Every module of irgauge that is imported with this one, and the way to it."""
    ways: dict[str, tuple[str, ...]] = {module: (module,)}
    waiting = [module]
    while waiting:
        last = waiting.pop()
        for one in imported_at_once(MODULES[last]):
            if one in MODULES and one not in ways:
                ways[one] = (*ways[last], one)
                waiting.append(one)
    return ways


@cache
def imported_at_once(path: Path) -> frozenset[str]:
    """The modules of irgauge that are imported with a file, not only when one of its functions is called."""
    tree = parsed(path)
    functions = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]
    later = {inner for node in functions for inner in ast.walk(node)} | for_types_only(tree)
    return frozenset(name for node in ast.walk(tree) if node not in later for name in modules_of(node))


@pytest.mark.parametrize("study", studies())
def test_a_study_computes_without_what_shows_it(study: str) -> None:
    for part in ("study", "options"):
        ways = reached(f"irgauge.studies.{study}.{part}")
        shown = [way for one, way in ways.items() if package(one) == "show" or is_presentation(one)]
        assert not shown, f"{part}.py of {study} must not import what shows it: {' -> '.join(shown[0])}"


def test_a_study_does_not_import_the_presentation_of_another() -> None:
    wrong = [
        f"{where(path)} imports {other}: put what both need into show, or beside the studies"
        for module, path in MODULES.items()
        for other in imported(path)
        if study_of(module) and study_of(other) not in (None, study_of(module)) and is_presentation(other)
    ]
    assert not wrong, told(wrong)


@pytest.mark.parametrize("study", studies().values(), ids=lambda one: one.name)
def test_a_study_has_the_files_of_its_contract(study: Study) -> None:
    folder = SOURCE / "studies" / study.name
    wanted = (*CONTRACT, *(["section.py"] if study.has_section else []), *(["forms.py"] if study.forms else []))
    missing = [name for name in wanted if not (folder / name).is_file()]
    assert not missing, f"{where(folder)} lacks {', '.join(missing)}"
    assert callable(study.verb), f"study.py has no function {study.name}"
    assert all(study.part(name) for name in PRESENTATION if name != "section" or study.has_section)
    if study.has_section:
        wanted_names = {"KEY", "TITLE", "REFERENCES", "run", "headline", "section", "methods"}
        absent = {name for name in wanted_names - {"REFERENCES"} if not hasattr(study.part("section"), name)}
        assert not absent, f"section.py of {study.name} lacks {', '.join(sorted(absent))}"


@pytest.mark.parametrize("study", studies().values(), ids=lambda one: one.name)
def test_a_layout_of_a_study_is_a_file_that_makes_its_table(study: Study) -> None:
    for name in study.layouts:
        assert callable(study.part(name).table), f"{name}.py of {study.name} has no function table"


@pytest.mark.parametrize("study", studies().values(), ids=lambda one: one.name)
def test_the_charts_of_a_study_are_those_that_it_names(study: Study) -> None:
    assert list(study.part("charts").CHARTS) == list(study.charts), "STUDY.charts and CHARTS differ"


@pytest.mark.parametrize("study", studies().values(), ids=lambda one: one.name)
def test_what_a_study_says_of_itself_is_light(study: Study) -> None:
    allowed = {"irgauge.studies.registry"}
    path = SOURCE / "studies" / study.name / "__init__.py"
    assert imported(path) <= allowed, f"{where(path)} is imported for every help text: it has STUDY and nothing else"


def test_only_the_command_line_prints_and_exits() -> None:
    wrong = [
        f"{where(path)}:{getattr(node, 'lineno', 0)}: only cli/ imports typer, prints or exits"
        for module, path in MODULES.items()
        for node in ast.walk(parsed(path))
        if package(module) != "cli" and (is_of_typer(node) or ends_or_prints(node))
    ]
    assert not wrong, told(wrong)


def test_functions_of_studies_have_few_parameters() -> None:
    wrong = [
        f"{where(path)}:{node.lineno}: {node.name} takes {parameters(node)} arguments, more than {MOST_PARAMETERS}: "
        "put those that belong together into a dataclass"
        for module, path in MODULES.items()
        for node in ast.walk(parsed(path))
        if package(module) == "studies" and isinstance(node, ast.FunctionDef) and parameters(node) > MOST_PARAMETERS
    ]
    assert not wrong, told(wrong)


def test_files_are_short() -> None:
    wrong = [
        f"{where(path)} has {lines} lines, more than {most}: one concept a file"
        for path in FILES
        if (lines := len(path.read_text().splitlines())) > (most := LONG.get(where(path), MOST_LINES))
    ]
    assert not wrong, told(wrong)


def test_what_is_called_long_is_long() -> None:
    short = [name for name, lines in LONG.items() if lines <= MOST_LINES]
    gone = [name for name in LONG if not (SOURCE.parent.parent / name).exists()]
    assert not short + gone, "take these out of LONG"


def test_nothing_is_called_by_a_word_that_says_nothing() -> None:
    empty = {"utils", "util", "common", "helpers", "misc"}
    assert not [where(path) for path in FILES if path.stem in empty or path.parent.name in empty]
