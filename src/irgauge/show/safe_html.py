"""HTML that is safe whatever names it holds: data that cannot end its script, and only our own scripts may run."""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Iterable
from functools import cache
from importlib.resources import files

import jinja2
from markupsafe import Markup

from irgauge.visible import encodable, visible

_FILES = files("irgauge.show").joinpath("page_files")


def page_file(name: str) -> str:
    """A script, a style or a template of our pages."""
    return _FILES.joinpath(name).read_text(encoding="utf-8")


@cache
def template(name: str) -> jinja2.Template:
    """A template that escapes whatever it is given, and writes out what could not be seen."""
    environment = jinja2.Environment(
        autoescape=True, undefined=jinja2.StrictUndefined, trim_blocks=True, finalize=_seen
    )
    return environment.from_string(page_file(name))


def _seen(value: object) -> object:
    """What a template shows; what is HTML already stays as it is."""
    return visible(value, keep="\n") if isinstance(value, str) and not isinstance(value, Markup) else value


def script_data(value: object) -> str:
    """JSON that may stand in a script tag, whatever names it holds.

    >>> script_data({"system": "</script><script>"})
    '{"system":"\\\\u003c/script>\\\\u003cscript>"}'
    """
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    return encodable(text.replace("<", r"\u003c"))  # what is written out so is JSON too


def policy(scripts: Iterable[str]) -> str:
    """A Content-Security-Policy that lets these scripts run, by their hashes, and no others, and asks no network.

    Vega's expressions must be interpreted (`ast`), as none may be made into functions.

    >>> policy(["draw();"]).split("; ")[:2]
    ["default-src 'none'", "script-src 'sha256-Nrzt+Ak9TKllQ0f6KxPbgRgME4RTzfjVUaOmcylYOV8='"]
    """
    hashes = " ".join(f"'sha256-{_hash(script)}'" for script in scripts)
    styles = "style-src 'unsafe-inline'; img-src data: blob:; font-src data:"
    return f"default-src 'none'; script-src {hashes}; {styles}; base-uri 'none'; form-action 'none'"


def _hash(script: str) -> str:
    return base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
