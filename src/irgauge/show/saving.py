"""A result as JSON or another file: in full precision, null for what is undefined; the extension chooses the form."""

from __future__ import annotations

import base64
import gzip
import io
import json
import math
import os
import re
from collections.abc import Callable, Mapping
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Protocol

import numpy as np

from irgauge.compute.polars_pool import check_pool
from irgauge.errors import InputError
from irgauge.files.made import Made
from irgauge.files.writing import write
from irgauge.provenance import package_versions
from irgauge.storing import packed
from irgauge.visible import visible

if TYPE_CHECKING:
    import polars as pl

    from irgauge.show.figure import Figure


SCHEMA = 1  # the version of what files of JSON hold
_LEVEL = 3  # of compression: more takes some times as long, for a tenth of the size


def to_json(value: object) -> str:
    """Any result, indented; signs that are not seen, and would command a terminal, are escaped."""
    return _escaped(_json(plain(value), "")) + "\n"


def _escaped(text: str) -> str:
    """JSON that means the same, without such signs; json.dumps escapes only those of ASCII."""
    return re.sub("[^\n -~]", lambda sign: _escape(sign[0]), text) if not text.isascii() or "\x7f" in text else text


def _escape(sign: str) -> str:
    return sign if visible(sign) == sign else json.dumps(sign)[1:-1]


def plain(value: object) -> Any:  # noqa: ANN401  # whatever a field holds
    """Dataclasses and mappings as objects, arrays and tuples as lists, NaN and infinities as None, at any depth."""
    if value is None or type(value) in (str, int, bool):  # first, for these and floats are the most
        return value
    if isinstance(value, float) and not isinstance(value, np.generic):
        return value if math.isfinite(value) else None
    if is_dataclass(value) and not isinstance(value, type) and not isinstance(value, Mapping):
        return {field.name: plain(getattr(value, field.name)) for field in fields(value)}
    if isinstance(value, Mapping):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, tuple) and hasattr(value, "_asdict"):
        return plain(value._asdict())
    if isinstance(value, np.ndarray):
        is_plain = value.dtype.kind in "biu" or (value.dtype.kind == "f" and bool(np.isfinite(value).all()))
        return value.tolist() if is_plain else plain(value.tolist())
    if isinstance(value, np.generic):
        return plain(value.item())
    if isinstance(value, set | frozenset):
        return sorted(map(plain, value), key=str)  # a set has no order of its own
    if isinstance(value, list | tuple | range):
        return [plain(item) for item in value]
    return value if isinstance(value, str | int) else str(value)


def _json(value: object, indent: str) -> str:
    """Indented JSON. json.dumps indents in Python, number by number; here it writes whole lists of numbers."""
    deeper = indent + "  "
    if isinstance(value, Mapping) and value:
        items = [f"{json.dumps(key, ensure_ascii=False)}: {_json(item, deeper)}" for key, item in value.items()]
        return "{\n" + ",\n".join(deeper + item for item in items) + f"\n{indent}}}"
    if isinstance(value, list) and any(isinstance(item, list | Mapping) for item in value):
        return "[\n" + ",\n".join(deeper + _json(item, deeper) for item in value) + f"\n{indent}]"
    return json.dumps(value, ensure_ascii=False, allow_nan=False)


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

    study: ClassVar[str]

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

    def how_made(self) -> Made:
        """When, by which command, of which files."""

    def own_forms(self) -> Mapping[str, Callable[[Any], str | bytes]]:
        """The forms that only this study has."""


def content_of(result: Shown, form: str, *, width: int = 100) -> str | bytes:
    """The result in one of its forms: as text, or as the bytes of a Parquet file."""
    own = result.own_forms()
    if form in own:
        return own[form](result)
    if form == "json":
        return to_json(filed(result))
    if form == "csv":
        return result.to_csv()
    if form == "parquet":
        check_pool()
        out = io.BytesIO()
        result.frame().write_parquet(out)
        return out.getvalue()
    return result.to_text(form, width=width)


def filed(result: Shown) -> dict[str, Any]:
    """What a file of JSON holds: everything for people and other programs, then what the result is read from again."""
    return head_of(result) | result.to_dict() | _state(result, package_versions()["irgauge"])


def head_of(result: Shown) -> dict[str, Any]:
    """What a file of JSON begins with: what it is of, and the versions that made it."""
    versions = package_versions()
    head = {"study": result.study, "schema": SCHEMA, "irgauge": versions["irgauge"], "versions": versions}
    return head | {"made": result.how_made().to_dict()}


def _state(result: object, by: str) -> dict[str, str]:
    """What a result is read from again; nothing of one that holds what cannot be stored, as that of others may."""
    try:
        state = {"version": SCHEMA, "irgauge": by, "result": packed(result)}
    except TypeError:
        return {}
    text = json.dumps(state, separators=(",", ":"), allow_nan=False)
    return {"state": base64.b64encode(gzip.compress(text.encode(), _LEVEL, mtime=0)).decode()}


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
