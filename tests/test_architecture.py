"""The shape of the package, held by file names: who may import whom, what a study's folder has, how long files are."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

import irgauge
from irgauge.inference.corrections import BUILT_IN, CORRECTIONS, DEFAULT, MAXIMUM, NONE, STEP_DOWN
from irgauge.inference.tests.registry import TESTS
from irgauge.options.fields import options_of
from irgauge.studies.registry import Study, studies
from irgauge.studies.report_part import ReportPart

# a package imports what stands to its left, never to its right
ORDER = (
    "visible",
    "errors",
    "log",
    "compute",
    "files",
    "choices",
    "extensions",
    "options",
    "cluster",
    "wording",
    "provenance",
    "nouns",
    "storing",
    "brief",
    "reading",
    "scoring",
    "names",
    "replicates",
    "simulation",
    "models",
    "inference",
    "archive",
    "calibrating",
    "planning",
    "show",
    "studies",
    "reporting",
    "papers",
    "extending",
    "results",
    "conversion",
    "ir_measures",
    "pyterrier",
    "tracked",
    "mlflow",
    "wandb",
    "testing",
    "lab",
    "cli",
    "__main__",
)
SOURCE = Path(irgauge.__file__).parent
FILES = sorted(SOURCE.rglob("*.py"))
CONTRACT = ("__init__.py", "options.py", "study.py", "findings.py")
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


def test_one_module_imports_numba_which_else_reads_settings_from_the_working_folder() -> None:
    lines = {where(path) for path in FILES if re.search(r"^\s*(import|from) numba\b", path.read_text(), re.MULTILINE)}
    assert lines == {"src/irgauge/compute/jit_compiler.py"}


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


def test_no_study_imports_another() -> None:
    """The report, the papers and the command line may: they stand to the right of all studies."""
    wrong = [
        f"{where(path)} imports {other}: put what both need to the left of the studies, or beside result.py"
        for module, path in MODULES.items()
        for other in imported(path)
        if package(module) == "studies" and study_of(other) not in (None, study_of(module))
    ]
    assert not wrong, told(wrong)


def asks_for_a_type_of_data(node: ast.AST) -> bool:
    """Whether an expression asks whether something is runs, a table of scores, or was measured."""
    if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "isinstance"):
        return False
    kinds = {inner.id for inner in ast.walk(node.args[1]) if isinstance(inner, ast.Name)}
    return bool(kinds & {"Bench", "Collection", "Measured", "Scores", "ScoreTable"})


def test_types_of_data_are_asked_for_only_where_data_are_opened() -> None:
    """All else asks the data: see `replicates.data`."""
    opening = {"irgauge.replicates.given", "irgauge.replicates.instances", "irgauge.studies.gate.sides"}
    wrong = [
        f"{where(path)}:{getattr(node, 'lineno', 0)}: ask the data, not their type"
        for module, path in MODULES.items()
        for node in ast.walk(parsed(path))
        if module not in opening and asks_for_a_type_of_data(node)
    ]
    assert not wrong, told(wrong)


@pytest.mark.parametrize("study", studies().values(), ids=lambda one: one.name)
def test_a_study_has_the_files_of_its_contract(study: Study) -> None:
    folder = SOURCE / "studies" / study.name
    wanted = (*CONTRACT, "section.py") if study.has_section else CONTRACT
    missing = [name for name in wanted if not (folder / name).is_file()]
    assert not missing, f"{where(folder)} lacks {', '.join(missing)}"
    assert callable(study.verb), f"study.py has no function {study.name}"
    assert callable(study.part("tables").tables), f"{study.name} has no function tables, in tables.py or findings.py"
    if study.has_section:
        assert isinstance(study.part("section").PART, ReportPart), f"section.py of {study.name} has no PART"


@pytest.mark.parametrize("study", studies().values(), ids=lambda one: one.name)
def test_the_forms_and_layouts_of_a_study_are_those_that_it_names(study: Study) -> None:
    for name, declared in (("FORMS", study.forms), ("LAYOUTS", study.layouts)):
        made = list(getattr(study.part("forms"), name)) if declared else []
        assert made == list(declared), f"{name} differ from what STUDY says"


@pytest.mark.parametrize("study", studies().values(), ids=lambda one: one.name)
def test_the_charts_of_a_study_are_those_that_it_names(study: Study) -> None:
    drawn = list(study.part("charts").CHARTS) if study.charts else []
    assert drawn == list(study.charts), "STUDY.charts and CHARTS differ"


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


def test_who_is_best_is_worded_in_one_place() -> None:
    words = ("is the best of", "the first place among")
    texts = {
        where(path): node.value
        for path in FILES
        for node in ast.walk(parsed(path))
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and any(word in node.value for word in words)
    }
    assert set(texts) == {where(SOURCE / "show" / "verdicts.py")}, "say it by `show.verdicts`"


def test_the_front_of_a_report_writes_no_sentence() -> None:
    front = [SOURCE / "reporting" / f"{name}.py" for name in ("first_screen", "picture", "differ")]
    wrong = [where(path) for path in front if "sentence" in names_imported(path)]
    assert not wrong, told(wrong) + ": a finding belongs to the study that found it"


def names_imported(path: Path) -> set[str]:
    """What a file takes from other modules of irgauge, by name."""
    froms = [node for node in ast.walk(parsed(path)) if isinstance(node, ast.ImportFrom)]
    return {alias.name for node in froms for alias in node.names}


def is_provenance(node: ast.AST) -> bool:
    """Whether an expression is a provenance, by its name."""
    name = node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""
    return name == "provenance" or name.endswith("_provenance")


def reads_back(node: ast.AST) -> bool:
    """Whether an expression looks a fact up by its name, as `provenance["test"]` and `"test" in provenance` do."""
    if isinstance(node, ast.Subscript):
        return is_provenance(node.value)
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        return node.func.attr in ("get", "items", "values", "keys") and is_provenance(node.func.value)
    return isinstance(node, ast.Compare) and any(is_provenance(one) for one in node.comparators)


def test_facts_are_not_read_back_by_their_names() -> None:
    wrong = [
        f"{where(path)}:{getattr(node, 'lineno', 0)}: ask the result, or `provenance.record`"
        for path in FILES
        for node in ast.walk(parsed(path))
        if path != SOURCE / "provenance.py" and reads_back(node)
    ]
    assert not wrong, told(wrong)


def test_show_knows_no_study() -> None:
    names = set(studies()) - {"score", "check", "topics"}  # words of their own: a column, a verb, a population
    wrong = [
        f"{where(path)}:{node.lineno}: '{node.value}' is the name of a study"
        for module, path in MODULES.items()
        for node in ast.walk(parsed(path))
        if package(module) == "show" and isinstance(node, ast.Constant) and node.value in names
    ]
    assert not wrong, told(wrong)


# tests and corrections are records: others ask these, and name none

RECORDS = {*TESTS, *CORRECTIONS, BUILT_IN.name, MAXIMUM.name, STEP_DOWN.name}
AMBIGUOUS = {"t", "none", "by", "maximum"}  # words, too: names only where they are compared, or given as such
DECLARED = ("test", "correction")  # options and parameters whose default may be a name
KINDS = ("_TEST", "_CORRECTION", "_INTERVAL")  # how constants end that are names


def names_of_records(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """Lines and string literals that are the name of a test or a correction, unless they declare a default."""
    declared = {inner for node in ast.walk(tree) for part in defaults(node) for inner in ast.walk(part)}
    certain = {inner for node in ast.walk(tree) for part in naming(node) for inner in ast.walk(part)}
    for node in ast.walk(tree):
        name = node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else ""
        if name in RECORDS and node not in declared and (name not in AMBIGUOUS or node in certain):
            yield getattr(node, "lineno", 0), name


def defaults(node: ast.AST) -> Iterator[ast.AST]:
    """Where a name may stand: the default of an option or a parameter, a constant that is called by what it is."""
    if isinstance(node, ast.AnnAssign) and node.value and {*words_of(node.target)} <= {*DECLARED}:
        yield node.value
    if isinstance(node, ast.Assign) and all(word.endswith(KINDS) for word in words_of(node.targets[0])):
        yield node.value
    if isinstance(node, ast.arguments):
        given = [*node.posonlyargs, *node.args]
        by_place = zip(given[len(given) - len(node.defaults) :], node.defaults, strict=True)
        for argument, value in [*by_place, *zip(node.kwonlyargs, node.kw_defaults, strict=True)]:
            yield from [value] if argument.arg in DECLARED and value is not None else []


def naming(node: ast.AST) -> Iterator[ast.AST]:
    """Where even an ambiguous word is the name of a test or a correction."""
    if isinstance(node, ast.keyword) and node.arg in DECLARED:
        yield node.value
    if isinstance(node, ast.Compare) and {*DECLARED} & {*words_of(node)}:
        yield from node.comparators
    if isinstance(node, ast.Subscript) and {"TESTS", "CORRECTIONS"} & {*words_of(node.value)}:
        yield node.slice
    if isinstance(node, ast.Dict):
        each = zip(node.keys, node.values, strict=True)
        yield from (value for key, value in each if isinstance(key, ast.Constant) and key.value in DECLARED)


def words_of(node: ast.AST) -> Iterator[str]:
    """The names and attributes in an expression."""
    for inner in ast.walk(node):
        if isinstance(inner, ast.Name | ast.Attribute):
            yield inner.id if isinstance(inner, ast.Name) else inner.attr


def test_tests_and_corrections_are_named_in_inference_alone() -> None:
    wrong = [
        f"{where(path)}:{line}: '{name}' names a test or a correction: ask its record in inference"
        for module, path in MODULES.items()
        for line, name in names_of_records(parsed(path))
        if package(module) not in ("inference", "papers", "names")  # names is made from the records
    ]
    assert not wrong, told(wrong)


@pytest.mark.parametrize("code", [
    'one.correction == "holm"', 'test in ("t", "crossed-t")', 'SHORT = {"bh": "BH"}', 'compare(test="t")',
    'facts = {"correction": "none"}', 'TESTS["t"].title',
])  # fmt: skip
def test_a_name_of_a_test_or_correction_is_found_in_code(code: str) -> None:
    assert list(names_of_records(ast.parse(code)))


def test_declared_defaults_may_be_named() -> None:
    code = 'class Asked:\n    correction: str = "holm"\n\ndef paired(test: str = "t"): ...\n\n_GATE_TEST = "skewed-t"'
    assert not list(names_of_records(ast.parse(code)))
    options = [one for study in studies().values() for one in options_of(study.options) if one.name == "correction"]
    assert {one.default for one in options} <= {None, DEFAULT.name, NONE.name}
