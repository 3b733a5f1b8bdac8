"""Writes every page anew; read what changes before it is committed."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

from golden import PAGES, played, write_collections

with TemporaryDirectory() as folder:
    write_collections(Path(folder))
    for page in PAGES:
        page.write_text(played(page.read_text(encoding="utf-8"), Path(folder)), encoding="utf-8")
