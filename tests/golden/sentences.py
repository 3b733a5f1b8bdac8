"""Sentences that tests of a study make of results by hand, in the study's page in tests/golden/said."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from pathlib import Path

FOLDER = Path(__file__).parent / "said"
WRITES = "IRGAUGE_GOLDEN" in os.environ  # as make golden says, into folders without pages
_HEAD = "== "  # before the name of a test


class Sentences:
    """What a test says, in its order: compared with the page, or written to it."""

    def __init__(self, study: str, test: str) -> None:
        self._page, self._head = FOLDER / f"{study}.txt", f"{_HEAD}{test}"
        self._expected = iter(()) if WRITES else self._read()
        if WRITES:
            self._append("" if self._page.exists() else None, self._head)

    def __call__(self, texts: str | Iterable[str] | None) -> None:
        """Say a sentence, or several."""
        assert texts is not None
        for text in [texts] if isinstance(texts, str) else texts:
            if WRITES:
                self._append(text)
            else:
                assert text == next(self._expected, None), "if this is what it should say, run make golden"

    def check_end(self) -> None:
        """Refuse a page that has more of this test."""
        assert not next(self._expected, ""), "the page has more; run make golden"

    def _read(self) -> Iterator[str]:
        lines = iter(self._page.read_text(encoding="utf-8").splitlines())
        assert self._head in lines, f"{self._page} has nothing of this test; run make golden"
        return lines

    def _append(self, *lines: str | None) -> None:
        with self._page.open("a", encoding="utf-8") as page:
            page.writelines(f"{line}\n" for line in lines if line is not None)
