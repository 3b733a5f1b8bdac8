from __future__ import annotations

from pathlib import Path

import pytest


@pytest.fixture(autouse=True)
def _in_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Inputs name files in the current folder, so that they are the same on every machine."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "100")  # whatever terminal the tests run in
