"""A result as a file: its extension chooses what is written."""

from __future__ import annotations

import io
import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from irgauge.errors import InputError
from irgauge.files.writing import write
from irgauge.show.json import to_json

if TYPE_CHECKING:
    import polars as pl

    from irgauge.show.figure import Figure

FORMS = {
    ".txt": "text",
    ".md": "markdown",
    ".tex": "latex",
    ".csv": "csv",
    ".json": "json",
    ".parquet": "parquet",
    ".trec": "trec",
}
CHARTS = (".html", ".svg", ".png", ".pdf")
WITHOUT_FINDINGS = ("csv", "parquet", "trec", "line")  # forms that hold numbers alone, or the first finding


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

    def to_csv(self) -> str:
        """The main table."""

    def own_forms(self) -> Mapping[str, Callable[[Any], str | bytes]]:
        """The forms that only this study has."""


def content_of(result: Shown, form: str, *, width: int = 100) -> str | bytes:
    """The result in one of its forms: as text, or as the bytes of a Parquet file."""
    own = result.own_forms()
    if form in own:
        return own[form](result)
    if form == "json":
        return to_json(result.to_dict())
    if form == "csv":
        return result.to_csv()
    if form == "parquet":
        out = io.BytesIO()
        result.frame().write_parquet(out)
        return out.getvalue()
    return result.to_text(form, width=width)


def save(result: Shown, path: str | os.PathLike[str]) -> None:
    """Write a result, or its first chart, whole or not at all."""
    suffix = Path(path).suffix.lower()
    if suffix.removeprefix(".") in result.own_forms():
        write(path, content_of(result, suffix.removeprefix(".")))
        return
    if suffix in CHARTS:
        result.chart().save(path)
        return
    common = [ending for ending, form in FORMS.items() if form != "trec" or form in result.own_forms()]
    if suffix not in common:
        known = ", ".join((*common, *CHARTS))
        raise InputError(f"no format is known for the extension '{suffix}'; use {known}", path=str(path))
    write(path, content_of(result, FORMS[suffix]))
