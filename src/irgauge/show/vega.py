"""The script that draws charts in a page. To make it takes 2 s, so it is kept beside Python's compiled code."""

from __future__ import annotations

import sys
from contextlib import suppress
from functools import cache
from hashlib import sha256
from importlib.metadata import version
from pathlib import Path

from irgauge.errors import InputError
from irgauge.writing import write

_FOLDER = Path(__file__).with_name("__pycache__")


@cache
def vega() -> str:
    """A script that brings Vega, Vega-Lite and Vega-Embed, from the package that also draws the charts as files."""
    kept = _FOLDER / f"vega-{version('vl-convert-python')}.js"
    found = _read(kept)
    if found is None:
        found = _made()
        _keep(kept, found)
    return found


def _made() -> str:
    import vl_convert

    bundle = vl_convert.javascript_bundle("window.vegaEmbed = vegaEmbed;").replace("</script", r"<\/script")
    return f"(() => {{\n{bundle}\n}})();"


def _read(path: Path) -> str | None:
    """What is kept, unless it is damaged."""
    try:
        digest, _, script = path.read_text(encoding="utf-8").partition("\n")
    except (OSError, UnicodeDecodeError):
        return None
    return script if digest == _digest(script) else None


def _keep(path: Path, script: str) -> None:
    """Keep it where Python keeps its own; where that is not possible, it is made each time."""
    if sys.dont_write_bytecode or not path.parent.is_dir():
        return
    with suppress(OSError, InputError):
        write(path, f"{_digest(script)}\n{script}")


def _digest(script: str) -> str:
    return sha256(script.encode()).hexdigest()
