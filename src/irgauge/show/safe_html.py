"""HTML that is safe whatever names it holds: data that cannot end its script, and only our own scripts may run."""

from __future__ import annotations

import base64
import hashlib
import html
import json
import re
from collections.abc import Callable, Iterable
from functools import cache
from importlib.resources import files

import jinja2
from markupsafe import Markup

from irgauge.nouns import Nouns
from irgauge.show.hints import in_html
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
    environment.filters["said"] = lambda text: Markup(in_html(text))  # noqa: S704  # it escapes
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


_NO_WORDS = r'<script.*?</script>|<style.*?</style>|<section id="references".*?</section>'  # titles of papers stay
_PARTS = re.compile(rf"({_NO_WORDS}|<[^>]*>)", re.DOTALL)
_READ = re.compile(r'( (?:title|aria-label|alt)=")([^"]*)')


def html_in_words(page: str, nouns: Nouns) -> str:
    """A page as people read it: its texts, and the attributes that are read, with these nouns.

    >>> html_in_words('<p title="a topic" id="topic">Topics</p>', Nouns().calling("topic", "item"))
    '<p title="an item" id="topic">Items</p>'
    """
    if not nouns.words:
        return page
    said = nouns.keeping(map(html.escape, nouns.names)).said
    texts_and_tags = _PARTS.split(page)  # a text, what is no text, a text, …
    texts_and_tags[::2] = map(said, texts_and_tags[::2])
    texts_and_tags[1::2] = (_tag_in_words(tag, said) for tag in texts_and_tags[1::2])
    return "".join(texts_and_tags)


def _tag_in_words(tag: str, said: Callable[[str], str]) -> str:
    return tag if tag.startswith(("<script", "<style")) else _READ.sub(lambda part: part[1] + said(part[2]), tag)
