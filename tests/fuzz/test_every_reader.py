"""Every module that reads what users have is named here, with the test that gives it damaged files."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from pathlib import Path

import irgauge

SOURCE = Path(irgauge.__file__).parent
READS = {
    "read_bytes",
    "first_bytes",
    "read_text",
    "read_csv",
    "read_parquet",
    "loads",
    "loaded",
    "load",
    "scan",
    "fromfile",
    "open",
}
_OF_OURS = {"Scores", "Index", "Truth", "InstanceTruth", "InstanceScores", "terminal", "os"}  # whose `load` is one

TESTED: Mapping[str, str] = {
    "archive/store": "test_side_files",
    "files/opening": "test_readers",
    "lab/texts": "test_text_files",
    "lab/index": "test_text_files",
    "reading/formats/__init__": "test_readers",
    "reading/formats/named_columns": "test_readers",
    "reading/formats/nested": "test_readers",
    "reading/groups": "test_side_files",
    "reading/json_text": "test_readers",
    "reading/tables/jsons": "test_readers",
    "reading/tables/looks": "test_readers",
    "reading/tables/parquet": "test_readers",
    "reading/tables/read": "test_readers",
    "reading/tables/text": "test_readers",
    "reading/textfile": "test_side_files",
    "reading/tools/archive": "test_tools",
    "reading/tools/mteb": "test_folders",
    "reading/trec": "test_readers",
    "results": "test_side_files",
    "replicates/kept": "test_folders",
    "replicates/labels": "test_side_files",
    "simulation/instances": "test_side_files",
    "simulation/truth": "test_side_files",
    "studies/gate/lock": "test_side_files",
    "studies/gate/sequential_state": "test_side_files",
    "studies/suite/task_means": "test_folders",
}
OTHERS: Mapping[str, str] = {
    "archive/checkout": "tests/archive/test_checkout.py",
    "archive/entry": "takes the fingerprint of any bytes",
    "cli/completing": "tests/cli/test_completing.py",
    "cli/process": "opens what was closed",
    "cli/terminal": "opens /dev/null",
    "cli/workflow/comment": "tests/package/test_action.py",
    "cli/workflow/gate": "reads what it wrote",
    "cli/workflow/history": "takes any bytes",
    "cluster/connecting": "tests/cluster/test_cluster_failures.py",
    "cluster/worker": "takes what our own client packed",
    "compute/jit_cache": "tests/faults/test_caches.py",
    "extensions/installed": "tests/api/test_extending.py",
    "extensions/registry": "takes what our own client packed",
    "inference/scripts/__init__": "reads what is in the package",
    "lab/generated": "writes",
    "papers/published": "reads what is in the package",
    "reading/objects": "ir_datasets reads",
    "files/made": "takes any bytes",
    "studies/gate/sides": "looks at the first line of what reading/trec reads",
    "show/safe_html": "reads what is in the package",
    "show/vega": "reads what it wrote, by its digest",
    "files/locking": "opens to lock, and never reads",
    "files/writing": "writes",
}


def calls(tree: ast.AST) -> Iterator[str]:
    """What a module calls that reads."""
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call):
            continue
        called = node.func
        if isinstance(called, ast.Name) and called.id in READS - {"load", "scan"}:
            yield called.id
        if isinstance(called, ast.Attribute) and called.attr in READS:
            owner = called.value.id if isinstance(called.value, ast.Name) else ""
            if owner not in _OF_OURS or (owner == "os" and called.attr == "open"):
                yield called.attr


def test_every_reader_is_given_damaged_files() -> None:
    paths = {str(path.relative_to(SOURCE).with_suffix("")): path for path in SOURCE.rglob("*.py")}
    reading = {name for name, path in paths.items() if any(calls(ast.parse(path.read_text(encoding="utf-8"))))}
    assert reading == {*TESTED, *OTHERS}
    here = Path(__file__).parent
    assert [test for test in TESTED.values() if not (here / f"{test}.py").exists()] == []
