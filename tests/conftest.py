from __future__ import annotations

import os
from pathlib import Path

import pytest


@pytest.fixture(scope="session")
def trec8() -> Path:
    """The folder of the TREC-8 data."""
    folder = os.environ.get("IRGAUGE_TREC8")
    if folder is None:
        pytest.skip("IRGAUGE_TREC8 does not name a folder with the TREC-8 data")
    return Path(folder)
