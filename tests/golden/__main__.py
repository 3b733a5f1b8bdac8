"""Writes every page of commands anew, and removes those of sentences, which the tests then write."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

from golden import PAGES, played, sentences, write_collections

with TemporaryDirectory() as folder:
    write_collections(Path(folder))
    for page in PAGES:
        page.write_text(played(page.read_text(encoding="utf-8"), Path(folder)), encoding="utf-8")
for page in sentences.FOLDER.glob("*.txt"):
    page.unlink()
