"""A result as a file: its extension chooses what is written."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from irgauge.errors import InputError
from irgauge.files import replacing
from irgauge.show.figure import Figure
from irgauge.show.json import to_json

if TYPE_CHECKING:
    import polars as pl

FORMS = {
    ".txt": "text",
    ".md": "markdown",
    ".tex": "latex",
    ".csv": "csv",
    ".json": "json",
    ".parquet": "parquet",
}
CHARTS = (".html", ".svg", ".png", ".pdf")


class Shown(Protocol):
    """A result that shows itself."""

    def frame(self) -> pl.DataFrame:
        """The main table."""

    def chart(self) -> Figure:
        """The first chart."""

    def to_dict(self) -> dict[str, Any]:
        """Everything."""

    def to_text(self, form: str = ..., *, width: int = ...) -> str:
        """Findings and tables."""


def text_of(result: Shown, form: str, *, width: int = 100) -> str:
    """The result as text in one of the forms that are text."""
    if form == "json":
        return to_json(result.to_dict())
    if form == "csv":
        return result.frame().write_csv()
    return result.to_text(form, width=width)


def save(result: Shown, path: str | os.PathLike[str]) -> None:
    """Write a result, or its first chart, whole or not at all."""
    suffix = Path(path).suffix.lower()
    if suffix in CHARTS:
        result.chart().save(path)
        return
    if suffix not in FORMS:
        known = ", ".join((*FORMS, *CHARTS))
        raise InputError(f"no format is known for the extension '{suffix}'; use {known}", path=str(path))
    with replacing(path) as temporary:
        if FORMS[suffix] == "parquet":
            result.frame().write_parquet(temporary)
        else:
            temporary.write_text(text_of(result, FORMS[suffix]), encoding="utf-8")
