from __future__ import annotations

from pathlib import Path

import pytest

from faults.commands import write_collections


@pytest.fixture(scope="session")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with two small collections."""
    folder = tmp_path_factory.mktemp("data")
    write_collections(folder)
    return folder
