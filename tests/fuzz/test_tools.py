"""Files of tools with an odd node, or damaged: they are read, or refused with an error that names the file."""

from __future__ import annotations

import json
from random import Random

import pytest

from fuzz.files import File, damaged_one_of
from fuzz.odd_values import with_odd_node
from fuzz.test_readers import try_scores
from fuzz.trials import try_each
from oracles.search_tool_files import SEARCH_FILES
from oracles.tool_files import TOOL_FILES

FILES = TOOL_FILES | SEARCH_FILES

pytestmark = pytest.mark.filterwarnings("ignore::irgauge.errors.DataWarning")  # notes on random data say much


def odd_file(rng: Random) -> File:
    """A file in JSON, or in JSON lines, with one or two odd nodes."""
    name = rng.choice([name for name in FILES if name.endswith((".json", ".jsonl"))])
    is_lines = name.endswith(".jsonl")
    content = [json.loads(line) for line in FILES[name].splitlines()] if is_lines else json.loads(FILES[name])
    for _ in range(rng.choice([1, 1, 2])):
        content = with_odd_node(content, rng, of_json=True)
    records = content if is_lines and isinstance(content, list) else [content]
    return File(name, "\n".join(map(json.dumps, records)).encode())


def test_files_of_tools_with_odd_nodes() -> None:
    try_each("files of tools", 800, odd_file, try_scores)


def test_damaged_files_of_tools() -> None:
    try_each("damaged files of tools", 500, damaged_one_of(FILES), try_scores)
